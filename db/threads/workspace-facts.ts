import type { MoneyKind } from '../../contracts/states.js';
import { one, read, type Pool } from '../client.js';

/** What a turn is told of its workspace. */

export interface WorkspaceFacts {
  balances: Record<MoneyKind, number>;
  sequences: { draft: number; approved: number };
  integrations: string[] | null;
  capabilities: string[] | null;
  read_at: string | null;
}

/** Balances, sequences and connections as our rows know them, in one statement. A workspace that nobody has seen has nothing. */
export const workspaceFacts = async (pool: Pool, workspace: string): Promise<WorkspaceFacts> => {
  const [row] = await read(pool).q<{
    credits: number;
    queries: number;
    inference: number;
    draft: number;
    approved: number;
    integrations: string[] | null;
    capabilities: string[] | null;
    read_at: string | null;
  }>(
    `select b.*, s.*, w.integrations, w.capabilities, w.read_at
     from (select coalesce(sum(available) filter (where kind = 'credits'), 0)::bigint as credits, coalesce(sum(available) filter (where kind = 'queries'), 0)::bigint as queries,
             coalesce(sum(available) filter (where kind = 'inference'), 0)::bigint as inference from ada_balances where workspace_id = $1) b
     cross join (select count(*) filter (where state = 'draft')::int as draft, count(*) filter (where state = 'approved')::int as approved from sequences where workspace_id = $1) s
     left join workspaces w on w.id = $1`,
    [workspace],
  );
  const { credits, queries, inference, draft, approved, ...rest } = one(row ? [row] : [], 'workspace facts');
  return { balances: { credits, queries, inference }, sequences: { draft, approved }, ...rest };
};
