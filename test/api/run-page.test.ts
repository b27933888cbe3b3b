import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ItemPage, Missing, Timeline, type Item } from '../../contracts/api.js';
import { Receipt } from '../../contracts/receipt.js';
import { hasText, text } from '../../contracts/catalog/index.js';
import { parseCsv } from '../../cli/csv.js';
import {
  approve,
  askReveal,
  chosen,
  draftAll,
  findCompaniesFor,
  findPeople,
  finish,
  finishedRun,
  gotIt,
  lane,
  itemOf,
  newWorkspace,
  nobodyKnows,
  openRun,
  progressOf,
  runAtReveal,
  skipSave,
  sql,
  tick,
  type OpenRun,
} from '../support/runs.js';
import { openRig, type Asker, type Rig } from './ops-rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

const missing = async (asker: Asker, run: string): Promise<Missing> => Missing.parse((await asker.get(`/v1/runs/${run}/missing`)).body);
const items = async (asker: Asker, run: string, query: string): Promise<Item[]> =>
  ItemPage.parse((await asker.get(`/v1/runs/${run}/items?limit=500&${query}`)).body).items;
/** Two of nine accounts nobody was found at, one whose search failed; of six persons one is refused, one unknown, four drafted but one. */
const withGaps = async (ws: string): Promise<OpenRun> => {
  const at = await runAtReveal(rig.lab, ws, {
    cuentas: 9,
    people: (item) =>
      item.position <= 2
        ? { position: item.position, state: 'not_found', counted: true, reason: { code: 'no_candidates', params: {} } }
        : item.position === 3
          ? { position: item.position, state: 'failed', counted: false, reason: { code: 'search_failed', params: {} } }
          : chosen(item),
  });
  await approve(rig.lab, at, 's4');
  const first = itemOf(await tick(rig.lab, at, lane('reveal')));
  let turn = await tick(rig.lab, at, lane('reveal'), nobodyKnows(first));
  for (; 'item' in turn;) turn = await tick(rig.lab, at, lane('reveal'), gotIt(turn.item));
  return at;
};

describe('what is missing', () => {
  it('of a run under way is what has ended without a result, and nothing that may still come', async () => {
    const ws = await newWorkspace(rig.lab);
    const ana = await rig.as(ws);
    const at = await openRun(rig.lab, ws, { cuentas: 4 });
    expect(await missing(ana, at.run)).toMatchObject({ total: 4, done: 0, missing: 0, groups: [] });
    await approve(rig.lab, at, 's0');
    await findCompaniesFor(rig.lab, at);
    await skipSave(rig.lab, at);
    expect(await missing(ana, at.run)).toMatchObject({ missing: 0, groups: [] });
    await findPeople(rig.lab, at, (item) =>
      item.position === 1
        ? { position: 1, state: 'not_found', counted: true, reason: { code: 'no_candidates', params: {} } }
        : chosen(item),
    );
    await askReveal(rig.lab, at);
    const found = await missing(ana, at.run);
    expect(found).toMatchObject({
      total: 4,
      done: 3,
      missing: 1,
      groups: [{ reason: 'no_candidates', count: 1, of: 'account', exit: 'exit.change_role' }],
    });
    expect(found.version).toBe((await progressOf(rig.lab, at)).version);
    expect(found.groups[0]?.first).toMatchObject([{ position: 1, company: { name: 'Empresa 1' }, exit: 'exit.change_role' }]);
  });

  it('is grouped by reason with its first items, its way out and a link to all of them', async () => {
    const ws = await newWorkspace(rig.lab);
    const ana = await rig.as(ws);
    const at = await withGaps(ws);
    const found = await missing(ana, at.run);
    expect(found.groups.map((g) => [g.reason, g.count, g.of])).toEqual([
      ['no_candidates', 2, 'account'],
      ['search_failed', 1, 'account'],
      ['unconfirmed', 1, 'contact'],
    ]);
    expect(found).toMatchObject({ total: 9, done: 6, missing: 4 });
    for (const group of found.groups) {
      expect(hasText(group.exit), group.exit).toBe(true);
      const all = ItemPage.parse((await ana.get(group.link)).body).items;
      expect(all).toHaveLength(group.count);
      expect(all.slice(0, 5)).toEqual(group.first);
      expect(all.every((i) => i.exit === group.exit)).toBe(true);
    }
    expect((await items(ana, at.run, 'missing=true')).map((i) => i.position)).toEqual([1, 2, 3, 4]);
    expect(await items(ana, at.run, 'missing=true&state=failed')).toHaveLength(1);
    expect(await items(ana, at.run, 'reason=nothing_like_it')).toEqual([]);
  });

  it('of a run that is over is what its receipt says, reason by reason', async () => {
    for (const as of ['finished', 'canceled', 'failed'] as const) {
      const ws = await newWorkspace(rig.lab);
      const ana = await rig.as(ws);
      const at = await withGaps(ws);
      if (as === 'finished') await draftAll(rig.lab, at);
      await finish(rig.lab, at, as);
      const receipt = Receipt.parse((await ana.get(`/v1/runs/${at.run}/receipt`)).body);
      const found = await missing(ana, at.run);
      const counted = (groups: Array<{ reason: string; count: number; exit: string }>) =>
        groups.map((g) => `${g.reason} ${g.count} ${g.exit}`).sort();
      expect([as, counted(found.groups)]).toEqual([as, counted(receipt.missing)]);
      expect(found.groups.length).toBeGreaterThan(2);
    }
    const ws = await newWorkspace(rig.lab);
    const early = await openRun(rig.lab, ws, { cuentas: 6 });
    await finish(rig.lab, early, 'canceled');
    expect(await missing(await rig.as(ws), early.run)).toMatchObject({
      total: 6,
      done: 0,
      missing: 6,
      groups: [{ count: 6, of: 'account', exit: 'exit.new_campaign', first: [] }],
    });
    const whole = await finishedRun(rig.lab, ws, { cuentas: 2 });
    expect(await missing(await rig.as(ws), whole.run)).toMatchObject({ missing: 0, groups: [] });
  });
});

describe('items as CSV', () => {
  it("are the whole selection, in the caller's language, for whoever asks for it by header or address", async () => {
    const ws = await newWorkspace(rig.lab);
    const ana = await rig.as(ws);
    const at = await withGaps(ws);
    const path = `/v1/runs/${at.run}/items?missing=true`;
    const file = await ana.get(path, { accept: 'text/csv' });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${at.run}.csv"`);
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect(file.headers.get('vary')).toContain('Accept');
    const rows = parseCsv(file.text);
    expect(rows[0]).toEqual([
      'Número',
      'Empresa',
      'Estado',
      'Cargo',
      'Estado del contacto',
      'Nombre',
      'Correo',
      'Créditos',
      'Motivo',
      'Salida',
      'Código',
    ]);
    expect(rows.slice(1).map((r) => [r[0], r[1], r[10]])).toEqual([
      ['1', 'Empresa 1', 'no_candidates'],
      ['2', 'Empresa 2', 'no_candidates'],
      ['3', 'Empresa 3', 'search_failed'],
      ['4', 'Empresa 4', 'unconfirmed'],
    ]);
    expect(rows[1]?.[8]).toBe(text('es-MX', 'no_candidates'));
    expect((await ana.get(`${path}&format=csv`)).text).toBe(file.text);
    expect(parseCsv((await ana.get(path, { accept: 'text/csv', 'accept-language': 'en' })).text)[0]?.[1]).toBe('Company');
    for (const accept of ['*/*', 'application/json', 'application/json, text/csv;q=0.5'])
      expect(ItemPage.parse((await ana.get(path, { accept })).body).items).toHaveLength(4);
    expect(ItemPage.parse((await ana.get(`${path}&format=json`, { accept: 'text/csv' })).body).items).toHaveLength(4);
    expect((await (await rig.as('ws_stranger')).get(path, { accept: 'text/csv' })).body).toMatchObject({
      status: 404,
      code: 'run_not_found',
    });
  });

  it('never hold what a spreadsheet would run, and read back as what they were', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws, { cuentas: 8 });
    await approve(rig.lab, at, 's0');
    const names = [
      '=HYPERLINK("http://evil.example")',
      '+1+1',
      '-2+3',
      '@SUM(A1)',
      ' =1+1',
      '\t=1',
      '＝1+1',
      'Comas, "comillas"; y\nrenglones',
    ];
    for (const [i, name] of names.entries())
      await sql(rig.lab, `update accounts set company_id = $3, name = $4 where run_id = $1 and position = $2`, [
        at.run,
        i + 1,
        `c${i}`,
        name,
      ]);
    const { text: csv } = await (await rig.as(ws)).get(`/v1/runs/${at.run}/items`, { accept: 'text/csv' });
    const cells = parseCsv(csv)
      .slice(1)
      .map((r) => r[1] ?? '');
    expect(cells).toHaveLength(8);
    for (const cell of cells.slice(0, 7)) expect(cell).toMatch(/^'/);
    expect(cells[7]).toBe(names[7]);
  });

  it('go past one page of the database', async () => {
    const ws = await newWorkspace(rig.lab, { queries: 5_000 });
    const at = await openRun(rig.lab, ws, { cuentas: 1_201 });
    await approve(rig.lab, at, 's0');
    const rows = parseCsv((await (await rig.as(ws)).get(`/v1/runs/${at.run}/items?format=csv`)).text);
    expect(rows.slice(1).map((r) => Number(r[0]))).toEqual(Array.from({ length: 1_201 }, (_, i) => i + 1));
  });
});

describe('the timeline', () => {
  const timeline = async (asker: Asker, run: string): Promise<Timeline> =>
    Timeline.parse((await asker.get(`/v1/runs/${run}/timeline`)).body);

  it('goes from the first event to where the run is, with what was reached and used, and what happened beside', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await finishedRun(rig.lab, ws, { cuentas: 6 });
    const body = await progressOf(rig.lab, at);
    const found = await timeline(await rig.as(ws), at.run);
    expect(found).toMatchObject({
      run_id: at.run,
      version: body.version,
      to: body.last_progress_at,
      total: 6,
      sampled: false,
      kept: true,
      limits: { credits: 6, queries: body.budget.queries.plan_max },
    });
    expect(found.points[0]).toMatchObject({
      version: 1,
      done: 0,
      credits_held: 0,
      credits_spent: 0,
      queries_held: 0,
      queries_spent: 0,
      inference_micros: 0,
    });
    expect(found.points.at(-1)).toMatchObject({
      done: 6,
      credits_held: 0,
      credits_spent: 6,
      queries_held: 0,
      queries_spent: body.budget.queries.spent,
    });
    expect(found.points.map((p) => p.version)).toEqual([...found.points.map((p) => p.version)].sort((a, b) => a - b));
    expect(Math.max(...found.points.map((p) => p.credits_held))).toBe(6);
    for (const [i, p] of found.points.entries()) expect(p.done).toBeGreaterThanOrEqual(found.points[i - 1]?.done ?? 0);
    expect(found.markers.map((m) => m.kind)).toEqual([
      'decision.proposed',
      'decision.approved',
      'decision.proposed',
      'decision.declined',
      'decision.proposed',
      'decision.approved',
      'decision.proposed',
      'run.closed',
    ]);
    expect(found.markers.find((m) => m.kind === 'decision.approved')?.params).toMatchObject({ decision_id: at.start, n: 6 });
  });

  it('answers 304 until the run moves, and 404 to strangers whatever they say they have', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await runAtReveal(rig.lab, ws, { cuentas: 3 });
    const ana = await rig.as(ws);
    const path = `/v1/runs/${at.run}/timeline`;
    const etag = (await ana.get(path)).headers.get('etag') ?? '';
    expect((await ana.get(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await ana.get(path, { 'if-none-match': etag, 'accept-language': 'en' })).status).toBe(200);
    expect((await (await rig.as('ws_stranger')).get(path, { 'if-none-match': etag })).body).toMatchObject({
      status: 404,
      code: 'run_not_found',
    });
    await approve(rig.lab, at, 's4');
    const moved = await ana.get<Timeline>(path, { 'if-none-match': etag });
    expect(moved.status).toBe(200);
    expect(moved.body.points.at(-1)?.credits_held).toBe(3);
  });

  it('of thousands of events is at most three hundred points: the first, the last, and each with what had been reached by then', async () => {
    const ws = await newWorkspace(rig.lab, { queries: 5_000 });
    const at = await openRun(rig.lab, ws, { cuentas: 1_000 });
    const { version } = await progressOf(rig.lab, at);
    // Alternately an account and a credit: what one event does not say, the one before it said.
    await sql(
      rig.lab,
      `insert into run_events (run_id, version, workspace_id, kind, params, patch, at)
      select $1, $3 + i, $2, 'accounts.searched', '{}', case when i % 2 = 0 then jsonb_build_object('counts', jsonb_build_object('done', i / 2))
        else jsonb_build_object('budget', jsonb_build_object('credits', jsonb_build_object('held', 0, 'spent', i), 'queries', jsonb_build_object('held', 1, 'spent', i), 'inference', jsonb_build_object('used_micros', null))) end,
        now() + make_interval(secs => i) from generate_series(1, 4000) i`,
      [at.run, ws, version],
    );
    const { points, events, sampled } = await timeline(await rig.as(ws), at.run);
    expect([points.length, sampled]).toEqual([300, true]);
    expect(events).toBeGreaterThanOrEqual(4_001);
    expect(points[0]?.version).toBe(1);
    expect(points.at(-1)).toMatchObject({
      version: version + 4_000,
      done: 2_000,
      credits_spent: 3_999,
      queries_held: 1,
      inference_micros: null,
    });
    for (const p of points.filter((q) => q.version > version + 1)) {
      const i = p.version - version;
      expect([p.version, p.done, p.credits_spent]).toEqual([p.version, Math.floor(i / 2), i % 2 === 0 ? i - 1 : i]);
    }
  });

  it('says that it is gone once its events are', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await finishedRun(rig.lab, ws, { cuentas: 2 });
    await sql(rig.lab, `delete from run_events where run_id = $1`, [at.run]);
    expect(await timeline(await rig.as(ws), at.run)).toMatchObject({
      total: 2,
      kept: false,
      events: 0,
      sampled: false,
      points: [],
      markers: [],
    });
  });
});
