import { setTimeout as sleep } from 'node:timers/promises';
import { Progress } from '../contracts/progress.js';
import { isFinal } from '../contracts/states.js';
import { progressPath } from './api.js';
import { Client, type Answer } from './client.js';
import { CliExit, EXIT } from './exit.js';

export type Seen = { kind: 'progress'; progress: Progress } | { kind: 'offline'; since: Date };

export interface FollowOptions {
  signal: AbortSignal;
  /** When to give up on a run that goes on, ms since epoch; null never. */
  until: number | null;
  /** How long the API may stay silent, ms; null for as long as it takes. */
  offlineLimitMs: number | null;
}

/** How long one question may wait at the server for the next version. */
const HOLD_MS = 25_000;
/** Looking again happens at least this often, whatever the server proposes. */
const MOST_PAUSE_MS = 1000;

/**
 * Versions of a run as they appear, without repeats and never going back, until the final one. A lost connection is said once
 * and tried again: what runs goes on meanwhile.
 * @throws CliExit 124 when the time is up, 7 when the API stayed silent for too long
 */
export async function* follow(client: Client, run: string, options: FollowOptions): AsyncGenerator<Seen> {
  const { signal, until } = options;
  let etag: string | null = null;
  let version = 0;
  let offlineSince: Date | null = null;
  for (let failures = 0; ;) {
    if (signal.aborted) return;
    const left = until === null ? Infinity : until - Date.now();
    if (left <= 0) throw new CliExit(EXIT.timeUp, 'cli.error.time_up', { run });
    // The first question is answered at once; the next ones are held until something changes.
    const hold: number = etag === null || offlineSince ? 0 : Math.min(HOLD_MS, left);
    const asked = Date.now();
    try {
      const answer: Answer<Progress> | null = await client.poll(
        progressPath(run, hold > 0 ? `${Math.max(1, Math.ceil(hold / 1000))}s` : undefined),
        Progress,
        etag,
        hold,
        signal,
      );
      failures = 0;
      const back = offlineSince !== null;
      offlineSince = null;
      if (answer) {
        etag = answer.etag ?? `"${answer.body.version}"`;
        if (answer.body.version > version || back) {
          version = Math.max(version, answer.body.version);
          yield { kind: 'progress', progress: answer.body };
        }
        if (isFinal(answer.body.state)) return;
      }
      // A server that does not hold questions answers at once: then the pause is ours.
      if (!answer && Date.now() - asked < Math.min(hold, MOST_PAUSE_MS))
        await sleep(Math.min(MOST_PAUSE_MS, Math.max(0, left)), undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!Client.isUnreachable(error)) throw error;
      offlineSince ??= client.now();
      if (failures === 0) yield { kind: 'offline', since: offlineSince };
      failures += 1;
      if (options.offlineLimitMs !== null && client.now().getTime() - offlineSince.getTime() > options.offlineLimitMs) {
        throw new CliExit(EXIT.unavailable, 'cli.error.offline', { at: offlineSince.toISOString() });
      }
      client.forget();
      await sleep(Math.min(MOST_PAUSE_MS, 100 * 2 ** failures), undefined, { signal }).catch(() => undefined);
    }
  }
}
