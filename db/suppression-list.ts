import type { Caller, Suppression } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import { auditRow } from './events.js';
import type { Tx } from './client.js';

/** The list as far as anybody may see it: kinds and dates; what was listed is only known as a hash. Newest first. */
export const listSuppressions = async (
  tx: Tx,
  workspace: string,
  options: { limit: number; before?: string },
): Promise<{ suppressions: Suppression[]; next_cursor: string | null }> => {
  const rows = await tx.q<Suppression>(
    `select id, kind, created_at from suppressions where workspace_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
    [workspace, options.before ?? null, options.limit + 1],
  );
  const page = rows.slice(0, options.limit);
  return { suppressions: page, next_cursor: rows.length > options.limit ? (page.at(-1)?.id ?? null) : null };
};

/** Takes one entry off the list. @throws Refusal 404 `suppression_not_found` */
export const removeSuppression = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  const gone = await tx.q<{ kind: string }>(`delete from suppressions where workspace_id = $1 and id = $2 returning kind`, [
    caller.workspace,
    id,
  ]);
  if (gone.length === 0) throw new Refusal(404, 'suppression_not_found', { suppression_id: id });
  await auditRow(tx, {
    workspace: caller.workspace,
    actor: caller.sub,
    channel: caller.channel,
    action: 'suppression.removed',
    detail: { suppression_id: id, kind: gone[0]?.kind ?? '' },
  });
};
