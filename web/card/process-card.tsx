import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { getBalances, getDecision } from '../data/api.js';
import { useProgress } from '../data/progress.js';
import { keys } from '../data/queries.js';
import { DecisionCard } from '../decisions/decision-card.js';
import { MissingDrawer } from '../runs/missing-drawer.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Boundary } from '../shell/boundary.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { milestones, type Milestone } from './milestones.js';
import { ProcessCardView } from './process-card-view.js';
import { RunMenu } from './run-menu.js';

/** Says what of this run is worth hearing, once, and not what was so when the card appeared. */
const useMilestones = (run: string): void => {
  const { progress } = useProgress(run);
  const words = useWords();
  const announcer = useAnnouncer();
  const said = useRef<{ run: string; keys: Set<string> } | null>(null);
  useEffect(() => {
    if (!progress) return;
    const now: Milestone[] = milestones(progress, words);
    const before = said.current?.run === run ? said.current.keys : null;
    if (before) for (const one of now) if (!before.has(one.key)) announcer.say(`${run} ${one.topic}`, one.text);
    said.current = { run, keys: new Set([...(before ?? []), ...now.map((one) => one.key)]) };
  }, [progress, run, words, announcer]);
};

/**
 * The process card of a run: live, with its decisions embedded in the step that asks for them.
 * Every card of one run on the page shows the same version.
 */
export const ProcessCard = ({ run, level = 2 }: { run: string; level?: 2 | 3 }): ReactNode => {
  const { say } = useWords();
  const snapshot = useProgress(run);
  const { progress } = snapshot;
  const [drawer, setDrawer] = useState(false);
  const [notice, setNotice] = useState<{ text: string; cards: string } | null>(null);
  const balances = useQuery({ queryKey: keys.balances, queryFn: getBalances });
  useMilestones(run);
  // Credits move when the run does: the balance beside them must not be older than they are.
  const money = progress ? `${progress.budget.credits.held} ${progress.budget.credits.spent} ${progress.budget.queries.spent}` : '';
  const { refetch } = balances;
  useEffect(() => {
    if (money) void refetch();
  }, [money, refetch]);
  const cards = progress?.decisions.join() ?? '';
  // Before the start only its card knows what the whole costs at most.
  const first = progress?.state === 'ready' ? progress.decisions[0] : undefined;
  const start = useQuery({ queryKey: keys.decision(first ?? ''), queryFn: () => getDecision(first ?? ''), enabled: first !== undefined });
  return (
    <Boundary reset={progress?.version} fallback={(retry) => <Problem error={null} retry={retry} />}>
      <ProcessCardView
        snapshot={snapshot}
        balances={balances.data ?? null}
        start={start.data ?? null}
        level={level}
        menu={progress ? <RunMenu progress={progress} /> : null}
        notice={notice?.text ?? null}
        openMissing={() => setDrawer(true)}
        decision={(id) => <DecisionCard key={id} id={id} level={3} refused={(text) => setNotice({ text, cards })} />}
      />
      {notice && notice.cards !== cards ? <ClearWhenAnswered cards={cards} clear={() => setNotice(null)} /> : null}
      {drawer ? <MissingDrawer run={run} open={drawer} onClose={() => setDrawer(false)} /> : null}
      {snapshot.connection === 'denied' ? <p className="notice warn">{say('token_expired')}</p> : null}
    </Boundary>
  );
};

/** Why a tap was refused stays until the card that replaced it is gone as well. */
const ClearWhenAnswered = ({ cards, clear }: { cards: string; clear: () => void }): null => {
  const first = useRef(cards);
  useEffect(() => {
    if (first.current !== cards) clear();
  }, [cards, clear]);
  return null;
};
