import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrap, width } from '../../cli/card/lines.js';
import { csvLine, parseCsv } from '../../cli/csv.js';
import { parseDuration } from '../../cli/duration.js';
import { exitOfProblem } from '../../cli/exit.js';
import { parsePositions, typedAmount } from '../../cli/money.js';
import { parseMessage } from '../../cli/parse-message.js';

describe('the message, without Ada', () => {
  it.each([
    ['quiero llegar a 50 personas de compras de empresas de empaque en Jalisco', 50, 'compras', 'empaque', 'Jalisco'],
    ['quiero llegar a 50 personas de compras en empresas de empaque de Jalisco', 50, 'compras', 'empaque', 'Jalisco'],
    ['QUIERO 50 PERSONAS DE COMPRAS DE EMPRESAS DE EMPAQUE EN JALISCO.', 50, 'COMPRAS', 'EMPAQUE', 'Jalisco'],
    ['Necesito 120 gerentes de logística en empresas de alimentos en Nuevo León', 120, 'logística', 'alimentos', 'Nuevo León'],
    ['busco veinte compradores de fábricas de plásticos en el Estado de México', 20, 'compras', 'plásticos', 'Estado de México'],
    ['30 contactos de recursos humanos de empresas medianas de software, CDMX', 30, 'recursos humanos', 'software', 'Ciudad de México'],
    [
      'llegar a 1,200 personas de mantenimiento de empresas que fabrican autopartes en San Luis Potosí',
      1200,
      'mantenimiento',
      'autopartes',
      'San Luis Potosí',
    ],
    ['dos mil personas de calidad de empresas del sector textil en Puebla', 2000, 'calidad', 'textil', 'Puebla'],
    [
      'quiero 10 directores de finanzas en empresas de construcción en Baja California Sur',
      10,
      'finanzas',
      'construcción',
      'Baja California Sur',
    ],
    ['quiero llegar a 25 personas de compras en Querétaro de empresas de energía solar', 25, 'compras', 'energía solar', 'Querétaro'],
    ['quiero 15 personas del área de compras de pequeñas empresas de empaque en México', 15, 'compras', 'empaque', null],
  ])('%s', (message, cuentas, cargo, giro, estado) => {
    expect(parseMessage(message)).toMatchObject({ cuentas, cargo, giro, estado });
  });

  it('says what it assumed, and does not invent an activity', () => {
    expect(parseMessage('personas de empresas de empaque')).toMatchObject({
      cuentas: 50,
      cargo: 'compras',
      giro: 'empaque',
      understood: ['giro'],
      assumed: ['cuentas', 'cargo'],
    });
    expect(parseMessage('quiero vender más')).toMatchObject({ giro: null, understood: [] });
    expect(parseMessage('30 contactos de ventas de empresas medianas de software').tamano).toBe('mediana');
  });

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { cuentas } = parseMessage(text);
        return cuentas >= 0 && cuentas <= 5000;
      }),
    );
  });
});

describe('small parts', () => {
  it('durations', () => {
    expect(['90s', '1h30m', '500ms', '45', 'x', '1x'].map(parseDuration)).toEqual([90_000, 5_400_000, 500, 45_000, null, null]);
  });
  it('typed amounts', () => {
    expect(['32', ' 1,250 ', '1 250', '', 'sí', '-3', '3e2'].map(typedAmount)).toEqual([32, 1250, 1250, null, null, null, null]);
  });
  it('positions', () => {
    expect(parsePositions('1-3, 7,2', 10)).toEqual([1, 2, 3, 7]);
    expect([parsePositions('0', 3), parsePositions('2-9', 3), parsePositions('a', 3), parsePositions('', 3)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
  it('exit codes of refusals', () => {
    const code = (status: number, name = 'x'): number => exitOfProblem({ status, code: name });
    expect([400, 403, 404, 422, 409, 410, 412, 429, 500, 503].map((s) => code(s))).toEqual([2, 2, 2, 2, 6, 6, 6, 7, 7, 7]);
    expect([code(409, 'insufficient_balance'), code(403, 'second_approver_needed')]).toEqual([5, 3]);
  });
  it('CSV there and back', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1 }).filter((s) => s.trim() === s && s !== '' && !/^[=+\-@']/.test(s) && !/[\r;]/.test(s)),
          { minLength: 2, maxLength: 5 },
        ),
        (row) => {
          expect(parseCsv(`a,b\n${csvLine(row)}\n`)[1]).toEqual(row);
        },
      ),
    );
  });
  it('wrapping keeps every word and never passes the width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zñ]{1,12}$/), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 20, max: 60 }),
        (words, max) => {
          const lines = wrap([{ text: words.join(' ') }], max, 2);
          expect(lines.every((l) => width(l) <= max)).toBe(true);
          expect(
            lines
              .join(' ')
              .split(/\s+/)
              .filter((w) => w !== ''),
          ).toEqual(words);
        },
      ),
    );
  });
});
