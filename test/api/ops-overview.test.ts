import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMaintenance } from '../../activities/maintenance.js';
import { workflowLinks } from '../../api/temporal-ui.js';
import { OpsOverview, OpsRunPage, type OpsRun } from '../../contracts/operations.js';
import { pauseProvider } from '../../db/lanes.js';
import { transaction } from '../../db/client.js';
import { approve, finishedRun, itemOf, lane, newWorkspace, nobodyKnows, openRun, runAtReveal, sql, tick } from '../support/runs.js';
import { openRig, type Rig } from './ops-rig.js';
import { fakeTemporal, until } from './support.js';

const UI = 'http://127.0.0.1:8233';
let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ env: { CAMPANA_TEMPORAL_UI: `${UI}/` } });
});
afterAll(() => rig.close());

const overview = async (workspace: string): Promise<OpsOverview> => {
  const { status, body } = await (await rig.as(workspace, { roles: ['operator'] })).get('/v1/ops/overview');
  expect(status).toBe(200);
  return OpsOverview.parse(body);
};
const listed = async (workspace: string, query: string): Promise<OpsRun[]> =>
  OpsRunPage.parse((await (await rig.as(workspace)).get(`/v1/ops/runs?${query}`)).body).runs;
const older = (run: string, age: string) => sql(rig.lab, `update runs set created_at = now() - $2::interval where id = $1`, [run, age]);
const still = (run: string, age: string) =>
  sql(
    rig.lab,
    `update run_progress set body = body || jsonb_build_object('last_progress_at', to_char((now() - $2::interval) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) where run_id = $1`,
    [run, age],
  );

describe('the overview', () => {
  it('is for operators', async () => {
    expect((await (await rig.as('ws_x', { roles: ['seller', 'approver'] })).get('/v1/ops/overview')).body).toMatchObject({
      status: 403,
      code: 'role_missing',
    });
  });

  it('of a workspace in which nothing has happened is all zeros', async () => {
    const o = await overview('ws_nobody');
    expect(o.runs).toEqual({ open: 0, by_state: [], idle: { n: 0, over_ms: 600_000, longest_ms: 0, link: '/v1/ops/runs?idle=true' } });
    expect(o.holds.map((h) => [h.kind, h.n, h.amount])).toEqual([
      ['credits', 0, 0],
      ['inference', 0, 0],
      ['queries', 0, 0],
    ]);
    expect(o.unconfirmed).toMatchObject({ n: 0, needs_operator: 0, credits_held: 0, oldest_sent_at: null, queue: [] });
    expect(o.limiter).toEqual({ calls_per_second: null, concurrency: 10, in_use: 0, waiting: 0, providers: [] });
    expect(o.outbox).toEqual({ pending: 0, oldest_ms: 0, failing: 0 });
    expect(o.invariants).toMatchObject({ ok: true, broken: [], link: '/v1/ops/invariants' });
    expect(o.invariants.checked).toBeGreaterThan(8);
  });

  it('counts runs by state and age, and holds by kind and age with their sums', async () => {
    const ws = await newWorkspace(rig.lab);
    const waiting = await openRun(rig.lab, ws);
    const going = await openRun(rig.lab, ws, { cuentas: 4 });
    await approve(rig.lab, going, 's0');
    const done = await finishedRun(rig.lab, ws, { cuentas: 3 });
    await older(waiting.run, '5 hours');
    await older(going.run, '2 days');
    await older(done.run, '9 days');
    await sql(rig.lab, `update holds set created_at = now() - interval '4 days' where run_id = $1`, [going.run]);
    const held = await sql<{ n: number; amount: number }>(
      rig.lab,
      `select count(*)::int as n, sum(amount)::bigint as amount from holds where run_id = $1 and state = 'live' and kind = 'queries'`,
      [going.run],
    );
    const o = await overview(ws);
    const none = { under_1h: 0, h1_to_24: 0, d1_to_3: 0, over_3d: 0 };
    expect(o.runs.open).toBe(2);
    expect(o.runs.by_state).toEqual([
      { state: 'ready', n: 1, ages: { ...none, h1_to_24: 1 } },
      { state: 'running', n: 1, ages: { ...none, d1_to_3: 1 } },
      { state: 'completed', n: 1, ages: { ...none, over_3d: 1 } },
    ]);
    const zero = { n: 0, amount: 0 };
    expect(held[0]?.n).toBeGreaterThan(0);
    expect(o.holds.find((h) => h.kind === 'queries')).toEqual({
      kind: 'queries',
      ...held[0],
      ages: { under_1h: zero, h1_to_24: zero, d1_to_3: zero, over_3d: held[0] },
    });
    // The signals and starts that nobody has delivered yet: there is no Temporal in this test.
    const pending = await sql<{ n: number }>(
      rig.lab,
      `select count(*)::int as n from outbox where workspace_id = $1 and delivered_at is null`,
      [ws],
    );
    expect(o.outbox.pending).toBe(pending[0]?.n);
    expect(o.outbox.pending).toBeGreaterThan(2);
  });

  it('calls idle only what waits for a machine', async () => {
    const ws = await newWorkspace(rig.lab);
    const started = async () => {
      const at = await openRun(rig.lab, ws);
      await approve(rig.lab, at, 's0');
      return at;
    };
    await started();
    const [stuck, atACard, neverAsked] = [await started(), await openRun(rig.lab, ws), await openRun(rig.lab, ws)];
    for (const at of [atACard, stuck, neverAsked]) await still(at.run, '25 minutes');
    // As a start whose workflow never came: no card yet.
    await sql(rig.lab, `update run_progress set body = body || '{"decisions":[]}' where run_id = $1`, [neverAsked.run]);
    const o = await overview(ws);
    expect(o.runs.idle.n).toBe(2);
    expect(o.runs.idle.longest_ms).toBeGreaterThan(1_490_000);
    expect((await listed(ws, 'idle=true')).map((r) => r.run_id).sort()).toEqual([stuck.run, neverAsked.run].sort());
    expect((await listed(ws, 'state=ready')).map((r) => r.run_id).sort()).toEqual([atACard.run, neverAsked.run].sort());
  });

  it('lists what nobody knows with what it holds, and links each run to its workflow', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await runAtReveal(rig.lab, ws, { cuentas: 3, price: 2 });
    await sql(rig.lab, `update runs set plan_max = plan_max || '{"credits":20}' where id = $1`, [at.run]);
    await sql(rig.lab, `update run_progress set body = jsonb_set(body, '{budget,credits,plan_max}', '20') where run_id = $1`, [at.run]);
    await approve(rig.lab, at, 's4');
    const item = itemOf(await tick(rig.lab, at, lane('l1')));
    await tick(rig.lab, at, lane('l1'), nobodyKnows(item));
    const [effect] = await sql<{ id: string }>(rig.lab, `select id from effects where run_id = $1 and state = 'unconfirmed'`, [at.run]);
    const o = await overview(ws);
    const [held] = await sql<{ amount: number }>(
      rig.lab,
      `select h.amount from effects e join holds h on h.id = e.hold_id where e.id = $1`,
      [effect?.id],
    );
    expect(o.unconfirmed).toMatchObject({ n: 1, needs_operator: 0, credits_held: held?.amount, link: '/v1/ops/runs?unconfirmed=true' });
    const url = `${UI}/namespaces/default/workflows/${encodeURIComponent(`campana/${ws}/${at.run}`)}`;
    expect(o.unconfirmed.queue).toMatchObject([
      {
        effect_id: effect?.id,
        run_id: at.run,
        kind: 'people_reveal',
        state: 'unconfirmed',
        reads: 0,
        credits_held: held?.amount,
        workflow_id: `campana/${ws}/${at.run}`,
        temporal_url: url,
      },
    ]);
    expect(o.temporal_ui).toBe(UI);
    expect(await listed(ws, 'unconfirmed=true')).toMatchObject([
      { run_id: at.run, temporal_url: url, control: 'run', open_effects: [{ effect_id: effect?.id, state: 'unconfirmed' }] },
    ]);
    await sql(rig.lab, `update effects set needs_operator = true where id = $1`, [effect?.id]);
    expect((await overview(ws)).unconfirmed.needs_operator).toBe(1);
  });

  it('shows the limit of calls: what may go out, what goes out, what waits, and until when the provider wants peace', async () => {
    const ws = await newWorkspace(rig.lab);
    await sql(rig.lab, `update workspaces set calls_per_second = 50 where id = $1`, [ws]);
    const at = await runAtReveal(rig.lab, ws, { cuentas: 3 });
    await approve(rig.lab, at, 's4');
    itemOf(await tick(rig.lab, at, lane('l1')));
    const before = await overview(ws);
    expect(before.limiter).toMatchObject({ calls_per_second: 50, concurrency: 10, in_use: 1 });
    expect(before.limiter.waiting).toBe(2);
    expect(before.limiter.providers).toMatchObject([
      { provider: 'test', paused_until: null, paused_ms: 0, limited_at: null, limited_ms: null },
    ]);
    await transaction(rig.lab.pool, (tx) => pauseProvider(tx, ws, 'test', 40_000));
    const [after] = (await overview(ws)).limiter.providers;
    expect(after).toMatchObject({ provider: 'test', permits: 0, limited_ms: 40_000 });
    expect(after?.paused_ms).toBeGreaterThan(0);
    expect(Date.parse(after?.paused_until ?? '')).toBeGreaterThan(Date.now());
    expect(Date.parse(after?.limited_at ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('says it when the ledger does not add up, by name, and only there', async () => {
    const [broken, whole] = [await newWorkspace(rig.lab), await newWorkspace(rig.lab)];
    await sql(
      rig.lab,
      `update ledger_accounts set granted = granted + 1, available = available + 1 where workspace_id = $1 and kind = 'credits'`,
      [broken],
    );
    expect((await overview(broken)).invariants).toMatchObject({
      ok: false,
      broken: [{ id: 'I1 conservation', detail: `1: ${broken} credits granted` }],
    });
    expect((await overview(whole)).invariants.ok).toBe(true);
  });

  it('knows when runs were last compared with their workflows, whichever process did it', async () => {
    expect((await overview('ws_nobody')).reconcile).toMatchObject({ last_at: null, rounds: 0 });
    const maintenance = startMaintenance({ ...rig.lab.ctx, temporal: fakeTemporal().client });
    const { reconcile } = await until(async () => {
      const o = await overview('ws_nobody');
      return o.reconcile.last_at !== null && o;
    });
    await maintenance.stop();
    expect(reconcile).toMatchObject({ rounds: 1, settled: 0 });
    expect(Date.now() - Date.parse(reconcile.last_at ?? '')).toBeLessThan(60_000);
    expect(reconcile.took_ms).toBeGreaterThanOrEqual(0);
  });
});

describe('a link to Temporal', () => {
  it('is there only where the address is one that a link may have', () => {
    const linked = (CAMPANA_TEMPORAL_UI: string): string | null =>
      workflowLinks({ env: { ...rig.api.ctx.env, CAMPANA_TEMPORAL_UI }, temporal: null })('campana/ws/run');
    for (const address of ['', 'javascript:alert(1)', 'data:text/html,x', 'not an address']) expect(linked(address)).toBeNull();
    expect(linked('https://temporal.example/ui/')).toBe('https://temporal.example/ui/namespaces/default/workflows/campana%2Fws%2Frun');
  });
});
