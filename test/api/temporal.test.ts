import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTemporal, ATTRIBUTES } from '../../activities/temporal.js';
import { campaign, proxyTo, startApi, until, type Proxy, type TestApi } from './support.js';

/** The outbox against a real server, through a line that can be cut. No worker: what counts here is what the server holds. */
let api: TestApi;
let proxy: Proxy;
let client: Client;
let calls = 0;
beforeAll(async () => {
  proxy = await proxyTo(new URL(`tcp://${inject('temporalAddress')}`));
  process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${proxy.port}`;
  client = createTemporal(() => {
    calls += 1;
  });
  api = await startApi({ temporal: client });
});
afterAll(async () => {
  await api.stop();
  await client.connection.close();
  await proxy.cut();
  delete process.env['TEMPORAL_ADDRESS'];
});

const describeRun = (run: string) => client.workflow.getHandle(`campana/ws_a/${run}`).describe();
const signals = async (run: string): Promise<number> => {
  const { events } = await client.workflow.getHandle(`campana/ws_a/${run}`).fetchHistory();
  return (events ?? []).filter((e) => e.workflowExecutionSignaledEventAttributes).length;
};

describe('with a Temporal server', () => {
  it('starts each run once, named so that an operator can read it', async () => {
    const made = await api.call('POST', '/v1/runs', { body: campaign });
    const run = made.body.run_id;
    await until(async () => (await describeRun(run).catch(() => undefined)) !== undefined);
    const found = await describeRun(run);
    expect(found).toMatchObject({ type: 'campana', taskQueue: 'campana', memo: { cuentas: 10 } });
    expect(found.typedSearchAttributes.get(ATTRIBUTES.workspace)).toBe('ws_a');
    expect(found.typedSearchAttributes.get(ATTRIBUTES.planVersion)).toBe(1);
    expect(await found.staticSummary()).toBe('Campaña 10 · ws_a · v1');
    expect(calls).toBeGreaterThan(0);
    // The same row once more, as after a crash between the call and its note.
    await api.pool.query(`update outbox set delivered_at = null, next_at = now() where run_id = $1 and kind = 'start'`, [run]);
    api.outbox.kick();
    await until(
      async () =>
        (await api.pool.query(`select 1 from outbox where run_id = $1 and kind = 'start' and delivered_at is not null`, [run])).rowCount ===
        1,
    );
    expect((await describeRun(run)).runId).toBe(found.runId);
    await client.workflow.getHandle(`campana/ws_a/${run}`).terminate();
  });

  it('takes changes while the server is away, and delivers them when it is back', async () => {
    const run = (await api.call('POST', '/v1/runs', { body: campaign })).body.run_id;
    await until(async () => (await describeRun(run).catch(() => undefined)) !== undefined);
    await proxy.cut();
    expect((await api.call('POST', `/v1/runs/${run}/pause`)).status).toBe(202);
    const other = await api.call('POST', '/v1/runs', { body: campaign });
    expect(other.status).toBe(202);
    await until(() => !api.outbox.state().reachable);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await proxy.heal();
    await until(async () => (await api.pool.query('select 1 from outbox where delivered_at is null')).rowCount === 0);
    expect(await signals(run)).toBeGreaterThanOrEqual(1);
    expect((await describeRun(other.body.run_id)).status.name).toBe('RUNNING');
    for (const id of [run, other.body.run_id]) await client.workflow.getHandle(`campana/ws_a/${id}`).terminate();
  });

  it('delivers every wake-up of a run that is paused and resumed, in the order of the commits', async () => {
    const run = (await api.call('POST', '/v1/runs', { body: campaign })).body.run_id;
    await until(async () => (await describeRun(run).catch(() => undefined)) !== undefined);
    for (let i = 0; i < 20; i += 1) await api.call('POST', `/v1/runs/${run}/${i % 2 === 0 ? 'pause' : 'resume'}`);
    await until(
      async () => (await api.pool.query('select 1 from outbox where run_id = $1 and delivered_at is null', [run])).rowCount === 0,
    );
    const { rows } = await api.pool.query<{ id: number; error: string | null }>(
      `select id, error from outbox where run_id = $1 order by delivered_at, id`,
      [run],
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map((r) => Number(r.id))).toEqual(rows.map((r) => Number(r.id)).sort((a, b) => a - b));
    await client.workflow.getHandle(`campana/ws_a/${run}`).terminate();
  });
});
