import { Writable } from 'node:stream';
import type { Terminal } from '../../cli/context.js';
import { main } from '../../cli/main.js';
import type { Prompter } from '../../cli/prompt.js';
import type { FakeApi } from './fake-api.js';

export interface Ran {
  exit: number;
  out: string;
  err: string;
  lines: string[];
}

class Captured extends Writable {
  text = '';
  isTTY = false;
  columns = 100;
  rows = 50;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Answers to questions, in order. A question nobody foresaw fails the test. */
export const answers = (...given: Array<string | boolean | null>): Prompter & { asked: string[]; left: number } => {
  const queue = [...given];
  const asked: string[] = [];
  const next = (question: string): string | boolean | null => {
    asked.push(question);
    if (queue.length === 0) throw new Error(`asked without an answer: ${question}`);
    return queue.shift() ?? null;
  };
  return {
    asked,
    get left() {
      return queue.length;
    },
    choose: async <V extends string>(question: string, options: Array<{ value: V; label: string }>) => {
      const answer = next(`${question} ${options.map((o) => `[${o.label}]`).join(' ')}`);
      return answer === null ? null : (options.find((o) => o.value === answer)?.value ?? null);
    },
    yes: async (question) => next(question) as boolean | null,
    typed: async (question) => next(question) as string | null,
  };
};

/** A command on its way: what it has written so far can be waited for. */
export type Running = Promise<Ran> & { readonly so: { readonly out: string; readonly err: string } };

/** One command line in this process, against a fake API. */
export const campana = (
  api: Pick<FakeApi, 'env'>,
  args: string[],
  options: { tty?: boolean; prompt?: Prompter; stdin?: NodeJS.ReadableStream } = {},
): Running => {
  const stdout = new Captured();
  const stderr = new Captured();
  stdout.isTTY = options.tty ?? false;
  const term: Terminal = {
    stdout,
    stderr,
    env: api.env,
    interactive: options.prompt !== undefined,
    ...(options.stdin ? { stdin: options.stdin } : {}),
  };
  const ran = main(args, term, options.prompt ?? answers()).then((exit) => ({
    exit,
    out: stdout.text,
    err: stderr.text,
    lines: stdout.text.split('\n').filter((l) => l !== ''),
  }));
  const so = {
    get out() {
      return stdout.text;
    },
    get err() {
      return stderr.text;
    },
  };
  return Object.assign(ran, { so });
};
