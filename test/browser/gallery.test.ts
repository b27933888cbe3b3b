import { AxeBuilder } from '@axe-core/playwright';
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POLICY } from '../../api/page-policy.js';
import { buildPage } from '../../stack/build.js';
import { GROUPS } from '../../web/gallery/groups.js';
import { launchChromium } from './chromium.js';

const START_MS = 300_000;
/** Two dozen pages are looked through: minutes on a machine that does much else. */
const ALL_MS = 600_000;
const LOOKS = (['es-MX', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [320, 1280].map((width) => ({ language, theme, width }))),
);
const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** The built page by itself, under the policy of the API: the gallery needs nothing behind it. */
const serve = async (folder: string): Promise<Server> => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const file = path.startsWith('/assets/') ? join(folder, 'assets', path.slice('/assets/'.length)) : join(folder, 'index.html');
    readFile(file).then(
      (bytes) =>
        response
          .writeHead(200, {
            'content-type': `${TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain'}; charset=utf-8`,
            'content-security-policy': POLICY,
          })
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

describe('every state of every component', () => {
  let browser: Browser;
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = await serve((await buildPage()).path);
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  }, START_MS);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const look = async <T>(
    options: { language: string; theme: 'light' | 'dark'; width: number },
    work: (page: Page, faults: string[]) => Promise<T>,
  ): Promise<T> => {
    const context = await browser.newContext({
      viewport: { width: options.width, height: 900 },
      locale: options.language,
      colorScheme: options.theme,
      reducedMotion: 'reduce',
    });
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      return await work(page, faults);
    } finally {
      await context.close();
    }
  };
  const open = async (page: Page, group: string): Promise<void> => {
    await page.goto(`${base}/galeria?grupo=${group}`);
    await page.locator('[data-case]').first().waitFor();
  };

  it.each(LOOKS)(
    'has no serious accessibility finding and fits its window: $language, $theme, $width px',
    async (options) => {
      await look(options, async (page, faults) => {
        for (const group of GROUPS) {
          await open(page, group);
          const { violations } = await new AxeBuilder({ page }).analyze();
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          expect(
            serious.map(
              ({ id, nodes }) =>
                `${group}: ${id}: ${nodes
                  .slice(0, 3)
                  .map((node) => `${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`)
                  .join(' | ')}`,
            ),
          ).toEqual([]);
          expect(await page.getByTestId('broken').count(), `a broken state in ${group}`).toBe(0);
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
            `${group} scrolls sideways`,
          ).toBeLessThanOrEqual(0);
        }
        expect(faults).toEqual([]);
      });
    },
    ALL_MS,
  );

  it('shows strange names as the text that they are', async () => {
    await look({ language: 'es-MX', theme: 'light', width: 1280 }, async (page, faults) => {
      for (const group of ['decision', 'campana', 'chat', 'resultados', 'secuencia', 'campanas', 'problemas']) {
        await open(page, group);
        expect(await page.locator('img, iframe, object, embed').count()).toBe(0);
        await expect
          .poll(() => page.getByText('<script>alert("hola")</script>', { exact: false }).count(), { message: group })
          .toBeGreaterThan(0);
        expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
      }
      expect(faults).toEqual([]);
    });
  });

  it.each(['es-MX', 'en'])(
    'every text is there in %s',
    async (language) => {
      await look({ language, theme: 'light', width: 1280 }, async (page) => {
        for (const group of GROUPS) {
          await open(page, group);
          // A code without a text is shown as itself: dotted words of a code's form.
          const text = await page.locator('main').innerText();
          expect(text.match(/\b(?:web|view|cli|step|run|decision|count|unit|exit)\.[a-z_]+(?:\.[a-z_0-9]+)*\b/g) ?? [], group).toEqual([]);
        }
      });
    },
    ALL_MS,
  );

  it('states of one thing are each another picture', async () => {
    await look({ language: 'es-MX', theme: 'light', width: 1280 }, async (page) => {
      await open(page, 'campana');
      const chips = await page.locator('[data-testid="run-state"]').allInnerTexts();
      expect(new Set(chips.slice(0, 10)).size).toBe(10);
    });
  });
});
