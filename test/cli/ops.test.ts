import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditPage, OpsOverview } from '../../contracts/operations.js';
import { EXIT } from '../../cli/exit.js';
import { FakeApi } from './fake-api.js';
import { AT, overview } from './fixtures.js';
import { campana } from './run.js';

let api: FakeApi;
beforeEach(async () => {
  api = await new FakeApi().start();
});
afterEach(() => api.stop());

describe('decisiones list', () => {
  it('shows the first five of an open card and how many more there are; of an answered one only how it ended', async () => {
    const d = api.open('revelar_contactos');
    const { lines } = await campana(api, ['decisiones', 'list']);
    const items = lines.filter((l) => /^ +– /.test(l));
    expect(items).toHaveLength(5);
    expect(items[0]).toContain(d.items[0]?.label);
    expect(lines.some((l) => l.includes('y 27 más'))).toBe(true);
    api.open('revelar_contactos', { state: 'expired' });
    expect((await campana(api, ['decisiones', 'list', '--estado', 'expired'])).lines.filter((l) => /^ +– /.test(l))).toEqual([]);
  });
});

describe('ops', () => {
  it('estado says what runs, holds, waits and whether the ledger adds up', async () => {
    const { exit, out } = await campana(api, ['ops', 'estado']);
    expect(exit).toBe(EXIT.ok);
    for (const said of [
      'En marcha: 3 (menos de 1 h: 1 · 1–24 h: 2',
      'Sin avance por más de 10 min: 1',
      '32 créditos en 32 apartados (más de 3 d: 2 créditos)',
      'Por confirmar: 2 · esperan a quien opera: 1',
      '4 en curso · 7 en espera · sin tope',
      'mcp pidió esperar',
      '1 pendientes',
      'todo cuadra',
    ])
      expect(out).toContain(said);
    expect(out).not.toContain('0 consultas');
    expect(OpsOverview.parse(JSON.parse((await campana(api, ['ops', 'estado', '--json'])).out))).toEqual(api.overview);
  });

  it('estado ends with 8 where the ledger does not add up, and says it when nobody could tell', async () => {
    const { invariants } = overview();
    api.overview = overview({
      invariants: { ...invariants, ok: false, broken: [{ id: 'I1 conservation', detail: '1: ws credits granted' }] },
    });
    const broken = await campana(api, ['ops', 'estado']);
    expect([broken.exit, broken.out.includes('no cuadra I1 conservation · 1: ws credits granted')]).toEqual([EXIT.failed, true]);
    api.overview = overview({ invariants: { ...invariants, ok: null, checked: 0 } });
    const unknown = await campana(api, ['ops', 'estado']);
    expect([unknown.exit, unknown.out.includes('no se alcanzó a revisar')]).toEqual([EXIT.ok, true]);
  });

  it('pausar, reanudar and cancelar need a reason and send it', async () => {
    for (const [name, action] of [
      ['pausar', 'pause'],
      ['reanudar', 'resume'],
      ['cancelar', 'cancel'],
    ] as const) {
      expect((await campana(api, ['ops', name, 'run_01'])).exit).toBe(EXIT.usage);
      expect((await campana(api, ['ops', name, 'run_01', '--motivo', 'mantenimiento'])).exit).toBe(EXIT.ok);
      expect(api.operated.at(-1)).toEqual(['run_01', action, 'mantenimiento']);
    }
  });

  it('bitacora shows what operators did, and with --todo everybody', async () => {
    const entry = { at: AT, channel: 'web', run_id: 'run_01', detail: {} };
    api.audit = [
      { ...entry, id: 2, actor: 'olga', action: 'ops.pause', reason: 'revisión', result: 'refused' },
      { ...entry, id: 1, actor: 'ana', action: 'decision.approved', reason: null, result: 'done' },
    ];
    const { lines } = await campana(api, ['ops', 'bitacora']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('olga (web) · ops.pause · run_01 · rechazado · revisión');
    expect(AuditPage.parse(JSON.parse((await campana(api, ['ops', 'bitacora', '--todo', '--json'])).out)).entries).toHaveLength(2);
    api.audit = [];
    expect((await campana(api, ['ops', 'audit'])).out).toContain('Nada en la bitácora');
  });
});

describe('pagina', () => {
  it('prints a link with a code in its fragment, alone on stdout', async () => {
    const { exit, lines, err } = await campana(api, ['pagina']);
    expect(exit).toBe(EXIT.ok);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=c0de$/);
    expect(err).toContain('una sola vez');
    expect(JSON.parse((await campana(api, ['pagina', '--json'])).out)).toEqual({ link: lines[0], expires_at: '2026-11-30T16:52:08.000Z' });
  });
});
