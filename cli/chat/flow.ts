import { width } from '../card/lines.js';

/**
 * Text that comes in pieces, broken at blanks to a terminal's columns. A word is held until it is known to be whole; one that is longer than
 * the line (a link) stays in one piece. Without columns (a pipe, a file) nothing is held or broken.
 */
export class Flow {
  private used = 0;
  private word = '';
  /** Blanks before the word that is held. */
  private gap = '';

  /** @param indent blanks that a line made by breaking begins with */
  constructor(
    private readonly columns: number | undefined,
    private readonly indent = 0,
  ) {}

  /** @returns what can be written by now */
  take(text: string): string {
    if (this.columns === undefined) return text;
    let out = '';
    for (const piece of text.split(/(\n|[ \t]+)/)) {
      if (piece === '\n') {
        out += `${this.flush()}\n`;
        this.used = 0;
        this.gap = '';
      } else if (/^[ \t]+$/.test(piece)) {
        out += this.flush();
        this.gap += piece;
      } else this.word += piece;
    }
    return out;
  }

  /** What is still held: the last word. */
  end(): string {
    const last = this.flush();
    this.used = 0;
    this.gap = '';
    return last;
  }

  private flush(): string {
    const { word, gap } = this;
    if (word === '') return '';
    this.word = '';
    this.gap = '';
    const whole = this.used + width(gap) + width(word);
    if (this.used > this.indent && whole > (this.columns ?? Infinity)) {
      this.used = this.indent + width(word);
      return `\n${' '.repeat(this.indent)}${word}`;
    }
    this.used = whole;
    return gap + word;
  }
}

/** A line of text as lines of a terminal; as it is where there are no columns. Later lines are indented as the first one is, and `more`. */
export const flowed = (line: string, columns: number | undefined, more = 0): string[] => {
  const flow = new Flow(columns, (/^ */.exec(line)?.[0].length ?? 0) + more);
  return `${flow.take(line)}${flow.end()}`.split('\n');
};
