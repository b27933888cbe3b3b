import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../db/client.js';
import { pauseProvider, takeRate } from '../../db/lanes.js';
import { newWorkspace, openLab, sql, type Lab } from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());
const take = (workspace: string, wanted: number): Promise<{ allowed: number; waitMs: number }> =>
  transaction(lab.pool, (tx) => takeRate(tx, workspace, 'mcp', wanted));

describe('the limiter that all lanes share', () => {
  it('lets everything through where no rate is set', async () => {
    expect(await take(await newWorkspace(lab), 10)).toEqual({ allowed: 10, waitMs: 0 });
  });

  it('hands out at most a second of calls at once, however many lanes ask together, and refills by time', async () => {
    const workspace = await newWorkspace(lab);
    await sql(lab, `update workspaces set calls_per_second = 5 where id = $1`, [workspace]);
    const before = Date.now();
    const given = (await Promise.all(Array.from({ length: 12 }, () => take(workspace, 1)))).reduce((n, t) => n + t.allowed, 0);
    expect(given).toBeGreaterThanOrEqual(5);
    expect(given).toBeLessThanOrEqual(5 + Math.ceil(((Date.now() - before) / 1000) * 5));
    const emptied = Date.now();
    await sql(lab, `update provider_limits set tokens = 0, refilled_at = clock_timestamp() where workspace_id = $1`, [workspace]);
    const early = await take(workspace, 3);
    // Nothing, but for what time has brought meanwhile on a machine that is busy.
    expect(early.allowed).toBeLessThanOrEqual(Math.floor((Date.now() - emptied + 2) / 200));
    if (early.allowed === 0) expect(early.waitMs).toBe(200);
    await sql(lab, `update provider_limits set refilled_at = now() - interval '1 hour' where workspace_id = $1`, [workspace]);
    expect((await take(workspace, 9)).allowed).toBe(5);
  });

  it('gives nothing while the provider asked to be left alone, and says for how long', async () => {
    const workspace = await newWorkspace(lab);
    await transaction(lab.pool, (tx) => pauseProvider(tx, workspace, 'mcp', 40_000));
    await transaction(lab.pool, (tx) => pauseProvider(tx, workspace, 'mcp', 1_000));
    const { allowed, waitMs } = await take(workspace, 4);
    expect(allowed).toBe(0);
    expect(waitMs).toBeGreaterThan(1_000);
    expect((await take(await newWorkspace(lab), 4)).allowed).toBe(4);
  });
});
