import type { Turn } from '../../contracts/turn.js';

/** Where cards stand: the live card of a campaign only at the latest turn about it, a decision only where no campaign's card shows it. */
export interface Placement {
  run: string | null;
  olderRun: string | null;
  decision: string | null;
}

/** Which campaign a turn shows: the one whose progress its answer has, or that its next step leads to. */
const runOf = ({ answer }: Turn): string | null =>
  answer?.progress?.run_id ?? (answer?.siguiente?.kind === 'campana' ? answer.siguiente.target : null);

/** @param own campaigns of the conversation: nothing else that an answer names is shown as a card */
export const placeCards = (turns: readonly Turn[], own: readonly string[]): Map<string, Placement> => {
  const runs = new Map<string, string>();
  const decisions = new Map<string, string>();
  for (const turn of turns) {
    const run = runOf(turn);
    if (run !== null && (turn.answer?.progress?.run_id === run || own.includes(run))) runs.set(run, turn.turn_id);
    const decision = turn.answer?.decision;
    if (decision) decisions.set(decision.id, turn.turn_id);
  }
  return new Map(
    turns.map((turn) => {
      const run = runOf(turn);
      const here = run !== null && runs.get(run) === turn.turn_id;
      const { decision = null } = turn.answer ?? {};
      const alone = decision !== null && !runs.has(decision.run_id) && decisions.get(decision.id) === turn.turn_id;
      return [
        turn.turn_id,
        { run: here ? run : null, olderRun: run !== null && !here && runs.has(run) ? run : null, decision: alone ? decision.id : null },
      ];
    }),
  );
};
