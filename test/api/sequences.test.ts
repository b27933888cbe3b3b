import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DecisionItems, Sequence } from '../../contracts/api.js';
import { Decision } from '../../contracts/decision.js';
import { finishedRun, newWorkspace, openDecision, sql, type OpenRun } from '../support/runs.js';
import { openRig, type Asker, type Rig } from './ops-rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

const reviewable = async (): Promise<{ at: OpenRun; ws: string; card: string; sequence: string; ana: Asker; luis: Asker }> => {
  const ws = await newWorkspace(rig.lab);
  const at = await finishedRun(rig.lab, ws, { cuentas: 3 });
  const card = await openDecision(rig.lab, at, 's6');
  const ana = await rig.as(ws, { sub: 'ana' });
  const { items } = DecisionItems.parse((await ana.get(`/v1/decisions/${card.id}/items`)).body);
  return { at, ws, card: card.id, sequence: items[0]?.ref ?? '', ana, luis: await rig.as(ws, { sub: 'luis' }) };
};
const read = async (asker: Asker, id: string): Promise<Sequence> => Sequence.parse((await asker.get(`/v1/sequences/${id}`)).body);
const approveOn = async (asker: Asker, card: string, channel?: string) => {
  const shown = Decision.parse((await asker.get(`/v1/decisions/${card}`)).body);
  return asker.post<Decision & { detail?: string }>(
    `/v1/decisions/${card}/resolve`,
    { option: 'approve', plan_version: shown.plan_version, payload_hash: shown.payload_hash, shown_total: 0 },
    channel ? { headers: { 'x-campana-channel': channel } } : {},
  );
};

describe('a draft under review', () => {
  it('is read with whom it is for, where they work, and its version', async () => {
    const { at, card, sequence, ana } = await reviewable();
    const { drafts, ...rest } = await read(ana, sequence);
    expect(rest).toMatchObject({ sequence_id: sequence, run_id: at.run, state: 'draft', decision_id: card, problems: [] });
    expect(drafts).toHaveLength(3);
    expect(drafts[0]).toMatchObject({
      to_name: 'Luz',
      title: 'Gerente de Compras',
      company: 'Empresa 1',
      subject: 'Hola',
      body: 'Un borrador',
      version: 1,
      edited_by: null,
      edited_at: null,
    });
  });

  it('is changed from the version that was shown, and says who changed it', async () => {
    const { sequence, ana } = await reviewable();
    const [draft] = (await read(ana, sequence)).drafts;
    const path = `/v1/sequences/${sequence}/drafts/${draft?.draft_id}`;
    const changed = Sequence.parse((await ana.patch(path, { version: 1, body: 'Otro texto' })).body);
    expect(changed.drafts[0]).toMatchObject({ subject: 'Hola', body: 'Otro texto', version: 2, edited_by: 'ana' });
    expect(changed.drafts.slice(1).every((d) => d.version === 1 && d.edited_by === null)).toBe(true);
    expect(Sequence.parse((await ana.patch(path, { version: 2, subject: 'Asunto nuevo' })).body).drafts[0]).toMatchObject({
      subject: 'Asunto nuevo',
      body: 'Otro texto',
      version: 3,
    });
    for (const body of [
      { body: 'sin versión' },
      { version: 0, body: 'x' },
      { version: 3, subject: '' },
      { version: 3, to: 'otra@example.com' },
    ])
      expect((await ana.patch(path, body)).body).toMatchObject({ status: 400, code: 'request_invalid' });
    expect((await ana.patch(`/v1/sequences/${sequence}/drafts/none`, { version: 1, body: 'x' })).body).toMatchObject({
      status: 404,
      code: 'draft_not_found',
    });
  });

  it('that somebody else changed meanwhile is not overwritten: the second is shown what the first wrote', async () => {
    const { ws, sequence, ana, luis } = await reviewable();
    const [draft] = (await read(ana, sequence)).drafts;
    const path = `/v1/sequences/${sequence}/drafts/${draft?.draft_id}`;
    const [one, two] = await Promise.all([
      ana.patch(path, { version: 1, body: 'de ana' }),
      luis.patch(path, { version: 1, body: 'de luis' }),
    ]);
    const [won, lost] = one.status === 200 ? [one, two] : [two, one];
    expect([won.status, lost.status]).toEqual([200, 409]);
    const [now] = (await read(ana, sequence)).drafts;
    expect(lost.body).toMatchObject({
      code: 'draft_changed',
      params: {
        by: now?.edited_by,
        version: 2,
        draft: {
          draft_id: now?.draft_id,
          version: 2,
          subject: 'Hola',
          body: now?.body,
          edited_by: now?.edited_by,
          edited_at: now?.edited_at,
        },
      },
    });
    expect(['ana', 'luis']).toContain(now?.edited_by);
    // What is in the audit is who and which, never the text.
    const kept = await sql<{ detail: unknown }>(rig.lab, `select detail from audit where workspace_id = $1 and action = 'draft.changed'`, [
      ws,
    ]);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toMatch(/de ana|de luis/);
  });

  it('whose first reply was lost takes the same text again as the answer, with the key or with another', async () => {
    const { sequence, ana } = await reviewable();
    const [draft] = (await read(ana, sequence)).drafts;
    const path = `/v1/sequences/${sequence}/drafts/${draft?.draft_id}`;
    for (const key of ['k1', 'k1', 'k2']) {
      const answer = await ana.patch<Sequence>(path, { version: 1, body: 'una vez' }, { key: `${sequence}-${key}` });
      expect([key, answer.status, answer.body.drafts[0]?.version]).toEqual([key, 200, 2]);
    }
  });

  it('that is corrected after somebody read it is not approved by their tap: they read it first', async () => {
    const { card, sequence, ana, luis } = await reviewable();
    const seen = await read(ana, sequence);
    const shown = Decision.parse((await ana.get(`/v1/decisions/${card}`)).body);
    expect(seen.decision_hash).toBe(shown.payload_hash);
    const path = `/v1/sequences/${sequence}/drafts/${seen.drafts[0]?.draft_id}`;
    await luis.patch(path, { version: 1, body: 'Otra cosa' });
    const tap = (hash: string | null) =>
      ana.post<Decision>(
        `/v1/decisions/${card}/resolve`,
        { option: 'approve', plan_version: shown.plan_version, payload_hash: hash, shown_total: 0 },
        { headers: { 'x-campana-channel': 'web' } },
      );
    expect((await tap(seen.decision_hash)).body).toMatchObject({
      status: 409,
      code: 'card_changed',
      decision: { id: card, state: 'open' },
    });
    const again = await read(ana, sequence);
    expect([again.state, again.drafts[0]?.body, again.decision_hash === seen.decision_hash]).toEqual(['draft', 'Otra cosa', false]);
    expect((await tap(again.decision_hash)).body).toMatchObject({ state: 'approved' });
    expect((await read(ana, sequence)).decision_hash).toBeNull();
  });

  it('corrected and approved in the same moment is either approved as it was read or not at all', async () => {
    for (let i = 0; i < 6; i += 1) {
      const { card, sequence, ana, luis } = await reviewable();
      const seen = await read(ana, sequence);
      const path = `/v1/sequences/${sequence}/drafts/${seen.drafts[0]?.draft_id}`;
      const [approved, corrected] = await Promise.all([
        ana.post<Decision>(
          `/v1/decisions/${card}/resolve`,
          { option: 'approve', plan_version: 1, payload_hash: seen.decision_hash, shown_total: 0 },
          { headers: { 'x-campana-channel': 'web' } },
        ),
        luis.patch(path, { version: 1, body: 'Otra cosa' }),
      ]);
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual([approved.status, corrected.status]);
      expect((await read(ana, sequence)).drafts[0]?.body).toBe(approved.status === 200 ? 'Un borrador' : 'Otra cosa');
    }
  });

  it('is closed once the sequence is answered', async () => {
    const { card, sequence, ana } = await reviewable();
    const [draft] = (await read(ana, sequence)).drafts;
    expect((await approveOn(ana, card, 'web')).status).toBe(200);
    expect((await ana.patch(`/v1/sequences/${sequence}/drafts/${draft?.draft_id}`, { version: 1, body: 'tarde' })).body).toMatchObject({
      status: 409,
      code: 'sequence_closed',
      params: { state: 'approved' },
    });
    expect((await read(ana, sequence)).state).toBe('approved');
  });
});

describe('activating a sequence', () => {
  it('is refused everywhere but on the page, with the way there, and starts one linked run from it', async () => {
    const { at, card, sequence, ana } = await reviewable();
    for (const channel of [undefined, 'api', 'cli']) {
      const refused = await approveOn(ana, card, channel);
      expect(refused.body).toMatchObject({
        status: 403,
        code: 'review_on_page',
        params: { page: `/decisiones/${card}`, channel: channel ?? 'api' },
      });
      expect(refused.body.detail).toContain(`/decisiones/${card}`);
    }
    expect(await sql(rig.lab, `select 1 from runs where linked_run_id = $1`, [at.run])).toEqual([]);
    expect((await approveOn(await rig.as(at.workspace, { typ: 'agent' }), card, 'web')).body).toMatchObject({
      status: 403,
      code: 'person_needed',
    });
    expect((await read(ana, sequence)).state).toBe('draft');
    const done = await approveOn(ana, card, 'web');
    expect(done.body).toMatchObject({ state: 'approved', resolved: { by: 'ana', channel: 'web', total: 0 } });
    expect((await approveOn(ana, card, 'web')).body.resolved).toEqual(done.body.resolved);
    expect(await sql(rig.lab, `select recipe from runs where linked_run_id = $1`, [at.run])).toEqual([{ recipe: 'armar-secuencia' }]);
  });

  it('says whether the provider has the texts as they were approved: those that nobody corrected are there, a corrected one is on its way in a run of its own', async () => {
    const plain = await reviewable();
    const before = await read(plain.ana, plain.sequence);
    expect(before).toMatchObject({ stored: { edited: false, left: null }, approval: null });
    expect(before.drafts.every((d) => d.stored_draft_id === d.draft_id)).toBe(true);
    await approveOn(plain.ana, plain.card, 'web');
    expect((await read(plain.ana, plain.sequence)).approval).toMatchObject({ state: 'stored', reason: null });

    const { at, card, sequence, ana } = await reviewable();
    const [draft] = (await read(ana, sequence)).drafts;
    await ana.patch(`/v1/sequences/${sequence}/drafts/${draft?.draft_id}`, { version: 1, body: 'Corregido' });
    await approveOn(ana, card, 'web');
    const [run] = await sql<{ id: string }>(rig.lab, `select id from runs where linked_run_id = $1`, [at.run]);
    expect(await read(ana, sequence)).toMatchObject({
      state: 'approved',
      stored: { edited: false },
      approval: { state: 'under_way', run_id: run?.id, reason: null },
    });
  });

  it('can be turned down from anywhere', async () => {
    const { card, sequence, ana } = await reviewable();
    const shown = Decision.parse((await ana.get(`/v1/decisions/${card}`)).body);
    const declined = await ana.post<Decision>(
      `/v1/decisions/${card}/resolve`,
      { option: 'decline', plan_version: shown.plan_version, payload_hash: shown.payload_hash, shown_total: 0 },
      { headers: { 'x-campana-channel': 'cli' } },
    );
    expect(declined.body).toMatchObject({ state: 'declined', resolved: { channel: 'cli' } });
    expect((await read(ana, sequence)).state).toBe('declined');
  });
});
