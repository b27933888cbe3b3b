import type { OpsRun } from '../../contracts/operations.js';
import { isFinal } from '../../contracts/states.js';
import type { OpsActionName } from '../data/api.js';

/** What an operator may do to a run as it is now. Never "terminate": that is for nobody, and the reconciler settles runs that were. */
export const actionsFor = (run: Pick<OpsRun, 'state' | 'control' | 'counts' | 'open_effects'>): OpsActionName[] => {
  const open = !isFinal(run.state) && run.control !== 'cancel';
  return [
    ...(open && run.control === 'run' ? (['pause'] as const) : []),
    ...(open && run.control === 'pause' ? (['resume'] as const) : []),
    ...(open && run.counts.failed > 0 ? (['retry-failed'] as const) : []),
    ...(run.open_effects.some((e) => e.state === 'unconfirmed') ? (['settle-unconfirmed'] as const) : []),
    'repair-projection',
    ...(open ? (['cancel'] as const) : []),
  ];
};
