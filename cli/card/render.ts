import pc from 'picocolors';
import type { Balances } from '../../contracts/api.js';
import type { Language } from '../../contracts/catalog/index.js';
import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import { isFinal, type RunState, type StepState } from '../../contracts/states.js';
import type { Colors } from '../context.js';
import { costLines, standing, STEP_ICON, stepCount, stepReason } from '../../view/run.js';
import { clean, Words } from '../words.js';
import { renderDecision } from './decision.js';
import { wrap, width as columns, type Span } from './lines.js';

export interface CardOptions {
  /** The moment it is at the server. */
  now: Date;
  width: number;
  color: boolean;
  language: Language;
  /** Since when the API has not answered; null while it does. */
  offlineSince?: Date | null;
  links?: { run?: string; temporal?: string | null };
  /** Show open decisions with the commands that answer them; false where they are asked below the card. */
  decisions?: boolean;
  zone?: string;
  /** Words that know the workspace's zone; made from language and zone when not given. */
  words?: Words;
}

const tone = (state: RunState | StepState, color: Colors): ((text: string) => string) => {
  if (state === 'completed' || state === 'done') return color.green;
  if (state === 'failed' || state === 'blocked') return color.red;
  if (['waiting_decision', 'completed_partial', 'partial', 'unconfirmed', 'ready'].includes(state)) return color.yellow;
  return state === 'running' ? color.cyan : color.dim;
};

const BAR = 20;
/** Done, running, missing and still to come, each with its own sign. */
const bar = (p: Progress): string => {
  const { total, done, running, pending } = p.counts;
  if (total === 0) return '';
  const cells = (n: number): number => Math.round((n / total) * BAR);
  const gone = total - done - running - pending;
  const full = Math.min(BAR, cells(done));
  const missing = Math.min(BAR - full, cells(gone));
  const moving = Math.min(BAR - full - missing, cells(running));
  return `${'█'.repeat(full)}${'▒'.repeat(moving)}${'×'.repeat(missing)}${'·'.repeat(BAR - full - missing - moving)}`;
};

/** How old what is shown is; says so when the API does not answer. */
const age = (p: Progress, o: CardOptions, words: Words): string => {
  if (o.offlineSince) return words.say('view.card.offline', { at: words.moment(o.offlineSince.toISOString(), o.now) });
  const ms = o.now.getTime() - Date.parse(p.last_progress_at);
  return words.say(isFinal(p.state) ? 'view.card.ended' : 'view.card.updated', { ago: words.ago(ms) });
};

/** The process card of a run as lines of at most `width` columns. Pure: the same input gives the same lines. */
export const renderCard = (p: Progress, decisions: Decision[], balances: Balances | null, o: CardOptions): string[] => {
  const words = o.words ?? new Words(o.language, o.zone);
  const color = pc.createColors(o.color);
  const stands = standing(p);
  const lines: string[] = [];
  const add = (spans: Span[], indent = 0): void => void lines.push(...wrap(spans, o.width, indent));
  add([{ text: clean(p.objetivo), style: color.bold }]);
  add(
    [
      { text: `${stands.icon} ${words.say(stands.text)}`, style: (t) => tone(stands.tone, color)(color.bold(t)) },
      { text: ` · ${words.say('view.card.mode', { mode: words.say(`mode.${p.mode}`) })} · ` },
      { text: age(p, o, words), ...(o.offlineSince ? { style: color.red } : {}) },
      { text: ` · ${words.say('view.card.version', { n: p.version })}`, style: color.dim },
    ],
    2,
  );
  if (p.reason) add([{ text: '  ' }, { text: words.reason(p.reason) }], 2);
  lines.push('');
  const pasos = p.pasos.filter((s) => s.id !== 's0' || s.status !== 'done');
  const name = Math.max(...pasos.map((s) => columns(words.say(`step.${s.id}`))));
  for (const paso of pasos) {
    const paint = tone(paso.status, color);
    const parts = stepCount(paso, p, words);
    add(
      [
        { text: `${STEP_ICON[paso.status]} `, style: paint },
        { text: `${paso.id.slice(1)} ${words.say(`step.${paso.id}`).padEnd(name)}  ` },
        { text: words.say(`step.state.${paso.status}`), style: paint },
        ...(parts.length > 0 ? [{ text: ` · ${parts.join(' · ')}` }] : []),
      ],
      name + 6,
    );
    const why = stepReason(paso, p);
    if (why) add([{ text: ' '.repeat(name + 6) }, { text: words.reason(why), style: color.dim }], name + 6);
    if (paso.id === 's3' && paso.status === 'running' && o.width >= name + 6 + BAR) lines.push(' '.repeat(name + 6) + bar(p));
  }
  lines.push('');
  for (const line of costLines(p, decisions, balances, words)) add([{ text: line }], 2);
  const waits = p.decisions.map((id) => decisions.find((d) => d.id === id)).filter((d): d is Decision => d?.state === 'open');
  if (o.decisions ?? true)
    for (const d of waits) lines.push('', ...renderDecision(d, { words, color, width: o.width, now: o.now, items: 5, commands: true }));
  const links = [
    ...(o.links?.run ? [words.say('cli.card.link.run', { url: o.links.run })] : []),
    ...(o.links?.temporal ? [words.say('cli.card.link.temporal', { url: o.links.temporal })] : []),
  ];
  if (links.length > 0) lines.push('');
  // A cut link is no link: these may be longer than the line, the painter counts their rows.
  for (const link of links) lines.push(color.dim(link));
  return lines;
};

/** One line per version, for pipes and logs. */
export const renderLine = (p: Progress, words: Words): string => {
  const now = p.pasos.find((s) => ['running', 'waiting_decision', 'unconfirmed', 'blocked', 'paused'].includes(s.status));
  const step = now
    ? [
        `${now.id.slice(1)} ${words.say(`step.${now.id}`)}: ${[words.say(`step.state.${now.status}`), ...stepCount(now, p, words)].join(', ')}`,
      ]
    : [];
  return [
    `v${p.version}`,
    `${standing(p).icon} ${words.say(standing(p).text)}`,
    ...step,
    ...(p.reason ? [words.reason(p.reason)] : []),
  ].join(' · ');
};
