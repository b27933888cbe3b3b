import type { Company } from '../contracts/tools/companies.js';
import type { CompaniesResult, SearchCall, SearchPage } from '../workflows/recipes/companies.js';
import { withRun, type LockedRun } from './events.js';
import { capture, sums, voidHolds } from './ledger.js';
import { dropAccounts } from './accounts.js';
import { suppressAccounts } from './people.js';
import type { Pool } from './client.js';

export interface DonePage {
  args: SearchCall['args'];
  page: SearchPage;
}

/** The pages a search has already paid for: a retried search starts from them and never asks again. */
export const donePages = async (run: LockedRun): Promise<DonePage[]> => {
  const rows = await run.tx.q<{ memory: DonePage }>(
    `select memory from run_steps where run_id = $1 and step like 's1/page/%' order by step`,
    [run.id],
  );
  return rows.map((r) => r.memory);
};

const pageStep = (n: number): string => `s1/page/${String(n).padStart(5, '0')}`;

/** Stores one page and captures its query, in one transaction. @returns false when the run stopped meanwhile. */
export const storePage = (pool: Pool, workspace: string, runId: string, n: number, done: DonePage, found: number): Promise<boolean> =>
  withRun(pool, workspace, runId, async (run) => {
    // A row per page: a list in one row would be written anew with each of two hundred.
    const stored = await run.tx.q(
      `insert into run_steps (run_id, step, memory) values ($1, $2, $3) on conflict do nothing returning step`,
      [run.id, pageStep(n), JSON.stringify(done)],
    );
    if (stored.length > 0) {
      const [hold] = await run.tx.q<{ id: string; amount: number }>(
        `select id, amount from holds where run_id = $1 and step = 's1' and item = $2 and state = 'live' limit 1`,
        [run.id, `page:${n}`],
      );
      const spent = hold ? sums(await capture(run.tx, [{ id: hold.id, amount: hold.amount }])).queries.captured : 0;
      const s1 = run.paso('s1');
      run.emit(
        'companies.page',
        { page: n, found },
        {
          ...run.budget({ queries: [-spent, spent] }),
          ...(s1
            ? {
                pasos: [
                  {
                    id: 's1',
                    conteo: { done: Math.min(found, run.row.cuentas), total: run.row.cuentas, unit: 'company' },
                    cost: { ...s1.cost, held: s1.cost.held - spent, spent: s1.cost.spent + spent },
                  },
                ],
              }
            : {}),
        },
      );
    }
    return run.row.control === 'run' && !run.final;
  });

/** Gives the accounts their companies, says what plan B left out, lets unused queries go, and takes suppressed companies out. */
export const storeCompanies = (
  pool: Pool,
  workspace: string,
  runId: string,
  result: CompaniesResult,
  suppressionKey: string,
): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    const slots = await run.tx.q<{ position: number; hold_id: string | null }>(
      `select position, hold_id from accounts where run_id = $1 and company_id is null and state = 'pending' order by position`,
      [run.id],
    );
    const filled = result.companies
      .slice(0, slots.length)
      .map((c: Company, i) => ({
        position: slots[i]?.position ?? 0,
        ref: c.ref,
        company_id: c.company_id,
        name: c.name.slice(0, 10_000).replaceAll('\u0000', ''),
        rfc: c.rfc,
        domain: c.domain,
      }));
    await run.tx.q(
      `update accounts a set company_ref = x.ref, company_id = x.company_id, name = x.name, rfc = x.rfc, domain = x.domain, updated_at = now()
       from jsonb_to_recordset($2::jsonb) as x (position int, ref text, company_id text, name text, rfc text, domain text) where a.run_id = $1 and a.position = x.position`,
      [run.id, JSON.stringify(filled)],
    );
    const empty = slots.slice(filled.length);
    if (empty.length > 0) {
      await run.tx.q(
        `update accounts set state = 'not_found', reason = '{"code":"no_company","params":{}}', updated_at = now() where run_id = $1 and position = any($2)`,
        [run.id, empty.map((e) => e.position)],
      );
      await dropAccounts(run, empty, 'not_found');
    }
    const left = await run.tx.q<{ id: string }>(`select id from holds where run_id = $1 and step = 's1' and state = 'live'`, [run.id]);
    await voidHolds(
      run.tx,
      left.map((l) => l.id),
      'search_over',
    );
    await run.tx.q(`update runs set plan_b = $2 where id = $1`, [run.id, JSON.stringify(result.dropped)]);
    run.row.plan_b = result.dropped;
    const s1 = run.paso('s1');
    // All that the step still held, also by pages whose query a loss at the provider had taken back.
    const freed = s1?.cost.held ?? 0;
    const last = result.dropped.at(-1);
    run.emit(
      'companies.found',
      { n: filled.length, dropped: result.dropped.map((d) => d.dropped).join(' '), short: result.short },
      {
        ...run.budget({ queries: [-freed, 0] }),
        ...(s1
          ? {
              pasos: [
                {
                  id: 's1',
                  status: filled.length === 0 ? 'partial' : filled.length < run.row.cuentas ? 'partial' : 'done',
                  conteo: { done: filled.length, total: run.row.cuentas, unit: 'company' },
                  cost: { ...s1.cost, held: s1.cost.held - freed },
                  reason:
                    filled.length === 0
                      ? { code: 'no_companies', params: { dropped: result.dropped.map((d) => d.value).join(', ') } }
                      : last
                        ? { code: 'plan_b_used', params: { dropped: result.dropped.map((d) => d.value).join(', '), found: last.found } }
                        : result.short
                          ? { code: result.short, params: { n: filled.length, total: run.row.cuentas } }
                          : null,
                },
              ],
            }
          : {}),
      },
    );
    await suppressAccounts(run, suppressionKey);
  });
