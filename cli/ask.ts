import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision, DecisionOption, ResolveDecision } from '../contracts/decision.js';
import { Decision as DecisionSchema } from '../contracts/decision.js';
import { api } from './api.js';
import { buttonLabel, lotLabel } from '../view/buttons.js';
import { renderDecision } from './card/decision.js';
import type { Context } from './context.js';
import { CliExit, EXIT } from './exit.js';
import { clean } from './words.js';
import { tapOf } from '../view/lot.js';
import { confirmOption, narrowed, parsePositions, typedAmount } from './money.js';

/** `done`: answered, by us or by somebody else. `later`: the person left it open. */
export type Asked = 'done' | 'later';

/** Reading the balance at the provider takes this long, about. */
const RECHECK_MS = 2000;

/** Says on stderr how a decision stands. */
export const showDecision = (ctx: Context, d: Decision, options: { items?: number; commands?: boolean } = {}): void => {
  const width = Math.min(120, ctx.term.stdout.columns ?? 100);
  for (const line of renderDecision(d, { words: ctx.words, color: ctx.errColor, width, now: ctx.client.now(), ...options })) ctx.tell(line);
};

/** The card that a refusal sends along, when it does: what should be looked at instead. */
export const freshCard = async (ctx: Context, refusal: CliExit): Promise<Decision | null> => {
  const sent = DecisionSchema.safeParse(refusal.problem?.decision);
  const id = refusal.problem?.fresh_decision_id ?? (sent.success && sent.data.state === 'open' ? sent.data.id : undefined);
  if (id === undefined) return null;
  const fresh = await api.decision(ctx.client, id).catch(() => null);
  return fresh?.state === 'open' ? fresh : null;
};

const pickItems = async (ctx: Context, d: Decision): Promise<{ option: DecisionOption; more: { n?: number; items?: string[] } } | null> => {
  const { words, prompt } = ctx;
  if (d.kind === 'ajustar_presupuesto') {
    const answer = await prompt.typed(words.say('cli.ask.how_many', { max: d.options.find((o) => o.id === 'choose')?.n ?? 0 }));
    return answer === null ? null : narrowed(d, { n: typedAmount(answer) ?? 0 });
  }
  const full = await api.decision(ctx.client, d.id, true);
  full.items.forEach((item, i) =>
    ctx.tell(
      `  ${i + 1}. ${clean(item.label)}${item.detail ? `, ${clean(item.detail)}` : ''} · ${item.price > 0 ? words.amount('credits', item.price) : words.say('cost.gratis')}`,
    ),
  );
  const answer = await prompt.typed(words.say('cli.ask.which', { max: full.items.length }));
  const positions = answer === null ? null : parsePositions(answer, full.items.length);
  if (!positions) return null;
  return narrowed(full, { refs: positions.map((p) => full.items[p - 1]?.ref).filter((r): r is string => r !== undefined) });
};

const pickThen = async (ctx: Context, d: Decision): Promise<ResolveDecision['then'] | null> => {
  if (d.kind === 'ajustar_presupuesto') return 'cancel';
  return ctx.prompt.choose(
    ctx.words.say('cli.ask.then'),
    (['wait', 'skip', 'cancel'] as const).map((value) => ({ value, label: ctx.words.say(`view.then.${value}.${d.kind}`) })),
    'wait',
  );
};

/** One question about one card. Null: nothing was chosen, ask again. */
const tapFor = async (ctx: Context, d: Decision): Promise<ResolveDecision | 'later' | 'recheck' | null> => {
  const { words, prompt } = ctx;
  const buttons = d.options.map((o) => ({ value: o.id, label: buttonLabel(words, d, o) }));
  // Enter means "later": nothing that costs is ever the answer to a key held down.
  const picked = await prompt.choose(
    words.say('cli.ask.decision'),
    [...buttons, { value: 'later', label: words.say('view.button.later') }],
    'later',
  );
  if (picked === null || picked === 'later') return 'later';
  const option = d.options.find((o) => o.id === picked);
  if (!option) return null;
  if (option.id === 'recheck_balance') return 'recheck';
  if (option.id === 'decline') {
    const then = await pickThen(ctx, d);
    return then === null ? null : tapOf(d, option, { then });
  }
  const lot = option.id === 'choose' ? await pickItems(ctx, d) : { option, more: {} };
  if (!lot) return null;
  // The menu was the yes to what is free; what costs has its amount typed.
  await confirmOption(d, lot.option, lotLabel(words, d, lot.option), { yes: true }, { prompt, interactive: true, words });
  return tapOf(d, lot.option, lot.more);
};

/**
 * Shows a card and asks for the tap until it is answered or left for later. A card that moved meanwhile is shown as it is now
 * and asked for again; nothing is ever sent that was not on the screen.
 */
export const askDecision = async (ctx: Context, first: Decision): Promise<Asked> => {
  for (let d = first; ;) {
    showDecision(ctx, d);
    try {
      const tap = await tapFor(ctx, d);
      if (tap === 'later') return 'later';
      if (tap === null) continue;
      if (tap === 'recheck') {
        await api.control(ctx.client, d.run_id, 'recheck-balance');
        ctx.tell(ctx.words.say('cli.said.rechecking'));
        await sleep(RECHECK_MS, undefined, { signal: ctx.signal });
        // A balance that grew makes a fresh card; one that did not leaves this one to be answered.
        const again = await api.decision(ctx.client, d.id);
        if (again.state === 'open') {
          d = again;
          continue;
        }
        return 'done';
      }
      const decided = await api.resolve(ctx.client, d.id, tap);
      showDecision(ctx, decided, { items: 0 });
      return 'done';
    } catch (error) {
      if (!(error instanceof CliExit) || error.exit === EXIT.unavailable || error.exit === EXIT.interrupted) throw error;
      if (error.code) ctx.tell(ctx.errColor.yellow(ctx.words.say(error.code, error.params)));
      if (!error.problem) continue; // the amount typed was another one: same card again
      const fresh = await freshCard(ctx, error);
      if (!fresh) return error.exit === EXIT.conflict ? 'done' : 'later';
      d = fresh;
    }
  }
};
