import pg from 'pg';

export interface Listener {
  /** True while notifications arrive; false while the connection is being made again. */
  connected(): boolean;
  stop(): Promise<void>;
}

/** How often the connection is asked whether it still lives; a server that went away without a word is noticed by it. */
const PULSE_MS = 5_000;
const PULSE_TIMEOUT_MS = 3_000;

/**
 * LISTENs on channels over a connection of its own, and makes it again for ever (100 ms to 2 s apart) when PostgreSQL goes away.
 * @param onConnect called after every (re)connection: what was notified in between is lost, so look at the rows again.
 */
export const listen = (
  url: string,
  channels: string[],
  on: { notify(channel: string, payload: string): void; connect(): void; lost?(error: Error): void },
): Listener => {
  let client: pg.Client | undefined;
  let stopped = false;
  let up = false;
  let attempt = 0;
  let retry: NodeJS.Timeout | undefined;
  let pulse: NodeJS.Timeout | undefined;

  const lost = (from: pg.Client, error: Error): void => {
    if (client !== from) return;
    client = undefined;
    up = false;
    clearInterval(pulse);
    from.end().catch(() => undefined);
    if (stopped) return;
    on.lost?.(error);
    retry = setTimeout(() => void connect(), Math.min(2_000, 100 * 2 ** attempt));
    attempt += 1;
  };

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'campana-listen',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: PULSE_TIMEOUT_MS,
    });
    client = fresh;
    fresh.on('error', (error) => lost(fresh, error));
    fresh.on('end', () => lost(fresh, new Error('connection ended')));
    fresh.on('notification', (n) => on.notify(n.channel, n.payload ?? ''));
    try {
      await fresh.connect();
      for (const channel of channels) await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch (error) {
      lost(fresh, error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (stopped) {
      await fresh.end().catch(() => undefined);
      return;
    }
    up = true;
    attempt = 0;
    pulse = setInterval(() => void fresh.query('select 1').catch((error: Error) => lost(fresh, error)), PULSE_MS);
    on.connect();
  };
  void connect();

  return {
    connected: () => up,
    stop: async () => {
      stopped = true;
      clearTimeout(retry);
      clearInterval(pulse);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
};
