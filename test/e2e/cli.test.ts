import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Decision } from '../../contracts/decision.js';
import { Progress } from '../../contracts/progress.js';
import { Receipt } from '../../contracts/receipt.js';
import type { Stack } from '../../stack/up.js';
import { startTestStack } from '../support/stack.js';
import { program, type Ended } from './run.js';

/** The command line as a person runs it, against the whole real stack. */
let stack: Stack;
beforeAll(async () => {
  stack = await startTestStack();
}, 300_000);
afterAll(async () => {
  await stack.stop();
}, 300_000);

const campana = (...args: string[]): Promise<Ended> =>
  program('cli/bin.mjs', args, { CAMPANA_API_URL: stack.urls.api, CAMPANA_TOKEN: stack.token, CAMPANA_STATE_DIR: stack.stateDir });
const control = async <T>(method: string, path: string, body: unknown, shape: z.ZodType<T>): Promise<T> => {
  const reply = await fetch(`${stack.urls.toolsControl ?? ''}${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.env['KITCHEN_CONTROL_TOKEN'] ?? ''}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return shape.parse(await reply.json());
};
const Page = z.object({ decisions: z.array(Decision) });
const Log = z.object({
  calls: z.array(z.object({ tool: z.string(), key: z.string().nullable(), outcome: z.string() })),
  charges: z.array(z.object({ kind: z.string(), amount: z.number() })),
});
/** The open card of a kind, once it is there. */
const cardOf = (kind: string): Promise<Decision> =>
  vi.waitFor(
    async () => {
      const reply = await fetch(`${stack.urls.api}/v1/decisions?state=open`, { headers: { authorization: `Bearer ${stack.token}` } });
      const card = Page.parse(await reply.json()).decisions.find((d) => d.kind === kind);
      if (!card) throw new Error(`no open ${kind}`);
      return card;
    },
    { timeout: 120_000, interval: 100 },
  );
const last = <T>(ended: Ended, shape: z.ZodType<T>): T => shape.parse(JSON.parse(ended.lines.at(-1) ?? ''));
const search = ['--giro', 'empaque', '--estado', 'Jalisco', '--cargo', 'compras'];

describe('campana crear', () => {
  it("runs an automatic campaign inside its cap and prints one receipt whose money is the provider's own", async () => {
    const ended = await campana('crear', '--cuentas', '50', ...search, '--modo', 'automatico', '--tope', '60', '--json');
    expect(ended.lines).toHaveLength(1);
    const receipt = last(ended, Receipt);
    expect(ended.code, ended.stderr).toBe(4);
    expect(receipt.state).toBe('completed_partial');
    expect(receipt.counts.done).toBeGreaterThanOrEqual(40);
    expect(receipt.contacts).toEqual({ captured: receipt.counts.done, drafted: receipt.counts.done, unconfirmed: 0 });
    expect(receipt.budget.credits).toMatchObject({ held: 0, spent: receipt.contacts.captured });
    expect(receipt.missing.reduce((n, m) => n + m.count, 0)).toBe(receipt.counts.total - receipt.counts.done);
    expect(receipt.missing.every((m) => m.exit.startsWith('exit.'))).toBe(true);
    const log = await control('GET', '/log?workspace=ws_demo', null, Log);
    expect(log.charges.filter((c) => c.kind === 'credits').reduce((n, c) => n + c.amount, 0)).toBe(receipt.budget.credits.spent);
    const keys = log.calls.filter((c) => c.tool === 'people_reveal').map((c) => c.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(receipt.history_events.total).toBeLessThanOrEqual(300);
    expect(receipt.history_events.people_step).toBeLessThanOrEqual(90);
  }, 300_000);

  it('spends no more than a cap below the price of everybody, and says who was left out', async () => {
    const ended = await campana(
      'crear',
      '--cuentas',
      '12',
      '--giro',
      'alimentos',
      '--cargo',
      'compras',
      '--modo',
      'automatico',
      '--tope',
      '3',
      '--json',
    );
    const receipt = last(ended, Receipt);
    expect(receipt.budget.credits).toEqual({ plan_max: 3, held: 0, spent: 3 });
    expect(receipt.missing).toContainEqual(expect.objectContaining({ reason: 'credits_limit' }));
    expect(ended.code).toBe(4);
  }, 300_000);

  it('stops at the card with the lot that fits when the balance is short, and has spent nothing', async () => {
    await control('POST', '/balances', { workspace: 'ws_demo', credits: 32 }, z.unknown());
    const before = await control(
      'GET',
      '/counters?workspace=ws_demo',
      null,
      z.object({ tools: z.record(z.string(), z.object({ received: z.number() })) }),
    );
    const ended = await campana('crear', '--cuentas', '50', ...search, '--json');
    expect(ended.code, ended.stderr).toBe(5);
    expect(ended.stderr).toContain('32');
    const after = await control(
      'GET',
      '/counters?workspace=ws_demo',
      null,
      z.object({ tools: z.record(z.string(), z.object({ received: z.number() })) }),
    );
    for (const tool of ['company_search', 'people_search', 'people_reveal'])
      expect(after.tools[tool]?.received ?? 0).toBe(before.tools[tool]?.received ?? 0);
    const open = last(await campana('decisiones', 'list', '--json'), Page).decisions.filter(
      (d) => d.kind === 'ajustar_presupuesto' && d.state === 'open',
    );
    expect(open[0]?.options.map((o) => [o.id, o.n])).toEqual([
      ['fit_n', 32],
      ['choose', 32],
      ['recheck_balance', 0],
      ['decline', 0],
    ]);
    const declined = await campana('decisiones', 'rechazar', open[0]?.id ?? '', '--si', '--json');
    expect(declined.code, declined.stderr).toBe(0);
    await control('POST', '/balances', { workspace: 'ws_demo', credits: 500 }, z.unknown());
  }, 300_000);

  it('goes card by card in manual mode without a terminal: exit 3 until the taps are given, a paid one only with its total', async () => {
    const first = await campana('crear', '--cuentas', '5', '--giro', 'quimica', '--cargo', 'compras', '--json');
    expect(first.code, first.stderr).toBe(3);
    // Whoever follows meanwhile sees every version in order, with counts that sum.
    const run = (await cardOf('ajustar_presupuesto')).run_id;
    const following = campana('seguir', run, '--json');
    for (const kind of ['ajustar_presupuesto', 'guardar_en_crm', 'revelar_contactos']) {
      const card = await cardOf(kind);
      const total = card.options[0]?.totals.credits ?? 0;
      if (total > 0) expect((await campana('decisiones', 'aprobar', card.id, '--json')).code).toBe(2);
      const tapped = await campana(
        'decisiones',
        'aprobar',
        card.id,
        ...(total > 0 ? ['--confirmo-total', String(total), '--plan-version', String(card.plan_version)] : ['--si']),
        '--json',
      );
      expect(tapped.code, tapped.stderr).toBe(0);
    }
    const followed = await following;
    const progress = followed.lines.map((l) => Progress.parse(JSON.parse(l)));
    expect(progress.map((p) => p.version)).toEqual([...new Set(progress.map((p) => p.version))].sort((a, b) => a - b));
    for (const p of progress)
      expect(
        p.counts.done + p.counts.running + p.counts.pending + p.counts.not_found + p.counts.suppressed + p.counts.skipped + p.counts.failed,
      ).toBe(p.counts.total);
    expect(followed.code).toBe(progress.at(-1)?.state === 'completed' ? 0 : 4);
  }, 600_000);
});

describe('campana doctor', () => {
  it('says that everything is up, and with which versions', async () => {
    const ended = await campana('doctor', '--json');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  });

  it('ends with 7 and says what to do when nothing answers', async () => {
    const ended = await program('cli/bin.mjs', ['saldo', '--json'], { CAMPANA_API_URL: 'http://127.0.0.1:1', CAMPANA_TOKEN: stack.token });
    expect(ended.code).toBe(7);
    expect(ended.stderr.length).toBeGreaterThan(10);
  });
});
