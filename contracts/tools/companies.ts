import { z } from 'zod';
import { resultOf, tool } from './common.js';

export const Company = z.object({
  ref: z.string(),
  company_id: z.string(),
  name: z.string(),
  rfc: z.string().nullable(),
  domain: z.string().nullable(),
  activity: z.string(),
  state: z.string(),
  size: z.string(),
});
export type Company = z.infer<typeof Company>;

/** Private companies by activity, state and size. One monthly query per page of at most 25. */
export const companySearch = tool({
  name: 'company_search',
  description: 'Private companies by activity, state and size; one monthly query per page (≤ 25 rows).',
  costo: 'externo',
  scope: 'read',
  readOnly: true,
  input: z.object({
    activity: z.string().min(1).max(120),
    state: z.string().max(60).optional(),
    size: z.string().max(20).optional(),
    limit: z.int().min(1).max(25).default(25),
    cursor: z.string().max(500).optional(),
  }),
  output: resultOf({ companies: z.array(Company) }),
});
