import { companySearch } from '../contracts/tools/companies.js';
import { crmSaveCompanies } from '../contracts/tools/crm.js';
import { peopleSearch } from '../contracts/tools/people.js';
import { read } from '../db/client.js';
import { CONCURRENCY, WORKSPACES, type Measured, type Rig } from './rig.js';

export const percentile = (values: number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
};
export const median = (values: number[]): number => percentile(values, 0.5);

/** The same calls in a plain loop of ten, nothing kept: what HTTP, MCP and the kitchen take by themselves. @returns wall, ms */
export const withoutDurability = async (rig: Rig, n: number): Promise<number> => {
  const began = performance.now();
  const found: Array<{ company_id: string; name: string; rfc: string | null; domain: string | null }> = [];
  for (let cursor: string | null | undefined; found.length < n && cursor !== null;) {
    const page = await rig.tools.call('ws_demo', companySearch, {
      activity: 'empaque alimentos autopartes textil plasticos',
      limit: 25,
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.companies.map(({ company_id, name, rfc, domain }) => ({ company_id, name, rfc, domain })));
    cursor = page.next_cursor;
  }
  const companies = found.slice(0, n);
  await rig.tools.call('ws_demo', crmSaveCompanies, { client_key: `bench:${began}:${n}`, companies });
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let company = companies[next++]; company; company = companies[next++])
        await rig.tools.call('ws_demo', peopleSearch, { company_id: company.company_id, role: 'compras' });
    }),
  );
  return performance.now() - began;
};

const PARTS = ['worker', 'temporal', 'postgres', 'kitchen', 'api'] as const;
export interface Overhead {
  overhead: number;
  wall: number;
  ideal: number;
  none: number;
  runs: Measured[];
  cpu: Record<string, number>;
}
/** Campaigns of `n` accounts, `times` of them, the median of their walls over what their calls must take; beside it the plain loop. */
export const overheadAt = async (rig: Rig, n: number, times: number): Promise<Overhead> => {
  const runs: Measured[] = [];
  const plain: number[] = [];
  const cpu: Record<string, number> = {};
  for (let i = 0; i < times; i += 1) {
    const before = PARTS.map((part) => rig.cpu(part));
    runs.push(await rig.campaign(n));
    PARTS.forEach((part, k) => {
      cpu[part] = Math.round((cpu[part] ?? 0) + (rig.cpu(part) - (before[k] ?? 0)) / times);
    });
    if (i < 2) plain.push(await withoutDurability(rig, n));
  }
  const ideal = runs[0]?.ideal ?? 0;
  return {
    overhead: Math.round(median(runs.map((r) => r.wall - r.ideal))),
    wall: median(runs.map((r) => r.wall)),
    ideal,
    none: Math.round(median(plain) - ideal),
    runs,
    cpu,
  };
};

/** From the moment a tap on a reveal card is sent to the moment its reveal arrives at the provider. */
export const taps = async (rig: Rig, times: number): Promise<number[]> => {
  // Companies where a person is known, one per tap.
  const known = await read(rig.pool).q<{ company_id: string; name: string }>(
    `select distinct on (company_id) company_id, name from accounts where state = 'chosen' and workspace_id = 'ws_demo' order by company_id limit $1`,
    [times + 2],
  );
  const took: number[] = [];
  for (const [i, account] of known.entries()) {
    const run = await rig.create({
      modo: 'manual',
      hasta: 'contactos',
      desde: 's3',
      accounts: [{ ref: account.company_id, name: account.name.slice(0, 300) }],
      cuentas: 1,
    });
    const card = await rig.card(run, 'revelar_contactos');
    const person = card.items[0]?.ref ?? '';
    const sent = Date.now();
    await rig.resolve(card, 'all');
    await rig.ended(run);
    const arrived = (await rig.log('people_reveal'))
      .filter((c) => c.target === person)
      .map((c) => Date.parse(c.at))
      .filter((at) => at >= sent);
    // The first two find cold caches everywhere.
    if (i >= 2 && arrived[0] !== undefined) took.push(arrived[0] - sent);
  }
  return took;
};

export interface ProgressFigures {
  p50: number;
  p99: number;
  max: number;
  perSecond: number;
  slowdown: number;
  replies: number;
  failed: number;
}
/** 200 people polling at 4 Hz while a campaign runs, what that costs the campaign, and how many replies one API gives at most. */
export const progress = async (rig: Rig, n: number, pairs: number, loopSeconds: number): Promise<ProgressFigures> => {
  const tokens = await Promise.all(Array.from({ length: 200 }, (_, i) => rig.token('ws_demo', `poller-${i}`)));
  const [alone, watched]: [number[], number[]] = [[], []];
  const reports = [];
  for (let i = 0; i < pairs; i += 1) {
    alone.push((await rig.campaign(n)).wall);
    const sentAt = Date.now();
    const run = await rig.create({ cuentas: n });
    const load = rig.load({ mode: 'pollers', run, tokens, lines: 200, hz: 4, seconds: Math.max(3, (n * 6) / 1000 + 1) });
    const end = await rig.ended(run);
    watched.push(Date.parse(end.last_progress_at) - sentAt);
    reports.push(await load);
  }
  const run = await rig.create({ cuentas: 1 });
  await rig.ended(run);
  const loop = await rig.load({ mode: 'loop', run, tokens, lines: 64, hz: 0, seconds: loopSeconds });
  const worst = reports.reduce((a, b) => (b.p99 > a.p99 ? b : a));
  return {
    p50: worst.p50,
    p99: worst.p99,
    max: Math.max(...reports.map((r) => r.max)),
    perSecond: loop.perSecond,
    slowdown: (median(watched) / median(alone) - 1) * 100,
    replies: reports.reduce((sum, r) => sum + r.replies, 0),
    failed: reports.reduce((sum, r) => sum + r.failed, loop.failed),
  };
};

export interface KillFigures {
  fullSpeed: number;
  finishedRepeated: number;
  inFlightRepeated: number;
  gap: number;
  rateBefore: number;
}
/** `kill -9` of the worker in the people step: how long until searches are committed at 90 % of the rate before, and what was asked again. */
export const kill = async (rig: Rig, n: number): Promise<KillFigures> => {
  const since = Date.now();
  const run = await rig.create({ cuentas: n });
  await rig.awaited(async () => (((await rig.progress(run))?.counts.done ?? 0) >= n * 0.4 ? true : null), 'the middle of the people step');
  const killedAt = Date.now();
  process.kill(rig.stack.pids.worker ?? 0, 'SIGKILL');
  await rig.ended(run);
  const events = await read(rig.pool).q<{ at: string; n: number }>(
    `select at, (params ->> 'n')::int as n from run_events where run_id = $1 and kind = 'accounts.searched' order by version`,
    [run],
  );
  const commits = events.map((e) => ({ at: Date.parse(e.at), n: e.n }));
  const between = (from: number, to: number): number => commits.filter((c) => c.at >= from && c.at < to).reduce((sum, c) => sum + c.n, 0);
  const rateBefore = between(killedAt - 1000, killedAt) / 1000;
  const window = 500;
  let fullSpeed = Number.NaN;
  for (const { at } of commits.filter((c) => c.at > killedAt)) {
    if (between(at, at + window) >= 0.9 * rateBefore * window) {
      fullSpeed = (at - killedAt) / 1000;
      break;
    }
  }
  const committed = new Map(
    (
      await read(rig.pool).q<{ company_id: string; updated_at: string }>(`select company_id, updated_at from accounts where run_id = $1`, [
        run,
      ])
    ).map((r) => [r.company_id, Date.parse(r.updated_at)]),
  );
  const calls = (await rig.log('people_search')).filter((c) => c.target !== null && Date.parse(c.at) >= since && committed.has(c.target));
  const times = new Map<string, number>();
  for (const c of calls) times.set(c.target ?? '', (times.get(c.target ?? '') ?? 0) + 1);
  return {
    fullSpeed,
    rateBefore: rateBefore * 1000,
    gap: ((commits.find((c) => c.at > killedAt)?.at ?? Number.NaN) - killedAt) / 1000,
    // Asked for after its result was on disk: the one thing that must never happen.
    finishedRepeated: calls.filter((c) => Date.parse(c.at) > (committed.get(c.target ?? '') ?? Infinity)).length,
    inFlightRepeated: [...times.values()].filter((k) => k > 1).length,
  };
};

/** Campaigns of 50 accounts over calls that take no time, `atOnce` under way all the time; counted from the end of the first one on. */
export const throughput = async (rig: Rig, seconds: number, atOnce: number): Promise<{ perSecond: number; done: number }> => {
  const ends: number[] = [];
  const over = (): boolean => ends.length > 0 && Date.now() > (ends[0] ?? 0) + seconds * 1000;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, i) => {
      while (!over()) {
        const run = await rig.create({ cuentas: 50 }, WORKSPACES[i % WORKSPACES.length]);
        const end = await rig.ended(run);
        ends.push(Date.parse(end.last_progress_at));
        ends.sort((a, b) => a - b);
      }
    }),
  );
  const counted = ends.filter((at) => at <= (ends[0] ?? 0) + seconds * 1000).length - 1;
  return { perSecond: counted / seconds, done: counted };
};

/** Events of a campaign's histories. */
export const events = async (rig: Rig, run: string): Promise<{ parent: number; people_step: number; total: number }> => {
  const id = `campana/ws_demo/${run}`;
  const length = async (workflow: string): Promise<number> =>
    rig.temporal.workflow
      .getHandle(workflow)
      .describe()
      .then(
        (d) => d.historyLength,
        () => 0,
      );
  const [parent = 0, s1 = 0, s2 = 0, s3 = 0] = await Promise.all([id, `${id}/s1`, `${id}/s2`, `${id}/s3`].map(length));
  return { parent, people_step: s3, total: parent + s1 + s2 + s3 };
};

/** From the POST of a run to the first progress that is answered. */
export const firstProgress = async (rig: Rig, times: number): Promise<number> => {
  const took: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const began = performance.now();
    const run = await rig.create({ cuentas: 1, modo: 'manual' });
    await rig.api('GET', `/v1/runs/${run}/progress`);
    took.push(performance.now() - began);
    await rig.api('POST', `/v1/runs/${run}/cancel`, {});
    await rig.ended(run);
  }
  return median(took);
};
