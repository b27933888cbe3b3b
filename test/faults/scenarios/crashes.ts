import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { option, searched } from '../api.js';
import { buildEntries, bundleWorkflows } from '../../../stack/build.js';
import type { Scenario } from '../scenario.js';
import { CONCURRENCY, type World } from '../world.js';
import { extraWorker } from '../extra-worker.js';

/** Slow enough that a moment can be hit, the same for every scenario here. */
const slow = async (world: World, tool: 'people_search' | 'people_reveal', ms: number): Promise<void> => {
  await world.kitchen.fault({ kind: 'latency', tool, latency_ms: ms });
};

/** What has to have come of a whole campaign of fifty, whatever happened on the way. */
const wholeCampaign = async (world: World, run: string): Promise<void> => {
  const end = await world.api.ended(run);
  assert.equal(end.state, 'completed_partial', JSON.stringify(end.reason));
  assert.deepEqual([end.counts.done + end.counts.not_found, end.counts.failed, end.counts.skipped], [50, 0, 0]);
  assert.equal(end.counts.not_found, 3, 'three of the first fifty have nobody in purchasing');
  assert.deepEqual([end.contacts.captured, end.contacts.drafted, end.contacts.unconfirmed], [47, 47, 0]);
  assert.deepEqual([end.budget.credits.spent, end.budget.credits.held], [47, 0]);
};

/** The worker is killed at three moments of the search and at two of the reveal. */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  covers: '8',
  invariants: ['I1', 'I3', 'I5', 'I8', 'I9'],
  async run(world, rng) {
    await world.kitchen.honoursKeys(rng.chance(0.5));
    await slow(world, 'people_search', 150);
    await slow(world, 'people_reveal', 150);
    const run = await world.automatic();
    for (const [from, to] of [
      [5, 14],
      [18, 28],
      [32, 42],
    ] as const) {
      const at = rng.int(from, to);
      await world.api.until(run, `${at} accounts searched`, (p) => searched(p) >= at);
      await world.bounce('worker');
    }
    for (const [from, to] of [
      [3, 12],
      [16, 30],
    ] as const) {
      const at = rng.int(from, to);
      await world.api.until(run, `${at} contacts revealed`, (p) => p.contacts.captured >= at);
      await world.bounce('worker');
    }
    await wholeCampaign(world, run);
  },
};

/** Temporal is gone for a while: progress is served all the same, and the run goes on when it is back. */
export const temporalDown: Scenario = {
  name: 'temporal-down',
  covers: '8',
  invariants: ['I6', 'I9', 'I10'],
  async run(world, rng) {
    await slow(world, 'people_search', 100);
    const run = await world.automatic();
    const at = rng.int(8, 25);
    await world.api.until(run, `${at} accounts searched`, (p) => searched(p) >= at);
    await world.kill('temporal');
    const other = await world.start({ cuentas: 5, caps: { credits: 10, queries: 20, inference_micros: 0 } });
    assert.equal((await world.api.progress(other)).state, 'ready');
    // The length of the outage is the point.
    await sleep(world.long ? 60_000 : 10_000);
    assert.ok(searched(await world.api.progress(run)) >= at);
    await world.restart('temporal');
    await wholeCampaign(world, run);
    await world.api.approve(await world.api.card(other, 'guardar_en_crm'), { option: 'decline', then: 'cancel' });
    assert.equal((await world.api.ended(other)).state, 'canceled');
  },
};

/** PostgreSQL dies while people are searched and while they are revealed: no half hold, and the end is the same. */
export const postgresKilled: Scenario = {
  name: 'postgres-killed',
  covers: 'matrix',
  invariants: ['I1', 'I2', 'I3', 'I9', 'I12'],
  async run(world, rng) {
    await slow(world, 'people_search', 100);
    await slow(world, 'people_reveal', 100);
    const { worker, api } = world.stack.pids;
    const run = await world.automatic();
    const first = rng.int(8, 35);
    await world.api.until(run, `${first} accounts searched`, (p) => searched(p) >= first);
    await world.bounce('postgres');
    const second = rng.int(5, 30);
    await world.api.until(run, `${second} contacts revealed`, (p) => p.contacts.captured >= second);
    await world.bounce('postgres');
    await wholeCampaign(world, run);
    assert.deepEqual([world.stack.pids.worker, world.stack.pids.api], [worker, api], 'a lost connection ends no process');
  },
};

/** The provider itself is restarted while it is asked. */
export const kitchenKilled: Scenario = {
  name: 'provider-restarted',
  covers: 'matrix',
  invariants: ['I3', 'I9'],
  async run(world, rng) {
    const slowly = { kind: 'latency', tool: 'people_search', latency_ms: 100 } as const;
    await world.kitchen.fault(slowly);
    const run = await world.automatic();
    const at = rng.int(8, 35);
    await world.api.until(run, `${at} accounts searched`, (p) => searched(p) >= at);
    world.deaths += 1;
    await world.bounce('kitchen');
    const end = await world.api.ended(run);
    assert.deepEqual([end.counts.done + end.counts.not_found, end.contacts.captured], [50, 47]);
  },
};

/** Two workers share the lanes; one of them dies. */
export const twoWorkers: Scenario = {
  name: 'two-workers',
  covers: 'matrix',
  invariants: ['I3', 'I7', 'I12'],
  async run(world, rng) {
    await slow(world, 'people_search', 150);
    await slow(world, 'people_reveal', 150);
    const [{ 'workers/main.ts': file }, { path: bundle }] = await Promise.all([
      buildEntries(['workers/main.ts']) as Promise<{ 'workers/main.ts': string }>,
      bundleWorkflows(),
    ]);
    const second = await extraWorker(world, file, bundle);
    try {
      const run = await world.automatic();
      const at = rng.int(8, 30);
      await world.api.until(run, `${at} accounts searched`, (p) => searched(p) >= at);
      await world.kill('worker');
      const later = rng.int(3, 25);
      await world.api.until(run, `${later} contacts revealed`, (p) => p.contacts.captured >= later);
      await world.restart('worker');
      world.deaths += 1;
      await second.kill();
      await wholeCampaign(world, run);
    } finally {
      await second.kill();
    }
  },
};

/** Everything dies at once, as when a machine loses its power, with a card open and a reveal out. */
export const powerCut: Scenario = {
  name: 'power-cut',
  covers: 'matrix',
  invariants: ['I1', 'I3', 'I5', 'I6', 'I9'],
  async run(world, rng) {
    await world.kitchen.honoursKeys(false);
    const { run: waiting, card } = await world.toReveal({ cuentas: 10, criteria: { giro: 'alimentos', estado: undefined } });
    const { run, card: reveal } = await world.toReveal({ cuentas: 20 });
    const before = rng.int(1, 8);
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_reveal', after: before, at: 'after_effect' });
    await world.api.approve(reveal, { option: 'all' });
    // Every lane has a call out that was charged and not answered.
    await world.kitchen.holds(hold, CONCURRENCY);
    for (const part of ['worker', 'api', 'kitchen', 'temporal', 'postgres'] as const) await world.kill(part);
    for (const part of ['postgres', 'temporal', 'kitchen', 'worker', 'api'] as const) await world.restart(part);
    const end = await world.api.ended(run);
    assert.equal(end.contacts.captured, option(reveal, 'all').n);
    assert.equal((await world.api.decision(card.id)).state, 'open');
    await world.api.approve(card, { option: 'decline', then: 'skip' });
    assert.equal((await world.api.ended(waiting)).state, 'completed_partial');
  },
};
