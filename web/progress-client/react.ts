import { useCallback, useSyncExternalStore } from 'react';
import type { ProgressStore } from './index.js';
import type { Snapshot } from './types.js';

/** What is known of a run, kept up to date while the component is shown. */
export const useProgress = (store: ProgressStore, run: string): Snapshot =>
  useSyncExternalStore(
    useCallback((changed) => store.subscribe(run, changed), [store, run]),
    () => store.get(run),
    () => store.get(run),
  );
