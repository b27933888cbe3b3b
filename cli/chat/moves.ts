import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../contracts/progress.js';
import { TurnEvent } from '../../contracts/turn.js';
import { threadPath } from '../api.js';
import { milestone } from '../../view/run.js';
import { renderLine } from '../card/render.js';
import { Client } from '../client.js';
import type { Context } from '../context.js';
import { clean } from '../words.js';

/** Campaigns of a thread that move, told by themselves between turns. A lost connection is taken up again. */
export class Moves {
  private readonly seen = new Map<string, string>();
  private readonly stop = new AbortController();

  constructor(
    private readonly ctx: Context,
    private readonly thread: string,
    private readonly say: (line: string) => void,
  ) {}

  start(): this {
    void this.listen();
    return this;
  }
  end(): void {
    this.stop.abort();
  }
  /** Shown already, in a card: not worth a line. */
  known(p: Progress): void {
    this.seen.set(p.run_id, milestone(p));
  }

  private async listen(): Promise<void> {
    const signal = AbortSignal.any([this.stop.signal, this.ctx.signal]);
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const { events } = await this.ctx.client.stream({ method: 'GET', path: `${threadPath(this.thread)}/events`, signal });
        for await (const { data } of events) {
          failures = 0;
          const parsed = TurnEvent.safeParse(JSON.parse(data));
          if (parsed.success && parsed.data.type === 'run.progress') this.take(parsed.data.progress);
        }
      } catch (error) {
        if (!Client.isUnreachable(error)) return;
      }
      await sleep(Math.min(5_000, 500 * 2 ** failures), undefined, { signal }).catch(() => undefined);
    }
  }

  private take(p: Progress): void {
    const now = milestone(p);
    const before = this.seen.get(p.run_id);
    this.seen.set(p.run_id, now);
    // How things stood when we began to listen is no news.
    if (before === undefined || before === now) return;
    const { words } = this.ctx;
    this.say(words.say('cli.chat.moved', { objetivo: clean(p.objetivo), line: renderLine(p, words) }));
    if (p.decisions.length > 0 && ['ready', 'waiting_decision'].includes(p.state)) this.say(words.say('cli.chat.card_waits'));
  }
}
