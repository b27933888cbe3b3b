import { text } from '../contracts/catalog/index.js';
import type { TurnOutput } from '../contracts/turn.js';
import { nextStep, type Knows } from './next-step.js';

/**
 * What is said where no answer stands and yet something came of the turn: what is on the table, and that nothing is claimed beyond it. null where
 * there is nothing to show: then the turn is refused.
 * @param shown the result whose card is shown, if there is one
 * @param why nothing that was said could be checked, or the model broke off
 */
export const fallback = (knows: Knows, shown: string | null, why: 'unchecked' | 'cut'): TurnOutput | null => {
  const { tabled, language } = knows;
  const close = (code: string, ref: string): TurnOutput => {
    const intent = { kind: 'cierre' as const, variante: 'parcial' as const, salidas: [ref] };
    return {
      intent,
      narration: `${text(language, code, { ref: `[[${ref}]]` })} ${text(language, `ada.fallback.${why}`)}`,
      pregunta: null,
      siguiente: nextStep(knows, intent),
    };
  };
  if (tabled.decision?.state === 'open') return close('ada.fallback.card', `decision:${tabled.decision.id}`);
  if (tabled.progress) return close('ada.fallback.progress', `run:${tabled.progress.run_id}`);
  return shown ? close('ada.fallback.rows', shown) : null;
};
