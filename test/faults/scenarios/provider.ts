import assert from 'node:assert/strict';
import type { WorkspaceFault } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import { TOOLS_TIMEOUT_MS } from '../stack.js';
import type { World } from '../world.js';

const FOUND = 47;
const TOOLS = [
  'usage',
  'company_search',
  'crm_save_companies',
  'people_search',
  'people_quote',
  'people_reveal',
  'sequence_create_draft',
] as const;

/** A whole campaign under these faults comes to the same end as without them. */
const sameEnd = async (world: World, faults: WorkspaceFault[]): Promise<string> => {
  for (const fault of faults) await world.kitchen.fault(fault);
  const run = await world.automatic();
  const end = await world.api.ended(run);
  assert.equal(end.state, 'completed_partial', JSON.stringify(end.reason));
  assert.deepEqual([end.counts.done, end.counts.not_found, end.counts.failed], [FOUND, 3, 0]);
  assert.deepEqual([end.contacts.captured, end.contacts.drafted, end.contacts.unconfirmed], [FOUND, FOUND, 0]);
  assert.deepEqual([end.budget.credits.spent, end.budget.credits.held], [FOUND, 0]);
  return run;
};

export const limited: Scenario = {
  name: 'rate-limited',
  covers: '12',
  invariants: ['I3', 'I9'],
  run: async (world, rng) =>
    void (await sameEnd(world, [
      ...TOOLS.filter((t) => t !== 'people_search' && t !== 'people_reveal').map((tool): WorkspaceFault => ({
        kind: 'rate_limit',
        tool,
        times: 1,
        retry_after_ms: 200,
      })),
      { kind: 'rate_limit', tool: 'people_search', after: rng.int(0, 30), times: 5, retry_after_ms: 300 },
      { kind: 'http_429', tool: 'people_search', after: rng.int(0, 30), times: 3, retry_after_s: 1 },
      { kind: 'http_429', tool: 'company_search', times: 1, retry_after_s: 1 },
      { kind: 'rate_limit', tool: 'people_reveal', after: rng.int(0, 30), times: 3, retry_after_ms: 300 },
      { kind: 'http_429', tool: 'people_reveal', after: rng.int(0, 30), times: 3, retry_after_s: 1 },
    ])),
};

/** A real limit, not a scripted one: the lanes settle into what the provider allows. */
export const throttled: Scenario = {
  name: 'throttled',
  covers: '12',
  invariants: ['I3', 'I9'],
  run: async (world) =>
    void (await sameEnd(world, [
      { kind: 'limit', tool: 'people_search', per_second: 25, concurrency: 4, retry_after_ms: 150 },
      { kind: 'limit', tool: 'people_reveal', per_second: 25, concurrency: 4, retry_after_ms: 150 },
    ])),
};

export const broken: Scenario = {
  name: 'server-errors',
  covers: '12',
  invariants: ['I3', 'I9'],
  run: async (world, rng) =>
    void (await sameEnd(world, [
      ...TOOLS.filter((t) => t !== 'people_search').map((tool): WorkspaceFault => ({
        kind: 'http_5xx',
        tool,
        after: tool === 'people_reveal' ? rng.int(0, 30) : 0,
        times: 1,
        status: rng.pick([500, 502, 503, 504]),
      })),
      { kind: 'http_5xx', tool: 'people_search', after: rng.int(0, 40), times: 2, status: 503 },
      { kind: 'lost_reply_after_effect', tool: 'crm_save_companies', times: 1 },
      { kind: 'lost_reply_after_effect', tool: 'sequence_create_draft', times: 1 },
    ])),
};

/** Short patience, set for this scenario alone; longer than a call that nothing hinders takes, also where the machine has much to do. */
const TIMEOUT_MS = 5_000;
export const silent: Scenario = {
  name: 'timeouts',
  covers: '12',
  invariants: ['I1', 'I3', 'I9'],
  async run(world, rng) {
    await world.restart('worker', { TOOLS_TIMEOUT_MS: String(TIMEOUT_MS) });
    try {
      await sameEnd(world, [
        { kind: 'timeout', tool: 'company_search', times: 1 },
        { kind: 'timeout', tool: 'people_search', after: rng.int(0, 40), times: 2 },
        { kind: 'timeout', tool: 'people_quote', times: 1 },
        { kind: 'timeout', tool: 'people_reveal', after: rng.int(0, 15), times: 1, effect: true },
        { kind: 'timeout', tool: 'people_reveal', after: rng.int(20, 40), times: 1 },
      ]);
    } finally {
      await world.kitchen.clear();
      await world.restart('worker', { TOOLS_TIMEOUT_MS });
    }
  },
};

export const garbled: Scenario = {
  name: 'malformed-replies',
  covers: '12',
  invariants: ['I3', 'I9'],
  run: async (world, rng) =>
    void (await sameEnd(world, [
      ...(['usage', 'company_search', 'crm_save_companies', 'people_quote', 'sequence_create_draft'] as const).map(
        (tool): WorkspaceFault => ({ kind: 'malformed_json', tool, times: 1 }),
      ),
      { kind: 'malformed_json', tool: 'people_search', after: rng.int(0, 40), times: 2 },
      { kind: 'malformed_json', tool: 'people_reveal', after: rng.int(0, 30), times: 2 },
    ])),
};

export const doubled: Scenario = {
  name: 'duplicate-replies',
  covers: '12',
  invariants: ['I1', 'I3', 'I13'],
  run: async (world, rng) =>
    void (await sameEnd(world, [{ kind: 'duplicate_reply', tool: '*', mode: 'both', probability: 0.6, seed: rng.int(1, 1_000_000) }])),
};

/** Names that try something are text: the run is the same, nothing is approved or called on their word, and they come back unharmed. */
export const hostile: Scenario = {
  name: 'hostile-names',
  covers: '12',
  invariants: ['I4', 'I15'],
  async run(world) {
    const run = await sameEnd(world, [{ kind: 'hostile_text', tool: 'company_search' }]);
    const names = (await world.api.items(run)).map((i) => i.company?.name ?? '');
    assert.ok(names.some((n) => n.includes('<script>')) && names.some((n) => n.length >= 9_000) && names.some((n) => n.includes('\u202E')));
    assert.ok(names.every((n) => !n.includes('\u0000')));
    const { decisions } = await world.api.receipt(run);
    const drafts = await world.rows<{ subject: string; draft: string }>(`select subject, draft from contacts where run_id = $1`, [run]);
    assert.ok(
      drafts.every((d) => !/[\p{Cc}\u202A-\u202E]/u.test(d.subject) && d.subject.length <= 300 && d.draft.length < 2_000),
      'a name stays inside its line of the mail',
    );
    assert.deepEqual(
      decisions.map((d) => d.kind),
      ['ajustar_presupuesto', 'guardar_en_crm', 'revelar_contactos', 'revisar_secuencia'],
    );
    assert.deepEqual(
      [...new Set((await world.kitchen.log()).calls.map((c) => c.tool))].filter(
        (t) => ![...TOOLS, 'sequence_check'].includes(t as 'usage'),
      ),
      [],
    );
  },
};

/** One company whose search always fails costs itself and nothing else. */
export const oneFails: Scenario = {
  name: 'one-company-fails',
  covers: '12',
  invariants: ['I1', 'I9'],
  async run(world, rng) {
    const run = await world.start({ caps: { credits: 100, queries: 200, inference_micros: 0 } });
    const card = await world.api.card(run, 'guardar_en_crm');
    // Not one of those where nobody is to be found anyway.
    const company = card.items[rng.pick([0, 4, 12, 30, 44])]?.ref ?? '';
    await world.kitchen.fault({ kind: 'http_5xx', tool: 'people_search', match: { company_id: company } });
    await world.api.approve(card, { option: 'approve' });
    const reveal = await world.api.card(run, 'revelar_contactos');
    await world.api.approve(reveal, { option: 'all' });
    const end = await world.api.ended(run);
    assert.deepEqual(
      [end.state, end.counts.done, end.counts.not_found, end.counts.failed, end.contacts.captured],
      ['completed_partial', FOUND - 1, 3, 1, FOUND - 1],
    );
    const failed = (await world.api.items(run)).filter((i) => i.state === 'failed');
    assert.deepEqual(
      failed.map((i) => [i.company?.ref, i.reason?.code, i.exit]),
      [[company, 'search_failed', 'exit.new_campaign']],
    );
    // Asked for a while, then given up: neither once nor for ever.
    const asked = (await world.kitchen.calls('people_search')).filter((c) => c.target === company).length;
    assert.ok(asked > 1 && asked < 10, `asked ${asked} times`);
  },
};
