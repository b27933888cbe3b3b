import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { Decision } from '../../contracts/decision.js';
import { option } from '../faults/api.js';
import { eventually } from '../faults/kitchen.js';
import type { World } from '../faults/world.js';
import { cardOf, decisionOf, expectQuiet, settle, Site, standsStill, type Visit } from './site.js';

const START_MS = 300_000;
const WORKSPACES = [
  'ws_shared',
  'ws_other',
  'ws_expired',
  'ws_twotabs',
  'ws_held',
  'ws_moved',
  'ws_focus',
  'ws_portal',
  'ws_private',
  'ws_leave',
] as const;
const SIX = { cuentas: 6, hasta: 'contactos' as const };

const charges = async (world: World): Promise<number> => (await world.kitchen.log()).charges.filter((c) => c.kind === 'credits').length;
/** A key that is held down: every further "down" is a repeat. Goes on until what it set off is over, and for a while after. */
const hold = async (page: Page, key: string, over: () => Promise<boolean>): Promise<void> => {
  for (let after = 0; after < 60; after += (await over()) ? 1 : 0) await page.keyboard.down(key);
  // Longer than a card that changed takes no tap: it would take the next repeat.
  const since = await page.evaluate(() => performance.now());
  while ((await page.evaluate(() => performance.now())) - since < 1_000) await page.keyboard.down(key);
  await page.keyboard.up(key);
};
/** Keys of the taps that a page sends. */
const tapsOf = (page: Page): string[] => {
  const keys: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/resolve')) keys.push(request.headers()['idempotency-key'] ?? '');
  });
  return keys;
};
const resolved = async (world: World, id: string): Promise<Decision> => {
  await eventually('the decision to be answered', async () => (await world.api.decision(id)).state !== 'open');
  return world.api.decision(id);
};
const holdsFocus = (page: Page): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.closest('[data-decision]')?.getAttribute('data-decision') ?? document.activeElement?.tagName ?? 'nothing',
  );

describe('a page in bad company', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open(WORKSPACES);
  }, START_MS);
  afterAll(() => site?.close(), START_MS);

  /** Logs in by hand on the login screen. */
  const enter = async (visit: Visit, workspace: string, sub: string): Promise<void> => {
    await visit.page.locator('#token').fill(await site.stack.mintToken({ workspace, sub }));
    await visit.page.locator('form button[type="submit"]').click();
    await visit.page.locator('header.frame').waitFor();
  };
  const become = (visit: Visit, workspace: string, sub: string, expiresIn = '1h'): Promise<void> =>
    site.enter(visit.context, { workspace, sub, expiresIn });
  const tapAll = (visit: Visit, card: Decision): Promise<void> => decisionOf(visit.page, card.id).locator('[data-option="all"]').click();

  it('a tap that was not confirmed is not sent by the next person on the device, and is by the one who made it', async () => {
    const world = await site.world('ws_shared');
    const { run, card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_shared', `/decisiones/${card.id}`, { sub: 'Ana' });
    const sent = tapsOf(visit.page);
    await settle(visit.page, card.id);
    await visit.page.route('**/resolve', (route) => route.abort());
    await tapAll(visit, card);
    await visit.page.getByText('Recibimos tu toque', { exact: false }).first().waitFor();
    // Her session ends, and Luis logs in where she left off.
    await visit.context.clearCookies();
    await visit.page.locator('#token').waitFor();
    await visit.page.unroute('**/resolve');
    const before = sent.length;
    await enter(visit, 'ws_shared', 'Luis');
    await settle(visit.page, card.id);
    expect(await decisionOf(visit.page, card.id).locator('[data-option="all"]').innerText()).toContain('Revelar');
    expect([sent.length - before, (await world.api.decision(card.id)).state]).toEqual([0, 'open']);
    // Ana is back: her tap is still meant.
    await visit.context.clearCookies();
    await visit.page.locator('#token').waitFor();
    await enter(visit, 'ws_shared', 'Ana');
    const outcome = await resolved(world, card.id);
    expect(outcome.resolved?.by).toBe('Ana');
    expect(new Set(sent).size).toBe(1);
    await world.api.ended(run);
    expect(await charges(world)).toBe(option(card, 'all').totals.credits);
    expectQuiet(visit);
    await visit.close();
  });

  it('who logs in next sees nothing of what was there, and the address stays', async () => {
    const world = await site.world('ws_other');
    const { run, card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_other', `/decisiones/${card.id}`);
    await settle(visit.page, card.id);
    await visit.page.locator('header.frame button').click();
    await visit.page.locator('#token').waitFor();
    await enter(visit, 'ws_private', 'eva');
    await visit.page.locator('main [role="alert"]').waitFor();
    expect(new URL(visit.page.url()).pathname).toBe(`/decisiones/${card.id}`);
    expect(await visit.page.locator('button[data-option]').count()).toBe(0);
    // And where the cookie became another person's in another tab, the page follows when it is looked at.
    await become(visit, 'ws_other', 'luis');
    await visit.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await decisionOf(visit.page, card.id).locator('[data-option="all"]').waitFor();
    await visit.page.goto(`${site.stack.urls.api}/campanas/${run}`);
    await cardOf(visit.page, run).waitFor();
    expectQuiet(visit);
    await visit.close();
  });

  it('leaving all devices asks first, says when it could not, and ends the session of another browser too', async () => {
    const [one, other] = [
      await site.visit('ws_private', '/configuracion', { sub: 'Rosa' }),
      await site.visit('ws_private', '/configuracion', { sub: 'Rosa' }),
    ];
    const asked: string[] = [];
    one.page.on('request', (request) => {
      if (request.method() === 'DELETE') asked.push(new URL(request.url()).pathname);
    });
    const open = one.page.getByRole('button', { name: 'Salir de todos mis dispositivos' });
    const sure = one.page.getByRole('dialog').getByRole('button', { name: 'Salir de todos mis dispositivos' });
    await open.click();
    await one.page.getByRole('dialog').getByRole('button', { name: 'Quedarme' }).click();
    await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(asked).toEqual([]);
    await one.page.route('**/v1/sessions', (route) => route.abort(), { times: 1 });
    await open.click();
    await sure.click();
    await one.page.getByRole('dialog').getByRole('alert').waitFor();
    await sure.click();
    await one.page.locator('#token').waitFor();
    expect(asked).toEqual(['/v1/sessions', '/v1/sessions']);
    await other.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await other.page.locator('#token').waitFor();
    expectQuiet(one);
    expectQuiet(other);
    await Promise.all([one.close(), other.close()]);
  });

  it('a session that ends before the tap is heard taps nothing, and the card is there after the login', async () => {
    const world = await site.world('ws_expired');
    const { card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_expired', `/decisiones/${card.id}`);
    const sent = tapsOf(visit.page);
    await settle(visit.page, card.id);
    await visit.page.route(
      '**/resolve',
      async (route) => {
        await visit.context.clearCookies();
        const { cookie: _cookie, ...headers } = route.request().headers();
        await route.continue({ headers });
      },
      { times: 1 },
    );
    await tapAll(visit, card);
    await visit.page.locator('#token').waitFor();
    expect(await visit.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('campana.tap.')))).toEqual([]);
    await enter(visit, 'ws_expired', 'luis');
    await settle(visit.page, card.id);
    expect([sent.length, (await world.api.decision(card.id)).state]).toEqual([1, 'open']);
    await tapAll(visit, card);
    expect((await resolved(world, card.id)).state).toBe('approved');
    expectQuiet(visit);
    await visit.close();
  });

  it("a tap in a tab whose session was renewed in another one goes through once; after somebody else's login it does not", async () => {
    const world = await site.world('ws_twotabs');
    const { card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_twotabs', `/decisiones/${card.id}`, { sub: 'Ana' });
    const sent = tapsOf(visit.page);
    await settle(visit.page, card.id);
    await become(visit, 'ws_twotabs', 'Luis');
    await tapAll(visit, card);
    // The page is Luis' from now on; what Ana's hand tapped under his name is nobody's.
    await expect.poll(() => sent.length).toBe(1);
    await settle(visit.page, card.id);
    expect([new Set(sent).size, (await world.api.decision(card.id)).state]).toEqual([1, 'open']);
    await become(visit, 'ws_twotabs', 'Luis', '2h');
    await tapAll(visit, card);
    expect((await resolved(world, card.id)).resolved?.by).toBe('Luis');
    expect([sent.length, new Set(sent).size]).toEqual([3, 2]);
    expectQuiet(visit);
    await visit.close();
  });

  it('a held Enter taps once, also when the tap is refused and the button comes back', async () => {
    const world = await site.world('ws_held');
    const { card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_held', `/decisiones/${card.id}`);
    const sent = tapsOf(visit.page);
    await settle(visit.page, card.id);
    await visit.page.route('**/resolve', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 403, code: 'second_approver_needed', title: 'no', retryable: false }),
      }),
    );
    await decisionOf(visit.page, card.id).locator('[data-option="all"]').focus();
    await hold(visit.page, 'Enter', () => decisionOf(visit.page, card.id).locator('.notice.warn').isVisible());
    expect(sent.length).toBe(1);
    await visit.close();
  });

  it('a held Enter does not go from the question of what a campaign costs on to starting it with what it costs', async () => {
    const visit = await site.visit('ws_held', '/campanas?nueva=1');
    const made: string[] = [];
    visit.page.on('request', (request) => {
      if (request.method() === 'POST' && /\/v1\/runs(\?|$)/.test(request.url())) made.push(new URL(request.url()).search);
    });
    await visit.page.locator('.runs-form input[value="automatico"]').check();
    const [first, second] = [visit.page.locator('.runs-field input').nth(0), visit.page.locator('.runs-field input').nth(2)];
    await first.fill('empaque');
    await second.fill('compras');
    await hold(visit.page, 'Enter', () => visit.page.getByTestId('estimate').isVisible());
    expect(made).toEqual(['?dry_run=true']);
    expectQuiet(visit);
    await visit.close();
  });

  it('a campaign with caps whose making was never answered is made once, also when the page was loaded anew and filled in again', async () => {
    const world = await site.world('ws_held');
    const before = (await world.api.get<{ runs: unknown[] }>('/v1/runs?limit=100')).runs.length;
    const visit = await site.visit('ws_held', '/campanas?nueva=1');
    const made: string[] = [];
    // The first one takes effect and its answer is lost.
    await visit.page.route(/\/v1\/runs$/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      made.push(route.request().headers()['idempotency-key'] ?? '');
      if (made.length > 1) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    const fill = async (): Promise<void> => {
      await visit.page.locator('.runs-form input[value="automatico"]').check();
      await visit.page.locator('.runs-field input').nth(0).fill('empaque');
      await visit.page.locator('.runs-field input').nth(2).fill('compras');
      const button = visit.page.locator('.runs-form button[type="submit"]');
      await button.click();
      await visit.page.getByTestId('estimate').waitFor();
      await standsStill(visit.page, '.runs-form button[type="submit"]');
      await button.click();
    };
    await fill();
    await visit.page.locator('.notice.bad').waitFor();
    await visit.page.reload();
    await fill();
    await visit.page.waitForURL(/\/campanas\/[^?/]+$/);
    expect([made.length, new Set(made).size]).toEqual([2, 1]);
    expect((await world.api.get<{ runs: unknown[] }>('/v1/runs?limit=100')).runs.length).toBe(before + 1);
    await visit.close();
  });

  it('a list that was opened before its card changed answers nothing', async () => {
    const world = await site.world('ws_moved');
    const { card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_moved', `/decisiones/${card.id}`);
    const sent = tapsOf(visit.page);
    await settle(visit.page, card.id);
    await decisionOf(visit.page, card.id).locator('[data-option="choose"]').click();
    const dialog = visit.page.getByRole('dialog');
    await dialog.getByRole('checkbox').first().waitFor();
    await world.api.send('POST', `/v1/decisions/${card.id}/resolve`, {
      option: 'decline',
      plan_version: card.plan_version,
      payload_hash: card.payload_hash,
      shown_total: 0,
      then: 'wait',
    });
    await dialog.getByText('Mientras elegías', { exact: false }).waitFor();
    await dialog.locator('button[type="submit"]').click({ force: true });
    expect(sent).toEqual([]);
    await visit.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => holdsFocus(visit.page)).toBe(card.id);
    expectQuiet(visit);
    await visit.close();
  });

  it('a card that is answered elsewhere keeps the focus of whoever was on its button, and on a campaign the focus stays on it', async () => {
    const world = await site.world('ws_focus');
    const { run, card } = await world.toReveal(SIX);
    const [one, other] = [await site.visit('ws_focus', `/decisiones/${card.id}`), await site.visit('ws_focus', `/campanas/${run}`)];
    // The item that opened a dialog is hidden with its menu: the focus comes back to the menu.
    await other.page.locator('.run-menu > button').click();
    await other.page.locator('.run-menu').getByRole('button', { name: 'Cancelar' }).click();
    await other.page.getByRole('dialog').waitFor();
    await other.page.keyboard.press('Escape');
    await other.page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => other.page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('false');
    for (const visit of [one, other]) {
      await settle(visit.page, card.id);
      await decisionOf(visit.page, card.id).locator('[data-option="all"]').focus();
    }
    await world.api.approve(card, { option: 'all' });
    await decisionOf(one.page, card.id).getByTestId('outcome').waitFor();
    await expect.poll(() => holdsFocus(one.page)).toBe(card.id);
    await world.api.ended(run);
    await cardOf(other.page, run).and(other.page.locator('[data-state^="completed"]')).waitFor();
    await expect
      .poll(() =>
        other.page.evaluate(
          () => document.activeElement?.closest('[data-run]')?.getAttribute('data-run') ?? document.activeElement?.tagName,
        ),
      )
      .toBe(run);
    for (const visit of [one, other]) {
      expectQuiet(visit);
      await visit.close();
    }
  });

  it('a portal that answers everything itself neither logs anybody out nor ends a campaign, and a tap behind it is confirmed once it is gone', async () => {
    const world = await site.world('ws_portal');
    const { run, card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_portal', `/campanas/${run}`);
    await settle(visit.page, card.id);
    let at = 0;
    const answers = [
      { status: 200, body: '<p>Hotel</p>' },
      { status: 404, body: '<p>Hotel</p>' },
      { status: 403, body: '<p>Hotel</p>' },
      { status: 503, body: '<p>Hotel</p>' },
    ];
    await visit.page.route('**/v1/**', (route) => route.fulfill({ contentType: 'text/html', ...answers[at++ % answers.length] }));
    await tapAll(visit, card);
    await visit.page.getByText('Recibimos tu toque', { exact: false }).first().waitFor();
    await visit.page.getByTestId('offline').waitFor();
    expect(await visit.page.locator('#token').count()).toBe(0);
    await visit.page.unroute('**/v1/**');
    await world.api.ended(run);
    await cardOf(visit.page, run).and(visit.page.locator('[data-state^="completed"]')).waitFor();
    expect(await charges(world)).toBe(option(card, 'all').totals.credits);
    expectQuiet(visit);
    await visit.close();
  });

  it('a browser that keeps nothing taps as well, and a first load behind a dead line says so and goes on by itself', async () => {
    const world = await site.world('ws_private');
    const { card } = await world.toReveal(SIX);
    const visit = await site.visit('ws_private', `/decisiones/${card.id}`, {
      before: 'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } });',
    });
    await settle(visit.page, card.id);
    await visit.page.route('**/v1/**', (route) => route.abort());
    await visit.page.reload();
    await visit.page.getByText('No hubo respuesta', { exact: false }).waitFor();
    await visit.page.unroute('**/v1/**');
    await settle(visit.page, card.id);
    await tapAll(visit, card);
    expect((await resolved(world, card.id)).state).toBe('approved');
    expectQuiet(visit);
    await visit.close();
  });

  it('leaving without an answer is not having left; an address that is none is a page', async () => {
    const visit = await site.visit('ws_leave', '/no-hay/nada');
    await visit.page.getByRole('heading', { name: 'Esta página no existe' }).waitFor();
    await visit.page.route('**/v1/session', (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()));
    await visit.page.locator('header.frame button').click();
    await visit.page.getByText('No hubo respuesta', { exact: false }).first().waitFor();
    expect(await visit.page.locator('#token').count()).toBe(0);
    await visit.page.unroute('**/v1/session');
    await visit.page.getByRole('button', { name: 'Volver a intentar' }).click();
    await visit.page.locator('#token').waitFor();
    await visit.page.reload();
    await visit.page.locator('#token').waitFor();
    expectQuiet(visit);
    await visit.close();
  });
});
