import pc from 'picocolors';
import type { Language } from '../contracts/catalog/index.js';
import { Client } from './client.js';
import { findConnection, type ConnectionFlags } from './connection.js';
import type { Context, Terminal } from './context.js';
import { terminalPrompter, type Prompter } from './prompt.js';
import { Words } from './words.js';

export interface GlobalFlags extends ConnectionFlags {
  json?: boolean;
  espera?: number;
  color?: boolean;
  idioma: Language;
}

/** How long a call goes on trying when `--espera` says nothing, ms. */
const PATIENCE_MS = 30_000;

/** This process's terminal. */
export const processTerminal = (): Terminal => ({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
});

export const makeContext = (term: Terminal, flags: GlobalFlags, signal: AbortSignal, prompt?: Prompter): Context => {
  const words = new Words(flags.idioma);
  const json = flags.json ?? false;
  let found = false;
  const colored = flags.color !== false && !term.env['NO_COLOR'];
  return {
    term,
    words,
    language: flags.idioma,
    signal,
    json,
    waitMs: flags.espera ?? null,
    interrupts: { taken: null },
    client: new Client({
      connect: async () => {
        const connection = await findConnection(flags, term.env, found);
        found = true;
        return connection;
      },
      slow: (url, why) => void (json || term.stderr.write(`${words.say('cli.said.no_answer_yet', { url, why })}\n`)),
      language: flags.idioma,
      patienceMs: flags.espera ?? PATIENCE_MS,
      signal,
    }),
    prompt: prompt ?? terminalPrompter(process.stdin, process.stderr, signal, { yes: words.say('cli.yes'), no: words.say('cli.no') }),
    color: pc.createColors(colored && Boolean(term.stdout.isTTY)),
    errColor: pc.createColors(colored && Boolean(term.stderr.isTTY)),
    out: (line) => void term.stdout.write(`${line}\n`),
    tell: (line) => void term.stderr.write(`${line}\n`),
  };
};
