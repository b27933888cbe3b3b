/**
 * Whether a request points anywhere is measured by how the scores are spread, never asked of the model: one that is asked says yes, or asks
 * every time. Clustered: the best few stand so close that taking the first is a coin toss.
 */
export interface Spread {
  margin: number;
  clustered: boolean;
}

/** Below this margin it is a coin toss. Tuned in evals/routing, on the requests that avoid the words of the examples. */
export const CLUSTERED_BELOW = 0.4;

/** The best score's lead over the second and, half as much, over the third, as shares of the best. */
export const spreadOf = (scores: readonly number[], threshold = CLUSTERED_BELOW): Spread => {
  // Without a third the second counts for it: two that are even are a coin toss too.
  const [first = 0, second = 0, third = second] = scores;
  if (first <= 0) return { margin: 0, clustered: false };
  const margin = (first - second) / first + (first - third) / first / 2;
  return { margin, clustered: scores.length > 1 && margin < threshold };
};

/** Options of a question: those within reach of the best, two or three. */
export const optionsOf = <T extends { score: number }>(candidates: readonly T[], reach = 0.6): T[] => {
  const best = candidates[0]?.score ?? 0;
  const close = candidates.filter((candidate) => candidate.score >= best * (1 - reach)).slice(0, 3);
  return close.length >= 2 ? close : candidates.slice(0, 2);
};
