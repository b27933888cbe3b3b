import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditQuery } from '../../db/audit.js';
import { COUNT_DECISIONS, decisionsQuery, OPEN_TOTALS, TAB_STATES } from '../../db/decisions/list.js';
import { opsRunsQuery } from '../../db/operations.js';
import { QUERIES } from '../../db/invariants.js';
import { OVERVIEW_QUERIES } from '../../db/overview.js';
import { OpsOverview } from '../../contracts/operations.js';
import { openLab, type Lab } from '../support/runs.js';
import { startApi, token, type TestApi } from './support.js';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Total Cost': number;
  Plans?: Node[];
}
let lab: Lab;
let api: TestApi;

/** Five thousand runs of the workspace and as many of another one; a hundred of each are not over. */
const RUNS = 5_000;
const OPEN = 100;
const SEED = [
  `insert into workspaces (id) values ('ws_big'), ('ws_other')`,
  `insert into ledger_accounts (workspace_id, kind) select w, k from unnest(array['ws_big', 'ws_other']) w, unnest(array['credits', 'queries', 'inference']) k`,
  `insert into runs (id, workspace_id, recipe, objetivo, criteria, cuentas, desde, hasta, mode, state, plan_max, workflow_id, created_by, channel, created_at, ended_at)
   select 'run_' || w || lpad(i::text, 6, '0'), w, 'campana', 'objetivo', '{}', 50, 's1', 'contactos', 'manual', case when i > ${RUNS - OPEN} then case when i % 2 = 0 then 'running' else 'ready' end else 'completed' end, '{"credits":50,"queries":60,"inference":0}',
     'campana/' || w || '/' || i, 'ana', 'web', now() - make_interval(mins => ${RUNS} - i), case when i > ${RUNS - OPEN} then null else now() end
   from unnest(array['ws_big', 'ws_other']) w, generate_series(1, ${RUNS}) i`,
  `insert into run_progress (run_id, workspace_id, version, body) select id, workspace_id, 1, jsonb_build_object('run_id', id, 'version', 1, 'plan_version', 1, 'state', state, 'reason', null, 'objetivo', objetivo, 'last_progress_at', to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
     'counts', '{"unit":"account","total":50,"done":20,"running":5,"pending":25,"not_found":0,"suppressed":0,"skipped":0,"failed":0}'::jsonb, 'decisions', '["dec_1"]'::jsonb, 'pasos', '[{"id":"s3","status":"running"}]'::jsonb,
     'budget', '{"credits":{"held":0},"queries":{"held":0},"inference":{"held_micros":0}}'::jsonb) from runs`,
  `insert into decisions (id, run_id, workspace_id, step, kind, target_workflow_id, plan_version, payload_hash, payload, items, state, outcome, resolved_by, channel, resolved_at, expires_at)
   select 'dec_' || n || '_' || r.id, r.id, r.workspace_id, 's' || n, 'revelar_contactos', r.workflow_id, 1, 'h', '{"options":[{"id":"all","n":5,"totals":{"credits":5,"queries":0,"inference":0}}],"price":{},"balance":{},"held_elsewhere":{},"notes":[]}',
     '[]', case when r.ended_at is null and n = 4 then 'open' when n = 2 then 'superseded' else 'approved' end, null, 'ana', 'web', now(), r.created_at + interval '72 hours' from runs r, unnest(array[0, 2, 4]) n`,
  `insert into holds (id, workspace_id, kind, run_id, step, item, decision_id, amount, captured, state, expires_at, created_at)
   select 'hold_' || r.id || '_' || n, r.workspace_id, 'queries', r.id, 's3', 'account:' || n, 'dec_0_' || r.id, 1, 1, case when r.ended_at is null then 'live' else 'captured' end, now() + interval '7 days', r.created_at from runs r, generate_series(1, 5) n`,
  `insert into contacts (id, run_id, position, workspace_id, person_id, rank, state, price) select 'con_' || r.id || '_' || n, r.id, n, r.workspace_id, 'per_' || n, n, case when r.ended_at is null then 'held' else 'captured' end, 1 from runs r, generate_series(1, 3) n`,
  `insert into effects (id, workspace_id, provider, kind, subject, key, run_id, step, decision_id, plan_version, state, sent_at)
   select 'eff_' || r.id || '_' || n, r.workspace_id, 'test', 'people_reveal', 'per_' || r.id || '_' || n, 'key_' || r.id || '_' || n, r.id, 's4', 'dec_4_' || r.id, 1, case when r.ended_at is null and n = 1 then 'unconfirmed' else 'captured' end, now() from runs r, generate_series(1, 3) n`,
  `insert into accounts (run_id, position, workspace_id, state) select r.id, n, r.workspace_id, 'chosen' from runs r, generate_series(1, 20) n`,
  `insert into sequences (id, run_id, workspace_id, client_key) select 'seq_' || id, id, workspace_id, 'seq_' || id from runs`,
  `insert into transfers (workspace_id, account, kind, amount, hold_id, run_id, key) select h.workspace_id, h.kind, k, h.amount, h.id, h.run_id, k || ':' || h.id from holds h, unnest(array['hold', 'capture']) k where k = 'hold' or h.state = 'captured'`,
  `insert into run_events (run_id, version, workspace_id, kind, params, patch, at) select r.id, n, r.workspace_id, 'x', '{}', '{}', now() from runs r, generate_series(1, 5) n`,
  `insert into outbox (workspace_id, run_id, kind, workflow_id, payload, delivered_at) select workspace_id, id, 'signal', workflow_id, '{}', case when ended_at is null then null else now() end from runs`,
  `insert into audit (workspace_id, run_id, actor, channel, action) select r.workspace_id, r.id, 'ana', 'web', case when r.ended_at is null and n = 1 then 'ops.pause' else 'decision.approved' end from runs r, generate_series(1, 4) n`,
];

beforeAll(async () => {
  lab = await openLab();
  for (const text of SEED) await lab.pool.query(text);
  // As autovacuum would have: what is only in an index is then read from there alone. Every row is counted, since a plan that came of a
  // sample of them would be another one now and then.
  const client = await lab.pool.connect();
  try {
    await client.query('set default_statistics_target = 2000');
    await client.query('vacuum (analyze)');
  } finally {
    client.release(true);
  }
  api = await startApi({ databaseUrl: lab.ctx.env.DATABASE_URL });
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

const planOf = async (text: string, values: unknown[]): Promise<Node> => {
  const { rows } = await lab.pool.query<{ 'QUERY PLAN': Array<{ Plan: Node }> }>(`explain (format json) ${text}`, values);
  return rows[0]!['QUERY PLAN'][0]!.Plan;
};
/** Tables that a plan reads from end to end. */
const scanned = async (text: string, values: unknown[]): Promise<string[]> => {
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (node['Node Type'] === 'Seq Scan') found.push(node['Relation Name'] ?? '');
    for (const inner of node.Plans ?? []) walk(inner);
  };
  walk(await planOf(text, values));
  // A few rows, or one per workspace: reading all of it is the best plan.
  return found.filter((table) => !['workspaces', 'provider_limits', 'reconciliations', 'ledger_accounts'].includes(table));
};

const OPEN_STATES = ['ready', 'running', 'waiting_decision', 'waiting_external', 'paused', 'stopping'];
const CURSOR = {
  newest: 'newest  dec_4_x',
  expires: `expires ${new Date(Date.now() + 71 * 3_600_000).toISOString().replace('Z', '001Z')} dec_4_x`,
  amount: 'amount 5 dec_4_x',
};
const cursorOf = (sort: keyof typeof CURSOR): string => Buffer.from(CURSOR[sort]).toString('base64url');

describe('among ten thousand runs of two workspaces', () => {
  const overview: Record<keyof typeof OVERVIEW_QUERIES, unknown[]> = {
    runs: ['ws_big'],
    idle: ['ws_big', OPEN_STATES, 600_000],
    holds: ['ws_big'],
    unknown: ['ws_big'],
    queue: ['ws_big'],
    searching: ['ws_big', ['running']],
    revealing: ['ws_big', OPEN_STATES],
    providers: ['ws_big'],
    outbox: ['ws_big'],
    reconcile: [],
  };
  for (const [name, values] of Object.entries(overview)) {
    it(`what the overview says of ${name} comes from an index`, async () => {
      expect(await scanned(OVERVIEW_QUERIES[name as keyof typeof OVERVIEW_QUERIES], values)).toEqual([]);
    });
  }

  const lists: Array<[string, { text: string; values: unknown[] }]> = [
    ...[
      {},
      { state: 'completed' as const },
      { state: 'running' as const },
      { idleMs: 600_000 },
      { unconfirmed: true },
      { before: 'run_ws_big003000' },
    ].map((filter): [string, { text: string; values: unknown[] }] => [
      `runs ${JSON.stringify(filter)}`,
      opsRunsQuery('ws_big', { limit: 25, ...filter }),
    ]),
    ...[{}, { operators: true }, { run: 'run_ws_big004990' }, { before: 20_000 }].map(
      (filter): [string, { text: string; values: unknown[] }] => [
        `audit ${JSON.stringify(filter)}`,
        auditQuery('ws_big', { limit: 50, ...filter }),
      ],
    ),
    ...(['newest', 'expires', 'amount'] as const).flatMap((sort) =>
      [undefined, cursorOf(sort)].map((cursor): [string, { text: string; values: unknown[] }] => [
        `open decisions by ${sort}${cursor ? ', next page' : ''}`,
        decisionsQuery('ws_big', { states: TAB_STATES.open, sort, limit: 25, ...(cursor ? { cursor } : {}) }),
      ]),
    ),
    ...(['resolved', 'superseded', 'expired'] as const).map((tab): [string, { text: string; values: unknown[] }] => [
      `${tab} decisions`,
      decisionsQuery('ws_big', { states: TAB_STATES[tab], sort: 'newest', limit: 25 }),
    ]),
    ['superseded decisions by amount', decisionsQuery('ws_big', { states: TAB_STATES.superseded, sort: 'amount', limit: 25 })],
    ['counts of decisions', { text: COUNT_DECISIONS, values: ['ws_big'] }],
    ['what open cards cost together', { text: OPEN_TOTALS, values: ['ws_big'] }],
  ];
  for (const [name, { text, values }] of lists) {
    it(`a page of ${name} comes from an index`, async () => {
      expect(await scanned(text, values)).toEqual([]);
    });
  }

  // Sums read everything once, and may; a look at one whole table per row of another is a hundred times that.
  for (const [id, text] of QUERIES) {
    it(`the invariant "${id}" is checked in one pass`, async () => {
      expect((await planOf(text, ['ws_big']))['Total Cost']).toBeLessThan(3_000_000);
    });
  }

  it('the overview counts all of them, of one workspace', async () => {
    const { body } = await api.call('GET', '/v1/ops/overview', { token: await token({ ws: 'ws_big', roles: ['operator'] }) });
    const o = OpsOverview.parse(body);
    expect(o.runs.open).toBe(OPEN);
    expect(o.runs.by_state.map((s) => [s.state, s.n])).toEqual([
      ['ready', OPEN / 2],
      ['running', OPEN / 2],
      ['completed', RUNS - OPEN],
    ]);
    expect(o.unconfirmed).toMatchObject({ n: OPEN });
    expect(o.unconfirmed.queue).toHaveLength(50);
    expect(o.holds.find((h) => h.kind === 'queries')).toMatchObject({ n: 5 * OPEN, amount: 5 * OPEN });
    expect(o.outbox.pending).toBe(OPEN);
  });
});
