import { text, type Language } from '../contracts/catalog/index.js';
import type { TurnOutput } from '../contracts/turn.js';
import { anchorsOf, typeOf } from './anchors.js';
import type { Complete } from './complete.js';
import { sentenceSpans } from './validate/narration.js';
import type { Verdict } from './validate/index.js';
import { TAGS, type Defect } from './validate/rule.js';

/** One repair: what is asked of the model, and which of the two attempts is worth keeping. */

const tagOf = (problem: string): string | undefined => TAGS.find((tag) => problem.startsWith(`${tag}: `));
const MAX_QUOTED = 12;

/** Quotes each problem and the rule that it breaks. Says nothing of how to put it right: what is suggested would be repeated. */
export const repairInstruction = (problems: readonly string[], language: Language): string =>
  [
    text(language, 'ada.repair.head'),
    ...problems.slice(0, MAX_QUOTED).map((problem) => {
      const tag = tagOf(problem);
      // Only the rule's own words are a pattern; the problem holds words of the model.
      return `- "${tag ? problem.slice(tag.length + 2) : problem}" — ${text(language, 'ada.repair.breaks', { rule: tag ? text(language, `ada.rule.${tag}`) : problem })}`;
    }),
    text(language, 'ada.repair.tail'),
  ].join('\n');

const KINDS: Record<TurnOutput['intent']['kind'], number> = { cierre: 3, responder: 2, limite: 1, encuadre: 1 };
/** One anchor stands for another when one lies inside it: a result and a figure of it. */
const related = (a: string, b: string): boolean => a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`);
const anchorsIn = (output: TurnOutput): string[] => [
  ...new Set(
    anchorsOf(output.narration)
      .filter((a) => a.problem === null)
      .map((a) => a.ref),
  ),
];
const bare = (narration: string): string =>
  narration
    .replace(/\[\[[^[\]\n]*\]\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What a second answer no longer has of the first: anchors, rows, what was delivered, its next step, most of its text. */
export const losses = (first: TurnOutput, second: TurnOutput): string[] => {
  const kept = anchorsIn(second);
  const lost = anchorsIn(first).filter((ref) => (typeOf(ref) === 'record' ? !kept.includes(ref) : !kept.some((one) => related(one, ref))));
  const downgraded = KINDS[second.intent.kind] < KINDS[first.intent.kind] ? [`${first.intent.kind} → ${second.intent.kind}`] : [];
  const before = bare(first.narration).length;
  const shrunk = before >= 80 && bare(second.narration).length < before * 0.35 ? [`${before} → ${bare(second.narration).length}`] : [];
  const handed =
    first.intent.kind === 'cierre' &&
    second.intent.kind === 'cierre' &&
    first.intent.salidas.length > 0 &&
    second.intent.salidas.length === 0
      ? ['salidas']
      : [];
  return [
    ...lost.map((ref) => `[[${ref}]]`),
    ...downgraded,
    ...shrunk,
    ...handed,
    ...(first.siguiente && !second.siguiente ? ['siguiente'] : []),
  ];
};

/** A list whose rows were cut is announced no longer. */
const keeping = (text: string, parts: ReadonlyArray<{ at: number; end: number }>, places: readonly number[]): string =>
  parts
    .filter(({ at, end }) => !places.some((place) => place >= at && place < end))
    .map(({ at, end }) => text.slice(at, end))
    .join('')
    .trim()
    .replace(/\s*:$/, '.');
/** The parts of a sentence between its commas and semicolons, each with the mark after it. */
const clausesOf = (text: string): Array<{ at: number; end: number }> => {
  const ends = [...text.matchAll(/[,;:—](?=\s)|\n/g)].map((m) => m.index + m[0].length);
  return [...ends, text.length].map((end, i) => ({ at: i === 0 ? 0 : (ends[i - 1] ?? 0), end }));
};
/** Something is said: a few words, or two with a figure or a row. «Además.» and «En total:» say nothing by themselves. */
const says = (narration: string): boolean => {
  const text = bare(narration);
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  return words >= 4 || (words >= 2 && (/\d/.test(text) || anchorsOf(narration).some(({ ref }) => typeOf(ref) === 'record')));
};

/**
 * The answer without the sentences that defects lie in, and without what beside the narration they lie in. null when nothing would be left:
 * an emptied answer is none.
 */
export const withoutOffending = (output: TurnOutput, defects: readonly Defect[]): TurnOutput | null => {
  const places = defects.flatMap((one) => (one.field === 'narration' && one.at !== null ? [one.at] : []));
  const sentences = keeping(output.narration, sentenceSpans(output.narration), places);
  // Where every sentence offends, what offends is cut closer, so long as a claim with its anchor stays.
  const clauses = says(sentences) ? '' : keeping(output.narration, clausesOf(output.narration), places).replace(/[,;:—]$/, '.');
  const narration = says(sentences) ? sentences : says(clauses) && anchorsOf(clauses).length > 0 ? clauses : '';
  if (narration === '') return null;
  const on = (field: Defect['field']): Defect[] => defects.filter((one) => one.field === field);
  const wrongOutputs = new Set(defects.filter((one) => one.code === 'refs.salida').map((one) => one.quote));
  const asked = on('pregunta').length > 0 && output.intent.kind !== 'encuadre' ? null : output.pregunta;
  const dropped = on('siguiente').some((one) => one.code !== 'siguiente.missing');
  return {
    narration,
    pregunta: asked,
    siguiente: dropped ? null : output.siguiente,
    intent:
      output.intent.kind === 'cierre'
        ? {
            ...output.intent,
            salidas: output.intent.salidas.filter((salida) => !wrongOutputs.has(salida)),
            variante: places.length > 0 ? 'parcial' : output.intent.variante,
          }
        : output.intent,
  };
};

/** Completed and trimmed until it holds; null when it does not come to hold. */
export const trimmed = ({ ok, output, defects, again }: Verdict, complete: Complete): Verdict | null => {
  let now: Verdict | null = null;
  let rest = output;
  let wrong: readonly Defect[] = defects;
  if (ok || !output) return null;
  let before = '';
  for (let round = 0; round < 4 && rest; round++) {
    // What code can add is added before anything is cut.
    const whole = complete(rest, wrong);
    if (JSON.stringify(whole) !== JSON.stringify(rest)) {
      now = again(whole);
      if (now.ok) return now;
      rest = whole;
      wrong = now.defects;
    }
    const next: TurnOutput | null = withoutOffending(rest, wrong);
    // What cannot be cut out (an intent, a step that is missing) would only be read again.
    if (!next || JSON.stringify(next) === before) return null;
    before = JSON.stringify(next);
    rest = next;
    now = again(rest);
    if (now.ok) return now;
    wrong = now.defects;
  }
  return null;
};

/** The next step of the other attempt, where this one has to do without and the other's holds. */
const withNext = (kept: TurnOutput | null, from: TurnOutput | null): TurnOutput | null =>
  kept && !kept.siguiente && from?.siguiente ? { ...kept, siguiente: from.siguiente } : kept;
const asBase = (first: Verdict, second: Verdict, complete: Complete): Verdict | null => {
  // A step of the model's own, from either attempt, is worth more than one that code puts in.
  const holds = ({ output, defects }: Verdict): boolean =>
    output !== null && output.siguiente !== null && !defects.some(({ field }) => field === 'siguiente');
  const direct = holds(second) && !holds(first) ? null : trimmed(first, complete);
  if (direct || !first.output) return direct;
  const shorn = withNext(withoutOffending(first.output, first.defects), second.output);
  if (!shorn) return null;
  const verdict = first.again(shorn);
  return verdict.ok ? verdict : trimmed(verdict, complete);
};
const asIs: Complete = (output) => output;

/**
 * Which answer stands after a repair. The second, if it holds and keeps what nobody objected to in the first; else the first without its offending
 * sentences; else whatever holds; else the second as it is, whose `output` is then null: nothing that breaks a rule is shown.
 * @param complete fills in what an answer lacks and code knows
 */
export const better = (first: Verdict, second: Verdict, complete: Complete = asIs): Verdict => {
  if (first.ok) return first;
  const base = asBase(first, second, complete);
  if (second.ok && second.output && !(base?.output && losses(base.output, second.output).length > 0)) return second;
  if (base) return base;
  if (second.ok) return second;
  return trimmed(second, complete) ?? { ...second, output: null };
};
