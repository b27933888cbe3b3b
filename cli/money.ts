import type { Decision, DecisionOption } from '../contracts/decision.js';
import { priceOf } from '../view/buttons.js';
import { pickLot, type Lot } from '../view/lot.js';
import { CliExit, EXIT } from './exit.js';
import type { Prompter } from './prompt.js';
import type { Words } from './words.js';

export interface ConfirmFlags {
  confirmTotal?: number;
  planVersion?: number;
  yes?: boolean;
}

/** "1,250", "1 250" and "1250" are the same amount; anything else is none. */
export const typedAmount = (answer: string): number | null => {
  const digits = answer.replace(/[\s,.]/g, '');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
};

/**
 * Makes sure that a person agreed to exactly this price. What costs needs the amount typed in a terminal, or both
 * `--confirmo-total` and `--plan-version`, equal to the card's; what is free needs a yes, or `--si`. `--si` never spends.
 * @throws CliExit 2 when nobody could be asked, 6 when what was confirmed is not what the card says, 3 when the person did not
 */
export const confirmOption = async (
  d: Decision,
  option: DecisionOption,
  label: string,
  flags: ConfirmFlags,
  ask: { prompt: Prompter; interactive: boolean; words: Words },
): Promise<void> => {
  const cost = priceOf(option);
  if (!cost) {
    if (flags.yes || flags.confirmTotal === 0) return;
    if (!ask.interactive) throw new CliExit(EXIT.usage, 'cli.error.confirm_free');
    if (!(await ask.prompt.yes(ask.words.say('cli.ask.free', { label })))) throw new CliExit(EXIT.waiting, 'cli.said.not_done');
    return;
  }
  if (flags.confirmTotal !== undefined || flags.planVersion !== undefined) {
    if (flags.confirmTotal === undefined || flags.planVersion === undefined) throw new CliExit(EXIT.usage, 'cli.error.confirm_both');
    if (flags.confirmTotal !== cost.total)
      throw new CliExit(EXIT.conflict, 'total_differs', { shown: flags.confirmTotal, total: cost.total });
    if (flags.planVersion !== d.plan_version) throw new CliExit(EXIT.conflict, 'plan_changed', { plan_version: d.plan_version });
    return;
  }
  if (!ask.interactive) throw new CliExit(EXIT.usage, 'cli.error.confirm_paid', { total: cost.total, plan_version: d.plan_version });
  const answer = await ask.prompt.typed(ask.words.say('cli.ask.amount', { label, total: cost.total }));
  if (answer === null) throw new CliExit(EXIT.interrupted, 'cli.said.not_done');
  if (typedAmount(answer) !== cost.total) throw new CliExit(EXIT.waiting, 'cli.said.amount_differs');
};

/** Positions of "1-10, 15" over `count` items, each once, in order; null when something in it is not a position. */
export const parsePositions = (given: string, count: number): number[] | null => {
  const found = new Set<number>();
  for (const part of given
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '')) {
    const [, from, to] = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(part) ?? [];
    const first = Number(from);
    const last = to === undefined ? first : Number(to);
    if (from === undefined || first < 1 || last < first || last > count) return null;
    for (let i = first; i <= last; i++) found.add(i);
  }
  return found.size > 0 ? [...found].sort((a, b) => a - b) : null;
};

/** The lot that was picked of a card. @throws CliExit 2 when the picked ones are not on it or there are more than it offers */
export const narrowed = (d: Decision, pick: { n?: number; refs?: string[] }): Lot => {
  const picked = pickLot(d, pick);
  if ('refused' in picked) throw new CliExit(EXIT.usage, picked.refused, picked.params);
  return picked.lot;
};
