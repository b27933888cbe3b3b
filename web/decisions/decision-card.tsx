import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Decision, DecisionOption, ResolveDecision } from '../../contracts/decision.js';
import { tapOf } from '../../view/lot.js';
import { control, getDecision, getRun, reopenDecision, undoDecision } from '../data/api.js';
import { isTransient, newKey, serverNow } from '../data/http.js';
import { ApiProblem } from '../data/problem.js';
import { progress } from '../data/progress.js';
import { keys } from '../data/queries.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Problem, sayProblem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { DecisionView, type Answer } from './decision-view.js';
import { useTap } from './use-tap.js';

/** How long reading the balance at the provider takes, about, ms. */
const RECHECK_MS = 2_500;

/**
 * A decision with its price and its buttons; the only part of the page that can spend, and only by a tap.
 * @param refused told when a tap was refused because something moved, with what to say; whoever shows the card that replaces it keeps the notice
 */
export const DecisionCard = ({ id, refused, level = 3 }: { id: string; refused?: (notice: string) => void; level?: 2 | 3 }): ReactNode => {
  const cache = useQueryClient();
  const words = useWords();
  const announcer = useAnnouncer();
  const result = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [acting, setActing] = useState<'recheck' | 'undo' | 'reopen' | null>(null);
  const [answered, setAnswered] = useState(false);
  const {
    data: decision,
    error,
    refetch,
  } = useQuery({
    queryKey: keys.decision(id),
    queryFn: () => getDecision(id),
    refetchInterval: ({ state }) =>
      state.data?.state === 'open' || (state.data?.undo_until && Date.parse(state.data.undo_until) > serverNow()) ? 4_000 : false,
  });

  const moved = (d: Decision): void => {
    cache.setQueryData(keys.decision(d.id), d);
    progress.refresh(d.run_id);
    for (const queryKey of [keys.balances, keys.runs]) void cache.invalidateQueries({ queryKey });
    void cache.invalidateQueries({ queryKey: keys.decisions, predicate: ({ queryKey }) => queryKey[1] !== d.id });
  };
  const tap = useTap(id, {
    done: (d) => {
      setAnswered(true);
      moved(d);
    },
    refused: (why) => {
      const said = sayProblem(words, why);
      announcer.alert(said);
      refused?.(said);
      if (why instanceof ApiProblem && why.decision?.id === id) cache.setQueryData(keys.decision(id), why.decision);
      else void refetch();
      if (decision) progress.refresh(decision.run_id);
      void cache.invalidateQueries({ queryKey: keys.balances });
    },
  });
  // The tap took the button away: the focus goes to what came of it.
  useEffect(() => {
    // Whoever has gone on to something else meanwhile, typing say, is not called back.
    const at = document.activeElement;
    if (answered && decision?.state !== 'open' && (at === null || at === document.body || at.contains(result.current)))
      result.current?.focus();
  }, [answered, decision?.state]);

  // Whether an act arrived is not known until it is answered: till then it keeps its key.
  const actKeys = useRef<Partial<Record<'undo' | 'reopen', string>>>({});
  const once = async <T,>(what: 'undo' | 'reopen', work: (key: string) => Promise<T>): Promise<T> => {
    const key = (actKeys.current[what] ??= newKey());
    try {
      const came = await work(key);
      delete actKeys.current[what];
      return came;
    } catch (why) {
      if (!isTransient(why)) delete actKeys.current[what];
      throw why;
    }
  };
  const act = async (what: 'recheck' | 'undo' | 'reopen', work: () => Promise<void>): Promise<void> => {
    if (acting) return;
    setActing(what);
    setFailure(null);
    try {
      await work();
    } catch (why) {
      setFailure(why);
    } finally {
      setActing(null);
    }
  };
  const answer: Answer = {
    state: tap.state,
    acting,
    send: (option: DecisionOption, more: Partial<Pick<ResolveDecision, 'items' | 'n' | 'then'>>, shown: Decision) =>
      tap.send(tapOf(shown, option, more)),
    recheck: () =>
      decision &&
      void act('recheck', async () => {
        await control(decision.run_id, 'recheck-balance');
        await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
        await refetch();
        progress.refresh(decision.run_id);
        void cache.invalidateQueries({ queryKey: keys.balances });
      }),
    undo: () => decision && void act('undo', async () => moved(await once('undo', (key) => undoDecision(decision.id, key)))),
    reopen: () =>
      decision &&
      void act('reopen', async () => {
        moved(await once('reopen', (key) => reopenDecision(decision.id, key)));
        await refetch();
      }),
    everything: () => getDecision(id, true),
  };

  // A change of plan takes a card away before it knows what comes instead: the run knows.
  const { data: run } = useQuery({
    queryKey: keys.run(decision?.run_id ?? ''),
    queryFn: () => getRun(decision?.run_id ?? ''),
    enabled: decision?.state === 'superseded' && decision.superseded_by === null,
    refetchInterval: 4_000,
  });
  const current = decision?.superseded_by ?? run?.decisions.find((one) => one !== id) ?? null;

  if (!decision)
    return error ? (
      <Problem error={error} retry={() => void refetch()} />
    ) : (
      <p className="quiet decision-waiting">{words.say('web.loading')}</p>
    );
  return (
    <>
      <DecisionView decision={decision} current={current} answer={answer} result={result} level={level} />
      {failure ? <Problem error={failure} /> : null}
    </>
  );
};
