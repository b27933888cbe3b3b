import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { SAMPLE_SUPPRESSIONS } from '../../kitchen/sample-suppressions.js';
import { ROOT } from '../../stack/paths.js';
import type { World } from '../faults/world.js';
import { ensureChromium } from './install.js';
import { cardOf, settle, Site } from './site.js';

// `npm run screenshots`: the pictures of the README, taken of a real campaign on the sample data.
const FOLDER = join(ROOT, 'docs', 'pictures');
const WORKSPACE = 'ws_pictures';
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const shoot = async (page: Page, name: string, height?: number): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, ...(height ? { clip: { x: 0, y: 0, width: page.viewportSize()?.width ?? 1280, height } } : {}) });
  say(`  ✓ docs/pictures/${name}.png`);
};

const ask = async (page: Page, message: string): Promise<void> => {
  const composer = page.locator('textarea').first();
  await composer.fill(message);
  await composer.press('Enter');
  await page.locator('[data-turn][data-state="finished"]').last().waitFor();
};

/** The whole way of a campaign, with a picture where a person would stop and look. */
const pictures = async (site: Site, world: World): Promise<void> => {
  const chat = await site.visit(WORKSPACE, '/', { viewport: { width: 1100, height: 860 } });
  await ask(chat.page, '¿Cuántos proveedores de empaque hay en Jalisco?');
  await chat.page.locator('[data-kind="conteo"]').waitFor();
  await ask(chat.page, 'Muéstramelos');
  await chat.page.locator('[data-kind="lista"]').first().waitFor();
  await shoot(chat.page, 'chat');
  await chat.close();

  const { run, card } = await world.toReveal({ objetivo: '50 personas de compras en empresas de empaque · Jalisco' });
  const desk = await site.visit(WORKSPACE, `/campanas/${run}`, { viewport: { width: 1100, height: 900 } });
  await settle(desk.page, card.id);
  await shoot(desk.page, 'campana');

  await world.api.approve(card, { option: 'all' });
  const end = await world.api.ended(run);
  await cardOf(desk.page, run)
    .and(desk.page.locator(`[data-version="${end.version}"]`))
    .waitFor();
  await desk.page.locator('svg').first().scrollIntoViewIfNeeded();
  await shoot(desk.page, 'linea-de-tiempo');
  await desk.close();

  const ops = await site.visit(WORKSPACE, '/operacion', { viewport: { width: 1100, height: 860 }, theme: 'dark' });
  await ops.page.locator('.ops-screen').waitFor();
  await shoot(ops.page, 'operacion');
  await ops.close();
};

await ensureChromium(say);
await mkdir(FOLDER, { recursive: true });
say('Starting a stack of its own and running a campaign (about half a minute)');
const site = await Site.open([WORKSPACE]);
try {
  const world = await site.world(WORKSPACE);
  await world.api.send('POST', '/v1/suppressions', { entries: SAMPLE_SUPPRESSIONS });
  await pictures(site, world);
} finally {
  await site.close();
}
