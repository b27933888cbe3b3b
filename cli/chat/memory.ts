import { readlinkSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { stateDirOf } from '../../stack/paths.js';

const MAX_THREADS = 200;
const MAX_HISTORY = 500;
const Kept = z.record(z.string(), z.string());

/** Which terminal this is, as far as the system tells; `default` where it does not. */
const terminalOf = (env: NodeJS.ProcessEnv): string => {
  const named = env['TERM_SESSION_ID'] || env['TMUX_PANE'] || env['WINDOWID'];
  if (named) return named;
  for (const fd of [0, 2, 1]) {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      if (/^\/dev\/(pts\/\d+|tty\w+)$/.test(target)) return target;
    } catch {
      /* not this kind of system */
    }
  }
  return 'default';
};

/**
 * What the chat remembers on this machine: the last conversation of each terminal, and what was typed. In the state folder, readable by its owner
 * only; where there is no such folder nothing is kept.
 */
export class Memory {
  private readonly folder: string;
  private readonly key: string;

  constructor(env: NodeJS.ProcessEnv, api: string) {
    this.folder = stateDirOf(env['CAMPANA_STATE_DIR'] || undefined);
    this.key = `${api} ${terminalOf(env)}`;
  }

  async thread(): Promise<string | null> {
    return (await this.threads())[this.key] ?? null;
  }
  async remember(thread: string): Promise<void> {
    const { [this.key]: _old, ...others } = await this.threads();
    await this.write(
      'chat.json',
      `${JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MAX_THREADS), [this.key, thread]]))}\n`,
    );
  }

  /** What was typed, newest first, as a line editor wants it. */
  async history(): Promise<string[]> {
    return (await this.read('chat-history'))
      .split('\n')
      .filter((line) => line !== '')
      .reverse();
  }
  async keepHistory(newestFirst: readonly string[]): Promise<void> {
    await this.write(
      'chat-history',
      [...newestFirst.slice(0, MAX_HISTORY)]
        .reverse()
        .map((line) => `${line}\n`)
        .join(''),
    );
  }

  private async threads(): Promise<Record<string, string>> {
    try {
      return Kept.parse(JSON.parse(await this.read('chat.json')));
    } catch {
      return {};
    }
  }
  private read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8').catch(() => '');
  }
  private async write(name: string, text: string): Promise<void> {
    try {
      await mkdir(this.folder).catch(() => undefined);
      const fresh = join(this.folder, `.${name}.${process.pid}`);
      await writeFile(fresh, text, { mode: 0o600 });
      await rename(fresh, join(this.folder, name));
    } catch {
      /* remembering is a convenience */
    }
  }
}
