import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './lock.mjs';

export { isAlive };

/** A process that can be recognised later: ids are reused, an id together with its start time is not. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

const askPs = (pid: number, column: string): string => {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** State letter and start time of a process from /proc, where there is one. The name in it may hold spaces and brackets. */
const readStat = (pid: number): { state: string; startedAt: string } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
};

/** True when the process exists and is not a zombie waiting to be collected. */
export const isRunning = (pid: number): boolean => {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return !askPs(pid, 'stat').startsWith('Z');
  const stat = readStat(pid);
  return stat !== undefined && stat.state !== 'Z';
};

/** Identity of a live process. */
export const identify = (pid: number): ProcessIdentity => ({
  pid,
  startedAt: process.platform === 'linux' ? (readStat(pid)?.startedAt ?? '') : askPs(pid, 'lstart'),
});

/** True when the recorded process still runs and is the same one. */
export const isSame = (recorded: ProcessIdentity): boolean =>
  isRunning(recorded.pid) && identify(recorded.pid).startedAt === recorded.startedAt;

/** Command line of a process, empty when it cannot be read. */
export const commandOf = (pid: number): string => {
  if (process.platform !== 'linux') return askPs(pid, 'command');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** Signals a process and its group; false when it is gone. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return true;
    } catch {
      // Not a group leader, or gone.
    }
  }
  return false;
};

/** Waits until a process has ended; false when it still runs after `ms`. */
export const waitForEnd = async (pid: number, ms: number): Promise<boolean> => {
  const until = Date.now() + ms;
  while (isRunning(pid)) {
    if (Date.now() > until) return false;
    await sleep(15);
  }
  return true;
};

/** Asks a process to end, then forces it after `graceMs`. */
export const endProcess = async (pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> => {
  if (!isRunning(pid)) return;
  process.kill(pid, signal);
  if (await waitForEnd(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await waitForEnd(pid, 5_000);
};
