import { describe, expect, it } from 'vitest';
import type { Item, Run, RunSummary, Timeline } from '../../contracts/api.js';
import type { RunState } from '../../contracts/states.js';
import en from '../../contracts/catalog/web.en.json' with { type: 'json' };
import { hasText } from '../../contracts/catalog/index.js';
import { actionsFor } from '../../web/ops/actions.js';
import { waysOf, type About } from '../../web/runs/exits.js';
import { merge, newestFirst, split, type Known } from '../../web/runs/merge.js';
import { prefillOf } from '../../web/runs/prefill.js';
import { clustersOf, plotOf, pointAt, rowsOf } from '../../web/runs/timeline-data.js';

const AT = '2026-11-30T16:42:08.000Z';
const counts = {
  unit: 'account' as const,
  total: 50,
  done: 38,
  running: 0,
  pending: 0,
  not_found: 10,
  suppressed: 0,
  skipped: 0,
  failed: 2,
};
const run = (run_id: string, version = 1, state: RunState = 'running'): RunSummary => ({
  run_id,
  objetivo: 'x',
  recipe: 'campana',
  state,
  reason: null,
  version,
  plan_version: 1,
  counts,
  created_at: AT,
  last_progress_at: AT,
  decisions: [],
});

describe('the list of campaigns', () => {
  it('keeps the newer version of a campaign, whichever answer came last', () => {
    const known = merge(merge(new Map(), [run('run_1', 5)]), [run('run_1', 4), run('run_2', 1)]);
    expect(newestFirst(known).map((r) => [r.run_id, r.version])).toEqual([
      ['run_2', 1],
      ['run_1', 5],
    ]);
  });
  it('is the same object when an answer says nothing new', () => {
    const known: Known = merge(new Map(), [run('run_1', 5)]);
    expect(merge(known, [run('run_1', 5)])).toBe(known);
  });
  it('holds back what appeared above what a person is reading', () => {
    const runs = newestFirst(merge(new Map(), [run('run_1'), run('run_2'), run('run_3')]));
    expect(split(runs, 'run_2')).toMatchObject({ above: 1, shown: [{ run_id: 'run_2' }, { run_id: 'run_1' }] });
    expect(split(runs, null).above).toBe(0);
  });
});

describe('what can be done about what is missing', () => {
  const SELLER = ['seller'] as const;
  const ROLES = [SELLER, ['seller', 'approver'], ['seller', 'operator'], ['approver'], ['operator'], ['approver', 'operator']] as const;
  const about = { run: 'run_1', final: true, roles: SELLER, topup: 'https://recargas.example/creditos' };
  const EXITS = [
    'exit.change_role',
    'exit.widen_search',
    'exit.review_suppressions',
    'exit.raise_queries',
    'exit.top_up',
    'exit.new_campaign',
    'exit.retry_failed',
    'exit.other_campaign',
    'exit.wait_or_operator',
    '',
    'exit.nobody_knows',
  ];
  it('always has something, with a text, for anybody and in any state of the campaign', () => {
    for (const exit of EXITS)
      for (const final of [true, false])
        for (const roles of ROLES)
          for (const topup of [null, about.topup]) {
            const ways = waysOf({ reason: 'r', exit }, { ...about, final, roles, topup });
            expect(ways.length, exit).toBeGreaterThan(0);
            expect(ways.filter((way) => !hasText(way.label))).toEqual([]);
            expect(new Set(ways.map((way) => way.label)).size).toBe(ways.length);
          }
  });
  it('never offers to ask anew for what may have been charged already', () => {
    for (const final of [true, false])
      for (const roles of ROLES) {
        const kinds = waysOf({ reason: 'unconfirmed', exit: 'exit.wait_or_operator' }, { ...about, final, roles }).map((way) => way.kind);
        expect(kinds).not.toContain('retry');
        expect(kinds).not.toContain('new_run');
      }
  });
  it('is something that whoever sells does themselves, but for what may have been charged; nobody else is offered a campaign that they may not start', () => {
    for (const exit of EXITS.filter((one) => one !== 'exit.wait_or_operator'))
      for (const final of [true, false])
        for (const roles of ROLES) {
          const ways = waysOf({ reason: 'r', exit }, { ...about, final, roles });
          const sells = (roles as readonly string[]).includes('seller');
          expect([exit, final, roles, ways.some((way) => way.kind === 'new_run')]).toEqual([exit, final, roles, sells]);
          if (sells) expect([exit, ways[0]?.kind]).not.toEqual([exit, 'copy_link']);
        }
  });
  it('offers to try again what failed only while the campaign is open, to operators', () => {
    const labels = (final: boolean, roles: About['roles']): string[] =>
      waysOf({ reason: 'search_failed', exit: 'exit.retry_failed' }, { ...about, final, roles }).map((way) =>
        way.label.slice('web.missing.way.'.length),
      );
    expect(labels(false, SELLER)).toEqual(['again', 'copy']);
    expect(labels(false, ['seller', 'operator'])).toEqual(['retry', 'again']);
    expect(labels(false, ['operator'])).toEqual(['retry']);
    for (const roles of [SELLER, ['seller', 'operator']] as const) expect(labels(true, roles)).toEqual(['again']);
    expect(labels(true, ['operator'])).toEqual(['copy_seller']);
  });
  it('follows no address that a page must not follow', () => {
    expect(
      waysOf({ reason: 'credits_limit', exit: 'exit.top_up' }, { ...about, topup: 'javascript:alert(1)' }).map((way) => way.kind),
    ).toEqual(['new_run']);
  });
  it('asks an open campaign for a fresh balance, and a final one for another campaign', () => {
    expect(waysOf({ reason: 'queries_limit', exit: 'exit.raise_queries' }, { ...about, final: false })[0]?.kind).toBe('recheck');
    expect(waysOf({ reason: 'queries_limit', exit: 'exit.raise_queries' }, about).map((way) => way.kind)).toEqual(['new_run']);
  });
});

describe('a campaign that starts from what another one missed', () => {
  const from = {
    ...run('run_1'),
    criteria: { giro: 'empaque', estado: 'Jalisco', tamano: 'mediana', cargo: 'compras' },
    hasta: 'borradores',
  } as Run;
  const item = (position: number, ref: string | null): Item => ({
    item_id: `run_1:${position}`,
    position,
    state: 'not_found',
    reason: null,
    company: ref ? { ref, name: ref.toUpperCase() } : null,
    choice: null,
    contact: null,
    exit: null,
  });
  it('takes the same accounts once each, and leaves the role that found nobody to the person', () => {
    const start = prefillOf(from, [item(1, 'a'), item(2, 'b'), item(3, 'a')], 'no_candidates', 'role');
    expect(start).toMatchObject({
      cargo: '',
      cuentas: 2,
      accounts: [
        { ref: 'a', name: 'A' },
        { ref: 'b', name: 'B' },
      ],
    });
  });
  it('searches anew where there was no company, with fewer filters', () => {
    expect(prefillOf(from, [item(1, null), item(2, null)], 'no_company', 'wider')).toMatchObject({
      accounts: null,
      cuentas: 2,
      giro: 'empaque',
      estado: '',
      tamano: '',
      cargo: 'compras',
    });
    expect(prefillOf(from, [item(1, null)], 'not_reached', 'again')).toMatchObject({ accounts: null, estado: 'Jalisco' });
  });
});

describe('the plot of a campaign', () => {
  const point = (version: number, seconds: number, more: Partial<Timeline['points'][number]> = {}): Timeline['points'][number] => ({
    version,
    at: new Date(Date.parse(AT) + seconds * 1000).toISOString(),
    done: 0,
    credits_held: 0,
    credits_spent: 0,
    queries_held: 0,
    queries_spent: 0,
    inference_micros: null,
    ...more,
  });
  const points = [
    point(1, 0),
    point(3, 10, { credits_held: 10, queries_spent: 2 }),
    point(7, 20, { credits_held: 4, credits_spent: 6, done: 5, queries_spent: 5 }),
  ];
  const timeline: Timeline = {
    run_id: 'run_1',
    version: 7,
    from: points[0]?.at ?? AT,
    to: points[2]?.at ?? AT,
    total: 8,
    limits: { credits: 12, queries: null, inference_micros: null },
    events: 3,
    sampled: false,
    kept: true,
    points,
    markers: [
      { version: 3, at: points[1]?.at ?? AT, kind: 'decision.approved', params: {} },
      { version: 5, at: points[1]?.at ?? AT, kind: 'run.paused', params: {} },
    ],
  };
  it('stacks what is held on what is spent, under the approved maximum', () => {
    const { panels } = plotOf(timeline, 200);
    expect(panels.map((p) => p.id)).toEqual(['accounts', 'credits', 'queries']);
    const credits = panels[1];
    expect(credits?.top).toBe(12);
    expect(credits?.lines.map((l) => [l.name, ...l.steps.map(([x, value]) => [Math.round(x), value])])).toEqual([
      ['held', [0, 0], [100, 10], [200, 10]],
      ['spent', [0, 0], [100, 0], [200, 6]],
    ]);
  });
  it('shows no credits where a campaign uses none', () => {
    const none = {
      ...timeline,
      limits: { ...timeline.limits, credits: 0 },
      points: points.map((p) => ({ ...p, credits_held: 0, credits_spent: 0 })),
    };
    expect(plotOf(none, 200).panels.map((p) => p.id)).toEqual(['accounts', 'queries']);
  });
  it('gathers markers that a finger could not tell apart, and keeps all within reach', () => {
    const at = (x: number): Timeline['markers'][number] => ({ version: x, at: new Date(x).toISOString(), kind: 'run.paused', params: {} });
    const clusters = clustersOf([at(0), at(30), at(70), at(300), at(320)], (ms) => ms, 320);
    expect(clusters.map((c) => [c.x, c.markers.length])).toEqual([
      [22, 2],
      [70, 1],
      [298, 2],
    ]);
  });
  it('tells the same as a table, in order, with what stood at a marker between two points', () => {
    expect(rowsOf(timeline).map((r) => [r.version, r.point?.credits_held, r.markers.map((m) => m.kind)])).toEqual([
      [1, 0, []],
      [3, 10, ['decision.approved']],
      [5, 10, ['run.paused']],
      [7, 4, []],
    ]);
    expect(pointAt(points, Date.parse(AT) - 1)?.version).toBe(1);
  });
});

describe('what an operator may do', () => {
  const at = (state: RunState, control: 'run' | 'pause' | 'cancel', failed = 0, unknown = 0) =>
    actionsFor({
      state,
      control,
      counts: { ...counts, failed },
      open_effects: Array.from({ length: unknown }, (_, i) => ({
        effect_id: `eff_${i}`,
        kind: 'people_reveal',
        state: 'unconfirmed' as const,
        sent_at: AT,
        reads: 3,
        needs_operator: true,
      })),
    });
  it('is what the state allows, and never to terminate', () => {
    expect(at('running', 'run', 2, 1)).toEqual(['pause', 'retry-failed', 'settle-unconfirmed', 'repair-projection', 'cancel']);
    expect(at('paused', 'pause')).toEqual(['resume', 'repair-projection', 'cancel']);
    expect(at('stopping', 'cancel', 2)).toEqual(['repair-projection']);
    expect(at('completed_partial', 'run', 2, 1)).toEqual(['settle-unconfirmed', 'repair-projection']);
    expect(JSON.stringify(en).toLowerCase()).not.toContain('terminate');
  });
});
