import { LibraryRefusal } from '../refusal.js';
import type { Store } from './store.js';

export interface MemoryStore extends Store {
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
}

/** A root without a disk, for tests and for libraries that come from elsewhere. Every write is a newer file. */
export const memoryStore = (files: Readonly<Record<string, string | Uint8Array>> = {}): MemoryStore => {
  const held = new Map<string, { content: Uint8Array; mtimeMs: number }>();
  let clock = 0;
  const write = (path: string, content: string | Uint8Array): void => {
    held.set(path, { content: typeof content === 'string' ? new TextEncoder().encode(content) : content, mtimeMs: ++clock });
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    write,
    remove: (path) => void held.delete(path),
    list: async () => [...held].map(([path, { content, mtimeMs }]) => ({ path, bytes: content.length, mtimeMs })),
    read: async (path) => {
      const file = held.get(path);
      if (!file) throw new LibraryRefusal('path_refused', { name: path.slice(0, 80), reason: 'unlisted' });
      return file.content.slice();
    },
  };
};
