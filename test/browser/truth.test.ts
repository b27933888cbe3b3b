import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../contracts/progress.js';
import { campana } from '../cli/run.js';
import { eventually } from '../faults/kitchen.js';
import { cardOf, decisionOf, expectQuiet, settle, Site, versionOn, type Visit } from './site.js';

const START_MS = 300_000;
const WORKSPACES = [
  'ws_same',
  'ws_agree',
  'ws_hear',
  'ws_keys',
  'ws_offline',
  'ws_clock',
  'ws_etag',
  'ws_killed',
  'ws_next',
  'ws_unread',
  'ws_plot',
] as const;
const PHONE = { width: 390, height: 844 };

/** Writes down every version that a card shows, with what it says of people. */
const RECORDER = `
  globalThis.__seen = [];
  new MutationObserver(() => {
    const card = document.querySelector('[data-run]');
    if (!card) return;
    const version = Number(card.dataset.version);
    const people = card.querySelector('[data-step="s3"] .step-count')?.textContent ?? '';
    const last = globalThis.__seen.at(-1);
    if (last?.version === version) last.people = people;
    else globalThis.__seen.push({ version, state: card.dataset.state, people });
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });`;

/** Writes down everything a screen reader would be told. */
const LISTENER = `
  globalThis.__heard = [];
  new MutationObserver((changes) => {
    for (const change of changes) {
      const node = change.target instanceof Element ? change.target : change.target.parentElement;
      const region = node?.closest('[role="status"], [role="alert"], [aria-live]');
      const text = region?.textContent?.trim();
      if (text && globalThis.__heard.at(-1) !== text) globalThis.__heard.push(text);
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });`;

/** The counts that a card says, as text. */
const said = (visit: Visit, run: string, step: string): Promise<string> =>
  cardOf(visit.page, run).locator(`[data-step="${step}"] .step-count`).innerText();

describe('every surface says the same, and says when it does not know', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open(WORKSPACES);
  }, START_MS);
  afterAll(() => site?.close(), START_MS);

  const at = (run: string): string => `/campanas/${run}`;
  const showsVersion = (visit: Visit, run: string, version: number) => expect.poll(() => versionOn(visit.page, run)).toBe(version);

  it('a reload, a second browser and a phone show the same version and the same decision', async () => {
    const world = await site.world('ws_same');
    const { run, card } = await world.toReveal({ cuentas: 12, hasta: 'contactos' });
    const visits = await Promise.all([
      site.visit('ws_same', at(run)),
      site.visit('ws_same', at(run), { sub: 'ana' }),
      site.visit('ws_same', at(run), { viewport: PHONE, context: { isMobile: true, hasTouch: true } }),
    ]);
    for (const visit of visits) await decisionOf(visit.page, card.id).locator('[data-option="all"]').waitFor();
    await visits[0]?.page.reload();
    const told = async (visit: Visit): Promise<string> =>
      [
        await versionOn(visit.page, run),
        await said(visit, run, 's3'),
        await decisionOf(visit.page, card.id).locator('[data-option="all"]').innerText(),
      ].join(' · ');
    await expect.poll(async () => new Set(await Promise.all(visits.map(told))).size).toBe(1);
    await showsVersion(visits[0], run, (await world.api.progress(run)).version);
    expect(await said(visits[0], run, 's3')).toMatch(/\d+ de 12 cuentas con persona elegida/);
    for (const visit of visits) {
      expectQuiet(visit);
      await visit.close();
    }
  });

  it('two browsers, a phone and the command agree at every version of a whole campaign', async () => {
    const world = await site.world('ws_agree');
    const run = await world.start({ hasta: 'contactos' });
    const visits = await Promise.all([
      site.visit('ws_agree', at(run), { before: RECORDER }),
      site.visit('ws_agree', at(run), { sub: 'ana', before: RECORDER }),
      site.visit('ws_agree', at(run), { viewport: PHONE, before: RECORDER }),
    ]);
    const token = await site.stack.mintToken({ workspace: 'ws_agree' });
    // Each has a version from before the first tap.
    for (const visit of visits) await cardOf(visit.page, run).waitFor();
    const following = campana({ env: { CAMPANA_API_URL: site.stack.urls.api, CAMPANA_TOKEN: token } }, [
      'seguir',
      run,
      '--json',
      '--espera',
      '240s',
    ]);
    for (const kind of ['ajustar_presupuesto', 'guardar_en_crm', 'revelar_contactos'] as const) {
      const card = await world.api.card(run, kind);
      await world.api.approve(card, { option: kind === 'guardar_en_crm' ? 'approve' : 'all' });
    }
    const end = await world.api.ended(run);
    const lines = (await following).lines.map((line) => JSON.parse(line) as Progress).filter((p) => p.run_id === run);
    const counts = new Map(lines.map((p) => [p.version, `${p.state} ${p.counts.done} de ${p.counts.total}`]));
    expect(lines.at(-1)?.version).toBe(end.version);
    for (const visit of visits) {
      await showsVersion(visit, run, end.version);
      const seen = await visit.page.evaluate(
        () => (globalThis as unknown as { __seen: Array<{ version: number; state: string; people: string }> }).__seen,
      );
      // What each saw, in order and never backwards; and where two surfaces saw one version, they said the same.
      expect(seen.map((one) => one.version)).toEqual([...seen.map((one) => one.version)].sort((a, b) => a - b));
      // How many a poll catches is the machine's business; at least one on the way, and the end.
      expect(seen.length).toBeGreaterThanOrEqual(2);
      for (const one of seen) {
        const told = counts.get(one.version);
        if (told === undefined || !/^\d/.test(one.people)) continue;
        expect(`${one.state} ${/^(\d+) de (\d+)/.exec(one.people)?.slice(1, 3).join(' de ')}`).toBe(told);
      }
      expectQuiet(visit);
      await visit.close();
    }
  });

  it('a screen reader hears at most twelve announcements in a run of fifty', async () => {
    const world = await site.world('ws_hear');
    const run = await world.start();
    const visit = await site.visit('ws_hear', at(run), { before: LISTENER });
    await cardOf(visit.page, run).waitFor();
    for (const kind of ['ajustar_presupuesto', 'guardar_en_crm', 'revelar_contactos'] as const) {
      const card = await world.api.card(run, kind);
      await world.api.approve(card, { option: kind === 'guardar_en_crm' ? 'approve' : 'all' });
    }
    const end = await world.api.ended(run);
    await showsVersion(visit, run, end.version);
    await expect.poll(() => visit.page.getByTestId('announcer').innerText()).toContain('Lista');
    const heard = await visit.page.evaluate(() => (globalThis as unknown as { __heard: string[] }).__heard);
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(heard.length).toBeLessThanOrEqual(12);
    await expect.poll(() => visit.page.locator('[aria-live], [role="status"]').count()).toBe(1);
    await visit.close();
  });

  it('a page that was open before the campaign moved shows its plot as wide as there is room, and nobody as the one who answered an open card', async () => {
    const world = await site.world('ws_plot');
    const run = await world.start({ cuentas: 5 });
    const visit = await site.visit('ws_plot', at(run));
    await visit.page.locator('#runs-timeline').waitFor();
    await world.api.approve(await world.api.card(run, 'ajustar_presupuesto'), { option: 'all' });
    await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });
    await world.api.approve(await world.api.card(run, 'revelar_contactos'), { option: 'all' });
    await world.api.ended(run);
    await expect
      .poll(() =>
        visit.page
          .locator('.runs-plot')
          .evaluateAll((all) => all.map((one) => Math.abs(one.clientWidth - one.getElementsByTagName('svg')[0]!.clientWidth) <= 1)),
      )
      .toEqual([true]);
    const open = visit.page.locator('.runs-receipt-decisions li', { hasText: 'Abierta' });
    await expect.poll(() => open.allInnerTexts()).toEqual(['Revisar la secuencia Abierta']);
    await visit.close();
  });

  it('a person with only a keyboard starts, approves, opens what is missing and cancels', async () => {
    const world = await site.world('ws_keys');
    const run = await world.start({ cuentas: 50 });
    const start = await world.api.card(run, 'ajustar_presupuesto');
    const visit = await site.visit('ws_keys', at(run));
    const { page } = visit;
    const tabTo = async (matches: string): Promise<void> => {
      for (let presses = 0; presses < 80; presses += 1) {
        if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, matches)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab never came to ${matches}`);
    };
    await settle(page, start.id);
    // A button that spends never has the focus by itself.
    expect(await page.evaluate(() => document.activeElement?.matches('[data-option]') ?? false)).toBe(false);
    await tabTo(`[data-decision="${start.id}"] [data-option="all"]`);
    await page.keyboard.press('Enter');
    const save = await world.api.card(run, 'guardar_en_crm');
    await settle(page, save.id);
    await tabTo(`[data-decision="${save.id}"] [data-option="approve"]`);
    await page.keyboard.press('Space');
    const reveal = await world.api.card(run, 'revelar_contactos');
    await settle(page, reveal.id);
    await tabTo('[data-testid="missing"]');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('missing');
    await page.keyboard.press('Home');
    await tabTo('.run-menu > button');
    await page.keyboard.press('Enter');
    await tabTo('.run-menu .danger');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo('dialog .danger');
    await page.keyboard.press('Enter');
    expect((await world.api.ended(run)).state).toBe('canceled');
    expectQuiet(visit);
    await visit.close();
  });

  it('Alt+D goes from one open decision on the screen to the next, and to all of them where there is none', async () => {
    const world = await site.world('ws_next');
    for (let i = 0; i < 2; i += 1) await world.api.card(await world.start({ cuentas: 5 }), 'ajustar_presupuesto');
    const visit = await site.visit('ws_next', '/');
    await visit.page.locator('textarea').first().waitFor();
    // Asked for once the frame is there, and with it what hears the key.
    await visit.page.getByTestId('balance-credits').waitFor();
    await visit.page.keyboard.press('Alt+KeyD');
    await visit.page.waitForURL(/\/decisiones$/);
    await expect.poll(() => visit.page.locator('[data-next]').count()).toBe(2);
    const focused = (): Promise<string | null> =>
      visit.page.evaluate(() => document.activeElement?.closest('[data-decision]')?.getAttribute('data-decision') ?? null);
    /** The cards in the order in which the page has them: their list may come anew while keys are pressed. */
    const order = (): Promise<Array<string | null>> =>
      visit.page
        .locator('[data-next]')
        .evaluateAll((all) => all.map((one) => one.closest('[data-decision]')?.getAttribute('data-decision') ?? null));
    const press = (): Promise<void> => visit.page.keyboard.press('Alt+KeyD');
    const [first, second] = await order();
    for (const wanted of [first, second, first]) {
      await press();
      await expect.poll(focused).toBe(wanted);
    }
    // Opened in place, the card itself is where the key goes.
    await visit.page.keyboard.press('Enter');
    await decisionOf(visit.page, first ?? '')
      .locator('[data-next]')
      .first()
      .waitFor();
    await press();
    // On the card that was opened, or already on the next one.
    if ((await focused()) !== second) await press();
    await expect.poll(focused).toBe(second);
    expect(new URL(visit.page.url()).pathname).toBe('/decisiones');
    expectQuiet(visit);
    await visit.close();
  });

  it('a balance that nobody has read is read, or said to be unknown: never nothing', async () => {
    const world = await site.world('ws_unread');
    const { credits } = await world.kitchen.row();
    const visit = await site.visit('ws_unread', '/');
    await expect.poll(() => visit.page.getByTestId('balance-credits').innerText()).toContain(`${credits} créditos`);
    await visit.close();
    const blind = await site.visit('ws_unread', '/campanas', {
      before: `const real = fetch; globalThis.fetch = async (path, init) => {
      const response = await real(path, init);
      return String(path).startsWith('/v1/balances') ? new Response(JSON.stringify({ ...(await response.json()), read_at: null }), { headers: { 'content-type': 'application/json' } }) : response;
    };`,
    });
    await blind.page.getByTestId('balance-credits').waitFor();
    expect(await blind.page.getByTestId('balance-credits').innerText()).not.toMatch(/\d/);
    await blind.close();
  });

  it('a minute without a connection is said, and over when it is back', async () => {
    const world = await site.world('ws_offline');
    await world.lanes(2);
    // Held and not only slow: whatever the page and the machine take, the campaign is still under way when the line dies.
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_search', after: 6 });
    const run = await world.automatic({ hasta: 'contactos' });
    await world.kitchen.holds(hold, 2);
    await world.api.until(run, 'people being found', (p) => p.counts.done >= 3);
    const visit = await site.visit('ws_offline', at(run));
    await visit.page.clock.install();
    await visit.page.clock.resume();
    await cardOf(visit.page, run).waitFor();
    await visit.context.setOffline(true);
    await visit.page.getByTestId('offline').waitFor();
    const before = await versionOn(visit.page, run);
    await visit.page.clock.fastForward(60_000);
    expect(await versionOn(visit.page, run)).toBe(before);
    await world.kitchen.clear();
    const end = await world.api.ended(run);
    await visit.context.setOffline(false);
    await showsVersion(visit, run, end.version);
    await visit.page.getByTestId('offline').waitFor({ state: 'detached' });
    await expect.poll(() => visit.page.locator('.notice.bad').count()).toBe(0);
    await visit.close();
  });

  it('with a clock two hours ahead, ages and expiries follow the server', async () => {
    const world = await site.world('ws_clock');
    const { run, card } = await world.toReveal({ cuentas: 10, hasta: 'contactos' });
    const skew =
      'const real = Date; const ahead = 2 * 3600 * 1000; globalThis.Date = class extends real { constructor(...a) { if (a.length) super(...a); else super(real.now() + ahead); } static now() { return real.now() + ahead; } };';
    const [right, wrong] = await Promise.all([site.visit('ws_clock', at(run)), site.visit('ws_clock', at(run), { before: skew })]);
    for (const visit of [right, wrong]) await decisionOf(visit.page, card.id).getByTestId('expires').waitFor();
    const texts = (): Promise<Array<[string, string | null]>> =>
      Promise.all(
        [right, wrong].map(async (visit): Promise<[string, string | null]> => {
          const expires = decisionOf(visit.page, card.id).getByTestId('expires');
          return [await expires.innerText(), await expires.getAttribute('class')];
        }),
      );
    // Read apart, one of them may already say another minute.
    await expect.poll(async () => new Set((await texts()).map((one) => one.join())).size).toBe(1);
    await expect.poll(() => cardOf(wrong.page, run).innerText()).toMatch(/actualizado hace \d+ (s|min)/);
    expect(await wrong.page.evaluate(() => Date.now())).toBeGreaterThan(Date.now() + 7_000_000);
    for (const visit of [right, wrong]) await visit.close();
  });

  it('curl with If-None-Match gets 304 until the version moves, also with a fresh token', async () => {
    const world = await site.world('ws_etag');
    const { run, card } = await world.toReveal({ cuentas: 10, hasta: 'contactos' });
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const poll = async (token: string, tag?: string): Promise<{ status: number; tag: string }> => {
      const { stdout } = await promisify(execFile)('curl', [
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code} %header{etag}',
        '-H',
        `Authorization: Bearer ${token}`,
        ...(tag ? ['-H', `If-None-Match: ${tag}`] : []),
        `${site.stack.urls.api}/v1/runs/${run}/progress`,
      ]);
      const [status = '', seen = ''] = stdout.split(/ (.*)/s);
      return { status: Number(status), tag: seen.trim() };
    };
    const [one, two] = await Promise.all([
      site.stack.mintToken({ workspace: 'ws_etag' }),
      site.stack.mintToken({ workspace: 'ws_etag', sub: 'ana' }),
    ]);
    await eventually('the run to be at rest', async () => {
      const a = await world.api.progress(run);
      return a.state === 'waiting_decision' && a.decisions.includes(card.id);
    });
    let first = await poll(one);
    expect(first.status).toBe(200);
    // A version that comes meanwhile is a new tag, and no fault.
    const unmoved = async (): Promise<number[]> => {
      first = await poll(one);
      return [(await poll(one, first.tag)).status, (await poll(one, first.tag)).status, (await poll(two, first.tag)).status];
    };
    await expect.poll(unmoved).toEqual([304, 304, 304]);
    await world.api.approve(card, { option: 'all' });
    expect((await poll(two, first.tag)).status).toBe(200);
    await world.api.ended(run);
  });

  it.each(['api', 'worker', 'temporal'] as const)(
    'an open page outlives a killed %s: it says so where it knows, never a wrong count, and goes on by itself',
    async (part) => {
      const world = await site.world('ws_killed');
      await world.lanes(3);
      // Held, so that the campaign is under way when the part dies, however long the page took to come up.
      const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_search', after: 6 });
      const run = await world.automatic({
        hasta: 'contactos',
        criteria: { giro: part === 'api' ? 'empaque' : part === 'worker' ? 'alimentos' : 'textil', estado: undefined },
      });
      await world.kitchen.holds(hold, 3);
      await world.api.until(run, 'people being found', (p) => p.counts.done >= 3);
      const visit = await site.visit('ws_killed', at(run), { before: RECORDER });
      await cardOf(visit.page, run).waitFor();
      await world.kill(part);
      if (part === 'api') await visit.page.getByTestId('offline').waitFor();
      await world.restart(part);
      await world.kitchen.clear();
      const end = await world.api.ended(run);
      await showsVersion(visit, run, end.version);
      await visit.page.getByTestId('offline').waitFor({ state: 'detached' });
      const seen = await visit.page.evaluate(
        () => (globalThis as unknown as { __seen: Array<{ version: number; people: string }> }).__seen,
      );
      const done = seen.map((one) => Number(/^(\d+) de/.exec(one.people)?.[1] ?? 0));
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect(done.at(-1)).toBe(end.counts.done);
      expectQuiet(visit);
      await visit.close();
    },
  );

  it('a card never says more than the run has', async () => {
    const world = await site.world('ws_same');
    const { run } = await world.toReveal({ cuentas: 5, hasta: 'contactos' });
    const { runs } = await world.api.get<{ runs: Array<{ run_id: string; version: number; counts: Progress['counts'] }> }>(
      '/v1/runs?limit=5',
    );
    const listed = runs.find((one) => one.run_id === run);
    const visit = await site.visit('ws_same', at(run));
    await showsVersion(visit, run, listed?.version ?? -1);
    expect(await said(visit, run, 's3')).toContain(`${listed?.counts.done} de ${listed?.counts.total}`);
    await visit.close();
  });
});
