import type { Decision } from '../../contracts/decision.js';
import { mainOption, priceOf } from '../../view/buttons.js';
import { COMMAND } from '../typed.js';

/** The command that answers a decision with its main option; for whoever has no terminal to type in. */
export const answerCommand = (decision: Decision): string | null => {
  const option = mainOption(decision);
  if (!option || decision.kind === 'revisar_secuencia') return null;
  const cost = priceOf(option);
  return `${COMMAND} decisiones aprobar ${decision.id}${cost ? ` --confirmo-total ${cost.total} --plan-version ${decision.plan_version}` : ' --si'}`;
};
export const declineCommand = (decision: Decision): string => `${COMMAND} decisiones rechazar ${decision.id} --si`;
