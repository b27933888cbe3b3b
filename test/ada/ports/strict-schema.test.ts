import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromStrict, strictSchema } from '../../../ada/ports/strict-schema.js';
import { TurnOutput } from '../../../contracts/turn.js';
import { strictProblems } from '../../support/scripted-model.js';

const Wide = z.object({
  name: z.string().min(2).max(40).describe('As registered'), giro: z.string().optional(), limit: z.int().min(1).max(100).default(20), when: z.iso.datetime().nullish(),
  kind: z.enum(['a', 'b']).optional(), tags: z.array(z.object({ key: z.string(), note: z.string().optional() })).max(5).optional(),
  of: z.discriminatedUnion('type', [z.object({ type: z.literal('one'), n: z.number().optional() }), z.object({ type: z.literal('two'), n: z.string(), m: z.boolean().optional() })]),
  either: z.union([z.string(), z.object({ id: z.string().optional() })]).optional(),
});

describe('a strict schema', () => {
  it('of an answer is one that providers take, in the order of its fields', () => {
    const schema = strictSchema(TurnOutput);
    expect(strictProblems(schema)).toEqual([]);
    expect(Object.keys(schema['properties'] as object)).toEqual(['intent', 'narration', 'pregunta', 'siguiente']);
    expect(JSON.stringify(schema)).not.toMatch(/oneOf|maxLength|minimum|maxItems|\$schema/);
    expect(schema).toMatchObject({ properties: { narration: { description: 'max 6000 characters' } } });
    expect(JSON.stringify(schema).length).toBeLessThan(4_000);
  });

  it('requires everything, allows null for what is optional, and tells limits in words', () => {
    const schema = strictSchema(Wide);
    expect(strictProblems(schema)).toEqual([]);
    expect(schema).toMatchObject({ required: Object.keys(Wide.shape), properties: {
      name: { type: 'string', description: 'As registered; 2-40 characters' }, giro: { anyOf: [{ type: 'string' }, { type: 'null' }] }, limit: { anyOf: [{ type: 'integer', description: 'max 100' }, { type: 'null' }] },
      kind: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, of: { anyOf: [{ properties: { type: { const: 'one' } } }, {}] },
    } });
    expect((schema as { properties: { when: { anyOf: unknown[] } } }).properties.when.anyOf).toHaveLength(2);
  });

  it('is refused where there is none, with the place', () => {
    for (const [schema, place] of [
      [z.object({ a: z.record(z.string(), z.string()) }), '$.a'], [z.object({ a: z.unknown() }), '$.a'], [z.object({ b: z.array(z.tuple([z.string()])) }), '$.b[]'],
      [z.object({ a: z.intersection(z.string(), z.literal('x')) }), '$.a'], [z.union([z.object({}), z.string()]), '$'],
    ] as Array<[z.ZodType, string]>) expect(() => strictSchema(schema)).toThrow(`${place} cannot be a strict schema`);
  });

  it('keeps definitions of what refers to itself', () => {
    interface Tree { name: string; parts?: Tree[] }
    const Tree: z.ZodType<Tree> = z.object({ name: z.string(), get parts() { return z.array(Tree).optional(); } });
    const Forest = z.object({ tree: Tree });
    expect(strictProblems(strictSchema(Forest))).toEqual([]);
    expect(Forest.parse(fromStrict(Forest, { tree: { name: 'a', parts: [{ name: 'b', parts: null }] } }))).toEqual({ tree: { name: 'a', parts: [{ name: 'b' }] } });
  });
});

describe('an answer that followed it', () => {
  it('comes back as the zod schema expects it', () => {
    expect(Wide.parse(fromStrict(Wide, { name: 'Ana', giro: null, limit: null, when: null, kind: null, tags: [{ key: 'k', note: null }], of: { type: 'two', n: 'x', m: null }, either: { id: null } })))
      .toEqual({ name: 'Ana', limit: 20, when: null, tags: [{ key: 'k' }], of: { type: 'two', n: 'x' }, either: {} });
    expect(Wide.parse(fromStrict(Wide, { name: 'Ana', limit: 5, of: { type: 'one', n: null }, either: null }))).toMatchObject({ limit: 5, of: { type: 'one' } });
  });

  it('leaves nulls that mean null, and what it does not know', () => {
    const output: TurnOutput = { intent: { kind: 'encuadre', falta: 'giro' }, narration: 'x', pregunta: { campo: 'giro', texto: '¿?', supuesto: null }, siguiente: null };
    expect(fromStrict(TurnOutput, output)).toEqual(output);
    for (const odd of [null, 7, 'x', [], { intent: null }, { other: null }]) expect(fromStrict(TurnOutput, odd)).toEqual(odd);
  });

  it('is unchanged where everything was said', () => {
    const intents = fc.constantFrom<TurnOutput['intent']>({ kind: 'responder' }, { kind: 'cierre', variante: 'parcial', salidas: ['a'] }, { kind: 'limite', falta: 'tope', salida: 'b' });
    const cost = fc.option(fc.record({ kind: fc.constant('credits' as const), price: fc.integer(), balance: fc.integer(), left: fc.integer() }));
    const outputs = fc.record({ intent: intents, narration: fc.string({ minLength: 1 }), pregunta: fc.constant(null), siguiente: fc.option(fc.record({ kind: fc.constant('skill' as const), label: fc.string(), target: fc.string(), cost })) });
    fc.assert(fc.property(outputs, (output) => { expect(fromStrict(TurnOutput, output)).toEqual(output); }));
  });
});
