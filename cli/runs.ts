import { setTimeout as sleep } from 'node:timers/promises';
import type { Receipt } from '../contracts/receipt.js';
import { isFinal } from '../contracts/states.js';
import { api } from './api.js';
import type { Context } from './context.js';
import { CliExit, EXIT } from './exit.js';
import { standing } from '../view/run.js';
import { clean } from './words.js';

/**
 * The run a command means: the one named, else the newest that has not ended; with several of those a person chooses and a
 * script is told to. `ended` also accepts the newest ended one.
 */
export const whichRun = async (ctx: Context, given: string | undefined, options: { ended?: boolean } = {}): Promise<string> => {
  if (given) return given;
  const { runs } = await api.runs(ctx.client);
  const open = runs.filter((r) => !isFinal(r.state));
  const [first] = open.length > 0 ? open : options.ended ? runs.slice(0, 1) : [];
  if (!first) throw new CliExit(EXIT.usage, runs.length > 0 ? 'cli.error.no_open_run' : 'cli.error.no_runs');
  if (open.length <= 1) return first.run_id;
  const list = open
    .slice(0, 20)
    .map((r) => ({ value: r.run_id, label: `${clean(r.objetivo)} · ${ctx.words.say(`run.state.${r.state}`)} · ${r.run_id}` }));
  if (!ctx.term.interactive) {
    for (const { label } of list) ctx.tell(`  ${label}`);
    throw new CliExit(EXIT.usage, 'cli.error.which_run', { n: open.length });
  }
  const chosen = await ctx.prompt.choose(ctx.words.say('cli.ask.which_run'), list, first.run_id);
  if (chosen === null) throw new CliExit(EXIT.interrupted, null);
  return chosen;
};

/** The receipt of a run that ended; it is written a moment after the last version. */
export const receiptOf = async (ctx: Context, run: string): Promise<Receipt> => {
  const until = Date.now() + 15_000;
  for (;;) {
    try {
      return await api.receipt(ctx.client, run);
    } catch (error) {
      const early =
        error instanceof CliExit &&
        (error.problem?.status === 404 || error.problem?.status === 409) &&
        error.problem.code !== 'run_not_found';
      if (!early || Date.now() > until) throw error;
      await sleep(250, undefined, { signal: ctx.signal });
    }
  }
};

/** A receipt as lines for people: what was reached, what it cost, what is missing and the way out. */
export const receiptLines = (ctx: Pick<Context, 'words'>, r: Receipt): string[] => {
  const { words } = ctx;
  const lines = [
    words.say('view.receipt.title', { state: words.say(standing(r).text), run: r.run_id, lasted: words.lasted(r.seconds * 1000) }),
    `  ${words.say('step.count.s3', { done: r.counts.done, total: r.counts.total })} · ${words.say('view.receipt.contacts', { captured: r.contacts.captured, drafted: r.contacts.drafted })}`,
    `  ${words.say('view.receipt.cost', { credits: words.amount('credits', r.budget.credits.spent), queries: words.amount('queries', r.budget.queries.spent), inference: words.amount('inference', r.budget.inference.spent) })}`,
  ];
  if (r.freed.credits > 0 || r.freed.queries > 0)
    lines.push(
      `  ${words.say('view.receipt.freed', { credits: words.amount('credits', r.freed.credits), queries: words.amount('queries', r.freed.queries) })}`,
    );
  if (r.contacts.unconfirmed > 0) lines.push(`  ${words.say('view.receipt.unconfirmed', { n: r.contacts.unconfirmed })}`);
  for (const d of r.plan_b) lines.push(`  ${words.say('view.receipt.plan_b', { value: d.value, found: d.found })}`);
  if (r.drafts_by === 'template') lines.push(`  ${words.say('view.receipt.template')}`);
  if (r.reason) lines.push(`  ${words.reason(r.reason)}`);
  for (const m of r.missing)
    lines.push(
      `  ${words.say('view.receipt.missing', { n: m.count, reason: words.missing(m.reason), exit: m.exit ? words.say(m.exit) : '' })}`,
    );
  return lines;
};
