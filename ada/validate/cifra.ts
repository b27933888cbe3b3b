import { flat, typeOf } from '../anchors.js';
import type { Known, KnownFigure } from '../harvest.js';
import { derive, exactly, within, type Derived, type Search } from './derive.js';
import { literalsOf, type Literal } from './numbers.js';
import { sentenceAt, type Narration, type Sentence } from './narration.js';
import { defect, type Answer, type Context, type Defect } from './rule.js';

/** No figure, amount or date that the turn did not see, and none without its anchor in the same sentence. */

export const MAX_FIGURES = 5;

/** Limits of the product, which no result carries: what they count stands right after. */
const PRODUCT: ReadonlyArray<[number, RegExp]> = [
  [10, /^\s*min/],
  [72, /^\s*(?:h|horas?|hours?)\b/],
  [24, /^\s*(?:h|horas?|hours?)\b/],
  [25, /^\s*(?:(?:empresas?|filas?|personas?|companies|rows|people)\s+)?(?:por|per|a la vez)\b/],
  [50, /^\s*(?:(?:contactos?|rfcs?|filas?|contacts?|rows?|cuentas)\s+)?(?:por|per|a la vez|como m)/],
  [500, /^\s*(?:contactos?|contacts?)\s+(?:por|per)\b/],
  [5_000, /^\s*(?:cuentas?|accounts?)\s+(?:por|per)\b/],
  [150, /^\s*(?:s|segundos|seconds)\b/],
  [100, /^\s*(?:registros|records)\s+(?:por|per)\b/],
];
const STEP_BEFORE =
  /(?:paso|pasos|etapa|opcion|pagina|punto|inciso|version|articulo|fraccion|seccion|ronda|intento|lote|numero|num\.|no\.|n\.º|#|step|stage|option|page|point|version|article|round|attempt|number|top|los primeros|las primeras|the first)\s*(?:\d{1,3}\s*(?:de|of|a|y|and|to|–|-)\s*)?$/;
const ASSUMED = /\b(?:asum|supon|supus|assum)/;
const DAYS = /^\s*(?:dias?|days?|semanas?|weeks?|meses|mes|months?|a[nñ]os?|years?|horas?|hours?)\b/;
const MONEY_TALK = /credito|consulta|saldo|queda|cuesta|costo|precio|credit|quer(?:y|ies)|balance|left|cost|price|inferenc/;
const DAY = 86_400_000;
/** Hours behind UTC of the zones of Mexico, and UTC itself: a deadline at night falls on two dates. */
const OFFSETS = [0, 5, 6, 7, 8];

const exempt = (literal: Literal, small: string, narration: Narration | null, sentence: Sentence | undefined): boolean => {
  const before = small.slice(Math.max(0, literal.at - 40), literal.at);
  const after = small.slice(literal.end, literal.end + 40);
  if (/(?:^|\n)\s*$/.test(before) && /^[.)]\s/.test(after)) return true; // 1. 2) in a list
  if (literal.kind !== 'number') return false;
  if (STEP_BEFORE.test(before)) return true;
  const [reading] = literal.readings;
  if (!reading) return false;
  if (PRODUCT.some(([value, unit]) => reading.value === value && unit.test(after))) return true;
  if (sentence && ASSUMED.test(small.slice(sentence.at, sentence.end)) && reading.value <= 5_000) return true;
  if (/^\s*(?:%|por ciento)/.test(after)) return false;
  // As many as rows are anchored: «estas 3: …».
  if (narration && sentence) {
    const rows = (list: ReadonlyArray<{ ref: string }>): number =>
      new Set(list.filter((a) => typeOf(a.ref) === 'record').map((a) => a.ref)).size;
    if (reading.value > 1 && (reading.value === rows(sentence.anchors) || reading.value === rows(narration.anchors))) return true;
  }
  return false;
};

const localDates = (iso: string): string[] => {
  if (!iso.includes('T')) return [iso.slice(0, 10)];
  const at = Date.parse(iso);
  return Number.isNaN(at)
    ? [iso.slice(0, 10)]
    : [...new Set(OFFSETS.map((hours) => new Date(at - hours * 3_600_000).toISOString().slice(0, 10)))];
};
const saysDate = (literal: Literal, figure: KnownFigure): boolean => {
  const iso = figure.date;
  if (!iso) return false;
  if (literal.kind === 'time') {
    if (!iso.includes('T')) return false;
    const at = new Date(Date.parse(iso));
    return OFFSETS.some((hours) => (at.getUTCHours() * 60 + at.getUTCMinutes() - hours * 60 + 1_440) % 1_440 === literal.minutes);
  }
  const { y, m, d } = literal.date ?? {};
  return localDates(iso).some(
    (one) =>
      (y === undefined || Number(one.slice(0, 4)) === y) &&
      (m === undefined || Number(one.slice(5, 7)) === m) &&
      (d === undefined || Number(one.slice(8, 10)) === d),
  );
};
const compatible = (literal: Literal, figure: KnownFigure): boolean => {
  if (literal.kind === 'date' || literal.kind === 'time') return figure.kind === 'date';
  if (figure.kind === 'date') return false;
  if (literal.kind === 'percent') return figure.kind === 'percent';
  if (literal.currency === 'usd') return figure.unit === 'usd';
  if (literal.currency === 'mxn')
    return figure.quoted || figure.unit === 'mxn' || (figure.unit === null && (figure.kind === 'money' || figure.ref === null));
  return figure.kind !== 'percent' || literal.readings.some((r) => r.step < 1);
};
const says = (literal: Literal, figure: KnownFigure): 'exact' | 'rounded' | null => {
  if (!compatible(literal, figure)) return null;
  if (figure.kind === 'date') return saysDate(literal, figure) ? 'exact' : null;
  if (literal.readings.some((reading) => exactly(reading, figure.value))) return 'exact';
  return !figure.quoted && literal.readings.some((reading) => within(reading, figure.value)) ? 'rounded' : null;
};

/** The anchor is the figure's own, one around it, or one inside what the figure tells of. A row beside it is neither. */
const covers = (anchor: string, figure: KnownFigure, known: Known): boolean =>
  figure.chain.includes(anchor) || (figure.ref !== null && (known.chains.get(anchor)?.has(figure.ref) ?? false));

interface Found {
  literal: Literal;
  sentence: Sentence | undefined;
  figures: KnownFigure[];
  verdict: 'covered' | 'free' | 'elsewhere' | 'unknown';
}

const OF_THE_PLAN: ReadonlySet<string> = new Set(['credits', 'queries', 'inference', 'usd']);

const look = (literal: Literal, sentence: Sentence | undefined, known: Known, words: string): Found => {
  const anchors = sentence?.anchors.map((a) => a.ref) ?? [];
  // Balances and prices are known without an anchor, as what they are: 32 credits are no 32 companies.
  const plan = MONEY_TALK.test(words);
  const near: KnownFigure[] = [];
  const free: KnownFigure[] = [];
  let elsewhere: KnownFigure | null = null;
  for (const figure of known.figures) {
    const how = says(literal, figure);
    if (how === null) continue;
    // Past the cap nobody knows what else there was: only exact ones at their own anchor.
    if (known.overflow && how !== 'exact') continue;
    if (anchors.some((anchor) => covers(anchor, figure, known))) near.push(figure);
    else if (figure.optional && (!known.overflow || figure.ref === null) && (plan || figure.unit === null || !OF_THE_PLAN.has(figure.unit)))
      free.push(figure);
    else if (how === 'exact') elsewhere ??= figure;
  }
  if (near.length > 0) return { literal, sentence, figures: near, verdict: 'covered' };
  if (free.length > 0) return { literal, sentence, figures: free, verdict: 'free' };
  return { literal, sentence, figures: elsewhere ? [elsewhere] : [], verdict: elsewhere ? 'elsewhere' : 'unknown' };
};

const searchFor = (found: readonly Found[], sentence: Sentence, small: string, known: Known, steps: Search['steps']): Search => {
  const anchors = sentence.anchors.map((a) => a.ref);
  const ok = found.filter((f) => f.verdict === 'covered' || f.verdict === 'free');
  const named = ok.filter((f) => f.sentence === sentence).flatMap((f) => f.figures.slice(0, 2));
  const others = ok.filter((f) => f.sentence !== sentence).flatMap((f) => f.figures.slice(0, 2));
  const under = known.figures.filter(
    (figure) =>
      figure.ref !== null &&
      (anchors.includes(figure.ref) ||
        (figure.chain[1] !== undefined && anchors.includes(figure.chain[1]) && typeOf(figure.ref) !== 'record')),
  );
  const words = small.slice(sentence.at, sentence.end);
  const money = MONEY_TALK.test(words) ? known.figures.filter((figure) => figure.optional && figure.kind === 'number').slice(0, 24) : [];
  const columns = new Map<string, KnownFigure[]>();
  for (const figure of known.figures) {
    if (
      figure.ref === null ||
      figure.quoted ||
      figure.kind === 'date' ||
      !anchors.some((anchor) => figure.chain.includes(anchor) && anchor !== figure.ref)
    )
      continue;
    columns.set(figure.column, [...(columns.get(figure.column) ?? []), figure]);
  }
  return { operands: [...others, ...under, ...money], columns: [...columns.values()].slice(0, 40), named, words, steps };
};

/** Days between two known dates, or from today to one. */
const daysOff = (literal: Literal, small: string, near: readonly KnownFigure[], now: number): boolean => {
  const unit = DAYS.exec(small.slice(literal.end, literal.end + 14))?.[0].trim();
  if (!unit || literal.kind !== 'number') return false;
  const by = /^(?:sem|week)/.test(unit)
    ? 7
    : /^(?:mes|month)/.test(unit)
      ? 30.44
      : /^(?:a[nñ]o|year)/.test(unit)
        ? 365.25
        : /^(?:h)/.test(unit)
          ? 1 / 24
          : 1;
  const dates = near.filter((figure) => figure.kind === 'date').slice(0, 12);
  const spans = dates.flatMap((a, i) => [
    Math.abs(a.value - now) / DAY,
    ...dates.slice(i + 1).map((b) => Math.abs(a.value - b.value) / DAY),
  ]);
  return spans.some((span) => literal.readings.some((reading) => Math.abs(reading.value * by - span) <= Math.max(1, by)));
};

/** Two rows with their figures crossed: no way of reading the sentence gives each figure to a row that has it. */
const crossed = (found: readonly Found[], sentence: Sentence, known: Known): Found | null => {
  const anchors = sentence.anchors.filter((a) => known.anchors.has(a.ref));
  // A result that holds the rows says nothing about which of them.
  const rows = anchors.filter((a) => !anchors.some((b) => b.ref !== a.ref && known.chains.get(b.ref)?.has(a.ref)));
  if (new Set(rows.map((a) => a.ref)).size < 2) return null;
  const has = (f: Found, anchor: { ref: string } | undefined): boolean =>
    anchor !== undefined && f.figures.some((figure) => covers(anchor.ref, figure, known));
  const mine = found.filter(
    (f) => f.sentence === sentence && f.verdict === 'covered' && rows.some((a) => has(f, a)) && !rows.every((a) => has(f, a)),
  );
  if (mine.length < 2) return null;
  const before = (f: Found): { ref: string } | undefined => rows.filter((a) => a.at < f.literal.at).at(-1);
  const after = (f: Found): { ref: string } | undefined => rows.find((a) => a.at > f.literal.at);
  if (mine.every((f) => has(f, before(f))) || mine.every((f) => has(f, after(f))) || mine.every((f, i) => has(f, rows[i]))) return null;
  return mine.find((f) => !has(f, before(f))) ?? mine[0] ?? null;
};

export interface Figures {
  defects: Defect[];
  derived: Derived[];
  narrated: number;
  steps: number;
}

/** All figures of an answer, with how derived ones come about. */
export const figuresOf = ({ output, narration }: Answer, context: Context): Figures => {
  const { known } = context;
  const small = flat(narration.masked);
  const now = context.now ?? Date.now();
  const defects: Defect[] = [];
  const derived: Derived[] = [];
  const steps = { used: 0 };
  const found: Found[] = [];
  for (const literal of narration.literals) {
    const sentence = sentenceAt(narration, literal.at);
    if (exempt(literal, small, narration, sentence)) continue;
    if (literal.kind === 'year') {
      const year = literal.readings[0]?.value ?? 0;
      if (
        !known.years.has(year) &&
        Math.abs(year - new Date(now).getUTCFullYear()) > 1 &&
        !known.figures.some((figure) => says({ ...literal, kind: 'number' }, figure) === 'exact')
      )
        defects.push(defect('cifra', 'cifra.unknown', literal.text, literal.at));
      continue;
    }
    if (literal.kind === 'vague') {
      defects.push(defect('cifra', 'cifra.vague', literal.text, literal.at));
      continue;
    }
    found.push(look(literal, sentence, known, sentence ? small.slice(sentence.at, sentence.end) : small));
  }
  let narrated = 0;
  const seen = new Set<string>();
  for (const one of found) {
    const { literal, sentence } = one;
    let counted = one.verdict === 'covered' && !one.figures.some((figure) => figure.optional);
    if (one.verdict === 'elsewhere' || one.verdict === 'unknown') {
      const near = sentence
        ? known.figures.filter((figure) => figure.kind === 'date' && sentence.anchors.some((a) => covers(a.ref, figure, known)))
        : [];
      if (sentence && daysOff(literal, small, near, now)) continue;
      const how =
        sentence && literal.readings.length > 0 && !known.overflow
          ? derive(literal, searchFor(found, sentence, small, known, steps))
          : null;
      if (how) {
        derived.push(how);
        counted = how.operands.some((operand) => operand.ref !== null);
        one.verdict = 'free';
        one.figures = [];
      } else {
        defects.push(defect('cifra', one.verdict === 'elsewhere' ? 'cifra.anchor' : 'cifra.unknown', literal.text, literal.at));
        continue;
      }
    }
    if (!counted || literal.kind === 'date' || literal.kind === 'time') continue;
    const key = literal.readings.map((r) => r.value).join();
    if (seen.has(key)) continue;
    seen.add(key);
    if (++narrated > MAX_FIGURES) defects.push(defect('cifra', 'cifra.many', literal.text, literal.at));
  }
  for (const sentence of narration.sentences) {
    const wrong = crossed(found, sentence, known);
    if (wrong) defects.push(defect('cifra', 'cifra.crossed', wrong.literal.text, wrong.literal.at));
  }
  // What is shown beside the narration has no anchors; its figures are known, said in the narration, or part of the cost it shows.
  const cost = output.siguiente?.cost;
  const allowed = new Set([
    ...(cost ? [cost.price, cost.balance, cost.left] : []),
    ...narration.literals.flatMap((l) => l.readings.map((r) => r.value)),
  ]);
  const beside: Array<[Defect['field'], string]> = [
    ['siguiente', output.siguiente?.label ?? ''],
    ['pregunta', output.pregunta?.texto ?? ''],
    ['intent', output.intent.kind === 'limite' ? output.intent.salida : ''],
  ];
  for (const [field, text] of beside)
    for (const literal of literalsOf(text, context.language)) {
      if (literal.kind === 'year' || literal.kind === 'vague' || exempt(literal, flat(text), null, undefined)) continue;
      if (
        literal.readings.some((r) => allowed.has(r.value)) ||
        known.figures.some((figure) => says(literal, figure) !== null) ||
        narration.literals.some((l) => l.text.trim() === literal.text.trim())
      )
        continue;
      defects.push(defect('cifra', 'cifra.unknown', literal.text, null, field));
    }
  return { defects, derived, narrated, steps: steps.used };
};
