import { z } from 'zod';
import { RUN_STATES, SKILLS, STEP_IDS, STEP_STATES } from './states.js';

/** Why something stopped or waits: a code for the catalog plus its values; never prose. */
export const Reason = z
  .object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])) })
  .meta({ id: 'Reason' });
export type Reason = z.infer<typeof Reason>;

/** Counts over accounts; they always sum to `total`. `done` counts accounts with a chosen person. */
export const Counts = z
  .object({
    unit: z.literal('account'),
    total: z.int(),
    done: z.int(),
    running: z.int(),
    pending: z.int(),
    not_found: z.int(),
    suppressed: z.int(),
    skipped: z.int(),
    failed: z.int(),
  })
  .meta({ id: 'Counts' });
export type Counts = z.infer<typeof Counts>;

export const Paso = z
  .object({
    id: z.enum(STEP_IDS),
    skill: z.enum(SKILLS),
    status: z.enum(STEP_STATES),
    conteo: z.object({ done: z.int(), total: z.int(), unit: z.enum(['company', 'account', 'contact', 'draft']) }).nullable(),
    cost: z.object({
      kind: z.enum(['gratis', 'externo', 'creditos', 'inferencia']),
      max: z.int().nullable(),
      held: z.int(),
      spent: z.int(),
    }),
    /** The open or last decision of the step. */
    checkpoint: z.string().nullable(),
    reason: Reason.nullable(),
  })
  .meta({ id: 'Paso' });
export type Paso = z.infer<typeof Paso>;

export const BudgetLine = z
  .object({ requested: z.int(), plan_max: z.int().nullable(), held: z.int(), spent: z.int() })
  .meta({ id: 'BudgetLine' });
export type BudgetLine = z.infer<typeof BudgetLine>;

export const Budget = z
  .object({
    credits: BudgetLine,
    queries: BudgetLine,
    /** micro-USD; `used_micros` is null when a call had no known price. */
    inference: z.object({ cap_micros: z.int().nullable(), held_micros: z.int(), used_micros: z.int().nullable() }),
  })
  .meta({ id: 'Budget' });
export type Budget = z.infer<typeof Budget>;

/** What every surface shows of a run. Small, without volatile fields: it changes only when `version` does. */
export const Progress = z
  .object({
    run_id: z.string(),
    version: z.int(),
    plan_version: z.int(),
    state: z.enum(RUN_STATES),
    reason: Reason.nullable(),
    objetivo: z.string(),
    mode: z.enum(['manual', 'automatico']),
    last_progress_at: z.iso.datetime(),
    poll_after_ms: z.int(),
    counts: Counts,
    pasos: z.array(Paso),
    budget: Budget,
    decisions: z.array(z.string()),
    contacts: z.object({ captured: z.int(), drafted: z.int(), unconfirmed: z.int() }),
    links: z.object({ self: z.string() }),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;

/** One entry of `run_events`: what happened, and the fields of the progress body that it changed. */
export type ProgressPatch = Partial<Omit<Progress, 'pasos' | 'run_id' | 'links'>> & { pasos?: Array<Partial<Paso> & { id: Paso['id'] }> };
export interface RunEvent {
  version: number;
  kind: string;
  params: Reason['params'];
  patch: ProgressPatch;
  at: string;
}
