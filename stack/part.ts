import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, identify, signalGroup, waitForEnd, type ProcessIdentity } from './identity.js';
import { readyLine, troubleLine, type Say } from './screen.js';
import { said } from './words.js';

/** Parts of a stack, in the order they are started; stopping goes the other way. */
export const PART_NAMES = ['postgres', 'temporal', 'kitchen', 'worker', 'api'] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface PartSpec {
  name: PartName;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** User to run as; undefined keeps ours. */
  user?: { uid: number; gid: number };
  logFile: string;
  /** What the screen says beside the part when it is ready. */
  detail: string;
  /** Answers whether the process with this id does its work now. A thrown error counts as no. */
  isReady: (pid: number) => Promise<boolean>;
  readyWithinMs: number;
  /** An end before readiness is tried again until this long after the start; 0 means it is an error at once. */
  retryStartMs: number;
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
}

const BACKOFF_MS = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** After running this long, the next end counts as the first again. */
const STABLE_MS = 30_000;
const LOG_LIMIT_BYTES = 20_000_000;

const openLog = (file: string): number => {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
};

/** One supervised process: started until ready, started again with growing pauses when it dies, stopped or killed on request. */
export class Part {
  private child: ChildProcess | undefined;
  /** What it should be; a process that ends while this is true comes back. */
  private wanted = false;
  private ready = false;
  private ends = 0;
  private readyAt = 0;
  private logFrom = 0;
  private endReason = '';
  private pause = new AbortController();

  constructor(
    public spec: PartSpec,
    private readonly say: Say,
    /** Told whenever the process behind the part is another one. */
    private readonly onChange: () => void,
  ) {}

  get name(): PartName {
    return this.spec.name;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get identity(): ProcessIdentity | undefined {
    return this.pid === undefined ? undefined : identify(this.pid);
  }

  /**
   * Starts the process and waits until it is ready. Returns ms.
   * @throws Error with the end of its log when it dies or is not ready in time.
   */
  async start(): Promise<number> {
    const since = Date.now();
    this.wanted = true;
    this.pause = new AbortController();
    while (!(await this.attempt())) {
      if (this.wanted && Date.now() - since < this.spec.retryStartMs) {
        await this.rest(250);
        continue;
      }
      this.wanted = false;
      throw new Error(said('did_not_start', { part: this.name, why: this.endReason, log: this.logTail() }));
    }
    return Date.now() - since;
  }

  /** Ends the process in order and leaves it down. */
  async stop(): Promise<void> {
    this.giveUp();
    const pid = this.pid;
    if (pid !== undefined) await endProcess(pid, this.spec.stopSignal, this.spec.stopWithinMs);
    this.child = undefined;
  }

  /** Signals the process (SIGKILL) and leaves it down until `restart`. Returns when it has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.giveUp();
    const pid = this.pid;
    if (pid === undefined) return;
    // PostgreSQL's own children notice that the postmaster is gone; every other part is one group.
    if (this.name === 'postgres') process.kill(pid, signal);
    else signalGroup(pid, signal);
    await waitForEnd(pid, 10_000);
    this.child = undefined;
    this.onChange();
  }

  /** Stops what runs, if anything, and starts it again, with `env` added. Returns ms until ready. */
  async restart(env: Record<string, string> = {}): Promise<number> {
    await this.stop();
    this.spec = { ...this.spec, env: { ...this.spec.env, ...env } };
    this.ends = 0;
    return this.start();
  }

  /** Signals without waiting: used when the supervisor itself is going. */
  forceEnd(signal: NodeJS.Signals): void {
    this.giveUp();
    if (this.pid !== undefined) signalGroup(this.pid, signal);
  }

  private giveUp(): void {
    this.wanted = false;
    this.ready = false;
    this.pause.abort();
  }

  private rest(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.pause.signal }).catch(() => undefined);
  }

  /** One try: true when it became ready; otherwise the process is gone and `endReason` says why. */
  private async attempt(): Promise<boolean> {
    const since = Date.now();
    const pid = this.spawn();
    while (!this.endReason && pid !== undefined) {
      if ((await this.spec.isReady(pid).catch(() => false)) && !this.endReason) {
        this.ready = true;
        this.readyAt = Date.now();
        this.say(readyLine(this.name, Date.now() - since, this.spec.detail));
        return true;
      }
      if (!this.wanted) this.endReason ||= 'stopped while starting';
      else if (Date.now() - since > this.spec.readyWithinMs) {
        await endProcess(pid, this.spec.stopSignal, this.spec.stopWithinMs);
        this.endReason = said('not_ready', { seconds: this.spec.readyWithinMs / 1000 });
      } else await sleep(Date.now() - since < 1_000 ? 20 : 100);
    }
    // A failed spawn reports itself a moment later.
    if (pid === undefined) await sleep(0);
    return false;
  }

  private spawn(): number | undefined {
    const log = openLog(this.spec.logFile);
    this.logFrom = statSync(this.spec.logFile).size;
    this.endReason = '';
    this.ready = false;
    // Its own process group: Ctrl-C reaches the supervisor alone, which then stops the parts in order.
    const child = spawn(this.spec.command, this.spec.args, {
      cwd: this.spec.cwd,
      env: this.spec.env,
      stdio: ['ignore', log, log],
      detached: true,
      ...this.spec.user,
    });
    closeSync(log);
    this.child = child;
    const ended = (reason: string): void => {
      if (this.child !== child) return;
      this.endReason ||= reason;
      if (this.ready && this.wanted) void this.comeBack();
      this.ready = false;
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) =>
      ended(code === null ? said('ended_by', { signal: signal ?? '?' }) : said('ended_with', { code: String(code) })),
    );
    this.onChange();
    return child.pid;
  }

  private async comeBack(): Promise<void> {
    if (Date.now() - this.readyAt > STABLE_MS) this.ends = 0;
    while (this.wanted) {
      const pauseMs = BACKOFF_MS[Math.min(this.ends, BACKOFF_MS.length - 1)] ?? 10_000;
      this.ends++;
      this.say(troubleLine(this.name, said('comes_back', { why: this.endReason, seconds: pauseMs / 1000, log: this.spec.logFile })));
      await this.rest(pauseMs);
      if (!this.wanted || (await this.attempt())) return;
    }
  }

  private logTail(): string {
    try {
      const text = readFileSync(this.spec.logFile).subarray(this.logFrom).toString('utf8').trim();
      return (
        text
          .split('\n')
          .slice(-15)
          .map((line) => `    ${line.slice(0, 300)}`)
          .join('\n') || `    ${said('empty_log')}`
      );
    } catch {
      return `    ${said('no_log')}`;
    }
  }
}
