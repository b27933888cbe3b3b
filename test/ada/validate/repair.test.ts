import { describe, expect, it } from 'vitest';
import { better, losses, repairInstruction, withoutOffending } from '../../../ada/repair.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { answer, AWARDS, check, COMPARE, NEXT, type World } from './world.js';

const TRACE: World = { worked: [COMPARE, AWARDS] };
const first: TurnOutput = answer(
  'En los cinco estados comparados, estructuras de acero tiene más oferta: hay [[run:mcp-1]] 51 empresas, frente a 6 de herrería. En adjudicaciones, acero registra [[run:mag-2]] 23 contratos y su promedio es de $4,574,134 MXN. Para herrería no encontré adjudicaciones con ese filtro.',
  { intent: { kind: 'cierre', variante: 'completo', salidas: ['run:mcp-1', 'run:mag-2'] } },
);
const emptied = answer('No puedo corregir esa comparación porque el turno anterior no dejó disponibles las referencias de conteo.');

describe('an average over a count that is there, the whole trace', () => {
  const said = (average: string): TurnOutput =>
    answer(`Acero registra [[run:mag-2]] 23 contratos por $107,505,080.10 MXN; su promedio es de ${average} por contrato.`);
  it('accepts the division that the model made, with its operands', () => {
    const verdict = check(said('$4,674,134 MXN'), TRACE);
    expect(verdict.problems).toEqual([]);
    expect(verdict.derived).toEqual([
      {
        text: '$4,674,134 MXN',
        value: 107_505_080.1 / 23,
        operation: 'average',
        operands: [
          { value: 107_505_080.1, ref: 'run:mag-2-sum' },
          { value: 23, ref: 'run:mag-2-n' },
        ],
      },
    ]);
  });
  it.each(['4.7 M', '≈ 4.7 M', '$4.7 millones', '4.67 mdp', '$4,674,133.92'])('accepts it rounded as it is shown: %s', (average) =>
    expect(check(said(average), TRACE).problems).toEqual([]),
  );
  it.each(['$4,700,000 MXN', '$4,574,134 MXN', '4.6 M', '$4.8 millones', '$4,674,133.95'])('rejects %s', (average) =>
    expect(check(said(average), TRACE).tags).toEqual(['cifra']),
  );
});

describe('repair', () => {
  it('quotes the problem and the rule, and nothing to put in its place', () => {
    const { problems } = check(first, TRACE);
    expect(repairInstruction(problems, 'es-MX')).toBe(
      [
        'Tu respuesta anterior no cumple el contrato del turno. Corrige exactamente esto:',
        '- "cifra que no sale de los datos: "$4,574,134 MXN"" — rompe: ninguna cifra, fecha o monto sin su ancla [[tipo:id]] en la misma frase, ninguno que no salga de los datos, y a lo más cinco',
        'Responde otra vez con UN SOLO objeto JSON con intent, narration, pregunta y siguiente, sin texto fuera del objeto.',
      ].join('\n'),
    );
    expect(repairInstruction(check(first, { ...TRACE, context: { language: 'en' } }).problems, 'en')).toContain(
      'breaks: no figure, date or amount',
    );
  });

  it('takes what a model wrote as text, never as a pattern of ours', () => {
    expect(repairInstruction(['refs: {quote} [[x]] {rule, plural, one {}}', 'sin regla'], 'es-MX')).toContain('{quote} [[x]]');
  });

  it('takes a repair that keeps what stood', () => {
    const second = check({ ...first, narration: first.narration.replace(' y su promedio es de $4,574,134 MXN', '') }, TRACE);
    expect(second.ok).toBe(true);
    expect(better(check(first, TRACE), second)).toBe(second);
  });

  it('rejects one that empties the answer, for the first without the sentence that was wrong', () => {
    const second = check(emptied, TRACE);
    expect(second.ok).toBe(true);
    const kept = better(check(first, TRACE), second);
    expect(kept.ok).toBe(true);
    expect(kept.output).toMatchObject({ intent: { kind: 'cierre', variante: 'parcial' }, siguiente: NEXT });
    expect(kept.output?.narration).toBe(
      'En los cinco estados comparados, estructuras de acero tiene más oferta: hay [[run:mcp-1]] 51 empresas, frente a 6 de herrería. Para herrería no encontré adjudicaciones con ese filtro.',
    );
  });

  it('cuts closer where the one sentence there is offends', () => {
    const one = answer('Acero tiene más oferta: hay [[run:mcp-1]] 51 empresas, unas 99 de ellas nuevas.');
    const kept = better(check(one, TRACE), check(emptied, TRACE));
    expect(kept.output?.narration).toBe('Acero tiene más oferta: hay [[run:mcp-1]] 51 empresas.');
  });

  it('takes the second where nothing of the first can be kept, and none where neither holds', () => {
    const wrong = answer('Hay 99 empresas.');
    const second = check(answer('No encontré nada con ese filtro.'), TRACE);
    expect(better(check(wrong, TRACE), second)).toBe(second);
    expect(better(check(wrong, TRACE), check(wrong, TRACE)).output).toBeNull();
    expect(better(check('no es json', TRACE), check(wrong, TRACE)).output).toBeNull();
    expect(better(check('no es json', TRACE), check(emptied, TRACE)).output).toEqual(emptied);
  });

  it('keeps the first without its sentence when the repair fails too', () => {
    const second = check({ ...first, narration: first.narration.replace('4,574,134', '4,800,000') }, TRACE);
    expect(second.ok).toBe(false);
    expect(better(check(first, TRACE), second).output?.narration).not.toContain('promedio');
  });

  it('rejects one that loses its intent, a row, or its next step', () => {
    const rows = answer('Mira [[record:emp-1]] y [[record:emp-2]].', {
      intent: { kind: 'cierre', variante: 'completo', salidas: ['record:emp-1'] },
    });
    expect(losses(rows, { ...rows, intent: { kind: 'limite', falta: 'dato', salida: 'x' } })).toEqual(['cierre → limite']);
    expect(losses(rows, { ...rows, narration: 'Mira [[record:emp-1]] y a otra más.' })).toEqual(['[[record:emp-2]]']);
    expect(losses(rows, { ...rows, siguiente: null })).toEqual(['siguiente']);
    expect(losses(answer('Hay [[run:mcp-1]] 51.'), answer('Hay [[run:mcp-1-c1-suppliers]] 51.'))).toEqual([]);
    expect(losses(rows, rows)).toEqual([]);
  });

  it('borrows the next step of the second when the first had a wrong one', () => {
    const bad = { ...first, siguiente: { ...NEXT, label: 'Continuar' } };
    const kept = better(check(bad, TRACE), check(emptied, TRACE));
    expect(kept.ok).toBe(true);
    expect(kept.output?.siguiente).toEqual(NEXT);
    expect(kept.output?.narration).toContain('[[run:mcp-1]]');
  });

  it('never gives back an answer without words', () => {
    const verdict = check(answer('99 [[run:mcp-1]].'), TRACE);
    expect(withoutOffending(verdict.output ?? first, verdict.defects)).toBeNull();
  });
});
