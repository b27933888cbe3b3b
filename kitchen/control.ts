import { createServer, type Server } from 'node:http';
import { z } from 'zod';
import { Fault } from './faults.js';
import { digestToken, readBody, sendJson } from './http.js';
import type { Kitchen } from './kitchen.js';

const workspace = z.string().min(1).max(120);
const amount = z.int().min(0).max(2_000_000_000).optional();
const delta = z.int().min(-2_000_000_000).max(2_000_000_000).optional();

const Bodies = {
  faults: z.union([Fault, z.array(Fault).min(1).max(100)]),
  release: z.object({ fault_id: z.string().optional(), tool: z.string().optional(), count: z.int().min(1).optional() }).strict(),
  /** Either absolute figures, or `add` for a top-up. */
  balances: z
    .object({
      workspace,
      credits: amount,
      queries: amount,
      inference: amount,
      add: z.object({ credits: delta, queries: delta, inference: delta }).strict().optional(),
    })
    .strict(),
  prices: z.object({ workspace, min: z.int().min(0).max(100_000), max: z.int().min(0).max(100_000).optional() }).strict(),
  settings: z.object({ workspace, honours_idempotency_keys: z.boolean().optional(), mailbox_connected: z.boolean().optional() }).strict(),
  reset: z.object({ workspace, faults: z.boolean().default(true) }).strict(),
  touch: z
    .object({
      workspace,
      record_id: z.string().optional(),
      company_id: z.string().optional(),
      collection: z.string().default('prospectos'),
    })
    .strict(),
};

class BadRequest extends Error {}
const parse = <T extends z.ZodType>(schema: T, body: unknown): z.output<T> => {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new BadRequest(parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));
  return parsed.data;
};

/** Marks a CRM row as edited by somebody. */
const touch = async (kitchen: Kitchen, body: z.output<typeof Bodies.touch>): Promise<number> => {
  const rows = await kitchen.store.rows(
    'touch',
    `UPDATE crm_records SET version = version + 1, stage = 'contactado', changed_at = clock_timestamp()
     WHERE workspace = $1 AND (('rec-' || pos) = $2 OR ($2::text IS NULL AND company_id = $3 AND collection = $4)) RETURNING pos`,
    [body.workspace, body.record_id ?? null, body.company_id ?? null, body.collection],
  );
  return rows.length;
};

/** What each control does: method and path, body and query in, body out. */
const route = async (kitchen: Kitchen, key: string, query: URLSearchParams, body: unknown): Promise<unknown> => {
  const asked = query.get('workspace');
  switch (key) {
    case 'GET /faults':
      return { faults: kitchen.faults.list() };
    case 'POST /faults': {
      const given = parse(Bodies.faults, body);
      return { ids: (Array.isArray(given) ? given : [given]).map((f) => kitchen.faults.add(f)) };
    }
    case 'DELETE /faults':
      return { removed: kitchen.faults.remove(query.get('id') ?? undefined) };
    case 'POST /release':
      return { released: kitchen.faults.release(parse(Bodies.release, body ?? {})) };
    case 'POST /balances': {
      const { workspace: ws, add, ...absolute } = parse(Bodies.balances, body);
      const row = await kitchen.store.setWorkspace(ws, absolute);
      return add ? kitchen.store.addToBalances(ws, add) : row;
    }
    case 'POST /prices': {
      const given = parse(Bodies.prices, body);
      return kitchen.store.setWorkspace(given.workspace, { price_min: given.min, price_max: Math.max(given.min, given.max ?? given.min) });
    }
    case 'POST /settings': {
      const given = parse(Bodies.settings, body);
      return kitchen.store.setWorkspace(given.workspace, {
        honours_keys: given.honours_idempotency_keys,
        mailbox: given.mailbox_connected,
      });
    }
    case 'POST /reset': {
      const given = parse(Bodies.reset, body);
      if (given.faults) kitchen.faults.remove();
      await kitchen.calls.flush();
      kitchen.calls.forget(given.workspace);
      await kitchen.store.reset(given.workspace);
      return kitchen.store.workspace(given.workspace);
    }
    case 'POST /touch-row':
      return { touched: await touch(kitchen, parse(Bodies.touch, body)) };
    case 'GET /log': {
      if (asked === null) throw new BadRequest('workspace: needed');
      const tool = query.get('tool');
      return { calls: await kitchen.calls.list(asked, tool), charges: await kitchen.store.charges(asked, tool) };
    }
    case 'GET /sequences':
      return { sequences: await kitchen.store.sequences(parse(workspace, asked)) };
    case 'GET /counters':
      return { tools: kitchen.calls.count(asked) };
    case 'GET /balances':
      return kitchen.store.workspace(parse(workspace, asked));
    default:
      return undefined;
  }
};

/** The control endpoint of tests: faults, balances, logs. It is started only with a token, and only on loopback. */
export const makeControlServer = (kitchen: Kitchen, token: string): Server => {
  const expected = digestToken(token);
  return createServer((req, res) => {
    const work = async (): Promise<void> => {
      const given = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
      if (given === undefined || digestToken(given) !== expected || req.headers.origin !== undefined)
        return sendJson(res, 401, { error: 'A control token is needed' });
      const url = new URL(req.url ?? '/', 'http://control');
      const text = await readBody(req, 1_048_576);
      let body: unknown;
      try {
        body = text === null || text === '' ? undefined : JSON.parse(text);
      } catch {
        throw new BadRequest('The body is not JSON');
      }
      const answer = await route(kitchen, `${req.method ?? ''} ${url.pathname}`, url.searchParams, body);
      return answer === undefined ? sendJson(res, 404, { error: 'Not found' }) : sendJson(res, 200, answer);
    };
    work().catch((error: unknown) =>
      sendJson(res, error instanceof BadRequest ? 400 : 500, { error: error instanceof Error ? error.message : 'unknown' }),
    );
  });
};
