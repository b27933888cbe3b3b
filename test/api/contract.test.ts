import type { Balances } from '../../contracts/api.js';
import { readFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreateRun } from '../../contracts/criteria.js';
import { transaction } from '../../db/client.js';
import { clientTypes } from './document.js';
import type { paths } from './generated.js';
import { campaign, seedRun, startApi, tapOf, token, type TestApi } from './support.js';

interface Operation {
  operationId: string;
  parameters?: Array<{ name: string; in: string; required?: boolean }>;
  responses: Record<string, { content?: Record<string, unknown> }>;
  security?: unknown;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

let api: TestApi;
let document: Document;
beforeAll(async () => {
  api = await startApi();
  document = (await api.call('GET', '/openapi.json', { token: null })).body as unknown as Document;
});
afterAll(() => api.stop());

const operations = (): Array<{ method: string; path: string; operation: Operation }> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

describe('the document', () => {
  it('is OpenAPI 3.1 and says every problem', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { method, path, operation } of operations()) {
      expect(operation.operationId, `${method} ${path}`).toBeTruthy();
      for (const status of ['400', '429', '500', '503']) expect(Object.keys(operation.responses), `${method} ${path}`).toContain(status);
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) >= 400 && path !== '/healthz')
          expect(response.content).toEqual({ 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } });
      }
      if (path !== '/healthz') expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403']));
      if (path.includes('{')) expect(Object.keys(operation.responses)).toContain('404');
    }
    expect(new Set(operations().map((o) => o.operation.operationId)).size).toBe(operations().length);
  });
  it('has the types that the client is compiled against', async () => {
    const kept = await readFile(new URL('./generated.d.ts', import.meta.url), 'utf8');
    expect(await clientTypes(document), 'run `npm run openapi`').toBe(kept);
  });
});

describe('a client made from it', () => {
  it('starts, follows and answers a run', async () => {
    const client = createClient<paths>({ baseUrl: api.url, headers: { authorization: `Bearer ${api.token}` } });
    const header = (key: string) => ({ header: { 'Idempotency-Key': key } });
    const made = await client.POST('/v1/runs', { params: header('c1'), body: CreateRun.parse(campaign) });
    expect(made.response.status).toBe(202);
    const { run, decision } = await seedRun(api);
    const progress = await client.GET('/v1/runs/{run_id}/progress', { params: { path: { run_id: run } } });
    expect(progress.data?.decisions).toEqual([decision]);
    const card = await client.GET('/v1/decisions/{decision_id}', { params: { path: { decision_id: decision }, query: { full: 'true' } } });
    const shown = card.data!;
    const body = tapOf(shown, 'all') as { option: 'all'; plan_version: number; payload_hash: string; shown_total: number };
    const stale = await client.POST('/v1/decisions/{decision_id}/resolve', {
      params: { path: { decision_id: decision }, ...header('c2') },
      body: { ...body, payload_hash: 'other' },
    });
    expect(stale.error).toMatchObject({ code: 'card_changed', fresh_decision_id: decision });
    const tapped = await client.POST('/v1/decisions/{decision_id}/resolve', {
      params: { path: { decision_id: decision }, ...header('c3') },
      body,
    });
    expect(tapped.data?.state).toBe('approved');
    const balances = await client.GET('/v1/balances');
    expect(balances.data?.queries.held).toBeGreaterThan(0);
    const etag = balances.response.headers.get('etag') ?? '';
    expect((await client.GET('/v1/balances', { params: { header: { 'If-None-Match': etag } } })).response.status).toBe(304);
    const items = await client.GET('/v1/runs/{run_id}/items', { params: { path: { run_id: run }, query: { limit: 4 } } });
    expect(items.data?.items).toHaveLength(4);
    expect(items.data?.next_cursor).toBe('4');
    const paused = await client.POST('/v1/runs/{run_id}/pause', { params: { path: { run_id: run }, ...header('c4') } });
    expect(paused.data?.state).toBe('paused');
    const decisions = await client.GET('/v1/decisions', { params: { query: { run_id: run } } });
    expect(decisions.data?.decisions[0]?.resolved?.option).toBe('all');
    const settings = await client.GET('/v1/settings');
    expect(settings.data?.concurrency).toBe(10);
  });
});

describe('another workspace', () => {
  it('is told 404 for every id that is not its own, and never anything else', async () => {
    const { run, decision } = await seedRun(api, 'ws_a');
    await transaction(api.pool, async (tx) => {
      await tx.q(`insert into sequences (id, run_id, workspace_id, client_key) values ('seq_a', $1, 'ws_a', 'seq_a')`, [run]);
      await tx.q(
        `insert into contacts (id, run_id, position, workspace_id, person_id, rank, state, price, draft_id, sequence_id, subject, draft) values ('con_a', $1, 1, 'ws_a', 'per_a', 1, 'drafted', 1, 'draft_a', 'seq_a', 'asunto', 'cuerpo')`,
        [run],
      );
    });
    const listed = await api.call('POST', '/v1/suppressions', { body: { entries: [{ kind: 'domain', value: 'example.net' }] } });
    const thread = (await api.call('POST', '/v1/threads', { body: { title: 'asunto' } })).body as unknown as { thread_id: string };
    const turn = (await api.call('POST', `/v1/threads/${thread.thread_id}/turns`, { body: { message: 'asunto' } })).body as unknown as {
      turn_id: string;
    };
    const ids: Record<string, string> = {
      thread_id: thread.thread_id,
      turn_id: turn.turn_id,
      run_id: run,
      decision_id: decision,
      sequence_id: 'seq_a',
      draft_id: 'draft_a',
      suppression_id: listed.body.suppressions[0]?.id ?? '',
    };
    const card = (await api.call('GET', `/v1/decisions/${decision}`)).body;
    const bodies: Record<string, unknown> = {
      resolveDecision: tapOf(card, 'all'),
      replanRun: { cuentas: 5 },
      patchDraft: { version: 1, subject: 'otro' },
      ...Object.fromEntries(
        ['opsRetryFailed', 'opsSettleUnconfirmed', 'opsRepairProjection', 'opsPauseRun', 'opsResumeRun', 'opsCancelRun'].map((id) => [
          id,
          { reason: 'prueba' },
        ]),
      ),
      putSkillState: { state: 'never' },
      createTurn: { message: 'hola' },
      putSelection: { refs: [] },
    };
    const queries: Record<string, string> = { putSkillState: '?scope=thread&scope_id=t1' };
    const mine = await api.call('GET', '/v1/sequences/seq_a');
    expect(mine.body.drafts).toEqual([
      {
        draft_id: 'draft_a',
        contact_id: 'con_a',
        to_name: null,
        title: null,
        company: null,
        subject: 'asunto',
        body: 'cuerpo',
        written_by: 'template',
        version: 1,
        edited_by: null,
        edited_at: null,
        stored_draft_id: null,
      },
    ]);
    const stranger = await token({ ws: 'ws_b' });
    let walked = 0;
    for (const { method, path, operation } of operations()) {
      if (!path.includes('{')) continue;
      const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'none') + (queries[operation.operationId] ?? '');
      const answer = await api.call(method, url, {
        token: stranger,
        ...(operation.operationId in bodies ? { body: bodies[operation.operationId] } : {}),
      });
      // The operators' actions come from another module; here only what the route itself answers counts.
      expect([`${method} ${path}`, answer.status, answer.body?.code]).toEqual([
        `${method} ${path}`,
        404,
        expect.stringMatching(/_not_found$/),
      ]);
      expect(answer.text).not.toMatch(/asunto|cuerpo|empaque|"ana"/);
      walked += 1;
    }
    expect(walked).toBeGreaterThanOrEqual(16);
    for (const path of ['/v1/runs', '/v1/decisions', '/v1/suppressions', '/v1/ops/runs', '/v1/ops/audit', '/v1/threads']) {
      const list = Object.values((await api.call('GET', path, { token: stranger })).body).find(Array.isArray);
      expect([path, list]).toEqual([path, []]);
    }
    expect((await api.call('GET', `/v1/decisions?run_id=${run}`, { token: stranger })).body.decisions).toEqual([]);
    expect((await api.call('GET', `/v1/events?run_id=${run}`, { token: stranger })).status).toBe(404);
    // What the provider says of its own workspace, and nothing of what was held or spent elsewhere.
    const theirs = (await api.call('GET', '/v1/balances', { token: stranger })).body as unknown as Balances;
    for (const line of [theirs.credits, theirs.queries]) expect(line).toMatchObject({ held: 0, spent: 0, available: line.granted });
    // Nothing of all this changed anything.
    expect((await api.call('GET', `/v1/decisions/${decision}`)).body).toEqual(card);
  });
});
