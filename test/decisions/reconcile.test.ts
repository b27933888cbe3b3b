import type { Client } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reconcile } from '../../activities/maintenance.js';
import type { Context } from '../../activities/context.js';
import { newWorkspace, openLab, openRun, progressOf, sql, type Lab, type OpenRun } from '../support/runs.js';

/** A Temporal that knows of every workflow what this says, and notes who was asked for, how many at once. */
const temporalThatSays = (statusOf: (workflowId: string) => string, tookMs: () => number = () => 0) => {
  const asked: string[] = [];
  let under = 0;
  const seen = { asked, mostAtOnce: 0 };
  const describe = async (workflowId: string): Promise<unknown> => {
    asked.push(workflowId);
    seen.mostAtOnce = Math.max(seen.mostAtOnce, (under += 1));
    await new Promise((resolve) => setTimeout(resolve, tookMs()));
    under -= 1;
    return { status: { name: statusOf(workflowId) }, historyLength: 7 };
  };
  const client = {
    withDeadline: (_until: number, fn: () => Promise<unknown>) => fn(),
    workflow: { getHandle: (id: string) => ({ describe: () => describe(id) }) },
  };
  return { seen, client: client as unknown as Client };
};

describe('the comparison of open runs with their workflows', () => {
  let lab: Lab;
  let newest: OpenRun;
  let newestWorkflow: string;
  beforeEach(async () => {
    lab = await openLab();
    newest = await openRun(lab, await newWorkspace(lab));
    await sql(lab, `update outbox set delivered_at = now()`);
    await sql(lab, `update runs set created_at = created_at - interval '1 minute'`);
    newestWorkflow =
      (await sql<{ workflow_id: string }>(lab, `select workflow_id from runs where id = $1`, [newest.run]))[0]?.workflow_id ?? '';
  });
  afterEach(() => lab.close());

  /** This many older runs, as rows only. */
  const before = (n: number): Promise<unknown> =>
    sql(
      lab,
      `insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', 'run_' || lpad(i::text, 26, '0'), 'workflow_id', 'older/' || i))).*
      from runs r, generate_series(1, $1::int) i where r.id = $2`,
      [n, newest.run],
    );
  const round = (client: Client, atLeast?: number): Promise<number> =>
    reconcile({ ...lab.ctx, temporal: client } satisfies Context, atLeast);

  it('settles a terminated run that is newer than 5,000 others within three rounds, that is within a minute', async () => {
    await before(5_000);
    const { client, seen } = temporalThatSays((id) => (id === newestWorkflow ? 'TERMINATED' : 'RUNNING'));
    const settled: number[] = [];
    for (let i = 0; i < 3; i += 1) settled.push(await round(client));
    expect(settled.reduce((a, b) => a + b)).toBe(1);
    expect((await progressOf(lab, newest)).state).toBe('canceled');
    // Each once: nobody is looked at twice while others wait.
    expect(new Set(seen.asked).size).toBe(5_001);
    expect(seen.asked.length).toBe(5_001);
  });

  it('goes on in the next round where the last one ended, in whichever process, and begins anew after the newest', async () => {
    await before(6);
    const { client, seen } = temporalThatSays(() => 'RUNNING');
    for (let i = 0; i < 3; i += 1) await round(client, 4);
    const ids = [...Array.from({ length: 6 }, (_, i) => `older/${i + 1}`), newestWorkflow];
    expect(seen.asked).toHaveLength(12);
    // 12 looks over 7 runs: all of them once before any a third time.
    expect(ids.map((id) => seen.asked.filter((asked) => asked === id).length).sort()).toEqual([1, 1, 2, 2, 2, 2, 2]);
    expect(seen.mostAtOnce).toBeLessThanOrEqual(16);
  });

  it('one run that cannot be closed does not keep the others open', async () => {
    // Rows without progress: closing them fails.
    await before(3);
    const { client } = temporalThatSays(() => 'TERMINATED');
    expect(await round(client)).toBe(1);
    expect((await progressOf(lab, newest)).state).toBe('canceled');
  });

  it('a round ends in time when the server is slow, and the next one goes on from there', async () => {
    await before(100);
    let tookMs = 2_100;
    const { client, seen } = temporalThatSays(
      () => 'RUNNING',
      () => tookMs,
    );
    await round(client);
    // All of them would take seven times as long as one.
    expect(seen.asked.length).toBeLessThan(101);
    const first = seen.asked.length;
    tookMs = 0;
    await round(client);
    expect(new Set(seen.asked.slice(first, first + 16)).size).toBe(16);
    expect(seen.asked.slice(0, first)).not.toContain(seen.asked[first]);
  });
});
