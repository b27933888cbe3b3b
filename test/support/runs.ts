import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { Context } from '../../activities/context.js';
import { ToolFailure, type Tools } from '../../activities/mcp.js';
import { bookkeeping } from '../../activities/steps/index.js';
import type { Caller } from '../../contracts/api.js';
import { CreateRun } from '../../contracts/criteria.js';
import type { ResolveDecision } from '../../contracts/decision.js';
import { Env } from '../../contracts/env.js';
import { Refusal } from '../../contracts/problem.js';
import type { Progress } from '../../contracts/progress.js';
import type { MoneyKind, StepId } from '../../contracts/states.js';
import type { Company } from '../../contracts/tools/companies.js';
import type { RevealedContact } from '../../contracts/tools/people.js';
import { openCard, startCard } from '../../db/cards.js';
import { createPool, read, transaction, type Pool } from '../../db/client.js';
import { storeCompanies, storePage } from '../../db/companies.js';
import { findDecision, type DecisionRow } from '../../db/decisions/decision.js';
import { resolveDecision } from '../../db/decisions/resolve.js';
import { beginSequence, finishSequence } from '../../db/draft-lots.js';
import { draftTick, type DraftItem, type DraftOutcome } from '../../db/drafts.js';
import { withRun, type LockedRun, type RunPrices } from '../../db/events.js';
import { newId } from '../../db/ids.js';
import { checkInvariants } from '../../db/invariants.js';
import type { Lane } from '../../db/lanes.js';
import { applyReading, readLedger, type Ledger } from '../../db/ledger.js';
import { peopleTick, type PeopleItem, type PeopleOutcome } from '../../db/people.js';
import { applyQuotes, unquoted } from '../../db/reveal/quote.js';
import { revealTick, type RevealItem, type RevealTurn } from '../../db/reveal/turn.js';
import type { RevealOutcome } from '../../db/reveal/settle.js';
import { createRun, ensureWorkspace, setPrices } from '../../db/runs.js';
import { remember } from '../../db/steps.js';
import { createDatabase } from './database.js';

export const KEY = 'test';
const DAY = 86_400_000;
export type Money = Record<MoneyKind, number>;

export interface Lab {
  pool: Pool;
  ctx: Context;
  books: ReturnType<typeof bookkeeping>;
  /** What the provider would answer, per workspace, beside what the ledger expects. */
  provider: Map<string, { drift: Partial<Money>; price: number; down: boolean }>;
  close(): Promise<void>;
}

/** A database of one's own with everything that changes its rows; the tool server is a stub that agrees with the ledger. */
export const openLab = async (): Promise<Lab> => {
  const database = await createDatabase();
  const pool = createPool(database.url, { max: 30, name: 'test' });
  const provider: Lab['provider'] = new Map();
  const until = (): string => new Date(Date.now() + DAY).toISOString();
  const answers: Record<string, (workspace: string, args: Record<string, unknown>) => Promise<unknown>> = {
    usage: async (workspace) => {
      const ledger = await readLedger(read(pool), workspace);
      const { drift = {}, price = 1, down = false } = provider.get(workspace) ?? {};
      if (down) throw new ToolFailure('usage', 'not_sent', 'unreachable');
      return {
        reading_id: randomUUID(),
        read_at: new Date().toISOString(),
        provider: 'test',
        honours_idempotency_keys: false,
        topup_url: null,
        balances: {
          credits: ledger.credits.available + ledger.credits.held + (drift.credits ?? 0),
          queries: ledger.queries.available + ledger.queries.held + (drift.queries ?? 0),
          inference: ledger.inference.granted + (drift.inference ?? 0),
        },
        prices: [
          { kind: 'credits', unit: 'contact', min: price, max: price, valid_until: until() },
          { kind: 'queries', unit: 'search', min: 1, max: 1, valid_until: until() },
        ],
      };
    },
    people_quote: async (workspace, args) => ({
      quote_id: 'q2',
      valid_until: until(),
      prices: (args['person_ids'] as string[]).map((person_id) => ({
        person_id,
        credits: provider.get(workspace)?.price ?? 1,
        already_acquired: false,
        available: true,
      })),
    }),
  };
  const tools: Tools = {
    call: ((workspace: string, contract: { name: string }, args: Record<string, unknown>) => {
      const answer = answers[contract.name];
      if (!answer) throw new Error(`not in this test: ${contract.name}`);
      return answer(workspace, args);
    }) as unknown as Tools['call'],
    accepts: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
  const ctx: Context = {
    pool,
    tools,
    temporal: null,
    log: pino({ level: 'silent' }),
    env: Env.parse({ DATABASE_URL: database.url, CAMPANA_SUPPRESSION_KEY: KEY, NODE_ENV: 'test' }),
  };
  return {
    pool,
    ctx,
    books: bookkeeping(ctx),
    provider,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
};

let workspaces = 0;
export const person = (workspace: string, over: Partial<Caller> = {}): Caller => ({
  sub: 'ana',
  workspace,
  roles: ['seller', 'approver'],
  channel: 'web',
  ...over,
});

/** A workspace with these balances, granted by a first reading. */
export const newWorkspace = async (lab: Lab, balances: Partial<Money> = {}): Promise<string> => {
  const workspace = `ws_${++workspaces}`;
  await transaction(lab.pool, (tx) => ensureWorkspace(tx, workspace));
  await reading(lab, workspace, { credits: 100, queries: 500, inference: 0, ...balances });
  return workspace;
};

/** The provider's balances as they are now, applied to the ledger. `versions` default to the ledger's own. */
export const reading = async (
  lab: Lab,
  workspace: string,
  balances: Money,
  over: { id?: string; versions?: Money } = {},
): ReturnType<typeof applyReading> =>
  transaction(lab.pool, async (tx) => {
    const now = await readLedger(tx, workspace);
    return applyReading(tx, workspace, {
      reading_id: over.id ?? randomUUID(),
      ...balances,
      versions: over.versions ?? { credits: now.credits.version, queries: now.queries.version, inference: now.inference.version },
    });
  });

export const ledgerOf = (lab: Lab, workspace: string): Promise<Ledger> => readLedger(read(lab.pool), workspace);
export const sql = <Row extends object = Record<string, unknown>>(lab: Lab, text: string, values: unknown[] = []): Promise<Row[]> =>
  read(lab.pool).q<Row>(text, values);

/** What is wrong with a workspace, by id; empty when nothing is. */
export const violations = async (lab: Lab, workspace: string): Promise<string[]> =>
  (await checkInvariants(lab.pool, workspace)).filter((i) => !i.ok).map((i) => `${i.id} (${i.detail})`);

/** The refusal that a promise ends in; anything else fails the test. */
export const refusal = async (promise: Promise<unknown>): Promise<Refusal> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('was not refused');
};

export interface RunPlan {
  cuentas?: number;
  hasta?: CreateRun['hasta'];
  desde?: CreateRun['desde'];
  modo?: CreateRun['modo'];
  caps?: CreateRun['caps'];
  accounts?: CreateRun['accounts'];
  prices?: Partial<RunPrices>;
}
export interface OpenRun {
  workspace: string;
  run: string;
  start: string;
}

export const prices = (over: Partial<RunPrices> = {}): RunPrices => ({
  credit_min: 1,
  credit_max: 1,
  query: 1,
  draft_max: 0,
  valid_until: new Date(Date.now() + DAY).toISOString(),
  topup_url: null,
  honours_keys: false,
  provider: 'test',
  reading_id: 'r',
  ...over,
});

/** A run that waits for its start card. */
export const openRun = async (lab: Lab, workspace: string, plan: RunPlan = {}): Promise<OpenRun> => {
  const { prices: over, ...body } = plan;
  const progress = await transaction(lab.pool, (tx) =>
    createRun(
      tx,
      person(workspace),
      CreateRun.parse({ criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' }, cuentas: 5, ...body }),
    ),
  );
  const start = await withRun(lab.pool, workspace, progress.run_id, async (run) => {
    await setPrices(run, prices(over));
    return openCard(run, await startCard(run));
  });
  return { workspace, run: progress.run_id, start };
};

export const inRun = <T>(lab: Lab, at: OpenRun, fn: (run: LockedRun) => Promise<T>): Promise<T> =>
  withRun(lab.pool, at.workspace, at.run, fn);
export const progressOf = async (lab: Lab, at: { run: string }): Promise<Progress> => {
  const [row] = await sql<{ body: Progress }>(lab, `select body from run_progress where run_id = $1`, [at.run]);
  if (!row) throw new Error(`no run ${at.run}`);
  return row.body;
};
export const decision = (lab: Lab, at: { workspace: string }, id: string): Promise<DecisionRow> =>
  findDecision(read(lab.pool), at.workspace, id);
export const openDecision = async (lab: Lab, at: OpenRun, step: StepId): Promise<DecisionRow> => {
  const [row] = await sql<DecisionRow>(lab, `select * from decisions where run_id = $1 and step = $2 and state = 'open'`, [at.run, step]);
  if (!row) throw new Error(`no open card at ${step}`);
  return row;
};

/** The body that a tap on this option of a card sends. */
export const tapOf = (card: DecisionRow, option: ResolveDecision['option'], over: Partial<ResolveDecision> = {}): ResolveDecision => ({
  option,
  plan_version: card.plan_version,
  payload_hash: card.payload_hash,
  shown_total: card.payload.options.find((o) => o.id === option)?.totals.credits ?? 0,
  ...over,
});

/** A tap as its transaction does it. A refusal is thrown after its commit, as for a caller of the API. */
export const resolve = async (
  lab: Lab,
  at: OpenRun,
  id: string,
  body: ResolveDecision,
  caller = person(at.workspace),
): Promise<DecisionRow> => {
  const result = await inRun(lab, at, (run) => resolveDecision(run, id, body, caller, KEY));
  if ('refused' in result) throw result.refused;
  return result.decision;
};

/** Approves the lot that an open card offers. */
export const approve = async (lab: Lab, at: OpenRun, step: StepId): Promise<DecisionRow> => {
  const card = await openDecision(lab, at, step);
  const lot = card.payload.options.find((o) => o.id === 'all' || o.id === 'fit_n' || o.id === 'approve');
  if (!lot) throw new Error(`nothing to approve at ${step}`);
  return resolve(lab, at, card.id, tapOf(card, lot.id as 'all'));
};

export const begin = (lab: Lab, at: OpenRun, step: StepId) =>
  lab.books.beginStep({ workspace: at.workspace, run: at.run, step, wake: false });
export const advance = (lab: Lab, at: OpenRun, step: StepId, now = Date.now()) =>
  lab.books.advance({ workspace: at.workspace, run: at.run, step, now });

export const company = (n: number, over: Partial<Company> = {}): Company => ({
  ref: `c${n}`,
  company_id: `c${n}`,
  name: `Empresa ${n}`,
  rfc: `RFC${n}`,
  domain: `empresa${n}.mx`,
  activity: 'empaque',
  state: 'Jalisco',
  size: 'mediana',
  ...over,
});

/** s1: companies for the first `n` accounts (all of them by default), in one page. */
export const findCompaniesFor = async (lab: Lab, at: OpenRun, companies?: Company[]): Promise<void> => {
  const { counts } = await progressOf(lab, at);
  const found = companies ?? Array.from({ length: counts.total - counts.skipped }, (_, i) => company(i + 1));
  await begin(lab, at, 's1');
  await storePage(
    lab.pool,
    at.workspace,
    at.run,
    1,
    { args: { activity: 'empaque', limit: 25 }, page: { companies: found, total: found.length, next_cursor: null } },
    found.length,
  );
  await storeCompanies(lab.pool, at.workspace, at.run, { companies: found, dropped: [], short: null, duplicates: 0 }, KEY);
  await advance(lab, at, 's1');
};

/** s2 declined to go on without it: what these tests are about comes later. */
export const skipSave = async (lab: Lab, at: OpenRun): Promise<void> => {
  await begin(lab, at, 's2');
  await advance(lab, at, 's2');
  const card = await openDecision(lab, at, 's2');
  await resolve(lab, at, card.id, tapOf(card, 'decline', { then: 'skip' }));
  await advance(lab, at, 's2');
};

export const lane = (name: string, attempt = 1): Lane => ({ id: name, attempt });
export const chosen = (item: PeopleItem, over: { person_id?: string } = {}): PeopleOutcome => ({
  position: item.position,
  state: 'chosen',
  counted: true,
  choice: {
    person_id: over.person_id ?? `p-${item.company_id}`,
    title: 'Gerente de Compras',
    score: 100 - item.position,
    role: 100,
    seniority: 100,
    freshness: 100,
  },
});

/** s3: one lane looks for a person at every account. */
export const findPeople = async (
  lab: Lab,
  at: OpenRun,
  search: (item: PeopleItem) => PeopleOutcome = (item) => chosen(item),
): Promise<void> => {
  await begin(lab, at, 's3');
  const directive = await advance(lab, at, 's3');
  if (directive.do === 'work') {
    let outcome: PeopleOutcome | null = null;
    for (;;) {
      const [turn] = await peopleTick(lab.pool, at.workspace, at.run, directive.plan_version, [
        { lane: lane('people'), outcome, wants: true },
      ]);
      if (!turn || !('item' in turn)) break;
      outcome = search(turn.item);
    }
  }
  await advance(lab, at, 's3');
};

/** The provider's prices onto everyone who waits for one, at `price` each. */
export const quote = (
  lab: Lab,
  at: OpenRun,
  price: number | ((person: string) => { credits: number; already_acquired?: boolean; available?: boolean }) = 1,
): Promise<void> =>
  inRun(lab, at, async (run) => {
    const ids = await unquoted(run);
    await applyQuotes(run.tx, run.id, {
      quote_id: 'q1',
      valid_until: new Date(Date.now() + DAY).toISOString(),
      prices: ids.map((person_id) => ({
        person_id,
        already_acquired: false,
        available: true,
        ...(typeof price === 'number' ? { credits: price } : price(person_id)),
      })),
    });
    await remember(run, { quoted_for: (await unquoted(run)).length, requote: false });
  });

/** s4 as far as its card. */
export const askReveal = async (lab: Lab, at: OpenRun, price: Parameters<typeof quote>[2] = 1): Promise<DecisionRow> => {
  await begin(lab, at, 's4');
  await advance(lab, at, 's4');
  await quote(lab, at, price);
  await advance(lab, at, 's4');
  return openDecision(lab, at, 's4');
};

/** A run with a chosen person at each account that waits at the reveal card. */
export const runAtReveal = async (
  lab: Lab,
  workspace: string,
  plan: RunPlan & { price?: Parameters<typeof quote>[2]; people?: (item: PeopleItem) => PeopleOutcome } = {},
): Promise<OpenRun & { card: DecisionRow }> => {
  const { price, people, ...body } = plan;
  const at = await openRun(lab, workspace, body);
  await approve(lab, at, 's0');
  await findCompaniesFor(lab, at);
  await skipSave(lab, at);
  await findPeople(lab, at, people);
  return { ...at, card: await askReveal(lab, at, price) };
};

export const revealed = (item: { person_id: string }, over: Partial<RevealedContact> = {}): RevealedContact => ({
  ref: 'x',
  person_id: item.person_id,
  name: 'Luz',
  email: `${item.person_id}@correo.example`,
  phone: null,
  title: 'Gerente de Compras',
  company_id: 'c',
  charge_id: `ch-${item.person_id}`,
  credits: 1,
  acquired_at: new Date().toISOString(),
  ...over,
});
export const gotIt = (item: RevealItem, over: Partial<RevealedContact> = {}): RevealOutcome =>
  item.effect_id === null
    ? { contact_id: item.contact_id, effect_id: null, got: 'yours', contact: revealed(item, { credits: 0, ...over }) }
    : { contact_id: item.contact_id, effect_id: item.effect_id, got: 'revealed', contact: revealed(item, over) };
export const nobodyKnows = (item: RevealItem): RevealOutcome => ({
  contact_id: item.contact_id,
  effect_id: item.effect_id ?? '',
  got: 'unknown',
  code: 'timeout',
});

export const tick = (lab: Lab, at: OpenRun, by: Lane, outcome: RevealOutcome | null = null, planVersion = 1): Promise<RevealTurn> =>
  revealTick(lab.pool, at.workspace, at.run, planVersion, by, outcome, KEY);
/** The item that a turn must have handed out. */
export const itemOf = (turn: RevealTurn): RevealItem => {
  if (!('item' in turn)) throw new Error(`no item: ${JSON.stringify(turn)}`);
  return turn.item;
};

/** s4 after its tap: one lane reveals everybody in the lot. */
export const revealAll = async (
  lab: Lab,
  at: OpenRun,
  answer: (item: RevealItem) => RevealOutcome = (item) => gotIt(item),
): Promise<void> => {
  const { plan_version } = await progressOf(lab, at);
  let outcome: RevealOutcome | null = null;
  for (;;) {
    const turn = await tick(lab, at, lane('reveal'), outcome, plan_version);
    if (!('item' in turn)) return;
    outcome = answer(turn.item);
  }
};

export const written = (item: DraftItem, micros: number | null = 0): DraftOutcome => ({
  contact_id: item.contact_id,
  hold_id: item.hold_id,
  draft: { subject: 'Hola', body: 'Un borrador', written_by: micros === 0 ? 'template' : 'model' },
  micros,
  reason: null,
  again: false,
});

/** s5: drafts for everyone revealed, stored as one sequence. */
export const draftAll = async (lab: Lab, at: OpenRun): Promise<void> => {
  await begin(lab, at, 's5');
  const { plan_version } = await progressOf(lab, at);
  let outcomes: DraftOutcome[] = [];
  for (;;) {
    const turn = await draftTick(lab.pool, at.workspace, at.run, plan_version, lane('drafts'), outcomes, {
      draftMax: 0,
      lot: 200,
      suppressionKey: KEY,
    });
    if ('stop' in turn) break;
    outcomes = turn.items.map((item) => written(item));
  }
  for (;;) {
    const batch = await beginSequence(lab.pool, at.workspace, at.run, KEY);
    if (!batch) break;
    await finishSequence(
      lab.pool,
      at.workspace,
      at.run,
      batch,
      { sequence_id: newId('seq'), drafts: batch.drafts.map((d) => ({ draft_id: newId('drf'), person_id: d.person_id })) },
      [],
    );
  }
  await advance(lab, at, 's5');
};

export const finish = (lab: Lab, at: OpenRun, as: 'finished' | 'canceled' | 'failed' = 'finished') =>
  lab.books.closeRun({ workspace: at.workspace, run: at.run, closing: { as, reason: null, events: null } });

/** A whole campaign, from the first card to its end: everybody found, revealed and drafted. */
export const finishedRun = async (lab: Lab, workspace: string, plan: RunPlan = {}): Promise<OpenRun> => {
  const at = await runAtReveal(lab, workspace, plan);
  await approve(lab, at, 's4');
  await revealAll(lab, at);
  await advance(lab, at, 's4');
  await draftAll(lab, at);
  await finish(lab, at);
  return at;
};
