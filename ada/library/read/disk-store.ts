import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { LibraryRefusal } from '../refusal.js';
import { mapLimited } from './limited.js';
import type { Entry, Store } from './store.js';

export interface DiskOptions {
  /** A root that may not exist yet, such as that of a workspace without skills, is empty. */
  optional?: boolean;
  maxFileBytes?: number;
  maxFiles?: number;
  maxBytes?: number;
  maxDepth?: number;
  concurrency?: number;
}

/** One folder on the way: its path in the root, where it really lies, and the real folders above it, to see a link that goes round. */
interface Place {
  path: string;
  real: string;
  above: readonly string[];
}
type Found = { entry: Entry; real: string } | { place: Place };

/** Inside by whole segments: `/srv/skills-evil` is not inside `/srv/skills`. */
export const inside = (root: string, real: string): boolean => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const safeName = (name: string): boolean => !/[\\:\uFFFD]/.test(name) && ![...name].some((c) => c < ' ' || c === '\u007f');

/**
 * A root on disk. A path is only ever one that the last listing found; a link counts as what it points at, and only inside the root.
 * What may not be read is listed with its reason, so that nothing disappears in silence.
 */
export const diskStore = (directory: string, options: DiskOptions = {}): Store => {
  const {
    optional = false,
    maxFileBytes = 1_048_576,
    maxFiles = 20_000,
    maxBytes = 64 * 1_048_576,
    maxDepth = 8,
    concurrency = 16,
  } = options;
  const base = resolve(directory);
  let known: ReadonlyMap<string, string> | null = null;

  const list = async (): Promise<Entry[]> => {
    let root: string;
    try {
      root = await realpath(base);
    } catch (error) {
      if (!optional || codeOf(error) !== 'ENOENT') throw error;
      known = new Map();
      return [];
    }
    const refused = (path: string, code: string): Found => ({ entry: { path, bytes: 0, mtimeMs: 0, refused: code }, real: '' });

    const look = async (place: Place, item: Dirent): Promise<Found> => {
      const path = place.path === '' ? item.name : `${place.path}/${item.name}`;
      if (!safeName(item.name)) return refused(path, 'path_unsafe');
      try {
        const real = item.isSymbolicLink() ? await realpath(join(place.real, item.name)) : join(place.real, item.name);
        if (!inside(root, real)) return refused(path, 'link_leaves_root');
        const info = await stat(real);
        if (info.isDirectory()) {
          if (place.above.some((dir) => inside(real, dir))) return refused(path, 'link_loop');
          return { place: { path, real, above: [...place.above, real] } };
        }
        if (!info.isFile()) return refused(path, 'file_special');
        const entry: Entry = { path, bytes: info.size, mtimeMs: info.mtimeMs };
        return { entry: info.size > maxFileBytes ? { ...entry, refused: 'file_large' } : entry, real };
      } catch (error) {
        return refused(path, item.isSymbolicLink() ? (codeOf(error) === 'ELOOP' ? 'link_loop' : 'link_broken') : 'file_unreadable');
      }
    };

    const entries: Entry[] = [];
    const paths = new Map<string, string>();
    // Everything is held in memory: a root that is somebody's whole disk ends here.
    let total = 0;
    let level: Place[] = [{ path: '', real: root, above: [root] }];
    for (let depth = 1; level.length > 0; depth++) {
      const places: Place[] = [];
      const contents = await mapLimited(level, concurrency, async (place) => {
        try {
          return (await readdir(place.real, { withFileTypes: true }))
            .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
            .map((item) => ({ place, item }));
        } catch (error) {
          if (place.path === '') throw error;
          entries.push({ path: place.path, bytes: 0, mtimeMs: 0, refused: 'file_unreadable' });
          return [];
        }
      });
      const found = await mapLimited(contents.flat(), concurrency, async ({ place, item }) => look(place, item));
      for (const one of found) {
        if ('place' in one) {
          if (depth < maxDepth) places.push(one.place);
          else entries.push({ path: one.place.path, bytes: 0, mtimeMs: 0, refused: 'path_deep' });
        } else if (paths.size < maxFiles && (one.entry.refused || (total += one.entry.bytes) <= maxBytes)) {
          entries.push(one.entry);
          if (!one.entry.refused) paths.set(one.entry.path, one.real);
        } else entries.push({ ...one.entry, refused: 'files_many' });
      }
      // A tree that links to itself sideways grows with every level: stop at the first one past the limit.
      if (entries.length > maxFiles) break;
      level = places;
    }
    known = paths;
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  };

  const read = async (path: string): Promise<Uint8Array> => {
    if (known === null) await list();
    const listed = known?.get(path);
    if (listed === undefined) throw new LibraryRefusal('path_refused', { name: path.slice(0, 80), reason: 'unlisted' });
    // Between the listing and now a file may have become a link: it is resolved again, and opened without following.
    const [root, real] = [await realpath(base), await realpath(listed)];
    if (!inside(root, real)) throw new LibraryRefusal('path_refused', { name: path.slice(0, 80), reason: 'link' });
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const info = await handle.stat();
      if (!info.isFile() || info.size > maxFileBytes) throw new LibraryRefusal('path_refused', { name: path.slice(0, 80), reason: 'link' });
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  };
  return { list, read };
};
