import { z } from 'zod';
import { Balances, Settings } from '../../contracts/api.js';
import { Refusal } from '../../contracts/problem.js';
import { read } from '../../db/client.js';
import { readBalances } from '../../db/runs.js';
import { readSettings, writeSettings } from '../../db/workspaces.js';
import { requireRole } from '../auth.js';
import { firstReading } from '../first-reading.js';
import { keyOf, once } from '../idempotency.js';
import { knownVersion } from './progress.js';
import type { ApiContext, App } from '../types.js';

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

/** How long a look at the balances waits at most for the provider's first answer, ms. */
const READING_MS = 2_000;

/** What a workspace has and how it is set up. */
export const workspaceRoutes = (app: App, ctx: ApiContext): void => {
  const readFirst = firstReading(ctx, READING_MS);
  app.get(
    '/v1/balances',
    {
      config: { documentedHeaders: { 'If-None-Match': '' } },
      schema: {
        operationId: 'getBalances',
        tags: ['workspace'],
        summary: 'Credits, queries and inference (micro-USD): granted = available + held + spent + expired',
        response: { 200: Balances, 304: z.null().describe('Nothing moved since the version in If-None-Match') },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      let balances = await readBalances(ctx.pool, workspace);
      if (balances.read_at === null) {
        await readFirst(workspace);
        balances = await readBalances(ctx.pool, workspace);
      }
      reply.headers({
        etag: `W/"${balances.version}-${request.language}"`,
        'cache-control': 'private, no-cache',
        vary: 'Accept-Language, Authorization, Cookie',
      });
      return balances.read_at !== null && knownVersion(request.headers['if-none-match'], request.language) === balances.version
        ? reply.code(304).send(null)
        : reply.code(200).send(balances);
    },
  );

  app.get(
    '/v1/settings',
    {
      schema: {
        operationId: 'getSettings',
        tags: ['workspace'],
        summary: 'Zone, language, concurrency, second approver',
        response: { 200: Settings },
      },
    },
    (request) => readSettings(read(ctx.pool), request.caller.workspace),
  );

  app.put(
    '/v1/settings',
    {
      config: { roles: ['approver', 'operator'], person: true, changes: true },
      schema: {
        operationId: 'putSettings',
        tags: ['workspace'],
        summary: 'Replace the settings; the second-approver threshold and capabilities only by an operator',
        body: Settings.strict(),
        response: { 200: Settings },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      if (!isZone(body.zone)) throw new Refusal(422, 'zone_unknown', { zone: body.zone });
      const answer = await once(ctx.pool, caller, keyOf(request), 'PUT /v1/settings', body, async (tx) => {
        // Whoever approves must not be the one who decides that a second approver is not needed.
        const before = await readSettings(tx, caller.workspace);
        if (before.second_approver_above !== body.second_approver_above) requireRole(caller, ['operator']);
        // What an account includes is not for its own people to say either.
        if (body.capabilities !== undefined && JSON.stringify(before.capabilities) !== JSON.stringify(body.capabilities))
          requireRole(caller, ['operator']);
        return { status: 200, body: await writeSettings(tx, caller, body) };
      });
      return reply.code(200).send(answer.body as Settings);
    },
  );
};
