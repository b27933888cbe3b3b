import type pc from 'picocolors';
import type { Language } from '../contracts/catalog/index.js';
import type { Client } from './client.js';
import type { Prompter } from './prompt.js';
import type { Words } from './words.js';

export type Colors = ReturnType<typeof pc.createColors>;

/** Where a command reads and writes; tests give their own. */
export interface Terminal {
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  /** Where a command that takes lines reads them; this process's when not given. */
  stdin?: NodeJS.ReadableStream;
  /** A person sits in front: questions may be asked. */
  interactive: boolean;
}

/** What every command gets. */
export interface Context {
  term: Terminal;
  words: Words;
  language: Language;
  client: Client;
  prompt: Prompter;
  json: boolean;
  /** Colours for stdout and for stderr. */
  color: Colors;
  errColor: Colors;
  /** How long to wait at most for a run to end, ms; null is as long as it takes. */
  waitMs: number | null;
  signal: AbortSignal;
  /** What Ctrl-C does before it ends the command: true when it was taken for something else. */
  interrupts: { taken: (() => boolean) | null };
  /** A line of data for stdout. */
  out(line: string): void;
  /** A line for people; stderr, so that stdout stays data. */
  tell(line: string): void;
}

/** Prints an API body as one line. */
export const printJson = (ctx: Context, body: unknown): void => ctx.out(JSON.stringify(body));
