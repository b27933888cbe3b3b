import type { Server } from 'node:net';
import { until } from './until.js';

/** An address where nobody listens: below the ports that are handed out, so that no other test gets it meanwhile. */
export const NOBODY = 'http://127.0.0.1:2';

/** Listens on a port, also on one that was let go of before: whoever was given it meanwhile is waited for. */
export const listenOn = async (server: Server, port: number): Promise<void> => {
  const free = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        resolve(true);
      });
    });
  await until(free);
};
