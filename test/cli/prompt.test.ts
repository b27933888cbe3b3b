import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { terminalPrompter, type Prompter } from '../../cli/prompt.js';

const OPTIONS = [
  { value: 'approve', label: 'Guardar 5 · gratis' },
  { value: 'choose', label: 'Elegir cuáles' },
  { value: 'later', label: 'Dejarlo para después' },
];
const UP = '\u001b[A';

/** What is chosen when somebody types this into the menu of a card and presses Enter. */
const typing = (...keys: string[]): Promise<string | null> => answering((prompt) => prompt.choose('¿Qué hacemos?', OPTIONS, 'later'), keys);
const answering = async <T>(ask: (prompt: Prompter) => Promise<T>, keys: string[]): Promise<T> => {
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  const chosen = ask(terminalPrompter(input, output));
  for (const key of [...keys, '\r']) {
    await new Promise((resolve) => setImmediate(resolve));
    input.write(key);
  }
  return chosen;
};

describe('the menu of a card in a terminal', () => {
  it.each(['sí, dale', 'hola', 'jalisco', 'kilo', 'LHJK', 'ok'])(
    'takes no order from what is written: "%s" leaves it for later',
    async (text) => {
      expect(await typing(...text)).toBe('later');
    },
  );
  it.each(['ya no', 'yes', 'sí', 'Y'])('and of a question leaves it at no: "%s"', async (text) => {
    expect(await answering((prompt) => prompt.yes('¿Seguro?'), [...text])).toBe(false);
  });
  it('of a question is agreed to by going to it', async () => {
    expect(await answering((prompt) => prompt.yes('¿Seguro?'), ['\u001b[B'])).toBe(true);
  });
  it('moves by the arrows', async () => {
    expect(await typing(UP)).toBe('choose');
    expect(await typing(UP, UP)).toBe('approve');
  });
});
