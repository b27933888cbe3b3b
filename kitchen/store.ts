import type { Pool, QueryResultRow } from 'pg';
import { hash32 } from './sample/random.js';

/** What a workspace has left and pays. Credits and queries are counts, inference is micro-USD. */
export interface WorkspaceRow {
  workspace: string;
  credits: number;
  queries: number;
  inference: number;
  price_min: number;
  price_max: number;
  honours_keys: boolean;
  mailbox: boolean;
}
export interface AcquiredRow {
  person_id: string;
  charge_id: string;
  key: string | null;
  credits: number;
  acquired_at: Date;
}
export interface RevealOutcome {
  code: string;
  charge_id: string | null;
  credits: number;
  acquired_at: Date | null;
  balance: number;
}
export interface StoredSequence {
  sequence_id: string;
  client_key: string;
  replaced_by: string | null;
  drafts: Array<{ draft_id: string; person_id: string; subject: string; body: string }>;
}
export interface ChargeRow {
  id: string;
  workspace: string;
  kind: string;
  tool: string;
  target: string;
  key: string | null;
  amount: number;
  at: Date;
}

/** What every workspace starts with. */
export const FIRST_BALANCES = { credits: 500, queries: 10_000, inference: 50_000_000 } as const;

interface Waiting {
  target: string;
  tool: string;
  done: (charged: boolean) => void;
  fail: (error: Error) => void;
}

/** Everything about money: balances, prices, charges, reveals. The only place that changes them. */
export class Store {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly flushing = new Set<string>();
  private readonly seen = new Set<string>();

  constructor(
    readonly pool: Pool,
    private readonly honoursKeys: boolean,
  ) {}

  /** Runs a prepared statement. */
  async rows<R extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    return (await this.pool.query<R>({ name, text, values })).rows;
  }

  /** Runs statements in one transaction while no other locked work, reveal or query charge of the workspace runs. */
  async locked(workspace: string, work: (query: (text: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM workspaces WHERE workspace = $1 FOR UPDATE', [workspace]);
      await work((text, values) => client.query(text, values));
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Gives a workspace its first balances and CRM when it has none; costs nothing afterwards. */
  async ensureWorkspace(workspace: string): Promise<void> {
    if (this.seen.has(workspace)) return;
    const made = await this.rows<{ workspace: string }>(
      'ws-insert',
      'INSERT INTO workspaces (workspace, credits, queries, inference, honours_keys) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING workspace',
      [workspace, FIRST_BALANCES.credits, FIRST_BALANCES.queries, FIRST_BALANCES.inference, this.honoursKeys],
    );
    if (made.length > 0) await this.fillPipeline(workspace);
    this.seen.add(workspace);
  }

  /** The CRM of a new workspace: 40 companies of the sample in three stages of the collection `pipeline`. */
  private async fillPipeline(workspace: string): Promise<void> {
    await this.rows(
      'crm-fill',
      `INSERT INTO crm_records (workspace, collection, company_id, name, rfc, domain, stage, fields)
       SELECT $1, 'pipeline', company_id, name, rfc, domain, (ARRAY['contactado', 'propuesta', 'negociacion'])[1 + (n * 31 % 11) % 3],
              jsonb_build_object('amount_mxn', 40000 + (n * 7919 % 97) * 5000, 'owner', (ARRAY['Mariana', 'Octavio', 'Ximena'])[1 + n % 3],
                                 'days_in_stage', n * 31 % 60, 'state', state)
       FROM (SELECT c.*, row_number() OVER (ORDER BY pos)::int AS n FROM companies c WHERE activity <> 'empaque' AND pos % 97 = 11 ORDER BY pos LIMIT 40) s
       ON CONFLICT DO NOTHING`,
      [workspace],
    );
  }

  /** The row of a workspace. @throws when it was never seen. */
  async workspace(workspace: string): Promise<WorkspaceRow> {
    const [row] = await this.rows<WorkspaceRow>('ws-get', 'SELECT * FROM workspaces WHERE workspace = $1', [workspace]);
    if (!row) throw new Error('Unknown workspace');
    return row;
  }

  /**
   * Charges one monthly query for a page that has its answer ready. Charges that arrive while one group is being written
   * go together in the next, so that many searches at once cost few commits.
   * @returns false when no query is left (nothing is charged).
   */
  chargeQuery(workspace: string, tool: string, target: string): Promise<boolean> {
    return new Promise((done, fail) => {
      const line = this.waiting.get(workspace) ?? [];
      line.push({ target, tool, done, fail });
      this.waiting.set(workspace, line);
      if (!this.flushing.has(workspace)) void this.flushQueries(workspace);
    });
  }

  private async flushQueries(workspace: string): Promise<void> {
    this.flushing.add(workspace);
    for (let group = this.waiting.get(workspace) ?? []; group.length > 0; group = this.waiting.get(workspace) ?? []) {
      this.waiting.set(workspace, []);
      try {
        const charged = await this.rows<{ id: string }>(
          'charge-queries',
          `WITH now_left AS (SELECT queries FROM workspaces WHERE workspace = $1 FOR UPDATE),
                taken AS (SELECT least(queries, cardinality($2::text[]))::int AS n FROM now_left),
                paid AS (UPDATE workspaces SET queries = queries - (SELECT n FROM taken) WHERE workspace = $1)
           INSERT INTO charges (workspace, kind, tool, target, amount)
           SELECT $1, 'queries', u.tool, u.target, 1 FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS u (tool, target, place)
           WHERE u.place <= (SELECT n FROM taken) ORDER BY u.place RETURNING id`,
          [workspace, group.map((w) => w.tool), group.map((w) => w.target)],
        );
        group.forEach((w, i) => w.done(i < charged.length));
      } catch (error) {
        for (const w of group) w.fail(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.flushing.delete(workspace);
  }

  /** Price of one contact now: the list price, or a fixed place between its ends. */
  priceOf(row: WorkspaceRow, personId: string): number {
    return row.price_min + (hash32(personId) % (row.price_max - row.price_min + 1));
  }

  /** One reveal in one transaction. `code` is `ok` or the error to answer. */
  async reveal(workspace: string, personId: string, key: string, price: number, max: number): Promise<RevealOutcome> {
    const [row] = await this.rows<RevealOutcome>('reveal', 'SELECT * FROM reveal($1, $2, $3, $4, $5)', [
      workspace,
      personId,
      key,
      price,
      max,
    ]);
    if (!row) throw new Error('The reveal gave no outcome');
    return row;
  }

  /** Contacts already acquired, all or only some, oldest first; `offset` and `limit` page them. */
  async acquired(workspace: string, personIds: string[] | null, limit: number, offset: number): Promise<AcquiredRow[]> {
    return this.rows<AcquiredRow>(
      'acquired',
      `SELECT person_id, charge_id, key, credits, acquired_at FROM acquired WHERE workspace = $1 AND ($2::text[] IS NULL OR person_id = ANY ($2))
       ORDER BY charge_id LIMIT $3 OFFSET $4`,
      [workspace, personIds, limit, offset],
    );
  }

  async countAcquired(workspace: string, personIds: string[] | null): Promise<number> {
    const [row] = await this.rows<{ n: number }>(
      'acquired-count',
      'SELECT count(*)::int AS n FROM acquired WHERE workspace = $1 AND ($2::text[] IS NULL OR person_id = ANY ($2))',
      [workspace, personIds],
    );
    return row?.n ?? 0;
  }

  /** Sets some of the columns of a workspace; used by the control endpoint and by faults. */
  async setWorkspace(workspace: string, to: Partial<Omit<WorkspaceRow, 'workspace'>>): Promise<WorkspaceRow> {
    await this.ensureWorkspace(workspace);
    const [row] = await this.rows<WorkspaceRow>(
      'ws-set',
      `UPDATE workspaces SET credits = coalesce($2, credits), queries = coalesce($3, queries), inference = coalesce($4, inference),
         price_min = coalesce($5, price_min), price_max = coalesce($6, price_max), honours_keys = coalesce($7, honours_keys), mailbox = coalesce($8, mailbox)
       WHERE workspace = $1 RETURNING *`,
      [
        workspace,
        to.credits ?? null,
        to.queries ?? null,
        to.inference ?? null,
        to.price_min ?? null,
        to.price_max ?? null,
        to.honours_keys ?? null,
        to.mailbox ?? null,
      ],
    );
    if (!row) throw new Error('Unknown workspace');
    return row;
  }

  /** Adds to balances (a top-up, or a loss when negative). */
  async addToBalances(
    workspace: string,
    add: { credits?: number | undefined; queries?: number | undefined; inference?: number | undefined },
  ): Promise<WorkspaceRow> {
    await this.ensureWorkspace(workspace);
    const [row] = await this.rows<WorkspaceRow>(
      'ws-add',
      `UPDATE workspaces SET credits = greatest(0, credits + $2), queries = greatest(0, queries + $3), inference = greatest(0, inference + $4) WHERE workspace = $1 RETURNING *`,
      [workspace, add.credits ?? 0, add.queries ?? 0, add.inference ?? 0],
    );
    if (!row) throw new Error('Unknown workspace');
    return row;
  }

  /** The effect log of a workspace, oldest first. */
  async charges(workspace: string, tool: string | null): Promise<ChargeRow[]> {
    return this.rows<ChargeRow>('charges', 'SELECT * FROM charges WHERE workspace = $1 AND ($2::text IS NULL OR tool = $2) ORDER BY id', [
      workspace,
      tool,
    ]);
  }

  /** The sequences of a workspace with their texts, oldest first, and what came after each. */
  async sequences(workspace: string): Promise<StoredSequence[]> {
    return this.rows<StoredSequence>(
      'sequences',
      `SELECT s.sequence_id, s.client_key, s.replaced_by,
         (SELECT json_agg(json_build_object('draft_id', d.draft_id, 'person_id', d.person_id, 'subject', d.subject, 'body', d.body) ORDER BY d.place) FROM drafts d WHERE d.sequence_id = s.sequence_id) AS drafts
       FROM sequences s WHERE s.workspace = $1 ORDER BY s.created_at, s.sequence_id`,
      [workspace],
    );
  }

  /** Forgets everything a workspace did and gives it its first balances again. */
  async reset(workspace: string): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      for (const table of ['charges', 'acquired', 'reveal_keys', 'crm_saves', 'crm_records', 'sequences', 'calls', 'workspaces']) {
        await client.query(`DELETE FROM ${table} WHERE workspace = $1`, [workspace]);
      }
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
    this.seen.delete(workspace);
    await this.ensureWorkspace(workspace);
  }
}
