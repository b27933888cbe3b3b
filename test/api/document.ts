import pino from 'pino';
import openapiTS, { astToString } from 'openapi-typescript';
import { createMeters } from '../../api/metrics.js';
import { buildServer } from '../../api/server.js';
import type { ServerContext } from '../../api/types.js';
import { Env } from '../../contracts/env.js';

const HEAD = '// Made by `npm run openapi` from /openapi.json. Do not edit.\n';

/** The OpenAPI document of the routes, without a database or anything else behind them. */
export const apiDocument = async (): Promise<unknown> => {
  const hub = {
    connected: () => true,
    watch: () => {
      throw new Error('nothing here');
    },
    onMoved: () => () => undefined,
    onTurn: () => () => undefined,
    onResync: () => () => undefined,
    watching: () => 0,
    release: () => undefined,
    stop: () => Promise.resolve(),
  };
  const inert = {
    env: Env.parse({ DATABASE_URL: 'postgres://nowhere' }),
    log: pino({ level: 'silent' }),
    hub,
    meters: createMeters(),
    pool: { waitingCount: 0 },
    ada: { pool: {} },
  };
  const app = await buildServer(inert as unknown as ServerContext);
  await app.ready();
  const document: unknown = JSON.parse(JSON.stringify(app.swagger()));
  await app.close();
  return document;
};

/** The types of a client, as text. */
export const clientTypes = async (document: unknown): Promise<string> =>
  HEAD + astToString(await openapiTS(document as Parameters<typeof openapiTS>[0]));
