import { peopleSearch } from '../../contracts/tools/people.js';
import { peopleTick, type PeopleEntry, type PeopleItem, type PeopleOutcome, type PeopleTurn, type Stop } from '../../db/people.js';
import { choosePerson } from '../../workflows/choose.js';
import { ToolFailure } from '../mcp.js';
import type { Context } from '../context.js';
import type { RunRef } from '../../workflows/directives.js';
import { asLane } from './lane.js';
import { batcher } from './batcher.js';

/** Tries of one account's search before the account, and only it, is given up: about 14 s, longer than a provider takes to restart. */
const TRIES = 8;
export interface LaneResult {
  done: number;
  stop: Stop;
}

/** The lanes of the people step in this process; they share transactions. */
export const peopleLanes = (ctx: Context) => {
  const tick = batcher<PeopleEntry, PeopleTurn>((key, entries) => {
    const [workspace = '', run = '', planVersion = '0'] = key.split('\u0000');
    return peopleTick(ctx.pool, workspace, run, Number(planVersion), entries);
  });

  /** One lane: claims accounts one at a time, looks for a person at each, until none is left or the run stops. */
  return async ({ workspace, run, plan_version }: RunRef & { plan_version: number; lane: number; lanes: number }): Promise<LaneResult> =>
    asLane(ctx, run, 's3', async (lane) => {
      const key = [workspace, run, plan_version].join('\u0000');
      let outcome: PeopleOutcome | null = null;
      let done = 0;
      for (;;) {
        const turn: PeopleTurn = await tick(key, { lane: { id: lane.id, attempt: lane.attempt }, outcome, wants: !lane.signal.aborted });
        outcome = null;
        if ('stop' in turn) return { done, stop: turn.stop };
        if ('waitMs' in turn) {
          await lane.sleep(Math.min(Math.max(turn.waitMs, 10), 5000));
          continue;
        }
        outcome = await searchOne(ctx, workspace, turn.item, lane);
        if (outcome.state !== 'again') lane.done((done += 1));
      }
    });
};

/** Refusals that every account would get: the run pauses with the reason instead of using the accounts up. */
export const BLOCKING = new Set([
  'unauthorized',
  'tool_missing',
  'tool_not_found',
  'no_token',
  'forbidden_scope',
  'insufficient_queries',
  'bad_request',
]);

const searchOne = async (
  ctx: Context,
  workspace: string,
  item: PeopleItem,
  lane: { signal: AbortSignal; sleep(ms: number): Promise<void> },
): Promise<PeopleOutcome> => {
  const { position } = item;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = await ctx.tools.call(
        workspace,
        peopleSearch,
        { company_id: item.company_id, role: item.role },
        { scope: 'read', signal: lane.signal },
      );
      const best = choosePerson(found.people, item.role, Date.now());
      return best.choice
        ? { position, state: 'chosen', choice: best.choice, counted: true }
        : { position, state: 'not_found', reason: { code: best.reason, params: { looked_at: found.people.length } }, counted: true };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (lane.signal.aborted) return { position, state: 'again', waitMs: 0, reason: { code: 'provider_unreachable', params: {} } };
      if (error.code === 'rate_limited') {
        const waitMs = error.retryAfterMs ?? 1000;
        return { position, state: 'again', waitMs, reason: { code: 'provider_limit', params: { seconds: Math.ceil(waitMs / 1000) } } };
      }
      if (BLOCKING.has(error.code))
        return { position, state: 'blocked', reason: { code: 'provider_refused', params: { code: error.code } } };
      // Nobody is there to ask: not this account's fault, so it waits without using up its tries.
      if (error.effect === 'not_sent')
        return { position, state: 'again', waitMs: 1000, reason: { code: 'provider_unreachable', params: {} } };
      if (error.passing && attempt < TRIES) {
        await lane.sleep(Math.min(100 * 2 ** attempt, 4000));
        continue;
      }
      // After a cut or unreadable reply the provider may have counted the query: it stays captured until its own balance says otherwise.
      return {
        position,
        state: 'failed',
        reason: { code: 'search_failed', params: { code: error.code } },
        counted: error.counted || (error.effect === 'unknown' && error.code !== 'server_error'),
      };
    }
  }
};
