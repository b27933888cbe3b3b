import { z } from 'zod';
import { resultOf, tool } from './common.js';

/** A number with its own anchor, so that a sentence can cite exactly it. `unit` says what the number counts. */
export const Figure = z.object({ ref: z.string(), value: z.number(), unit: z.enum(['suppliers', 'awards', 'buyers', 'mxn', 'percent']) });
export type Figure = z.infer<typeof Figure>;

/** A company registered as supplier of public bodies. `total_mxn` sums every award in the sample, in whole pesos. */
export const Supplier = z.object({
  ref: z.string(),
  supplier_id: z.string(),
  name: z.string(),
  rfc: z.string().nullable(),
  activity: z.string(),
  state: z.string(),
  size: z.string(),
  awards: z.int(),
  total_mxn: z.int(),
  last_award_on: z.iso.date().nullable(),
});
export type Supplier = z.infer<typeof Supplier>;

/** One contract awarded to a supplier. Amounts in whole pesos, without VAT. */
export const Award = z.object({
  ref: z.string(),
  award_id: z.string(),
  supplier_id: z.string(),
  supplier_name: z.string(),
  buyer: z.string(),
  product: z.string(),
  activity: z.string(),
  state: z.string(),
  amount_mxn: z.int(),
  awarded_on: z.iso.date(),
  procedure: z.string(),
});
export type Award = z.infer<typeof Award>;

export const OPPORTUNITY_STATUS = ['open', 'closed', 'awarded', 'canceled'] as const;
export const PARTICIPATION = ['none', 'following', 'questions_sent', 'proposal_sent'] as const;
/** A tender. `participation` is where the workspace stands in it. */
export const Opportunity = z.object({
  ref: z.string(),
  opportunity_id: z.string(),
  title: z.string(),
  buyer: z.string(),
  product: z.string(),
  activity: z.string(),
  state: z.string(),
  published_on: z.iso.date(),
  deadline: z.iso.datetime(),
  status: z.enum(OPPORTUNITY_STATUS),
  participation: z.enum(PARTICIPATION),
});
export type Opportunity = z.infer<typeof Opportunity>;

const text = z.string().min(1).max(200).optional();
const short = z.string().min(1).max(60).optional();
const cursor = z.string().max(500).optional();
const supplierFilters = { text, activity: z.string().min(1).max(120).optional(), state: short, size: short };
const awardFilters = {
  buyer: text,
  product: text,
  activity: z.string().min(1).max(120).optional(),
  supplier_id: z.string().max(120).optional(),
  state: short,
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  min_amount_mxn: z.int().min(0).optional(),
};

/** Size of a universe of public-sector suppliers. 0 is a valid answer. */
export const marketCountSuppliers = tool({
  name: 'market_count_suppliers',
  description: 'How many public-sector suppliers match the filters. 0 is a valid answer.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object(supplierFilters),
  output: resultOf({ count: Figure, with_awards: Figure }),
});

/** Public-sector suppliers, a page at a time. Refuses a query that selects nothing in particular and says what to add. */
export const marketSearchSuppliers = tool({
  name: 'market_search_suppliers',
  description: 'Public-sector suppliers by text, state, activity. `query_not_selective` tells what to add.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    ...supplierFilters,
    sort: z.enum(['amount', 'awards', 'recent', 'name']).default('amount'),
    limit: z.int().min(1).max(50).default(25),
    cursor,
  }),
  output: resultOf({ suppliers: z.array(Supplier) }),
});

/** Awards by buyer, product and period. When the literal words find nothing, synonyms are tried and said in `synonyms_used`. */
export const marketSearchAwards = tool({
  name: 'market_search_awards',
  description: 'Contract awards by buyer, product and period; synonyms only when the words themselves find nothing.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    ...awardFilters,
    sort: z.enum(['amount', 'recent']).default('recent'),
    limit: z.int().min(1).max(50).default(25),
    cursor,
  }),
  output: resultOf({ awards: z.array(Award), synonyms_used: z.array(z.string()) }),
});

/** One supplier over the years, by id or RFC. `not_found` for an unknown one. */
export const marketGetSupplierHistory = tool({
  name: 'market_get_supplier_history',
  description: 'The awards of one supplier over the years, by supplier id or RFC.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    supplier_id: z.string().max(120).optional(),
    rfc: z.string().max(13).optional(),
    limit: z.int().min(1).max(50).default(25),
    cursor,
  }),
  output: resultOf({
    supplier: Supplier,
    years: z.array(z.object({ ref: z.string(), year: z.int(), awards: Figure, total: Figure, average: Figure })),
    awards: z.array(Award),
  }),
});

export const AWARD_GROUPS = ['buyer', 'supplier', 'year', 'state', 'product', 'activity', 'procedure', 'supplier_size'] as const;
/** Totals, averages and shares of awards by group; every figure carries its own anchor. */
export const marketAggregateAwards = tool({
  name: 'market_aggregate_awards',
  description: 'Number, total, average and share of awards by group; each figure has its own ref.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ ...awardFilters, group_by: z.enum(AWARD_GROUPS), limit: z.int().min(1).max(50).default(10), cursor }),
  output: resultOf({
    overall: z.object({ awards: Figure, total: Figure, average: Figure }),
    groups: z.array(z.object({ ref: z.string(), group: z.string(), awards: Figure, total: Figure, average: Figure, share: Figure })),
    synonyms_used: z.array(z.string()),
  }),
});

/** Segments by geographies, side by side. */
export const marketCompare = tool({
  name: 'market_compare',
  description: 'Segments × geographies side by side: suppliers, awards, total and average.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    segments: z.array(z.string().min(1).max(120)).min(1).max(6),
    geographies: z.array(z.string().min(1).max(60)).min(1).max(8),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  }),
  output: resultOf({
    cells: z.array(
      z.object({
        ref: z.string(),
        segment: z.string(),
        geography: z.string(),
        suppliers: Figure,
        awards: Figure,
        total: Figure,
        average: Figure,
      }),
    ),
  }),
});

export const SCREEN_VERDICTS = ['active_supplier', 'registered_without_awards', 'sanctioned', 'not_in_coverage', 'invalid_rfc'] as const;
/** At most 50 RFCs in one call, one verdict each, in the order given. */
export const marketScreen = tool({
  name: 'market_screen',
  description: 'A list of RFCs (≤ 50) in one call; a verdict for each.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ rfcs: z.array(z.string().min(1).max(20)).min(1).max(50) }),
  output: resultOf({
    rows: z.array(
      z.object({
        ref: z.string(),
        rfc: z.string(),
        verdict: z.enum(SCREEN_VERDICTS),
        supplier_id: z.string().nullable(),
        name: z.string().nullable(),
        awards: z.int(),
        total_mxn: z.int(),
        last_award_on: z.iso.date().nullable(),
      }),
    ),
  }),
});

/** Tenders by text, buyer, place, status and deadline; nearest deadline first. */
export const marketSearchOpportunities = tool({
  name: 'market_search_opportunities',
  description: 'Public tenders by text, buyer, state, status and deadline; nearest deadline first.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({
    text,
    buyer: text,
    activity: z.string().min(1).max(120).optional(),
    state: short,
    status: z.enum(OPPORTUNITY_STATUS).default('open'),
    closes_from: z.iso.date().optional(),
    closes_to: z.iso.date().optional(),
    participation: z.enum(PARTICIPATION).optional(),
    limit: z.int().min(1).max(50).default(25),
    cursor,
  }),
  output: resultOf({ opportunities: z.array(Opportunity) }),
});

/** One tender with its dates. `not_found` for an unknown one. */
export const marketGetOpportunity = tool({
  name: 'market_get_opportunity',
  description: 'One public tender with its dates and the awards of the same buyer for the same product.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ opportunity_id: z.string().max(120) }),
  output: resultOf({
    opportunity: Opportunity,
    milestones: z.array(
      z.object({ ref: z.string(), name: z.enum(['published', 'questions_until', 'deadline', 'decision_on']), at: z.iso.datetime() }),
    ),
    previous_awards: z.array(Award),
  }),
});
