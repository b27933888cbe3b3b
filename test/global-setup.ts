import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { findTemporal } from '../stack/temporal-binary.mjs';
import { startStack, sweepStack, type Stack } from '../stack/up.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser of a real PostgreSQL; `createDatabase` makes databases in it. */
    databaseUrl: string;
    /** host:port of a real Temporal dev server, namespace `default`, our search attributes registered. */
    temporalAddress: string;
    /** Executable of the time-skipping server, for `createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`. */
    timeSkippingPath: string;
  }
}

const PREFIX = 'campana-test-';
/** Settings of the developer's shell that must not decide what tests talk to. */
const FOREIGN = [
  'DATABASE_URL',
  'ADA_DATABASE_URL',
  'KITCHEN_DATABASE_URL',
  'TOOLS_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_PROFILE',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'CAMPANA_STATE_DIR',
  'CAMPANA_SKILLS_HOME',
  'CAMPANA_JWT_PUBLIC_KEY',
  'CAMPANA_JWKS_URL',
  'CAMPANA_CODEC_KEYS',
  'CAMPANA_CODEC_KEYS_FILE',
  'CAMPANA_PAGE_URL',
  'CAMPANA_ORIGINS',
];

/** A folder that changed since may be of a run beside this one, which has only just made it or kills a supervisor on purpose. */
const OLD_MS = 600_000;
/** Servers of a run that was killed before it could stop them. */
const sweepOldRuns = async (): Promise<void> => {
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const changed = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - changed < OLD_MS) continue;
    if (await sweepStack(folder).catch(() => false)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
};

/** Starts the servers that tests share: one PostgreSQL and one Temporal, on random ports, in a folder that goes afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const name of FOREIGN) delete process.env[name];
  await sweepOldRuns();
  const stateDir = await mkdtemp(join(tmpdir(), PREFIX));
  // mkdtemp makes it private; as root, PostgreSQL runs as a user who has to enter.
  await chmod(stateDir, 0o755);
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  let stack: Stack;
  let timeSkipping: { path: string };
  try {
    [stack, timeSkipping] = await Promise.all([
      startStack({ stateDir, ports: 'random', parts: ['postgres', 'temporal'], durable: false, ui: false, say }),
      findTemporal('test-server', { say }),
    ]);
  } catch (error) {
    throw new Error(`${lines.join('\n')}\n${(error as Error).message}`, { cause: error });
  }
  const databaseUrl = process.env['TEST_DATABASE_URL'] || (stack.databases.admin ?? '');
  Object.assign(process.env, {
    TEST_DATABASE_URL: databaseUrl,
    TEST_TEMPORAL_ADDRESS: stack.urls.temporal,
    TEST_TIME_SKIPPING_PATH: timeSkipping.path,
  });
  project.provide('databaseUrl', databaseUrl);
  project.provide('temporalAddress', stack.urls.temporal);
  project.provide('timeSkippingPath', timeSkipping.path);
  return async () => {
    await stack.stop();
    await rm(stateDir, { recursive: true, force: true });
  };
}
