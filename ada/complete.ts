import { text } from '../contracts/catalog/index.js';
import type { TurnOutput } from '../contracts/turn.js';
import { nextStep, priced, priceOf, type Knows } from './next-step.js';
import { sentenceSpans } from './validate/narration.js';
import type { Defect } from './validate/rule.js';

/** Fills in what an answer lacks and code knows: its next step, a price with balance and rest, the way out of a limit. What is wrong stays wrong. */
export type Complete = (output: TurnOutput, defects: readonly Defect[]) => TurnOutput;

const WAY_OUT_MAX = 300;

export const completer =
  (knows: Knows): Complete =>
  (output, defects) => {
    const { language } = knows;
    const broken = (codes: RegExp): boolean => defects.some(({ code }) => codes.test(code));
    let done = output;
    if (broken(/^limite\.(?:exit|kind)$/) && done.intent.kind === 'limite') {
      const { falta, salida } = done.intent;
      const exit = text(language, `ada.exit.${falta}`);
      done = { ...done, intent: { ...done.intent, salida: broken(/^limite\.exit$/) ? exit : `${salida} ${exit}`.slice(0, WAY_OUT_MAX) } };
    }
    // An answer that asks has no step to take; every other has exactly one.
    if (
      broken(/^siguiente\.(?:missing|concrete|target)$/) ||
      defects.some(({ field, tag }) => field === 'siguiente' && (tag === 'lexico' || tag === 'cifra'))
    )
      done = { ...done, siguiente: nextStep(knows, done.intent) };
    else if (broken(/^costo\.(?:missing|sum|over|balance)$/) && done.siguiente)
      done = { ...done, siguiente: priced({ ...done.siguiente, cost: null }, '', knows) };
    const narrated = defects.find(({ code, at }) => code === 'costo.narrated' && at !== null);
    return narrated ? withPrice(done, narrated.at ?? 0, knows) : done;
  };

/** A price told without balance and rest: the line that has all three, where the price is known. */
const withPrice = (output: TurnOutput, at: number, knows: Knows): TurnOutput => {
  const sentence = sentenceSpans(output.narration).find((span) => at >= span.at && at < span.end);
  const known = priceOf(sentence ? output.narration.slice(sentence.at, sentence.end) : output.narration, knows);
  if (!known || output.siguiente?.cost) return output;
  const { kind, price, balance, left } = known.cost;
  const line = text(knows.language, `ada.next.cost.${kind}`, { ref: known.ref ? `[[${known.ref}]]` : '', price, balance, left }).replace(
    / {2,}/g,
    ' ',
  );
  return { ...output, narration: `${output.narration.trimEnd()} ${line}` };
};
