import type { QUESTION_FIELDS } from '../../contracts/turn.js';

/** How a question about each field is worded; texts are small letters without accents. */
export type Field = (typeof QUESTION_FIELDS)[number];
const CAMPAIGN =
  /\b(?:cual|que|de que|en que|a que) (?:de (?:ell[ao]s|est[ao]s|es[ao]s|tus|mis|las|los) )?(?:(?:dos|tres|varias|abiertas) )?(?:campa[nñ]a|prospeccion)|\bcual de (?:las|tus) (?:campa[nñ]as|prospecciones|dos|tres)\b|\bwhich (?:one )?(?:of (?:your|the|these) )?(?:\w+ )?campaign/;
export const ASKS: ReadonlyArray<[Field, RegExp]> = [
  ['oferta', /\bque (?:vendes|venden|ofreces|ofrecen)\b|tu oferta|what (?:do you|you) (?:sell|offer)/],
  ['comprador', /\bcomprador|\bdependencia|\ba (?:que institucion|quien le (?:quieres )?vend)|which (?:buyer|agency|institution)/],
  ['producto', /\b(?:que|cual|de que) (?:producto|servicio)|\bproducto\b|which (?:product|service)/],
  ['giro', /\bgiro\b|\bsector\b|\bindustria\b|\bramo\b|que tipo de empresas?|which (?:industry|sector|activity)|kind of compan/],
  [
    'estado',
    /\ben que (?:estado|zona|region|ciudad|lugar)|\b(?:cual|que) (?:estado|zona|region|ciudad)|\bestado (?:te|quieres|prefieres|buscas)|\bestado o zona|\bel estado\b|\bun estado\b|(?:which|what) (?:state|region|city|area)/,
  ],
  ['tamano', /\btama[nñ]o\b|(?:which|what) size/],
  ['cargo', /\bcargo\b|\bpuesto\b|(?:which|what) (?:role|job title|position)/],
  ['campana', CAMPAIGN],
  [
    'cuenta',
    /\b(?:cual|que|de que|en que) (?:de (?:las|tus|est[ao]s|es[ao]s) )?(?:(?:dos|tres) )?(?:cuentas?|empresas?)\b|which (?:of the \w+ )?(?:accounts?|compan(?:y|ies))/,
  ],
  ['tema', /\bque tema\b|\bcual tema\b|which topic/],
  [
    'cantidad',
    /\bcuant[oa]s (?:\p{L}+ )?(?:quieres|necesitas|buscas|te interesan|empresas quieres|cuentas quieres)|how many (?:\p{L}+ )?(?:do you|would you|you)/u,
  ],
  ['periodo', /\b(?:que|cual) (?:periodo|fechas?|a[nñ]os?)\b|desde cuando|(?:which|what) (?:period|dates?|years?)/],
  ['exclusiones', /\b(?:a quien|que) (?:excluy|omit|descart)|\bexclu(?:yo|imos|ir)\b|exclude/],
  ['seleccion', /\bcuales (?:quieres|guardo|elijo|elegimos|prefieres)|which ones/],
  ['contactos', /\b(?:que|cuales) contactos\b|which contacts/],
];
/** Fields that have a value to go on with at no cost: all of Mexico, any size, the last two years. */
export const FREE_DEFAULT: ReadonlySet<Field> = new Set<Field>(['estado', 'tamano', 'cantidad', 'periodo', 'exclusiones']);
/** A question that offers what is already an object beside it. */
export const OFFERS =
  /^(?:¿\s*)?(?:y\s+)?(?:quieres|te gustaria|deseas|te parece|va|le entro|procedo|voy con|vamos con|los? (?:guardo|busco|muestro|preparo)|las? (?:guardo|busco|muestro|preparo)|seguimos con|empiezo con|arranco con|prefieres que|do you want|would you like|want me|shall i|should i)/;
/** Asks for nothing in particular. */
export const OPEN_ENDED =
  /(?:que mas|algo mas|en que (?:te|mas|puedo)|como (?:seguimos|quieres (?:seguir|continuar)|te ayudo)|que (?:quieres|te gustaria|deseas|prefieres|hacemos|sigue|necesitas)(?: hacer)?(?: ahora)?\s*\?|anything else|what else|what (?:would you like|do you want)|how (?:would you like|can i help|should we))/;
