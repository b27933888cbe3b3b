import { z } from 'zod';
import { resultOf, tool } from './common.js';

export const Candidate = z.object({
  ref: z.string(),
  person_id: z.string(),
  title: z.string(),
  /** Area as the provider files it: compras, operaciones, direccion, … */
  area: z.string(),
  seniority: z.enum(['director', 'gerente', 'jefe', 'coordinador', 'analista', 'otro']),
  /** When the provider last saw this person in this job. */
  seen_at: z.iso.datetime(),
});
export type Candidate = z.infer<typeof Candidate>;

/** Candidates at one account by role; no name or contact data before the reveal. One monthly query. */
export const peopleSearch = tool({
  name: 'people_search',
  description: 'Candidates at one company by role; one monthly query. Names come with the reveal.',
  costo: 'externo',
  scope: 'read',
  readOnly: true,
  input: z.object({
    company_id: z.string().max(120),
    role: z.string().min(1).max(120),
    limit: z.int().min(1).max(25).default(10),
    cursor: z.string().max(500).optional(),
  }),
  output: resultOf({ people: z.array(Candidate) }),
});

/** Price per contact for a list of at most 500, with the moment until which it holds. Contacts already acquired cost 0. */
export const peopleQuote = tool({
  name: 'people_quote',
  description: 'Price in credits per contact for a list (≤ 500), with expiry.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ person_ids: z.array(z.string().max(120)).min(1).max(500) }),
  output: resultOf({
    quote_id: z.string(),
    valid_until: z.iso.datetime(),
    prices: z.array(
      z.object({ ref: z.string(), person_id: z.string(), credits: z.int().min(0), already_acquired: z.boolean(), available: z.boolean() }),
    ),
  }),
});

export const RevealedContact = z.object({
  ref: z.string(),
  person_id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  title: z.string(),
  company_id: z.string(),
  charge_id: z.string(),
  credits: z.int().min(0),
  acquired_at: z.iso.datetime(),
});
export type RevealedContact = z.infer<typeof RevealedContact>;

/** Reveals one contact and charges. Refuses with `price_changed` when `max_credits` no longer covers the price. */
export const peopleReveal = tool({
  name: 'people_reveal',
  description: 'Reveals one contact and charges its credits.',
  costo: 'creditos',
  scope: 'paid',
  readOnly: false,
  input: z.object({
    person_id: z.string().max(120),
    quote_id: z.string().max(120),
    max_credits: z.int().min(0),
    idempotency_key: z.string().max(120),
  }),
  output: resultOf({ contact: RevealedContact }),
});

/** What was already revealed: the read-back of `people_reveal`. `key` is ours when it was sent and the provider keeps it. */
export const peopleAcquired = tool({
  name: 'people_acquired',
  description: 'Contacts already revealed in this workspace, by person or by idempotency key.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    person_ids: z.array(z.string().max(120)).max(500).optional(),
    limit: z.int().min(1).max(500).default(500),
    cursor: z.string().max(500).optional(),
  }),
  output: resultOf({
    acquired: z.array(
      z.object({
        ref: z.string(),
        person_id: z.string(),
        acquired_at: z.iso.datetime(),
        charge_id: z.string(),
        key: z.string().nullable(),
        contact: RevealedContact,
      }),
    ),
  }),
});
