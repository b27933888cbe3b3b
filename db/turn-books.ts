import type { Tx } from './client.js';
import { spendOutside } from './ledger.js';

/** Turns that one call books at most: more wait for the next reading. */
const AT_ONCE = 100;

/**
 * Books what ended turns are known to have used and the ledger does not say yet: their process died between the answer and its books, or
 * nobody had read the workspace's balance by then. Once per turn, by its key, however often and by however many it is called.
 * @returns how much was booked, micro-USD
 */
export const bookTurns = async (tx: Tx, workspace: string): Promise<number> => {
  const turns = await tx.q<{ id: string; known: number }>(
    `select * from (
       select t.id, t.ended_at, greatest(coalesce(t.cost_micros, 0), coalesce((select sum((a ->> 'cost_micros')::bigint) from jsonb_array_elements(t.attempts) a), 0))::bigint as known
       from turns t where t.ended_at > now() - interval '1 day' and t.workspace_id = $1
         and not exists (select 1 from transfers b where b.workspace_id = t.workspace_id and b.account = 'inference' and b.key = 'capture:turn:' || t.id)) u
     where known > 0 order by ended_at limit ${AT_ONCE}`,
    [workspace],
  );
  let booked = 0;
  for (const { id, known } of turns) {
    const spent = await spendOutside(tx, workspace, 'inference', known, `turn:${id}`, id);
    booked += spent;
    // Nothing is left to take it from; what is granted later is.
    if (spent === 0) break;
  }
  return booked;
};
