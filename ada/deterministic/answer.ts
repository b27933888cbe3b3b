import { text, type Language } from '../../contracts/catalog/index.js';
import type { FactKey, Siguiente, TurnOutput } from '../../contracts/turn.js';
import type { TurnView } from '../turn-view.js';
import { read, type Reading } from '../understand/index.js';

export type Field = NonNullable<TurnOutput['pregunta']>['campo'];
export type Limit = Extract<TurnOutput['intent'], { kind: 'limite' }>['falta'];

/** What a recipe works with. */
export interface Turn {
  view: TurnView;
  language: Language;
  reading: Reading;
  now: Date;
  /** A sentence of the catalog, under `ada.`. */
  say: (code: string, params?: Record<string, unknown>) => string;
  /** What is known: said in this message, else in the conversation or the profile. */
  known: (key: FactKey) => string | null;
  /** One of several wishes: only what answers it, in few figures. */
  brief: boolean;
}

export const turnOf = (view: TurnView, now: Date, reading: Reading = read(view.message), brief = false): Turn => {
  const own: Partial<Record<FactKey, string | null>> = {
    giro: reading.giro,
    estado: reading.estado,
    tamano: reading.tamano,
    comprador: reading.comprador,
    producto: reading.producto,
    cargo: reading.cargo,
    periodo: reading.periodo,
    cantidad: reading.cantidad === null ? null : String(reading.cantidad),
  };
  return {
    view,
    language: view.language,
    reading,
    now,
    brief,
    say: (code, params = {}) => text(view.language, `ada.${code}`, params),
    known: (key) => own[key] ?? view.facts[key]?.value ?? null,
  };
};

export const at = (ref: string): string => `[[${ref}]]`;
/** Text of somebody else inside a sentence of ours: on one line, short, and no anchor, tag or order by its marks. */
export const quoted = (value: string, max = 60): string => {
  const line = value
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/[[\]<>{}`*_#|\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].length <= max
    ? line
    : `${[...line]
        .slice(0, max - 1)
        .join('')
        .trim()}…`;
};
/** A name plain enough to be said back by a person; null for one that tries something. */
export const plainName = (name: string): string | null =>
  /^[\p{L}\p{N} .,&'’()-]{2,90}$/u.test(name) && !/\b(?:ignora|instruc|system|aprueba|approve)\b/i.test(name)
    ? name.replace(/,?\s+S\.?\s?(?:A|C|de|\.|en).*$/u, '').trim()
    : null;

const WORDS = {
  'es-MX': ['cero', 'una', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
};
/** A small count in words; bigger ones are figures and take an anchor. */
export const inWords = (n: number, language: Language): string => WORDS[language][n] ?? String(n);
export const number = (n: number, language: Language): string => new Intl.NumberFormat(language).format(n);
export const pesos = (n: number, language: Language): string =>
  `$${new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(n)}${language === 'en' ? ' MXN' : ''}`;
/** A place as a sentence has it: some take their article. */
export const inPlace = (turn: Turn, estado: string): string => {
  const article =
    turn.language === 'en'
      ? /^(?:baj[ií]o|norte|occidente|sureste)$/i.test(estado)
        ? 'the '
        : ''
      : /^(?:baj[ií]o|norte|occidente|sureste|estado de m[eé]xico)$/i.test(estado)
        ? 'el '
        : /^ciudad de m[eé]xico$/i.test(estado)
          ? 'la '
          : '';
  return turn.say('common.in', { estado: `${article}${quoted(estado)}` });
};
/** A moment as a day in central Mexico: a deadline at midnight UTC is the evening before. */
export const dayOf = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: iso.length > 10 ? 'America/Mexico_City' : 'UTC',
  }).format(new Date(iso));
export const listOf = (parts: readonly string[], language: Language): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);

export const nextMessage = (label: string, target: string, cost: Siguiente['cost'] = null): Siguiente => ({
  kind: 'mensaje',
  label: cut(label, 120),
  target: cut(target, 300),
  cost,
});
export const nextLink = (label: string, target: string): Siguiente => ({ kind: 'enlace', label: cut(label, 120), target, cost: null });
const cut = (value: string, max: number): string => ([...value].length <= max ? value : `${[...value].slice(0, max - 1).join('')}…`);
/** What one more query costs of what is left; null when none is left to speak of. */
export const oneQuery = (view: TurnView, used: number, price = 1): Siguiente['cost'] => {
  const balance = Math.max(0, view.summary.balances.queries - used);
  return balance < price ? null : { kind: 'queries', price, balance, left: Math.max(0, balance - price) };
};
export const queriesUsed = (view: TurnView): number =>
  view.worked.filter((one) => one.name === 'company_search' || one.name === 'people_search').length;

/** Limits that a step of an open recipe declares; another one is told as what came of the work. */
export const declares = (view: TurnView, falta: Limit): boolean => {
  const word: Record<Limit, string> = {
    dato: 'dato',
    conector: 'conector',
    credito: 'cr[eé]dito',
    operacion: 'operaci[oó]n',
    cobertura: 'cobertura',
    tope: 'tope',
  };
  return view.open.some((skill) => new RegExp(`\`limite\`\\s+(?:de|por)\\s+${word[falta]}`, 'iu').test(skill.body));
};

interface Parts {
  narration: Array<string | null | false>;
  pregunta?: TurnOutput['pregunta'];
  siguiente: Siguiente | null;
}
const joined = (parts: Parts['narration']): string =>
  parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '').join(' ');
const refsIn = (narration: string): string[] =>
  [...new Set([...narration.matchAll(/\[\[([^[\]\n]{1,190})\]\]/g)].map((m) => m[1] ?? ''))].filter((ref) => ref !== '').slice(0, 20);
const output = (intent: TurnOutput['intent'], { narration, pregunta = null, siguiente }: Parts): TurnOutput => ({
  intent,
  narration: joined(narration),
  pregunta,
  siguiente,
});

export const reply = (parts: Parts): TurnOutput => output({ kind: 'responder' }, parts);
export const close = (parts: Parts & { partial?: boolean; refs?: readonly string[] }): TurnOutput =>
  output(
    {
      kind: 'cierre',
      variante: parts.partial ? 'parcial' : 'completo',
      salidas: [...new Set([...(parts.refs ?? []), ...refsIn(joined(parts.narration))])].slice(0, 20),
    },
    parts,
  );
export const limit = (falta: Limit, salida: string, parts: Parts): TurnOutput =>
  output({ kind: 'limite', falta, salida: cut(salida, 300) }, parts);
export const needs = (falta: Field, texto: string, supuesto: string | null, parts: Omit<Parts, 'pregunta'>): TurnOutput =>
  output({ kind: 'encuadre', falta }, { ...parts, pregunta: { campo: falta, texto: cut(texto, 300), supuesto } });
export const question = (campo: Field, texto: string, supuesto: string | null): NonNullable<TurnOutput['pregunta']> => ({
  campo,
  texto: cut(texto, 300),
  supuesto: supuesto === null ? null : cut(supuesto, 200),
});
