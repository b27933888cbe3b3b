import { z } from 'zod';
import { control, create, estimate, replan } from '../activities/control.js';
import { takeReading } from '../activities/readings.js';
import type { AdaPorts, Campaigns, ReadTools, Speaker, Threads, Workspace, WorkspaceSummary } from '../ada/types.js';
import type { Caller, RunAccepted } from '../contracts/api.js';
import { CreateRun, Replan } from '../contracts/criteria.js';
import type { Decision } from '../contracts/decision.js';
import type { Env } from '../contracts/env.js';
import { Refusal } from '../contracts/problem.js';
import type { Progress } from '../contracts/progress.js';
import { createAnsweringPool } from '../db/api-pool.js';
import { read, transaction, type Pool } from '../db/client.js';
import { spendOutside } from '../db/ledger.js';
import { bookTurns } from '../db/turn-books.js';
import { ensureWorkspace, findRun, listDecisions, listRuns, readProgress } from '../db/runs.js';
import { connectionsOf, statesFor } from '../db/skills.js';
import { attachRun, threadState } from '../db/threads/threads.js';
import { foldTurn, noteCost, pastTurns, refuseTurn } from '../db/threads/fold.js';
import { refuseStrongLogin } from '../db/threads/login.js';
import { runningSpeaker } from '../db/threads/queue.js';
import { workspaceFacts } from '../db/threads/workspace-facts.js';
import type { ThreadRef } from '../db/threads/rows.js';
import { requireRole, type Role } from './auth.js';
import { firstReading } from './first-reading.js';
import type { ApiContext } from './types.js';

/** How long collections are believed, and how long a tool server that did not answer is left alone, ms. */
const COLLECTIONS_MS = 60_000;
const RETRY_MS = 5_000;
/** How old a turn's library may be, ms: an edited recipe is in the next turn that a person can type. */
const LIBRARY_MS = 1_000;
/** What a turn waits at most for the tool server's summary or reading, ms. */
const PATIENCE_MS = 3_000;
/** The workflow of a new campaign asks for its prices before it shows the start card. */
const CARD_WITHIN_MS = 4_000;
const LISTED = 50;
/** The mailbox's name among a workspace's connections. */
const MAILBOX = 'buzon';

export interface OpenAda {
  /** Everything a turn works through. Campaigns act with the rights of whoever sent the turn that runs in the speaker's thread. */
  ports: AdaPorts;
  /** The same campaigns for a caller whose rights are known (an MCP client), without a turn. */
  campaignsAs(roles: readonly Role[]): Campaigns;
  /** Ada's own connections, for whatever else reads and writes threads (`db/threads/`). */
  pool: Pool;
  close(): Promise<void>;
}

/**
 * The connection of Ada's turns. In development, or with the chat off, without a login of its own: ours, with the role put on.
 * @throws Error in production without `ADA_DATABASE_URL` where there is chat
 */
const adaUrl = (env: Env): string => {
  if (env.ADA_DATABASE_URL) return env.ADA_DATABASE_URL;
  if (env.NODE_ENV === 'production' && env.CAMPANA_CHAT !== 'off')
    throw new Error(
      'ADA_DATABASE_URL is not set: Ada needs a login of her own, with the role campana_ada alone; or set CAMPANA_CHAT=off. See docs/running.md.',
    );
  const url = new URL(env.DATABASE_URL);
  url.searchParams.set('options', '-c role=campana_ada');
  return url.href;
};

/**
 * Ports of Ada's turns over our database and services.
 * @param passed what speaks to models and to the tool server
 */
export const openAda = (
  ctx: ApiContext,
  passed: Pick<AdaPorts, 'tools' | 'model' | 'escalation'>,
  options: { cardWithinMs?: number } = {},
): OpenAda => {
  const pool = createAnsweringPool(adaUrl(ctx.env), { max: 6, name: 'campana-ada' });
  const byTurn = async (speaker: Speaker): Promise<readonly Role[]> => {
    const running = await runningSpeaker(pool, refOf(speaker));
    // Without a turn of this person nobody has asked for anything.
    return running?.user === speaker.user ? running.roles : [];
  };
  const cardWithinMs = options.cardWithinMs ?? CARD_WITHIN_MS;
  return {
    ports: {
      ...passed,
      threads: threadsOver(pool),
      workspace: workspaceOver(ctx, pool, passed.tools),
      campaigns: campaignsOver(ctx, pool, byTurn, cardWithinMs),
    },
    campaignsAs: (roles) => campaignsOver(ctx, pool, () => Promise.resolve(roles), cardWithinMs),
    pool,
    close: () => pool.end(),
  };
};

const refOf = (speaker: Speaker): ThreadRef => ({ workspace: speaker.workspace, thread: speaker.thread });

/** Threads, by Ada's role. The login is looked at before the first turn: one that could spend is refused. */
const threadsOver = (pool: Pool): Threads => {
  let looked: Promise<void> | undefined;
  const checked = (): Promise<void> =>
    (looked ??= refuseStrongLogin(pool).catch((error: unknown) => {
      looked = undefined;
      throw error;
    }));
  return {
    state: async (speaker) => {
      await checked();
      return threadState(pool, refOf(speaker));
    },
    past: (speaker, limit) => pastTurns(pool, refOf(speaker), limit),
    fold: async (speaker, turnId, change) => {
      await checked();
      await foldTurn(pool, refOf(speaker), turnId, change);
    },
    refuse: (speaker, turnId, refused, costMicros) => refuseTurn(pool, refOf(speaker), turnId, refused, costMicros),
  };
};

/**
 * Campaigns as a conversation may touch them, through the same services as the routes and with the same roles. There is no way from here to a
 * decision's answer, to a cap or to `automatico`: what a tap is for stays with a person.
 */
const campaignsOver = (
  ctx: ApiContext,
  ada: Pool,
  rolesOf: (speaker: Speaker) => Promise<readonly Role[]>,
  cardWithinMs: number,
): Campaigns => {
  const callerOf = async (speaker: Speaker, allowed: readonly Role[]): Promise<Caller> => {
    const caller: Caller = { sub: speaker.user, workspace: speaker.workspace, roles: [...(await rolesOf(speaker))], channel: 'chat' };
    requireRole(caller, allowed);
    // Nothing here needs more than what was asked for, so nothing more is lent.
    return { ...caller, roles: caller.roles.filter((role) => allowed.includes(role)) };
  };
  const openCards = async (workspace: string, run?: string): Promise<Decision[]> =>
    (await listDecisions(ctx.pool, workspace, { state: 'open', limit: LISTED, ...(run ? { run } : {}) })).decisions;
  const progressOf = async (workspace: string, run: string): Promise<Progress> => {
    await findRun(read(ctx.pool), workspace, run);
    const [progress] = await readProgress(ctx.pool, [{ workspace, run }]);
    if (!progress) throw new Refusal(404, 'run_not_found', { run_id: run });
    return progress;
  };
  /** Both are written by one commit and read by two statements: read again when one came in between, so that no card lies beside a campaign that does not know of it. */
  const status = async (workspace: string, run: string, tries = 3): Promise<{ progress: Progress; decisions: Decision[] }> => {
    const progress = await progressOf(workspace, run);
    const decisions = await openCards(workspace, run);
    const same = decisions.length === progress.decisions.length && decisions.every(({ id }) => progress.decisions.includes(id));
    return same || tries <= 1 ? { progress, decisions } : status(workspace, run, tries - 1);
  };

  /** The new campaign with its first card (a free one starts by itself, and its first card is the save's), or without it when its workflow takes longer. */
  const untilCard = async (workspace: string, run: string): Promise<{ progress: Progress; decision: Decision | null }> => {
    const watch = ctx.hub.watch(run);
    const until = Date.now() + cardWithinMs;
    const never = new AbortController().signal;
    try {
      for (;;) {
        watch.reset();
        const { progress, decisions } = await status(workspace, run);
        const [decision] = decisions;
        const left = until - Date.now();
        if (decision || left <= 0 || !cardToCome(progress)) return { progress, decision: decision ?? null };
        await watch.wait(progress.version, Math.min(left, 500), never);
      }
    } finally {
      watch.close();
    }
  };

  return {
    estimate: async (speaker, body) => estimate(ctx, await callerOf(speaker, ['seller']), manualOnly(body)),
    start: async (speaker, body, key) => {
      const answer = await create(ctx, await callerOf(speaker, ['seller']), manualOnly(body), key);
      ctx.outbox.kick();
      const { run_id } = answer.body as RunAccepted;
      // Now, not when the turn ends: if this process dies in between, the thread still knows what it started.
      await attachRun(ada, refOf(speaker), run_id);
      return untilCard(speaker.workspace, run_id);
    },
    status: (speaker, runId) => status(speaker.workspace, runId),
    open: async (speaker) => (await listRuns(ctx.pool, speaker.workspace, { limit: LISTED, open: true })).runs,
    control: async (speaker, runId, action, key) => {
      await control(ctx, await callerOf(speaker, ['seller', 'approver', 'operator']), runId, action, undefined, key);
      ctx.outbox.kick();
      return progressOf(speaker.workspace, runId);
    },
    replan: async (speaker, runId, change, key) => {
      const { cuentas, cargo, hasta } = change;
      const parsed = Replan.safeParse({
        ...(cuentas === undefined ? {} : { cuentas }),
        ...(cargo === undefined ? {} : { cargo }),
        ...(hasta === undefined ? {} : { hasta }),
      });
      if (!parsed.success) throw invalid(parsed.error);
      await replan(ctx, await callerOf(speaker, ['seller', 'approver']), runId, parsed.data, false, key);
      ctx.outbox.kick();
      return progressOf(speaker.workspace, runId);
    },
    decisions: (speaker) => openCards(speaker.workspace),
  };
};

/** Not started yet, or started without a tap since nothing in it costs, and the save's card still to come. */
const cardToCome = ({ state, budget, pasos }: Progress): boolean =>
  state === 'ready' ||
  (state === 'running' &&
    budget.credits.plan_max === 0 &&
    budget.queries.plan_max === 0 &&
    pasos.some(({ id, status }) => id === 's2' && (status === 'pending' || status === 'running')));

const invalid = (error: z.ZodError): Refusal =>
  new Refusal(400, 'request_invalid', {
    at: error.issues[0]?.path.join('.') ?? '',
    issues: error.issues.slice(0, 10).map((i) => ({ at: i.path.join('.'), rule: i.code, message: i.message })),
  });

/**
 * A plan as a conversation may ask for it: it always waits for a tap. Asked for otherwise it is refused, not changed in silence: whoever
 * wanted "hasta 40 créditos sin preguntar" must hear that only they can say so.
 * @throws Refusal 403 `person_needed`; 400 `request_invalid`
 */
const manualOnly = (body: CreateRun): CreateRun => {
  if (body.caps !== undefined || body.modo === 'automatico') throw new Refusal(403, 'person_needed', {});
  const parsed = CreateRun.safeParse(body);
  if (!parsed.success) throw invalid(parsed.error);
  const { caps: _caps, ...plan } = parsed.data;
  return { ...plan, modo: 'manual' };
};

const ListRows = z.array(z.object({ collection: z.string(), records: z.int() }));
const StageRows = z.array(z.object({ group: z.string(), records: z.object({ value: z.int() }) }));
type Collections = WorkspaceSummary['collections'];
/** Collections that are looked into, the fullest first. */
const COLLECTIONS = 3;

const readCollections = async (tools: ReadTools, workspace: string): Promise<Collections> => {
  const options = { signal: AbortSignal.timeout(PATIENCE_MS), timeoutMs: PATIENCE_MS };
  const rowsOf = async (args: Record<string, unknown>): Promise<unknown> =>
    ((await tools.call(workspace, 'collection_query', args, options)) as { rows?: unknown }).rows;
  const list = ListRows.parse(await rowsOf({ op: 'list' })).sort((a, b) => b.records - a.records || (a.collection < b.collection ? -1 : 1));
  return Promise.all(
    list.slice(0, COLLECTIONS).map(async ({ collection, records }) => ({
      name: collection,
      total: records,
      stages:
        records === 0
          ? []
          : StageRows.parse(await rowsOf({ op: 'aggregate', collection, group_by: 'stage' }))
              .filter((g) => g.group !== '')
              .map((g) => ({ stage: g.group, n: g.records.value })),
    })),
  );
};

const mayChat = (env: Env, workspace: string): boolean => {
  const said = env.CAMPANA_CHAT.trim();
  return (
    said === 'on' ||
    (said !== 'off' &&
      said
        .split(',')
        .map((name) => name.trim())
        .includes(workspace))
  );
};

/** What the workspace allows and has: rows by Ada's role, the provider's readings and the ledger by ours. */
const workspaceOver = (ctx: ApiContext, ada: Pool, tools: ReadTools): Workspace => {
  const collections = new Map<string, { until: number; value: Promise<Collections> }>();
  const say =
    (workspace: string, what: string) =>
    (error: unknown): void => {
      ctx.log.warn(
        {
          workspace,
          failure: error instanceof Error ? error.name : 'unknown',
          code: error instanceof Error && 'code' in error ? error.code : undefined,
        },
        what,
      );
    };
  const readProvider = (workspace: string): Promise<void> =>
    takeReading(ctx, workspace, { timeoutMs: PATIENCE_MS })
      .then(async () => {
        const booked = await transaction(ctx.pool, (tx) => bookTurns(tx, workspace));
        if (booked > 0) ctx.log.info({ workspace, micros: booked }, 'turns that were not on the books are');
      })
      .catch(say(workspace, 'provider not read for the chat; the ledger stands'));

  /** A minute old at most; balances are read at the provider as often. A tool server that does not answer leaves what was known. */
  const collectionsOf = (workspace: string): Promise<Collections> => {
    const known = collections.get(workspace);
    if (known && known.until > Date.now()) return known.value;
    const entry = { until: Date.now() + COLLECTIONS_MS, value: Promise.resolve<Collections>([]) };
    entry.value = Promise.all([readCollections(tools, workspace), readProvider(workspace)]).then(
      ([fresh]) => fresh,
      (error: unknown) => {
        say(workspace, 'collections not read for the chat')(error);
        entry.until = Date.now() + RETRY_MS;
        return known?.value ?? [];
      },
    );
    if (collections.size > 1_000) collections.delete(collections.keys().next().value ?? '');
    collections.set(workspace, entry);
    return entry.value;
  };

  const libraries = new Map<string, { until: number; value: ReturnType<ApiContext['library']> }>();
  /** Looking at the files of a library costs as much as the rest of a turn's reads: turns that come thick and fast share one look. */
  const libraryOf = (workspace: string): ReturnType<ApiContext['library']> => {
    const known = libraries.get(workspace);
    if (known && known.until > Date.now()) return known.value;
    const entry = { until: Date.now() + LIBRARY_MS, value: ctx.library(workspace) };
    entry.value.catch(() => {
      entry.until = 0;
    });
    libraries.delete(workspace);
    if (libraries.size >= 1_000) libraries.delete(libraries.keys().next().value ?? '');
    libraries.set(workspace, entry);
    return entry.value;
  };

  const readFirst = firstReading(ctx, PATIENCE_MS);
  const facts = async (workspace: string): ReturnType<typeof workspaceFacts> => {
    const found = await workspaceFacts(ada, workspace);
    if (found.read_at !== null) return found;
    await readFirst(workspace);
    return workspaceFacts(ada, workspace);
  };

  return {
    summary: async ({ workspace }) => {
      const found = await collectionsOf(workspace);
      // Ours are never a minute old: a price beside yesterday's balance is worse than none.
      const { balances, sequences, integrations } = await facts(workspace);
      return {
        collections: found,
        sequences,
        mailbox: integrations === null ? null : integrations.includes(MAILBOX),
        balances,
        profile: {},
      };
    },
    library: ({ workspace }) => libraryOf(workspace),
    access: async ({ workspace, thread, profile }, turnId) => {
      const tx = read(ada);
      const [rows, has] = await Promise.all([
        statesFor(tx, { workspace, threadId: thread, turnId, ...(profile ? { profileId: profile } : {}) }),
        connectionsOf(tx, workspace),
      ]);
      return {
        scopes: { account: workspace, thread, turn: turnId, ...(profile ? { profile } : {}) },
        rows,
        integrations: has.integrations && new Set(has.integrations),
        capabilities: has.capabilities && new Set(has.capabilities),
      };
    },
    entitlement: async ({ workspace }) => {
      if (!mayChat(ctx.env, workspace)) return { enabled: false, queriesLeft: 0, inferenceLeft: null };
      const { balances, read_at } = await facts(workspace);
      return { enabled: true, queriesLeft: balances.queries, inferenceLeft: read_at === null ? null : balances.inference };
    },
    meter: async ({ workspace }, turnId, used) => {
      await noteCost(ada, workspace, turnId, used);
      // A call of unknown price does not make the others free.
      const { queries, known } = used;
      let unread = false;
      if (known > 0) {
        const spent = await transaction(ctx.pool, async (tx) => {
          await ensureWorkspace(tx, workspace);
          return spendOutside(tx, workspace, 'inference', known, `turn:${turnId}`, turnId);
        });
        unread = spent === 0 && (await workspaceFacts(ada, workspace)).read_at === null;
        if (spent < known && !unread)
          ctx.log.warn(
            { workspace, turn_id: turnId, over_micros: known - spent },
            'a turn used more inference than was left, or was metered before',
          );
      }
      // The provider has charged its queries itself: its own reading brings the ledger in line, whatever we would have counted. And of a
      // balance that nobody has read nothing can be taken: the reading brings its books, now or when the provider answers again.
      if (queries > 0 || unread) await readProvider(workspace);
    },
  };
};
