import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditPage, type AuditEntry } from '../../contracts/operations.js';
import { finishedRun, newWorkspace, openRun, progressOf, sql } from '../support/runs.js';
import { openRig, type Rig } from './ops-rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

const audit = async (workspace: string, query = ''): Promise<AuditEntry[]> =>
  AuditPage.parse((await (await rig.as(workspace)).get(`/v1/ops/audit?${query}`)).body).entries;
const told = (entries: AuditEntry[]) =>
  entries.map(({ actor, channel, action, reason, result }) => [actor, channel, action, reason, result]);

describe("an operator's action", () => {
  it('pauses, resumes and cancels with a reason, each once in the audit however often its request is repeated', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const olga = await rig.as(ws, { sub: 'olga', roles: ['operator'] });
    for (const [action, state] of [
      ['pause', 'paused'],
      ['resume', 'ready'],
      ['cancel', 'stopping'],
    ] as const) {
      for (const _ of [1, 2]) {
        const done = await olga.post(
          `/v1/ops/runs/${at.run}/${action}`,
          { reason: `  por ${action} ` },
          { key: `${ws}-${action}`, headers: { 'x-campana-channel': 'web' } },
        );
        expect([done.status, done.body]).toEqual([202, { run_id: at.run, changed: 1 }]);
      }
      expect((await progressOf(rig.lab, at)).state).toBe(state);
    }
    expect(told(await audit(ws, 'ops=true'))).toEqual([
      ['olga', 'web', 'ops.cancel', 'por cancel', 'done'],
      ['olga', 'web', 'ops.resume', 'por resume', 'done'],
      ['olga', 'web', 'ops.pause', 'por pause', 'done'],
    ]);
    expect(await sql(rig.lab, `select 1 from audit where workspace_id = $1 and action like 'run.%'`, [ws])).toEqual([]);
  });

  it('that changes nothing says so, and is in the audit all the same', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const { post } = await rig.as(ws);
    await post(`/v1/ops/runs/${at.run}/pause`, { reason: 'primera' });
    expect((await post(`/v1/ops/runs/${at.run}/pause`, { reason: 'segunda' })).body).toEqual({ run_id: at.run, changed: 0 });
    expect((await post(`/v1/ops/runs/${at.run}/repair-projection`, { reason: 'por si acaso' })).body).toEqual({
      run_id: at.run,
      changed: 0,
    });
    expect((await post(`/v1/ops/runs/${at.run}/settle-unconfirmed`, { reason: 'nada abierto', outcome: 'voided' })).body).toEqual({
      run_id: at.run,
      changed: 0,
    });
    expect((await audit(ws, 'ops=true')).map((e) => [e.action, e.result])).toEqual([
      ['ops.settle-unconfirmed', 'unchanged'],
      ['ops.repair-projection', 'unchanged'],
      ['ops.pause', 'unchanged'],
      ['ops.pause', 'done'],
    ]);
  });

  it('that is refused says why, leaves the run alone, and is in the audit', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await finishedRun(rig.lab, ws, { cuentas: 2 });
    const { post } = await rig.as(ws);
    const before = await progressOf(rig.lab, at);
    const refusals: Array<[string, Record<string, unknown>, number, string]> = [
      ['pause', {}, 409, 'run_final'],
      ['resume', {}, 409, 'run_final'],
      ['cancel', {}, 409, 'run_final'],
      ['retry-failed', {}, 409, 'run_final'],
      ['settle-unconfirmed', {}, 422, 'outcome_missing'],
      ['settle-unconfirmed', { outcome: 'voided', effect_id: 'eff_none' }, 409, 'effect_not_open'],
    ];
    for (const [action, more, status, code] of refusals)
      expect((await post(`/v1/ops/runs/${at.run}/${action}`, { reason: 'a ver', ...more })).body).toMatchObject({ status, code });
    expect(await progressOf(rig.lab, at)).toEqual(before);
    expect((await audit(ws, `ops=true&run_id=${at.run}`)).map((e) => [e.action, e.reason, e.result, e.detail['code']]).reverse()).toEqual(
      refusals.map(([action, , , code]) => [`ops.${action}`, 'a ver', 'refused', code]),
    );
  });

  it('needs a reason that says something, an operator, and a person', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const { post } = await rig.as(ws);
    for (const action of ['pause', 'resume', 'cancel', 'retry-failed', 'settle-unconfirmed', 'repair-projection']) {
      for (const body of [undefined, {}, { reason: '' }, { reason: '   \n ' }, { reason: 'no' }, { reason: 7 }]) {
        const { body: problem } = await post(`/v1/ops/runs/${at.run}/${action}`, body);
        expect([action, problem]).toMatchObject([action, { status: 422, code: 'reason_missing' }]);
      }
      expect(
        (await (await rig.as(ws, { roles: ['seller', 'approver'] })).post(`/v1/ops/runs/${at.run}/${action}`, { reason: 'quiero' })).body,
      ).toMatchObject({ status: 403, code: 'role_missing' });
      expect(
        (await (await rig.as(ws, { typ: 'agent' })).post(`/v1/ops/runs/${at.run}/${action}`, { reason: 'quiero' })).body,
      ).toMatchObject({ status: 403, code: 'person_needed' });
    }
    expect((await post(`/v1/ops/runs/${at.run}/terminate`, { reason: 'nunca' })).status).toBe(404);
    expect(await audit(ws, 'ops=true')).toEqual([]);
    expect((await progressOf(rig.lab, at)).state).toBe('ready');
  });

  it('on a run of another workspace is told that there is none, and leaves nothing there', async () => {
    const [ws, other] = [await newWorkspace(rig.lab), await newWorkspace(rig.lab)];
    const at = await openRun(rig.lab, ws);
    expect((await (await rig.as(other)).post(`/v1/ops/runs/${at.run}/pause`, { reason: 'de otro' })).body).toMatchObject({
      status: 404,
      code: 'run_not_found',
    });
    expect([await audit(ws, 'ops=true'), await audit(other, 'ops=true')]).toEqual([[], []]);
  });
});

describe('the audit', () => {
  it('has what sellers did too, by run and person, page by page without a gap, and only for operators', async () => {
    const ws = await newWorkspace(rig.lab);
    const [one, two] = [await openRun(rig.lab, ws), await openRun(rig.lab, ws)];
    const ana = await rig.as(ws, { roles: ['seller'] });
    for (const at of [one, two, one])
      for (const action of ['pause', 'resume']) await ana.post(`/v1/runs/${at.run}/${action}`, { reason: 'comida' });
    await (await rig.as(ws, { sub: 'olga' })).post(`/v1/ops/runs/${two.run}/pause`, { reason: 'revisión' });
    const all = await audit(ws);
    expect(all.map((e) => [e.actor, e.run_id, e.action])).toEqual([
      ['olga', two.run, 'ops.pause'],
      ...[one, two, one].flatMap((at) => [
        ['ana', at.run, 'run.resume'],
        ['ana', at.run, 'run.pause'],
      ]),
    ]);
    expect(await audit(ws, `run_id=${one.run}`)).toEqual(all.filter((e) => e.run_id === one.run));
    expect(await audit(ws, 'actor=olga')).toEqual(all.slice(0, 1));
    expect(await audit(ws, 'ops=true')).toEqual(all.slice(0, 1));
    const { get } = await rig.as(ws);
    const seen: AuditEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ReturnType<typeof AuditPage.parse> = AuditPage.parse(
        (await get(`/v1/ops/audit?limit=2${cursor ? `&cursor=${cursor}` : ''}`)).body,
      );
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all);
    expect((await ana.get('/v1/ops/audit')).body).toMatchObject({ status: 403, code: 'role_missing' });
    expect(await audit(await newWorkspace(rig.lab))).toEqual([]);
  });
});
