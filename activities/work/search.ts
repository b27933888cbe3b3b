import { companySearch } from '../../contracts/tools/companies.js';
import { donePages, storeCompanies, storePage } from '../../db/companies.js';
import { blockRun } from '../../db/people.js';
import { withRun } from '../../db/events.js';
import { pauseProvider } from '../../db/lanes.js';
import { searchPages } from '../../workflows/budget.js';
import { findCompanies, type SearchCall, type SearchFilters, type SearchPage } from '../../workflows/recipes/companies.js';
import { ToolFailure } from '../mcp.js';
import type { Context } from '../context.js';
import type { RunRef } from '../../workflows/directives.js';
import { asLane } from './lane.js';

/** Tries of one page before the run pauses and says why. */
const TRIES = 6;

/**
 * Drives the recipe that finds companies, one page at a time: each page and its captured query are committed before the next is
 * asked for, and a retry starts from the pages already paid for.
 */
export const searchCompanies = async (ctx: Context, { workspace, run }: RunRef): Promise<void> =>
  asLane(ctx, run, 's1', async (lane) => {
    const start = await withRun(ctx.pool, workspace, run, async (locked) => ({
      pages: await donePages(locked),
      row: locked.row,
      open: locked.body.counts.total - locked.body.counts.skipped,
      done: ['done', 'partial'].includes(locked.paso('s1')?.status ?? ''),
    }));
    if (start.done) return;
    const { criteria, plan_max, cuentas } = start.row;
    const filters: SearchFilters = {
      activity: criteria.giro,
      ...(criteria.estado ? { state: criteria.estado } : {}),
      ...(criteria.tamano ? { size: criteria.tamano } : {}),
    };
    const wanted = Math.min(cuentas, start.open);
    const recipe = findCompanies(filters, wanted, Math.min(searchPages(wanted), plan_max?.queries ?? 0));
    let step = recipe.next();
    let n = 0;
    const found = new Set<string>();
    while (!step.done) {
      const args = step.value.args;
      let page: SearchPage | undefined = start.pages[n]?.page;
      if (!page) {
        page = await askPage(ctx, workspace, run, args, lane);
        if (!page) return;
        for (const c of page.companies) found.add(c.company_id);
        if (!(await storePage(ctx.pool, workspace, run, n + 1, { args, page }, found.size))) return;
      } else for (const c of page.companies) found.add(c.company_id);
      n += 1;
      step = recipe.next(page);
    }
    await storeCompanies(ctx.pool, workspace, run, step.value, ctx.env.CAMPANA_SUPPRESSION_KEY);
  });

const askPage = async (
  ctx: Context,
  workspace: string,
  run: string,
  args: SearchCall['args'],
  lane: { signal: AbortSignal; sleep(ms: number): Promise<void> },
): Promise<SearchPage | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.tools.call(workspace, companySearch, args, { scope: 'read', signal: lane.signal });
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (lane.signal.aborted) throw error;
      const fatal = error.effect === 'refused' && !error.passing;
      if (fatal || attempt >= TRIES) {
        // A person decides: the filters are wrong for this provider, or it does not answer. Nothing is lost.
        await withRun(ctx.pool, workspace, run, (locked) =>
          blockRun(locked, 's1', { code: fatal ? 'search_refused' : 'provider_unreachable', params: { code: error.code } }),
        );
        return undefined;
      }
      const wait = error.retryAfterMs ?? Math.min(200 * 2 ** attempt, 10_000);
      if (error.code === 'rate_limited') {
        await withRun(ctx.pool, workspace, run, async (locked) => {
          await pauseProvider(locked.tx, workspace, locked.row.prices?.provider ?? 'mcp', wait);
          locked.emit(
            'provider.waiting',
            { ms: wait },
            { reason: { code: 'provider_limit', params: { seconds: Math.ceil(wait / 1000) } } },
          );
        });
      }
      await lane.sleep(wait);
    }
  }
};
