import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DECISION_KINDS, SKILLS } from '../../contracts/states.js';

export const STAGES = ['sin_criterio', 'buscando', 'con_seleccion', 'con_lista', 'decision_pendiente'] as const;
export const State = z.strictObject({
  stage: z.enum(STAGES).optional(),
  selection: z.int().min(0).optional(),
  pending: z.array(z.enum(DECISION_KINDS)).optional(),
  run: z.boolean().optional(),
  last: z.enum(SKILLS).optional(),
});
export const Case = z.strictObject({
  id: z.string(),
  message: z.string(),
  relevant: z.array(z.enum(SKILLS)),
  forbidden: z.array(z.enum(SKILLS)),
  expect_none: z.boolean(),
  state: State.optional(),
  tags: z.array(z.string()).min(1),
});
export type Case = z.infer<typeof Case>;

/** A request to the library of 200; `alternatives` are the near neighbours of a vague one. */
export const Request = z.object({
  id: z.string(),
  message: z.string(),
  right: z.string(),
  kind: z.enum(['general', 'industria', 'propia']),
  alternatives: z.array(z.string()).optional(),
});
export type Request = z.infer<typeof Request>;

/** A made-up skill of the library of 200. */
export const MadeUp = z.object({
  name: z.string(),
  kind: z.enum(['general', 'industria']),
  category: z.string(),
  description: z.string(),
  gatillos: z.array(z.string()),
});
export type MadeUp = z.infer<typeof MadeUp>;

const file = (name: string): URL => new URL(name, import.meta.url);
const read = <T>(name: string, schema: z.ZodType<T>): T[] =>
  readFileSync(file(name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const parsed = schema.safeParse(JSON.parse(line));
      if (!parsed.success) throw new Error(`${name}, line ${i + 1}: ${z.prettifyError(parsed.error)}`);
      return parsed.data;
    });

export const readCases = (which: 'tuned' | 'sealed'): Case[] => read(`${which}.jsonl`, Case);
/** `mix`: as people ask. `hard`: written to avoid the words of the example phrases. */
export const readRequests = (which: 'mix' | 'hard'): Request[] =>
  read(which === 'mix' ? 'requests-mix.jsonl' : 'requests-hard.jsonl', Request);
export const readLibrary = (): MadeUp[] => read('library.jsonl', MadeUp);
/** sha256 of a corpus file: what a score was taken on. */
export const corpusDigest = (which: 'tuned' | 'sealed'): string =>
  createHash('sha256')
    .update(readFileSync(file(`${which}.jsonl`)))
    .digest('hex');
