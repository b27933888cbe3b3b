import { z } from 'zod';
import { HASTA, MODES } from './states.js';
import { Caps } from './budget.js';

/** What the seller is after. `giro` is the activity ("empaque"), `cargo` the role at the account ("compras"). */
export const Criteria = z
  .object({
    giro: z.string().trim().min(1).max(120),
    estado: z.string().trim().min(1).max(60).optional(),
    tamano: z.enum(['micro', 'pequena', 'mediana', 'grande']).optional(),
    cargo: z.string().trim().min(1).max(120),
  })
  .strict()
  .meta({ id: 'Criteria' });
export type Criteria = z.infer<typeof Criteria>;

/** An account the seller already has ("ya tengo las cuentas"). */
export const GivenAccount = z
  .object({
    ref: z.string().min(1).max(120),
    name: z.string().min(1).max(300),
    rfc: z.string().max(13).optional(),
    domain: z.string().max(253).optional(),
  })
  .strict()
  .meta({ id: 'GivenAccount' });
export type GivenAccount = z.infer<typeof GivenAccount>;

export const CreateRun = z
  .object({
    objetivo: z.string().min(1).max(300).optional(),
    criteria: Criteria,
    cuentas: z.int().min(1).max(5000),
    hasta: z.enum(HASTA).default('borradores'),
    /** s1 searches companies; s2 starts from a selection, s3 from accounts already in the CRM (both need `accounts`). */
    desde: z.enum(['s1', 's2', 's3']).default('s1'),
    accounts: z.array(GivenAccount).max(5000).optional(),
    modo: z.enum(MODES).default('manual'),
    /** Present: the same approval as a tap on the start card, up to these amounts. Only a signed-in person may send it. */
    caps: Caps.optional(),
  })
  .strict()
  .meta({ id: 'CreateRun' });
export type CreateRun = z.infer<typeof CreateRun>;

export const Replan = z
  .object({
    cuentas: z.int().min(1).max(5000).optional(),
    cargo: z.string().trim().min(1).max(120).optional(),
    hasta: z.enum(HASTA).optional(),
    reason: z.string().max(300).optional(),
  })
  .strict()
  .refine((r) => r.cuentas !== undefined || r.cargo !== undefined || r.hasta !== undefined, 'nothing_to_change')
  .meta({ id: 'Replan' });
export type Replan = z.infer<typeof Replan>;
