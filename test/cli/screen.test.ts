import { describe, expect, it } from 'vitest';
import { Screen } from '../../cli/screen.js';

/** Enough of a terminal to know what stands on it: cursor up, erase to the end of line and of screen, show and hide. */
class Tiny {
  columns = 80;
  rows = 10;
  hidden = false;
  screen: string[] = [];
  private y = 0;
  private x = 0;
  write(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const c = text[i] ?? '';
      if (c === '\u001b') {
        const [code = '', args = '', name = ''] = /^.\[(\??\d*)([A-Za-z])/.exec(text.slice(i)) ?? [];
        i += code.length - 1;
        this.control(args, name);
      } else if (c === '\n') {
        this.y += 1;
        this.x = 0;
      } else if (c === '\r') this.x = 0;
      else {
        const line = (this.screen[this.y] ?? '').padEnd(this.x);
        this.screen[this.y] = line.slice(0, this.x) + c + line.slice(this.x + 1);
        this.x += 1;
      }
    }
  }
  private control(args: string, name: string): void {
    if (name === 'A') this.y = Math.max(0, this.y - Number(args || 1));
    else if (name === 'K') this.screen[this.y] = (this.screen[this.y] ?? '').slice(0, this.x);
    else if (name === 'J') {
      this.screen.length = Math.min(this.screen.length, this.y + 1);
      this.screen[this.y] = (this.screen[this.y] ?? '').slice(0, this.x);
    } else if (args === '?25') this.hidden = name === 'l';
  }
}

describe('screen', () => {
  it('repaints in place: the last frame is what stands, whatever its length', () => {
    const tty = new Tiny();
    const screen = new Screen(tty);
    for (const frame of [['a', 'b', 'c'], ['d'], ['e', 'f']]) screen.paint(frame);
    expect(tty.screen.filter((l) => l !== '')).toEqual(['e', 'f']);
    screen.release();
    expect(tty.hidden).toBe(false);
  });

  it('hides the cursor while painting and gives it back once', () => {
    const written: string[] = [];
    const screen = new Screen({ columns: 80, rows: 10, write: (t) => written.push(t) });
    screen.paint(['a']);
    screen.paint(['b']);
    screen.release();
    screen.release();
    expect(written.join('').match(/\[\?25[lh]/g)).toEqual(['[?25l', '[?25h']);
  });

  it('counts the rows a narrower window made of what was painted', () => {
    const written: string[] = [];
    const out = { columns: 80, rows: 20, write: (t: string) => written.push(t) };
    const screen = new Screen(out);
    screen.paint(['x'.repeat(60), 'y']);
    out.columns = 40;
    screen.paint(['z']);
    expect(written.at(-1)).toContain('[3A');
  });

  it('never paints more than the window holds', () => {
    const written: string[] = [];
    const screen = new Screen({ columns: 80, rows: 6, write: (t) => written.push(t) });
    screen.paint(Array.from({ length: 30 }, (_, i) => `line ${i}`));
    expect(written.at(-1)?.split('\n').length).toBeLessThanOrEqual(6);
    expect(written.at(-1)).toContain('…');
  });
});
