import { randomUUID } from 'node:crypto';
import { peopleAcquired, peopleQuote, peopleReveal, peopleSearch, type RevealedContact } from '../../contracts/tools/index.js';
import { page, pageMeta, readCursor } from '../cursor.js';
import { notFound, ToolFailure } from '../failure.js';
import { implement } from '../runtime.js';
import { hash32 } from '../sample/random.js';
import type { PersonRow } from '../sample/types.js';
import type { AcquiredRow } from '../store.js';
import { fold, stems } from '../text.js';
import { matchArea } from '../vocabulary.js';
import { chargePage } from './companies.js';

const QUOTE_MS = 24 * 3_600_000;

/** Whether a person does what a role says: by area when the role names one, else by the words of the title. */
const fits = (role: string): ((person: PersonRow) => boolean) => {
  const area = matchArea(role);
  if (area !== null) return (p) => p.area === area;
  const wanted = stems(role);
  return (p) => wanted.length > 0 && wanted.every((w) => stems(p.title).includes(w));
};

export const peopleSearchTool = implement(peopleSearch, async (args, context) => {
  const company = context.library.companyById.get(args.company_id);
  if (!company) throw notFound('Company');
  const everybody = context.library.peopleByCompany.get(args.company_id) ?? [];
  // Filed by an internal code, not by merit: choosing is the caller's work.
  const found = everybody.filter(fits(args.role)).sort((a, b) => hash32(a.person_id) - hash32(b.person_id));
  const { rows, meta } = page(found, args.limit, args.cursor, ['people_search', args.company_id, fold(args.role)]);
  await chargePage(context, 'people_search', args.company_id);
  return {
    ref: context.ref('ps'),
    ...meta,
    people: rows.map((p) => ({
      ref: `record:${p.person_id}`,
      person_id: p.person_id,
      title: p.title,
      area: p.area,
      seniority: p.seniority,
      seen_at: context.library.day(-p.seen_days),
    })),
    coverage: `${everybody.length} people known at this company, role "${args.role.slice(0, 60)}"`,
  };
});

export const peopleQuoteTool = implement(peopleQuote, async (args, context) => {
  const ids = [...new Set(args.person_ids)];
  const [workspace, owned] = await Promise.all([
    context.store.workspace(context.workspace),
    context.store.acquired(context.workspace, ids, ids.length, 0),
  ]);
  const ownedIds = new Set(owned.map((a) => a.person_id));
  const ref = context.ref('pq');
  return {
    ref,
    shown: ids.length,
    total: ids.length,
    has_more: false,
    next_cursor: null,
    quote_id: `quo-${randomUUID()}`,
    valid_until: new Date(Date.now() + QUOTE_MS).toISOString(),
    prices: ids.map((id, i) => {
      const available = context.library.personById.has(id);
      const already_acquired = ownedIds.has(id);
      return {
        ref: `${ref}-${i + 1}`,
        person_id: id,
        credits: available && !already_acquired ? context.store.priceOf(workspace, id) : 0,
        already_acquired,
        available,
      };
    }),
    coverage: `Price list of this workspace for ${ids.length} contacts`,
  };
});

const toContact = (person: PersonRow, row: Pick<AcquiredRow, 'charge_id' | 'credits' | 'acquired_at'>): RevealedContact => ({
  ref: `record:${person.person_id}`,
  person_id: person.person_id,
  name: person.name,
  email: person.email,
  phone: person.phone,
  title: person.title,
  company_id: person.company_id,
  charge_id: `chg-${row.charge_id}`,
  credits: row.credits,
  acquired_at: row.acquired_at.toISOString(),
});

const REVEAL_MESSAGES: Record<string, string> = {
  price_changed: 'The contact costs more than the maximum given. Quote again.',
  insufficient_credits: 'Not enough credits for this contact.',
  idempotency_key_reused: 'This key was already used for another contact.',
};

export const peopleRevealTool = implement(peopleReveal, async (args, context) => {
  const person = context.library.personById.get(args.person_id);
  if (!person) throw notFound('Person');
  const price = context.store.priceOf(await context.store.workspace(context.workspace), person.person_id);
  const done = await context.store.reveal(context.workspace, person.person_id, args.idempotency_key, price, args.max_credits);
  if (done.code !== 'ok' || done.charge_id === null || done.acquired_at === null) {
    throw new ToolFailure(done.code, REVEAL_MESSAGES[done.code] ?? done.code, {
      counted: false,
      params: { credits: done.credits, balance: done.balance, max_credits: args.max_credits },
    });
  }
  return {
    ref: context.ref('pr'),
    shown: 1,
    total: 1,
    has_more: false,
    next_cursor: null,
    contact: toContact(person, { charge_id: done.charge_id, credits: done.credits, acquired_at: done.acquired_at }),
    coverage: 'One contact of the sample',
  };
});

export const peopleAcquiredTool = implement(peopleAcquired, async (args, context) => {
  const ids = args.person_ids ?? null;
  const query = ['people_acquired', ids];
  const from = readCursor(args.cursor, query);
  const [rows, total] = await Promise.all([
    context.store.acquired(context.workspace, ids, args.limit, from),
    context.store.countAcquired(context.workspace, ids),
  ]);
  return {
    ref: context.ref('pa'),
    ...pageMeta(from, rows.length, total, query),
    acquired: rows.flatMap((row) => {
      const person = context.library.personById.get(row.person_id);
      if (!person) return [];
      const contact = toContact(person, row);
      return [
        {
          ref: contact.ref,
          person_id: row.person_id,
          acquired_at: contact.acquired_at,
          charge_id: contact.charge_id,
          key: row.key,
          contact,
        },
      ];
    }),
    coverage: ids === null ? 'Every contact this workspace acquired' : `${ids.length} contacts asked about`,
  };
});
