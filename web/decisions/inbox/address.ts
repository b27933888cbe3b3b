import type { DecisionTab } from '../../../contracts/api.js';
import type { DecisionSort } from '../../data/api.js';

/** The API's tabs, in the order of the page. */
export const DECISION_TABS = ['open', 'resolved', 'expired', 'superseded'] as const satisfies readonly DecisionTab[];

/** What of the inbox is in its address, so that a reload or a link shows the same. */
export interface View {
  tab: DecisionTab;
  sort: DecisionSort;
}

const TABS: Record<DecisionTab, string> = { open: 'abiertas', resolved: 'resueltas', expired: 'caducadas', superseded: 'sustituidas' };
const SORTS: Record<DecisionSort, string> = { expires: 'vence', amount: 'monto', newest: 'nuevas' };
/** What needs an answer soonest comes first; of what is over, the latest. */
export const usualSort = (tab: DecisionTab): DecisionSort => (tab === 'open' ? 'expires' : 'newest');

const named = <T extends string>(names: Record<T, string>, value: string | null): T | undefined =>
  (Object.keys(names) as T[]).find((key) => names[key] === value);

export const readView = (search: string): View => {
  const params = new URLSearchParams(search);
  const tab = named(TABS, params.get('vista')) ?? DECISION_TABS[0];
  return { tab, sort: named(SORTS, params.get('orden')) ?? usualSort(tab) };
};

export const hrefOf = ({ tab, sort }: View): string => {
  const params = new URLSearchParams();
  if (tab !== DECISION_TABS[0]) params.set('vista', TABS[tab]);
  if (sort !== usualSort(tab)) params.set('orden', SORTS[sort]);
  const query = params.toString();
  return `/decisiones${query === '' ? '' : `?${query}`}`;
};
