import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { option } from '../faults/api.js';
import { allProblems } from '../faults/checks/index.js';
import { eventually } from '../faults/kitchen.js';
import type { World } from '../faults/world.js';
import { cardOf, decisionOf, expectQuiet, settle, Site, standsStill } from './site.js';

const START_MS = 300_000;
const WORKSPACES = ['ws_race', 'ws_lost', 'ws_replan', 'ws_balance', 'ws_typed', 'ws_clicks', 'ws_moving', 'ws_cancel'] as const;
const TEN = { cuentas: 10, hasta: 'contactos' as const };

/** Reveal charges as the provider counts them. */
const charges = async (world: World): Promise<number> => (await world.kitchen.log()).charges.filter((c) => c.kind === 'credits').length;

describe('money on the page', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open(WORKSPACES);
  }, START_MS);
  afterAll(() => site?.close(), START_MS);

  it('two browsers that tap different buttons in the same moment get one outcome, and the loser sees who won', async () => {
    const world = await site.world('ws_race');
    const { run, card } = await world.toReveal(TEN);
    const [ana, luis] = await Promise.all([
      site.visit('ws_race', `/campanas/${run}`, { sub: 'Ana' }),
      site.visit('ws_race', `/decisiones/${card.id}`, { sub: 'Luis' }),
    ]);
    await Promise.all([settle(ana.page, card.id), settle(luis.page, card.id)]);
    await decisionOf(luis.page, card.id).locator('[data-option="decline"]').click();
    await standsStill(luis.page, 'dialog button[type="submit"]');
    // Neither tap is on its way before both are: what a page learns of the other's cannot keep its own back.
    let together = (): void => undefined;
    const both = new Promise<void>((resolve) => (together = resolve));
    let taps = 0;
    for (const { page } of [ana, luis])
      await page.route(
        '**/resolve',
        async (route) => {
          if ((taps += 1) === 2) together();
          await both;
          await route.continue();
        },
        { times: 1 },
      );
    await Promise.all([
      decisionOf(ana.page, card.id).locator('[data-option="all"]').click(),
      luis.page.getByRole('dialog').locator('button[type="submit"]').click(),
    ]);
    const outcome = await eventuallyResolved(world, card.id);
    expect([outcome.state, outcome.resolved?.by]).toEqual(outcome.state === 'approved' ? ['approved', 'Ana'] : ['declined', 'Luis']);
    const winner = outcome.resolved?.by ?? '';
    await luis.page.getByText(winner, { exact: false }).first().waitFor();
    if (outcome.state === 'approved') await luis.page.getByText('Ya la resolvió Ana', { exact: false }).first().waitFor();
    await world.api.until(run, 'the tap to be taken up', (p) => !p.decisions.includes(card.id)).catch(() => undefined);
    for (const visit of [ana, luis]) {
      expectQuiet(visit);
      await visit.close();
    }
  });

  it('a tap whose reply is lost with the API is found confirmed after a reload, and charged once', async () => {
    const world = await site.world('ws_lost');
    const { run, card } = await world.toReveal(TEN);
    const visit = await site.visit('ws_lost', `/campanas/${run}`);
    await settle(visit.page, card.id);
    // The tap reaches the API, which dies before it is answered.
    await visit.page.route(
      '**/resolve',
      async (route) => {
        await route.fetch();
        await world.kill('api');
        await route.abort();
      },
      { times: 1 },
    );
    await decisionOf(visit.page, card.id).locator('[data-option="all"]').click();
    await visit.page.getByText('Recibimos tu toque', { exact: false }).first().waitFor();
    await world.restart('api');
    await visit.page.reload();
    const end = await world.api.ended(run);
    const credits = option(card, 'all').totals.credits;
    expect(end.budget.credits).toMatchObject({ spent: credits, held: 0 });
    expect(await charges(world)).toBe(credits);
    await cardOf(visit.page, run).getByText(`${end.contacts.captured} de`, { exact: false }).first().waitFor();
    // The page hears of its tap by itself, before or after the campaign is over.
    await expect
      .poll(() => visit.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('campana.tap.'))))
      .toEqual([]);
    expect(await allProblems(world)).toEqual([]);
    await visit.close();
  });

  it('a change of plan under an open decision makes its card inert and shows the one that replaces it', async () => {
    const world = await site.world('ws_replan');
    const { run, card } = await world.toReveal(TEN);
    const [onRun, onCard] = await Promise.all([
      site.visit('ws_replan', `/campanas/${run}`),
      site.visit('ws_replan', `/decisiones/${card.id}`),
    ]);
    await Promise.all([settle(onRun.page, card.id), settle(onCard.page, card.id)]);
    await world.api.send('POST', `/v1/runs/${run}/replan`, { cuentas: 6 });
    const fresh = await world.api.card(run, 'revelar_contactos', card.id);
    await decisionOf(onRun.page, fresh.id).waitFor();
    await expect.poll(() => decisionOf(onRun.page, card.id).count()).toBe(0);
    const old = decisionOf(onCard.page, card.id);
    await old.getByText('Sustituida').waitFor();
    await expect.poll(() => old.locator('button[data-option]').count()).toBe(0);
    await old.getByRole('link', { name: 'Ver la decisión vigente' }).click();
    await decisionOf(onCard.page, fresh.id).locator('button[data-option]').first().waitFor();
    expect(await charges(world)).toBe(0);
    for (const visit of [onRun, onCard]) {
      expectQuiet(visit);
      await visit.close();
    }
  });

  it('a balance that fell between the card and the tap costs nothing and shows the card at what fits now', async () => {
    const world = await site.world('ws_balance');
    const { run, card } = await world.toReveal(TEN);
    const visit = await site.visit('ws_balance', `/campanas/${run}`);
    await settle(visit.page, card.id);
    const whole = option(card, 'all').n;
    // The page keeps what it shows: the balance falls behind its back, at the last moment before the tap.
    await visit.page.route(
      '**/resolve',
      async (route) => {
        await world.kitchen.balance(whole - 3);
        await world.api.call('POST', `/v1/runs/${run}/recheck-balance`);
        await eventually('the lower balance to be known', async () => (await world.api.balances()).credits.available <= whole - 3);
        await route.continue();
      },
      { times: 1 },
    );
    await decisionOf(visit.page, card.id).locator('[data-option="all"]').click();
    const fresh = await world.api.card(run, 'revelar_contactos', card.id);
    expect(option(fresh, 'fit_n').n).toBe(whole - 3);
    await decisionOf(visit.page, fresh.id)
      .getByRole('button', { name: `Revelar los ${whole - 3} que alcanzan`, exact: false })
      .waitFor();
    await visit.page.getByTestId('refused').waitFor();
    expect([await charges(world), (await world.api.progress(run)).budget.credits]).toMatchObject([0, { held: 0, spent: 0 }]);
    expectQuiet(visit);
    await visit.close();
  });

  it('a yes typed in the chat spends nothing', async () => {
    const world = await site.world('ws_typed');
    const { run, card } = await world.toReveal(TEN);
    const visit = await site.visit('ws_typed', '/');
    const composer = visit.page.locator('textarea').first();
    await composer.fill('sí, revela todos');
    await composer.press('Enter');
    await visit.page.locator('[role="log"]').getByText('sí, revela todos').first().waitFor();
    await eventually('the turn to end', async () => {
      const { threads } = await world.api.get<{ threads: Array<{ thread_id: string }> }>('/v1/threads?limit=5');
      const thread = threads[0] ? await world.api.get<{ turns: Array<{ state: string }> }>(`/v1/threads/${threads[0].thread_id}`) : null;
      return thread !== null && thread.turns.length > 0 && thread.turns.every((turn) => !['queued', 'running'].includes(turn.state));
    });
    expect((await world.api.decision(card.id)).state).toBe('open');
    expect([await charges(world), (await world.api.progress(run)).budget.credits]).toMatchObject([0, { held: 0, spent: 0 }]);
    expectQuiet(visit);
    await visit.close();
  });

  it('a double click, a held Enter and the ghost click of a touch are one tap', async () => {
    const world = await site.world('ws_clicks');
    const { run, card } = await world.toReveal(TEN);
    const visit = await site.visit('ws_clicks', `/campanas/${run}`, { context: { hasTouch: true } });
    const sent: string[] = [];
    visit.page.on('request', (request) => {
      if (request.url().endsWith('/resolve')) sent.push(request.headers()['idempotency-key'] ?? '');
    });
    await settle(visit.page, card.id);
    const button = decisionOf(visit.page, card.id).locator('[data-option="all"]');
    // All of it in one task of the page: nothing is drawn in between.
    await button.evaluate((element) => {
      const tap = element as HTMLButtonElement;
      tap.focus();
      for (const type of ['touchstart', 'touchend']) tap.dispatchEvent(new Event(type, { bubbles: true }));
      tap.click();
      tap.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
      tap.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
      for (let i = 0; i < 20; i += 1) tap.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, repeat: i > 0 }));
    });
    await visit.page.keyboard.down('Enter');
    await visit.page.keyboard.up('Enter');
    await world.api.ended(run);
    expect(new Set(sent).size).toBe(1);
    expect(await charges(world)).toBe(option(card, 'all').totals.credits);
    expectQuiet(visit);
    await visit.close();
  });

  it('a card that appears under a moving pointer cannot be tapped for half a second', async () => {
    const world = await site.world('ws_moving');
    const { run, card } = await world.toReveal(TEN);
    // From the first moment the button exists, something clicks it as fast as it can.
    const visit = await site.visit('ws_moving', `/campanas/${run}`, {
      before: `
        window.__clicks = [];
        new MutationObserver(() => {
          const button = document.querySelector('[data-decision="${card.id}"] [data-option="all"]');
          if (!button || window.__since !== undefined) return;
          window.__since = performance.now();
          window.__clicks.push(0);
          button.click();
          const timer = setInterval(() => {
            const at = performance.now() - window.__since;
            if (at > 450) {
              window.__over = true;
              return clearInterval(timer);
            }
            window.__clicks.push(at);
            button.click();
          }, 20);
        }).observe(document, { childList: true, subtree: true });`,
    });
    await visit.page.waitForFunction(() => (globalThis as unknown as { __over?: boolean }).__over === true);
    expect(await visit.page.evaluate(() => (globalThis as unknown as { __clicks: number[] }).__clicks.length)).toBeGreaterThan(0);
    await settle(visit.page, card.id);
    expect((await world.api.decision(card.id)).state).toBe('open');
    await decisionOf(visit.page, card.id).locator('[data-option="all"]').click();
    expect((await eventuallyResolved(world, card.id)).state).toBe('approved');
    expectQuiet(visit);
    await visit.close();
  });

  it('cancelling at 20 of 32 says what stays and what is freed, and the receipt lists both', async () => {
    const world = await site.world('ws_cancel');
    await world.lanes(1);
    const { run, card } = await world.toReveal({ hasta: 'contactos' });
    await world.kitchen.balance(32);
    await world.api.call('POST', `/v1/runs/${run}/recheck-balance`);
    const short = await world.api.card(run, 'revelar_contactos', card.id);
    expect(option(short, 'fit_n').totals.credits).toBe(32);
    // Twenty pass; the provider asks the next one to come back later.
    await world.kitchen.fault({ kind: 'rate_limit', tool: 'people_reveal', after: 20, retry_after_ms: 60_000 });
    const visit = await site.visit('ws_cancel', `/campanas/${run}`);
    await settle(visit.page, short.id);
    await decisionOf(visit.page, short.id).locator('[data-option="fit_n"]').click();
    await world.api.until(run, 'twenty revealed', (p) => p.contacts.captured === 20);
    await cardOf(visit.page, run).getByText('20 de 32 contactos revelados', { exact: false }).waitFor();
    await cardOf(visit.page, run).getByRole('button', { name: 'Acciones' }).click();
    await visit.page.getByRole('button', { name: 'Cancelar campaña' }).click();
    const dialog = visit.page.getByRole('dialog');
    await dialog.getByText('20 contactos revelados (20 créditos usados). Se liberan 12 créditos apartados.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Cancelar la campaña' }).click();
    const end = await world.api.ended(run);
    expect([end.state, end.budget.credits.spent, end.budget.credits.held, end.contacts.captured]).toEqual(['canceled', 20, 0, 20]);
    const receipt = await world.api.receipt(run);
    expect([receipt.budget.credits.spent, receipt.freed.credits]).toEqual([20, 12]);
    const said = visit.page.getByTestId('receipt');
    await said.getByText('20 créditos', { exact: false }).first().waitFor();
    await said.getByText('12 créditos', { exact: false }).first().waitFor();
    expect(await allProblems(world)).toEqual([]);
    expectQuiet(visit);
    await visit.close();
  });
});

const eventuallyResolved = async (world: World, id: string) => {
  await eventually('the decision to be resolved', async () => (await world.api.decision(id)).state !== 'open');
  return world.api.decision(id);
};
