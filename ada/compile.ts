import type { RunSummary } from '../contracts/api.js';
import type { Decision } from '../contracts/decision.js';
import { Refusal } from '../contracts/problem.js';
import { FACT_KEYS, type Board, type BoardPlan, type FactKey, type Facts, type Stage } from '../contracts/turn.js';
import { planOf } from './plan.js';
import { factsFromMessage } from './understand/index.js';
import { stageFor } from './stage.js';
import { NO_FACT, type AdaPorts, type PastTurn, type Speaker, type ThreadState, type WorkspaceSummary } from './types.js';

/** Turns of the thread that a turn still sees. */
export const THREAD_TURNS = 12;

export interface Compiled {
  state: ThreadState;
  /** Profile, then what was said in this conversation (wins), then this message (fills gaps only, unless it corrects). */
  facts: Facts;
  /** What this message itself said. */
  said: Partial<Record<FactKey, string>>;
  board: Board;
  /** Cards of this conversation that wait for a tap, as they are now. */
  cards: Decision[];
  stage: Stage;
  past: PastTurn[];
  summary: WorkspaceSummary;
  runs: RunSummary[];
}

const none = (): Facts => Object.fromEntries(FACT_KEYS.map((key) => [key, NO_FACT])) as Facts;

/** Facts in three layers. A correction in the message ("mejor en Puebla") replaces what was said before. */
export const layered = (
  profile: Partial<Record<FactKey, string>>,
  session: Facts,
  message: { said: Partial<Record<FactKey, string>>; corrects: boolean },
): Facts => {
  const facts = none();
  for (const key of FACT_KEYS) {
    const known = session[key];
    const said = message.said[key];
    if (said !== undefined && (message.corrects || known?.status !== 'dicho' || known.value === said))
      facts[key] = { status: 'dicho', value: said };
    else if (known?.status === 'dicho') facts[key] = known;
    else if (profile[key] !== undefined) facts[key] = { status: 'perfil', value: profile[key] };
  }
  return facts;
};

/** The plan as its campaign stands now: it went on since the last message, or somebody changed it elsewhere. null when it is gone. */
const planNow = async (ports: AdaPorts, speaker: Speaker, plan: BoardPlan | null): Promise<BoardPlan | null> => {
  if (!plan) return null;
  try {
    return planOf((await ports.campaigns.status(speaker, plan.run_id)).progress, speaker.language);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
};

/** Pending decisions and the plan as they are now, whatever the thread remembers: a tap elsewhere counts here. */
const boardNow = async (ports: AdaPorts, speaker: Speaker, board: Board): Promise<{ board: Board; cards: Decision[] }> => {
  // Those of this conversation: a card that waits in another one is no reason to hold this one up.
  const mine = new Set([...board.pending.map((one) => one.run_id), ...(board.plan ? [board.plan.run_id] : [])]);
  const [decisions, plan] = await Promise.all([ports.campaigns.decisions(speaker), planNow(ports, speaker, board.plan)]);
  const cards = decisions.filter(
    (decision) => decision.state === 'open' && mine.has(decision.run_id) && decision.kind !== 'revisar_secuencia',
  );
  return { board: { ...board, plan, pending: cards.map(({ id, kind, run_id }) => ({ decision_id: id, kind, run_id })) }, cards };
};

/** 2 · Everything a turn knows, read at once. */
export const compile = async (ports: AdaPorts, speaker: Speaker, message: string): Promise<Compiled> => {
  const [state, past, summary, runs] = await Promise.all([
    ports.threads.state(speaker),
    ports.threads.past(speaker, THREAD_TURNS),
    ports.workspace.summary(speaker),
    ports.campaigns.open(speaker),
  ]);
  const { board, cards } = await boardNow(ports, speaker, state.board);
  const understood = factsFromMessage(message, { facts: state.facts, board, asked: state.asked });
  const facts = layered(summary.profile, state.facts, understood);
  return { state, facts, said: understood.said, board, cards, stage: stageFor(facts, board), past, summary, runs };
};
