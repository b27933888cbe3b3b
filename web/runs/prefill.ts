import type { Item, Run } from '../../contracts/api.js';
import { getRun, listRunItems } from '../data/api.js';

/** What the form of a new campaign starts with. `accounts`: the same companies again, which need no new search. */
export interface Prefill {
  giro: string;
  estado: string;
  cargo: string;
  tamano: string;
  cuentas: number;
  hasta: Run['hasta'];
  accounts: Array<{ ref: string; name: string }> | null;
  from: { run: string; objetivo: string; reason: string; how: 'role' | 'again' | 'wider' } | null;
}
/** As many as one campaign may have. */
const MOST = 5_000;

export const EMPTY: Prefill = { giro: '', estado: '', cargo: '', tamano: '', cuentas: 50, hasta: 'borradores', accounts: null, from: null };

/** The form's start for what is missing of a run. Another role is for the person to say: the old one found nobody. */
export const prefillOf = (run: Run, items: Item[], reason: string, how: 'role' | 'again' | 'wider'): Prefill => {
  const { criteria } = run;
  const named = new Map(
    items.flatMap(({ company }) => (company ? [[company.ref, { ref: company.ref, name: company.name || company.ref }] as const] : [])),
  );
  const accounts = how === 'wider' || named.size === 0 ? null : [...named.values()].slice(0, MOST);
  const wider = how === 'wider';
  return {
    giro: criteria.giro,
    estado: wider ? '' : (criteria.estado ?? ''),
    tamano: wider ? '' : (criteria.tamano ?? ''),
    cargo: how === 'role' ? '' : criteria.cargo,
    cuentas: Math.min(MOST, Math.max(1, accounts?.length ?? items.length)),
    hasta: run.hasta === 'cuentas' && accounts ? 'personas' : run.hasta,
    accounts,
    from: { run: run.run_id, objetivo: run.objetivo, reason, how },
  };
};

/** Reads what the address of the form names. */
export const readPrefill = async (search: URLSearchParams): Promise<Prefill> => {
  const run = search.get('de');
  const reason = search.get('motivo');
  if (!run || !reason)
    return { ...EMPTY, giro: search.get('giro') ?? '', estado: search.get('estado') ?? '', cargo: search.get('cargo') ?? '' };
  const asked = search.get('como');
  const how = asked === 'role' || asked === 'wider' ? asked : 'again';
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listRunItems>> = await listRunItems(run, { missing: true, reason, limit: 500, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < MOST);
  return prefillOf(await getRun(run), items, reason, how);
};
