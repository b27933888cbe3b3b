import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../db/client.js';
import { pauseRun, resumeRun } from '../../db/controls.js';
import { beginSequence, DRAFT_LOT, failSequence, finishSequence, type DraftBatch } from '../../db/draft-lots.js';
import { draftTick, type DraftItem, type DraftOutcome, type DraftTurn } from '../../db/drafts.js';
import { addSuppressions } from '../../db/suppressions.js';
import {
  advance,
  approve,
  begin,
  finish,
  inRun,
  KEY,
  lane,
  ledgerOf,
  newWorkspace,
  openLab,
  person,
  progressOf,
  revealAll,
  runAtReveal,
  sql,
  violations,
  written,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const MAX = 100;
/** A run with everybody revealed, at its drafts; with a model each costs at most `MAX`. */
const atDrafts = async (cuentas = 3, options: { model?: boolean; caps?: number; entitlement?: number } = {}): Promise<OpenRun> => {
  const workspace = await newWorkspace(lab, { credits: 200, inference: options.entitlement ?? 100_000 });
  const at = await runAtReveal(lab, workspace, {
    cuentas,
    prices: { draft_max: options.model ? MAX : 0 },
    ...(options.caps !== undefined ? { caps: { inference_micros: options.caps } } : {}),
  });
  await approve(lab, at, 's4');
  await revealAll(lab, at);
  await advance(lab, at, 's4');
  await begin(lab, at, 's5');
  return at;
};
const ticks = (at: OpenRun, outcomes: DraftOutcome[] = [], { by = lane('a'), draftMax = 0, lot = 200 } = {}): Promise<DraftTurn> =>
  draftTick(lab.pool, at.workspace, at.run, 1, by, outcomes, { draftMax, lot, suppressionKey: KEY });
const itemsOf = (turn: DraftTurn): DraftItem[] => {
  if (!('items' in turn)) throw new Error(`no items: ${JSON.stringify(turn)}`);
  return turn.items;
};
const oneOf = (turn: DraftTurn): DraftItem => itemsOf(turn)[0]!;
const model = (by = 'a', attempt = 1) => ({ by: lane(by, attempt), draftMax: MAX, lot: 1 });
const list = (at: OpenRun, kind: 'email' | 'person' | 'domain' | 'rfc', value: string): Promise<unknown> =>
  transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [{ kind, value }]));
const store = (at: OpenRun, batch: DraftBatch): Promise<void> =>
  finishSequence(
    lab.pool,
    at.workspace,
    at.run,
    batch,
    { sequence_id: 's', drafts: batch.drafts.map((d) => ({ draft_id: `d-${d.contact_id}`, person_id: d.person_id })) },
    [],
  );

describe('drafts by template', () => {
  it('are written for everybody revealed, cost nothing, and are stored once per contact', async () => {
    const at = await atDrafts(3);
    const items = itemsOf(await ticks(at));
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({ name: 'Luz', company: 'Empresa 1', hold_id: null });
    expect(
      await ticks(
        at,
        items.map((i) => written(i)),
      ),
    ).toEqual({ stop: 'empty' });
    const batch = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(batch?.drafts).toHaveLength(3);
    await store(at, batch!);
    expect(await beginSequence(lab.pool, at.workspace, at.run, KEY)).toBeNull();
    expect(await progressOf(lab, at)).toMatchObject({
      contacts: { captured: 3, drafted: 3 },
      budget: { inference: { held_micros: 0, used_micros: 0 } },
    });
    expect(await advance(lab, at, 's5')).toEqual({ do: 'end', status: 'done' });
    expect((await finish(lab, at)).state).toBe('completed');
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('go to one lane each', async () => {
    const at = await atDrafts(6);
    const turns = await Promise.all(['a', 'b', 'c'].map((by) => ticks(at, [], { by: lane(by), lot: 2 })));
    const ids = turns.flatMap((t) => itemsOf(t).map((i) => i.contact_id));
    expect(new Set(ids).size).toBe(6);
  });

  it('of a dead lane are written by another after its lease; what the dead one brings then changes nothing', async () => {
    const at = await atDrafts(1);
    await sql(lab, `insert into lanes (id, run_id, step, attempt, beat_at) values ('dead', $1, 's5', 1, now())`, [at.run]);
    const item = oneOf(await ticks(at, [], { by: lane('dead') }));
    expect(await ticks(at, [], { by: lane('b') })).toEqual({ stop: 'empty' });
    await sql(lab, `update lanes set beat_at = now() - interval '3 seconds' where id = 'dead'`);
    expect(await ticks(at, [], { by: lane('b') })).toEqual({ stop: 'empty' });
    await sql(lab, `update contacts set updated_at = now() - interval '3 seconds' where run_id = $1`, [at.run]);
    expect(oneOf(await ticks(at, [], { by: lane('b') })).contact_id).toBe(item.contact_id);
    await ticks(at, [{ ...written(item), draft: { subject: 's', body: 'by b', written_by: 'template' } }], { by: lane('b') });
    await ticks(at, [{ ...written(item), draft: { subject: 's', body: 'by dead', written_by: 'template' } }], { by: lane('dead') });
    expect(await sql(lab, `select draft from contacts where run_id = $1`, [at.run])).toEqual([{ draft: 'by b' }]);
    expect((await progressOf(lab, at)).pasos.find((p) => p.id === 's5')?.conteo).toMatchObject({ done: 1, total: 1 });
  });

  it('stop with a pause, an old plan or a cancel, and keep what was brought', async () => {
    const at = await atDrafts(2);
    const item = oneOf(await ticks(at, [], { lot: 1 }));
    await inRun(lab, at, (run) => pauseRun(run, person(at.workspace)));
    expect(await ticks(at, [written(item)])).toEqual({ stop: 'paused' });
    expect(await sql(lab, `select count(*)::int as n from contacts where run_id = $1 and draft is not null`, [at.run])).toEqual([{ n: 1 }]);
  });
});

describe('somebody on the suppression list', () => {
  it('is never drafted, by whichever of their identities, though paid', async () => {
    const at = await atDrafts(5);
    await list(at, 'email', 'p-c1@correo.example');
    await list(at, 'person', 'p-c2');
    await list(at, 'rfc', 'RFC3');
    await list(at, 'domain', 'empresa4.mx');
    const items = itemsOf(await ticks(at));
    expect(items.map((i) => i.company)).toEqual(['Empresa 5']);
    await ticks(
      at,
      items.map((i) => written(i)),
    );
    await store(at, (await beginSequence(lab.pool, at.workspace, at.run, KEY))!);
    await advance(lab, at, 's5');
    expect(await sql(lab, `select state, count(*)::int as n from contacts where run_id = $1 group by 1 order by 1`, [at.run])).toEqual([
      { state: 'drafted', n: 1 },
      { state: 'suppressed', n: 4 },
    ]);
    expect((await ledgerOf(lab, at.workspace)).credits).toMatchObject({ held: 0, spent: 5 });
    await finish(lab, at);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('since their draft was written does not get it stored at the provider', async () => {
    const at = await atDrafts(2);
    await ticks(
      at,
      itemsOf(await ticks(at)).map((i) => written(i)),
    );
    await list(at, 'email', 'p-c1@correo.example');
    const batch = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(batch?.drafts.map((d) => d.person_id)).toEqual(['p-c2']);
  });
});

describe('drafts by a model', () => {
  it('hold their most first, capture what they cost, and let the rest go', async () => {
    const at = await atDrafts(2, { model: true });
    const before = (await ledgerOf(lab, at.workspace)).inference;
    const item = oneOf(await ticks(at, [], model()));
    expect(item.hold_id).toBeTruthy();
    expect(await progressOf(lab, at)).toMatchObject({ budget: { inference: { cap_micros: 200, held_micros: 100, used_micros: 0 } } });
    expect(await progressOf(lab, at)).toMatchObject({
      budget: { inference: { held_micros: (await ledgerOf(lab, at.workspace)).inference.held } },
    });
    await ticks(at, [written(item, 30)], model());
    expect((await progressOf(lab, at)).budget.inference).toMatchObject({ held_micros: 100, used_micros: 30 });
    expect((await ledgerOf(lab, at.workspace)).inference).toMatchObject({ spent: 30, held: 100, available: before.available - 130 });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('that failed are metered too, and the contact is tried again under a fresh hold', async () => {
    const at = await atDrafts(1, { model: true, caps: 1000 });
    await sql(lab, `update run_progress set body = jsonb_set(body, '{budget,inference,cap_micros}', '1000') where run_id = $1`, [at.run]);
    const item = oneOf(await ticks(at, [], model()));
    const again = oneOf(
      await ticks(
        at,
        [{ contact_id: item.contact_id, hold_id: item.hold_id, draft: null, micros: 40, reason: null, again: true }],
        model(),
      ),
    );
    expect(again.contact_id).toBe(item.contact_id);
    expect(again.hold_id).not.toBe(item.hold_id);
    await ticks(at, [written(again, 50)], model());
    expect((await ledgerOf(lab, at.workspace)).inference).toMatchObject({ spent: 90, held: 0 });
    expect(await sql(lab, `select draft_micros from contacts where run_id = $1`, [at.run])).toEqual([{ draft_micros: 90 }]);
  });

  it('stop at the cap, between contacts, with nothing held over it', async () => {
    const at = await atDrafts(3, { model: true, caps: 300 });
    const one = oneOf(await ticks(at, [], model('a')));
    const two = oneOf(await ticks(at, [], model('b')));
    expect(oneOf(await ticks(at, [], model('c')))).toBeDefined();
    expect(await ticks(at, [], model('d'))).toEqual({ stop: 'empty' });
    await ticks(
      at,
      [{ contact_id: one.contact_id, hold_id: one.hold_id, draft: null, micros: 100, reason: null, again: true }],
      model('a'),
    );
    const { inference } = (await progressOf(lab, at)).budget;
    expect((inference.used_micros ?? 0) + inference.held_micros).toBeLessThanOrEqual(300);
    expect(await ticks(at, [written(two, 100)], model('b'))).toEqual({ stop: 'cap' });
    expect((await ledgerOf(lab, at.workspace)).inference).toMatchObject({ spent: 200, held: 100 });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('stop at the entitlement of the workspace, below any cap of the campaign', async () => {
    const at = await atDrafts(3, { model: true });
    await sql(
      lab,
      `update ledger_accounts set available = 100, granted = granted - (available - 100) where workspace_id = $1 and kind = 'inference'`,
      [at.workspace],
    );
    oneOf(await ticks(at, [], model('a')));
    expect(await ticks(at, [], model('b'))).toEqual({ stop: 'cap' });
  });

  it('with a price nobody knows leave the total unknown, never zero', async () => {
    const at = await atDrafts(1);
    await ticks(
      at,
      itemsOf(await ticks(at)).map((i) => written(i, null)),
    );
    expect((await progressOf(lab, at)).budget.inference.used_micros).toBeNull();
  });

  it('that cost more than was held are captured for what was held, and the lane goes on', async () => {
    const at = await atDrafts(1, { model: true });
    const item = oneOf(await ticks(at, [], model()));
    expect(await ticks(at, [written(item, MAX + 25)], model())).toEqual({ stop: 'empty' });
    expect((await ledgerOf(lab, at.workspace)).inference).toMatchObject({ spent: MAX, held: 0 });
    expect(await sql(lab, `select draft is not null as written from contacts where run_id = $1`, [at.run])).toEqual([{ written: true }]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('storing drafts at the provider', () => {
  const writeAll = async (cuentas: number): Promise<OpenRun> => {
    const at = await atDrafts(cuentas);
    await ticks(
      at,
      itemsOf(await ticks(at)).map((i) => written(i)),
    );
    return at;
  };

  it('goes in lots of fifty at most, each under its own key', async () => {
    const at = await writeAll(DRAFT_LOT + 7);
    const first = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(first?.drafts).toHaveLength(DRAFT_LOT);
    await store(at, first!);
    const second = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(second?.drafts).toHaveLength(7);
    expect(second?.effect.key).not.toBe(first?.effect.key);
    await store(at, second!);
    expect((await progressOf(lab, at)).contacts.drafted).toBe(DRAFT_LOT + 7);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('that was cut comes back as the same lot under the same key, and stores each draft once', async () => {
    const at = await writeAll(2);
    const first = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    const again = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(first?.effect.fresh).toBe(true);
    expect(again).toMatchObject({ effect: { id: first?.effect.id, key: first?.effect.key, fresh: false }, drafts: first?.drafts });
    await store(at, first!);
    await store(at, again!);
    expect((await progressOf(lab, at)).contacts.drafted).toBe(2);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('that was refused pauses the run with the reason and frees the lot for another key', async () => {
    const at = await writeAll(2);
    const batch = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    await failSequence(lab.pool, at.workspace, at.run, batch!, 'mailbox_missing', true);
    expect(await progressOf(lab, at)).toMatchObject({ state: 'paused', reason: { code: 'sequence.mailbox_missing', params: { n: 2 } } });
    expect(await beginSequence(lab.pool, at.workspace, at.run, KEY)).toBeNull();
    await inRun(lab, at, async (run) => {
      await run.tx.q(`update runs set control = 'run' where id = $1`, [run.id]);
    });
    const next = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(next?.effect.key).not.toBe(batch?.effect.key);
    expect(next?.drafts).toHaveLength(2);
  });
});

describe('a lot whose call nobody knows the outcome of', () => {
  it('goes on under its own key when the run is resumed', async () => {
    const at = await atDrafts(2);
    await ticks(
      at,
      itemsOf(await ticks(at)).map((i) => written(i)),
    );
    const first = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    await failSequence(lab.pool, at.workspace, at.run, first!, 'server_error', false);
    await inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));
    expect(await advance(lab, at, 's5')).toMatchObject({ do: 'work', phase: 'sequence' });
    const again = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    expect(again).toMatchObject({ effect: { key: first!.effect.key, fresh: false }, drafts: [{}, {}] });
    await store(at, again!);
    expect(await advance(lab, at, 's5')).toEqual({ do: 'end', status: 'done' });
    expect(await sql(lab, `select state from effects where run_id = $1 and kind = 'sequence_create_draft'`, [at.run])).toEqual([
      { state: 'captured' },
    ]);
  });
});

describe('a drafting lane that dies', () => {
  it('leaves its hold to the next attempt, so that a crash does not use the cap up', async () => {
    const at = await atDrafts(2, { model: true });
    const [first, second] = [oneOf(await ticks(at, [], model('a'))), oneOf(await ticks(at, [], model('b')))];
    const [again, too] = [oneOf(await ticks(at, [], model('a', 2))), oneOf(await ticks(at, [], model('b', 2)))];
    expect([again.hold_id, too.hold_id]).toEqual([first.hold_id, second.hold_id]);
    expect((await progressOf(lab, at)).budget.inference).toMatchObject({ held_micros: 2 * MAX, cap_micros: 2 * MAX });
    await ticks(at, [written(again, 40)], model('a', 2));
    await ticks(at, [written(too, 40)], model('b', 2));
    expect((await progressOf(lab, at)).budget.inference).toMatchObject({ held_micros: 0, used_micros: 80 });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});
