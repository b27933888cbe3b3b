import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

export interface CallEntry {
  workspace: string;
  tool: string;
  args_hash: string;
  target: string | null;
  key: string | null;
  outcome: string;
  delivery: string;
  at: Date;
  ms: number;
}
interface Counter {
  received: number;
  ok: number;
  errors: number;
  in_flight: number;
  max_in_flight: number;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Every call received, for tests that count them. Off (free of cost) unless the control endpoint is on. */
export class CallLog {
  private open = new Set<CallEntry>();
  private done: CallEntry[] = [];
  private writing: Promise<void> = Promise.resolve();
  private counters = new Map<string, Counter>();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly on: boolean,
  ) {
    if (on) this.timer = setInterval(() => void this.flush().catch(() => undefined), 250).unref();
  }

  /** Notes that a call came in. @returns what to call with its outcome when it is over. */
  begin(workspace: string, tool: string, args: Record<string, unknown>): (outcome: string, delivery: string) => void {
    if (!this.on) return () => undefined;
    const startedAt = performance.now();
    const entry: CallEntry = {
      workspace,
      tool,
      args_hash: createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 32),
      target: text(args['person_id']) ?? text(args['company_id']),
      key: text(args['idempotency_key']) ?? text(args['client_key']),
      outcome: 'in_flight',
      delivery: 'none',
      at: new Date(),
      ms: 0,
    };
    this.open.add(entry);
    const counter = this.counters.get(`${workspace}|${tool}`) ?? { received: 0, ok: 0, errors: 0, in_flight: 0, max_in_flight: 0 };
    this.counters.set(`${workspace}|${tool}`, counter);
    counter.received++;
    counter.max_in_flight = Math.max(counter.max_in_flight, ++counter.in_flight);
    return (outcome, delivery) => {
      this.open.delete(entry);
      counter.in_flight--;
      if (outcome === 'ok') counter.ok++;
      else counter.errors++;
      this.done.push(Object.assign(entry, { outcome, delivery, ms: Math.round(performance.now() - startedAt) }));
    };
  }

  /** Writes what is over to the database. */
  flush(): Promise<void> {
    this.writing = this.writing
      .catch(() => undefined)
      .then(async () => {
        const group = this.done;
        if (group.length === 0) return;
        this.done = [];
        const column = (name: keyof CallEntry): unknown[] => group.map((e) => e[name]);
        await this.pool.query(
          `INSERT INTO calls (workspace, tool, args_hash, target, key, outcome, delivery, at, ms)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::int[])`,
          (['workspace', 'tool', 'args_hash', 'target', 'key', 'outcome', 'delivery', 'at', 'ms'] as const).map(column),
        );
      });
    return this.writing;
  }

  /** Calls of a workspace in the order in which they ended, and then those that are not over. */
  async list(workspace: string, tool: string | null): Promise<CallEntry[]> {
    await this.flush();
    const { rows } = await this.pool.query<CallEntry>(
      'SELECT * FROM calls WHERE workspace = $1 AND ($2::text IS NULL OR tool = $2) ORDER BY id',
      [workspace, tool],
    );
    return [...rows, ...[...this.open].filter((e) => e.workspace === workspace && (tool ?? e.tool) === e.tool)];
  }

  /** Counters of this process by tool, for one workspace or summed over all. */
  count(workspace: string | null): Record<string, Counter> {
    const sums: Record<string, Counter> = {};
    for (const [key, c] of this.counters) {
      const [ws, tool] = [key.slice(0, key.lastIndexOf('|')), key.slice(key.lastIndexOf('|') + 1)];
      if (workspace !== null && ws !== workspace) continue;
      const sum = (sums[tool] ??= { received: 0, ok: 0, errors: 0, in_flight: 0, max_in_flight: 0 });
      sum.received += c.received;
      sum.ok += c.ok;
      sum.errors += c.errors;
      sum.in_flight += c.in_flight;
      sum.max_in_flight = Math.max(sum.max_in_flight, c.max_in_flight);
    }
    return sums;
  }

  /** Forgets the counters of a workspace and what was not written yet of it. */
  forget(workspace: string): void {
    this.done = this.done.filter((e) => e.workspace !== workspace);
    for (const key of this.counters.keys()) if (key.startsWith(`${workspace}|`)) this.counters.delete(key);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch(() => undefined);
  }
}
