import type { Balances } from '../contracts/api.js';
import type { Decision } from '../contracts/decision.js';
import type { Progress } from '../contracts/progress.js';
import { isFinal } from '../contracts/states.js';
import { api } from './api.js';
import { askDecision, showDecision } from './ask.js';
import { renderCard, renderLine } from './card/render.js';
import { printJson, type Context } from './context.js';
import { CliExit, EXIT } from './exit.js';
import { follow, type Seen } from './follow.js';
import { runLinks } from './links.js';
import { Screen } from './screen.js';

export interface WatchOptions {
  /** What an open decision does: wait for whoever taps, ask here, or end the command. */
  onDecision: 'wait' | 'ask' | 'exit';
  /** How long a decision may stay open before `exit` ends: in automatic mode the server answers it itself in a moment, ms. */
  graceMs?: number;
  /** Where versions go: the repainted card (a terminal), lines, JSON bodies, or lines on stderr when stdout is for one receipt. */
  show: 'card' | 'lines' | 'json' | 'stderr';
}

/** A pipe does not wait for ever for an API that is gone; a person in front may. */
const OFFLINE_LIMIT_MS = 300_000;

/** The run is waiting for a person: which exit code and what is said. */
const needsPerson = (p: Progress, open: Decision | null): CliExit | null => {
  if (open) {
    const lots = open.options.filter((o) => ['all', 'approve', 'fit_n'].includes(o.id));
    const shortStart =
      open.kind === 'ajustar_presupuesto' &&
      !lots.some((o) => o.id === 'all') &&
      open.notes.some((n) => n.code.startsWith('limited.balance.'));
    const nothingFits = lots.length === 0;
    return new CliExit(shortStart || nothingFits ? EXIT.balance : EXIT.waiting, null);
  }
  return p.state === 'paused' ? new CliExit(EXIT.waiting, 'cli.said.paused', { run: p.run_id }) : null;
};

const firstOf = async <T>(next: Promise<T>, ms: number): Promise<T | 'time'> => {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<'time'>((resolve) => (timer = setTimeout(resolve, Math.max(0, ms), 'time')));
  try {
    return await Promise.race([next, time]);
  } finally {
    clearTimeout(timer);
  }
};

/** Follows a run to its end in one of the ways of showing it. */
export class Watch {
  private readonly screen: Screen | null;
  private decisions = new Map<string, Decision>();
  private balances: Balances | null = null;
  private links: { run?: string; temporal?: string | null } = {};
  private last: Progress | null = null;
  private offline: Date | null = null;
  /** Decisions that the person here chose to leave open. */
  private readonly left = new Set<string>();
  /** A question is on the terminal: nothing else paints. */
  private asking = false;

  constructor(
    private readonly ctx: Context,
    private readonly run: string,
    private readonly options: WatchOptions,
  ) {
    this.screen = options.show === 'card' ? new Screen(ctx.term.stdout) : null;
  }

  /** @returns the final body. @throws CliExit when the command has to end before the run does */
  async toEnd(): Promise<Progress> {
    const { ctx } = this;
    this.links = await runLinks(ctx, this.run);
    const until = ctx.waitMs === null ? null : Date.now() + ctx.waitMs;
    const tick = this.screen ? setInterval(() => this.paint(), 1000) : null;
    const resized = (): void => this.paint();
    if (this.screen) process.stdout.on('resize', resized);
    // Ends the question that is held at the server when this command ends before the run does.
    const over = new AbortController();
    try {
      // What the run waits for and since when: `exit` looks again after the grace, since a quiet run brings no version that would.
      let waiting = null as { what: string; since: number } | null;
      const versions = follow(ctx.client, this.run, {
        signal: AbortSignal.any([ctx.signal, over.signal]),
        until,
        offlineLimitMs: ctx.term.stdout.isTTY ? null : OFFLINE_LIMIT_MS,
      })[Symbol.asyncIterator]();
      let next = versions.next();
      for (;;) {
        const seen = waiting === null ? await next : await firstOf(next, waiting.since + (this.options.graceMs ?? 0) - Date.now());
        if (seen === 'time') {
          await this.leaveIfWaiting();
          waiting = null;
          continue;
        }
        if (seen.done) break;
        await this.take(seen.value);
        if (seen.value.kind === 'progress') {
          if (isFinal(seen.value.progress.state)) break;
          if (this.options.onDecision === 'ask') await this.askOpen();
          else if (this.options.onDecision === 'exit') {
            const what = this.waitsFor(seen.value.progress);
            if (what !== waiting?.what) waiting = what === null ? null : { what, since: Date.now() };
          }
        }
        next = versions.next();
      }
    } finally {
      over.abort();
      if (tick) clearInterval(tick);
      process.stdout.off('resize', resized);
      this.asking = false;
      this.paint();
      this.screen?.release();
    }
    if (ctx.signal.aborted) throw new CliExit(EXIT.interrupted, 'cli.said.keeps_going', { run: this.run });
    if (!this.last || !isFinal(this.last.state)) throw new CliExit(EXIT.unavailable, 'cli.error.no_end', { run: this.run });
    return this.last;
  }

  /** What keeps the run waiting for a person, as a key; null while it works. */
  private waitsFor(p: Progress): string | null {
    if (p.state === 'paused') return 'paused';
    return ['ready', 'waiting_decision'].includes(p.state) && p.decisions.length > 0 ? p.decisions.join() : null;
  }

  private async take(seen: Seen): Promise<void> {
    const { ctx } = this;
    this.offline = seen.kind === 'offline' ? seen.since : null;
    if (seen.kind === 'offline') {
      if (!this.screen) ctx.tell(ctx.words.say('view.card.offline', { at: ctx.words.moment(seen.since.toISOString()) }));
      return this.paint();
    }
    const p = seen.progress;
    const changed = this.last?.decisions.join() !== p.decisions.join() || this.last?.state !== p.state;
    this.last = p;
    if (this.options.show === 'json') printJson(ctx, p);
    else if (this.options.show === 'lines') ctx.out(renderLine(p, ctx.words));
    else if (this.options.show === 'stderr') ctx.tell(renderLine(p, ctx.words));
    if (this.screen) {
      this.paint();
      // The card itself never waits for these: prices and balances arrive a moment later.
      if (changed) await this.readMoney(p);
      this.paint();
    }
  }

  private async readMoney(p: Progress): Promise<void> {
    try {
      const [balances] = await Promise.all([
        api.balances(this.ctx.client),
        ...p.decisions
          .filter((d) => !this.decisions.has(d))
          .map(async (d) => this.decisions.set(d, await api.decision(this.ctx.client, d))),
      ]);
      this.balances = balances;
    } catch (error) {
      // Shown without them; the next change reads them again.
      if (error instanceof CliExit && error.exit === EXIT.interrupted) throw error;
    }
  }

  private paint(): void {
    if (!this.screen || !this.last || this.asking) return;
    this.screen.paint(
      renderCard(this.last, [...this.decisions.values()], this.balances, {
        now: this.ctx.client.now(),
        width: this.screen.columns,
        color: this.ctx.color.isColorSupported,
        language: this.ctx.language,
        words: this.ctx.words,
        offlineSince: this.offline,
        links: this.links,
        decisions:
          this.options.onDecision !== 'ask' ||
          this.last.decisions.some((d) => this.left.has(d)) ||
          this.last.state === 'completed' ||
          this.last.state === 'completed_partial',
      }),
    );
  }

  /** The open decision that the run waits for; reviewing a sequence keeps nobody waiting. */
  private async openDecision(p: Progress): Promise<Decision | null> {
    for (const id of p.decisions) {
      const d = await api.decision(this.ctx.client, id);
      this.decisions.set(id, d);
      if (d.state === 'open' && d.kind !== 'revisar_secuencia') return d;
    }
    return null;
  }

  private async askOpen(): Promise<void> {
    if (!this.last || this.last.state === 'paused' || this.waitsFor(this.last) === null) return;
    const open = await this.openDecision(this.last);
    if (!open || this.left.has(open.id)) return;
    this.paint();
    this.screen?.release();
    this.asking = true;
    try {
      if ((await askDecision(this.ctx, open)) === 'later') this.left.add(open.id);
    } finally {
      this.asking = false;
    }
  }

  /** Ends the command when the run still waits for a person. */
  private async leaveIfWaiting(): Promise<void> {
    const p = await api.progress(this.ctx.client, this.run);
    if (this.waitsFor(p) === null) return;
    const open = p.state === 'paused' ? null : await this.openDecision(p);
    const exit = needsPerson(p, open);
    if (!exit) return;
    this.last = p;
    if (this.ctx.json) printJson(this.ctx, p);
    if (open) {
      if (p.reason) this.ctx.tell(this.ctx.words.reason(p.reason));
      showDecision(this.ctx, open, { commands: true });
    }
    throw exit;
  }
}
