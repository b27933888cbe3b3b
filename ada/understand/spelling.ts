import { nonePhrases } from '../library/choose/phrases.js';
import { fold } from '../library/text/fold.js';
import { listener, type Meant } from '../library/text/sound.js';
import { stem } from '../library/text/stem.js';
import { PLACE_WORDS } from './places.js';
import { isEnglish, plain, same } from './text.js';
import { ENGLISH_WORDS, TRADE_WORDS } from './trades.js';
import { ACCOUNT, ASKING, COMPANIES, CONTRACTS, PEOPLE, TOPIC } from './words.js';

/** Words by which the recipes are asked for, spelt right. */
const TRIGGERS =
  `cuantos cuantas cuanto cuanta quien quienes cual cuales donde cuando hay hazme haz dame dime busca busco buscame buscar encuentra encuentrame muestra muestrame muestramelos enseña enseñame enseñamelos lista listado pasame mandame quiero quisiera necesito necesitamos saber ver vamos
  empresa empresas proveedor proveedores proveedora proveedoras fabrica fabricas fabricante fabricantes distribuidor distribuidores distribuidora constructora constructoras transportista transportistas negocio negocios taller talleres cliente clientes prospecto prospectos maquiladora maquiladoras mayorista mayoristas comercializadora despacho despachos
  vende venden vendido vendieron vendio surte surten surtio surtido provee proveen gano ganaron ganado contrato contratos adjudicado adjudicacion adjudicaciones licitacion licitaciones concurso concursos convocatoria convocatorias abierta abiertas abierto abiertos vigente vigentes cierra cierran vence vencen gobierno dependencia oportunidad oportunidades señales semana
  contacto contactos consigue consigueme consiguenos correo correos telefono telefonos gerente gerentes director directores compras comprador compradores decide deciden encargado responsable revelar revela
  campaña campañas prospeccion secuencia secuencias borrador borradores redacta redactame escribe escribeme escribele escribeles mensaje mensajes cadencia seguimiento lanza lanzame arma armame arranca arrancame llegar prepara preparame
  pausa pausala cancela cancelala reanuda reanudala detenla continua continuala
  pipeline embudo analisis resumen etapa etapas cuenta cuentas propuesta negociacion playbook objecion objeciones equipo guarda guardala guardalas guardalo guardalos guardame agrega agregalos conecta mercado competencia competidores
  grande grandes mediana medianas pequeña pequeñas chica chicas`.split(/\s+/);
/** Public buyers whose letters are spoken as a word. */
const SPOKEN = ['imss', 'issste', 'pemex', 'sedena', 'conagua', 'semar', 'infonavit', 'fovissste', 'capufe'];
/** English words as they sound here, shorthand, and words run together. */
const SAID: Readonly<Record<string, string>> = {
  paiplain: 'pipeline',
  paiplin: 'pipeline',
  piplain: 'pipeline',
  paipline: 'pipeline',
  pleibuk: 'playbook',
  pleibuc: 'playbook',
  playbuk: 'playbook',
  pleybuk: 'playbook',
  krm: 'crm',
  jal: 'jalisco',
  q: 'que',
  k: 'que',
  ke: 'que',
  qe: 'que',
  kien: 'quien',
  ai: 'hay',
  ay: 'hay',
  d: 'de',
  ba: 'va',
  ala: 'a la',
  alos: 'a los',
  alas: 'a las',
  delos: 'de los',
  delas: 'de las',
  enel: 'en el',
  enla: 'en la',
  porfabor: 'por favor',
  aver: 'a ver',
};
/** Words that sound like one of these and are another. */
const OTHERS = new Set(
  'as has ha ves vez alla halla haya vaya ay ah ola vota votar voto botar basta vasta cita sita casa caza tubo tuvo asta hasta echo hecho sierra sierran cerrar tasa taza masa maza rosa roza cocer coser sede cede valla cien sien vello bello baca vaca abria habria tabaco camino pueblo reacciones caliente platico platica platicas seria rebela rebelar bende bate vate'.split(
    ' ',
  ),
);

const near = (words: readonly string[], least: number, bends = true): Meant[] =>
  words.filter((word) => word.length > 2).map((word) => ({ word, least, bends }));
/** A slip in a place is forgiven sooner: few words are like one. */
const MEANT = [
  ...near(TRIGGERS, 7),
  ...near([...PLACE_WORDS], 6, false),
  ...near(
    [...TRADE_WORDS].flatMap((word) => (/[aeo]$/.test(word) ? [word, `${word}s`] : [word])),
    7,
  ),
  ...near(SPOKEN, 9),
];

const known = (() => {
  let words: ReadonlySet<string> | null = null;
  let stems: ReadonlySet<string> | null = null;
  return (word: string): boolean => {
    words ??= new Set([
      ...[ASKING, COMPANIES, CONTRACTS, PEOPLE, ACCOUNT, TOPIC].flatMap((set) => [...set]),
      ...ENGLISH_WORDS,
      ...nonePhrases().flatMap(({ text }) => fold(text).match(/[\p{L}]+/gu) ?? []),
    ]);
    stems ??= new Set(MEANT.map((one) => stem(fold(one.word))));
    return words.has(word) || words.has(plain(word)) || stems.has(stem(word));
  };
})();
const EAR = listener(MEANT, OTHERS, known);

const WORD = /\p{L}[\p{L}\p{M}]*/gu;
/** Text that is mended; what is longer keeps its letters from there on. */
const LONGEST = 4_000;
/** Most blanks and marks that are looked at before a word. */
const BACK = 8;
/** A name keeps its letters, but where it is a place ("Jalizco"). */
const PLACES = listener(near([...PLACE_WORDS], 6, false), OTHERS, known);

/**
 * A message with what was written by ear or with a slip of the fingers as it is spelt, where it means a word of asking, a trade, a place or a public
 * buyer. Everything else, names first of all, keeps its letters; so does what stands in quotes, and a message in English.
 */
export const mended = (given: string): string => {
  if (given.length > LONGEST) return mended(given.slice(0, LONGEST)) + given.slice(LONGEST);
  if (isEnglish(same(given))) return given;
  const apart = given.replace(/([\p{L}\d])([,;])(?=\p{L})/gu, '$1$2 ');
  const quotes = [...apart.matchAll(/["«“][^"»”]{0,120}["»”]|(?<!\S)[^\s@/]{0,64}[@/]\S*/gu)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  const shouted = apart === apart.toUpperCase();
  return apart.replace(WORD, (word, at: number) => {
    if (quotes.some(([from, to]) => at >= from && at < to)) return word;
    const before = apart.slice(Math.max(0, at - BACK), at);
    const next = apart[at + word.length] ?? '';
    // Part of something longer: "k-9", "d'or", "40k", "e-mail".
    if ((/[\d&'’_.+-]$/.test(before) && !/[.]\s*$/.test(before)) || /[\d&'’_+-]/.test(next)) return word;
    const first = at === 0 || /[.!?¿¡:\n]\s*$/.test(before);
    const name = /^\p{Lu}/u.test(word) && !shouted && !first;
    const flat = fold(word);
    if (!name && Object.hasOwn(SAID, flat) && !/^\p{Lu}/u.test(word)) return SAID[flat] ?? word;
    return (name ? PLACES : EAR).hear(flat) ?? word;
  });
};
