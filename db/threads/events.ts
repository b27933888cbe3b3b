import { Refusal } from '../../contracts/problem.js';
import type { TurnEvent, TurnState } from '../../contracts/turn.js';
import { read, type Pool } from '../client.js';
import { json, TELL, TURN, type ThreadRef, type TurnRow } from './rows.js';
import { INTERRUPTED } from './queue.js';

/** What was said in a turn, numbered, so that whoever lost the line hears the rest. */

const isLast = (event: TurnEvent): boolean => event.type === 'turn.finished' || event.type === 'turn.refused';

/**
 * Adds events to a turn, numbered on from the last. Only its own process writes them, in batches (each is one statement and one notification).
 * @returns the number of the last one; null when the turn was interrupted meanwhile, and nothing was kept
 */
export const appendEvents = async (pool: Pool, workspace: string, turn: string, events: readonly TurnEvent[]): Promise<number | null> => {
  if (events.length === 0) return null;
  const [row] = await read(pool).q<{ seq: number }>(
    `with t as (update turns set seq = seq + $3::int where id = $1 and workspace_id = $2 and state <> 'interrupted' returning id, workspace_id, thread_id, seq, ended_at),
     e as (insert into turn_events (turn_id, seq, event) select t.id, t.seq - $3::int + x.n, x.event from t, jsonb_array_elements($4::jsonb) with ordinality as x (event, n))
     select seq, ${TELL} from t`,
    [turn, workspace, events.length, json(events)],
  );
  return row?.seq ?? null;
};

export interface Replay {
  events: Array<{ seq: number; event: TurnEvent }>;
  state: TurnState;
  over: boolean;
}

/**
 * What was said in a turn after `after` (0: everything). `over` means that no more will come. A turn that ended without its last event having been
 * kept (its process died right then, or its events are old) gets it from its row, so that every replay of a turn that is over ends with one.
 * @throws Refusal 404 `turn_not_found`
 */
export const replayEvents = async (pool: Pool, ref: ThreadRef, turn: string, after: number, limit = 1_000): Promise<Replay> => {
  const [row] = await read(pool).q<TurnRow & { seq: number; cost_micros: number | null; events: Replay['events'] }>(
    `select ${TURN}, seq, cost_micros, (select coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'event', e.event) order by e.seq), '[]') from (
       select seq, event from turn_events where turn_id = t.id and seq > $4 order by seq limit $5) e) as events from turns t where id = $1 and thread_id = $2 and workspace_id = $3`,
    [turn, ref.thread, ref.workspace, after, limit],
  );
  if (!row) throw new Refusal(404, 'turn_not_found', { turn_id: turn });
  const { events, state } = row;
  if (events.length === limit) return { events, state, over: false };
  if (row.ended_at === null) return { events, state, over: false };
  const last = events.at(-1);
  if (last && isLast(last.event)) return { events, state, over: true };
  if (last === undefined && after > 0 && (await endsKept(pool, turn, after))) return { events, state, over: true };
  const end: TurnEvent = row.answer
    ? { type: 'turn.finished', answer: row.answer }
    : { type: 'turn.refused', turn_id: row.id, ...(row.refused ?? INTERRUPTED), cost_micros: row.cost_micros };
  return { events: [...events, { seq: Math.max(row.seq, after) + 1, event: end }], state, over: true };
};
/** Whether whoever has seen everything up to `after` has seen the end: it was kept, or made up from the row with the number after the last. */
const endsKept = async (pool: Pool, turn: string, after: number): Promise<boolean> =>
  (
    await read(pool).q(
      `select 1 from turns t where t.id = $1 and (t.seq < $2 or exists (select 1 from turn_events e where e.turn_id = t.id and e.seq <= $2 and e.event ->> 'type' in ('turn.finished', 'turn.refused')))`,
      [turn, after],
    )
  ).length > 0;
