import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Flow, flowed } from '../../cli/chat/flow.js';

const whole = (pieces: string[], columns: number | undefined): string => {
  const flow = new Flow(columns);
  return pieces.map((p) => flow.take(p)).join('') + flow.end();
};

describe('text in a terminal', () => {
  it('breaks at words, also where its pieces end within one', () => {
    expect(whole(['Encontré cin', 'cuenta empresas de empa', 'que en Jalisco.'], 20)).toBe(
      'Encontré cincuenta\nempresas de empaque\nen Jalisco.',
    );
    expect(whole(['uno\n\n- dos tres', ' cuatro'], 10)).toBe('uno\n\n- dos tres\ncuatro');
  });

  it('keeps a link in one piece, and everything as it is where there is no terminal', () => {
    const link = 'http://127.0.0.1:7400/campanas/run_0123456789';
    expect(flowed(`  Míralo en ${link} ahora`, 20)).toEqual(['  Míralo en', `  ${link}`, '  ahora']);
    expect(whole([`Míralo en  ${link}`, ' ahora'], undefined)).toBe(`Míralo en  ${link} ahora`);
  });

  it('changes nothing but blanks into line ends, and no line is longer than the terminal unless it is one word', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zñ ]{0,12}\n?$/)), fc.integer({ min: 5, max: 40 }), (pieces, columns) => {
        const shown = whole(pieces, columns);
        expect(shown.split(/\s+/).filter(Boolean)).toEqual(pieces.join('').split(/\s+/).filter(Boolean));
        for (const line of shown.split('\n')) expect(line.length <= columns || !/\S\s+\S/.test(line)).toBe(true);
      }),
    );
  });
});
