import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CutProxy {
  /** The database behind the proxy. */
  url: string;
  /** How many answers to COMMIT were cut so far. */
  cuts(): number;
  close(): Promise<void>;
}
/** A simple-protocol COMMIT as it goes over the wire. */
const COMMIT = Buffer.from('COMMIT\0');

/**
 * A proxy in front of PostgreSQL that loses the answer to a COMMIT: the statement gets there, the transaction is durable, and the
 * connection breaks before anybody is told.
 * @param cut asked at every COMMIT, with what the client had sent on the connection since its last one
 */
export const cutProxy = async (databaseUrl: string, cut: (sent: string) => boolean): Promise<CutProxy> => {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let sent = '';
    let doomed = false;
    const end = (): void => {
      for (const s of [client, upstream]) {
        s.destroy();
        open.delete(s);
      }
    };
    for (const s of [client, upstream]) {
      open.add(s);
      s.setNoDelay(true);
      s.on('error', end);
      s.on('close', end);
    }
    client.on('data', (chunk: Buffer) => {
      sent += chunk.toString('latin1');
      if (chunk.includes(COMMIT)) {
        doomed = cut(sent);
        sent = '';
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (!doomed) {
        client.write(chunk);
        return;
      }
      // The first thing it says after COMMIT is that it has committed.
      cuts += 1;
      end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cuts: () => cuts,
    close: async () => {
      for (const s of open) s.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
