import type { Progress } from '../../contracts/progress.js';
import { isFinal } from '../progress-client/index.js';
import { RUN_ICON, STEP_ICON, milestone, stepCount } from '../../view/run.js';
import { clean, type Words } from '../../view/words.js';

/** A quiet line of the transcript that nobody wrote. */
export interface Line {
  id: string;
  run: string;
  icon: string;
  text: string;
  /** Server's ms. */ at: number;
  /** Position of the turn it stands after. */ after: number;
}
type News = Pick<Line, 'icon' | 'text'>;

const ENDED: ReadonlySet<string> = new Set(['done', 'partial', 'failed', 'skipped']);
const STUCK: ReadonlySet<string> = new Set(['blocked', 'unconfirmed']);

/** What became of a run between two looks at it: steps that ended or are stuck, a decision, a stop, the end. */
export const newsOf = (before: Progress, now: Progress, words: Words): News[] => {
  if (milestone(before) === milestone(now) && before.pasos.every((one, i) => one.status === now.pasos[i]?.status)) return [];
  const { say } = words;
  const name = say(`run.state.${now.state}`);
  const why = now.reason ? words.reason(now.reason) : null;
  if (isFinal(now.state))
    return isFinal(before.state)
      ? []
      : [
          {
            icon: RUN_ICON[now.state],
            text: `${name} · ${why ?? say('step.count.s3', { done: now.counts.done, total: now.counts.total })}`,
          },
        ];
  const was = new Map(before.pasos.map((one) => [one.id, one.status]));
  const steps = now.pasos.flatMap((one) => {
    const moved = was.get(one.id) !== one.status && one.id !== 's0' && (ENDED.has(one.status) || STUCK.has(one.status));
    const stuck = STUCK.has(one.status) && one.reason ? [words.reason(one.reason)] : [];
    return moved
      ? [
          {
            icon: STEP_ICON[one.status],
            text: [
              `${say(`step.${one.id}`)}: ${say(`step.state.${one.status}`)}`,
              ...stepCount(one, now, words).slice(0, 1),
              ...stuck,
            ].join(' · '),
          },
        ]
      : [];
  });
  const waits = now.decisions.some((id) => !before.decisions.includes(id)) && (now.state === 'ready' || now.state === 'waiting_decision');
  const stopped = now.state !== before.state && ['paused', 'waiting_external', 'stopping'].includes(now.state);
  const goesOn = now.state === 'running' && ['paused', 'waiting_external'].includes(before.state);
  // What waits for a tap says so itself.
  const state = waits ? (why ?? name) : stopped && why ? `${name} · ${why}` : name;
  return [...steps, ...(waits || stopped || goesOn ? [{ icon: RUN_ICON[now.state], text: state }] : [])];
};

/** Plain progress is told no more often than this, ms. */
const PAUSE_MS = 60_000;
const LINES = 60;

/** Where lines are kept over a reload; a browser that keeps nothing still tells. */
export type LineStore = Pick<Storage, 'getItem' | 'setItem'>;
interface KeptLines {
  lines: readonly Line[];
  seen: Record<string, Progress>;
}

/** Tells what becomes of the campaigns of one conversation, each thing once, for as long as its tab is open. */
export class Narrator {
  private lines: readonly Line[] = [];
  private readonly seen = new Map<string, Progress>();
  private readonly told = new Map<string, number>();
  private readonly watchers = new Set<() => void>();

  /** @param name of the conversation in the store */
  constructor(
    private readonly store: LineStore | null = null,
    private readonly name: () => string | null = () => null,
  ) {
    try {
      const kept = JSON.parse((this.place && store?.getItem(this.place)) || 'null') as KeptLines | null;
      if (!kept) return;
      this.lines = kept.lines.slice(-LINES);
      for (const [run, progress] of Object.entries(kept.seen)) this.seen.set(run, progress);
      for (const line of kept.lines) this.told.set(line.run, line.at);
    } catch {
      /* as if nothing had been kept */
    }
  }

  get = (): readonly Line[] => this.lines;
  subscribe = (changed: () => void): (() => void) => {
    this.watchers.add(changed);
    return () => void this.watchers.delete(changed);
  };

  /** Takes in what is known of a run now. How it stood when we began to look is no news. */
  take(now: Progress, words: Words, at: number, after: number): void {
    const before = this.seen.get(now.run_id);
    if (before && now.version <= before.version) return;
    this.seen.set(now.run_id, now);
    if (!before) {
      this.told.set(now.run_id, at);
      return this.keep();
    }
    const news = newsOf(before, now, words);
    if (news.length === 0) {
      const step = now.pasos.find((one) => one.status === 'running' && one.conteo !== null);
      const [count] = step ? stepCount(step, now, words) : [];
      if (now.state !== 'running' || !step || !count || at - (this.told.get(now.run_id) ?? at) < PAUSE_MS) return;
      news.push({ icon: STEP_ICON.running, text: `${words.say(`step.${step.id}`)}: ${count}` });
    }
    this.told.set(now.run_id, at);
    // Whose news it is has to be said only where there are several.
    const whose = this.seen.size > 1 ? `${clean(now.objetivo).slice(0, 80)} · ` : '';
    this.lines = [
      ...this.lines,
      ...news.map((one, i) => ({ ...one, text: whose + one.text, id: `${now.run_id} ${now.version} ${i}`, run: now.run_id, at, after })),
    ].slice(-LINES);
    this.keep();
    for (const changed of [...this.watchers]) changed();
  }

  private get place(): string | null {
    const name = this.name();
    return name === null ? null : `campana.chat.lines.${name}`;
  }
  private keep(): void {
    try {
      if (this.place)
        this.store?.setItem(this.place, JSON.stringify({ lines: this.lines, seen: Object.fromEntries(this.seen) } satisfies KeptLines));
    } catch {
      /* full, or not allowed */
    }
  }
}
