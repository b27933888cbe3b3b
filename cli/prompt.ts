import { isCancel, select, settings, text } from '@clack/prompts';
import type { Readable, Writable } from 'node:stream';

// The library moves through a menu by these letters, too: "dale" and Enter would choose what nobody pointed at. Text answers no card.
for (const letter of ['h', 'j', 'k', 'l']) settings.aliases.delete(letter);

/** Questions to a person. Cancelling (Ctrl-C, Esc) answers null everywhere and changes nothing. */
export interface Prompter {
  /** `initial` is what Enter answers: never something that costs. */
  choose<V extends string>(question: string, options: Array<{ value: V; label: string }>, initial: V): Promise<V | null>;
  yes(question: string): Promise<boolean | null>;
  typed(question: string): Promise<string | null>;
}

/** Asks in the terminal. On stderr, so that stdout may be piped. */
export const terminalPrompter = (
  input: Readable,
  output: Writable,
  signal?: AbortSignal,
  labels: { yes: string; no: string } = { yes: 'Sí', no: 'No' },
): Prompter => {
  /** A question holds the keyboard, so that Ctrl-C raises no signal: it means here what it means everywhere else, once. */
  const interrupt = (): null => {
    if (!signal?.aborted) process.kill(process.pid, 'SIGINT');
    return null;
  };
  /** Asks with a signal of its own: the library keeps listening to the one it was given after the question is over. */
  const asking = async <T>(ask: (io: { input: Readable; output: Writable; signal: AbortSignal }) => Promise<T>): Promise<T> => {
    const own = new AbortController();
    const stop = (): void => own.abort();
    signal?.addEventListener('abort', stop);
    try {
      return await ask({ input, output, signal: own.signal });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };
  return {
    async choose<V extends string>(message: string, options: Array<{ value: V; label: string }>, initial: V) {
      const answer = await asking((io) => select<string>({ ...io, message, options, initialValue: initial, showInstructions: false }));
      return isCancel(answer) ? interrupt() : (answer as V);
    },
    async yes(message) {
      // A menu, with "No" first: Enter held from before agrees to nothing, and no more does a message that begins with a y.
      const options = [
        { value: 'no', label: labels.no },
        { value: 'yes', label: labels.yes },
      ];
      const answer = await asking((io) => select<string>({ ...io, message, options, initialValue: 'no', showInstructions: false }));
      return isCancel(answer) ? interrupt() : answer === 'yes';
    },
    async typed(message) {
      const answer = await asking((io) => text({ ...io, message }));
      return isCancel(answer) ? interrupt() : (answer ?? '').trim();
    },
  };
};
