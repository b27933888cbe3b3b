import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import { api } from '../api.js';
import { freshCard, showDecision } from '../ask.js';
import { lotLabel, mainOption, priceOf } from '../../view/buttons.js';
import { answerCommand } from '../card/buttons.js';
import { renderDecision } from '../card/decision.js';
import { printJson, type Context } from '../context.js';
import { CliExit, EXIT, type ExitCode } from '../exit.js';
import { tapOf } from '../../view/lot.js';
import { confirmOption, narrowed } from '../money.js';
import { clean } from '../words.js';
import { inWorkspaceZone } from '../zone.js';
import { agreed } from './runs.js';

/** What the campaigns of these cards are called, by run; one that cannot be read has no name. */
const namesOf = async (ctx: Context, decisions: readonly Decision[]): Promise<Map<string, string>> => {
  const runs = [...new Set(decisions.map((d) => d.run_id))];
  const names = await Promise.all(
    runs.map((run) =>
      api.progress(ctx.client, run).then(
        (p): [string, string] => [run, p.objetivo],
        (): [string, string] => [run, ''],
      ),
    ),
  );
  return new Map(names);
};

const print = (ctx: Context, d: Decision, items = d.items.length, of: string | null = null): void => {
  if (ctx.json) return printJson(ctx, d);
  for (const line of renderDecision(d, {
    words: ctx.words,
    color: ctx.color,
    width: ctx.term.stdout.columns ?? 100,
    now: ctx.client.now(),
    items,
    of,
    commands: true,
  }))
    ctx.out(line);
};

/** The decision a command means: the one named, else the only open one. */
const whichDecision = async (ctx: Context, given: string | undefined): Promise<Decision> => {
  if (given) return api.decision(ctx.client, given, true);
  const { decisions } = await api.decisions(ctx.client, { state: 'open', limit: 50 });
  const waiting = decisions.filter((d) => d.kind !== 'revisar_secuencia');
  const [only] = waiting;
  if (!only) throw new CliExit(EXIT.usage, 'cli.error.no_open_decision');
  if (waiting.length === 1) return api.decision(ctx.client, only.id, true);
  const names = await namesOf(ctx, waiting);
  for (const d of waiting)
    ctx.tell([`  ${d.id}`, ctx.words.say(`decision.kind.${d.kind}`), clean(names.get(d.run_id) ?? '')].filter(Boolean).join(' · '));
  throw new CliExit(EXIT.usage, 'cli.error.which_decision', { n: waiting.length });
};

/** Items of each open card in the list; the rest is counted. */
const LISTED = 5;

export const list = async (ctx: Context, flags: { estado: string; campana?: string }): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const { words } = ctx;
  const page = await api.decisions(ctx.client, {
    limit: 100,
    ...(flags.estado === 'todas' ? {} : { state: flags.estado }),
    ...(flags.campana ? { run: flags.campana } : {}),
  });
  if (ctx.json) {
    printJson(ctx, page);
    return EXIT.ok;
  }
  const soonest = [...page.decisions].sort((a, b) => (a.expires_at ?? '9').localeCompare(b.expires_at ?? '9'));
  const names = await namesOf(ctx, soonest);
  for (const d of soonest)
    for (const line of renderDecision(d, {
      words,
      color: ctx.color,
      width: ctx.term.stdout.columns ?? 100,
      now: ctx.client.now(),
      of: names.get(d.run_id) ?? null,
      items: d.state === 'open' ? LISTED : 0,
      commands: d.state === 'open',
    }))
      ctx.out(line);
  if (soonest.length === 0) ctx.out(words.say('cli.decisions.none'));
  const open = soonest.filter((d) => d.state === 'open');
  const total = open.reduce((sum, d) => sum + (mainOption(d)?.totals.credits ?? 0), 0);
  const balance = open[0]?.balance.credits ?? 0;
  // Each card alone fits the balance; all of them together may not.
  if (open.length > 1 && total > balance) ctx.tell(ctx.errColor.yellow(words.say('cli.decisions.sum_exceeds', { total, balance })));
  return EXIT.ok;
};

export const see = async (ctx: Context, given: string | undefined): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const d = await whichDecision(ctx, given);
  print(ctx, d, d.items.length, ctx.json ? null : ((await namesOf(ctx, [d])).get(d.run_id) ?? null));
  return EXIT.ok;
};

export interface ApproveFlags {
  opcion?: ResolveDecision['option'];
  n?: number;
  elegir?: string;
  confirmoTotal?: number;
  planVersion?: number;
  si?: boolean;
}

/** Answers with the card's main option, or a narrower one, once a person agreed to exactly its price. */
export const approve = async (ctx: Context, given: string | undefined, flags: ApproveFlags): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const d = await whichDecision(ctx, given);
  // Sequences are reviewed where their text can be read, and activated there.
  if (d.kind === 'revisar_secuencia') throw new CliExit(EXIT.usage, 'view.decision.dashboard');
  const closed = d.state === 'superseded' ? 'card_replaced' : d.state === 'expired' ? 'decision_expired' : null;
  if (closed) throw new CliExit(EXIT.conflict, closed);
  const wanted = flags.elegir !== undefined || flags.n !== undefined ? 'choose' : flags.opcion;
  const lot =
    wanted === 'choose'
      ? narrowed(d, {
          ...(flags.n === undefined ? {} : { n: flags.n }),
          ...(flags.elegir === undefined
            ? {}
            : {
                refs: flags.elegir
                  .split(',')
                  .map((r) => r.trim())
                  .filter((r) => r !== ''),
              }),
        })
      : { option: wanted === undefined ? mainOption(d) : (d.options.find((o) => o.id === wanted) ?? null), more: {} };
  if (!lot.option) {
    if (wanted !== undefined) throw new CliExit(EXIT.usage, 'option_not_offered', { option: wanted });
    throw new CliExit(EXIT.balance, 'cli.error.nothing_fits', { balance: d.balance.credits });
  }
  if (ctx.term.interactive && d.state === 'open') showDecision(ctx, d);
  if (d.state === 'open')
    await confirmOption(
      d,
      lot.option,
      lotLabel(ctx.words, d, lot.option),
      {
        ...(flags.confirmoTotal === undefined ? {} : { confirmTotal: flags.confirmoTotal }),
        ...(flags.planVersion === undefined ? {} : { planVersion: flags.planVersion }),
        ...(flags.si ? { yes: true } : {}),
      },
      { prompt: ctx.prompt, interactive: ctx.term.interactive, words: ctx.words },
    );
  return send(ctx, d, tapOf(d, lot.option, lot.more));
};

export const reject = async (
  ctx: Context,
  given: string | undefined,
  flags: { luego?: 'saltar' | 'esperar' | 'cancelar'; si?: boolean },
): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const d = await whichDecision(ctx, given);
  const option = d.options.find((o) => o.id === 'decline');
  if (!option) throw new CliExit(EXIT.usage, 'option_not_offered', { option: 'decline' });
  const then = flags.luego === 'saltar' ? 'skip' : flags.luego === 'cancelar' ? 'cancel' : flags.luego === 'esperar' ? 'wait' : undefined;
  const label = d.kind === 'ajustar_presupuesto' ? 'view.then.cancel.ajustar_presupuesto' : `view.then.${then ?? 'wait'}.${d.kind}`;
  await agreed(ctx, ctx.words.say('cli.ask.free', { label: ctx.words.say(label) }), flags.si);
  return send(ctx, d, tapOf(d, option, then ? { then } : {}));
};

/** Sends the tap; a refusal that brings a fresh card shows it, and is still a refusal: a new price needs a new yes. */
const send = async (ctx: Context, d: Decision, tap: ResolveDecision): Promise<ExitCode> => {
  try {
    print(ctx, await api.resolve(ctx.client, d.id, tap), 0);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CliExit && error.problem) {
      const fresh = await freshCard(ctx, error);
      if (fresh) {
        showDecision(ctx, fresh);
        const command = answerCommand(fresh);
        const option = mainOption(fresh);
        if (command && option && priceOf(option)) ctx.tell(`${ctx.words.say('cli.decision.answer')} ${command}`);
      }
    }
    throw error;
  }
};

export const reopen = async (ctx: Context, id: string): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  print(ctx, await api.reopen(ctx.client, id));
  return EXIT.ok;
};

export const undo = async (ctx: Context, id: string, flags: { si?: boolean }): Promise<ExitCode> => {
  await agreed(ctx, ctx.words.say('cli.ask.undo'), flags.si);
  const d = await api.undo(ctx.client, id);
  if (ctx.json) printJson(ctx, d);
  else ctx.out(ctx.words.say('cli.said.undoing'));
  return EXIT.ok;
};
