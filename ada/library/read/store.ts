/** A file of a root. One that is there and may not be read carries the code of the reason, and is never opened. */
export interface Entry {
  path: string;
  bytes: number;
  mtimeMs: number;
  refused?: string;
}

/** Where a library's files lie; the two methods that reading needs. Paths use `/`, are relative, and never leave the root. */
export interface Store {
  list(): Promise<Entry[]>;
  read(path: string): Promise<Uint8Array>;
}
