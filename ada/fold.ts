import type { Language } from '../contracts/catalog/index.js';
import { FACT_KEYS, type Board, type BoardRun, type TurnAnswer, type TurnOutput } from '../contracts/turn.js';
import type { Compiled } from './compile.js';
import type { SkillUsed } from './library/gate/belt.js';
import type { Skill } from './library/types.js';
import type { Looped } from './loop.js';
import { seenWith } from './next-page.js';
import { planOf } from './plan.js';
import { lastList } from './rows.js';
import type { Tabled } from './session-calls.js';
import { stageFor } from './stage.js';
import type { Worked } from './turn-view.js';
import type { ThreadState } from './types.js';

const BOARD_RUNS = 20;
const LIST_MAX = 100;

/** How a list is paged and read, and ids: nothing that a person filters by. */
const NO_FILTER = /^(?:limit|cursor|sort|op|group_by|client_key)$|(?:^|_)ids?$/;
/** Filters as a person reads them: what was asked of the tool. */
const filtersOf = (args: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(args).flatMap(([key, value]) =>
      (typeof value === 'string' || typeof value === 'number') && !NO_FILTER.test(key) ? [[key, String(value).slice(0, 120)]] : [],
    ),
  );

/** Longest cursor that is kept. */
const CURSOR_MAX = 500;
const metaOf = (result: unknown): { ref: string; total: number | null; shown: number; next: string | null } | null => {
  const meta = result as { ref?: unknown; total?: unknown; shown?: unknown; count?: { value?: unknown }; next_cursor?: unknown } | null;
  if (!meta || typeof meta.ref !== 'string') return null;
  const total = typeof meta.count?.value === 'number' ? meta.count.value : typeof meta.total === 'number' ? meta.total : null;
  return {
    ref: meta.ref,
    total: total === null ? null : Math.round(total),
    shown: typeof meta.shown === 'number' ? meta.shown : 0,
    next: typeof meta.next_cursor === 'string' && meta.next_cursor.length <= CURSOR_MAX ? meta.next_cursor : null,
  };
};

export interface Folded {
  state: ThreadState;
  card: TurnAnswer['card'];
}

/**
 * 8 · What the thread remembers after the turn: what was said, the list at hand, queries with their filters, the plan, open recipes, what was asked. The
 * stage is derived again.
 */
export const fold = (
  compiled: Compiled,
  looped: Looped,
  tabled: Tabled,
  output: TurnOutput,
  used: readonly SkillUsed[],
  open: readonly Skill[],
  declined: readonly string[],
  language: Language,
  at: string,
): Folded => {
  const { rows } = lastList(looped.worked);
  const runs: BoardRun[] = [];
  for (const { name, args, ok, result } of looped.worked) {
    const meta = ok && /^(market|company|people|collection|context)_/.test(name) ? metaOf(result) : null;
    if (!meta) continue;
    const seen = seenWith(name, args, meta.shown, [...compiled.board.runs, ...runs]);
    runs.push({
      ref: meta.ref,
      tool: name,
      args,
      total: meta.total,
      shown: meta.shown,
      skill: (open.at(-1)?.name ?? null) as BoardRun['skill'],
      at,
      next_cursor: meta.next,
      seen,
    });
  }
  const decision = tabled.decision;
  const board: Board = {
    ...compiled.board,
    list: rows.length > 0 ? rows.slice(0, LIST_MAX) : compiled.board.list,
    runs: [...compiled.board.runs, ...runs].slice(-BOARD_RUNS),
    pending:
      decision && decision.state === 'open' && !compiled.board.pending.some((one) => one.decision_id === decision.id)
        ? [...compiled.board.pending, { decision_id: decision.id, kind: decision.kind, run_id: decision.run_id }]
        : compiled.board.pending,
    plan: tabled.progress ? planOf(tabled.progress, language) : compiled.board.plan,
  };
  // What the profile knows stays the profile's; only what was said is the thread's.
  const facts = Object.fromEntries(
    FACT_KEYS.map((key) => [
      key,
      compiled.facts[key].status === 'dicho' ? compiled.facts[key] : { status: 'faltante' as const, value: null },
    ]),
  ) as ThreadState['facts'];
  const state: ThreadState = {
    facts,
    board,
    stage: stageFor(facts, board),
    asked: output.pregunta?.campo ?? null,
    declined: [...declined],
    skills: used
      .filter((one) => open.some((skill) => skill.name === one.name))
      .map(({ name, digest, by, version, score }) => ({ name, digest, by, version, score })),
  };
  const source = sourceOf(looped, open);
  return {
    state,
    card: source
      ? {
          kind: source.kind,
          rows: rows.slice(0, LIST_MAX),
          total: metaOf(source.worked.result)?.total ?? null,
          filters: filtersOf(source.worked.args),
          footer: [...new Set(looped.footer)].slice(0, 3),
        }
      : null,
  };
};

/** The result that the turn's card shows, by the recipe that was open last: its list, else the last that counted something. */
export const sourceOf = (
  { worked }: Pick<Looped, 'worked'>,
  open: readonly Skill[],
): { kind: NonNullable<TurnAnswer['card']>['kind']; worked: Worked; ref: string | null } | null => {
  const kind = open.at(-1)?.cierra_con ?? null;
  const source =
    lastList(worked).from ??
    [...worked]
      .reverse()
      .find((one) => one.ok && metaOf(one.result) !== null && /^(market|company|collection|context|people)_/.test(one.name)) ??
    null;
  return kind && source ? { kind, worked: source, ref: metaOf(source.result)?.ref ?? null } : null;
};
