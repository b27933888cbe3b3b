import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import { DECISION_KINDS, RUN_STATES, SKILLS } from '../../contracts/states.js';
import { FACT_KEYS, LIMIT_KINDS } from '../../contracts/turn.js';

/** What is asked of Ada, on what state, and what a right answer has. */

const FIELDS = [...FACT_KEYS, 'seleccion', 'contactos'] as const;
const INTENTS = ['responder', 'encuadre', 'cierre', 'limite'] as const;
export const GROUPS = ['semilla', 'receta', 'caso', 'pregunta', 'entrega', 'saldo', 'limite', 'descuido'] as const;
const TOOL_NAMES = new Set(CATALOGUE.map((tool) => tool.name));
const Tool = z.string().refine((name) => TOOL_NAMES.has(name), 'no such tool');
const Pattern = z.string().refine((text) => {
  try {
    return new RegExp(text, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}, 'not a pattern');

/** Rows that the tool gives when the run starts: what a person had in front of them. */
const Rows = z.strictObject({ tool: Tool, args: z.record(z.string(), z.unknown()), take: z.int().min(1).max(50) });
const Campaign = z.strictObject({
  giro: z.string(),
  cargo: z.string(),
  estado: z.string().optional(),
  cuentas: z.int().min(1),
  hechas: z.int().min(0),
  state: z.enum(RUN_STATES),
  card: z.enum(DECISION_KINDS).optional(),
});
export type SeedCampaign = z.infer<typeof Campaign>;
const Known = z.partialRecord(z.enum(FACT_KEYS), z.string());

export const Seed = z.strictObject({
  /** Said earlier in the conversation; from the workspace's profile. */
  facts: Known.optional(),
  profile: Known.optional(),
  selection: Rows.optional(),
  list: Rows.optional(),
  past: z.array(z.strictObject({ message: z.string(), narration: z.string() })).optional(),
  balances: z
    .strictObject({ credits: z.int().min(0).optional(), queries: z.int().min(0).optional(), inference: z.int().min(0).optional() })
    .optional(),
  mailbox: z.boolean().optional(),
  /** How many contacts were revealed before. */
  acquired: z.int().min(1).max(12).optional(),
  campaigns: z.array(Campaign).optional(),
  /** Recipes that were open in the turn before. */
  skills: z.array(z.enum(SKILLS)).optional(),
  /** The tool server gives company names that try something. */
  hostile: Tool.optional(),
});
export type Seed = z.infer<typeof Seed>;

/** What an answer must hand over; how each is looked for is in `deliver.ts`. */
export const DELIVERABLES = [
  'conteo',
  'filas',
  'montos',
  'veredictos',
  'comparacion',
  'recomendacion',
  'pipeline',
  'recientes',
  'cuenta',
  'contexto',
  'secuencia',
  'decision',
  'precio',
  'progreso',
  'incumbentes',
  'texto',
] as const;
export type Deliverable = (typeof DELIVERABLES)[number];

const checks = {
  /** Any of them. */
  intent: z.array(z.enum(INTENTS)).min(1),
  skill: z.array(z.enum(SKILLS)).optional(),
  must_count: z.boolean().optional(),
  forbid_question: z.boolean().optional(),
  must_ask: z.enum(FIELDS).optional(),
  falta: z.enum(LIMIT_KINDS).optional(),
  variante: z.enum(['completo', 'parcial']).optional(),
  must_deliver: z.array(z.enum(DELIVERABLES)).optional(),
  min_rows: z.int().optional(),
  card: z.enum(['lista', 'conteo', 'pipeline', 'cuenta', 'secuencia', 'contexto', 'analisis', 'ninguna']).optional(),
  /** A card of any of these kinds; over how many. */
  decision: z.array(z.enum(DECISION_KINDS)).optional(),
  lote: z.int().optional(),
  tools: z.array(Tool).optional(),
  not_tools: z.array(Tool).optional(),
  calls: z.record(z.string(), z.int()).optional(),
  sources: z.int().optional(),
  /** All of `says` and none of `never`, over text, question, way out and button; `salida` where a limit sends somebody. */
  says: z.array(Pattern).optional(),
  never: z.array(Pattern).optional(),
  salida: Pattern.optional(),
  total: z.int().optional(),
  etapas: z.int().optional(),
  /** The list has the filters of the count before it. */
  same_filters: z.boolean().optional(),
};
const Single = z.strictObject(checks);
/** `first`: of the turn before, where there are two. */
export const Expect = z.strictObject({ ...checks, first: Single.optional() });
export type Expect = z.infer<typeof Expect>;

export const Brief = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{3,60}$/),
  group: z.enum(GROUPS),
  messages: z.array(z.string().min(1)).min(1).max(3),
  /** Code of the limit in skills/references/limites.md. */
  limit: z.string().optional(),
  seed: Seed.optional(),
  expect: Expect,
});
export type Brief = z.infer<typeof Brief>;

const FILE = new URL('briefs.jsonl', import.meta.url);
export const readBriefs = (): Brief[] => {
  const briefs = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const parsed = Brief.safeParse(JSON.parse(line));
      if (!parsed.success) throw new Error(`briefs.jsonl, line ${i + 1}: ${z.prettifyError(parsed.error)}`);
      return parsed.data;
    });
  const twice = briefs.find((brief, i) => briefs.findIndex((other) => other.id === brief.id) !== i);
  if (twice) throw new Error(`briefs.jsonl: ${twice.id} comes twice`);
  return briefs;
};
/** sha256 of what was asked: two dumps are compared only over the same. */
export const briefsDigest = (): string => createHash('sha256').update(readFileSync(FILE)).digest('hex');
/** What is expected of each turn of a brief, in order; null where a turn only leads up to the next. */
export const expectedOf = (brief: Brief): Array<Expect | null> =>
  brief.messages.map((_, i) => (i === brief.messages.length - 1 ? brief.expect : i === 0 ? (brief.expect.first ?? null) : null));
