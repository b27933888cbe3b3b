import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from './support.js';

const folder = mkdtempSync(join(tmpdir(), 'campana-page-'));
let api: TestApi;
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Campana</title>');
  api = await startApi({ env: { CAMPANA_PAGE_DIR: folder } });
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const go = (path: string, accept = BROWSER, method = 'GET') => api.call(method, path, { token: null, key: null, headers: { accept } });

describe('an address that somebody typed', () => {
  it.each([
    '/',
    '/campanas',
    '/campanas/',
    '/campanas/run_1/',
    '/decisiones/dec_1/',
    '/configuracion/conexiones',
    '/decisiones?tab=expired',
  ])('%s is the page', async (path) => {
    const answer = await go(path);
    expect([answer.status, answer.text.includes('<title>Campana')]).toEqual([200, true]);
  });

  it.each(['/foo', '/campanas/run_1/nada/mas', '/decision/dec_1', '/v1x'])(
    '%s is none, and a browser sees the page say so',
    async (path) => {
      const answer = await go(path);
      expect([answer.status, answer.text.includes('<title>Campana')]).toEqual([404, true]);
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('stays a problem for programs, whatever they accept', async () => {
    for (const answer of [
      await go('/foo', 'application/json'),
      await go('/foo', '*/*'),
      await go('/v1/foo'),
      await go('/assets/foo.js'),
      await go('/foo', BROWSER, 'POST'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'route_not_found']);
    }
    expect((await go('/v1/decisions/dec_1/resolve')).status).toBe(405);
  });
});
