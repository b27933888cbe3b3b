import { transaction, type Pool } from '../../db/client.js';

type Moment = { now?: number };
const SLACK_MS = 2000;
const later = (iso: string, ms: number): string => new Date(Date.parse(iso) + ms).toISOString();

/**
 * Keeps the rows in step with the workflows' virtual clock. PostgreSQL's own clock cannot be skipped, so when a workflow comes
 * with a moment that lies ahead of ours, every moment in the rows is moved back by the difference: as old as it would be if the
 * time had really passed. What goes back to the workflow is told in its own time.
 */
export class RowClock {
  private ahead = 0;
  private turn: Promise<void> = Promise.resolve();
  constructor(private readonly pool: Pool) {}

  /** The same activities, asked and answering in the workflows' time. */
  wrap<T extends Record<string, unknown>>(activities: T): T {
    const wrapped = Object.fromEntries(
      Object.entries(activities).map(([name, fn]) => {
        if (typeof fn !== 'function') return [name, fn];
        const act = fn as (args: Moment) => Promise<unknown>;
        return [
          name,
          async (args: Moment) => {
            if (typeof args.now !== 'number') return this.forWorkflow(await act(args));
            await this.catchUp(args.now);
            return this.forWorkflow(await act({ ...args, now: args.now - this.ahead }));
          },
        ];
      }),
    );
    return wrapped as T;
  }

  /** Lets the rows grow as old as a moment of the workflows' clock says. */
  catchUp(now: number): Promise<void> {
    this.turn = this.turn.then(async () => {
      const ms = now - Date.now() - this.ahead;
      if (ms < SLACK_MS) return;
      await age(this.pool, ms);
      this.ahead += ms;
    });
    return this.turn;
  }

  private forWorkflow(result: unknown): unknown {
    if (typeof result !== 'object' || result === null || this.ahead === 0) return result;
    const out = { ...(result as { until?: string | null; awaited?: { until: string | null } | null }) };
    if (out.until) out.until = later(out.until, this.ahead);
    if (out.awaited?.until) out.awaited = { ...out.awaited, until: later(out.awaited.until, this.ahead) };
    return out;
  }
}

/** Makes every moment in the rows `ms` older. */
const age = (pool: Pool, ms: number): Promise<void> =>
  transaction(pool, async (tx) => {
    const back = `make_interval(secs => $1::float8 / 1000)`;
    const json = (at: string): string => `to_jsonb(to_char((${at})::timestamptz - ${back}, 'YYYY-MM-DD"T"HH24:MI:SS.MSOF":00"'))`;
    await tx.q(
      `update decisions set created_at = created_at - ${back}, expires_at = expires_at - ${back}, resolved_at = resolved_at - ${back}, undo_until = undo_until - ${back},
         payload = case when payload -> 'price' ->> 'valid_until' is null then payload else jsonb_set(payload, '{price,valid_until}', ${json(`payload -> 'price' ->> 'valid_until'`)}) end`,
      [ms],
    );
    await tx.q(
      `update effects set sent_at = sent_at - ${back}, next_read_at = next_read_at - ${back},
         reads = (select coalesce(jsonb_agg(jsonb_set(r, '{at}', ${json(`r ->> 'at'`)}) order by n), '[]') from jsonb_array_elements(reads) with ordinality as e (r, n))`,
      [ms],
    );
    await tx.q(`update contacts set quote_until = quote_until - ${back}`, [ms]);
    await tx.q(`update holds set created_at = created_at - ${back}, expires_at = expires_at - ${back}`, [ms]);
    await tx.q(
      `update runs set created_at = created_at - ${back}, started_at = started_at - ${back}, prices = case when prices is null then null else jsonb_set(prices, '{valid_until}', ${json(`prices ->> 'valid_until'`)}) end`,
      [ms],
    );
  });
