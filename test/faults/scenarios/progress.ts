import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../contracts/progress.js';
import { applyPatch } from '../../../workflows/progress.js';
import { option, sumOf } from '../api.js';
import { eventually } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';
import { listen } from '../sse.js';

const etag = (p: Progress): string => `W/"${p.version}-es-MX"`;
/** RPCs that the API has sent to Temporal so far. */
const temporalCalls = async (world: World): Promise<number> => {
  const text = await (await fetch(`${world.api.base}/metrics`)).text();
  return [...text.matchAll(/^campana_temporal_calls_total\{[^}]*\} (\d+)/gm)].reduce((sum, m) => sum + Number(m[1]), 0);
};

/** Every version, as the stream brings it and as a poller sees it: growing, adding up, and in the end the same as the rows and the query. */
export const versions: Scenario = {
  name: 'progress-versions',
  covers: '13',
  invariants: ['I8', 'I12'],
  async run(world) {
    await world.kitchen.fault({ kind: 'latency', tool: 'people_search', latency_ms: 20, jitter_ms: 60 });
    const run = await world.start({ caps: { credits: 100, queries: 200, inference_micros: 0 } });
    const stream = await listen(world.api, run);
    await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });
    const card = await world.api.card(run, 'revelar_contactos');

    const rest = await world.api.rest(run);
    const unmoved = await world.api.call('GET', `/v1/runs/${run}/progress`, undefined, { headers: { 'if-none-match': etag(rest) } });
    assert.equal(unmoved.status, 304);
    assert.equal(unmoved.body, null);
    const handle = world.temporal.workflow.getHandle(world.workflowId(run));
    await eventually('the query tells the same as the row', async () => {
      const asked = await handle.query<Progress | null>('run.progress');
      return (
        asked !== null && JSON.stringify([asked.state, asked.pasos, asked.counts]) === JSON.stringify([rest.state, rest.pasos, rest.counts])
      );
    });
    const waiting = world.api.call<Progress>('GET', `/v1/runs/${run}/progress?wait=20s`, undefined, {
      headers: { 'if-none-match': etag(rest) },
    });
    await world.api.approve(card, { option: 'all' });
    const moved = await waiting;
    assert.equal(moved.status, 200);
    assert.ok(moved.body.version > rest.version);

    const end = await world.api.ended(run);
    await eventually('the stream has brought the last version', async () => stream.events.at(-1)?.version === end.version);
    await stream.stop();
    assert.deepEqual(
      stream.events.map((e) => e.version),
      Array.from({ length: end.version }, (_, i) => i + 1),
    );
    let body = stream.events[0]?.patch as Progress;
    for (const event of stream.events.slice(1)) {
      const next = applyPatch(body, event.patch, event.version, event.at);
      assert.equal(sumOf(next.counts), next.counts.total, `version ${event.version}`);
      if (next.plan_version === body.plan_version) assert.ok(next.counts.done >= body.counts.done, `version ${event.version}`);
      body = next;
    }
    assert.deepEqual(body, end);
    const last = await handle.query<Progress | null>('run.progress');
    assert.deepEqual([last?.state, last?.pasos, last?.counts], [end.state, end.pasos, end.counts]);
    assert.equal(end.contacts.captured, option(card, 'all').n);
  },
};

const POLLERS = 1_000;
const ROUNDS = 3;
/** A thousand pollers on one run cost one row each time; Temporal hears nothing of them. */
export const pollers: Scenario = {
  name: 'thousand-pollers',
  covers: '13',
  invariants: ['I8'],
  async run(world) {
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const rest = await world.api.rest(run);
    const window = async (work: () => Promise<unknown>): Promise<{ calls: number; ms: number }> => {
      const [before, since] = [await temporalCalls(world), Date.now()];
      await work();
      return { calls: (await temporalCalls(world)) - before, ms: Date.now() - since };
    };
    const busy = await window(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: POLLERS }, (_, i) =>
            world.api.call<Progress | null>('GET', `/v1/runs/${run}/progress`, undefined, {
              headers: i % 2 === 0 ? { 'if-none-match': etag(rest) } : {},
            }),
          ),
        );
        assert.ok(answers.every((a, i) => (i % 2 === 0 ? a.status === 304 : a.status === 200 && a.body?.version === rest.version)));
      }
    });
    // As long a time without pollers: what the API asks Temporal for on its own account.
    const quiet = await window(() => sleep(busy.ms));
    world.say(`${POLLERS * ROUNDS} polls in ${busy.ms} ms: ${busy.calls} Temporal calls; without them ${quiet.calls}`);
    // Its own rounds, one every ten seconds, may fall into the one window and not into the other.
    const rounds = 2 * (Math.ceil(busy.ms / 10_000) + 1);
    assert.ok(busy.calls <= quiet.calls + rounds, `${busy.calls} Temporal calls with pollers, ${quiet.calls} without`);
    await world.api.approve(card, { option: 'decline', then: 'cancel' });
    assert.equal((await world.api.ended(run)).state, 'canceled');
  },
};
