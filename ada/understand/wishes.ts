import { asksToMove } from './compare.js';
import { same, tidy } from './text.js';

/** What one part of a message wants. */
export const WISHES = [
  'contar',
  'comparar',
  'listar',
  'vendido',
  'abiertas',
  'cruzar',
  'pipeline',
  'cuenta',
  'equipo',
  'guardar',
  'contactos',
  'escribir',
  'campana',
] as const;
export type WishKind = (typeof WISHES)[number];
export interface Wish {
  kind: WishKind;
  /** Its words, with those of the head that all parts share. */ text: string;
  /** Its own words. */ own: string;
}

const COMPANIES =
  '(?:empresas?|companias?|proveedor[ea]?s?|provedor[ea]?s?|fabricas?|fabricantes?|negocios?|constructoras?|distribuidor[ea]?s?|talleres|despachos|maquiladoras?|clientes? potenciales|prospectos|transportistas|suppliers?|companies|firms|vendors|manufacturers)';
const SHOW =
  '(?:busca|buscame|encuentra|encuentrame|muestra|muestrame|ensena|ensename|lista|listame|enlista|enlistame|dame|pasame|traeme|sacame|quiero ver|busco|buscamos|find|show|list|give me|get me|pull)';
const KINDS: ReadonlyArray<readonly [WishKind, RegExp]> = [
  [
    'campana',
    /\b(?:lanza|arma|arranca|arrancame|haz|hazme|empieza|inicia|prepara|quiero|start|launch|run)\w*\b.*\b(?:campana|campaign)\b|\bllegar(?:le)? a \d+|\bprospecta\w*\b/,
  ],
  [
    'cruzar',
    /\bcru(?:z|c)(?:a|al[oa]s|ame|amel[oa]s|ar|arl[oa]s|ando|alo|e|emos)\b|\bcoteja\w*|\bempata(?:l[oa]s|me|r)?\b|\bcross[ -]?(?:check|reference|match)\w*|\bmatch (?:them|these|it)\b/,
  ],
  [
    'comparar',
    /\bcompar(?:a|ame|al[oa]s|ar|emos|acion|ativ[oa])\b|\bcontrasta\w*|\bcompare\b|\b\S+ (?:contra|versus|vs\.?) \S+|\b(?:donde|en cual|que estado|cual estado|que plaza|which state|where)\b.*\b(?:mas|menos|more|less|fewe\w+|most)\b/,
  ],
  [
    'escribir',
    /\b(?:redacta\w*|escrib(?:e|el[eo]s?|eles|irles|ir)|borradores?|secuencia|cadencia|mandal\w+ (?:un |el |los )?(?:correo|mail)\w*|prepara\w* (?:los |un )?(?:correos?|mensajes?|mails?)|write (?:them|to|an?)|drafts?|sequence)\b/,
  ],
  [
    'contactos',
    /\b(?:consig\w+|dame|busca\w*|saca\w*|pasame|encuentra\w*|revela\w*|find|get)\b.*\b(?:contactos?|correos?|telefonos?|mails?|emails?|contacts?|a los de compras|al de compras|quien decide|gerentes? de|compradores)\b|\bquien (?:decide|ve|lleva|firma)\b|\bcontactos de\b|\bwho (?:decides|handles)\b/,
  ],
  [
    'guardar',
    /\b(?:guarda(?:l[oa]s?|me|mel[oa]s)?|met[ae](?:l[oa]s?)?|agrega(?:l[oa]s?)?|sube(?:l[oa]s?)?|pasa(?:l[oa]s?)|anade(?:l[oa]s?)?|quedate con|save|add)\b.*(?:\bcrm\b|\bprospectos\b|\b(?:l[oa]s|est[ao]s|es[ao]s|todas?|todos?|them|these|those|primer[oa]s?)\b)|\bguardal[oa]s\b|\bguardamel[oa]s\b|\bsave them\b/,
  ],
  [
    'equipo',
    /\bplaybook\b|\bque (?:sabe|sabemos|dice) (?:el equipo|de|sobre)\b|\bobjecion(?:es)?\b|\bcomo (?:les |le )?vendemos\b|\bour playbook\b/,
  ],
  [
    'cuenta',
    /\btodo lo (?:que )?(?:haya|hay|tengamos|sepamos|sabemos|tenemos|sepas) (?:de|sobre|con)\b|\b(?:que sigue con|que se de|que sabemos de la cuenta|proximo paso con|siguiente paso con|ponme al dia con|ficha de|junta con|next step with)\b/,
  ],
  ['pipeline', /\b(?:mi|mis|nuestro|el) (?:pipeline|embudo|crm|oportunidades)\b|\bmy (?:pipeline|funnel|crm)\b/],
  [
    'abiertas',
    /\blicitacion\w*|\blicis?\b|\bconcursos? (?:abiertos?|publicos?|vigentes?)|\bconvocatorias?\b|\btenders?\b|\b(?:esta|este|hay|algo|lo que hay|lo que esta|lo) (?:\w+ )?(?:abiert[oa]s?|vigentes?)\b|\babiert[oa]s? (?:hoy|ahora|ahorita)\b|\b(?:cierran?|vencen?) (?:pronto|primero|esta semana)\b|\boportunidades de (?:gobierno|venta)\b/,
  ],
  [
    'vendido',
    /\b(?:a )?(?:quien\w*|cual(?:es)?|que (?:empresas?|proveedor\w*|companias?)|los que|las que|proveedor\w* que|who|which (?:companies|suppliers))\b.*\b(?:vend\w+|bend\w+|surt\w+|prove[ey]\w*|gan[ao]\w*|compra\w*|adjudic\w+|se llev\w+|repiten|sold|sells?|suppl\w+|won|wins?)\b|\badjudica\w+|\bcontratos? (?:de|del|con|ganad\w+|que)\b|\bawards?\b|\bcuanto (?:se |le |les |han? )*(?:adjudic|compr|gast|vend)\w*|\bincumbentes?\b/,
  ],
  [
    'contar',
    new RegExp(
      `\\b(?:cuant[oa]s?|kuant[oa]s|how many)\\s+(?!contratos?|veces|dias|meses|anos|semanas|creditos|consultas|(?:me|te|nos)\\b|se\\b|le\\b|les\\b|cuesta|cuentas tengo|times|days)|(?<!\\b(?:la|esa|esta|una|mi|tu|su|cada|nueva|otra)\\s)\\bcuent(?:al[oa]s|ame|a)\\s*(?:$|[,.;]|cuant|l[oa]s|cuales|y\\b)|\\b(?:numero|total|cantidad|conteo|universo) de ${COMPANIES}|\\bque tan (?:grande|saturad\\w+|competid\\w+)|\\btamano (?:del|de) mercado|\\bmarket size|\\bhay much[oa]s\\b|\\bcount (?:them|the)\\b`,
    ),
  ],
  [
    'listar',
    new RegExp(
      `\\b${SHOW}\\b.*\\b(?:${COMPANIES}|l[oa]s|principales|mejores|primer[oa]s?|top|mas (?:grandes|fuertes|importantes)|them|those|the)\\b|\\b(?:muestra|ensena|pasa|trae|lista|da|saca)(?:me)?l[oa]s\\b|\\bcuales son\\b|\\bquienes son\\b|\\bwho are they\\b|^${COMPANIES} (?:de|del|que|en)\\b`,
    ),
  ],
];
/** What a clause wants; null when it wants nothing by itself. */
export const wishOf = (flat: string): WishKind | null =>
  asksToMove(flat) ? 'comparar' : (KINDS.find(([, pattern]) => pattern.test(flat))?.[0] ?? null);

/** Words that open another wish after a comma or an "and". */
const OPENS =
  '(?:cuant[oa]s?|kuant[oa]s|a\\s+quien|quien(?:es)?|cual(?:es)?|que\\s|donde|dime|dame|ensen\\w+|muestr\\w+|pas[ae]\\w*|tra[ei]\\w*|busc\\w+|list\\w+|enlist\\w+|guard\\w+|met[ea]l?\\w*|agreg\\w+|consig\\w+|compar\\w+|cruz\\w+|cuent\\w+|chec\\w+|revis\\w+|prepar\\w+|arm\\w+|arranc\\w+|lanz\\w+|haz\\w*|escrib\\w+|redact\\w+|mand\\w+|sac\\w+|sub[ei]\\w*|export\\w+|sincroniz\\w+|conect\\w+|llam\\w+|agend\\w+|deshaz\\w*|revel\\w+|show|list|find|tell|give|who|which|how\\s+many|save|get|write|compare|what|count)';
const JOINED = '(?:luego|despues|ademas|tambien|de paso|aparte|entonces|then|also|plus|me|nos|y)';
const CLAUSES = new RegExp(
  `(?:[.;?!\\n]+\\s*|\\s*[¿¡]\\s*|\\s*,\\s*(?:y\\s+|e\\s+|and\\s+)?(?:${JOINED}\\s+)*(?=${OPENS})|\\s+(?:y|e|and)\\s+(?:${JOINED}\\s+)*(?=${OPENS})|\\s+(?:luego|despues|ademas|tambien|then|also)\\s+(?:me\\s+)?(?=${OPENS}))`,
  'g',
);

/** The parts of a message that may each want something, in order. */
export const clausesOf = (given: string, flat: string = same(given)): string[] => {
  const cuts = [...flat.matchAll(CLAUSES)].map((m) => ({ at: m.index, end: m.index + m[0].length }));
  const starts = [0, ...cuts.map((one) => one.end)];
  return starts
    .map((start, i) => given.slice(start, cuts[i]?.at ?? given.length).replace(/^[\s,;:.]+|[\s,;:]+$/g, ''))
    .filter((part) => /[\p{L}\d]/u.test(part));
};

/** Kinds that only tell more of the one before them, where they name nothing of their own. */
const TELLS_MORE: Readonly<Record<WishKind, readonly WishKind[]>> = {
  comparar: ['contar', 'vendido', 'comparar', 'listar'],
  vendido: ['vendido', 'listar', 'comparar'],
  contar: ['contar', 'comparar'],
  listar: ['listar', 'comparar', 'vendido'],
  abiertas: ['abiertas', 'listar', 'comparar', 'vendido'],
  cruzar: ['cruzar', 'listar', 'comparar', 'vendido', 'abiertas'],
  pipeline: ['pipeline', 'listar', 'contar', 'comparar', 'cuenta'],
  cuenta: ['cuenta', 'listar', 'pipeline', 'equipo'],
  equipo: ['equipo', 'listar', 'vendido', 'escribir'],
  guardar: ['guardar'],
  contactos: ['contactos', 'listar'],
  escribir: ['escribir', 'listar', 'equipo'],
  campana: ['campana', 'contactos', 'escribir', 'guardar', 'listar', 'contar'],
};

/** What is refused, known already, or somebody else's question is told, not asked for. */
const NO_WISH =
  /^(?:y |pero |aunque |oye,? )?(?:no (?:me|te|lo|la|los|las|le|les|quiero|busco|necesito|ocupo|hace|guardes|es|son|importa|interesan?)\b|sin\b|ya (?:tengo|tenemos|los|las|se|hice|vi|revise|le|les)\b|i already|i don't|don't)|\b(?:me (?:va|van) a (?:preguntar|pedir)|me (?:pidio|pidieron|pregunto|preguntaron|esta pidiendo|estan pidiendo)|is going to ask|asked me)\b/;
/** Says what is not wanted, or what somebody else wants. */
export const refused = (flat: string): boolean => NO_WISH.test(flat);
/** Longer ones are told as a story: the router reads them whole. */
const LONGEST = 60;
/** Text in front of a colon that all parts share: "Para Nuevo León:", "Alimentos:". */
const headOf = (given: string): { head: string; rest: string } => {
  const found = /^\s*([^:¿?.!]{3,60}):\s+(.{12,})$/u.exec(given);
  return found?.[1] && found[2] && found[1].split(/\s+/).length <= 7 && wishOf(same(found[1])) === null
    ? { head: found[1], rest: found[2] }
    : { head: '', rest: given };
};

/**
 * What a message wants, in its order; one that only tells more of the one before it is part of that. `names`: whether a text names a trade, a
 * buyer or a place of its own.
 */
export const wishesIn = (message: string, names: (text: string) => boolean): Wish[] => {
  const { head, rest } = headOf(tidy(message));
  const found: Wish[] = [];
  // What leads up to the first wish ("Vendo maquinaria. ¿Cuántas…?") goes with it.
  let lead = '';
  if (rest.split(/\s+/).length > LONGEST) return [];
  for (const own of clausesOf(rest)) {
    const kind = NO_WISH.test(same(own)) ? null : wishOf(same(own));
    const last = found.at(-1);
    if (last && (kind === null || (TELLS_MORE[last.kind].includes(kind) && !names(own)))) {
      last.own = `${last.own}, ${own}`;
      last.text = `${last.text}, ${own}`;
    } else if (kind === null) lead = `${lead}${own}. `;
    else {
      found.push({ kind, own, text: `${head ? `${head}: ` : ''}${lead}${own}` });
      lead = '';
    }
  }
  return found;
};
