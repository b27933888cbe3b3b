import { useQueries } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { Decision } from '../../contracts/decision.js';
import { mainOption, priceOf } from '../../view/buttons.js';
import type { Words } from '../../view/words.js';
import { getDecision } from '../data/api.js';
import { serverNow } from '../data/http.js';
import { useProgress } from '../data/progress.js';
import { keys } from '../data/queries.js';
import { useWords } from '../words/words.js';
import type { Narrator } from './milestones.js';

/** Campaigns of one conversation that are followed; older ones are over, or have their own page. */
export const FOLLOWED = 12;

/** Follows one campaign of the conversation: tells what becomes of it, and which decisions of it wait. Shows nothing. */
export const RunWatch = ({
  run,
  after,
  narrator,
  waits,
}: {
  run: string;
  after: number;
  narrator: Narrator;
  waits: (run: string, decisions: readonly string[]) => void;
}): null => {
  const { progress } = useProgress(run);
  const words = useWords();
  const open = progress?.decisions.join() ?? '';
  useEffect(() => {
    if (progress) narrator.take(progress, words, serverNow(), after);
  }, [progress, words, narrator, after]);
  useEffect(() => {
    waits(run, open === '' ? [] : open.split(','));
  }, [run, open, waits]);
  useEffect(() => () => waits(run, []), [run, waits]);
  return null;
};

/** Which decisions of which campaigns wait, in the order of the campaigns. */
export const useWaiting = (): {
  waiting: Readonly<Record<string, readonly string[]>>;
  waits: (run: string, decisions: readonly string[]) => void;
} => {
  const [waiting, setWaiting] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [waits] = useState(
    () =>
      (run: string, decisions: readonly string[]): void =>
        setWaiting((before) => {
          if ((before[run] ?? []).join() === decisions.join()) return before;
          const { [run]: _old, ...others } = before;
          return decisions.length === 0 ? others : { ...others, [run]: decisions };
        }),
  );
  return { waiting, waits };
};

/** What a tap would do and cost at most, in half a line. */
export const waitsFor = (d: Decision, words: Words): string => {
  const { say } = words;
  const option = mainOption(d);
  if (!option || option.n === 0) return say('web.chat.waits.short', { what: say(`decision.kind.${d.kind}`) });
  const cost = priceOf(option);
  return say(`web.chat.waits.${d.kind}`, { n: option.n, price: cost ? words.amount(cost.kind, cost.total) : say('cost.gratis') });
};

/** While a campaign of the conversation waits for a person: what for, and the way to its card. */
export const WaitStripView = ({ decision, more, go }: { decision: Decision; more: number; go: () => void }): ReactNode => {
  const words = useWords();
  const { say } = words;
  return (
    <div className="chat-strip" data-testid="waits">
      <p>
        <span aria-hidden="true">◆</span> {waitsFor(decision, words)}
        {more > 0 ? ` · ${say('web.chat.waits.more', { n: more })}` : ''}
      </p>
      <button type="button" className="button" onClick={go}>
        {say('web.chat.waits.go')}
      </button>
    </div>
  );
};

/** Decisions that are looked at; nobody answers more of them at once. */
const LOOKED_AT = 6;
/** Of decisions that a campaign said wait, those that still do: a campaign that is over is not asked again, its last card may be answered since. */
export const useOpen = (ids: readonly string[]): Decision[] =>
  useQueries({
    queries: ids.slice(0, LOOKED_AT).map((id) => ({ queryKey: keys.decision(id), queryFn: () => getDecision(id) })),
    combine: pickOpen,
  });
const pickOpen = (results: Array<{ data: Decision | undefined }>): Decision[] =>
  results.flatMap(({ data }) => (data?.state === 'open' ? [data] : []));
