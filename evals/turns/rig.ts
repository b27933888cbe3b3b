import { randomUUID } from 'node:crypto';
import type { ReadTools, Speaker, WorkspaceSummary } from '../../ada/types.js';
import type { Model } from '../../ada/ports/model.js';
import { anchorsOf } from '../../ada/anchors.js';
import { rowsOf } from '../../ada/rows.js';
import { stageFor } from '../../ada/stage.js';
import { DEADLINE_MS, runTurn } from '../../ada/turn.js';
import type { BoardRow, TurnEvent } from '../../contracts/turn.js';
import { EMPTY_BOARD, FACT_KEYS } from '../../contracts/turn.js';
import type { ArmSetup } from './arms.js';
import { expectedOf, type Brief, type Expect, type Seed } from './brief.js';
import type { Arm, Before, Called, Judged, RunRecord, TurnRecord } from './dump.js';
import { emptyState, MemoryCampaigns, MemoryThreads, MemoryWorkspace, noFacts, type Ports } from './fakes.js';
import { figuresSaid } from './figures.js';
import { judgeByChecks } from './judge.js';
import { FIRST, PLAIN, WITH_CONTACTS, type World } from './world.js';

/** One brief, turn by turn, through `runTurn` itself: real reads, everything else in memory. */

export interface RunOptions {
  world: World;
  model: Model;
  escalation?: Model | null;
  arm: Arm;
  setup: ArmSetup;
  k: number;
  signal: AbortSignal;
  deadlineMs?: number;
  judge?: (turn: TurnRecord, expect: Expect) => Promise<Judged>;
}

const FIGURES_MAX = 2_000;
const ATTEMPT_MAX = 6_000;
/** Numbers of a result, wherever they stand; strings that are wholly one count too. */
export const figuresIn = (value: unknown): number[] => {
  const found = new Set<number>();
  const walk = (one: unknown, depth: number): void => {
    if (found.size >= FIGURES_MAX || depth > 9) return;
    if (typeof one === 'number') found.add(one);
    else if (typeof one === 'string') {
      if (/^\$?-?\d[\d,]*(?:\.\d+)?%?$/.test(one)) found.add(Number(one.replace(/[$,%]/g, '')));
      else if (one.length > 60) for (const said of figuresSaid(one)) found.add(said.value);
    } else if (one !== null && typeof one === 'object') for (const inner of Object.values(one)) walk(inner, depth + 1);
  };
  walk(value, 0);
  return [...found];
};

interface Seen {
  name: string;
  figures: number[];
  total: number | null;
  shown: number | null;
}
/** Reads as they go by: what each result had, in the order of the calls. */
const watched = (tools: ReadTools, seen: Seen[]): ReadTools => ({
  call: async (workspace, name, args, options) => {
    const result = await tools.call(workspace, name, args, options);
    const meta = (result ?? {}) as { total?: unknown; shown?: unknown; count?: { value?: unknown } };
    seen.push({
      name,
      figures: figuresIn(result),
      total: typeof meta.count?.value === 'number' ? meta.count.value : typeof meta.total === 'number' ? meta.total : null,
      shown: typeof meta.shown === 'number' ? meta.shown : null,
    });
    return result;
  },
});

/** What the model answered, attempt by attempt. */
const listened = (model: Model, heard: TurnRecord['attempts']): Model => ({
  name: model.name,
  kind: model.kind,
  cost: (usage) => model.cost(usage),
  complete: async (request) => {
    const reply = await model.complete(request);
    if (reply.kind === 'answer') heard.push(attemptOf(reply.text));
    return reply;
  },
});
const attemptOf = (text: string): TurnRecord['attempts'][number] => {
  try {
    const read = JSON.parse(text.replace(/^[^{]*(?=\{)|[^}]*$/g, '')) as { intent?: { kind?: unknown }; narration?: unknown };
    const narration = typeof read.narration === 'string' ? read.narration : '';
    return {
      anchors: new Set(anchorsOf(narration).map((anchor) => anchor.ref)).size,
      intent: typeof read.intent?.kind === 'string' ? read.intent.kind : null,
      narration: narration.length,
      text: text.slice(0, ATTEMPT_MAX),
    };
  } catch {
    return { anchors: 0, intent: null, narration: text.length, text: text.slice(0, ATTEMPT_MAX) };
  }
};

const seededRows = async (world: World, workspace: string, rows: NonNullable<Seed['list']>): Promise<BoardRow[]> => {
  const result = await world.tools.call(workspace, rows.tool, rows.args, { signal: AbortSignal.timeout(20_000), timeoutMs: 20_000 });
  const found = rowsOf({ name: rows.tool, ok: true, result }).slice(0, rows.take);
  if (found.length < rows.take) throw new Error(`The seed wants ${rows.take} rows of ${rows.tool} and there are ${found.length}`);
  return found;
};

const summaries = new WeakMap<World, Map<string, WorkspaceSummary['collections']>>();
const collectionsOf = async (world: World, workspace: string): Promise<WorkspaceSummary['collections']> => {
  const held = summaries.get(world) ?? new Map<string, WorkspaceSummary['collections']>();
  summaries.set(world, held);
  const known = held.get(workspace) ?? (await world.collections(workspace));
  held.set(workspace, known);
  return known;
};

interface Opened {
  ports: Ports;
  speaker: Speaker;
  seen: Seen[];
  heard: TurnRecord['attempts'];
  summary: WorkspaceSummary;
}

const open = async (brief: Brief, options: RunOptions): Promise<Opened> => {
  const { world, setup } = options;
  const seed = brief.seed ?? {};
  const workspace = seed.acquired === undefined ? PLAIN : WITH_CONTACTS;
  const balances = { ...FIRST, ...seed.balances };
  const mailbox = seed.mailbox ?? true;
  await world.control('POST', '/balances', { workspace, ...balances, queries: FIRST.queries });
  const [selection, list] = [
    seed.selection ? await seededRows(world, workspace, seed.selection) : [],
    seed.list ? await seededRows(world, workspace, seed.list) : [],
  ];
  // Seeding took pages of its own.
  await world.control('POST', '/balances', { workspace, ...balances });
  await world.control('POST', '/settings', { workspace, mailbox_connected: mailbox });
  const state = emptyState();
  for (const key of FACT_KEYS) {
    const value = seed.facts?.[key];
    if (value !== undefined) state.facts[key] = { status: 'dicho', value };
  }
  state.board = { ...EMPTY_BOARD, selection, list: list.length > 0 ? list : selection };
  state.stage = stageFor(state.facts, state.board);
  state.skills = (seed.skills ?? []).flatMap((name) => {
    const skill = setup.snapshot.skills.get(name);
    return skill ? [{ name, digest: skill.digest, by: 'router' as const, version: skill.version, score: null }] : [];
  });
  const campaigns = new MemoryCampaigns(balances);
  const runs = (seed.campaigns ?? []).map((campaign) => campaigns.seed(campaign));
  const [only] = runs;
  if (only && runs.length === 1) {
    const { progress } = await campaigns.status({} as Speaker, only);
    state.board.plan = {
      objetivo: progress.objetivo,
      run_id: only,
      pasos: progress.pasos.map((paso) => ({
        skill: paso.skill,
        status: paso.status,
        conteo: paso.conteo ? `${paso.conteo.done} de ${paso.conteo.total}` : null,
        ...(paso.checkpoint ? { checkpoint: paso.checkpoint } : {}),
      })),
    };
  }
  const summary: WorkspaceSummary = {
    collections: await collectionsOf(world, workspace),
    sequences: { draft: 0, approved: 0 },
    mailbox,
    balances,
    profile: seed.profile ?? {},
  };
  const seen: Seen[] = [];
  const heard: TurnRecord['attempts'] = [];
  const ports: Ports = {
    threads: new MemoryThreads(state, [...(seed.past ?? [])]),
    campaigns,
    workspace: new MemoryWorkspace({ summary, snapshot: setup.snapshot, denied: setup.denied, always: setup.always }),
    tools: watched(world.tools, seen),
    model: listened(setup.model(options.model), heard),
    escalation: options.escalation ? listened(setup.model(options.escalation), heard) : null,
  };
  return {
    ports,
    speaker: { workspace, user: 'evals', thread: `thr_${randomUUID().slice(0, 12)}`, profile: null, language: 'es-MX' },
    seen,
    heard,
    summary,
  };
};

const beforeOf = async ({ ports, summary }: Opened): Promise<Before> => {
  const { facts, board } = ports.threads.current;
  const runs = await ports.campaigns.open();
  const said = Object.values(facts).flatMap((fact) => (fact.value ? figuresSaid(fact.value).map((one) => one.value) : []));
  const profile = Object.fromEntries(
    Object.entries(summary.profile)
      .filter(([key]) => facts[key as keyof typeof facts].status === 'faltante')
      .map(([key, value]) => [key, { status: 'perfil' as const, value }]),
  );
  return {
    facts: { ...noFacts(), ...facts, ...profile },
    balances: summary.balances,
    mailbox: summary.mailbox,
    board: {
      selection: board.selection.length,
      list: board.list.length,
      pending: board.pending.length,
      runs: runs.length,
      contacts: [...board.selection, ...board.list].filter((row) => row.kind === 'contact').length,
    },
    figures: [
      ...new Set([
        summary.balances.credits,
        summary.balances.queries,
        summary.balances.inference,
        summary.balances.inference / 1e6,
        ...summary.collections.flatMap((one) => [one.total, ...one.stages.map((stage) => stage.n)]),
        board.selection.length,
        board.list.length,
        ...board.runs.flatMap((run) => [run.total ?? 0, run.shown]),
        ...said,
        ...figuresIn(runs),
        ...figuresIn(board.plan),
      ]),
    ],
    counted: board.runs.map((run) => ({ tool: run.tool, args: run.args, total: run.total })),
  };
};

const oneTurn = async (opened: Opened, message: string, options: RunOptions): Promise<TurnRecord> => {
  const { ports, speaker, seen, heard } = opened;
  const before = await beforeOf(opened);
  const record: TurnRecord = {
    message,
    stage: null,
    before,
    tools: [],
    answer: null,
    refused: null,
    error: null,
    events: [],
    requires: [],
    attempts: [],
    metered: null,
    duration_ms: 0,
    ttft_ms: null,
    prompt_characters: 0,
    campaigns: [],
    folded: false,
    judged: null,
  };
  seen.length = 0;
  heard.length = 0;
  ports.workspace.metered = null;
  ports.campaigns.log = [];
  const folds = ports.threads.folded;
  ports.threads.saying(message);
  const took: Seen[] = seen;
  let next = 0;
  const emit = (event: TurnEvent): void => {
    if (event.type !== 'narration.delta' || record.events.at(-1) !== 'narration.delta') record.events.push(event.type);
    if (event.type === 'turn.accepted') record.stage = event.stage;
    if (event.type === 'tool.finished' && event.call > 0) {
      // Results come in the order of their events; a call that failed has none.
      const read: Seen | undefined = event.ok && took[next]?.name === event.tool ? took[next++] : undefined;
      const called: Called = {
        tool: event.tool,
        args: event.args,
        ok: event.ok,
        error: event.error,
        refs: event.refs,
        ms: event.ms,
        total: read?.total ?? null,
        shown: read?.shown ?? null,
        figures: read?.figures ?? [],
      };
      record.tools.push(called);
    }
    if (event.type === 'turn.finished') record.answer = event.answer;
    if (event.type === 'turn.refused') record.refused = { status: event.status, code: event.code, params: event.params };
  };
  const since = performance.now();
  try {
    await runTurn(ports, speaker, { turnId: `turn_${randomUUID().slice(0, 12)}`, message }, emit, {
      signal: options.signal,
      ...(options.deadlineMs ? { deadlineMs: options.deadlineMs } : {}),
    });
  } catch (error) {
    record.error = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  }
  record.duration_ms = Math.round(performance.now() - since);
  record.attempts = [...heard];
  record.metered = ports.workspace.metered;
  record.campaigns = ports.campaigns.log;
  record.folded = ports.threads.folded > folds;
  record.ttft_ms = record.answer?.usage.ttft_ms ?? null;
  record.prompt_characters = record.answer?.usage.prompt.characters ?? 0;
  record.requires = [
    ...new Set((record.answer?.skills_used ?? []).flatMap((used) => options.setup.snapshot.skills.get(used.name)?.requiere ?? [])),
  ];
  return record;
};

/** Faults of connections, not of answers: they are kept apart. */
const BROKEN = new Set(['model_unavailable', 'model_quota', 'model_unauthorized', 'interrupted']);

export const runBrief = async (brief: Brief, options: RunOptions): Promise<RunRecord> => {
  const run: RunRecord = { brief: brief.id, arm: options.arm, k: options.k, outcome: 'finished', error: null, turns: [] };
  try {
    const opened = await open(brief, options);
    if (brief.seed?.hostile) await options.world.control('POST', '/faults', { kind: 'hostile_text', tool: brief.seed.hostile });
    const expected = expectedOf(brief);
    for (const [i, message] of brief.messages.entries()) {
      const turn = await oneTurn(opened, message, options);
      run.turns.push(turn);
      const broken = turn.error ?? (turn.refused && BROKEN.has(turn.refused.code) ? turn.refused.code : null);
      if (broken) {
        run.outcome = 'errored';
        run.error = broken;
        return run;
      }
      if (turn.refused) run.outcome = 'refused';
      const expect = expected[i];
      if (expect) turn.judged = options.judge ? await options.judge(turn, expect) : judgeByChecks(turn, expect);
    }
  } catch (error) {
    run.outcome = 'errored';
    run.error = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  } finally {
    if (brief.seed?.hostile) await options.world.control('DELETE', '/faults');
  }
  return run;
};

export { DEADLINE_MS };
