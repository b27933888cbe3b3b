import type { TurnOutput } from '../../contracts/turn.js';
import type { Turn } from './answer.js';

const SENTENCE = /(?<=[.!?…])\s+(?=[\p{Lu}¿¡«"[])/u;
const QUOTED = /["«“]([^"»”]{1,400})["»”]/gu;
const anchorsOf = (text: string): string[] => [...text.matchAll(/\[\[([^[\]\n]+)\]\]/g)].map((m) => m[1] ?? '');

/** The answer without the sentences that a check named: what is left was never in question. */
export const repaired = (output: TurnOutput, problems: readonly string[], turn: Turn): TurnOutput => {
  const fragments = problems
    .flatMap((problem) => [...problem.matchAll(QUOTED)].map((m) => (m[1] ?? '').replace(/…$/, '').trim()))
    .filter((one) => one.length > 0);
  const about = problems.join(' ').toLowerCase();
  const offends = (sentence: string): boolean =>
    fragments.some((one) => sentence.includes(one) || (one.length > 12 && one.includes(sentence.trim())));
  let sentences = output.narration.split(SENTENCE);
  let kept = sentences.filter((sentence) => !offends(sentence));
  // Nothing was quoted that stands here: the kind of problem tells which sentences it can be.
  if (kept.length === sentences.length && /cifra|figure|monto|fecha/.test(about))
    kept = sentences.filter((sentence) => !/\d/.test(sentence.replace(/\[\[[^\]]*\]\]/g, '')) || anchorsOf(sentence).length > 0);
  sentences = kept;
  const narration = sentences.join(' ').trim() || turn.say('common.nothing_left');
  const left = new Set(anchorsOf(narration));
  const gone = anchorsOf(output.narration).filter((ref) => !left.has(ref));
  const intent =
    output.intent.kind === 'cierre'
      ? {
          ...output.intent,
          variante: 'parcial' as const,
          salidas: output.intent.salidas.filter((ref) => !gone.includes(ref) && !fragments.some((one) => one.includes(ref))),
        }
      : output.intent;
  const asks = /pregunta|question/.test(about) && output.intent.kind !== 'encuadre';
  return { intent, narration, pregunta: asks ? null : output.pregunta, siguiente: output.siguiente };
};
