import type { Chooser, Choice } from '../../ada/library/choose/choose.js';
import type { Access } from '../../ada/library/choose/states.js';
import { percentile } from '../turns/figures.js';
import type { Case } from './cases.js';

/** Everybody may use everything: the corpus is about words. */
export const OPEN_ACCESS: Access = { scopes: { account: 'evals' }, rows: [], integrations: null, capabilities: null };

export interface Scored {
  case: Case;
  choice: Choice;
  right: boolean;
  forbidden: string[];
  ms: number;
}
export interface RoutingScore {
  /** First candidate is one that the message asks for, over cases that ask for something. */
  top1: number;
  asked: number;
  /** "None" said where nothing fits. */
  noneRight: number;
  none: number;
  /** Cases in which a forbidden skill was injected. */
  forbiddenFires: number;
  injected: number;
  clarified: number;
  /** Of what was injected, how much was right. */
  injectedRight: number;
  p50: number;
  p99: number;
  byLabel: Record<string, { right: number; of: number }>;
  byTag: Record<string, { right: number; of: number }>;
}

export const runCases = (chooser: Chooser, cases: readonly Case[]): Scored[] =>
  cases.map((one) => {
    const since = performance.now();
    const choice = chooser.choose(one.message, { ...(one.state ? { state: one.state } : {}), access: OPEN_ACCESS });
    const ms = performance.now() - since;
    const first = choice.candidates[0]?.name;
    const forbidden =
      choice.decision === 'inject' ? choice.candidates.map((c) => c.name).filter((name) => (one.forbidden as string[]).includes(name)) : [];
    const right = one.expect_none ? choice.decision === 'none' : first !== undefined && (one.relevant as string[]).includes(first);
    return { case: one, choice, right, forbidden, ms };
  });

const share = (part: number, of: number): number => (of === 0 ? 1 : part / of);

export const scoreOf = (scored: readonly Scored[]): RoutingScore => {
  const asked = scored.filter((s) => !s.case.expect_none);
  const none = scored.filter((s) => s.case.expect_none);
  const injected = scored.filter((s) => s.choice.decision === 'inject');
  const times = scored.map((s) => s.ms);
  const groups = (keys: (s: Scored) => readonly string[]): Record<string, { right: number; of: number }> => {
    const found: Record<string, { right: number; of: number }> = {};
    for (const s of scored)
      for (const key of keys(s)) {
        const group = (found[key] ??= { right: 0, of: 0 });
        group.of++;
        if (s.right) group.right++;
      }
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    top1: share(asked.filter((s) => s.right).length, asked.length),
    asked: asked.length,
    noneRight: share(none.filter((s) => s.right).length, none.length),
    none: none.length,
    forbiddenFires: scored.filter((s) => s.forbidden.length > 0).length,
    injected: injected.length,
    clarified: scored.filter((s) => s.choice.decision === 'clarify').length,
    injectedRight: share(
      injected.filter((s) => !s.case.expect_none && s.choice.candidates.every((c) => (s.case.relevant as string[]).includes(c.name)))
        .length,
      injected.length,
    ),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    byLabel: groups((s) => (s.case.relevant.length > 0 ? s.case.relevant : ['none'])),
    byTag: groups((s) => s.case.tags),
  };
};
