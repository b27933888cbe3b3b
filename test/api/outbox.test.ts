import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { afterEach, describe, expect, it } from 'vitest';
import { startOutbox } from '../../activities/outbox.js';
import { transaction } from '../../db/client.js';
import { wake } from '../../db/events.js';
import { campaign, fakeTemporal, startApi, until, type Sent, type TestApi } from './support.js';

let api: TestApi | undefined;
afterEach(async () => {
  await api?.stop();
  api = undefined;
});

const unavailable = (): Error => Object.assign(new Error('14 UNAVAILABLE'), { code: 14 });
const put = (run: string, ...names: string[]) =>
  transaction(api!.pool, async (tx) => {
    for (const name of names) await wake(tx, { id: run, workspace_id: 'ws_a' }, `campana/ws_a/${run}`, name, { n: 1 });
  });
const pending = async (): Promise<number> =>
  (await api!.pool.query('select count(*)::int as n from outbox where delivered_at is null')).rows[0].n;
const names = (sent: Sent[], run: string): string[] => sent.filter((s) => s.workflowId.endsWith(run)).map((s) => s.name);

describe('the outbox', () => {
  it('starts the workflow of a new run as soon as it is told to, once', async () => {
    const { client, sent } = fakeTemporal();
    api = await startApi();
    // One that would not look at the table by itself while this test lasts.
    const told = startOutbox({ ...api.ctx, temporal: client }, { pollMs: 3_600_000 });
    const made = await api.call('POST', '/v1/runs', { body: campaign });
    await until(() => sent.length === 1);
    expect(sent[0]).toMatchObject({
      kind: 'start',
      name: 'campana',
      workflowId: `campana/ws_a/${made.body.run_id}`,
      args: [{ workspace: 'ws_a', run: made.body.run_id }],
    });
    for (let i = 0; i < 20; i += 1) {
      await put(made.body.run_id, `s${i}`);
      await until(() => sent.some((s) => s.name === `s${i}`));
    }
    // Nor does it need the database's word where it is told by its own process.
    await until(async () => (await pending()) === 0);
    await api.pool.query(`update outbox set delivered_at = null, next_at = now() where payload ->> 'signal' = 's19'`);
    told.kick();
    await until(() => sent.length === 22);
    await until(async () => (await pending()) === 0);
    expect(sent.map((s) => s.name)).toEqual(['campana', ...Array.from({ length: 20 }, (_, i) => `s${i}`), 's19']);
    await told.stop();
  });

  it('keeps the order of a run through failures, and one run never holds up another', async () => {
    let broken = 'first';
    const { client, sent } = fakeTemporal((call) =>
      call.workflowId.endsWith('run_bad') && call.name === broken ? new Error('invalid argument') : null,
    );
    api = await startApi({ temporal: client });
    await put('run_bad', 'first', 'second', 'third');
    await put('run_good', 'a', 'b', 'c');
    await until(() => names(sent, 'run_good').length === 3);
    expect(names(sent, 'run_good')).toEqual(['a', 'b', 'c']);
    await put('run_bad', 'fourth');
    await until(
      async () => (await api!.pool.query(`select attempts from outbox where payload ->> 'signal' = 'first'`)).rows[0].attempts >= 1,
    );
    expect(names(sent, 'run_bad')).toEqual([]);
    broken = '';
    await until(() => names(sent, 'run_bad').length === 4);
    expect(names(sent, 'run_bad')).toEqual(['first', 'second', 'third', 'fourth']);
    await until(async () => (await pending()) === 0);
  });

  it('takes a signal for nobody as delivered, but not while the run has still to start', async () => {
    let refuseStart = true;
    const { client, sent } = fakeTemporal((call) => {
      if (call.kind === 'start')
        return refuseStart
          ? new Error('search attribute not known')
          : new WorkflowExecutionAlreadyStartedError('already', call.workflowId, 'campana');
      return call.name === 'gone' ? new WorkflowNotFoundError('no', call.workflowId, undefined) : null;
    });
    api = await startApi({ temporal: client });
    const made = await api.call('POST', '/v1/runs', { body: campaign });
    const run = made.body.run_id;
    await put(run, 'gone', 'later');
    await until(async () => (await api!.pool.query(`select error from outbox where kind = 'start'`)).rows[0].error !== null);
    expect(sent).toEqual([]);
    refuseStart = false;
    await until(() => names(sent, run).includes('later'));
    await until(async () => (await pending()) === 0);
    const rows = (await api.pool.query('select kind, error from outbox order by id')).rows;
    expect(rows).toEqual([
      { kind: 'start', error: 'already_started' },
      { kind: 'signal', error: 'workflow_not_found' },
      { kind: 'signal', error: null },
    ]);
  });

  it('keeps taps while Temporal is away, and delivers them when it is back', async () => {
    let away = true;
    const { client, sent } = fakeTemporal(() => (away ? unavailable() : null));
    api = await startApi({ temporal: client });
    const runs = await Promise.all(Array.from({ length: 30 }, () => api!.call('POST', '/v1/runs', { body: campaign })));
    expect(runs.every((r) => r.status === 202)).toBe(true);
    await until(() => !api!.outbox.state().reachable);
    away = false;
    await until(() => sent.length === 30);
    expect(api.outbox.state().reachable).toBe(true);
    expect(new Set(sent.map((s) => s.workflowId)).size).toBe(30);
  });

  it('is shared by several processes without anything sent twice or out of order', async () => {
    const { client, sent } = fakeTemporal(() => null, 2);
    api = await startApi({ temporal: client });
    const others = [startOutbox(api.ctx), startOutbox(api.ctx)];
    const all = Array.from({ length: 15 }, (_, i) => `run_${i}`);
    for (let n = 0; n < 6; n += 1) await Promise.all(all.map((run) => put(run, `m${n}`)));
    await until(() => sent.length >= 90);
    await until(async () => (await pending()) === 0);
    expect(sent).toHaveLength(90);
    for (const run of all)
      expect(sent.filter((s) => s.workflowId === `campana/ws_a/${run}`).map((s) => s.name)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
    await Promise.all(others.map((o) => o.stop()));
  });

  it('gives back what a process held when it died', async () => {
    const { client, sent } = fakeTemporal();
    api = await startApi();
    await put('run_x', 'm0', 'm1');
    // As if leased by somebody who is gone.
    await api.pool.query(`update outbox set attempts = 1, next_at = now() + interval '300 ms'`);
    const heir = startOutbox({ ...api.ctx, temporal: client });
    await until(() => sent.length === 2);
    expect(sent.map((s) => s.name)).toEqual(['m0', 'm1']);
    await heir.stop();
  });
});
