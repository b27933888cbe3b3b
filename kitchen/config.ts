import { z } from 'zod';
import { Fault } from './faults.js';

/** Who a bearer token stands for. The workspace of a call comes from here and from nowhere else. */
export const TokenGrant = z.object({
  token: z.string().min(8),
  workspace: z.string().min(1).max(120),
  scopes: z.array(z.enum(['read', 'paid'])).default(['read']),
});
export type TokenGrant = z.infer<typeof TokenGrant>;

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
const flag = z.enum(['true', 'false', '1', '0', 'on', 'off']).transform((v) => v === 'true' || v === '1' || v === 'on');

const Env = z.object({
  KITCHEN_DATABASE_URL: z.string().min(1),
  KITCHEN_HOST: z.string().default('127.0.0.1'),
  KITCHEN_PORT: z.coerce.number().int().min(0).max(65_535).default(7411),
  KITCHEN_TOKENS: json(z.array(TokenGrant)).default([]),
  KITCHEN_SAMPLE: z.enum(['demo', 'grande']).default('demo'),
  KITCHEN_HONOURS_KEYS: flag.default(true),
  KITCHEN_UNDO_WINDOW_MS: z.coerce.number().int().min(0).default(600_000),
  KITCHEN_FAULTS: json(z.array(Fault)).default([]),
  KITCHEN_CONTROL_TOKEN: z.string().min(8).optional(),
  KITCHEN_CONTROL_PORT: z.coerce.number().int().min(0).max(65_535).default(7412),
});

/** What `startKitchen` needs. Everything but the database has a default. */
export interface KitchenOptions {
  databaseUrl: string;
  host?: string;
  /** 0 takes a free port. */
  port?: number;
  tokens?: TokenGrant[];
  sample?: 'demo' | 'grande';
  /** For workspaces seen for the first time: whether a repeated idempotency key returns the first result. */
  honoursKeys?: boolean;
  undoWindowMs?: number;
  faults?: Fault[];
  /** Without it there is no control endpoint at all. */
  controlToken?: string | undefined;
  controlPort?: number;
}

/**
 * Reads the server's settings from the environment.
 * @throws with the names of the variables that are wrong, never their values.
 */
export const readKitchenEnv = (from: NodeJS.ProcessEnv = process.env): KitchenOptions => {
  const given = Object.fromEntries(Object.entries(from).filter(([name, value]) => name.startsWith('KITCHEN_') && value !== ''));
  const parsed = Env.safeParse(given);
  if (!parsed.success)
    throw new Error(
      `The environment of the tool server is not usable: ${parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ')}`,
    );
  const env = parsed.data;
  return {
    databaseUrl: env.KITCHEN_DATABASE_URL,
    host: env.KITCHEN_HOST,
    port: env.KITCHEN_PORT,
    tokens: env.KITCHEN_TOKENS,
    sample: env.KITCHEN_SAMPLE,
    honoursKeys: env.KITCHEN_HONOURS_KEYS,
    undoWindowMs: env.KITCHEN_UNDO_WINDOW_MS,
    faults: env.KITCHEN_FAULTS,
    controlToken: env.KITCHEN_CONTROL_TOKEN,
    controlPort: env.KITCHEN_CONTROL_PORT,
  };
};
