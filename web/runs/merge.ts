import type { RunSummary } from '../../contracts/api.js';

/** What is known of each run, by id: of two answers about one run, the newer version. */
export type Known = ReadonlyMap<string, RunSummary>;

/** Takes an answer in. The same object when it says nothing new, so that nothing is drawn again. */
export const merge = (known: Known, runs: RunSummary[]): Known => {
  const news = runs.filter((run) => {
    const before = known.get(run.run_id);
    return !before || run.version > before.version;
  });
  return news.length === 0 ? known : new Map([...known, ...news.map((run) => [run.run_id, run] as const)]);
};

/** Newest first: ids grow with time. */
export const newestFirst = (known: Known): RunSummary[] =>
  [...known.values()].sort((a, b) => (a.run_id < b.run_id ? 1 : a.run_id > b.run_id ? -1 : 0));

/** Rows that appeared above what a person is reading wait until they are asked for: the list does not jump under the pointer. */
export const split = (runs: RunSummary[], seenFirst: string | null): { shown: RunSummary[]; above: number } => {
  if (seenFirst === null) return { shown: runs, above: 0 };
  const shown = runs.filter((run) => run.run_id <= seenFirst);
  return { shown, above: runs.length - shown.length };
};
