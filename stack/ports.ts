import { createServer } from 'node:net';
import { said } from './words.js';

/** Ports handed out by this process and not yet bound: two questions in a row never get the same answer. */
const handedOut = new Set<number>();

/** True when nothing listens on 127.0.0.1:`port` now. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

/**
 * A free port of 127.0.0.1: `usual` or the first free one after it; with `usual` undefined a random one below the range that
 * the kernel gives to outgoing connections, so that none of those can take it before it is bound.
 * @throws Error when 200 candidates in a row are taken.
 */
export const freePort = async (usual?: number): Promise<number> => {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = usual === undefined ? 20_000 + Math.floor(Math.random() * 12_000) : usual + attempt;
    if (handedOut.has(port) || !(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(said('no_port', { range: usual === undefined ? 'none' : `${usual}–${usual + 199}` }));
};

/** Gives back ports of a stopped stack. */
export const releasePorts = (ports: Iterable<number>): void => {
  for (const port of ports) handedOut.delete(port);
};
