import type { Missing } from '../../contracts/api.js';
import { safeLink } from '../decisions/safe-link.js';

export type Group = Missing['groups'][number];

/** Something a person can do about a group of what is missing. Each of them does something: none is a button that cannot be used. */
export type Way =
  /** Opens the form of a new campaign, filled with what is missing. */
  | { kind: 'new_run'; label: 'web.missing.way.role' | 'web.missing.way.again' | 'web.missing.way.wider'; href: string }
  | { kind: 'page'; label: 'web.missing.way.suppressions' | 'web.missing.way.operator' | 'web.missing.way.runs'; href: string }
  | { kind: 'elsewhere'; label: 'web.missing.way.topup'; href: string }
  | { kind: 'recheck'; label: 'view.button.recheck' | 'web.missing.way.recheck_queries' }
  | { kind: 'retry'; label: 'web.missing.way.retry' }
  | { kind: 'copy_link'; label: 'web.missing.way.copy' | 'web.missing.way.copy_seller' };

export interface About {
  run: string;
  final: boolean;
  roles: ReadonlyArray<'seller' | 'approver' | 'operator'>;
  topup: string | null;
}

/** Where the form of a new campaign is, filled with a group of a run. `wider`: companies are searched anew, else the same accounts. */
export const newRunFrom = (run: string, reason: string, how: 'role' | 'again' | 'wider'): string =>
  `/campanas?${new URLSearchParams({ nueva: '1', de: run, motivo: reason, como: how }).toString()}`;

const COPY: Way = { kind: 'copy_link', label: 'web.missing.way.copy' };
const COPY_SELLER: Way = { kind: 'copy_link', label: 'web.missing.way.copy_seller' };

/** What there is to do about a group, the best first, whoever may do it. */
const everyWay = (group: Pick<Group, 'reason' | 'exit'>, { run, final, roles, topup }: About): Way[] => {
  const newRun = (how: 'role' | 'again' | 'wider'): Way => ({
    kind: 'new_run',
    label: `web.missing.way.${how}`,
    href: newRunFrom(run, group.reason, how),
  });
  const again = newRun('again');
  const operator = roles.includes('operator');
  switch (group.exit) {
    case 'exit.change_role':
      return [newRun('role')];
    case 'exit.widen_search':
      return [newRun('wider')];
    case 'exit.review_suppressions': {
      const list: Way = { kind: 'page', label: 'web.missing.way.suppressions', href: '/configuracion' };
      // Whoever sells can look at the list, and others take entries off it.
      return operator || roles.includes('approver') ? [list, newRun('wider')] : [newRun('wider'), list];
    }
    case 'exit.raise_queries':
      return final ? [again] : [{ kind: 'recheck', label: 'web.missing.way.recheck_queries' }, again];
    case 'exit.top_up': {
      const link = safeLink(topup);
      return [
        ...(link ? [{ kind: 'elsewhere', label: 'web.missing.way.topup', href: link } as const] : []),
        ...(final ? [] : [{ kind: 'recheck', label: 'view.button.recheck' } as const]),
        again,
      ];
    }
    // Only an open campaign tries again what failed, and only for an operator; another one with the same accounts is anybody's who sells.
    case 'exit.retry_failed':
      return final ? [again] : operator ? [{ kind: 'retry', label: 'web.missing.way.retry' }, again] : [again, COPY];
    // What the other one reveals is copied, never paid again.
    case 'exit.other_campaign':
      return [{ kind: 'page', label: 'web.missing.way.runs', href: '/campanas' }, again];
    // Never tried again: whether it was charged is not known. It settles by itself, or by an operator.
    case 'exit.wait_or_operator':
      return operator ? [{ kind: 'page', label: 'web.missing.way.operator', href: '/operacion#por-confirmar' }] : [COPY];
    default:
      return [again];
  }
};

/** What this person can do about a group, the best first. A campaign is started by whoever sells; to others there is the link to send. */
export const waysOf = (group: Pick<Group, 'reason' | 'exit'>, about: About): Way[] => {
  const ways = everyWay(group, about);
  if (about.roles.includes('seller')) return ways;
  const left = ways.filter((way) => way.kind !== 'new_run');
  return left.length > 0 ? left : [COPY_SELLER];
};
