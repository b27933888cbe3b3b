import { randomBytes } from 'node:crypto';
import { createTools, type Tools } from '../../activities/mcp.js';
import { readTools } from '../../ada/ports/tools.js';
import type { ReadTools, WorkspaceSummary } from '../../ada/types.js';
import { companySearch, peopleQuote, peopleReveal, peopleSearch } from '../../contracts/tools/index.js';
import { startKitchen, type RunningKitchen } from '../../kitchen/start.js';
import { withClient } from '../../stack/databases.js';

/** The tool server of the demo, started for the evals, with a workspace as it comes and one that has contacts already. */

export const PLAIN = 'ws_demo';
export const WITH_CONTACTS = 'ws_contactos';
export const UNDO = 'ws_deshacer';
export const FIRST = { credits: 500, queries: 10_000, inference: 50_000_000 } as const;
const ACQUIRED = 6;

export interface World {
  tools: ReadTools;
  /** With the token that may pay: for what happened before, never for a turn. */
  paid: Tools;
  kitchen: RunningKitchen;
  control<T>(method: string, path: string, body?: unknown): Promise<T>;
  collections(workspace: string): Promise<WorkspaceSummary['collections']>;
  /** A new empty database beside the kitchen's; goes with the world. */
  database(): Promise<string>;
  close(): Promise<void>;
}

const named = (adminUrl: string, name: string): string => {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
};

export const openWorld = async (adminUrl: string): Promise<World> => {
  const made: string[] = [];
  const database = async (): Promise<string> => {
    const name = `evals_${process.pid}_${randomBytes(4).toString('hex')}`;
    await withClient(adminUrl, (client) => client.query(`create database ${name} template template0`));
    made.push(name);
    return named(adminUrl, name);
  };
  const token = (workspace: string, scope: string): string => `evals-${scope}-token-of-${workspace}`;
  const workspaces = [PLAIN, WITH_CONTACTS, UNDO];
  const kitchen = await startKitchen({
    databaseUrl: await database(),
    port: 0,
    controlPort: 0,
    controlToken: 'evals-control-token',
    tokens: workspaces.flatMap((workspace) => [
      { token: token(workspace, 'read'), workspace, scopes: ['read' as const] },
      { token: token(workspace, 'paid'), workspace, scopes: ['read' as const, 'paid' as const] },
    ]),
  });
  const tools = readTools({
    url: kitchen.url,
    token: (workspace) => (workspaces.includes(workspace) ? token(workspace, 'read') : null),
    timeoutMs: 20_000,
  });
  const paid = createTools({ url: kitchen.url, token: (workspace, scope) => token(workspace, scope), timeoutMs: 20_000 });
  const world: World = {
    tools,
    paid,
    kitchen,
    database,
    control: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await fetch(`${kitchen.controlUrl ?? ''}${path}`, {
        method,
        headers: { authorization: 'Bearer evals-control-token', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`kitchen ${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    collections: async (workspace) => {
      const options = { signal: AbortSignal.timeout(20_000), timeoutMs: 20_000 };
      const rows = async (args: Record<string, unknown>): Promise<Array<Record<string, unknown>>> =>
        ((await tools.call(workspace, 'collection_query', args, options)) as { rows: Array<Record<string, unknown>> }).rows;
      return Promise.all(
        (await rows({ op: 'list' })).map(async (row) => ({
          name: String(row['collection']),
          total: Number(row['records']),
          stages:
            Number(row['records']) === 0
              ? []
              : (await rows({ op: 'aggregate', collection: row['collection'], group_by: 'stage' })).map((group) => ({
                  stage: String(group['group']),
                  n: (group['records'] as { value: number }).value,
                })),
        })),
      );
    },
    close: async () => {
      await tools.close();
      await paid.close();
      await kitchen.close();
      for (const name of made) await withClient(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
  await revealSome(paid);
  return world;
};

/** Contacts that the workspace bought long ago. */
const revealSome = async (paid: Tools): Promise<void> => {
  const { companies } = await paid.call(
    WITH_CONTACTS,
    companySearch,
    { activity: 'empaque', state: 'Jalisco', limit: 25 },
    { scope: 'paid' },
  );
  let left = ACQUIRED;
  for (const company of companies) {
    if (left === 0) return;
    const { people } = await paid.call(
      WITH_CONTACTS,
      peopleSearch,
      { company_id: company.company_id, role: 'compras', limit: 1 },
      { scope: 'paid' },
    );
    const [person] = people;
    if (!person) continue;
    const quote = await paid.call(WITH_CONTACTS, peopleQuote, { person_ids: [person.person_id] }, { scope: 'paid' });
    await paid.call(
      WITH_CONTACTS,
      peopleReveal,
      { person_id: person.person_id, quote_id: quote.quote_id, max_credits: 100, idempotency_key: `evals:${person.person_id}` },
      { scope: 'paid' },
    );
    left--;
  }
};
