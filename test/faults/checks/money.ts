import type { World } from '../world.js';
import { CONCURRENCY } from '../world.js';

interface EffectRow {
  key: string;
  state: string;
  sent_at: Date;
  held_at: Date | null;
  amount: string | null;
  hold_state: string | null;
}
const SEARCHES = new Set(['people_search', 'company_search']);
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
const tally = (values: Array<string | null>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const v of values) if (v !== null) counts.set(v, (counts.get(v) ?? 0) + 1);
  return counts;
};
const most = (counts: Map<string, number>): number => Math.max(0, ...counts.values());

/** Our books against what the provider saw and charged. @returns what does not agree. */
export const moneyProblems = async (world: World): Promise<string[]> => {
  const problems: string[] = [];
  const claim = (ok: boolean, what: string): void => {
    if (!ok) problems.push(what);
  };
  const [{ calls, charges }, provider, balances] = await Promise.all([world.kitchen.log(), world.kitchen.row(), world.api.balances()]);
  const effects = await world.rows<EffectRow>(
    `select e.key, e.state, e.sent_at, h.created_at as held_at, h.amount, h.state as hold_state from effects e left join holds h on h.id = e.hold_id where e.workspace_id = $1 and e.kind = 'people_reveal'`,
    [world.workspace],
  );
  const [{ captured } = { captured: 0 }] = await world.rows<{ captured: number }>(
    `select coalesce(sum(amount), 0)::int as captured from transfers where workspace_id = $1 and account = 'credits' and kind = 'capture'`,
    [world.workspace],
  );

  const paid = charges.filter((c) => c.kind === 'credits');
  const charged = sum(paid.map((c) => c.amount));
  const doubtful = sum(effects.filter((e) => e.state === 'unconfirmed').map((e) => Number(e.amount ?? 0)));
  claim(balances.credits.spent === captured, `I3 credits spent ${balances.credits.spent} are not the captures ${captured}`);
  claim(
    charged >= captured && charged <= captured + doubtful,
    `I3 the provider charged ${charged}, we captured ${captured} with ${doubtful} unconfirmed`,
  );
  claim(most(tally(paid.map((c) => c.key))) <= 1, 'I3 the provider charged a key twice');
  claim(most(tally(paid.map((c) => c.target))) <= 1, 'I3 the provider charged a contact twice');

  const reveals = calls.filter((c) => c.tool === 'people_reveal');
  const byKey = new Map(effects.map((e) => [e.key, e]));
  const stray = reveals.filter((c) => !byKey.has(c.key ?? ''));
  claim(stray.length === 0, `I4 ${stray.length} reveal calls without an effect row`);
  const allowed = provider.honours_keys ? 2 : 1;
  claim(most(tally(reveals.map((c) => c.key))) <= allowed, `I3 a reveal was called more than ${allowed} times under one key`);
  const unheld = reveals.filter((c) => {
    const effect = byKey.get(c.key ?? '');
    return effect?.held_at && !(effect.held_at.getTime() <= Date.parse(c.at) && effect.sent_at.getTime() <= Date.parse(c.at) + 1);
  });
  claim(
    unheld.length === 0 && effects.every((e) => e.held_at !== null),
    `I4 ${unheld.length} reveal calls before their hold or their effect row`,
  );
  const first = calls
    .filter((c) => SEARCHES.has(c.tool) || c.tool === 'people_reveal')
    .map((c) => Date.parse(c.at))
    .sort((a, b) => a - b)[0];
  const [{ held } = { held: null }] = await world.rows<{ held: Date | null }>(
    `select min(created_at) as held from holds where workspace_id = $1`,
    [world.workspace],
  );
  claim(first === undefined || (held !== null && held.getTime() <= first), 'I4 something that costs was called before anything was held');

  // Every account once, every page once, and what was out at each death once more. Calls that came to nothing are no searches.
  const done = calls.filter((c) => SEARCHES.has(c.tool) && c.outcome === 'ok' && (c.delivery === 'sent' || c.delivery === 'twice')).length;
  const [{ queries } = { queries: 0 }] = await world.rows<{ queries: number }>(
    `select count(*)::int as queries from holds where workspace_id = $1 and kind = 'queries'`,
    [world.workspace],
  );
  claim(done <= queries + CONCURRENCY * world.deaths, `I3 ${done} searches for ${queries} held queries and ${world.deaths} deaths`);
  const unclean = calls.filter((c) => SEARCHES.has(c.tool) && !(c.outcome === 'ok' && c.delivery === 'sent')).length;
  const counted = sum(charges.filter((c) => c.kind === 'queries').map((c) => c.amount));
  claim(
    Math.abs(counted - balances.queries.spent) <= unclean + CONCURRENCY * world.deaths,
    `I3 the provider counted ${counted} queries, we captured ${balances.queries.spent}`,
  );
  return problems;
};
