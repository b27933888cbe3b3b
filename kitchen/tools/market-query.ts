import type { Award, Figure, Supplier } from '../../contracts/tools/index.js';
import type { CallContext } from '../runtime.js';
import type { AwardRow, CompanyRow } from '../sample/types.js';
import { fold, stems } from '../text.js';
import { activityLabel, matchActivities, matchSize, matchStates } from '../vocabulary.js';

/** Shared by the market tools: filters over suppliers and awards, and figures with their anchors. */

export interface SupplierFilters {
  text?: string | undefined;
  activity?: string | undefined;
  state?: string | undefined;
  size?: string | undefined;
}
export interface AwardFilters {
  buyer?: string | undefined;
  product?: string | undefined;
  activity?: string | undefined;
  supplier_id?: string | undefined;
  state?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  min_amount_mxn?: number | undefined;
}

/** Filters as sets; `unknown` names those that mean nothing here, which makes the answer empty and the coverage say so. */
interface Narrowed {
  activities: Set<string> | null;
  states: Set<string> | null;
  size: string | null;
  unknown: string[];
}
export const narrow = (f: { activity?: string | undefined; state?: string | undefined; size?: string | undefined }): Narrowed => {
  const activities = f.activity === undefined ? null : new Set(matchActivities(f.activity));
  const states = f.state === undefined ? null : new Set(matchStates(f.state));
  const size = f.size === undefined ? null : matchSize(f.size);
  const unknown = [
    ...(activities?.size === 0 ? [`activity "${f.activity?.slice(0, 60)}"`] : []),
    ...(states?.size === 0 ? [`state "${f.state?.slice(0, 60)}"`] : []),
    ...(f.size !== undefined && size === null ? [`size "${f.size.slice(0, 20)}"`] : []),
  ];
  return { activities, states, size, unknown };
};

const stemCache = new Map<string, Set<string>>();
/** Stems of a name, buyer or product; there are few different ones and they are asked again and again. */
const stemsOf = (text: string): Set<string> => {
  let found = stemCache.get(text);
  if (!found) {
    found = new Set(stems(text));
    if (stemCache.size < 50_000) stemCache.set(text, found);
  }
  return found;
};
const has = (text: string, wanted: readonly string[]): boolean => {
  const words = stemsOf(text);
  return wanted.every((w) => words.has(w));
};

/** Suppliers that meet every filter, in the order of the sample. */
export const selectSuppliers = (context: CallContext, f: SupplierFilters): { rows: CompanyRow[]; unknown: string[] } => {
  const { activities, states, size, unknown } = narrow(f);
  if (unknown.length > 0) return { rows: [], unknown };
  const wanted = f.text === undefined ? [] : stems(f.text);
  const byText = new Set(f.text === undefined ? [] : matchActivities(f.text));
  const rows = context.library.suppliers.filter(
    (c) =>
      (activities === null || activities.has(c.activity)) &&
      (states === null || states.has(c.state)) &&
      (size === null || c.size === size) &&
      (f.text === undefined || (wanted.length > 0 && (has(c.name, wanted) || byText.has(c.activity)))),
  );
  return { rows, unknown };
};

/** Other words for what a public body buys, tried only when the words given find nothing. */
const SYNONYMS: readonly string[][] = [
  ['despensa', 'viveres', 'abarrotes', 'alimentos'],
  ['comida', 'comedor'],
  ['cubrebocas', 'guantes', 'curacion'],
  ['medicamento', 'curacion'],
  ['computadora', 'computo'],
  ['programa', 'software'],
  ['aplicacion', 'sistemas'],
  ['ropa', 'uniforme'],
  ['vestuario', 'uniforme'],
  ['aseo', 'limpieza'],
  ['fotovoltaico', 'solar'],
  ['camion', 'transporte', 'flete'],
  ['mudanza', 'flete'],
  ['acero', 'metalica', 'perfiles'],
  ['fierro', 'perfiles', 'lamina'],
  ['guardia', 'vigilancia'],
  ['escritorio', 'mobiliario'],
  ['mueble', 'mobiliario'],
  ['lampara', 'luminarias'],
  ['abono', 'fertilizantes'],
  ['neumatico', 'llantas'],
  ['empaque', 'carton', 'embalaje', 'envases'],
  ['seguro social', 'imss'],
  ['defensa nacional', 'sedena'],
  ['ejercito', 'sedena'],
  ['marina', 'semar'],
  ['electricidad', 'cfe'],
  ['petroleo', 'pemex'],
  ['educacion', 'sep'],
];
const alternatives = (text: string): string[] => {
  const given = stems(text);
  return [...new Set(SYNONYMS.filter((group) => group.some((w) => stems(w).every((s) => given.includes(s)))).flat())].filter(
    (w) => !stems(w).every((s) => given.includes(s)),
  );
};

const buyersOf = new WeakMap<object, ReadonlyMap<string, string>>();
/** The public body of exactly that name: "IMSS" is not "IMSS-Bienestar". null where none is called so. */
export const buyerNamed = ({ library }: CallContext, text: string): string | null => {
  let names = buyersOf.get(library);
  if (!names) {
    names = new Map([...library.awards, ...library.opportunities].map(({ buyer }) => [fold(buyer), buyer]));
    buyersOf.set(library, names);
  }
  return names.get(fold(text)) ?? null;
};

/** Awards that meet every filter; `synonyms` are the words that were used because the given ones found nothing. */
export const selectAwards = (context: CallContext, f: AwardFilters): { rows: AwardRow[]; unknown: string[]; synonyms: string[] } => {
  const { activities, states, unknown } = narrow(f);
  if (unknown.length > 0) return { rows: [], unknown, synonyms: [] };
  const pool = f.supplier_id === undefined ? context.library.awards : (context.library.awardsBySupplier.get(f.supplier_id) ?? []);
  const rest = pool.filter(
    (a) =>
      (activities === null || activities.has(a.activity)) &&
      (states === null || states.has(a.state)) &&
      (f.from === undefined || a.awarded_on >= f.from) &&
      (f.to === undefined || a.awarded_on <= f.to) &&
      (f.min_amount_mxn === undefined || a.amount_mxn >= f.min_amount_mxn),
  );
  const synonyms: string[] = [];
  const narrowBy = (rows: AwardRow[], text: string | undefined, field: 'buyer' | 'product'): AwardRow[] => {
    if (text === undefined) return rows;
    const wanted = stems(text);
    const literal = wanted.length === 0 ? [] : rows.filter((a) => has(a[field], wanted));
    if (literal.length > 0) return literal;
    const others = alternatives(text).filter((w) => rows.some((a) => has(a[field], stems(w))));
    synonyms.push(...others);
    return rows.filter((a) => others.some((w) => has(a[field], stems(w))));
  };
  const exact = f.buyer === undefined ? null : buyerNamed(context, f.buyer);
  const ofBuyer = exact === null ? narrowBy(rest, f.buyer, 'buyer') : rest.filter((a) => a.buyer === exact);
  return { rows: narrowBy(ofBuyer, f.product, 'product'), unknown, synonyms };
};

/** What was looked at, for `coverage`. */
export const coverageOf = (what: string, unknown: string[], synonyms: string[] = []): string =>
  unknown.length > 0
    ? `${what}; nothing is filed under ${unknown.join(', ')}`
    : `${what}${synonyms.length > 0 ? `; by other words: ${synonyms.join(', ')}` : ''}`;
export const AWARDS_COVERAGE = 'Public awards of the sample, December 2022 to November 2026';
export const SUPPLIERS_COVERAGE = 'Public-sector suppliers of the sample';

interface Sums {
  awards: number;
  total: number;
  last: string | null;
}
/** Number, total and last date of some awards. */
export const sum = (awards: readonly AwardRow[]): Sums => {
  let total = 0;
  let last: string | null = null;
  for (const a of awards) {
    total += a.amount_mxn;
    if (last === null || a.awarded_on > last) last = a.awarded_on;
  }
  return { awards: awards.length, total, last };
};

export const figure = (ref: string, value: number, unit: Figure['unit']): Figure => ({ ref, value, unit });
/** The three figures of a group of awards. The average of none is 0, beside 0 awards. */
export const figures = (ref: string, awards: readonly AwardRow[]): { awards: Figure; total: Figure; average: Figure } => {
  const s = sum(awards);
  return {
    awards: figure(`${ref}-n`, s.awards, 'awards'),
    total: figure(`${ref}-sum`, s.total, 'mxn'),
    average: figure(`${ref}-avg`, s.awards === 0 ? 0 : Math.round(s.total / s.awards), 'mxn'),
  };
};

export const toSupplier = (context: CallContext, c: CompanyRow): Supplier => {
  const s = sum(context.library.awardsBySupplier.get(c.supplier_id ?? '') ?? []);
  return {
    ref: `record:${c.supplier_id}`,
    supplier_id: c.supplier_id ?? '',
    name: c.name,
    rfc: c.rfc,
    activity: activityLabel(c.activity),
    state: c.state,
    size: c.size,
    awards: s.awards,
    total_mxn: s.total,
    last_award_on: s.last,
  };
};
export const toAward = (context: CallContext, a: AwardRow): Award => ({
  ref: `record:${a.award_id}`,
  award_id: a.award_id,
  supplier_id: a.supplier_id,
  supplier_name: context.library.supplierById.get(a.supplier_id)?.name ?? '',
  buyer: a.buyer,
  product: a.product,
  activity: activityLabel(a.activity),
  state: a.state,
  amount_mxn: a.amount_mxn,
  awarded_on: a.awarded_on,
  procedure: a.procedure,
});
/** Newest first, or biggest first; the sample's order decides ties. */
export const sortAwards = (rows: readonly AwardRow[], by: 'amount' | 'recent'): AwardRow[] =>
  [...rows].sort((a, b) => (by === 'amount' ? b.amount_mxn - a.amount_mxn : b.awarded_on.localeCompare(a.awarded_on)) || a.pos - b.pos);
/** Whether every word of a text is in a title, product or buyer. */
export const saysAll = (row: { title: string; product: string; buyer: string }, text: string): boolean => {
  const wanted = stems(text);
  return wanted.length > 0 && has(`${row.title} ${row.product} ${row.buyer}`, wanted);
};
