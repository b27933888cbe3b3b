import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTools } from '../../activities/mcp.js';
import type { AdaPorts, Campaigns, ReadTools, Speaker } from '../../ada/types.js';
import { openAda, type OpenAda } from '../../api/ada-ports.js';
import { createHub, type Hub } from '../../api/hub.js';
import { toolTokens } from '../../api/tool-tokens.js';
import type { ApiContext } from '../../api/types.js';
import { CreateRun } from '../../contracts/criteria.js';
import type { Env } from '../../contracts/env.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import { crmSaveCompanies, peopleReveal, sequenceCreateDraft } from '../../contracts/tools/index.js';
import { openCard, startCard } from '../../db/cards.js';
import { createPool, read, transaction, type Pool } from '../../db/client.js';
import { resolveDecision } from '../../db/decisions/resolve.js';
import { auditRow, wake, withRun } from '../../db/events.js';
import { applyReading, capture, grant, hold, spendOutside, voidHolds } from '../../db/ledger.js';
import { revealTick } from '../../db/reveal/turn.js';
import { createRun, ensureWorkspace, reserveKey, setPrices } from '../../db/runs.js';
import { setState } from '../../db/skills.js';
import { migrate } from '../../db/migrate.js';
import { claimNextTurn, enqueueTurn } from '../../db/threads/queue.js';
import { createThread, runsOfThread } from '../../db/threads/threads.js';
import { refuseStrongLogin } from '../../db/threads/login.js';
import { refuseTurn } from '../../db/threads/fold.js';
import { writeSettings } from '../../db/workspaces.js';
import { ensureAdaLogin, withClient } from '../../stack/databases.js';
import { until } from '../api/support.js';
import { READ, TestKitchen, type Usage } from '../kitchen/harness.js';
import { adminUrl } from '../support/database.js';
import { startTestStack } from '../support/stack.js';
import {
  KEY,
  ledgerOf,
  newWorkspace,
  openDecision,
  openLab,
  openRun,
  person,
  prices,
  refusal,
  sql,
  tapOf,
  violations,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

let lab: Lab;
/** A login like the one that the stack makes: member of `campana_ada`, and that is all. */
let login: Pool;
let loginUrl: string;
let hub: Hub;
const opened: OpenAda[] = [];

beforeAll(async () => {
  lab = await openLab();
  const url = new URL(lab.ctx.env.DATABASE_URL);
  const secret = randomUUID();
  url.username = await ensureAdaLogin(adminUrl(), secret);
  url.password = secret;
  loginUrl = url.href;
  login = createPool(loginUrl, { name: 'test-ada-login' });
  hub = createHub(lab.ctx.env.DATABASE_URL);
});
afterAll(async () => {
  await Promise.all(opened.map((ada) => ada.close()));
  await hub.stop();
  await login.end();
  await lab.close();
});

describe('the role', () => {
  let at: OpenRun;
  let holdId: string;
  beforeAll(async () => {
    const workspace = await newWorkspace(lab);
    at = await openRun(lab, workspace);
    [holdId = ''] = await transaction(lab.pool, (tx) =>
      hold(tx, workspace, 'credits', at.run, at.start, [{ amount: 1, step: 's4', item: 'x' }]),
    );
  });
  const DENIED = expect.objectContaining({ code: '42501' }) as Error;
  const denied = (work: () => Promise<unknown>) => expect(work()).rejects.toEqual(DENIED);
  const asAda = (text: string, values: unknown[] = []) => read(login).q(text, values);

  it('is refused by our own code for everything that spends, answers or starts', async () => {
    const card = await openDecision(lab, at, 's0');
    const ws = at.workspace;
    const attempts: Record<string, () => Promise<unknown>> = {
      'answer a decision': () =>
        withRun(login, ws, at.run, (run) => resolveDecision(run, card.id, tapOf(card, 'approve'), person(ws), KEY)),
      hold: () => transaction(login, (tx) => hold(tx, ws, 'credits', at.run, card.id, [{ amount: 1, step: 's4', item: 'y' }])),
      capture: () => transaction(login, (tx) => capture(tx, [{ id: holdId, amount: 1 }])),
      'let a hold go': () => transaction(login, (tx) => voidHolds(tx, [holdId])),
      grant: () => transaction(login, (tx) => grant(tx, ws, 'credits', 1000, 'k', 'r')),
      'spend outside a campaign': () => transaction(login, (tx) => spendOutside(tx, ws, 'inference', 1, 'k', 'r')),
      'apply a reading': () =>
        transaction(login, (tx) =>
          applyReading(tx, ws, {
            reading_id: 'r',
            credits: 9,
            queries: 9,
            inference: 9,
            versions: { credits: 0, queries: 0, inference: 0 },
          }),
        ),
      'create a run': () =>
        transaction(login, (tx) => createRun(tx, person(ws), CreateRun.parse({ criteria: { giro: 'x', cargo: 'y' }, cuentas: 1 }))),
      'put prices on a run': () =>
        transaction(login, async (tx) => setPrices({ tx, id: at.run, row: {} } as Parameters<typeof setPrices>[0], prices())),
      'wake a workflow': () => transaction(login, (tx) => wake(tx, { id: at.run, workspace_id: ws }, 'w', 's', {})),
      'reserve a key': () => transaction(login, (tx) => reserveKey(tx, ws, 'k', 'r', {})),
      audit: () => transaction(login, (tx) => auditRow(tx, { workspace: ws, actor: 'a', channel: 'chat', action: 'x' })),
      'change settings': () =>
        transaction(login, (tx) =>
          writeSettings(tx, person(ws), {
            zone: 'UTC',
            language: 'en',
            concurrency: 50,
            second_approver_above: null,
            calls_per_second: null,
          }),
        ),
      'say a skill state': () =>
        transaction(login, (tx) => setState(tx, person(ws), { scope: 'account', scope_id: ws }, 'campana', 'always', null)),
      'make a workspace': () => transaction(login, (tx) => ensureWorkspace(tx, 'ws_new')),
      'set a cap': () =>
        transaction(login, (tx) =>
          createRun(
            tx,
            person(ws),
            CreateRun.parse({
              criteria: { giro: 'x', cargo: 'y' },
              cuentas: 1,
              modo: 'automatico',
              caps: { credits: 1, queries: 9, inference_micros: 0 },
            }),
          ),
        ),
      'reveal a contact': () =>
        revealTick(login, ws, at.run, 1, { key: 'l', queue: 'q', lanes: 1 } as unknown as Parameters<typeof revealTick>[4], null, KEY),
    };
    for (const [what, attempt] of Object.entries(attempts)) await expect(attempt(), what).rejects.toEqual(DENIED);
    expect(await openDecision(lab, at, 's0')).toMatchObject({ state: 'open', outcome: null });
    expect(await violations(lab, ws)).toEqual([]);
  });

  it('is refused by the database for every statement that would', async () => {
    const statements: Array<[string, unknown[]]> = [
      [`update decisions set state = 'approved', outcome = '{}' where id = $1`, [at.start]],
      [`update decisions set expires_at = now() + interval '1 year'`, []],
      [
        `insert into decisions (id, run_id, workspace_id, step, kind, target_workflow_id, plan_version, payload_hash, payload) values ('d', $1, 'w', 's4', 'revelar_contactos', 'w', 1, '', '{}')`,
        [at.run],
      ],
      [
        `insert into holds (id, workspace_id, kind, run_id, step, item, decision_id, amount, expires_at) values ('h', 'w', 'credits', $1, 's4', 'i', 'd', 1, now())`,
        [at.run],
      ],
      [`update holds set state = 'captured', captured = 1 where id = $1`, [holdId]],
      [`insert into transfers (workspace_id, account, kind, amount, key) values ('w', 'credits', 'grant', 1, 'k')`, []],
      [`update ledger_accounts set available = available + 1`, []],
      [`select * from ledger_accounts`, []],
      [`select * from holds`, []],
      [`select * from transfers`, []],
      [`select * from ledger_violations()`, []],
      [`update runs set caps = '{"credits": 100}' where id = $1`, [at.run]],
      [`update runs set mode = 'automatico' where id = $1`, [at.run]],
      [`update runs set plan_max = '{"credits": 100, "queries": 1, "inference": 1}', control = 'run' where id = $1`, [at.run]],
      [`update run_progress set version = 0`, []],
      [`insert into run_events select * from run_events limit 0`, []],
      [`insert into outbox (workspace_id, run_id, kind, workflow_id, payload) values ('w', $1, 'signal', 'w', '{}')`, [at.run]],
      [`insert into idempotency_keys (workspace_id, key, route, body_hash) values ('w', 'k', 'r', 'h')`, []],
      [`update workspaces set second_approver_above = null`, []],
      [`insert into suppressions select * from suppressions limit 0`, []],
      [`delete from suppressions`, []],
      [`select email from contacts`, []],
      [`update contacts set state = 'revealed'`, []],
      [`insert into contacts select * from contacts limit 0`, []],
      [`insert into effects select * from effects limit 0`, []],
      [`update decisions set payload_hash = 'x'`, []],
      [`update runs set caps = null`, []],
      [`select name from accounts`, []],
      [`select * from effects`, []],
      [
        `insert into skill_states (workspace_id, scope, scope_id, skill, state, set_by) values ('w', 'account', 'w', 's', 'always', 'a')`,
        [],
      ],
      [`delete from threads`, []],
      [`delete from turns`, []],
      [`delete from turn_events`, []],
      [`truncate turns cascade`, []],
      [`update threads set workspace_id = 'w'`, []],
      [`update turns set message = 'otra cosa'`, []],
      [`update turns set speaker = '{"roles": ["approver"]}'`, []],
      [`update turn_events set event = '{}'`, []],
      [`update thread_runs set run_id = 'r'`, []],
      [`create table public.x (a int)`, []],
      [`alter table turns add column x int`, []],
      [`drop table turns`, []],
      [`create role x`, []],
      [`copy (select 1) to program 'true'`, []],
      [`select pg_read_file('/etc/passwd')`, []],
      [`alter system set fsync = off`, []],
    ];
    for (const [text, values] of statements) await expect(asAda(text, values), text).rejects.toEqual(DENIED);
    // Becoming somebody else.
    const [{ owner } = { owner: '' }] = await sql<{ owner: string }>(
      lab,
      `select tableowner as owner from pg_tables where tablename = 'holds'`,
    );
    for (const text of [`set role ${owner}`, `set session authorization ${owner}`]) await denied(() => asAda(text));
    await asAda('reset role');
    await denied(() => asAda('select * from holds'));
  });

  it('may read what a turn reads', async () => {
    for (const what of [
      'runs',
      'run_progress',
      'decisions',
      'workspaces',
      'skill_states',
      'ada_balances',
      'ada_account_counts',
      'threads',
      'turns',
      'turn_events',
      'thread_runs',
      'skill_usage',
      'skill_couse',
    ])
      await asAda(`select * from ${what} limit 1`);
    expect(await asAda(`select available from ada_balances where workspace_id = $1 and kind = 'credits'`, [at.workspace])).toEqual([
      { available: 99 },
    ]);
  });

  it('is told apart from one that could do more', async () => {
    await refuseStrongLogin(login);
    await expect(refuseStrongLogin(lab.pool)).rejects.toThrow(/campana_ada alone/);
    const { ports } = open({ ADA_DATABASE_URL: lab.ctx.env.DATABASE_URL });
    await expect(ports.threads.state(speakerOf(at.workspace, 'thr_x'))).rejects.toThrow(/campana_ada alone/);
    expect(() => open({ ADA_DATABASE_URL: '', NODE_ENV: 'production' })).toThrow(/ADA_DATABASE_URL/);
    // Without a login of her own, in development: ours with the role put on.
    const { pool } = open({ ADA_DATABASE_URL: '' });
    await refuseStrongLogin(pool);
    await expect(read(pool).q('select * from holds')).rejects.toEqual(DENIED);
  });
});

describe('a server of its own', () => {
  it('gets the role from migrations at the same time, from the stack, or says who has to make it', async () => {
    const stack = await startTestStack({ parts: ['postgres'] });
    try {
      const { admin = '', campana, ada = '' } = stack.databases;
      // As the stack leaves it: the owner may not make roles and nobody else may enter.
      await migrate(campana);
      await withClient(ada, async (client) => {
        await client.query(`insert into threads (id, workspace_id, created_by) values ('t', 'w', 'a')`);
        await expect(client.query('select * from holds')).rejects.toMatchObject({ code: '42501' });
      });
      // As a server of yours may be: no role yet.
      await withClient(admin, async (client) => {
        for (const name of ['one', 'two', 'three', 'mine'])
          await client.query(`create database ${name}${name === 'mine' ? ' owner campana' : ''}`);
        await client.query('drop database campana with (force)');
        await client.query('drop role campana_ada_dev');
        await client.query('drop role campana_ada');
      });
      const to = (from: string, name: string): string => Object.assign(new URL(from), { pathname: `/${name}` }).href;
      await expect(migrate(to(campana, 'mine'))).rejects.toThrow(/As an administrator, once: create role campana_ada/);
      await Promise.all(['one', 'two', 'three'].map((name) => migrate(to(admin, name))));
      await migrate(to(campana, 'mine'));
    } finally {
      await stack.stop();
    }
  }, 90_000);
});

describe('the tool server', () => {
  it('refuses what is paid to the token that Ada has', async () => {
    const kitchen = await TestKitchen.start();
    try {
      const attempts = {
        [peopleReveal.name]: { person_id: 'per-1', quote_id: 'q', max_credits: 1, idempotency_key: 'k' },
        [crmSaveCompanies.name]: { client_key: 'k', companies: [{ company_id: 'c', name: 'n', rfc: null, domain: null }] },
        [sequenceCreateDraft.name]: { client_key: 'k', name: 'n', drafts: [] },
      };
      const caller = await kitchen.connect(READ);
      const before = await caller.get<Usage>('usage');
      for (const [name, args] of Object.entries(attempts)) expect((await caller.call(name, args)).code, name).toBe('forbidden_scope');
      expect((await caller.get<Usage>('usage')).balances).toEqual(before.balances);
      // And this process has no token to try with.
      const tools = createTools({
        url: kitchen.running.url,
        token: toolTokens({ TOOLS_TOKENS: JSON.stringify({ ws_demo: { read: READ, paid: 'stolen' } }), TOOLS_READ_TOKEN: '' }),
        timeoutMs: 5_000,
      });
      await expect(
        tools.call('ws_demo', crmSaveCompanies, { client_key: 'k', companies: [{ company_id: 'c', name: 'n', rfc: null, domain: null }] }),
      ).rejects.toMatchObject({ code: 'no_token', effect: 'not_sent' });
      await tools.close();
    } finally {
      await kitchen.stop();
    }
  });

  it('has nothing that resolves, holds, captures, caps or reveals for that token, whatever it is called', async () => {
    const kitchen = await TestKitchen.start();
    try {
      const caller = await kitchen.connect(READ);
      const money = async (): Promise<unknown> => [
        (await caller.get<Usage>('usage')).balances,
        (await kitchen.log('ws_demo', 'people_reveal')).charges,
      ];
      const before = await money();
      // Everything that spends or writes, with arguments and without: the token is looked at first.
      const paid = CATALOGUE.filter((tool) => tool.scope === 'paid' || !tool.readOnly);
      expect(paid.map((tool) => tool.name).sort()).toEqual(['crm_save_companies', 'crm_undo', 'people_reveal', 'sequence_create_draft']);
      for (const { name } of paid)
        for (const args of [{}, { person_id: 'per-000011', quote_id: 'q', max_credits: 99, idempotency_key: 'k' }])
          expect((await caller.call(name, args)).code, name).toBe('forbidden_scope');
      // The words for the rest are no tools here: decisions, holds and caps are rows of ours.
      const { tools } = await caller.client.listTools();
      for (const verb of [
        'decision_resolve',
        'decisions_resolve',
        'resolve',
        'hold',
        'credits_hold',
        'capture',
        'credits_capture',
        'set_cap',
        'plan_cap',
        'caps',
        'reveal',
        'contacts_reveal',
      ]) {
        expect(tools.map((tool) => tool.name)).not.toContain(verb);
        expect((await caller.call(verb, { decision_id: 'd', option: 'approve', credits: 99 })).ok, verb).toBe(false);
      }
      // Nor does it open the port that sets balances and faults.
      for (const [method, path, body] of [
        ['POST', '/balances', { workspace: 'ws_demo', credits: 999_999 }],
        ['POST', '/faults', { kind: 'tool_missing' }],
        ['GET', '/log?workspace=ws_demo', undefined],
      ] as const) {
        const response = await fetch(`${kitchen.running.controlUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${READ}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        expect(response.status, path).toBe(401);
      }
      expect(await money()).toEqual(before);
    } finally {
      await kitchen.stop();
    }
  });
});

const calls: Array<{ workspace: string; args: Record<string, unknown> }> = [];
let toolsDown = false;
const readTools: ReadTools = {
  call: async (workspace, _name, args) => {
    calls.push({ workspace, args });
    if (toolsDown) throw new Error('down');
    if (args['op'] === 'list')
      return {
        rows: [
          { collection: 'prospectos', records: 0 },
          { collection: 'pipeline', records: 40 },
        ],
      };
    return {
      rows: [
        { group: 'propuesta', records: { value: 25 } },
        { group: 'cierre', records: { value: 15 } },
      ],
    };
  },
};
const noModel = {
  name: 'm',
  kind: 'deterministic',
  cost: () => 0,
  complete: () => Promise.reject(new Error('not here')),
} as AdaPorts['model'];
let kicked = 0;
const open = (env: Partial<Env> = {}, cardWithinMs = 50, pool: Pool = lab.pool): OpenAda => {
  const api = {
    ...lab.ctx,
    pool,
    env: { ...lab.ctx.env, ADA_DATABASE_URL: loginUrl, ...env },
    hub,
    outbox: { kick: () => void (kicked += 1), state: () => ({ pending: 0, oldest_ms: 0, delivered: 0 }) },
    library: () => Promise.reject(new Error('not here')),
  } as unknown as ApiContext;
  const ada = openAda(api, { tools: readTools, model: noModel, escalation: null }, { cardWithinMs });
  opened.push(ada);
  return ada;
};
const speakerOf = (workspace: string, thread: string, user = 'ana'): Speaker => ({
  workspace,
  user,
  thread,
  profile: null,
  language: 'es-MX',
});
/** A thread in which this person's turn is running. */
const speaking = async (
  workspace: string,
  roles: Array<'seller' | 'approver' | 'operator'> = ['seller', 'approver'],
): Promise<Speaker & { turn: string }> => {
  const { thread_id } = await createThread(login, { workspace, sub: 'ana' });
  const ref = { workspace, thread: thread_id };
  await enqueueTurn(login, ref, { key: 'k', message: 'hola', user: 'ana', roles, agent: false, language: 'es-MX' });
  const turn = await claimNextTurn(login, ref, { owner: 'o', leaseMs: 60_000 });
  return { ...speakerOf(workspace, thread_id), turn: turn?.turn ?? '' };
};
const plan = (over: Partial<CreateRun> = {}): CreateRun => ({
  criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' },
  cuentas: 5,
  hasta: 'contactos',
  desde: 's1',
  modo: 'manual',
  ...over,
});

describe('campaigns from a conversation', () => {
  it('start once per key, wait for their tap, and belong to the thread', async () => {
    const { ports } = open();
    const at = await speaking(await newWorkspace(lab));
    expect(await ports.campaigns.estimate(at, plan())).toMatchObject({ cuentas: 5 });
    const before = kicked;
    const first = await ports.campaigns.start(at, plan(), 'turn:1');
    expect(kicked).toBeGreaterThan(before);
    expect(first).toMatchObject({ progress: { state: 'ready', mode: 'manual' }, decision: null });
    expect((await ports.campaigns.start(at, plan(), 'turn:1')).progress.run_id).toBe(first.progress.run_id);
    expect(await sql(lab, `select mode, caps, plan_max, channel, created_by from runs where workspace_id = $1`, [at.workspace])).toEqual([
      { mode: 'manual', caps: null, plan_max: null, channel: 'chat', created_by: 'ana' },
    ]);
    expect(await runsOfThread(login, { workspace: at.workspace, thread: at.thread })).toEqual([first.progress.run_id]);
    expect((await ports.campaigns.open(at)).map((r) => r.run_id)).toEqual([first.progress.run_id]);
  });

  it('come with their start card as soon as it is there', async () => {
    const { ports } = open({}, 30_000);
    const at = await speaking(await newWorkspace(lab));
    const starting = ports.campaigns.start(at, plan(), 'turn:2');
    starting.catch(() => undefined);
    const run = await until(
      async () => (await sql<{ id: string }>(lab, `select id from runs where workspace_id = $1`, [at.workspace]))[0]?.id,
    );
    const card = await withRun(lab.pool, at.workspace, run, async (locked) => {
      await setPrices(locked, prices());
      return openCard(locked, await startCard(locked));
    });
    const since = Date.now();
    const { decision } = await starting;
    expect(decision).toMatchObject({ id: card, state: 'open', kind: 'ajustar_presupuesto' });
    // Of the 30 s for which it may wait.
    expect(Date.now() - since).toBeLessThan(15_000);
    expect((await ports.campaigns.decisions(at)).map((d) => d.id)).toEqual([card]);
    expect(await ports.campaigns.status(at, run)).toMatchObject({ progress: { run_id: run }, decisions: [{ id: card }] });
  });

  it('that only keep a selection come with the save card: nothing in them takes a tap before', async () => {
    const { ports } = open({}, 30_000);
    const at = await speaking(await newWorkspace(lab));
    const accounts = [
      { ref: 'c1', name: 'Empresa 1' },
      { ref: 'c2', name: 'Empresa 2' },
    ];
    const starting = ports.campaigns.start(at, plan({ desde: 's2', hasta: 'cuentas', accounts, cuentas: 2 }), 'turn:free');
    starting.catch(() => undefined);
    const run = await until(
      async () => (await sql<{ id: string }>(lab, `select id from runs where workspace_id = $1`, [at.workspace]))[0]?.id,
    );
    // As the campaign's workflow does, one after the other.
    await lab.books.openRun({ workspace: at.workspace, run });
    await lab.books.beginStep({ workspace: at.workspace, run, step: 's2', wake: false });
    await lab.books.advance({ workspace: at.workspace, run, step: 's2', now: Date.now() });
    expect(await starting).toMatchObject({
      progress: { state: 'waiting_decision' },
      decision: { kind: 'guardar_en_crm', state: 'open', items_total: 2 },
    });
  });

  it('are told with the cards that they know of, whatever is committed between the two readings', async () => {
    const at = await speaking(await newWorkspace(lab));
    const accounts = [{ ref: 'c1', name: 'Empresa 1' }];
    const { decision: _none, progress } = await open().ports.campaigns.start(
      at,
      plan({ desde: 's2', hasta: 'cuentas', accounts, cuentas: 1 }),
      'turn:between',
    );
    const run = progress.run_id;
    await lab.books.openRun({ workspace: at.workspace, run });
    await lab.books.beginStep({ workspace: at.workspace, run, step: 's2', wake: false });
    // The card comes once, after the campaign was read and before its cards are.
    let between = 0;
    const query = async (asked: { text: string }): Promise<unknown> => {
      const rows: unknown = await lab.pool.query(asked);
      if (/from run_progress where/.test(asked.text) && between++ === 0)
        await lab.books.advance({ workspace: at.workspace, run, step: 's2', now: Date.now() });
      return rows;
    };
    const pool = new Proxy(lab.pool, { get: (of, key) => (key === 'query' ? query : (Reflect.get(of, key) as unknown)) });
    const told = await open({}, 50, pool).ports.campaigns.status(at, run);
    expect(between).toBeGreaterThan(0);
    expect([told.progress.state, told.decisions.map(({ id }) => id)]).toEqual(['waiting_decision', told.progress.decisions]);
    expect(told.decisions).toHaveLength(1);
  });

  it('cannot be capped, put on automatic, or answered', async () => {
    const { ports } = open();
    const at = await speaking(await newWorkspace(lab), ['seller', 'approver', 'operator']);
    for (const body of [plan({ modo: 'automatico' }), plan({ caps: { credits: 10 } }), plan({ caps: {} })]) {
      expect(await refusal(ports.campaigns.start(at, body, 'k'))).toMatchObject({ status: 403, code: 'person_needed' });
      expect(await refusal(ports.campaigns.estimate(at, body))).toMatchObject({ status: 403, code: 'person_needed' });
    }
    expect(await refusal(ports.campaigns.start(at, { ...plan(), approved: true } as unknown as CreateRun, 'k'))).toMatchObject({
      status: 400,
      code: 'request_invalid',
    });
    expect(await sql(lab, `select id from runs where workspace_id = $1`, [at.workspace])).toEqual([]);
    expect(Object.keys(ports.campaigns).sort()).toEqual(['control', 'decisions', 'estimate', 'open', 'replan', 'start', 'status']);
    // What a careless caller adds to a change goes nowhere.
    const run = await openRun(lab, at.workspace, { cuentas: 10 });
    const careless = { cuentas: 6, hasta: 'contactos' as const, caps: { credits: 9 }, modo: 'automatico' };
    await ports.campaigns.replan(at, run.run, careless, 'k2');
    expect(await sql(lab, `select cuentas, hasta, caps, mode from runs where id = $1`, [run.run])).toEqual([
      { cuentas: 6, hasta: 'contactos', caps: null, mode: 'manual' },
    ]);
    expect(await refusal(ports.campaigns.replan(at, run.run, {}, 'k3'))).toMatchObject({ code: 'request_invalid' });
    expect(await refusal(ports.campaigns.replan(at, run.run, { cuentas: 50 }, 'k4'))).toMatchObject({ code: 'replan_only_less' });
    expect(await refusal(ports.campaigns.replan(at, run.run, { hasta: 'borradores' }, 'k5'))).toMatchObject({
      code: 'replan_only_shorter',
    });
  });

  it('are steered with the rights of whoever sent the turn, and of nobody else', async () => {
    const { ports, campaignsAs } = open();
    const workspace = await newWorkspace(lab);
    const run = await openRun(lab, workspace);
    const act = (campaigns: Campaigns, speaker: Speaker) => ({
      start: () => campaigns.start(speaker, plan(), randomUUID()),
      control: () => campaigns.control(speaker, run.run, 'pause', randomUUID()),
      replan: () => campaigns.replan(speaker, run.run, { cargo: 'ventas' }, randomUUID()),
    });
    const missing = { status: 403, code: 'role_missing' };
    const operator = act(ports.campaigns, await speaking(workspace, ['operator']));
    expect(await refusal(operator.start())).toMatchObject(missing);
    expect(await refusal(operator.replan())).toMatchObject(missing);
    expect(await operator.control()).toMatchObject({ state: 'paused' });
    const at = await speaking(workspace);
    expect(await ports.campaigns.control(at, run.run, 'resume', 'r')).toMatchObject({ state: 'ready' });
    expect(await ports.campaigns.control(at, run.run, 'resume', 'r')).toMatchObject({ state: 'ready' });
    // Somebody else in the same thread; then nobody's turn at all.
    for (const attempt of Object.values(act(ports.campaigns, { ...at, user: 'eva' })))
      expect(await refusal(attempt())).toMatchObject(missing);
    await refuseTurn(login, { workspace, thread: at.thread }, at.turn, { status: 500, code: 'x', params: {} }, 0);
    for (const attempt of Object.values(act(ports.campaigns, at))) expect(await refusal(attempt())).toMatchObject(missing);
    expect(await campaignsAs(['seller']).control(at, run.run, 'cancel', 'c')).toMatchObject({ state: 'stopping' });
    expect(await sql(lab, `select distinct channel from audit where workspace_id = $1`, [workspace])).toEqual([{ channel: 'chat' }]);
  });

  it('of another workspace are not there', async () => {
    const { ports } = open();
    const run = await openRun(lab, await newWorkspace(lab));
    const at = await speaking(await newWorkspace(lab));
    const gone = { status: 404, code: 'run_not_found' };
    expect(await refusal(ports.campaigns.status(at, run.run))).toMatchObject(gone);
    expect(await refusal(ports.campaigns.control(at, run.run, 'cancel', 'k'))).toMatchObject(gone);
    expect(await refusal(ports.campaigns.replan(at, run.run, { cuentas: 1 }, 'k'))).toMatchObject(gone);
    expect(await ports.campaigns.open(at)).toEqual([]);
    expect(await ports.campaigns.decisions(at)).toEqual([]);
  });
});

describe('the workspace', () => {
  it('is summed up from the tools once a minute, with balances as they are', async () => {
    const { ports } = open();
    const workspace = await newWorkspace(lab, { credits: 60, queries: 70, inference: 80 });
    const speaker = speakerOf(workspace, 'thr_x');
    calls.length = 0;
    const [summary] = await Promise.all([ports.workspace.summary(speaker), ports.workspace.summary(speaker)]);
    expect(summary).toEqual({
      collections: [
        {
          name: 'pipeline',
          total: 40,
          stages: [
            { stage: 'propuesta', n: 25 },
            { stage: 'cierre', n: 15 },
          ],
        },
        { name: 'prospectos', total: 0, stages: [] },
      ],
      sequences: { draft: 0, approved: 0 },
      mailbox: null,
      balances: { credits: 60, queries: 70, inference: 80 },
      profile: {},
    });
    expect(calls).toHaveLength(2);
    const run = await openRun(lab, workspace);
    await transaction(lab.pool, (tx) => hold(tx, workspace, 'credits', run.run, run.start, [{ amount: 10, step: 's4', item: 'x' }]));
    await sql(lab, `update workspaces set integrations = '{buzon}' where id = $1`, [workspace]);
    await sql(lab, `insert into sequences (id, run_id, workspace_id, client_key, state) values ($1, $2, $3, $1, 'draft')`, [
      randomUUID(),
      run.run,
      workspace,
    ]);
    expect(await ports.workspace.summary(speaker)).toMatchObject({ balances: { credits: 50 }, mailbox: true, sequences: { draft: 1 } });
    expect(calls).toHaveLength(2);
    await ports.workspace.summary(speakerOf(await newWorkspace(lab), 'thr_x'));
    expect(calls).toHaveLength(4);
  });

  it('is summed up without its collections when the tools do not answer', async () => {
    const { ports } = open();
    const workspace = await newWorkspace(lab);
    toolsDown = true;
    lab.provider.set(workspace, { drift: {}, price: 1, down: true });
    expect(await ports.workspace.summary(speakerOf(workspace, 't'))).toMatchObject({ collections: [], balances: { credits: 100 } });
    toolsDown = false;
  });

  it('says what a turn may spend, and whether it may chat', async () => {
    const workspace = await newWorkspace(lab, { queries: 7, inference: 9 });
    const speaker = speakerOf(workspace, 't');
    expect(await open().ports.workspace.entitlement(speaker)).toEqual({ enabled: true, queriesLeft: 7, inferenceLeft: 9 });
    expect(await open({ CAMPANA_CHAT: 'off' }).ports.workspace.entitlement(speaker)).toMatchObject({ enabled: false });
    expect(await open({ CAMPANA_CHAT: 'ws_x' }).ports.workspace.entitlement(speaker)).toMatchObject({ enabled: false });
    expect(await open({ CAMPANA_CHAT: `ws_x, ${workspace}` }).ports.workspace.entitlement(speaker)).toMatchObject({ enabled: true });
    // One that was never seen is read first.
    expect(await open().ports.workspace.entitlement(speakerOf('ws_never_seen', 't'))).toEqual({
      enabled: true,
      queriesLeft: 0,
      inferenceLeft: 0,
    });
  });

  it('is metered: inference on our books, once; queries as the provider counts them', async () => {
    const { ports } = open();
    const workspace = await newWorkspace(lab, { queries: 50, inference: 1_000 });
    const at = await speaking(workspace);
    lab.provider.set(workspace, { drift: { queries: -3 }, price: 1, down: false });
    await ports.workspace.meter(at, at.turn, { queries: 3, micros: 400, known: 400, attempts: [{ model: 'm' }] });
    lab.provider.delete(workspace);
    await ports.workspace.meter(at, at.turn, { queries: 3, micros: 400, known: 400, attempts: [{ model: 'm' }] });
    expect(await ledgerOf(lab, workspace)).toMatchObject({
      queries: { available: 47 },
      inference: { granted: 1_000, available: 600, spent: 400, held: 0 },
    });
    expect(await sql(lab, `select queries, cost_micros, attempts from turns where id = $1`, [at.turn])).toEqual([
      { queries: 3, cost_micros: 400, attempts: [{ model: 'm' }] },
    ]);
    // More than is left, of a turn that is not known whole: what is left is gone, and a later reading finds nothing to mend.
    await ports.workspace.meter(at, 'turn_b', { queries: 0, micros: null, known: 5_000, attempts: [] });
    await ports.workspace.meter(at, 'turn_c', { queries: 1, micros: null, known: 0, attempts: [] });
    expect(await ledgerOf(lab, workspace)).toMatchObject({
      queries: { available: 47 },
      inference: { granted: 1_000, available: 0, spent: 1_000 },
    });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('is on the books also where nobody had read the balance when the turn ended, or its process died before them: with the next reading, once', async () => {
    const { ports } = open();
    const workspace = 'ws_unread';
    const ended = async (cost: number | null, attempts: Array<{ cost_micros: number | null }>): Promise<Speaker & { turn: string }> => {
      const at = await speaking(workspace);
      await refuseTurn(login, { workspace, thread: at.thread }, at.turn, { status: 422, code: 'answer_invalid', params: {} }, cost);
      await sql(lab, `update turns set attempts = $2 where id = $1`, [at.turn, JSON.stringify(attempts)]);
      return at;
    };
    // Nobody answers: the turn is metered all the same, and the books are to follow.
    lab.provider.set(workspace, { drift: { inference: 1_000, queries: 5 }, price: 1, down: true });
    const unread = await ended(300, [{ cost_micros: 300 }]);
    await ports.workspace.meter(unread, unread.turn, { queries: 0, micros: 300, known: 300, attempts: [{ cost_micros: 300 }] });
    // These two were never metered; of the second only a part is known.
    await ended(70, []);
    await ended(null, [{ cost_micros: 20 }, { cost_micros: null }]);
    expect((await ledgerOf(lab, workspace)).inference).toMatchObject({ granted: 0, spent: 0 });

    lab.provider.set(workspace, { drift: { inference: 1_000, queries: 5 }, price: 1, down: false });
    await ports.workspace.meter(unread, unread.turn, { queries: 1, micros: 300, known: 300, attempts: [{ cost_micros: 300 }] });
    expect((await ledgerOf(lab, workspace)).inference).toMatchObject({ granted: 1_000, available: 610, spent: 390, held: 0 });
    lab.provider.delete(workspace);
    await ports.workspace.meter(unread, unread.turn, { queries: 1, micros: 300, known: 300, attempts: [{ cost_micros: 300 }] });
    expect((await ledgerOf(lab, workspace)).inference).toMatchObject({ granted: 1_000, available: 610, spent: 390 });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('gives the words about skills of every scope that applies', async () => {
    const { ports } = open();
    const workspace = await newWorkspace(lab);
    const say = (scope: 'account' | 'profile' | 'thread' | 'turn', id: string) =>
      transaction(lab.pool, (tx) => setState(tx, person(workspace), { scope, scope_id: id }, 'contactos', 'always', null));
    await say('account', workspace);
    await say('profile', 'p');
    await say('thread', 'thr');
    await say('thread', 'other');
    await say('turn', 'trn');
    const access = await ports.workspace.access({ ...speakerOf(workspace, 'thr'), profile: 'p' }, 'trn');
    expect(access).toMatchObject({
      scopes: { account: workspace, profile: 'p', thread: 'thr', turn: 'trn' },
      integrations: null,
      capabilities: null,
    });
    expect(access.rows.map((r) => `${r.scope} ${r.scope_id}`).sort()).toEqual([
      `account ${workspace}`,
      'profile p',
      'thread thr',
      'turn trn',
    ]);
  });
});
