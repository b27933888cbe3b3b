import {
  marketAggregateAwards,
  marketCompare,
  marketGetOpportunity,
  marketSearchAwards,
  marketSearchOpportunities,
  type AWARD_GROUPS,
  type Opportunity,
} from '../../contracts/tools/index.js';
import { page } from '../cursor.js';
import { notFound } from '../failure.js';
import { implement, type CallContext } from '../runtime.js';
import type { AwardRow, OpportunityRow } from '../sample/types.js';
import { activityLabel, matchActivities } from '../vocabulary.js';
import {
  AWARDS_COVERAGE,
  buyerNamed,
  coverageOf,
  figure,
  figures,
  narrow,
  saysAll,
  selectAwards,
  selectSuppliers,
  sortAwards,
  sum,
  toAward,
  type AwardFilters,
} from './market-query.js';

/** The filters as a cursor remembers them. */
const filterKey = (f: AwardFilters): unknown[] =>
  [f.buyer, f.product, f.activity, f.supplier_id, f.state, f.from, f.to, f.min_amount_mxn].map((v) => v ?? null);

export const searchAwardsTool = implement(marketSearchAwards, (args, context) => {
  const { rows, unknown, synonyms } = selectAwards(context, args);
  const shown = page(sortAwards(rows, args.sort), args.limit, args.cursor, ['awards', ...filterKey(args), args.sort]);
  return {
    ref: context.ref('msa'),
    ...shown.meta,
    awards: shown.rows.map((a) => toAward(context, a)),
    synonyms_used: synonyms,
    coverage: coverageOf(AWARDS_COVERAGE, unknown, synonyms),
  };
});

const GROUP_OF: Record<(typeof AWARD_GROUPS)[number], (a: AwardRow, context: CallContext) => string> = {
  buyer: (a) => a.buyer,
  supplier: (a, context) => context.library.supplierById.get(a.supplier_id)?.name ?? a.supplier_id,
  year: (a) => a.awarded_on.slice(0, 4),
  state: (a) => a.state,
  product: (a) => a.product,
  activity: (a) => activityLabel(a.activity),
  procedure: (a) => a.procedure,
  supplier_size: (a, context) => context.library.supplierById.get(a.supplier_id)?.size ?? '',
};

export const aggregateAwardsTool = implement(marketAggregateAwards, (args, context) => {
  const { rows, unknown, synonyms } = selectAwards(context, args);
  const ref = context.ref('mag');
  const groups = new Map<string, AwardRow[]>();
  for (const award of rows) {
    const key = GROUP_OF[args.group_by](award, context);
    const group = groups.get(key);
    if (group) group.push(award);
    else groups.set(key, [award]);
  }
  const all = sum(rows).total;
  // Numbered over all groups, so that a group has the same place on whichever page it is.
  const sorted = [...groups]
    .map(([group, awards]) => ({ group, awards, total: sum(awards).total }))
    .sort((a, b) => b.total - a.total || a.group.localeCompare(b.group, 'es'))
    .map((g, i) => ({ ...g, ref: `${ref}-g${i + 1}` }));
  const shown = page(sorted, args.limit, args.cursor, ['aggregate', ...filterKey(args), args.group_by]);
  return {
    ref,
    ...shown.meta,
    overall: figures(ref, rows),
    synonyms_used: synonyms,
    coverage: coverageOf(AWARDS_COVERAGE, unknown, synonyms),
    groups: shown.rows.map((g) => ({
      ref: g.ref,
      group: g.group,
      ...figures(g.ref, g.awards),
      share: figure(`${g.ref}-share`, all === 0 ? 0 : Math.round((g.total / all) * 1_000) / 10, 'percent'),
    })),
  };
});

export const compareTool = implement(marketCompare, (args, context) => {
  const ref = context.ref('mcp');
  const unknown = new Set<string>();
  const cells = args.segments.flatMap((segment, s) =>
    args.geographies.map((geography, g) => {
      const suppliers = selectSuppliers(context, { activity: segment, state: geography });
      const awards = selectAwards(context, { activity: segment, state: geography, from: args.from, to: args.to });
      for (const u of suppliers.unknown) unknown.add(u);
      const cell = `${ref}-c${s * args.geographies.length + g + 1}`;
      return {
        ref: cell,
        segment,
        geography,
        suppliers: figure(`${cell}-suppliers`, suppliers.rows.length, 'suppliers'),
        ...figures(cell, awards.rows),
      };
    }),
  );
  return {
    ref,
    shown: cells.length,
    total: cells.length,
    has_more: false,
    next_cursor: null,
    cells,
    coverage: coverageOf(AWARDS_COVERAGE, [...unknown]),
  };
});

const toOpportunity = (context: CallContext, o: OpportunityRow): Opportunity => ({
  ref: `record:${o.opportunity_id}`,
  opportunity_id: o.opportunity_id,
  title: o.title,
  buyer: o.buyer,
  product: o.product,
  activity: activityLabel(o.activity),
  state: o.state,
  published_on: context.library.day(o.published_days).slice(0, 10),
  deadline: context.library.day(o.deadline_days),
  status: o.deadline_days > 0 ? 'open' : o.outcome === 'none' ? 'closed' : o.outcome,
  participation: o.participation,
});

export const searchOpportunitiesTool = implement(marketSearchOpportunities, (args, context) => {
  const { activities, states, unknown } = narrow(args);
  const exact = args.buyer === undefined ? null : buyerNamed(context, args.buyer);
  const filtered =
    unknown.length > 0
      ? []
      : context.library.opportunities.filter(
          (o) =>
            (args.status === 'open') === o.deadline_days > 0 &&
            (activities === null || activities.has(o.activity)) &&
            (states === null || states.has(o.state)) &&
            (args.participation === undefined || o.participation === args.participation) &&
            (args.buyer === undefined ||
              (exact === null ? saysAll({ title: '', product: '', buyer: o.buyer }, args.buyer) : o.buyer === exact)),
        );
  const { text } = args;
  const literal = text === undefined ? filtered : filtered.filter((o) => saysAll(o, text));
  // Words that no tender says may still name a trade ("salud").
  const trades = text !== undefined && literal.length === 0 ? matchActivities(text) : [];
  const rows = (trades.length > 0 ? filtered.filter((o) => trades.includes(o.activity)) : literal)
    // Nearest deadline first: of open ones the soonest, of the rest the latest.
    .sort((a, b) => (args.status === 'open' ? a.deadline_days - b.deadline_days : b.deadline_days - a.deadline_days) || a.pos - b.pos)
    .map((o) => toOpportunity(context, o))
    .filter(
      (o) =>
        o.status === args.status &&
        (args.closes_from === undefined || o.deadline.slice(0, 10) >= args.closes_from) &&
        (args.closes_to === undefined || o.deadline.slice(0, 10) <= args.closes_to),
    );
  const shown = page(rows, args.limit, args.cursor, [
    'opportunities',
    ...[args.text, args.buyer, args.activity, args.state, args.status, args.closes_from, args.closes_to, args.participation].map(
      (v) => v ?? null,
    ),
  ]);
  return {
    ref: context.ref('mso'),
    ...shown.meta,
    opportunities: shown.rows,
    coverage: coverageOf('Public tenders of the sample, two years back', unknown, trades.map(activityLabel)),
  };
});

export const getOpportunityTool = implement(marketGetOpportunity, (args, context) => {
  const row = context.library.opportunities.find((o) => o.opportunity_id === args.opportunity_id);
  if (!row) throw notFound('Opportunity');
  const at = context.library.day;
  const dates = [
    ['published', row.published_days],
    ['questions_until', row.deadline_days - 7],
    ['deadline', row.deadline_days],
    ['decision_on', row.deadline_days + 10],
  ] as const;
  const previous = sortAwards(
    context.library.awards.filter((a) => a.buyer === row.buyer && a.product === row.product),
    'recent',
  ).slice(0, 10);
  return {
    ref: context.ref('mgo'),
    shown: 1,
    total: 1,
    has_more: false,
    next_cursor: null,
    opportunity: toOpportunity(context, row),
    milestones: dates.map(([name, days]) => ({ ref: `record:${row.opportunity_id}-${name.replace('_', '-')}`, name, at: at(days) })),
    previous_awards: previous.map((a) => toAward(context, a)),
    coverage: 'One tender and the last awards of the same buyer for the same product',
  };
});
