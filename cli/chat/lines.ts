import { createInterface, clearLine, cursorTo, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Context } from '../context.js';

/** Messages of a pipe or a file, one per line. */
export async function* pipedLines(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line.trim() !== '') yield line.trim();
}

/** Lines typed at a terminal. Only while one is asked for does it hold the keyboard: questions of a card have it in between. */
export class Editor {
  private active: Interface | null = null;
  private readonly held: string[] = [];

  constructor(
    private readonly ctx: Context,
    public history: string[],
  ) {}

  /** A line, or null when the person leaves (Ctrl-C on an empty line, Ctrl-D). */
  ask(prompt: string): Promise<string | null> {
    for (const line of this.held.splice(0)) this.ctx.tell(line);
    const { stderr, stdin } = this.ctx.term;
    const input = (stdin ?? process.stdin) as Readable;
    const rl = createInterface({
      input,
      output: stderr,
      terminal: true,
      prompt,
      history: [...this.history],
      historySize: 500,
      removeHistoryDuplicates: true,
    });
    this.active = rl;
    return new Promise((resolve) => {
      let answer: string | null = null;
      const leave = (): void => rl.close();
      this.ctx.signal.addEventListener('abort', leave, { once: true });
      rl.on('history', (history) => (this.history = history));
      rl.on('SIGINT', () => {
        if (rl.line === '') return rl.close();
        rl.write(null, { ctrl: true, name: 'e' });
        rl.write(null, { ctrl: true, name: 'u' });
      });
      rl.once('line', (line) => {
        answer = line.trim();
        rl.close();
      });
      rl.once('close', () => {
        this.active = null;
        this.ctx.signal.removeEventListener('abort', leave);
        if (answer === null) stderr.write('\n');
        resolve(answer);
      });
      rl.prompt();
    });
  }

  /** A line that comes by itself: above the one being typed, or before the next one. */
  tell(line: string): void {
    const rl = this.active;
    if (!rl) return void this.held.push(line);
    const { stderr } = this.ctx.term;
    cursorTo(stderr, 0);
    clearLine(stderr, 0);
    this.ctx.tell(line);
    rl.prompt(true);
  }
}
