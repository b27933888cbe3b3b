import type { Problem, Root, Snapshot } from '../types.js';
import { sha256Of } from './digest.js';
import { findingsOf, inOrder } from './findings.js';
import { emptyMemory, loadSnapshot } from './snapshot.js';
import type { Entry } from './store.js';

export interface LibraryOptions {
  roots: readonly Root[];
  ttlMs?: number;
  now?: () => number;
}
export interface Library {
  /** What is there now. The same object while nothing changed, so a turn may keep it. */
  snapshot(): Promise<Snapshot>;
  /** Reads everything again, whatever times and sizes say. */
  reload(): Promise<Snapshot>;
  close(): void;
}

/** Files that were there and could not be read: tried again at the next call rather than believed. */
const TRANSIENT = new Set(['file_unreadable', 'root_unreadable']);

/**
 * A cache over roots. A call lists the files (times and sizes, O(files)) and reads those that changed; an edit that kept both is found by
 * reading everything every `ttlMs`. Snapshots are swapped whole; callers at the same moment share one load.
 */
export const openLibrary = ({ roots, ttlMs = 30_000, now = Date.now }: LibraryOptions): Library => {
  const memory = emptyMemory();
  let current: Snapshot | null = null;
  let signature = '';
  let hashedAt = -Infinity;
  let loading: Promise<Snapshot> | null = null;
  let closed = false;

  const kept = (snapshot: Snapshot, code: string, root?: string): Snapshot => {
    const findings = findingsOf('', root);
    findings.error(code, { params: { root: root ?? '' } });
    const problems: readonly Problem[] = Object.freeze(inOrder([...snapshot.problems, ...findings.problems]));
    return Object.freeze({ ...snapshot, problems });
  };

  const load = async (force: boolean): Promise<Snapshot> => {
    const listed = await Promise.all(roots.map((root) => root.store.list().catch((): Entry[] | null => null)));
    const listings = new Map<string, readonly Entry[] | null>(roots.map((root, i) => [root.id, listed[i] ?? null]));
    const missing = roots.find((root) => listings.get(root.id) === null);
    if (missing && current) {
      signature = '';
      return kept(current, 'reload_failed', missing.id);
    }
    const signed = sha256Of(
      [...listings].flatMap(([root, entries]) =>
        (entries ?? []).map((e) => [root, e.path, String(e.mtimeMs), String(e.bytes), e.refused ?? '']),
      ),
    );
    const at = now();
    const rehash = force || at - hashedAt >= ttlMs;
    if (current && !rehash && signed === signature) return current;
    let next: Snapshot;
    try {
      next = await loadSnapshot(roots, { listings, memory, rehash });
    } catch (error) {
      if (!current) throw error;
      signature = '';
      return kept(current, 'reload_failed');
    }
    if (closed) return next;
    signature = next.problems.some((p) => TRANSIENT.has(p.code)) ? '' : signed;
    if (rehash) hashedAt = at;
    const same = current !== null && current.digest === next.digest && JSON.stringify(current.problems) === JSON.stringify(next.problems);
    if (!same) current = next;
    return current ?? next;
  };

  const share = (force: boolean): Promise<Snapshot> => {
    const mine = load(force).finally(() => {
      if (loading === mine) loading = null;
    });
    loading = mine;
    return mine;
  };
  return {
    snapshot: () => loading ?? share(false),
    // A load under way may have read before the edit that this call is about.
    reload: async () => {
      await loading?.catch(() => null);
      return share(true);
    },
    close: () => {
      closed = true;
      current = null;
      signature = '';
      hashedAt = -Infinity;
      memory.files.clear();
      memory.skills.clear();
    },
  };
};

export interface LibrariesOptions {
  /** Roots that everybody reads. */
  platform: readonly Root[];
  /** The root of one workspace, or null when it has none. */
  workspaceRoot: (workspace: string) => Root | null;
  ttlMs?: number;
  now?: () => number;
  /** Workspaces kept in memory at once. */
  max?: number;
}
export interface Libraries {
  of(workspace: string): Library;
  snapshot(workspace: string): Promise<Snapshot>;
  reload(workspace: string): Promise<Snapshot>;
  close(): void;
}

/** One library per workspace: the platform's roots and its own, with a cache of its own. Those not used lately are dropped. */
export const libraries = ({ platform, workspaceRoot, ttlMs, now, max = 200 }: LibrariesOptions): Libraries => {
  const open = new Map<string, Library>();
  const of = (workspace: string): Library => {
    let library = open.get(workspace);
    if (library)
      open.delete(workspace); // to the end: the first of the map is the one longest unused
    else {
      const own = workspaceRoot(workspace);
      library = openLibrary({ roots: own ? [...platform, own] : platform, ttlMs, now });
    }
    open.set(workspace, library);
    for (const [oldest, unused] of open) {
      if (open.size <= max) break;
      open.delete(oldest);
      unused.close();
    }
    return library;
  };
  return {
    of,
    snapshot: (workspace) => of(workspace).snapshot(),
    reload: (workspace) => of(workspace).reload(),
    close: () => {
      for (const library of open.values()) library.close();
      open.clear();
    },
  };
};
