import type { Decision } from '../../contracts/decision.js';
import type { Colors } from '../context.js';
import { clean, type Words } from '../words.js';
import { buttonLabel } from '../../view/buttons.js';
import { priceLine } from '../../view/decision.js';
import { answerCommand, declineCommand } from './buttons.js';
import { wrap, type Span } from './lines.js';

export interface DecisionLook {
  words: Words;
  color: Colors;
  width: number;
  now: Date;
  /** The campaign that it is of, where the card stands alone. */
  of?: string | null;
  /** How many items to list; the rest is counted. */ items?: number;
  /** Say the commands that answer it. */ commands?: boolean;
}

/** How it ended, for one that is not open any more. */
export const resolvedLine = (d: Decision, words: Words): string | null => {
  if (d.resolved)
    return words.say(d.state === 'approved' ? 'view.decision.approved_by' : 'view.decision.declined_by', {
      by: d.resolved.by,
      at: d.resolved.at,
      channel: d.resolved.channel,
      n: d.resolved.n,
      total: d.resolved.total,
    });
  if (d.state === 'superseded') return words.say('view.decision.superseded', { fresh: d.superseded_by ?? '' });
  if (d.state === 'expired') return words.say('cli.decision.expired', { id: d.id });
  return null;
};

/** A decision as lines: what, for how much, what is left, who is on it, and the buttons. Pure. */
export const renderDecision = (d: Decision, look: DecisionLook): string[] => {
  const { words, color } = look;
  const lines: string[] = [];
  const add = (spans: Span[], indent = 2): void => void lines.push(...wrap([{ text: ' '.repeat(indent) }, ...spans], look.width, indent));
  const open = d.state === 'open';
  lines.push(
    ...wrap(
      [
        { text: open ? '◆ ' : '· ', style: open ? color.yellow : color.dim },
        { text: words.say(`decision.kind.${d.kind}`), style: color.bold },
        { text: ` · ${words.say(`decision.state.${d.state}`)} · ${d.id}` },
        ...(open && d.expires_at
          ? [{ text: ` · ${words.say('view.decision.expires', { at: words.moment(d.expires_at, look.now) })}` }]
          : []),
      ],
      look.width,
      2,
    ),
  );
  if (look.of) add([{ text: words.say('cli.decision.of', { objetivo: clean(look.of), run: d.run_id }), style: color.dim }]);
  const end = resolvedLine(d, words);
  if (end) add([{ text: end }]);
  if (!open && look.items === 0) return lines;
  for (const line of priceLine(d, words)) add([{ text: line }]);
  for (const note of d.notes) add([{ text: words.reason(note), style: color.dim }]);
  if (d.suppressed > 0) add([{ text: words.say('view.decision.suppressed', { n: d.suppressed }), style: color.dim }]);
  if (open && d.ranking && d.options.some((o) => o.id === 'fit_n')) add([{ text: words.say(d.ranking), style: color.dim }]);
  // A sequence's only item is its own id.
  const listed = d.kind === 'revisar_secuencia' ? [] : d.items.slice(0, look.items ?? 5);
  for (const item of listed) {
    const tail = item.already_yours ? words.say('view.decision.yours') : item.price > 0 ? words.amount('credits', item.price) : '';
    add([{ text: `– ${clean(item.label)}${item.detail ? `, ${clean(item.detail)}` : ''}${tail ? ` · ${tail}` : ''}` }], 4);
  }
  if (d.items_total > listed.length && d.kind !== 'revisar_secuencia')
    add([{ text: words.say('view.decision.more', { n: d.items_total - listed.length }), style: color.dim }], 4);
  if (!open) return lines;
  if (d.kind === 'revisar_secuencia') {
    add([{ text: words.say('view.decision.dashboard') }]);
    return lines;
  }
  add(
    d.options.flatMap((o, i) => [
      { text: i === 0 ? '' : '  ' },
      { text: `[${buttonLabel(words, d, o)}]`, ...(i === 0 ? { style: color.cyan } : {}) },
    ]),
  );
  if (d.links.provider_topup && d.options.some((o) => o.id === 'recheck_balance'))
    add([{ text: words.say('view.decision.topup', { url: d.links.provider_topup }) }]);
  if (look.commands) {
    // One line each, whatever its length: a command that was wrapped cannot be copied.
    const yes = answerCommand(d);
    if (yes) lines.push(`  ${words.say('cli.decision.answer')} ${color.bold(yes)}`);
    lines.push(`  ${words.say('cli.decision.answer_no')} ${declineCommand(d)}`);
  }
  return lines;
};
