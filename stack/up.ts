import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup, waitForEnd } from './identity.js';
import { launch } from './launch.js';
import { withLock } from './lock.mjs';
import { stateDirOf } from './paths.js';
import { dropRecord, endLeftovers, isSupervised, readRecord, type StackRecord } from './record.js';
import { sayOnStderr, silent, type Say } from './screen.js';
import type { PartName, Stack, StackOptions } from './types.js';
import { said } from './words.js';

export type { PartName, Role, Sample, Stack, StackDatabases, StackOptions, StackUrls } from './types.js';

/** 503 is an answer: the stack runs, and its supervisor is bringing a part back. A living supervisor may be restarting a part: it gets this long to answer, ms. */
const ANSWER_WITHIN_MS = 20_000;

const answers = async (record: StackRecord): Promise<boolean> => {
  const until = Date.now() + ANSWER_WITHIN_MS;
  while (isSupervised(record)) {
    const ok = await fetch(record.healthUrl, { signal: AbortSignal.timeout(2_000) }).then(
      (r) => r.ok || r.status === 503,
      () => false,
    );
    if (ok) return true;
    if (Date.now() > until) return false;
    await sleep(200);
  }
  return false;
};

/** A stack that another process owns: usable, and its parts can be killed; only the owner starts and stops. */
const attach = async (stateDir: string, record: StackRecord): Promise<Stack> => {
  const refuse = (what: string) => (): Promise<never> =>
    Promise.reject(new Error(`This stack belongs to process ${record.supervisor.pid}: ${what} is up to that one.`));
  return {
    attached: true,
    stateDir,
    urls: record.urls,
    databases: { campana: '' },
    env: {
      CAMPANA_API_URL: record.urls.api,
      CAMPANA_TOKEN_FILE: record.tokenFile,
      TEMPORAL_ADDRESS: record.urls.temporal,
      CAMPANA_TEMPORAL_UI: record.urls.temporalUi ?? '',
    },
    token: record.tokenFile ? (await readFile(record.tokenFile, 'utf8').catch(() => '')).trim() : '',
    tokenFile: record.tokenFile,
    pids: Object.fromEntries(Object.entries(record.parts).map(([name, part]) => [name, part.pid])),
    timings: {},
    mintToken: refuse('signing tokens'),
    restart: refuse('restarting a part'),
    kill: async (part: PartName, signal: NodeJS.Signals = 'SIGKILL') => {
      // The record again: the owner may have started the part anew since.
      const pid = (await readRecord(stateDir))?.parts[part]?.pid;
      if (pid === undefined) return;
      if (part === 'postgres') process.kill(pid, signal);
      else signalGroup(pid, signal);
      await waitForEnd(pid, 10_000);
    },
    stop: () => Promise.resolve(),
  };
};

/**
 * The stack of a state folder when one runs and answers; otherwise undefined, and nothing is started or stopped.
 */
export const findStack = async (stateDir?: string): Promise<Stack | undefined> => {
  const folder = stateDirOf(stateDir);
  const record = await readRecord(folder);
  return record && isSupervised(record) && (await answers(record)) ? attach(folder, record) : undefined;
};

const useRunning = async (stateDir: string, options: StackOptions, say: Say): Promise<Stack | undefined> => {
  const record = await readRecord(stateDir);
  if (!record) return undefined;
  if (!isSupervised(record)) {
    await endLeftovers(stateDir, record, say);
    return undefined;
  }
  const owner = said('owner', { pid: record.supervisor.pid, at: record.startedAt });
  if (!(await answers(record))) {
    if (!isSupervised(record)) return useRunning(stateDir, options, say);
    throw new Error(said('no_answer', { owner, url: record.healthUrl, pid: record.supervisor.pid, logs: record.logs }));
  }
  if (options.attach === false) throw new Error(said('running_on', { folder: stateDir, owner }));
  say(said('running', { owner }));
  if (options.sample && options.sample !== record.sample) say(said('other_sample', { has: record.sample, wanted: options.sample }));
  return attach(stateDir, record);
};

/**
 * Starts Campana's servers and processes and supervises them, or finds the stack that already runs on this state folder.
 * A part that dies is started again with growing pauses. Resolves when every part is ready.
 * @throws Error with the end of the part's log when one does not start; whatever had started is stopped first.
 */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  const say = options.quiet ? silent : (options.say ?? sayOnStderr);
  const stateDir = stateDirOf(options.stateDir);
  // PostgreSQL may run as another user, who has to walk through; what is secret in it has mode 0600.
  await mkdir(stateDir, { recursive: true, mode: 0o755 });
  return withLock(
    join(stateDir, 'start.lock'),
    async () => (await useRunning(stateDir, options, say)) ?? launch({ ...options, stateDir }, say),
    { onWait: (pid) => say(said('being_started', { pid: pid ?? '?' })) },
  );
};

/** Ends whatever a stack on `stateDir` left behind when its supervisor was killed; leaves a living one alone. */
export const sweepStack = async (stateDir: string, say: Say = silent): Promise<boolean> => {
  const record = await readRecord(stateDir);
  if (record && isSupervised(record)) return false;
  if (record) await endLeftovers(stateDir, record, say);
  else await dropRecord(stateDir);
  return true;
};
