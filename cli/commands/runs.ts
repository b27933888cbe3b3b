import type { Item } from '../../contracts/api.js';
import type { Replan } from '../../contracts/criteria.js';
import { isFinal, type Hasta } from '../../contracts/states.js';
import { api } from '../api.js';
import { renderCard, renderLine } from '../card/render.js';
import { printJson, type Context } from '../context.js';
import { csvLine } from '../csv.js';
import { CliExit, EXIT, exitOfRun, type ExitCode } from '../exit.js';
import { runLinks } from '../links.js';
import { receiptLines, receiptOf, whichRun } from '../runs.js';
import { Watch } from '../watch.js';
import { clean } from '../words.js';
import { inWorkspaceZone } from '../zone.js';

/** Yes or `--si`, or the command ends without having changed anything. */
export const agreed = async (ctx: Context, question: string, yes: boolean | undefined): Promise<void> => {
  if (yes) return;
  if (!ctx.term.interactive) throw new CliExit(EXIT.usage, 'cli.error.confirm_free');
  if (!(await ctx.prompt.yes(question))) throw new CliExit(EXIT.ok, 'cli.said.nothing_changed');
};

export const show = async (ctx: Context, given: string | undefined, flags: { recibo?: boolean }): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const run = await whichRun(ctx, given, { ended: true });
  if (flags.recibo) {
    const receipt = await api.receipt(ctx.client, run);
    if (ctx.json) printJson(ctx, receipt);
    else for (const line of receiptLines(ctx, receipt)) ctx.out(line);
    return EXIT.ok;
  }
  const progress = await api.progress(ctx.client, run);
  if (ctx.json) {
    printJson(ctx, progress);
    return EXIT.ok;
  }
  const [decisions, balances, links] = await Promise.all([
    Promise.all(progress.decisions.map((d) => api.decision(ctx.client, d))),
    api.balances(ctx.client),
    runLinks(ctx, run),
  ]);
  const width = ctx.term.stdout.columns ?? 100;
  for (const line of renderCard(progress, decisions, balances, {
    now: ctx.client.now(),
    width,
    color: ctx.color.isColorSupported,
    language: ctx.language,
    words: ctx.words,
    links,
  }))
    ctx.out(line);
  return EXIT.ok;
};

export const followRun = async (ctx: Context, given: string | undefined): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const run = await whichRun(ctx, given, { ended: true });
  const end = await new Watch(ctx, run, { onDecision: 'wait', show: ctx.json ? 'json' : ctx.term.stdout.isTTY ? 'card' : 'lines' }).toEnd();
  if (!ctx.json) for (const line of receiptLines(ctx, await receiptOf(ctx, run))) ctx.out(line);
  return exitOfRun(end);
};

export const control = async (
  ctx: Context,
  given: string | undefined,
  action: 'pause' | 'resume',
  flags: { motivo?: string },
): Promise<ExitCode> => {
  const run = await whichRun(ctx, given);
  const accepted = await api.control(ctx.client, run, action, flags.motivo);
  if (ctx.json) printJson(ctx, accepted);
  else ctx.out(ctx.words.say(`cli.said.${action}`, { run }));
  return EXIT.ok;
};

export const cancel = async (ctx: Context, given: string | undefined, flags: { si?: boolean; motivo?: string }): Promise<ExitCode> => {
  const run = await whichRun(ctx, given);
  const { contacts, budget, state } = await api.progress(ctx.client, run);
  if (isFinal(state)) throw new CliExit(EXIT.conflict, 'run_final', { state });
  ctx.tell(
    ctx.words.say('cli.cancel.impact', {
      revealed: contacts.captured,
      credits: budget.credits.spent,
      held: budget.credits.held,
      queries: budget.queries.held,
    }),
  );
  await agreed(ctx, ctx.words.say('cli.ask.cancel'), flags.si);
  const accepted = await api.control(ctx.client, run, 'cancel', flags.motivo);
  if (ctx.json) printJson(ctx, accepted);
  else ctx.out(ctx.words.say('cli.said.cancel', { run }));
  return EXIT.ok;
};

export interface ChangeFlags {
  cuentas?: number;
  cargo?: string;
  hasta?: Hasta;
  motivo?: string;
  si?: boolean;
  simular?: boolean;
}

/** Changes the plan; what the change would do is always said first. */
export const change = async (ctx: Context, given: string | undefined, flags: ChangeFlags): Promise<ExitCode> => {
  if (flags.cuentas === undefined && flags.cargo === undefined && flags.hasta === undefined)
    throw new CliExit(EXIT.usage, 'cli.error.nothing_to_change');
  const run = await whichRun(ctx, given);
  const body: Replan = {
    ...(flags.cuentas === undefined ? {} : { cuentas: flags.cuentas }),
    ...(flags.cargo === undefined ? {} : { cargo: flags.cargo }),
    ...(flags.hasta === undefined ? {} : { hasta: flags.hasta }),
    ...(flags.motivo === undefined ? {} : { reason: flags.motivo }),
  };
  const impact = await api.replan(ctx.client, run, body, true);
  const { words } = ctx;
  ctx.tell(words.say('cli.change.kept', { chosen: impact.kept.chosen, captured: impact.kept.captured, drafted: impact.kept.drafted }));
  ctx.tell(
    words.say('cli.change.dropped', {
      n: impact.dropped,
      credits: words.amount('credits', impact.freed.credits),
      queries: words.amount('queries', impact.freed.queries),
    }),
  );
  if (impact.superseded.length > 0) ctx.tell(words.say('cli.change.superseded', { n: impact.superseded.length }));
  for (const id of impact.steps_removed) ctx.tell(words.say('cli.change.step_removed', { step: words.say(`step.${id}`) }));
  if (flags.simular) {
    if (ctx.json) printJson(ctx, impact);
    return EXIT.ok;
  }
  await agreed(ctx, words.say('cli.ask.change'), flags.si);
  const done = await api.replan(ctx.client, run, body, false);
  if (ctx.json) printJson(ctx, done);
  else ctx.out(words.say('cli.said.changed', { run, version: done.plan_version }));
  return EXIT.ok;
};

const GONE = new Set(['not_found', 'suppressed', 'skipped', 'failed']);
const isMissing = (item: Item): boolean =>
  GONE.has(item.state) || item.exit !== null || ['unconfirmed', 'voided', 'suppressed'].includes(item.contact?.state ?? '');
const reasonOf = (item: Item): string => item.reason?.code ?? (item.contact && item.state === 'chosen' ? item.contact.state : item.state);

/** What is missing of a run, grouped by reason, each with its way out. */
export const missing = async (ctx: Context, given: string | undefined, flags: { csv?: boolean }): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const run = await whichRun(ctx, given, { ended: true });
  const items = (await api.items(ctx.client, run)).filter(isMissing);
  const { words } = ctx;
  if (ctx.json) printJson(ctx, { items, next_cursor: null });
  else if (flags.csv) {
    ctx.out(csvLine(['position', 'company', 'state', 'reason', 'exit']));
    for (const i of items) ctx.out(csvLine([i.position, i.company?.name ?? null, i.state, reasonOf(i), i.exit]));
  } else if (items.length === 0) {
    const progress = await api.progress(ctx.client, run);
    ctx.out(
      isFinal(progress.state) ? words.say('cli.missing.none') : words.say('cli.missing.none_yet', { line: renderLine(progress, words) }),
    );
  } else {
    const groups = new Map<string, Item[]>();
    for (const item of items) groups.set(reasonOf(item), [...(groups.get(reasonOf(item)) ?? []), item]);
    for (const [reason, group] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
      ctx.out(words.say('cli.missing.group', { n: group.length, reason: words.missing(reason, group[0]?.reason?.params) }));
      const named = group.flatMap((i) => (i.company ? [clean(i.company.name)] : []));
      if (named.length > 0)
        ctx.out(
          `    ${named.slice(0, 5).join(', ')}${named.length > 5 ? ` ${words.say('view.decision.more', { n: named.length - 5 })}` : ''}`,
        );
      const exit = group[0]?.exit;
      if (exit) ctx.out(`    → ${words.say(exit)}`);
    }
  }
  return EXIT.ok;
};

export const balance = async (ctx: Context): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const b = await api.balances(ctx.client);
  if (ctx.json) {
    printJson(ctx, b);
    return EXIT.ok;
  }
  const { words } = ctx;
  if (b.read_at === null) {
    ctx.out(words.say('cli.balance.unread'));
    return EXIT.ok;
  }
  for (const kind of ['credits', 'queries', 'inference'] as const) {
    const [available, held, spent] = (['available', 'held', 'spent'] as const).map((k) => words.amount(kind, b[kind][k]));
    ctx.out(words.say('cli.balance.line', { kind: words.say(`money.${kind}`), available, held, spent }));
  }
  ctx.out(words.say('cli.balance.read', { at: b.read_at }));
  if (b.topup_url) ctx.out(words.say('cli.balance.topup', { url: b.topup_url }));
  return EXIT.ok;
};
