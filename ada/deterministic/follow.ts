import type { z } from 'zod';
import type { ToolContract } from '../../contracts/tools/common.js';
import type { TurnView, Worked } from '../turn-view.js';

/**
 * A recipe is written as if it ran once: it yields the calls it wants and gets what came of them. Between two requests nothing is kept: at each
 * one it runs anew over the calls of the turn that are already there, and stops at the first that is not.
 */
export interface Call {
  name: string;
  args: Record<string, unknown>;
}
export interface Outcome {
  ok: boolean;
  result: unknown;
  code: string | null;
  params: Record<string, unknown>;
}
export type Steps<T> = Generator<Call[], T, Outcome[]>;

/** Not made: no step, search or tool was left for it, or it is not callable now. */
const NOT_MADE = 'sin_paso';
const MAX_TOOLS = 12;
const isSearch = (name: string): boolean => /_search(_|$)/.test(name);

const same = (wanted: Record<string, unknown>, made: Record<string, unknown>): boolean => {
  // Page size and order change what is shown, not what is asked.
  const keys = new Set([...Object.keys(wanted), ...Object.keys(made)].filter((key) => key !== 'limit' && key !== 'sort'));
  return [...keys].every((key) => JSON.stringify(wanted[key]) === JSON.stringify(made[key]));
};
const outcomeOf = (worked: Worked): Outcome => {
  const fault = worked.result !== null && typeof worked.result === 'object' && 'error' in worked.result ? worked.result.error : null;
  const said = fault !== null && typeof fault === 'object' ? (fault as { code?: unknown; params?: unknown }) : {};
  const code = worked.error ?? (typeof said.code === 'string' ? said.code : null) ?? (worked.ok ? null : 'tool_failed');
  return {
    ok: worked.ok && code === null,
    result: worked.result,
    code,
    params: said.params !== null && typeof said.params === 'object' ? (said.params as Record<string, unknown>) : {},
  };
};
const refused = (code: string): Outcome => ({ ok: false, result: null, code, params: {} });

/** What a recipe wants next, or what it ends in. */
export const follow = <T>(steps: Steps<T>, view: TurnView): { calls: Call[] } | { end: T } => {
  const used = new Set<Worked>();
  const take = (call: Call): Worked | null => {
    const found = view.worked.find((one) => !used.has(one) && one.name === call.name && same(call.args, one.args)) ?? null;
    if (found) used.add(found);
    return found;
  };
  let next = steps.next();
  while (!next.done) {
    const missing: Call[] = [];
    let searches = view.searchesLeft;
    const outcomes = next.value.map((call): Outcome => {
      const made = take(call);
      if (made) return outcomeOf(made);
      if (
        view.stepsLeft <= 1 ||
        !view.allowed.includes(call.name) ||
        view.worked.length + missing.length >= MAX_TOOLS ||
        (isSearch(call.name) && searches-- <= 0)
      )
        return refused(NOT_MADE);
      missing.push(call);
      return refused(NOT_MADE);
    });
    if (missing.length > 0) return { calls: missing };
    next = steps.next(outcomes);
  }
  return { end: next.value };
};

export const call = function* (name: string, args: Record<string, unknown> = {}): Steps<Outcome> {
  const [outcome] = yield [{ name, args }];
  return outcome ?? refused(NOT_MADE);
};
/** Searches that a part of a turn may still make. */
export interface Budget {
  searches: number;
}
/** A recipe within a budget of its own: searches beyond it come back as not made, and the budget tells what is left. */
export const within = function* <T>(steps: Steps<T>, budget: Budget): Steps<T> {
  let next = steps.next();
  while (!next.done) {
    const kept = next.value.filter((call) => !isSearch(call.name) || budget.searches-- > 0);
    budget.searches = Math.max(0, budget.searches);
    const made = kept.length > 0 ? yield kept : [];
    next = steps.next(
      next.value.map((call) => {
        const at = kept.indexOf(call);
        return at < 0 ? refused(NOT_MADE) : (made[at] ?? refused(NOT_MADE));
      }),
    );
  }
  return next.value;
};
/** Several at once: one step of the turn. */
export const together = function* (calls: Call[]): Steps<Outcome[]> {
  return calls.length === 0 ? [] : yield calls;
};

export type Got<O> = { ok: true; value: O } | { ok: false; code: string; params: Record<string, unknown> };
const drop = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null && value !== ''));

/** What a tool's answer is by its contract; one that does not keep it counts as no answer. */
export const readAs = <O>(contract: { output: z.ZodType<O> }, outcome: Outcome): Got<O> => {
  if (!outcome.ok) return { ok: false, code: outcome.code ?? 'tool_failed', params: outcome.params };
  const parsed = contract.output.safeParse(outcome.result);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, code: 'bad_reply', params: {} };
};
type Contract<O> = Pick<ToolContract, 'name'> & { output: z.ZodType<O> };
export const callOf = (contract: Pick<ToolContract, 'name'>, args: Record<string, unknown>): Call => ({
  name: contract.name,
  args: drop(args),
});

/** Faults of the moment: worth one more try. */
const PASSING = new Set([
  'rate_limited',
  'server_error',
  'timeout',
  'unreachable',
  'tool_failed',
  'bad_reply',
  'provider_unreachable',
  'unavailable',
]);
/** One read of a tool. A fault of the moment is tried once more; a cursor that is not of this query is left out. */
export const ask = function* <O>(contract: Contract<O>, args: Record<string, unknown>): Steps<Got<O>> {
  const wanted = callOf(contract, args);
  const [first] = yield [wanted];
  const got = readAs(contract, first ?? refused(NOT_MADE));
  if (got.ok) return got;
  // A search that failed may have been charged: it is not made again for that.
  if (PASSING.has(got.code) && !isSearch(contract.name)) {
    const [again] = yield [wanted];
    return readAs(contract, again ?? refused(NOT_MADE));
  }
  if (PASSING.has(got.code) && got.code === 'rate_limited') {
    const [again] = yield [wanted];
    return readAs(contract, again ?? refused(NOT_MADE));
  }
  if (got.code === 'malformed_cursor' && wanted.args['cursor'] !== undefined) {
    const { cursor: _cursor, ...rest } = wanted.args;
    const [again] = yield [{ name: wanted.name, args: rest }];
    return readAs(contract, again ?? refused(NOT_MADE));
  }
  return got;
};
export const notMade = (got: { ok: boolean; code?: string }): boolean => !got.ok && got.code === NOT_MADE;
