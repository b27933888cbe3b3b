import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TurnEvent } from '../../contracts/turn.js';
import { threadPath } from '../api.js';
import { Client } from '../client.js';
import { CliExit, EXIT } from '../exit.js';

export interface Said {
  event: TurnEvent;
  /** As it came. */ raw: string;
}

export interface ConverseOptions {
  signal: AbortSignal;
  /** How long the API may stay silent, ms. */
  patienceMs: number;
  /** Told where the turn is, as soon as that is known. */
  at?: (path: string) => void;
  /** Told once when the connection was lost; it is taken up again from the last event. */
  lost?: () => void;
}

const isLast = (event: TurnEvent): boolean => event.type === 'turn.finished' || event.type === 'turn.refused';

/**
 * Says something and hears the turn to its end, whatever becomes of the connection: it goes on at the server, and the same key is the same turn.
 * @throws CliExit of a refusal; 7 when the API stayed away for too long
 */
export async function* converse(client: Client, thread: string, message: string, options: ConverseOptions): AsyncGenerator<Said> {
  const { signal, patienceMs } = options;
  const key = randomUUID();
  let last: string | undefined;
  let goneSince: number | null = null;
  for (let failures = 0; ;) {
    try {
      const { events, location } = await client.stream({
        method: 'POST',
        path: `${threadPath(thread)}/turns`,
        body: { message },
        key,
        signal,
        ...(last === undefined ? {} : { lastEventId: last }),
      });
      if (location) options.at?.(location);
      for await (const { id, data } of events) {
        const parsed = TurnEvent.safeParse(JSON.parse(data));
        last = id ?? last;
        failures = 0;
        goneSince = null;
        // A kind of event that this command does not know is not for it.
        if (!parsed.success) continue;
        yield { event: parsed.data, raw: data };
        if (isLast(parsed.data)) return;
      }
    } catch (error) {
      if (signal.aborted || !Client.isUnreachable(error)) throw error;
    }
    if (signal.aborted) throw new CliExit(EXIT.interrupted, null);
    goneSince ??= Date.now();
    if (failures === 0) options.lost?.();
    failures += 1;
    if (Date.now() - goneSince > patienceMs)
      throw new CliExit(EXIT.unavailable, 'cli.error.offline', { at: new Date(goneSince).toISOString() });
    client.forget();
    await sleep(Math.min(2_000, 100 * 2 ** failures), undefined, { signal }).catch(() => undefined);
  }
}
