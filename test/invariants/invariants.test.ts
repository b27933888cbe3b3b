import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, transaction, type Pool } from '../../db/client.js';
import { checkInvariants, refold } from '../../db/invariants.js';
import type { RunEvent } from '../../contracts/progress.js';
import { addSuppressions } from '../../db/suppressions.js';
import {
  advance,
  approve,
  draftAll,
  finish,
  finishedRun,
  gotIt,
  KEY,
  newWorkspace,
  nobodyKnows,
  openLab,
  person,
  progressOf,
  revealAll,
  runAtReveal,
  sql,
  violations,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

let lab: Lab;
/** One connection, so that a corruption, the check and its undoing are one transaction. */
let single: Pool;
let workspace: string;
/** A campaign that ended with everything: searched, revealed in part, one e-mail suppressed, drafted. */
let finished: OpenRun;
/** A campaign whose drafts were approved as they were written, in the same workspace. */
let reviewed: OpenRun;
/** A campaign that was canceled while an outcome was unknown. */
let canceled: OpenRun;
/** A campaign whose reveals are approved and not sent yet. */
let open: OpenRun;

beforeAll(async () => {
  lab = await openLab();
  workspace = await newWorkspace(lab, { credits: 12 });
  await transaction(lab.pool, (tx) => addSuppressions(tx, person(workspace), KEY, [{ kind: 'email', value: 'p-c2@correo.example' }]));
  finished = await runAtReveal(lab, workspace, { cuentas: 6, caps: { credits: 4 } });
  await approve(lab, finished, 's4');
  await revealAll(lab, finished);
  await advance(lab, finished, 's4');
  await draftAll(lab, finished);
  await finish(lab, finished);
  const person2 = (prefix: string) => (item: { position: number; company_id: string }) => ({
    position: item.position,
    state: 'chosen' as const,
    counted: true as const,
    choice: { person_id: `${prefix}-${item.company_id}`, title: 'Compras', score: 90, role: 100, seniority: 80, freshness: 70 },
  });
  canceled = await runAtReveal(lab, workspace, { cuentas: 3, people: person2('q') });
  await approve(lab, canceled, 's4');
  let n = 0;
  await revealAll(lab, canceled, (item) => (n++ === 0 ? gotIt(item) : nobodyKnows(item)));
  await finish(lab, canceled, 'canceled');
  open = await runAtReveal(lab, workspace, { cuentas: 3, people: person2('z') });
  await approve(lab, open, 's4');
  reviewed = await runAtReveal(lab, workspace, { cuentas: 1, people: person2('v') });
  await approve(lab, reviewed, 's4');
  await revealAll(lab, reviewed);
  await advance(lab, reviewed, 's4');
  await draftAll(lab, reviewed);
  await finish(lab, reviewed);
  await approve(lab, reviewed, 's6');
  const [review] = await sql<{ id: string }>(lab, `select id from runs where linked_run_id = $1`, [reviewed.run]);
  await lab.books.advanceReview({ workspace, run: review!.id });
  single = createPool((lab.pool.options as { connectionString: string }).connectionString, { max: 1, name: 'test-corrupt' });
});
afterAll(async () => {
  await single.end();
  await lab.close();
});

const OFF = `alter table transfers disable trigger transfers_immutable`;
const loosen = (...names: string[]): string[] => names.map((name) => `alter table ledger_accounts drop constraint ${name}`);
/** The first event of a run, after its start, that moves counts and is followed by another that does. */
const midway = (run: string): string =>
  `(select version from run_events where run_id = '${run}' and patch ? 'counts' and version > 1 order by version limit 1)`;

interface Corruption {
  fires: string;
  by: string;
  sql: () => string[];
  also?: string[];
}
/** Each breaks one thing, by SQL, and names the invariants that must see it. */
const CORRUPTIONS: Corruption[] = [
  {
    fires: 'I1 conservation',
    by: 'a balance that nobody granted',
    sql: () => [
      ...loosen('conservation'),
      `update ledger_accounts set available = available + 1 where workspace_id = '${workspace}' and kind = 'credits'`,
    ],
  },
  {
    fires: 'I1 conservation',
    by: 'a transfer that disappeared',
    sql: () => [
      OFF,
      `delete from transfers where id = (select id from transfers where run_id = '${finished.run}' and kind = 'capture' and account = 'queries' limit 1)`,
    ],
  },
  {
    fires: 'I1 conservation',
    by: 'a hold that went without a transfer',
    sql: () => [
      `update holds set state = 'voided', captured = 0 where id = (select id from holds where run_id = '${open.run}' and kind = 'credits' limit 1)`,
    ],
  },
  {
    fires: 'I2 available',
    by: 'a negative balance',
    sql: () => [
      ...loosen('conservation', 'ledger_accounts_available_check'),
      `update ledger_accounts set available = -1 where workspace_id = '${workspace}' and kind = 'credits'`,
    ],
    also: ['I1 conservation'],
  },
  {
    fires: 'I3 captures equal reveals',
    by: 'a capture without its contact',
    sql: () => [
      `update contacts set acquired_at = null where id = (select id from contacts where run_id = '${finished.run}' and state = 'drafted' limit 1)`,
    ],
  },
  {
    fires: 'I3 one per contact',
    by: 'a second live effect for the same person',
    sql: () => [
      `drop index effects_once`,
      `insert into effects (id, workspace_id, provider, kind, subject, key, run_id, step, contact_id, decision_id, plan_version, state, sent_at) select 'eff_twice', workspace_id, provider, kind, subject, 'twice', run_id, step, contact_id, decision_id, plan_version, 'sent', now() from effects where run_id = '${finished.run}' and kind = 'people_reveal' limit 1`,
    ],
  },
  {
    fires: 'I3 capture has its transfer',
    by: 'a captured effect without money behind it',
    sql: () => [
      `update effects set hold_id = null where id = (select id from effects where run_id = '${finished.run}' and kind = 'people_reveal' limit 1)`,
    ],
  },
  {
    fires: 'I4 capture traces to an approval',
    by: 'a capture under a card that nobody approved',
    sql: () => [
      `update decisions set state = 'open', outcome = null where run_id = '${finished.run}' and kind = 'revelar_contactos' and state = 'approved'`,
    ],
  },
  {
    fires: 'I4 total within what was shown',
    by: 'more captured than the card showed',
    sql: () => [
      `update decisions set outcome = jsonb_set(outcome, '{total}', '3') where run_id = '${finished.run}' and kind = 'revelar_contactos' and state = 'approved'`,
    ],
  },
  {
    fires: 'I4 what was shown fits the plan',
    by: 'a card over the plan',
    sql: () => [
      `update decisions set outcome = jsonb_set(outcome, '{total}', '5') where run_id = '${finished.run}' and kind = 'revelar_contactos' and state = 'approved'`,
    ],
  },
  {
    fires: 'I4 within the plan',
    by: 'more queries spent than the plan had',
    sql: () => [`update runs set plan_max = jsonb_set(plan_max, '{queries}', '1') where id = '${finished.run}'`],
  },
  {
    fires: 'I4 within the plan',
    by: 'more credits held than the plan has',
    sql: () => [`update runs set plan_max = jsonb_set(plan_max, '{credits}', '2') where id = '${open.run}'`],
    also: ['I4 what was shown fits the plan'],
  },
  {
    fires: 'I5 final run holds nothing',
    by: 'a hold that outlived its run',
    sql: () => [
      `insert into holds (id, workspace_id, kind, run_id, step, item, decision_id, amount, expires_at) values ('hold_left', '${workspace}', 'queries', '${finished.run}', 's3', 'x', 'd', 0, now())`,
    ],
  },
  {
    fires: 'I5 final run says what it holds',
    by: 'a projection that holds what its rows do not',
    sql: () => [`update run_progress set body = jsonb_set(body, '{budget,credits,held}', '9') where run_id = '${canceled.run}'`],
    also: ['I12 projection is the fold'],
  },
  {
    fires: 'I5 final run leaves nobody waiting',
    by: 'an account that still waits after the end',
    sql: () => [`update accounts set state = 'pending' where run_id = '${finished.run}' and position = 1`],
    also: ['I8 counts are the rows'],
  },
  {
    fires: 'I6 one outcome',
    by: 'an answered card without its outcome',
    sql: () => [`update decisions set outcome = null where run_id = '${finished.run}' and kind = 'guardar_en_crm' and state = 'declined'`],
  },
  {
    fires: 'I6 one outcome',
    by: 'an approval that says declined',
    sql: () => [
      `update decisions set outcome = jsonb_set(outcome, '{option}', '"decline"') where run_id = '${finished.run}' and kind = 'ajustar_presupuesto' and state = 'approved'`,
    ],
  },
  {
    fires: 'I6 one outcome',
    by: 'an open card with an outcome',
    sql: () => [
      `update decisions set outcome = '{"option":"approve","n":1,"then":null,"total":0,"items":null}' where run_id = '${finished.run}' and kind = 'revisar_secuencia'`,
    ],
  },
  {
    fires: 'I6 audited once',
    by: 'a card answered twice',
    sql: () => [
      `insert into audit (workspace_id, run_id, actor, channel, action, detail) select workspace_id, run_id, 'beto', channel, action, detail from audit where run_id = '${finished.run}' and action = 'decision.approved' limit 1`,
    ],
  },
  {
    fires: 'I7 no effect under a stale plan',
    by: 'a call under another plan than its approval',
    sql: () => [
      `update effects set plan_version = 2 where id = (select id from effects where run_id = '${finished.run}' and kind = 'people_reveal' limit 1)`,
    ],
  },
  {
    fires: 'I8 versions are a sequence',
    by: 'an event that is missing',
    sql: () => [
      `update run_events set version = version + 1 where run_id = '${finished.run}' and version = (select max(version) from run_events where run_id = '${finished.run}')`,
    ],
    also: ['I12 projection is the fold'],
  },
  {
    fires: 'I8 counts are the rows',
    by: 'an account in another state than it is counted',
    sql: () => [`update accounts set state = 'failed' where run_id = '${finished.run}' and position = 1`],
  },
  {
    fires: 'I8 counts sum to the total',
    by: 'an event whose counts do not add up',
    sql: () => [
      `update run_events set patch = jsonb_set(patch, '{counts,failed}', '99') where run_id = '${finished.run}' and version = ${midway(finished.run)}`,
    ],
  },
  {
    fires: 'I8 done never falls',
    by: 'done that falls under the same plan',
    sql: () => [
      `update run_events set patch = patch || '{"counts":{"unit":"account","total":6,"done":6,"running":0,"pending":0,"not_found":0,"suppressed":0,"skipped":0,"failed":0}}' where run_id = '${finished.run}' and version = ${midway(finished.run)}`,
    ],
  },
  {
    fires: 'I11 suppressed never revealed or drafted',
    by: 'a draft for somebody suppressed',
    sql: () => [
      `update contacts set state = 'suppressed' where id = (select id from contacts where run_id = '${finished.run}' and state = 'drafted' limit 1)`,
    ],
  },
  {
    fires: 'I11 suppressed never revealed or drafted',
    by: 'a contact at a suppressed account',
    sql: () => [`update accounts set state = 'suppressed' where run_id = '${finished.run}' and position = 1`],
    also: ['I8 counts are the rows'],
  },
  {
    fires: 'I11 suppressed never held',
    by: 'a hold for somebody suppressed',
    sql: () => [
      `update contacts set state = 'suppressed' where id = (select id from contacts where run_id = '${open.run}' and state = 'held' limit 1)`,
    ],
  },
  {
    fires: 'I12 projection is the fold',
    by: 'a projection that its events do not make',
    sql: () => [`update run_progress set body = jsonb_set(body, '{objetivo}', '"otra cosa"') where run_id = '${finished.run}'`],
  },
  {
    fires: 'I12 run row is the projection',
    by: 'a run row in another state than the projection',
    sql: () => [`update runs set state = 'failed' where id = '${finished.run}'`],
  },
  {
    fires: 'I12 run row is the projection',
    by: 'an end that the run row does not know',
    sql: () => [`update runs set ended_at = null where id = '${finished.run}'`],
  },
  {
    fires: 'I13 one draft per contact',
    by: 'two drafts for one person',
    sql: () => [
      `update contacts set person_id = (select min(person_id) from contacts where run_id = '${finished.run}' and state = 'drafted') where run_id = '${finished.run}' and state = 'drafted'`,
    ],
  },
  {
    fires: 'I13 what was approved is what is stored',
    by: 'an approval that ended with a corrected text that the provider has not got',
    sql: () => [`update contacts set draft_version = 2 where run_id = '${reviewed.run}'`],
  },
  ...['contacts', 'accounts', 'decisions', 'effects', 'run_events', 'sequences'].map((table): Corruption => ({
    fires: 'I14 one workspace per run',
    by: `rows of ${table} in another workspace`,
    sql: () => [`update ${table} set workspace_id = 'ws_foreign' where run_id = '${finished.run}'`],
  })),
  {
    fires: 'I14 one workspace per run',
    by: 'a hold in another workspace',
    sql: () => [
      `update holds set workspace_id = 'ws_foreign' where id = (select id from holds where run_id = '${open.run}' and kind = 'credits' limit 1)`,
    ],
    also: ['I1 conservation'],
  },
  {
    fires: 'I14 one workspace per run',
    by: 'a transfer in another workspace',
    sql: () => [
      OFF,
      `update transfers set workspace_id = 'ws_foreign' where id = (select id from transfers where run_id = '${finished.run}' and kind = 'void' and account = 'queries' limit 1)`,
    ],
    also: ['I1 conservation'],
  },
  {
    fires: 'I9 no run stands still',
    by: 'a run under way that nothing has moved for eleven minutes',
    sql: () => [
      `update runs set state = 'running' where id = '${open.run}'`,
      `update run_progress set body = body || jsonb_build_object('state', 'running', 'last_progress_at', to_char((now() - interval '11 minutes') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) where run_id = '${open.run}'`,
    ],
    also: ['I12 projection is the fold'],
  },
  {
    fires: 'I16 history stays short',
    by: 'a history of ten thousand events',
    sql: () => [`update runs set history_events = '{"total":10000,"people_step":0}' where id = '${finished.run}'`],
  },
];

/** What fires while a corruption is in place; afterwards everything is as before. */
const firedBy = async (statements: string[]): Promise<string[]> => {
  await single.query('begin');
  try {
    for (const text of statements) {
      const done = await single.query(text);
      if (/^(update|insert|delete)/.test(text)) expect(done.rowCount, `changes something: ${text}`).toBeGreaterThan(0);
    }
    return (await checkInvariants(single, workspace)).filter((i) => !i.ok).map((i) => i.id);
  } finally {
    await single.query('rollback');
  }
};

describe('invariants', () => {
  it('all hold after campaigns that finished, were canceled with an unknown outcome, and are under way', async () => {
    expect(await violations(lab, workspace)).toEqual([]);
    expect((await checkInvariants(lab.pool, null)).every((i) => i.ok)).toBe(true);
    expect(await progressOf(lab, finished)).toMatchObject({ state: 'completed_partial', contacts: { captured: 4, drafted: 3 } });
    expect(await progressOf(lab, canceled)).toMatchObject({
      state: 'canceled',
      contacts: { captured: 1, unconfirmed: 2 },
      budget: { credits: { held: 2 } },
    });
  });

  for (const { fires, by, sql: statements, also = [] } of CORRUPTIONS) {
    it(`${fires}: fires by ${by}`, async () => {
      expect((await firedBy(statements())).sort()).toEqual([fires, ...also].sort());
    });
  }

  it('each can fire: every one of them has a corruption here', async () => {
    const all = (await checkInvariants(lab.pool, workspace)).map((i) => i.id);
    expect([...new Set(CORRUPTIONS.map((c) => c.fires))].sort()).toEqual([...all].sort());
  });

  it('name what they found, five at most, and only in the workspace that was asked about', async () => {
    const other = await newWorkspace(lab);
    const healthy = await finishedRun(lab, other);
    await single.query('begin');
    try {
      await single.query(`update accounts set state = 'pending' where run_id = $1`, [finished.run]);
      const found = (await checkInvariants(single, workspace)).find((i) => i.id === 'I5 final run leaves nobody waiting');
      expect(found?.ok).toBe(false);
      expect(found?.detail).toMatch(new RegExp(`^6: (${finished.run}:\\d, ){4}${finished.run}:\\d$`));
      expect((await checkInvariants(single, other)).filter((i) => !i.ok)).toEqual([]);
      expect((await checkInvariants(single, null)).filter((i) => !i.ok).map((i) => i.id)).toContain('I5 final run leaves nobody waiting');
    } finally {
      await single.query('rollback');
    }
    expect((await progressOf(lab, healthy)).state).toBe('completed');
  });

  it('do not blame a run whose events were forgotten with age', async () => {
    expect(await firedBy([`delete from run_events where run_id = '${canceled.run}'`])).toEqual([]);
  });

  it('rest on a fold that gives the projection back from the events alone', async () => {
    const events = await sql<RunEvent>(lab, `select version, kind, params, patch, at from run_events where run_id = $1 order by version`, [
      finished.run,
    ]);
    expect(refold(events)).toEqual(await progressOf(lab, finished));
    expect(refold([])).toBeNull();
  });
});
