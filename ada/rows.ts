import type { BoardRow } from '../contracts/turn.js';
import type { Worked } from './turn-view.js';

const str = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const row = (
  kind: BoardRow['kind'],
  value: Record<string, unknown>,
  id: string,
  name: string | null,
  detail: string | null,
): BoardRow | null => {
  const ref = str(value['ref']);
  const key = str(value[id]);
  return ref && key && name
    ? {
        ref,
        name: name.slice(0, 300),
        kind,
        id: key,
        detail: detail?.slice(0, 300) ?? null,
        rfc: str(value['rfc'])?.slice(0, 13) ?? null,
        domain: str(value['domain'])?.slice(0, 253) ?? null,
        ...ofCompany(kind, value),
        ...inPesos(kind, value),
      }
    : null;
};
/** Whose a record, a person or a contact is: contacts are looked for at a company, by its id. */
const ofCompany = (kind: BoardRow['kind'], value: Record<string, unknown>): { company_id?: string } => {
  const id = kind === 'record' || kind === 'person' || kind === 'contact' ? str(value['company_id'])?.slice(0, 200) : null;
  return id ? { company_id: id } : {};
};
/** What lists of awards and of suppliers are sorted by. */
const inPesos = (kind: BoardRow['kind'], value: Record<string, unknown>): { amount_mxn?: number } => {
  const amount = kind === 'award' ? value['amount_mxn'] : kind === 'supplier' ? value['total_mxn'] : null;
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? { amount_mxn: amount } : {};
};
type Reader = (value: Record<string, unknown>, args: Record<string, unknown>) => BoardRow | null;
const joined = (...parts: unknown[]): string => parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');

/** Which array of a tool's result holds rows that a person may point at, and how they read. */
const LISTS: Readonly<Record<string, { key: string; read: Reader }>> = {
  company_search: {
    key: 'companies',
    read: (v) => row('company', v, 'company_id', str(v['name']), joined(v['activity'], v['state'], v['size'])),
  },
  market_search_suppliers: {
    key: 'suppliers',
    read: (v) => row('supplier', v, 'supplier_id', str(v['name']), joined(v['activity'], v['state'], v['size'])),
  },
  market_search_awards: {
    key: 'awards',
    read: (v) => row('award', v, 'award_id', str(v['supplier_name']), joined(v['buyer'], v['product'], v['awarded_on'])),
  },
  market_get_supplier_history: {
    key: 'awards',
    read: (v) => row('award', v, 'award_id', str(v['supplier_name']), joined(v['buyer'], v['product'], v['awarded_on'])),
  },
  market_search_opportunities: {
    key: 'opportunities',
    read: (v) => row('opportunity', v, 'opportunity_id', str(v['title']), joined(v['buyer'], v['state'], v['deadline'])),
  },
  market_screen: {
    key: 'rows',
    read: (v) =>
      row(
        'supplier',
        { ...v, supplier_id: v['supplier_id'] ?? v['rfc'] },
        'supplier_id',
        str(v['name']) ?? str(v['rfc']),
        joined(v['rfc'], v['verdict']),
      ),
  },
  people_search: {
    key: 'people',
    read: (v, { company_id }) => row('person', { ...v, company_id }, 'person_id', str(v['title']), joined(v['area'], v['seniority'])),
  },
  context_retrieve: { key: 'topics', read: (v) => row('topic', v, 'topic_id', str(v['title']), str(v['summary'])) },
  collection_query: {
    key: 'rows',
    read: (v) =>
      row(
        'record',
        { ...v, record_id: v['record_id'] ?? v['company_id'] },
        'record_id',
        str(v['name']) ?? str(v['company']),
        joined(v['stage'], v['state'], v['owner']),
      ),
  },
  people_acquired: {
    key: 'acquired',
    read: (v) => {
      const contact = v['contact'] as Record<string, unknown> | undefined;
      return row('contact', { ...v, company_id: contact?.['company_id'] }, 'person_id', str(contact?.['name']), joined(contact?.['title']));
    },
  },
};

/** Rows of one result; empty for tools that list nothing. */
export const rowsOf = ({
  name,
  ok,
  result,
  args = {},
}: Pick<Worked, 'name' | 'ok' | 'result'> & Partial<Pick<Worked, 'args'>>): BoardRow[] => {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (!ok || !list || result === null || typeof result !== 'object') return [];
  const values = (result as Record<string, unknown>)[list.key];
  if (!Array.isArray(values)) return [];
  return values.flatMap((value) =>
    value !== null && typeof value === 'object' ? (list.read(value as Record<string, unknown>, args) ?? []) : [],
  );
};

/** Searches in which a second one is a better try of the first, never a second part of the answer. */
const TRIES = new Set(['context_retrieve']);
const filtersOf = ({ args }: Worked): Array<[string, string]> =>
  Object.entries(args)
    .filter(([key, value]) => value !== undefined && !['limit', 'sort', 'cursor'].includes(key))
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
/** Two searches of one tool that ask the same of two places, buyers or trades: one list in two parts. A narrower or wider word for the same is another try. */
const together = (a: Worked, b: Worked): boolean => {
  const [one, other] = [new Map(filtersOf(a)), new Map(filtersOf(b))];
  if (a.name !== b.name || TRIES.has(a.name) || one.size !== other.size || [...one.keys()].some((key) => !other.has(key))) return false;
  const differ = [...one]
    .filter(([key, value]) => other.get(key) !== value)
    .map(([key, value]) => [value.toLowerCase(), (other.get(key) ?? '').toLowerCase()] as const);
  return differ.length <= 2 && differ.every(([x, y]) => !x.includes(y) && !y.includes(x));
};
const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
/** Several parts as one: filters that differ stand side by side, totals are added, rows come once. */
const joinedList = (parts: readonly Worked[]): { rows: BoardRow[]; from: Worked | null } => {
  const last = parts.at(-1);
  if (!last) return { rows: [], from: null };
  if (parts.length === 1) return { rows: rowsOf(last), from: last };
  const rows = [...new Map(parts.flatMap((part) => rowsOf(part).map((one) => [one.ref, one] as const))).values()];
  const args = Object.fromEntries(
    filtersOf(last).map(([key]) => [
      key,
      [...new Set(parts.map((part) => (typeof part.args[key] === 'string' ? part.args[key] : JSON.stringify(part.args[key]))))].join(', '),
    ]),
  );
  // Pages of one search have one total.
  const searches = new Map(
    parts.map((part) => [JSON.stringify(filtersOf(part)), numberOf((part.result as { total?: unknown } | null)?.total)]),
  );
  const totals = [...searches.values()];
  const result = {
    ...(last.result as Record<string, unknown>),
    total: totals.some((one) => one === null) ? null : totals.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    shown: rows.length,
  };
  return { rows, from: { ...last, args, result } };
};

/** The rows of the turn's last list that had any; what was asked of several places, buyers or pages is one list. */
export const lastList = (worked: readonly Worked[]): { rows: BoardRow[]; from: Worked | null } => {
  const lists = worked.filter((one) => rowsOf(one).length > 0 && one.name !== 'people_acquired');
  // What was opened beside a list is not the list.
  const own = lists.filter(
    (one) => one.name !== 'market_get_supplier_history' || !lists.some((other) => /^market_search_/.test(other.name)),
  );
  const last = own.at(-1);
  return last ? joinedList([...own.filter((one) => one !== last && together(one, last)), last]) : { rows: [], from: null };
};
