import type { Missing } from '../../contracts/api.js';
import { safeLink } from '../decisions/safe-link.js';

export type Group = Missing['groups'][number];

/** Something a person can do about a group of what is missing. Each of them does something: none is a button that cannot be used. */
export type Way =
  /** Opens the form of a new campaign, filled with what is missing. */
  | { kind: 'new_run'; label: 'web.missing.way.role' | 'web.missing.way.again' | 'web.missing.way.wider'; href: string }
  | { kind: 'page'; label: 'web.missing.way.suppressions' | 'web.missing.way.operator'; href: string }
  | { kind: 'elsewhere'; label: 'web.missing.way.topup'; href: string }
  | { kind: 'recheck'; label: 'view.button.recheck' | 'web.missing.way.recheck_queries' }
  | { kind: 'retry'; label: 'web.missing.way.retry' }
  | { kind: 'copy_link'; label: 'web.missing.way.copy' };

export interface About { run: string; final: boolean; operator: boolean; topup: string | null }

/** Where the form of a new campaign is, filled with a group of a run. `wider`: companies are searched anew, else the same accounts. */
export const newRunFrom = (run: string, reason: string, how: 'role' | 'again' | 'wider'): string => `/campanas?${new URLSearchParams({ nueva: '1', de: run, motivo: reason, como: how }).toString()}`;

/** What can be done about a group, the best first. */
export const waysOf = (group: Pick<Group, 'reason' | 'exit'>, about: About): Way[] => {
  const { run, final, operator, topup } = about;
  const again: Way = { kind: 'new_run', label: 'web.missing.way.again', href: newRunFrom(run, group.reason, 'again') };
  switch (group.exit) {
    case 'exit.change_role': return [{ kind: 'new_run', label: 'web.missing.way.role', href: newRunFrom(run, group.reason, 'role') }];
    case 'exit.widen_search': return [{ kind: 'new_run', label: 'web.missing.way.wider', href: newRunFrom(run, group.reason, 'wider') }];
    case 'exit.review_suppressions': return [{ kind: 'page', label: 'web.missing.way.suppressions', href: '/configuracion' }];
    case 'exit.raise_queries': return final ? [again] : [{ kind: 'recheck', label: 'web.missing.way.recheck_queries' }, again];
    case 'exit.top_up': {
      const link = safeLink(topup);
      return [...(link ? [{ kind: 'elsewhere', label: 'web.missing.way.topup', href: link } as const] : []), ...(final ? [] : [{ kind: 'recheck', label: 'view.button.recheck' } as const]), again];
    }
    case 'exit.retry_failed': return operator ? [{ kind: 'retry', label: 'web.missing.way.retry' }] : [{ kind: 'copy_link', label: 'web.missing.way.copy' }];
    // Never tried again: whether it was charged is not known.
    case 'exit.wait_or_operator': return operator ? [{ kind: 'page', label: 'web.missing.way.operator', href: '/operacion#por-confirmar' }] : [{ kind: 'copy_link', label: 'web.missing.way.copy' }];
    default: return [again];
  }
};
