import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { Sequence } from '../../contracts/api.js';
import type { StoredSequence } from '../faults/kitchen.js';
import type { World } from '../faults/world.js';
import { expectQuiet, Site, standsStill } from './site.js';

const START_MS = 300_000;
const WORKSPACES = ['ws_review', 'ws_box', 'ws_no'] as const;

/** A campaign at its end and the sequence that waits for its review, on a page of its own. */
const drafted = async (world: World): Promise<Sequence> => {
  const run = await world.automatic({ cuentas: 4 });
  await world.api.ended(run);
  const [row] = await world.rows<{ id: string }>(`select id from sequences where run_id = $1`, [run]);
  return world.api.get<Sequence>(`/v1/sequences/${row?.id ?? ''}`);
};
const again = (world: World, { sequence_id: id }: Sequence): Promise<Sequence> => world.api.get<Sequence>(`/v1/sequences/${id}`);
/** The lot at the provider that no other has replaced. */
const current = async (world: World): Promise<StoredSequence[]> =>
  (await world.kitchen.sequences()).filter((one) => one.replaced_by === null);

const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Mensaje' });
const standing = (page: Page): Locator => page.getByTestId('standing');
const stored = (page: Page): Locator => page.getByTestId('sequence-stored');
const approve = (page: Page): Locator => page.locator('[data-option="approve"]');
const write = async (page: Page, body: string): Promise<void> => {
  await message(page).fill(body);
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect.poll(() => standing(page).innerText()).toMatch(/Guardado/);
};
/** A tap counts once the card has been there for half a second: it is given until it does. */
const tapApprove = async (page: Page): Promise<void> => {
  await standsStill(page, '[data-option="approve"]');
  await approve(page).click();
};

describe('the review of a sequence', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open(WORKSPACES);
  }, START_MS);
  afterAll(() => site?.close(), START_MS);

  it('is read, corrected and approved on its page; what was approved is what the provider has', async () => {
    const world = await site.world('ws_review');
    const sequence = await drafted(world);
    const visit = await site.visit('ws_review', '/decisiones');
    const { page } = visit;
    // From the list of decisions to the texts: there is no other way to approve them.
    await page
      .getByRole('link', { name: /borradores/i })
      .first()
      .click();
    await page.waitForURL(`**/secuencias/${sequence.sequence_id}`);
    await approve(page).waitFor();
    await expect.poll(() => approve(page).innerText()).toBe('Aprobar 4 borradores · gratis');
    await expect.poll(() => message(page).inputValue()).toBe(sequence.drafts[0]?.body);

    await message(page).fill('Corregido en la página');
    await expect.poll(() => standing(page).innerText()).toMatch(/Sin guardar/);
    // Unsaved words are not approved, and the button says why.
    await expect.poll(() => approve(page).getAttribute('aria-disabled')).toBe('true');
    await write(page, 'Corregido en la página');

    await tapApprove(page);
    await page.getByTestId('sequence-outcome').waitFor();
    await expect.poll(() => stored(page).getAttribute('data-state')).toBe('stored');
    await expect.poll(() => page.getByTestId('sequence-outcome').innerText()).toMatch(/luis.*aprobó 4 borradores/i);
    await expect.poll(() => stored(page).innerText()).toMatch(/como la aprobaste/);
    // Read only from here on.
    await expect.poll(() => message(page).count()).toBe(0);

    const { drafts, state } = await again(world, sequence);
    expect([state, drafts[0]?.body]).toEqual(['approved', 'Corregido en la página']);
    const lots = await current(world);
    expect(lots).toHaveLength(1);
    expect(lots[0]?.drafts.map(({ body }) => body).sort()).toEqual(drafts.map(({ body }) => body).sort());
    expectQuiet(visit);
    await visit.close();
  });

  it('of two people at one draft loses no words: whoever comes second chooses, and a tap approves what is shown', async () => {
    const world = await site.world('ws_review');
    const sequence = await drafted(world);
    const path = `/secuencias/${sequence.sequence_id}`;
    const [luis, ana] = await Promise.all([site.visit('ws_review', path), site.visit('ws_review', path, { sub: 'ana' })]);
    await Promise.all([message(luis.page).waitFor(), message(ana.page).waitFor()]);
    await message(luis.page).fill('De Luis');
    // His page reads nothing anew until he has saved: he is to hear of hers by that, and not a moment before.
    const reading = `**/v1/sequences/${sequence.sequence_id}`;
    await luis.page.route(reading, (route) => (route.request().method() === 'GET' ? route.fulfill({ json: sequence }) : route.continue()));
    await write(ana.page, 'De Ana');
    await luis.page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await luis.page.getByRole('button', { name: 'Guardar el mío' }).waitFor();
    await luis.page.unroute(reading);
    await expect.poll(() => luis.page.locator('.sequence-conflict').innerText()).toMatch(/De Luis[\s\S]*De Ana/);
    await luis.page.getByRole('button', { name: 'Guardar el mío' }).click();
    await expect.poll(async () => (await again(world, sequence)).drafts[0]?.body).toBe('De Luis');
    // Ana's page reads again by itself; her tap is of the text that she sees by then.
    await expect.poll(() => message(ana.page).inputValue()).toBe('De Luis');
    await expect.poll(() => approve(ana.page).getAttribute('aria-disabled')).toBe('false');
    await tapApprove(ana.page);
    await expect.poll(() => stored(ana.page).getAttribute('data-state')).toBe('stored');
    await expect.poll(() => stored(luis.page).getAttribute('data-state')).toBe('stored');
    expect((await again(world, sequence)).drafts[0]?.body).toBe('De Luis');
    for (const visit of [luis, ana]) {
      expectQuiet(visit);
      await visit.close();
    }
  });

  it('says what hinders the provider, and goes on with a tap once that is mended', async () => {
    const world = await site.world('ws_box');
    const sequence = await drafted(world);
    const visit = await site.visit('ws_box', `/secuencias/${sequence.sequence_id}`);
    const { page } = visit;
    await message(page).waitFor();
    await write(page, 'Corregido sin buzón');
    await world.kitchen.mailbox(false);
    await tapApprove(page);
    await expect.poll(() => stored(page).getAttribute('data-state')).toBe('hindered');
    await expect.poll(() => stored(page).innerText()).toMatch(/buzón/i);
    await world.kitchen.mailbox(true);
    await stored(page).getByRole('button', { name: 'Intentar otra vez' }).click();
    await expect.poll(() => stored(page).getAttribute('data-state')).toBe('stored');
    expect((await current(world)).flatMap(({ drafts }) => drafts.map(({ body }) => body))).toContain('Corregido sin buzón');
    expectQuiet(visit);
    await visit.close();
  });

  it('left unapproved asks once more, and stays as it was', async () => {
    const world = await site.world('ws_no');
    const sequence = await drafted(world);
    const visit = await site.visit('ws_no', `/secuencias/${sequence.sequence_id}`);
    const { page } = visit;
    await approve(page).waitFor();
    await page.getByRole('button', { name: 'No aprobar', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Volver' }).click();
    expect((await again(world, sequence)).state).toBe('draft');
    await page.getByRole('button', { name: 'No aprobar', exact: true }).click();
    await page.getByRole('dialog').locator('.danger').click();
    await page.getByTestId('sequence-outcome').waitFor();
    expect((await again(world, sequence)).state).toBe('declined');
    await expect.poll(() => message(page).count()).toBe(0);
    expectQuiet(visit);
    await visit.close();
  });
});
