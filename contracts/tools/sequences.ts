import { z } from 'zod';
import { resultOf, tool } from './common.js';

/**
 * Stores drafts for at most 50 contacts; readable by its client key. Nothing is sent to anybody. `mailbox_missing` when no mailbox is connected.
 * With `replaces` the new sequence takes the place of an earlier one, which is not ready any more from then on. A provider that does not list
 * this input must not be sent it. Refused are an id that is not there (`not_found`) and one that was replaced before (`already_replaced`).
 */
export const sequenceCreateDraft = tool({
  name: 'sequence_create_draft',
  description:
    'Stores a sequence draft for ≤ 50 contacts. The same client key returns the first result. With `replaces` it takes the place of an earlier sequence. Sends nothing.',
  costo: 'gratis',
  scope: 'paid',
  readOnly: false,
  input: z.object({
    client_key: z.string().max(120),
    name: z.string().max(300),
    drafts: z
      .array(z.object({ person_id: z.string().max(120), subject: z.string().max(300), body: z.string().max(10_000) }))
      .min(1)
      .max(50),
    replaces: z.string().max(120).optional().describe('The id of the sequence whose place this one takes.'),
  }),
  output: resultOf({
    sequence_id: z.string(),
    created: z.int(),
    client_key: z.string(),
    drafts: z.array(z.object({ ref: z.string(), draft_id: z.string(), person_id: z.string() })),
  }),
});

/** Readiness of a sequence, and the read-back of a create by its client key. One that was replaced is not ready and names what came after it. */
export const sequenceCheck = tool({
  name: 'sequence_check',
  description: 'Readiness of a sequence by id or client key; `found: false` when there is none.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ sequence_id: z.string().max(120).optional(), client_key: z.string().max(120).optional() }),
  output: resultOf({
    found: z.boolean(),
    sequence_id: z.string().nullable(),
    ready: z.boolean(),
    drafts: z.array(z.object({ ref: z.string(), draft_id: z.string(), person_id: z.string() })),
    problems: z.array(z.object({ code: z.string(), count: z.int() })),
    replaced_by: z.string().nullable().optional(),
  }),
});
