import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** Where pictures of what was seen go, when somebody wants to look at them. */
const SHOTS = process.env['CAMPANA_BROWSER_SHOTS'] ?? '';
const PATIENCE_MS = 90_000;

/** Temporal's own web UI as an operator uses it. */
export class TemporalUi {
  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly base: string,
  ) {}

  /** @param withoutCodec takes the codec endpoint out of the UI's settings, as if none had been configured */
  static async start(browser: Browser, base: string, { withoutCodec = false } = {}): Promise<TemporalUi> {
    const context = await browser.newContext({
      viewport: { width: 1400, height: 1300 },
      locale: 'en',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    // It asks for news of its maker; a test talks to this machine only.
    await context.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
    if (withoutCodec) {
      await context.route('**/api/v1/settings*', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), Codec: { Endpoint: '' } } });
      });
    }
    return new TemporalUi(await context.newPage(), context, base);
  }
  close(): Promise<void> {
    return this.context.close();
  }

  /** Opens a workflow, on one of its tabs. */
  async open(workflowId: string, tab?: string): Promise<void> {
    await this.page.goto(`${this.base}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`);
    if (tab) await this.tab(tab);
  }
  async tab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name }).click();
  }
  /** Opens the list of workflows that a query finds. */
  async list(query: string): Promise<void> {
    await this.page.goto(`${this.base}/namespaces/default/workflows?query=${encodeURIComponent(query)}`);
  }

  /** What the workflow says of itself at the moment, as the UI renders it. */
  details(): Locator {
    return this.page.frameLocator('#user-metadata-current-details').locator('body');
  }
  /** What it was started as. */
  summary(): Locator {
    return this.page.frameLocator('#user-metadata-summary').locator('body');
  }

  /** Opens the dialog that sends an update or a signal. */
  async dialog(what: 'Update' | 'Signal'): Promise<Locator> {
    await this.page.getByRole('button', { name: 'More Actions' }).click();
    await this.page.getByRole('menuitem', { name: new RegExp(`Send an? ${what}`) }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByTestId(`${what.toLowerCase()}-select-button`).click();
    await dialog.getByRole('option').first().waitFor();
    return dialog;
  }

  /** Sends an update as a person types it. @returns the UI's answer: its toast, or what the dialog says */
  async update(name: string, data?: Record<string, unknown>): Promise<string> {
    const dialog = await this.dialog('Update');
    await dialog
      .getByRole('option')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .click();
    if (data) {
      const editor = dialog.locator('.cm-content');
      await editor.fill(JSON.stringify(data));
      // It lays out what was typed when it is left, and the button moves: not while it is pressed.
      await editor.blur();
      await dialog.getByText(/^\{$/).waitFor();
    }
    await dialog.getByRole('button', { name: 'Submit' }).click();
    const done = this.page.getByText('Update successful').first();
    const refused = dialog.getByRole('alert').filter({ hasText: /\w/ }).last();
    await done.or(refused).first().waitFor();
    if (await done.isVisible()) return done.innerText();
    const said = (await refused.innerText()).trim();
    await this.leave(dialog);
    return said;
  }
  /** Closes a dialog and sends nothing. */
  async leave(dialog: Locator): Promise<void> {
    // The cross: an open list covers the button below.
    await dialog.getByRole('button', { name: 'Cancel' }).first().click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Everything on the page that a person can read, with what is rendered inside it. */
  async text(): Promise<string> {
    return (await Promise.all(this.page.frames().map((frame) => frame.locator('body').innerText()))).join('\n');
  }

  async shot(name: string): Promise<void> {
    if (SHOTS === '') return;
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SHOTS, `temporal-ui-${name}.png`), fullPage: true });
  }
}
