import type { BoardRow } from '../contracts/turn.js';
import type { Worked } from './turn-view.js';

const str = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const row = (kind: BoardRow['kind'], value: Record<string, unknown>, id: string, name: string | null, detail: string | null): BoardRow | null => {
  const ref = str(value['ref']);
  const key = str(value[id]);
  return ref && key && name
    ? { ref, name: name.slice(0, 300), kind, id: key, detail: detail?.slice(0, 300) ?? null, rfc: str(value['rfc'])?.slice(0, 13) ?? null, domain: str(value['domain'])?.slice(0, 253) ?? null }
    : null;
};
type Reader = (value: Record<string, unknown>) => BoardRow | null;
const joined = (...parts: unknown[]): string => parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');

/** Which array of a tool's result holds rows that a person may point at, and how they read. */
const LISTS: Readonly<Record<string, { key: string; read: Reader }>> = {
  company_search: { key: 'companies', read: (v) => row('company', v, 'company_id', str(v['name']), joined(v['activity'], v['state'], v['size'])) },
  market_search_suppliers: { key: 'suppliers', read: (v) => row('supplier', v, 'supplier_id', str(v['name']), joined(v['activity'], v['state'], v['size'])) },
  market_search_awards: { key: 'awards', read: (v) => row('award', v, 'award_id', str(v['supplier_name']), joined(v['buyer'], v['product'], v['awarded_on'])) },
  market_get_supplier_history: { key: 'awards', read: (v) => row('award', v, 'award_id', str(v['supplier_name']), joined(v['buyer'], v['product'], v['awarded_on'])) },
  market_search_opportunities: { key: 'opportunities', read: (v) => row('opportunity', v, 'opportunity_id', str(v['title']), joined(v['buyer'], v['state'], v['deadline'])) },
  market_screen: { key: 'rows', read: (v) => row('supplier', { ...v, supplier_id: v['supplier_id'] ?? v['rfc'] }, 'supplier_id', str(v['name']) ?? str(v['rfc']), joined(v['rfc'], v['verdict'])) },
  people_search: { key: 'people', read: (v) => row('person', v, 'person_id', str(v['title']), joined(v['area'], v['seniority'])) },
  context_retrieve: { key: 'topics', read: (v) => row('topic', v, 'topic_id', str(v['title']), str(v['summary'])) },
  collection_query: { key: 'rows', read: (v) => row('record', { ...v, record_id: v['record_id'] ?? v['company_id'] }, 'record_id', str(v['name']) ?? str(v['company']), joined(v['stage'], v['state'], v['owner'])) },
  people_acquired: { key: 'acquired', read: (v) => { const contact = v['contact'] as Record<string, unknown> | undefined; return row('contact', v, 'person_id', str(contact?.['name']), joined(contact?.['title'])); } },
};

/** Rows of one result; empty for tools that list nothing. */
export const rowsOf = ({ name, ok, result }: Pick<Worked, 'name' | 'ok' | 'result'>): BoardRow[] => {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (!ok || !list || result === null || typeof result !== 'object') return [];
  const values = (result as Record<string, unknown>)[list.key];
  if (!Array.isArray(values)) return [];
  return values.flatMap((value) => (value !== null && typeof value === 'object' ? (list.read(value as Record<string, unknown>) ?? []) : []));
};

/** The rows of the turn's last list that had any. */
export const lastList = (worked: readonly Worked[]): { rows: BoardRow[]; from: Worked | null } => {
  for (const one of [...worked].reverse()) {
    const rows = rowsOf(one);
    // What was opened beside a list is not the list.
    if (rows.length > 0 && one.name !== 'people_acquired' && !(one.name === 'market_get_supplier_history' && worked.some((other) => other.name === 'market_search_awards' && rowsOf(other).length > 0))) return { rows, from: one };
  }
  return { rows: [], from: null };
};
