import { z } from 'zod';
import {
  Balances,
  ControlAccepted,
  DecisionPage,
  ItemPage,
  LoginCode,
  PlanEstimate,
  ReplanImpact,
  RunAccepted,
  RunPage,
  type Item,
} from '../contracts/api.js';
import type { CreateRun, Replan } from '../contracts/criteria.js';
import { Decision, type ResolveDecision } from '../contracts/decision.js';
import { AuditPage, Invariants, OpsDone, OpsOverview, OpsRunPage } from '../contracts/operations.js';
import { Progress } from '../contracts/progress.js';
import { Receipt } from '../contracts/receipt.js';
import { SkillList, SkillStateSet, SkillUsage, type PutSkillState, type SkillScope } from '../contracts/skills.js';
import { Thread, Turn } from '../contracts/turn.js';
import type { Client } from './client.js';

/** What a run's own page adds to its summary, as far as this command needs it. */
const RunPlace = z.object({ workflow_id: z.string() });
const Session = z.object({
  sub: z.string(),
  workspace: z.string(),
  roles: z.array(z.string()),
  expires_at: z.iso.datetime(),
  zone: z.string(),
});

export type OpsName = 'pause' | 'resume' | 'cancel' | 'retry-failed' | 'settle-unconfirmed' | 'repair-projection';
export interface OpsBody {
  reason: string;
  effect_id?: string;
  outcome?: 'captured' | 'voided';
}

const id = encodeURIComponent;
const query = (params: Record<string, string | number | undefined>): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) given.set(name, String(value));
  return given.size > 0 ? `?${given.toString()}` : '';
};

/** The routes this command uses, each with its body. */
export const api = {
  estimate: (c: Client, body: CreateRun) => c.change('/v1/runs?dry_run=true', body, PlanEstimate),
  createRun: (c: Client, body: CreateRun) => c.change('/v1/runs', body, RunAccepted),
  runs: (c: Client, limit = 50) => c.get(`/v1/runs${query({ limit })}`, RunPage),
  run: (c: Client, run: string) => c.get(`/v1/runs/${id(run)}`, RunPlace),
  loginCode: (c: Client) => c.change('/v1/session/codes', {}, LoginCode),
  session: (c: Client) => c.get('/v1/session', Session),
  progress: (c: Client, run: string) => c.get(progressPath(run), Progress),
  receipt: (c: Client, run: string) => c.get(`/v1/runs/${id(run)}/receipt`, Receipt),
  control: (c: Client, run: string, action: 'pause' | 'resume' | 'cancel' | 'recheck-balance', reason?: string) =>
    c.change(`/v1/runs/${id(run)}/${action}`, reason === undefined ? {} : { reason }, ControlAccepted),
  replan: (c: Client, run: string, body: Replan, dryRun: boolean) =>
    c.change(`/v1/runs/${id(run)}/replan${dryRun ? '?dry_run=true' : ''}`, body, ReplanImpact),
  balances: (c: Client) => c.get('/v1/balances', Balances),
  /** One decision: its first five items, or all of them with `full`. */
  decision: (c: Client, decision: string, full = false) => c.get(`/v1/decisions/${id(decision)}${full ? '?full=true' : ''}`, Decision),
  decisions: (c: Client, filter: { run?: string; state?: string; limit?: number; cursor?: string }) =>
    c.get(`/v1/decisions${query({ run_id: filter.run, state: filter.state, limit: filter.limit, cursor: filter.cursor })}`, DecisionPage),
  resolve: (c: Client, decision: string, body: ResolveDecision) => c.change(`/v1/decisions/${id(decision)}/resolve`, body, Decision),
  reopen: (c: Client, decision: string) => c.change(`/v1/decisions/${id(decision)}/reopen`, {}, Decision),
  undo: (c: Client, decision: string) => c.change(`/v1/decisions/${id(decision)}/undo`, {}, Decision),
  suppress: (c: Client, entries: ReadonlyArray<{ kind: string; value: string }>) => c.change('/v1/suppressions', { entries }, z.unknown()),
  opsRuns: (c: Client, filter: { state?: string; idle?: 'true'; unconfirmed?: 'true' }) =>
    c.get(`/v1/ops/runs${query({ ...filter, limit: 100 })}`, OpsRunPage),
  invariants: (c: Client) => c.get('/v1/ops/invariants', Invariants),
  opsOverview: (c: Client) => c.get('/v1/ops/overview', OpsOverview),
  audit: (c: Client, filter: { run_id?: string; ops?: 'true'; limit?: number }) => c.get(`/v1/ops/audit${query(filter)}`, AuditPage),
  opsAction: (c: Client, run: string, action: OpsName, body: OpsBody) => c.change(`/v1/ops/runs/${id(run)}/${action}`, body, OpsDone),
  skills: (c: Client) => c.get('/v1/skills', SkillList),
  skillUsage: (c: Client) => c.get('/v1/skills/usage', SkillUsage),
  putSkillState: (c: Client, name: string, at: { scope: SkillScope; scope_id?: string }, body: z.infer<typeof PutSkillState>) =>
    c.change(`/v1/skills/${id(name)}/state${query({ ...at })}`, body, SkillStateSet, 'PUT'),
  createThread: (c: Client) => c.change('/v1/threads', {}, Thread, 'POST'),
  thread: (c: Client, thread: string, turns = 1) => c.get(`${threadPath(thread)}${query({ turns })}`, Thread),
  stopTurn: (c: Client, path: string) => c.change(path, undefined, Turn, 'DELETE'),
  /** Every item of a run, page after page. */
  async items(c: Client, run: string): Promise<Item[]> {
    const all: Item[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await c.get(`/v1/runs/${id(run)}/items${query({ limit: 500, cursor })}`, ItemPage);
      all.push(...page.items);
      if (page.next_cursor === null || page.items.length === 0) return all;
      cursor = page.next_cursor;
    }
  },
};

export const progressPath = (run: string, wait?: string): string => `/v1/runs/${id(run)}/progress${query({ wait })}`;
export const threadPath = (thread: string): string => `/v1/threads/${id(thread)}`;
