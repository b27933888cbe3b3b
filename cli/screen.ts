import { stripVTControlCharacters } from 'node:util';
import { fit, width } from './card/lines.js';

interface Out {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
}

const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';
const BEGIN = '\u001b[?2026h'; // synchronised output: terminals that know it paint the frame at once
const END = '\u001b[?2026l';

/**
 * Repaints a block of lines in place. Rows are overwritten, never cleared first, so that nothing flickers; what a narrower
 * window has re-wrapped since is counted with the window's width now.
 */
export class Screen {
  private painted: string[] = [];
  private hidden = false;
  private readonly restore = (): void => this.show();

  constructor(private readonly out: Out) {}

  get columns(): number {
    return Math.max(20, this.out.columns ?? 80);
  }

  private rowsOf(lines: string[]): number {
    return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(stripVTControlCharacters(line)) / this.columns)), 0);
  }

  paint(given: string[]): void {
    if (!this.hidden) {
      this.hidden = true;
      process.once('exit', this.restore);
      this.out.write(HIDE);
    }
    // A block taller than the window cannot be repainted: its end gives way, the header stays.
    const most = Math.max(3, (this.out.rows ?? 50) - 1);
    const lines: string[] = [];
    for (const line of given) {
      if (this.rowsOf([...lines, line]) > most) break;
      lines.push(line);
    }
    if (lines.length < given.length) lines[lines.length - 1] = fit(stripVTControlCharacters(lines.at(-1) ?? ''), this.columns - 2) + ' …';
    const up = this.rowsOf(this.painted);
    this.out.write(`${BEGIN}${up > 0 ? `\u001b[${up}A` : ''}\r${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J${END}`);
    this.painted = lines;
  }

  /** Leaves what is painted and starts below it. */
  release(): void {
    this.painted = [];
    this.show();
  }

  private show(): void {
    if (!this.hidden) return;
    this.hidden = false;
    process.off('exit', this.restore);
    this.out.write(SHOW);
  }
}
