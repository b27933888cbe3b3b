import { z } from 'zod';
import { resultOf, tool } from './common.js';

/** Saves a selection to the "Prospectos" collection; readable by its client key, undone by its token for a while. */
export const crmSaveCompanies = tool({
  name: 'crm_save_companies',
  description: 'Saves companies to the CRM; returns an undo token. The same client key returns the first result.',
  costo: 'gratis',
  scope: 'paid',
  readOnly: false,
  input: z.object({
    client_key: z.string().max(120),
    collection: z.string().max(60).default('prospectos'),
    companies: z
      .array(
        z.object({
          company_id: z.string().max(120),
          name: z.string().max(10_000),
          rfc: z.string().nullable(),
          domain: z.string().nullable(),
        }),
      )
      .min(1)
      .max(5000),
  }),
  output: resultOf({
    saved: z.int(),
    already_there: z.int(),
    undo_token: z.string(),
    undo_until: z.iso.datetime(),
    client_key: z.string(),
  }),
});

/** Undoes one save inside its window; refuses with `rows_changed` (and which) if somebody edited the rows since. */
export const crmUndo = tool({
  name: 'crm_undo',
  description: 'Undoes one save inside its window; refuses when rows changed since.',
  costo: 'gratis',
  scope: 'paid',
  readOnly: false,
  input: z.object({ undo_token: z.string().max(120) }),
  output: resultOf({ removed: z.int() }),
});

/** Reads CRM collections: list them, get a record, query a page, aggregate by a field; `client_key` reads back a save. */
export const collectionQuery = tool({
  name: 'collection_query',
  description: 'CRM collections: list, get, query, aggregate. `client_key` reads back a save.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    op: z.enum(['list', 'get', 'query', 'aggregate']),
    collection: z.string().max(60).optional(),
    record_id: z.string().max(120).optional(),
    text: z.string().max(300).optional(),
    group_by: z.string().max(60).optional(),
    client_key: z.string().max(120).optional(),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().max(500).optional(),
  }),
  output: resultOf({
    rows: z.array(z.record(z.string(), z.unknown())),
    save: z
      .object({ saved: z.int(), already_there: z.int(), undo_token: z.string(), undo_until: z.iso.datetime(), client_key: z.string() })
      .nullable(),
  }),
});
