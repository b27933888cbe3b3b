/** A file of a root. */
export interface Entry { path: string; bytes: number; mtimeMs: number }

/** Where a library's files lie; the two methods that reading needs. Paths use `/`, are relative, and never leave the root. */
export interface Store {
  list(): Promise<Entry[]>;
  read(path: string): Promise<Uint8Array>;
}
