import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../contracts/tools/index.js';
import type { StoredSequence } from '../../kitchen/store.js';
import { OTHER, PAID, READ, TestKitchen, type Caller, type CompanyPage, type PeoplePage, type Usage } from './harness.js';

let kitchen: TestKitchen;
let paid: Caller;
let read: Caller;
beforeAll(async () => {
  kitchen = await TestKitchen.start();
  paid = await kitchen.connect(PAID);
  read = await kitchen.connect(READ);
});
afterAll(() => kitchen.stop());

const PACKAGING = { activity: 'empaque', state: 'Jalisco' };
interface Figure {
  ref: string;
  value: number;
}
interface Group {
  ref: string;
  group: string;
  awards: Figure;
  total: Figure;
  average: Figure;
  share: Figure;
}
interface Save {
  saved: number;
  already_there: number;
  undo_token: string;
  client_key: string;
}
interface Rows {
  rows: Record<string, unknown>[];
  total: number;
  save: Save | null;
  has_more: boolean;
  next_cursor: string | null;
}

describe('catalogue', () => {
  it('lists every contract with its cost, scope and hint', async () => {
    const { tools } = await paid.client.listTools();
    expect(tools.map((t) => t.name)).toEqual(CATALOGUE.map((c) => c.name));
    for (const contract of CATALOGUE) {
      const tool = tools.find((t) => t.name === contract.name);
      expect(tool?._meta).toEqual({ costo: contract.costo, scope: contract.scope });
      expect(tool?.annotations?.readOnlyHint).toBe(contract.readOnly);
      expect(tool?.inputSchema.type).toBe('object');
    }
  });
  it('shows a reader only what it may call, and refuses the rest with a code', async () => {
    const names = (await read.client.listTools()).tools.map((t) => t.name);
    expect(names).toEqual(CATALOGUE.filter((c) => c.scope === 'read').map((c) => c.name));
    for (const contract of CATALOGUE.filter((c) => c.scope === 'paid')) {
      expect((await read.call(contract.name, {})).code).toBe('forbidden_scope');
    }
  });
  it('answers bad input and unknown tools as results', async () => {
    const bad = await paid.call('company_search', { activity: '', limit: 900 });
    expect([bad.ok, bad.code]).toEqual([false, 'invalid_input']);
    expect((await paid.call('no_such_tool')).code).toBe('tool_not_found');
    expect((await paid.call('people_search', { role: 7 })).code).toBe('invalid_input');
  });
  it('keeps strangers out and never asks for more than a token', async () => {
    const post = (headers: Record<string, string>, body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'): Promise<Response> =>
      fetch(kitchen.running.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body,
      });
    expect((await post({})).status).toBe(401);
    expect((await post({ authorization: 'Bearer wrong-token' })).status).toBe(401);
    expect((await post({ authorization: `Bearer ${READ}`, origin: 'https://page.example' })).status).toBe(403);
    expect((await post({ authorization: `Bearer ${READ}` }, '{nope')).status).toBe(400);
    expect((await post({ authorization: `Bearer ${READ}` }, '[]')).status).toBe(400);
    expect((await post({ authorization: `Bearer ${READ}`, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await fetch(kitchen.running.url, { headers: { authorization: `Bearer ${READ}` } })).status).toBe(405);
    expect((await fetch(kitchen.running.url.replace('/mcp', '/healthz'))).status).toBe(200);
  });
});

describe('companies and people', () => {
  it('walks more than 80 packaging companies by cursor, the same ones every time', async () => {
    const walk = async (limit: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: CompanyPage = await paid.get('company_search', { ...PACKAGING, limit, ...(cursor ? { cursor } : {}) });
        ids.push(...page.companies.map((c) => c.company_id));
        cursor = page.next_cursor;
      }
      return ids;
    };
    const [byTwentyFive, bySeven] = [await walk(25), await walk(7)];
    expect(byTwentyFive.length).toBeGreaterThanOrEqual(80);
    expect(new Set(byTwentyFive).size).toBe(byTwentyFive.length);
    expect(bySeven).toEqual(byTwentyFive);
  });
  it('refuses a cursor that it did not give for this query', async () => {
    const page = await paid.get<CompanyPage>('company_search', PACKAGING);
    for (const cursor of ['x', '', 'AAAA', 'eyJvIjo1MH0', `${page.next_cursor}x`]) {
      expect((await paid.call('company_search', { ...PACKAGING, cursor })).code).toBe('malformed_cursor');
    }
    expect((await paid.call('company_search', { activity: 'software', cursor: page.next_cursor })).code).toBe('malformed_cursor');
  });
  it('matches without accents or case, and says so when nothing is filed under a word', async () => {
    const total = async (activity: string, state?: string): Promise<number> =>
      (await paid.get<CompanyPage>('company_search', { activity, ...(state ? { state } : {}) })).total;
    const expected = await total('empaque', 'Jalisco');
    expect(await total('EMPAQUES', 'jalisco')).toBe(expected);
    expect(await total('Empaque y embalaje', 'JAL')).toBe(expected);
    expect(await total('químicos', 'nuevo leon')).toBe(await total('quimicos', 'Nuevo León'));
    const nothing = await paid.get<CompanyPage>('company_search', { activity: 'submarinos', state: 'Jalisco' });
    expect([nothing.total, nothing.companies.length, nothing.has_more]).toEqual([0, 0, false]);
    expect(nothing.coverage).toContain('submarinos');
  });
  it('gives candidates without names, 0 where nobody buys, not_found for a stranger', async () => {
    const first: CompanyPage[] = [await paid.get('company_search', PACKAGING)];
    first.push(await paid.get('company_search', { ...PACKAGING, cursor: first[0]?.next_cursor }));
    let none = 0;
    for (const company of first.flatMap((p) => p.companies)) {
      const found = await paid.get<PeoplePage>('people_search', { company_id: company.company_id, role: 'compras' });
      if (found.total === 0) none++;
      for (const person of found.people) {
        expect(person.area).toBe('compras');
        expect(Object.keys(person)).not.toContain('name');
        expect(Date.parse(person.seen_at)).toBeLessThan(Date.now());
      }
    }
    expect(none).toBe(3);
    expect((await paid.call('people_search', { company_id: 'emp-999999', role: 'compras' })).code).toBe('not_found');
  });
  it('counts one query for a page that succeeds and none for one that fails', async () => {
    const caller = await kitchen.fresh(0);
    const left = async (): Promise<number> => (await caller.get<Usage>('usage')).balances.queries;
    expect(await left()).toBe(10_000);
    const page = await caller.get<CompanyPage>('company_search', PACKAGING);
    await Promise.all(page.companies.map((c) => caller.get('people_search', { company_id: c.company_id, role: 'compras' })));
    expect(await left()).toBe(10_000 - 26);
    await caller.call('company_search', { ...PACKAGING, cursor: 'x' });
    await caller.call('people_search', { company_id: 'emp-999999', role: 'compras' });
    expect(await left()).toBe(10_000 - 26);
    await kitchen.control('POST', '/balances', { workspace: 'ws_0', queries: 2 });
    const many = await Promise.all(Array.from({ length: 6 }, () => caller.call('company_search', PACKAGING)));
    expect(many.filter((a) => a.ok)).toHaveLength(2);
    expect(many.filter((a) => a.code === 'insufficient_queries')).toHaveLength(4);
    expect((await kitchen.log('ws_0', 'company_search')).charges).toHaveLength(3);
  });
});

describe('CRM', () => {
  const pick = async (caller: Caller, n: number): Promise<Record<string, unknown>[]> =>
    (await caller.get<CompanyPage>('company_search', { ...PACKAGING, limit: n })).companies.map(({ company_id, name, rfc, domain }) => ({
      company_id,
      name,
      rfc,
      domain,
    }));

  it('starts with 40 records in three stages and an empty list of prospects', async () => {
    const { rows } = await paid.get<Rows>('collection_query', { op: 'list' });
    expect(rows.map((r) => [r['collection'], r['records']])).toEqual([
      ['pipeline', 40],
      ['prospectos', 0],
    ]);
    const stages = await paid.get<Rows>('collection_query', { op: 'aggregate', collection: 'pipeline', group_by: 'stage' });
    expect(stages.rows).toHaveLength(3);
    const page = await paid.get<Rows>('collection_query', { op: 'query', collection: 'pipeline', limit: 30 });
    const next = await paid.get<Rows>('collection_query', { op: 'query', collection: 'pipeline', limit: 30, cursor: page.next_cursor });
    expect(page.rows.length + next.rows.length).toBe(40);
    const one = await paid.get<Rows>('collection_query', { op: 'get', record_id: page.rows[0]?.['record_id'] });
    expect(one.rows[0]).toEqual(page.rows[0]);
    expect((await paid.call('collection_query', { op: 'query', collection: 'clientes' })).error['message']).toBe('Collection not found');
    expect((await paid.call('collection_query', { op: 'query', collection: 'pipeline', cursor: 'x' })).code).toBe('malformed_cursor');
  });
  it('saves once per client key, reads it back and undoes it', async () => {
    const caller = await kitchen.fresh(1);
    const companies = await pick(caller, 10);
    const saves = await Promise.all([1, 2, 3].map(() => caller.get<Save>('crm_save_companies', { client_key: 'k1', companies })));
    expect(new Set(saves.map((s) => s.undo_token)).size).toBe(1);
    expect([saves[0]?.saved, saves[0]?.already_there]).toEqual([10, 0]);
    const back = await caller.get<Rows>('collection_query', { op: 'query', collection: 'prospectos', client_key: 'k1' });
    expect([back.total, back.save?.undo_token]).toEqual([10, saves[0]?.undo_token]);
    const more = await caller.get<Save>('crm_save_companies', { client_key: 'k2', companies: [...(await pick(caller, 12)), ...companies] });
    expect([more.saved, more.already_there]).toEqual([2, 10]);
    expect(await caller.get('crm_undo', { undo_token: saves[0]?.undo_token })).toMatchObject({ removed: 10 });
    expect(await caller.get('crm_undo', { undo_token: saves[0]?.undo_token })).toMatchObject({ removed: 10 });
    expect((await caller.get<Rows>('collection_query', { op: 'query', collection: 'prospectos', client_key: 'k1' })).save).toBeNull();
    expect((await caller.call('crm_save_companies', { client_key: 'k1', companies })).code).toBe('save_undone');
    expect((await caller.get<Rows>('collection_query', { op: 'query', collection: 'prospectos' })).total).toBe(2);
  });
  it('does not undo rows that somebody edited, nor after the window, nor for another workspace', async () => {
    const caller = await kitchen.fresh(2);
    const companies = await pick(caller, 5);
    const save = await caller.get<Save>('crm_save_companies', { client_key: 'k', companies });
    expect((await (await kitchen.connect(OTHER)).call('crm_undo', { undo_token: save.undo_token })).code).toBe('not_found');
    expect(await kitchen.control('POST', '/touch-row', { workspace: 'ws_2', company_id: companies[3]?.['company_id'] })).toEqual({
      touched: 1,
    });
    const refused = await caller.call('crm_undo', { undo_token: save.undo_token });
    expect(refused.code).toBe('rows_changed');
    expect(refused.error['params']).toMatchObject({ rows: [{ company_id: companies[3]?.['company_id'] }] });
    expect((await caller.get<Rows>('collection_query', { op: 'query', collection: 'prospectos' })).total).toBe(5);
    const short = await TestKitchen.start({ undoWindowMs: 0 });
    try {
      const late = await short.connect();
      const late_save = await late.get<Save>('crm_save_companies', { client_key: 'k', companies });
      expect((await late.call('crm_undo', { undo_token: late_save.undo_token })).code).toBe('undo_expired');
    } finally {
      await short.stop();
    }
  });
  it('saves 5,000 companies in one call', async () => {
    const caller = await kitchen.fresh(3);
    const companies = Array.from({ length: 5_000 }, (_, i) => ({ company_id: `own-${i}`, name: `Empresa ${i}`, rfc: null, domain: null }));
    expect((await caller.get<Save>('crm_save_companies', { client_key: 'big', companies })).saved).toBe(5_000);
  });
});

describe('sequences', () => {
  const drafts = [
    { person_id: 'per-000001', subject: 'Hola', body: 'Una idea' },
    { person_id: 'per-000002', subject: 'Hola', body: '' },
  ];
  it('stores drafts once per client key and reads them back', async () => {
    const caller = await kitchen.fresh(4);
    const made = await Promise.all(
      [1, 2, 3].map(() =>
        caller.get<{ sequence_id: string; created: number }>('sequence_create_draft', { client_key: 's1', name: 'Prueba', drafts }),
      ),
    );
    expect(new Set(made.map((m) => m.sequence_id)).size).toBe(1);
    expect(made[0]?.created).toBe(2);
    const check = await caller.get<{ found: boolean; ready: boolean; sequence_id: string; problems: unknown[] }>('sequence_check', {
      client_key: 's1',
    });
    expect(check).toMatchObject({
      found: true,
      ready: false,
      sequence_id: made[0]?.sequence_id,
      problems: [
        { code: 'draft_blank', count: 1 },
        { code: 'contact_not_acquired', count: 2 },
      ],
    });
    expect(await caller.get('sequence_check', { client_key: 'nope' })).toMatchObject({ found: false, ready: false, drafts: [] });
    expect((await caller.call('sequence_check', {})).code).toBe('invalid_input');
  });
  describe('that replace an earlier one', () => {
    interface Made {
      sequence_id: string;
      drafts: { draft_id: string }[];
    }
    interface Check {
      found: boolean;
      ready: boolean;
      replaced_by: string | null;
      problems: { code: string }[];
    }
    const one = (body: string) => [{ person_id: 'per-000001', subject: 'Hola', body }];
    const create = (caller: Caller, client_key: string, body: string, replaces?: string): Promise<Made> =>
      caller.get('sequence_create_draft', { client_key, name: 'Prueba', drafts: one(body), ...(replaces ? { replaces } : {}) });
    const check = (caller: Caller, sequence_id: string): Promise<Check> => caller.get('sequence_check', { sequence_id });
    const stored = async (workspace: string): Promise<StoredSequence[]> =>
      (await kitchen.control<{ sequences: StoredSequence[] }>('GET', `/sequences?workspace=${workspace}`)).sequences;

    it('take its place: the earlier one is not ready any more and names what came after it', async () => {
      const caller = await kitchen.fresh(6);
      const { quote_id } = await caller.get<{ quote_id: string }>('people_quote', { person_ids: ['per-000001'] });
      await caller.get('people_reveal', { person_id: 'per-000001', quote_id, max_credits: 5, idempotency_key: 'k' });
      const old = await create(caller, 'old', 'Una idea');
      expect(await check(caller, old.sequence_id)).toMatchObject({ ready: true, replaced_by: null });
      const fresh = await create(caller, 'new', 'Otra idea', old.sequence_id);
      expect(fresh.sequence_id).not.toBe(old.sequence_id);
      expect(await check(caller, old.sequence_id)).toMatchObject({
        found: true,
        ready: false,
        replaced_by: fresh.sequence_id,
        problems: [{ code: 'replaced' }],
      });
      expect(await check(caller, fresh.sequence_id)).toMatchObject({ ready: true, replaced_by: null, problems: [] });
      expect((await stored('ws_6')).map((s) => [s.client_key, s.replaced_by, s.drafts[0]?.body])).toEqual([
        ['old', fresh.sequence_id, 'Una idea'],
        ['new', null, 'Otra idea'],
      ]);
    });

    it('are stored once per client key, also when called several times at once', async () => {
      const caller = await kitchen.fresh(7);
      const old = await create(caller, 'old', 'Una idea');
      const made = await Promise.all([1, 2, 3].map(() => create(caller, 'new', 'Otra idea', old.sequence_id)));
      expect(new Set(made.map((m) => m.sequence_id)).size).toBe(1);
      expect((await create(caller, 'new', 'Otra idea', old.sequence_id)).sequence_id).toBe(made[0]?.sequence_id);
      expect(await stored('ws_7')).toHaveLength(2);
    });

    it('have no rival: of two that would replace the same one, the second is refused and writes nothing', async () => {
      const caller = await kitchen.fresh(8);
      const old = await create(caller, 'old', 'Una idea');
      const answers = await Promise.all(
        ['a', 'b'].map((client_key) =>
          caller.call('sequence_create_draft', { client_key, name: 'Prueba', drafts: one(client_key), replaces: old.sequence_id }),
        ),
      );
      const [won, lost] = answers[0]?.ok ? answers : [...answers].reverse();
      expect(lost?.code).toBe('already_replaced');
      expect(lost?.error['params']).toEqual({ replaced_by: won?.data['sequence_id'] });
      expect(await stored('ws_8')).toHaveLength(2);
    });

    it('have to name one that is there, in the same workspace', async () => {
      const [caller, other] = [await kitchen.fresh(9), await kitchen.connect(OTHER)];
      const theirs = await create(other, 'theirs', 'Una idea');
      for (const replaces of ['seq-none', theirs.sequence_id]) {
        const refused = await caller.call('sequence_create_draft', {
          client_key: `for-${replaces}`,
          name: 'Prueba',
          drafts: one('Otra idea'),
          replaces,
        });
        expect([replaces, refused.code, refused.error['counted']]).toEqual([replaces, 'not_found', false]);
      }
      expect(await stored('ws_9')).toEqual([]);
      expect(await check(other, theirs.sequence_id)).toMatchObject({ found: true, replaced_by: null });
    });
  });

  it('says where to connect a mailbox when there is none', async () => {
    const caller = await kitchen.fresh(5);
    await kitchen.control('POST', '/settings', { workspace: 'ws_5', mailbox_connected: false });
    const refused = await caller.call('sequence_create_draft', { client_key: 's1', name: 'Prueba', drafts });
    expect(refused.code).toBe('mailbox_missing');
    expect(refused.error['params']).toHaveProperty('connect_url');
  });
});

describe('playbook', () => {
  it('finds topics by words, says when there is none, and gives a text', async () => {
    const { topics } = await read.get<{ topics: { topic_id: string }[] }>('context_retrieve', {
      query: '¿qué responder si dicen que el precio es caro?',
    });
    expect(topics[0]?.topic_id).toBe('tema-objeciones-precio');
    expect(await read.get('context_retrieve', { query: 'zepelines' })).toMatchObject({ total: 0, topics: [] });
    expect(await read.get('context_get', { topic_id: 'tema-seguimiento' })).toMatchObject({ topic: { title: 'Seguimiento' } });
    expect((await read.call('context_get', { topic_id: 'x' })).code).toBe('not_found');
  });
});

describe('market', () => {
  it('counts, also to 0', async () => {
    const counted = await read.get<{ count: Figure; with_awards: Figure; total: number }>('market_count_suppliers', {
      activity: 'transporte',
      state: 'Bajío',
    });
    expect(counted.count.value).toBeGreaterThan(0);
    expect(counted.with_awards.value).toBeLessThanOrEqual(counted.count.value);
    expect(await read.get('market_count_suppliers', { activity: 'farmacéutica espacial' })).toMatchObject({
      total: 0,
      count: { value: 0 },
    });
  });
  it('searches suppliers and asks for more when the query selects nothing', async () => {
    const refused = await read.call('market_search_suppliers', {});
    expect(refused.code).toBe('query_not_selective');
    expect(refused.error['params']).toMatchObject({ add: ['activity', 'state', 'text', 'size'] });
    const { suppliers } = await read.get<{ suppliers: { supplier_id: string; total_mxn: number; rfc: string }[] }>(
      'market_search_suppliers',
      { activity: 'empaque', limit: 10 },
    );
    expect(suppliers.map((s) => s.total_mxn)).toEqual(suppliers.map((s) => s.total_mxn).sort((a, b) => b - a));
    const history = await read.get<{ supplier: { supplier_id: string; total_mxn: number }; years: { total: Figure }[] }>(
      'market_get_supplier_history',
      { rfc: suppliers[0]?.rfc },
    );
    expect(history.supplier.supplier_id).toBe(suppliers[0]?.supplier_id);
    expect(history.years.reduce((sum, y) => sum + y.total.value, 0)).toBe(history.supplier.total_mxn);
    expect((await read.call('market_get_supplier_history', { supplier_id: 'prv-x' })).code).toBe('not_found');
  });
  it('tries synonyms only when the words find nothing', async () => {
    const literal = await read.get<{ total: number; synonyms_used: string[] }>('market_search_awards', {
      buyer: 'IMSS',
      product: 'guantes',
    });
    expect(literal.total).toBeGreaterThan(0);
    expect(literal.synonyms_used).toEqual([]);
    const other = await read.get<{ total: number; synonyms_used: string[]; coverage: string }>('market_search_awards', {
      product: 'despensas',
      from: '2025-01-01',
      to: '2025-12-31',
    });
    expect(other.total).toBeGreaterThan(0);
    expect(other.synonyms_used.length).toBeGreaterThan(0);
    expect(other.coverage).toContain('viveres');
  });
  it('aggregates with one anchor per figure that adds up over the pages', async () => {
    const page = await read.get<{ overall: { total: Figure; awards: Figure }; groups: Group[]; next_cursor: string }>(
      'market_aggregate_awards',
      { group_by: 'state', from: '2023-01-01', to: '2025-12-31', limit: 20 },
    );
    const rest = await read.get<{ groups: Group[] }>('market_aggregate_awards', {
      group_by: 'state',
      from: '2023-01-01',
      to: '2025-12-31',
      limit: 20,
      cursor: page.next_cursor,
    });
    const groups = [...page.groups, ...rest.groups];
    expect(groups.reduce((sum, g) => sum + g.total.value, 0)).toBe(page.overall.total.value);
    expect(groups.reduce((sum, g) => sum + g.awards.value, 0)).toBe(page.overall.awards.value);
    const refs = page.groups.flatMap((g) => [g.ref, g.awards.ref, g.total.ref, g.average.ref, g.share.ref]);
    expect(new Set(refs).size).toBe(refs.length);
    for (const g of page.groups) expect(g.average.value).toBe(Math.round(g.total.value / g.awards.value));
    await read.get('market_aggregate_awards', { group_by: 'supplier_size', activity: 'software' });
  });
  it('compares and screens', async () => {
    const { cells } = await read.get<{ cells: { segment: string; geography: string; suppliers: Figure }[] }>('market_compare', {
      segments: ['acero', 'solar'],
      geographies: ['Nuevo León', 'Coahuila', 'Bajío'],
    });
    expect(cells).toHaveLength(6);
    const { suppliers } = await read.get<{ suppliers: { rfc: string }[] }>('market_search_suppliers', { activity: 'acero', limit: 10 });
    const rfcs = [...suppliers.map((s) => s.rfc), 'CSO310614K75', 'CSO 310614-K74', 'nada'];
    const { rows } = await read.get<{ rows: { verdict: string }[] }>('market_screen', { rfcs });
    expect(rows).toHaveLength(rfcs.length);
    expect(
      rows
        .map((r) => r.verdict)
        .slice(0, 10)
        .every((v) => v === 'active_supplier' || v === 'sanctioned'),
    ).toBe(true);
    expect([rows[10]?.verdict, rows[12]?.verdict]).toEqual(['invalid_rfc', 'invalid_rfc']);
    expect(rows[11]?.verdict).not.toBe('invalid_rfc');
    expect((await read.call('market_screen', { rfcs: Array.from({ length: 51 }, () => 'X') })).code).toBe('invalid_input');
  });
  it('finds open tenders by deadline and opens one', async () => {
    const { opportunities, total } = await read.get<{
      opportunities: { opportunity_id: string; deadline: string; status: string }[];
      total: number;
    }>('market_search_opportunities', { limit: 50 });
    expect(total).toBeGreaterThan(100);
    expect(opportunities.every((o) => o.status === 'open' && Date.parse(o.deadline) > Date.now())).toBe(true);
    expect(opportunities.map((o) => o.deadline)).toEqual(opportunities.map((o) => o.deadline).sort());
    const one = await read.get<{ milestones: unknown[] }>('market_get_opportunity', { opportunity_id: opportunities[0]?.opportunity_id });
    expect(one.milestones).toHaveLength(4);
    expect((await read.call('market_get_opportunity', { opportunity_id: 'lic-x' })).code).toBe('not_found');
    expect((await read.get<{ total: number }>('market_search_opportunities', { text: 'sector salud' })).total).toBeGreaterThan(0);
  });
});
