export declare const cacheRoot: (env?: NodeJS.ProcessEnv) => string;
export declare const findTemporal: (
  kind?: 'server' | 'test-server',
  options?: { env?: NodeJS.ProcessEnv; say?: (line: string) => void },
) => Promise<{ path: string; source: string }>;
