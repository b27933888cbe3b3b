import type { FastifyRequest } from 'fastify';
import type { Caller } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import { transaction, type Pool, type Tx } from '../db/client.js';
import { ensureWorkspace, rememberAnswer, reserveKey } from '../db/runs.js';
import type { Answer } from '../activities/decide.js';

/** One to 200 printable characters; a UUID is the usual choice. */
const KEY = /^[\x21-\x7e]{1,200}$/;
export const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The `Idempotency-Key` of a request that changes something.
 * @throws Refusal 400 `idempotency_key_missing` or `idempotency_key_invalid`
 */
export const keyOf = (request: FastifyRequest): string => {
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '') throw new Refusal(400, 'idempotency_key_missing', {});
  if (typeof header !== 'string' || !KEY.test(header)) throw new Refusal(400, 'idempotency_key_invalid', {});
  return header;
};

/** One change under its key in one transaction; a repeat of the same key and body gets the first answer again. */
export const once = (
  pool: Pool,
  caller: Caller,
  key: string,
  route: string,
  body: unknown,
  change: (tx: Tx) => Promise<Answer>,
): Promise<Answer> =>
  transaction(pool, async (tx) => {
    await ensureWorkspace(tx, caller.workspace);
    const earlier = await reserveKey(tx, caller.workspace, key, route, body);
    if (earlier) return { status: earlier.status, body: earlier.response };
    const answer = await change(tx);
    await rememberAnswer(tx, caller.workspace, key, answer.status, answer.body);
    return answer;
  });
