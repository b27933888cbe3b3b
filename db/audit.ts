import type { AuditEntry } from '../contracts/operations.js';
import { read, type Pool } from './client.js';

export interface AuditFilter {
  run?: string;
  actor?: string;
  operators?: boolean;
  before?: number;
  limit: number;
}

/** The list's statement, with only the conditions that were asked for. Exported for the test of its plans. */
export const auditQuery = (workspace: string, filter: AuditFilter): { text: string; values: unknown[] } => {
  const values: unknown[] = [workspace];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const where = [
    'workspace_id = $1',
    ...(filter.run === undefined ? [] : [`run_id = ${param(filter.run)}`]),
    ...(filter.actor === undefined ? [] : [`actor = ${param(filter.actor)}`]),
    ...(filter.operators ? [`action like 'ops.%'`] : []),
    ...(filter.before === undefined ? [] : [`id < ${param(filter.before)}`]),
  ];
  return {
    values,
    text: `select id, at, actor, channel, action, run_id, reason, result, detail from audit where ${where.join(' and ')} order by id desc limit ${param(filter.limit + 1)}`,
  };
};

/** Who did what, newest first: people, operators, and what was refused to them. */
export const listAudit = async (
  pool: Pool,
  workspace: string,
  filter: AuditFilter,
): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> => {
  const { text, values } = auditQuery(workspace, filter);
  const rows = await read(pool).q<AuditEntry>(text, values);
  const entries = rows.slice(0, filter.limit);
  return { entries, next_cursor: rows.length > filter.limit ? String(entries.at(-1)?.id ?? '') : null };
};
