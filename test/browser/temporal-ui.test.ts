import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../contracts/decision.js';
import { eventually } from '../faults/kitchen.js';
import type { World } from '../faults/world.js';
import { Site } from './site.js';
import { TemporalUi } from './temporal-ui.js';

const WORKSPACE = 'ws_temporal_ui';
const START_MS = 300_000;
/** A few seconds each on a machine that does nothing else; this much on one that does. */
const TEST_MS = 300_000;
interface Waiting {
  run: string;
  card: Decision;
}

describe('the Temporal UI in a browser, with encrypted payloads', () => {
  let site: Site;
  let world: World;
  /** Campaigns that wait for their reveal: one to look at, one to pause, one for each way to decline. */
  let waiting: Record<'looked' | 'paused' | 'skip' | 'wait' | 'cancel', Waiting>;
  let ui: TemporalUi;
  /** What has been read in any view. */
  let read = '';

  beforeAll(async () => {
    site = await Site.open([WORKSPACE], {
      encrypt: true,
      ui: true,
      env: { CAMPANA_READBACK_MS: '0,600000,1200000', TOOLS_TIMEOUT_MS: '60000' },
    });
    world = await site.world(WORKSPACE);
    const one = (): Promise<Waiting> => world.toReveal({ cuentas: 10, hasta: 'contactos' });
    const [looked, paused, skip, wait, cancel] = await Promise.all([one(), one(), one(), one(), one()]);
    waiting = { looked, paused, skip, wait, cancel };
    // The UI shows what it is told once: it is asked when workflow and index know what the rows know.
    for (const { run, card } of Object.values(waiting)) {
      await says(run, card.payload_hash);
      await eventually('the card in the index', () => listed(run, `DecisionId = "${card.id}" AND RunState = "waiting_decision"`));
    }
    ui = await TemporalUi.start(site.browser, site.stack.urls.temporalUi ?? '');
  }, START_MS);
  /** Waits until a workflow tells in its details what is to be read there. */
  const says = (run: string, text: string): Promise<void> =>
    eventually(`"${text}" in the details`, async () => {
      const told = await world.temporal.workflow
        .getHandle(world.workflowId(run))
        .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return told.currentDetails?.includes(text) ?? false;
    });
  const listed = async (run: string, query: string): Promise<boolean> => {
    for await (const one of world.temporal.workflow.list({ query })) if (one.workflowId === world.workflowId(run)) return true;
    return false;
  };
  afterEach(async () => {
    if (ui) read += await ui.text();
  });
  afterAll(async () => {
    await ui?.close();
    await site?.close();
  }, START_MS);

  it(
    'tells what a campaign waits for, since when and for how much, and leads to its page',
    async () => {
      const { run, card } = waiting.looked;
      await ui.open(world.workflowId(run), 'User Metadata');
      const details = ui.details();
      await details.getByText('waits for a tap').waitFor();
      await ui.shot('details');
      await details.getByText(card.payload_hash).first().waitFor();
      const text = await details.innerText();
      const total = card.options.find((option) => option.id === 'all')?.totals.credits ?? 0;
      expect(total).toBeGreaterThan(0);
      expect(text).toContain(`waits for a tap on revelar_contactos since ${card.created_at}, ${total} credits, until ${card.expires_at}`);
      expect(text).toContain(card.payload_hash);
      const { conteo } = (await world.api.progress(run)).pasos.find((paso) => paso.id === 's3') ?? {};
      expect(text).toMatch(new RegExp(`s3\\s+conseguir-contactos\\s+\\w+\\s+${conteo?.done}.10 account`));
      await expect.poll(() => ui.summary().innerText()).toContain(`Campaña 10 · ${WORKSPACE} · v1`);

      const link = details.getByRole('link', { name: 'page' });
      expect(await link.getAttribute('href')).toBe(`${site.stack.urls.api}/campanas/${run}`);
      const [opened] = await Promise.all([ui.page.context().waitForEvent('page'), link.click()]);
      await opened.waitForURL(`**/campanas/${run}`);
      await opened.close();
    },
    TEST_MS,
  );

  it(
    'has what operators filter by',
    async () => {
      const { run, card } = waiting.looked;
      await ui.open(world.workflowId(run), 'Search Attributes');
      await ui.page.getByText(card.id).first().waitFor();
      await ui.shot('attributes');
      const expected = {
        RunState: 'waiting_decision',
        CurrentStep: 's4',
        WorkspaceId: WORKSPACE,
        PlanVersion: 1,
        HeldCredits: 0,
        HasUnconfirmed: false,
        WaitingSince: card.created_at,
      };
      for (const [name, value] of Object.entries(expected))
        await expect.poll(() => ui.text()).toContain(`"${name}": ${JSON.stringify(value)}`);
      read += await ui.text();
      await ui.list(`RunState = "waiting_decision" AND DecisionId = "${card.id}"`);
      await ui.page
        .getByRole('link', { name: world.workflowId(run) })
        .first()
        .waitFor();
    },
    TEST_MS,
  );

  it(
    'decodes inputs and names through the codec server, and shows ciphertext where it has none',
    async () => {
      const { run } = waiting.looked;
      const steps = ['s1 · buscar-empresas-y-proveedores', 's2 · guardar-en-crm', 's3 · conseguir-contactos', 's4 · conseguir-contactos'];
      await ui.open(world.workflowId(run));
      for (const shown of [`"run": "${run}"`, ...steps]) await ui.page.getByText(shown).first().waitFor();
      await ui.shot('timeline');
      const blind = await TemporalUi.start(site.browser, site.stack.urls.temporalUi ?? '', { withoutCodec: true });
      try {
        await blind.open(world.workflowId(run));
        // What Temporal keeps, in base64: nonce, ciphertext and tag.
        await blind.page
          .getByText(/^"[A-Za-z0-9+/]{60,}=*"$/)
          .first()
          .waitFor();
        await blind.page.getByText('conseguir-contactos').first().waitFor();
        await blind.shot('without-codec');
        const text = await blind.text();
        for (const word of ['"run":', '"workspace":', ...steps]) expect(text).not.toContain(word);
      } finally {
        await blind.close();
      }
    },
    TEST_MS,
  );

  it(
    'is the only page whose browser may have payloads decoded',
    async () => {
      const settings = (await (await fetch(`${site.stack.urls.temporalUi}/api/v1/settings`)).json()) as { Codec: { Endpoint: string } };
      const page = await ui.page.context().newPage();
      const ask = (): Promise<string> =>
        page.evaluate(
          (url) =>
            fetch(url, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-namespace': 'default' },
              body: '{"payloads":[]}',
            }).then(
              (r) => String(r.status),
              (e: Error) => e.name,
            ),
          `${settings.Codec.Endpoint}/decode`,
        );
      // Any answer of that origin will do: the browser only looks at where the page came from.
      await page.goto(`${site.stack.urls.temporalUi}/api/v1/settings`);
      expect(await ask()).toBe('200');
      await page.goto(new URL('/healthz', site.stack.urls.tools).href);
      expect(await ask()).toBe('TypeError');
      await page.close();
    },
    TEST_MS,
  );

  it(
    'says what each update, signal and query does',
    async () => {
      const { run } = waiting.paused;
      await ui.open(world.workflowId(run));
      const updates = await ui.dialog('Update');
      const does = {
        resolve_decision: 'To decline: {"decision_id":"dec_…","then":"skip"}',
        pause: 'Pauses at the next item',
        resume: 'Goes on after a pause',
        cancel_run: 'Ends the run',
        replan: 'Makes the plan smaller',
      };
      for (const [name, text] of Object.entries(does))
        expect(await updates.getByRole('option').filter({ hasText: text }).innerText()).toContain(name);
      await ui.shot('updates');
      await ui.leave(updates);
      const signals = await ui.dialog('Signal');
      await expect.poll(() => signals.getByRole('option').filter({ hasText: 'Changes nothing by itself' }).count()).toBe(3);
      await ui.shot('signals');
      await ui.leave(signals);
      await ui.tab('Queries');
      await ui.page.getByTestId('query-select-button').click();
      await ui.page.getByRole('option').filter({ hasText: 'State, steps, counts and budget' }).click();
      await ui.page.getByRole('button', { name: 'Run Query' }).click();
      await ui.page.getByTestId('query-result').getByText(`"/v1/runs/${run}"`).waitFor();
      await ui.shot('query');
    },
    TEST_MS,
  );

  it(
    'refuses what makes no sense and what cannot be done, and says why',
    async () => {
      const { run, card } = waiting.paused;
      const approval = {
        decision_id: card.id,
        plan_version: 1,
        payload_hash: card.payload_hash,
        total: 10,
        operator: 'olga',
        reason: 'because',
      };
      const asked: Array<[string, Record<string, unknown>, string]> = [
        ['pause', { why: 5 }, 'expected { reason }'],
        [
          'resolve_decision',
          { decision_id: card.id, then: 'approve' },
          'expected { decision_id, then } with then one of skip, wait, cancel',
        ],
        ['resolve_decision', { decision_id: 'dec_forged', then: 'skip' }, 'decision_not_found: nothing was changed'],
        ['resolve_decision', approval, 'operator_approvals_off: nothing was changed'],
      ];
      await ui.open(world.workflowId(run));
      for (const [name, data, said] of asked) expect(await ui.update(name, data), JSON.stringify(data)).toContain(said);
      expect(await world.api.progress(run)).toMatchObject({ state: 'waiting_decision', decisions: [card.id] });
    },
    TEST_MS,
  );

  it(
    'pauses and resumes a campaign',
    async () => {
      const { run } = waiting.paused;
      await ui.open(world.workflowId(run));
      expect(await ui.update('pause', { reason: 'a look' })).toBe('Update successful');
      await world.api.until(run, 'the pause', (p) => p.state === 'paused');
      await says(run, '· paused ·');
      await ui.open(world.workflowId(run), 'User Metadata');
      await ui.details().getByText('· paused ·').waitFor();
      expect(await ui.update('resume')).toBe('Update successful');
      await world.api.until(run, 'waiting again', (p) => p.state === 'waiting_decision');
      const audit = await world.rows(
        `select action, reason from audit where run_id = $1 and channel = 'temporal-ui' and action like 'run.%' order by id`,
        [run],
      );
      expect(audit).toMatchObject([{ action: 'run.pause', reason: 'a look' }, { action: 'run.resume' }]);
    },
    TEST_MS,
  );

  it.each([
    ['skip', 'completed_partial'],
    ['wait', 'paused'],
    ['cancel', 'canceled'],
  ] as const)(
    'declines a decision with "%s": the campaign is %s',
    async (then, state) => {
      const { run, card } = waiting[then];
      await ui.open(world.workflowId(run));
      expect(await ui.update('resolve_decision', { decision_id: card.id, then, operator: 'olga' })).toBe('Update successful');
      await world.api.until(run, state, (p) => p.state === state);
      expect((await world.api.decision(card.id)).resolved).toMatchObject({
        option: 'decline',
        then,
        by: 'unverified:olga',
        channel: 'temporal-ui',
      });
    },
    TEST_MS,
  );

  it(
    'names the lanes of a step, and what its timers and read-backs are about',
    async () => {
      const { run, card } = waiting.looked;
      await ui.open(world.workflowId(run, 's3'));
      await ui.page.getByText('personas · carril 3 de 10').first().waitFor();
      await ui.shot('lanes');
      read += await ui.text();

      await world.kitchen.honoursKeys(false);
      await world.kitchen.fault({ kind: 'lost_reply_before_effect', tool: 'people_reveal', times: 1 });
      await world.api.approve(card, { option: 'all' });
      await world.api.until(run, 'an unknown outcome that waits', (p) => p.state === 'waiting_external' && p.contacts.unconfirmed === 1);
      const [effect] = await world.rows<{ id: string }>(`select id from effects where run_id = $1 and state = 'unconfirmed'`, [run]);
      await eventually('the timer until it is read again', async () => {
        const { events } = await world.temporal.workflow.getHandle(world.workflowId(run, 's4')).fetchHistory();
        const read = events?.findIndex((e) => e.activityTaskScheduledEventAttributes?.activityType?.name === 'readBack') ?? -1;
        return read >= 0 && (events?.slice(read).some((e) => e.timerStartedEventAttributes) ?? false);
      });
      await ui.open(world.workflowId(run, 's4'));
      await ui.page.getByText(`card ${card.id}`).first().waitFor();
      // Read once, and a timer until it is read again: both by the item's id.
      await ui.page.getByText(`readBack • read back ${effect?.id}`).waitFor();
      await ui.page.getByText(`read back ${effect?.id}`, { exact: true }).waitFor();
      await ui.shot('read-back');
    },
    TEST_MS,
  );

  it(
    'names no person and no company anywhere',
    async () => {
      const { run } = waiting.looked;
      await ui.open(world.workflowId(run), 'Memo');
      await ui.page.getByText('"cuentas": 10').first().waitFor();
      read += await ui.text();
      await ui.tab('Event History');
      await ui.page.getByText('Workflow Execution Started').first().waitFor();
      read += await ui.text();
      const people = await world.rows<Record<string, string>>(
        `select c.name, c.email, c.person_id, a.name as company from contacts c join accounts a using (run_id, position) where c.workspace_id = $1`,
        [WORKSPACE],
      );
      expect(people.length).toBeGreaterThan(10);
      expect(read).toContain(run);
      for (const secret of new Set(people.flatMap((row) => Object.values(row)).filter((v) => typeof v === 'string')))
        expect(read.includes(secret), secret).toBe(false);
    },
    TEST_MS,
  );
});
