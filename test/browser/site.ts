import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack, StackOptions } from '../../stack/up.js';
import { startTestStack } from '../support/stack.js';
import { openGround, World, type Ground } from '../faults/world.js';
import { faultsStack, forgetForeign } from '../faults/stack.js';
import { launchChromium } from './chromium.js';

export interface VisitOptions {
  /** Who is at the page. */
  sub?: string;
  language?: 'es-MX' | 'en';
  theme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  context?: BrowserContextOptions;
  /** Runs in the page before its own code. */
  before?: string;
}

/** A person with a browser of their own, logged in: cookies, storage and connections are nobody else's. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the page complained of: script errors and refused resources. */ faults: string[];
  close(): Promise<void>;
}

/** A real stack with the real page, and real browsers that look at it. */
export class Site {
  private constructor(
    readonly stack: Stack,
    readonly ground: Ground,
    readonly browser: Browser,
  ) {}

  /** @param workspaces those that the tests use, one each, so that none disturbs another */
  static async open(workspaces: readonly string[], options: StackOptions = {}): Promise<Site> {
    forgetForeign();
    const stack = await startTestStack({ ...faultsStack([]), workspaces: [...workspaces], ...options });
    try {
      return new Site(stack, await openGround(stack), await launchChromium());
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }
  async close(): Promise<void> {
    await this.browser.close();
    await this.ground.close();
    await this.stack.stop();
  }

  world(workspace: string): Promise<World> {
    return World.open(this.ground, workspace);
  }

  /** Gives a browser the session of somebody, as the login does. */
  async enter(context: BrowserContext, who: { workspace: string; sub: string; expiresIn?: string }): Promise<void> {
    const url = this.stack.urls.api;
    const opened = await fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await this.stack.mintToken(who)}` },
    });
    const value = /campana_session=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1];
    if (value === undefined) throw new Error(`no session: ${opened.status}`);
    await context.addCookies([{ name: 'campana_session', value, url, httpOnly: true, sameSite: 'Strict' }]);
  }

  /** Opens an address as somebody of a workspace. */
  async visit(workspace: string, path: string, options: VisitOptions = {}): Promise<Visit> {
    const { sub = 'luis', language = 'es-MX', theme = 'light', viewport = { width: 1280, height: 900 } } = options;
    const context = await this.browser.newContext({
      viewport,
      locale: language,
      colorScheme: theme,
      reducedMotion: 'reduce',
      ...options.context,
    });
    await this.enter(context, { workspace, sub });
    const page = await context.newPage();
    // Only a guard: how long a machine with much to do takes for a page is no business of the tests.
    page.setDefaultTimeout(90_000);
    if (options.before) await page.addInitScript(options.before);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // A refused or failed request is also told here; those are the business of whoever cut the connection.
      if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) faults.push(`console: ${message.text()}`);
    });
    await page.goto(this.stack.urls.api + path);
    return { page, context, faults, close: () => context.close() };
  }
}

/** The process card of a run on a page. */
export const cardOf = (page: Page, run: string) => page.locator(`[data-run="${run}"]`);
/** A decision's card on a page. */
export const decisionOf = (page: Page, id: string) => page.locator(`[data-decision="${id}"]`);
/** The version that a card shows. */
export const versionOn = async (page: Page, run: string): Promise<number> =>
  Number(await cardOf(page, run).first().getAttribute('data-version'));

/**
 * Waits until a button has stood there for a while, the same and not busy: the page ignores what comes in the first half second after
 * what a button promises has changed. Watched in the page, drawing by drawing, so that a change is seen however slow the machine is.
 */
export const standsStill = async (page: Page, selector: string): Promise<void> => {
  await page.evaluate(() => void delete (globalThis as { __standing?: unknown }).__standing);
  await page.waitForFunction((wanted) => {
    const now = performance.now();
    const kept = globalThis as unknown as { __standing?: { button: HTMLElement; says: string; since: number } };
    const button = document.querySelector<HTMLElement>(wanted);
    if (!button || button.offsetParent === null || button.ariaDisabled === 'true') return void delete kept.__standing;
    if (kept.__standing?.button !== button || kept.__standing.says !== button.innerText)
      kept.__standing = { button, says: button.innerText, since: now };
    return now - kept.__standing.since > 600;
  }, selector);
};
/** Waits until an open decision can be tapped. */
export const settle = (page: Page, id: string): Promise<void> => standsStill(page, `[data-decision="${id}"] button[data-option]`);

/** A page that worked has nothing to complain of. */
export const expectQuiet = (visit: Visit): void => assert.deepEqual(visit.faults, []);
