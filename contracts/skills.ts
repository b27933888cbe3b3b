import { z } from 'zod';
import { Reason } from './progress.js';

/** A skill's name as it may stand in an address; whether it exists is for the library to say. */
export const SkillName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
export const SkillScope = z.enum(['account', 'profile', 'thread', 'turn']);
export type SkillScope = z.infer<typeof SkillScope>;
export const SkillState = z.enum(['always', 'available', 'never']);
export type SkillState = z.infer<typeof SkillState>;

/** Opened, followed, kept by the person, and left closed although the router was sure. */
const Counters = { viewed: z.int(), used: z.int(), helped: z.int(), omitted: z.int() };

export const SkillSummary = z
  .object({
    name: z.string(),
    version: z.string(),
    digest: z.string(),
    category: z.string().nullable(),
    description: z.string(),
    costo: z.enum(['gratis', 'externo', 'creditos']),
    cierra_con: z.string(),
    siguiente: z.array(z.string()),
    trust: z.enum(['plataforma', 'propia', 'tercero']),
    /** What counts for whoever asks, and the scope that said so. */
    state: z.object({ value: SkillState, from: z.enum(['default', ...SkillScope.options]), denied: z.boolean() }),
    /** Why it is not there for whoever asks: denied, or a connection or a capability is missing. */
    hidden_because: Reason.nullable(),
    /** Over all its versions; `last_at` is the last time it was opened or used. */
    usage: z.object({ ...Counters, last_at: z.iso.datetime().nullable() }),
  })
  .meta({ id: 'SkillSummary' });
export type SkillSummary = z.infer<typeof SkillSummary>;

/** Something about a file of the library; the text is in the catalog under `library.<code>`. */
export const SkillProblem = z
  .object({
    severity: z.enum(['error', 'warning']),
    code: z.string(),
    path: z.string(),
    root: z.string().nullable(),
    key: z.string().nullable(),
    line: z.int().nullable(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .meta({ id: 'SkillProblem' });
/** `digest` is of the whole library: the same one, the same skills to the byte. */
export const SkillList = z
  .object({ digest: z.string(), skills: z.array(SkillSummary), problems: z.array(SkillProblem) })
  .meta({ id: 'SkillList' });
export type SkillList = z.infer<typeof SkillList>;

export const SkillDetail = SkillSummary.extend({
  body: z.string(),
  reasoning: z.enum(['bajo', 'medio']),
  tools: z.array(z.string()),
  background_tools: z.array(z.string()),
  requiere: z.array(z.string()),
  integrations: z.array(z.string()),
  capabilities: z.array(z.string()),
  references: z.array(z.object({ name: z.string(), bytes: z.int(), digest: z.string(), readable: z.boolean() })),
}).meta({ id: 'SkillDetail' });
export type SkillDetail = z.infer<typeof SkillDetail>;

/** null takes the word of this scope back. */
export const PutSkillState = z
  .object({ state: SkillState.nullable(), reason: z.string().trim().min(1).max(300).optional() })
  .strict()
  .meta({ id: 'PutSkillState' });
export const SkillStateSet = z
  .object({
    name: z.string(),
    scope: SkillScope,
    scope_id: z.string(),
    state: SkillState.nullable(),
    /** What counts in that scope now; a wider deny is not lifted by a narrower word. */
    effective: SkillSummary.shape.state,
  })
  .meta({ id: 'SkillStateSet' });
export type SkillStateSet = z.infer<typeof SkillStateSet>;

export const SkillUsage = z
  .object({
    stale_after_days: z.int(),
    skills: z.array(
      z.object({
        skill: z.string(),
        ...Counters,
        first_at: z.iso.datetime().nullable(),
        last_at: z.iso.datetime().nullable(),
        /** Still in the library; what was counted of others is kept. */
        in_library: z.boolean(),
        /** Why it is worth a look; never an action. */
        stale: z.enum(['never_viewed', 'not_viewed_lately', 'viewed_never_helps', 'often_omitted']).nullable(),
        versions: z.array(z.object({ version: z.string(), ...Counters, first_at: z.iso.datetime(), last_at: z.iso.datetime().nullable() })),
      }),
    ),
    /** Pairs that were open in the same turn, the most frequent first. */
    together: z.array(z.object({ a: z.string(), b: z.string(), times: z.int() })),
  })
  .meta({ id: 'SkillUsage' });
export type SkillUsage = z.infer<typeof SkillUsage>;
