import {
  marketCountSuppliers,
  marketGetSupplierHistory,
  marketScreen,
  marketSearchSuppliers,
  type Supplier,
} from '../../contracts/tools/index.js';
import { page } from '../cursor.js';
import { notFound, ToolFailure } from '../failure.js';
import { implement } from '../runtime.js';
import { foldRfc, isValidRfc } from '../sample/rfc.js';
import type { AwardRow } from '../sample/types.js';
import {
  AWARDS_COVERAGE,
  coverageOf,
  figure,
  figures,
  selectSuppliers,
  sortAwards,
  sum,
  SUPPLIERS_COVERAGE,
  toAward,
  toSupplier,
} from './market-query.js';

/** A search that leaves more than this is not an answer to anything. */
const SELECTIVE = 1_000;
const WHOLE = { has_more: false, next_cursor: null } as const;

export const countSuppliersTool = implement(marketCountSuppliers, (args, context) => {
  const { rows, unknown } = selectSuppliers(context, args);
  const ref = context.ref('mcs');
  const winners = rows.filter((c) => context.library.awardsBySupplier.has(c.supplier_id ?? '')).length;
  return {
    ref,
    shown: 0,
    total: rows.length,
    ...WHOLE,
    count: figure(`${ref}-n`, rows.length, 'suppliers'),
    with_awards: figure(`${ref}-won`, winners, 'suppliers'),
    coverage: coverageOf(SUPPLIERS_COVERAGE, unknown),
  };
});

const ORDERS: Record<string, (a: Supplier, b: Supplier) => number> = {
  amount: (a, b) => b.total_mxn - a.total_mxn,
  awards: (a, b) => b.awards - a.awards,
  recent: (a, b) => (b.last_award_on ?? '').localeCompare(a.last_award_on ?? ''),
  name: (a, b) => a.name.localeCompare(b.name, 'es'),
};

export const searchSuppliersTool = implement(marketSearchSuppliers, (args, context) => {
  const { rows, unknown } = selectSuppliers(context, args);
  if (rows.length > SELECTIVE) {
    const add = (['activity', 'state', 'text', 'size'] as const).filter((f) => args[f] === undefined);
    throw new ToolFailure('query_not_selective', `The query leaves ${rows.length} suppliers. Add ${add.join(' or ')}.`, {
      counted: false,
      params: { matches: rows.length, add },
    });
  }
  const sorted = rows
    .map((c) => toSupplier(context, c))
    .sort((a, b) => (ORDERS[args.sort]?.(a, b) ?? 0) || a.supplier_id.localeCompare(b.supplier_id));
  const shown = page(sorted, args.limit, args.cursor, [
    'suppliers',
    args.text ?? null,
    args.activity ?? null,
    args.state ?? null,
    args.size ?? null,
    args.sort,
  ]);
  return { ref: context.ref('mss'), ...shown.meta, suppliers: shown.rows, coverage: coverageOf(SUPPLIERS_COVERAGE, unknown) };
});

export const supplierHistoryTool = implement(marketGetSupplierHistory, (args, context) => {
  const supplier =
    args.supplier_id !== undefined
      ? context.library.supplierById.get(args.supplier_id)
      : args.rfc !== undefined
        ? context.library.supplierByRfc.get(foldRfc(args.rfc))
        : undefined;
  if (args.supplier_id === undefined && args.rfc === undefined)
    throw new ToolFailure('invalid_input', 'arguments: supplier_id or rfc is needed', { counted: false });
  if (!supplier) throw notFound('Supplier');
  const ref = context.ref('mh');
  const awards = sortAwards(context.library.awardsBySupplier.get(supplier.supplier_id ?? '') ?? [], 'recent');
  const years = new Map<number, AwardRow[]>();
  for (const award of awards) {
    const year = Number(award.awarded_on.slice(0, 4));
    years.set(year, [...(years.get(year) ?? []), award]);
  }
  const shown = page(awards, args.limit, args.cursor, ['history', supplier.supplier_id]);
  return {
    ref,
    ...shown.meta,
    supplier: toSupplier(context, supplier),
    years: [...years].map(([year, rows]) => ({ ref: `${ref}-${year}`, year, ...figures(`${ref}-${year}`, rows) })),
    awards: shown.rows.map((a) => toAward(context, a)),
    coverage: AWARDS_COVERAGE,
  };
});

export const screenTool = implement(marketScreen, (args, context) => {
  const ref = context.ref('msc');
  return {
    ref,
    shown: args.rfcs.length,
    total: args.rfcs.length,
    ...WHOLE,
    coverage: SUPPLIERS_COVERAGE,
    rows: args.rfcs.map((given, i) => {
      const rfc = foldRfc(given);
      const supplier = context.library.supplierByRfc.get(rfc);
      const s = sum(supplier ? (context.library.awardsBySupplier.get(supplier.supplier_id ?? '') ?? []) : []);
      const verdict = !isValidRfc(rfc)
        ? ('invalid_rfc' as const)
        : !supplier
          ? ('not_in_coverage' as const)
          : supplier.sanctioned
            ? ('sanctioned' as const)
            : s.awards > 0
              ? ('active_supplier' as const)
              : ('registered_without_awards' as const);
      return {
        ref: supplier ? `record:${supplier.supplier_id}` : `${ref}-${i + 1}`,
        rfc,
        verdict,
        supplier_id: supplier?.supplier_id ?? null,
        name: supplier?.name ?? null,
        awards: s.awards,
        total_mxn: s.total,
        last_award_on: s.last,
      };
    }),
  };
});
