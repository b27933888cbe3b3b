import type { TurnRecord } from './dump.js';
import { figuresSaid, flat } from './figures.js';

/** A turn that proposes something paid, and what its proposal lacks; null when it proposes nothing paid. */
export const undeclared = (turn: TurnRecord): string[] | null => {
  const { answer } = turn;
  if (!answer) return null;
  const { decision, siguiente } = answer;
  const paidCard =
    decision !== null && (decision.kind === 'revelar_contactos' || decision.kind === 'ajustar_presupuesto') && decision.state === 'open';
  const text = flat(`${answer.text} ${siguiente?.label ?? ''}`);
  const invites =
    /(?:revel|desbloque)\w*[^.]{0,60}(?:contacto|correo|persona)|(?:empez|arranc|lanz)\w* (?:la )?campana/.test(
      flat(siguiente?.label ?? ''),
    ) &&
    siguiente?.kind !== 'mensaje' &&
    siguiente?.kind !== 'skill';
  const spends = siguiente?.cost !== null && siguiente?.cost !== undefined && siguiente.cost.price > 0;
  if (!paidCard && !invites && !spends) return null;
  const lacks: string[] = [];
  const cost = siguiente?.cost ?? null;
  if (cost) {
    if (cost.left !== cost.balance - cost.price) lacks.push(`left (${cost.balance} − ${cost.price} is not ${cost.left})`);
  } else if (!paidCard) lacks.push('price', 'balance', 'left');
  if (paidCard && decision) {
    const option = decision.options.find((one) => one.id === 'approve' || one.id === 'fit_n' || one.id === 'all');
    if (!option) lacks.push('price');
    if (
      decision.price.expected_total < 0 ||
      (option && decision.price.unit_max === 0 && option.totals.credits === 0 && option.totals.queries === 0)
    )
      lacks.push('price');
    // A card shows it all; the words must not leave it to the card alone.
    const said = new Set(figuresSaid(answer.narration).map((one) => one.value));
    const priced =
      cost !== null ||
      (/credito|consulta|credit|quer(?:y|ies)/.test(text) &&
        decision.options.some((one) => said.has(one.totals.credits) || said.has(one.totals.queries)));
    if (!priced) lacks.push('price in words');
    if (
      cost === null &&
      ![decision.balance.credits, decision.balance.queries].some((value) => said.has(value)) &&
      !/saldo|te quedan|balance|left/.test(text)
    )
      lacks.push('balance in words');
  }
  return lacks;
};
