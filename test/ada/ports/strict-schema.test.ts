import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { strictSchema } from '../../../ada/ports/strict-schema.js';
import { TurnOutput } from '../../../contracts/turn.js';
import { strictProblems } from '../../support/scripted-model.js';

const Wide = z.object({
  name: z.string().min(2).max(40).describe('As registered'),
  giro: z.string().nullable(),
  limit: z.int().min(1).max(100),
  when: z.iso.datetime().nullable(),
  kind: z.enum(['a', 'b']).nullable(),
  tags: z.array(z.object({ key: z.string(), note: z.string().nullable() })).max(5),
  of: z.discriminatedUnion('type', [
    z.object({ type: z.literal('one'), n: z.number().nullable() }),
    z.object({ type: z.literal('two'), n: z.string() }),
  ]),
  either: z.union([z.string(), z.object({ id: z.string() })]),
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

  it('requires everything, keeps what may be null, and tells limits in words', () => {
    const schema = strictSchema(Wide);
    expect(strictProblems(schema)).toEqual([]);
    expect(schema).toMatchObject({
      required: Object.keys(Wide.shape),
      properties: {
        name: { type: 'string', description: 'As registered; 2-40 characters' },
        giro: { type: ['string', 'null'] },
        limit: { type: 'integer', description: 'max 100' },
        kind: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
        of: { anyOf: [{ properties: { type: { const: 'one' } } }, {}] },
      },
    });
  });

  it('has nothing optional: the provider would have to send a null that does not parse', () => {
    for (const [schema, place] of [
      [z.object({ a: z.string().optional() }), '$ cannot be a strict schema: a is optional'],
      [z.object({ a: z.object({ b: z.int().default(3) }) }), '$.a cannot be a strict schema: b is optional'],
      [z.object({ a: z.array(z.object({ b: z.string().nullish() })) }), '$.a[] cannot be a strict schema: b is optional'],
    ] as const)
      expect(() => strictSchema(schema)).toThrow(place);
  });

  it('is refused where there is none, with the place', () => {
    for (const [schema, place] of [
      [z.object({ a: z.record(z.string(), z.string()) }), '$.a'],
      [z.object({ a: z.unknown() }), '$.a'],
      [z.object({ b: z.array(z.tuple([z.string()])) }), '$.b[]'],
      [z.object({ a: z.intersection(z.string(), z.literal('x')) }), '$.a'],
      [z.union([z.object({}), z.string()]), '$'],
    ] as Array<[z.ZodType, string]>)
      expect(() => strictSchema(schema)).toThrow(`${place} cannot be a strict schema`);
  });

  it('keeps definitions of what refers to itself', () => {
    interface Tree {
      name: string;
      parts: Tree[] | null;
    }
    const Tree: z.ZodType<Tree> = z.object({
      name: z.string(),
      get parts() {
        return z.array(Tree).nullable();
      },
    });
    const Forest = z.object({ tree: Tree });
    expect(strictProblems(strictSchema(Forest))).toEqual([]);
  });
});
