/**
 * Records the golden histories: `npx tsx test/histories/record.ts [scenario …]`. Starts its own PostgreSQL and Temporal, plays
 * every scenario with the current workflows, and writes the histories of all workflows that took part.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { lostReply } from '../workflows/provider.js';
import { silence, World, type TestRun, type WorldOptions } from '../workflows/world.js';
import { findTemporal } from '../../stack/temporal-binary.mjs';
import { startStack } from '../../stack/up.js';
import { temporaryFolder } from '../support/stack.js';
import { HISTORIES, sanitize } from './files.js';

interface Scenario {
  options?: WorldOptions;
  play(world: World): Promise<TestRun>;
}

const pick = async (
  run: TestRun,
  kind: Parameters<TestRun['card']>[0],
  option: 'approve' | 'all' | 'decline',
  then?: 'skip' | 'wait' | 'cancel',
): Promise<void> => {
  await run.tap(await run.card(kind), option, then ? { then } : {});
};
/** A campaign whose start is agreed already and whose other cards are tapped. */
const tapped = (world: World, body: Parameters<World['run']>[0] = {}): Promise<TestRun> =>
  world.automatic({ modo: 'manual', cuentas: 12, ...body });
const finish = async (run: TestRun): Promise<TestRun> => {
  await run.ended();
  return run;
};
const declined = (step: 'guardar_en_crm' | 'revelar_contactos', then: 'skip' | 'wait' | 'cancel'): Scenario => ({
  async play(world) {
    const run = await tapped(world);
    if (step === 'revelar_contactos') await pick(run, 'guardar_en_crm', 'approve');
    const card = await run.card(step);
    await run.tap(card, 'decline', { then });
    if (then === 'wait') {
      await run.until('paused');
      await run.tap(await run.reopen(card.id), step === 'guardar_en_crm' ? 'approve' : 'all');
    }
    if (step === 'guardar_en_crm' && then !== 'cancel') await pick(run, 'revelar_contactos', 'all');
    return finish(run);
  },
});

/** The first attempt of a lane never beats again, as when its worker was killed: the server gives it to another. */
const deadWorker: NonNullable<WorldOptions['change']> = (activities) => {
  let dead = false;
  const alive = activities.tools.peopleLane;
  return {
    ...activities,
    tools: { ...activities.tools, peopleLane: (args) => (dead ? alive(args) : ((dead = true), new Promise(() => undefined))) },
  };
};

/** Every scenario, by the name of its folder. */
export const SCENARIOS: Record<string, Scenario> = {
  automatic: { play: async (world) => finish(await world.automatic({ cuentas: 12 })) },
  manual: {
    async play(world) {
      const run = await world.run({ cuentas: 12 });
      await run.approve('ajustar_presupuesto', 'guardar_en_crm', 'revelar_contactos');
      return run;
    },
  },
  'pause-resume': {
    async play(world) {
      const gate = world.provider.hold('people_search', 6);
      const run = await world.automatic({ cuentas: 24 });
      await gate.reached;
      await run.control('pause');
      gate.release();
      await run.until((p) => p.state === 'paused' && p.counts.running === 0);
      await run.control('resume');
      return finish(run);
    },
  },
  cancel: {
    async play(world) {
      const gate = world.provider.hold('people_search', 6);
      const run = await world.automatic({ cuentas: 24 });
      await gate.reached;
      await run.control('cancel');
      gate.release();
      return finish(run);
    },
  },
  replan: {
    async play(world) {
      const gate = world.provider.hold('people_search', 6);
      const run = await world.automatic({ cuentas: 24 });
      await gate.reached;
      await run.replan({ cuentas: 16, hasta: 'contactos' });
      gate.release();
      return finish(run);
    },
  },
  undo: {
    async play(world) {
      const gate = world.provider.hold('people_search', 6);
      const run = await tapped(world, { cuentas: 24, hasta: 'personas' });
      const saved = await run.card('guardar_en_crm');
      await run.tap(saved, 'approve');
      await gate.reached;
      await run.undo(saved.id);
      gate.release();
      const again = await run.card('guardar_en_crm', saved.id);
      await world.awaited(
        async () => ((await run.workflow('s2').describe()).status.name === 'RUNNING' ? true : null),
        () => 'the save step',
      );
      await run.tap(again, 'approve');
      return finish(run);
    },
  },
  'expiry-reopen': {
    options: { server: 'skipping' },
    async play(world) {
      const run = await world.run({ cuentas: 3, hasta: 'contactos' });
      for (const [kind, option] of [
        ['ajustar_presupuesto', 'all'],
        ['guardar_en_crm', 'approve'],
        ['revelar_contactos', 'all'],
      ] as const) {
        const card = await run.card(kind);
        await world.skip(72 * 3_600_000 + 60_000);
        await run.until('paused');
        await run.tap(await run.reopen(card.id), option);
      }
      return finish(run);
    },
  },
  unconfirmed: {
    options: { honoursKeys: false, env: { CAMPANA_READBACK_MS: '0,200,400' } },
    async play(world) {
      const run = await tapped(world, { cuentas: 3 });
      await pick(run, 'guardar_en_crm', 'approve');
      world.provider.on('people_reveal', (_args, n, proceed) => (n === 1 ? Promise.reject(lostReply('people_reveal')) : proceed()));
      const card = await run.card('revelar_contactos');
      await run.tap(card, 'all');
      await run.tap(await run.card('revelar_contactos', card.id), 'all');
      return finish(run);
    },
  },
  'needs-operator': {
    options: { honoursKeys: false, env: { CAMPANA_READBACK_MS: '0,200,400' } },
    async play(world) {
      world.provider.on('people_reveal', (_args, n, proceed) => (n === 1 ? Promise.reject(lostReply('people_reveal')) : proceed()));
      world.provider.on('people_acquired', () => Promise.reject(lostReply('people_acquired')));
      return finish(await world.automatic({ cuentas: 3 }));
    },
  },
  'no-companies': {
    options: { finds: () => false },
    play: async (world) =>
      finish(await world.automatic({ criteria: { giro: 'empaque', estado: 'Jalisco', tamano: 'grande', cargo: 'compras' }, cuentas: 5 })),
  },
  'given-accounts': {
    play: async (world) =>
      finish(
        await world.automatic({
          desde: 's3',
          cuentas: 3,
          accounts: [901, 902, 903].map((n) => ({ ref: `com-${n}`, name: `Cuenta ${n}` })),
        }),
      ),
  },
  'start-declined': {
    async play(world) {
      const run = await world.run();
      await pick(run, 'ajustar_presupuesto', 'decline');
      return finish(run);
    },
  },
  'save-declined-skip': declined('guardar_en_crm', 'skip'),
  'save-declined-wait': declined('guardar_en_crm', 'wait'),
  'reveal-declined-skip': declined('revelar_contactos', 'skip'),
  'reveal-declined-wait': declined('revelar_contactos', 'wait'),
  'reveal-declined-cancel': declined('revelar_contactos', 'cancel'),
  operator: {
    async play(world) {
      const gate = world.provider.hold('people_search', 4);
      const run = await tapped(world);
      await pick(run, 'guardar_en_crm', 'approve');
      await gate.reached;
      await run.workflow().executeUpdate('pause', { args: [{ reason: 'a look' }] });
      gate.release();
      await run.until((p) => p.state === 'paused' && p.counts.running === 0);
      await run.workflow().executeUpdate('replan', { args: [{ cuentas: 10 }] });
      await run.workflow().executeUpdate('resume', { args: [{ reason: 'seen' }] });
      const card = await run.card('revelar_contactos');
      await run.workflow().executeUpdate('resolve_decision', { args: [{ decision_id: card.id, then: 'skip', operator: 'olga' }] });
      return finish(run);
    },
  },
  'operator-refused': {
    async play(world) {
      const run = await tapped(world);
      await pick(run, 'guardar_en_crm', 'approve');
      const card = await run.card('revelar_contactos');
      // Whatever the caller is told, the history has the same events.
      const refused = (name: string, args: object): Promise<unknown> =>
        run
          .workflow()
          .executeUpdate(name, { args: [args] })
          .catch(() => undefined);
      await refused('resolve_decision', { decision_id: 'dec_forged', then: 'cancel' });
      await refused('replan', { cuentas: 900 });
      await run.workflow().executeUpdate('resolve_decision', { args: [{ decision_id: card.id, then: 'skip', operator: 'olga' }] });
      return finish(run);
    },
  },
  // As it was when an approval was only recorded and the texts were not stored anew: not to be recorded again while such runs may be under way.
  review: {
    async play(world) {
      const run = await world.automatic({ cuentas: 2 });
      await run.ended();
      await pick(run, 'revisar_secuencia', 'approve');
      return run;
    },
  },
  'review-unchanged': {
    async play(world) {
      const run = await world.automatic({ cuentas: 2 });
      await run.ended();
      await (await run.review()).ended();
      return run;
    },
  },
  'review-corrected': {
    async play(world) {
      const run = await world.automatic({ cuentas: 3 });
      await run.ended();
      await run.correct('Corregido');
      world.provider.mailbox = false;
      const review = await run.review();
      await review.until('paused');
      world.provider.mailbox = true;
      await review.control('resume');
      await review.ended();
      return run;
    },
  },
  'lane-retried': {
    options: { change: deadWorker },
    play: async (world) => finish(await world.automatic({ cuentas: 24, hasta: 'personas' })),
  },
  'continued-as-new': {
    async play(world) {
      // Each pause is another round of lanes: with a low limit the step continues as new between them.
      const run = await world.automatic({ cuentas: 60, hasta: 'personas' });
      for (let round = 1; round <= 3; round += 1) {
        const gate = world.provider.hold('people_search', 12);
        await gate.reached;
        await run.control('pause');
        gate.release();
        await run.until((p) => p.state === 'paused' && p.counts.running === 0);
        await run.control('resume');
      }
      return finish(run);
    },
  },
};

/** All workflows of a run, older runs of one that continued as new included. */
const write = async (world: World, run: TestRun, name: string): Promise<void> => {
  const folder = join(HISTORIES, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const linked = await world.rows<{ workflow_id: string }>(`select workflow_id from runs where linked_run_id = $1`, [run.id]);
  for (const { workflow_id: id } of linked) await world.client.workflow.getHandle(id).result();
  const seen = new Map<string, number>();
  for (const id of [
    run.workflowId,
    ...['s1', 's2', 's3', 's4', 's5'].map((s) => `${run.workflowId}/${s}`),
    ...linked.map((l) => l.workflow_id),
  ]) {
    const label =
      id === run.workflowId ? 'campana' : linked.some((l) => l.workflow_id === id) ? 'receta' : id.slice(run.workflowId.length + 1);
    let runId: string | undefined = await firstRun(world, id);
    while (runId) {
      const handle = world.client.workflow.getHandle(id, runId);
      const history = await handle.fetchHistory();
      const n = (seen.get(label) ?? 0) + 1;
      seen.set(label, n);
      const file = { workflowId: id, history: sanitize(JSON.parse(historyToJSON(history))) };
      await writeFile(join(folder, `${label}${n > 1 ? `-${n}` : ''}.json.gz`), gzipSync(JSON.stringify(file), { level: 9 }));
      runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
    }
  }
};
const firstRun = async (world: World, id: string): Promise<string | undefined> => {
  try {
    return (await world.client.workflow.getHandle(id).describe()).raw.workflowExecutionInfo?.firstRunId ?? undefined;
  } catch {
    return undefined;
  }
};

const main = async (): Promise<void> => {
  silence();
  const wanted = process.argv.slice(2);
  const folder = await temporaryFolder('campana-test-');
  const [stack, skipping, server] = await Promise.all([
    startStack({ stateDir: folder.path, ports: 'random', parts: ['postgres', 'temporal'], durable: false, ui: false, quiet: true }),
    findTemporal('test-server', { say: () => undefined }),
    findTemporal('server', { say: () => undefined }),
  ]);
  Object.assign(process.env, {
    TEST_DATABASE_URL: stack.databases.admin,
    TEST_TEMPORAL_ADDRESS: stack.urls.temporal,
    TEST_TIME_SKIPPING_PATH: skipping.path,
  });
  const short = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: server.path },
      log: { level: 'never', format: 'pretty' },
      extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=30'],
    },
  });
  try {
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const world = await World.start({
        ...scenario.options,
        ...(name === 'continued-as-new' ? { server: { address: short.address } } : {}),
      });
      try {
        const since = Date.now();
        const run = await scenario.play(world);
        const broken = await world.broken();
        if (broken.length > 0) throw new Error(`${name}: ${broken.join('; ')}`);
        await write(world, run, name);
        process.stdout.write(`${name}: ${(await readdir(join(HISTORIES, name))).join(', ')} (${Date.now() - since} ms)\n`);
      } finally {
        await world.stop();
      }
    }
  } finally {
    await short.teardown();
    await stack.stop();
    await folder.remove();
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
