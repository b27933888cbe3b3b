import { describe, expect, it } from 'vitest';
import { hasPlanB, readBody } from '../../../ada/library/read/body.js';

const BODY = `# Quién le ha vendido

Por qué.

## ANTES DE EMPEZAR:

Lee el tablero.

## Pasos

1. \`market_search_awards\` por comprador. Con cero filas, quita el estado y usa \`no_existe\`.
   Sigue con \`market_compare(a, b)\`.

   \`\`\`
   ## Pasos
   9. esto es un ejemplo
   \`\`\`
2) Abre \`skill_open\` y otra vez \`skill_open\`.

### Detalle

- algo

## Como cierras

Una frase.

## Otra cosa

3. no es un paso

## Ejemplo

1. tampoco

## Errores frecuentes ##

\`query_not_selective\` → agrega estado.`;

describe('body', () => {
  it('is read by the headings of the template, whatever their accents and case', () => {
    const body = readBody(BODY);
    expect(body.title).toBe('Quién le ha vendido');
    expect(body.sections.map((s) => [s.heading, s.line])).toEqual([
      ['Antes de empezar', 5],
      ['Pasos', 9],
      ['Cómo cierras', 24],
      ['Ejemplo', 32],
      ['Errores frecuentes', 36],
    ]);
    expect(body.others).toEqual(['Otra cosa']);
    expect(body.sections[0]?.text).toBe('Lee el tablero.');
  });

  it('steps carry their tools; what is in a code fence is an example', () => {
    const { steps } = readBody(BODY);
    expect(steps.map((s) => [s.number, s.tools])).toEqual([
      [1, ['market_search_awards', 'market_compare']],
      [2, ['skill_open']],
    ]);
    expect(steps[0]?.text).toContain('9. esto es un ejemplo');
    expect(steps[1]?.text).toContain('### Detalle');
  });

  it('a body without a template has no sections', () =>
    expect(readBody('hola')).toEqual({ title: null, sections: [], others: [], steps: [] }));

  it.each([
    'Con cero filas, quita el estado.',
    'Si no hay resultado, dilo.',
    '0 filas → sinónimos',
    'Si el paso 1 trae 0 filas, amplía.',
    'SI NO HAY candidatos: dilo',
    'Cuando la búsqueda no devuelve nada, para.',
    'Sin resultados, cambia de dominio.',
    'Conteo 0 → ampliar',
    'Plan B: otra fuente',
    'Si la selección está vacía, dilo.',
    'Si falta el saldo, propón menos.',
    'ningún dato; sin candidatos, dilo',
  ])('plan B: %s', (step) => expect(hasPlanB(step)).toBe(true));
  it.each(['Busca por comprador y producto.', 'Muestra 10 filas.', 'Guarda la lista.', 'Ordena de 100 resultados los primeros.'])(
    'no plan B: %s',
    (step) => expect(hasPlanB(step)).toBe(false),
  );
});
