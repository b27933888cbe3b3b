import { QueryClient } from '@tanstack/react-query';
import { isTransient } from './http.js';

/** Everything the page reads, except progress. A transient failure is tried again; a refusal is shown. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 300_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      retry: (failures, error) => failures < 3 && isTransient(error),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Keys of what is cached, so that one place says "read this again". */
export const keys = {
  balances: ['balances'] as const,
  settings: ['settings'] as const,
  suppressions: ['suppressions'] as const,
  runs: ['runs'] as const,
  run: (run: string) => ['runs', run] as const,
  items: (run: string) => ['items', run] as const,
  missing: (run: string) => ['missing', run] as const,
  receipt: (run: string) => ['receipt', run] as const,
  timeline: (run: string) => ['timeline', run] as const,
  decisions: ['decisions'] as const,
  decision: (id: string) => ['decisions', id] as const,
  sequence: (id: string) => ['sequences', id] as const,
  threads: ['threads'] as const,
  thread: (id: string) => ['threads', id] as const,
  ops: ['ops'] as const,
};
