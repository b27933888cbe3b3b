export declare const isAlive: (pid: number) => boolean;
export declare const withLock: <T>(
  path: string,
  work: () => Promise<T>,
  options?: { waitMs?: number; onWait?: (pid: number | undefined) => void },
) => Promise<T>;
