import type { Choice, Chooser } from '../../ada/library/choose/choose.js';
import type { Request } from './cases.js';
import { OPEN_ACCESS } from './score.js';

/** `offered`: what the first and the second question would offer. */
export interface Retrieved {
  request: Request;
  choice: Choice;
  offered: [string[], string[]];
  place: number;
  inShort: boolean;
  ms: number;
}
/** `questions`: how many a simulated person got on average, two at most: who finds nothing among the options says "something else". */
export interface Answered {
  of: number;
  first: number;
  withQuestion: number;
  questions: number;
}
export interface RetrievalScore {
  requests: number;
  first: number;
  inShort: number;
  clarified: number;
  /** Accuracy of the quarter with the narrowest lead: as ranked, and when the person answers the question (right if it is an option). */
  clustered: Answered;
  /** The same where a question is asked. */
  asked: Answered;
  byKind: Record<string, { of: number; first: number; inShort: number }>;
  p50: number;
  p99: number;
}

const rightFor = (request: Request, name: string | undefined): boolean => name !== undefined && name === request.right;

export const runRequests = (chooser: Chooser, requests: readonly Request[]): Retrieved[] =>
  requests.map((request) => {
    const since = performance.now();
    const choice = chooser.choose(request.message, { access: OPEN_ACCESS });
    const ms = performance.now() - since;
    const options = (found: Choice): string[] =>
      found.options.length > 0 ? found.options.map(({ name }) => name) : found.ranked.filter((name) => !first.includes(name)).slice(0, 3);
    let first: string[] = [];
    first = options(choice);
    const second = first.includes(request.right) ? [] : options(chooser.choose(request.message, { access: OPEN_ACCESS, declined: first }));
    return {
      request,
      choice,
      offered: [first, second],
      ms,
      place: choice.ranked.indexOf(request.right),
      inShort: choice.shortlist.some(({ skill }) => skill.name === request.right),
    };
  });

const share = (rows: readonly Retrieved[], test: (row: Retrieved) => boolean): number =>
  rows.length === 0 ? 0 : rows.filter(test).length / rows.length;

const answered = (rows: readonly Retrieved[], first: (row: Retrieved) => boolean): Answered => ({
  of: rows.length,
  first: share(rows, first),
  withQuestion: share(rows, ({ request, offered }) => offered.flat().includes(request.right)),
  questions:
    rows.length === 0 ? 0 : rows.reduce((sum, { request, offered }) => sum + (offered[0].includes(request.right) ? 1 : 2), 0) / rows.length,
});

export const retrievalScore = (rows: readonly Retrieved[]): RetrievalScore => {
  const first = (row: Retrieved): boolean => rightFor(row.request, row.choice.ranked[0]);
  const byMargin = [...rows].sort((a, b) => a.choice.margin - b.choice.margin);
  const quarter = byMargin.slice(0, Math.floor(rows.length / 4));
  const asked = rows.filter((row) => row.choice.decision === 'clarify');
  const times = rows.map((row) => row.ms).sort((a, b) => a - b);
  const kinds = [...new Set(rows.map((row) => row.request.kind))].sort();
  return {
    requests: rows.length,
    first: share(rows, first),
    inShort: share(rows, (row) => row.inShort),
    clarified: asked.length / rows.length,
    clustered: answered(quarter, first),
    asked: answered(asked, first),
    byKind: Object.fromEntries(
      kinds.map((kind) => {
        const own = rows.filter((row) => row.request.kind === kind);
        return [kind, { of: own.length, first: share(own, first), inShort: share(own, (row) => row.inShort) }];
      }),
    ),
    p50: times[Math.floor(times.length / 2)] ?? 0,
    p99: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0,
  };
};
