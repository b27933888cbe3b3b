import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCodecKeys } from '../../activities/codec/keys.js';
import { runPage } from '../../activities/page.js';
import { openCodec } from '../../stack/codec.js';
import { temporalSpec } from '../../stack/temporal.js';
import { temporaryFolder } from '../support/stack.js';

describe('the keys of a local stack', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await folder.remove();
  });

  it('are none unless asked for; once made they stay with the folder, readable by their owner only', async () => {
    expect(await openCodec(folder.path, false)).toBeUndefined();
    const made = await openCodec(folder.path, true);
    const file = join(folder.path, 'codec-keys');
    expect(made?.env).toEqual({ CAMPANA_CODEC_KEYS_FILE: file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [key] = readCodecKeys(made?.env ?? {});
    expect(key?.id).toMatch(/^dev-\d{4}-\d\d-\d\d$/);
    const again = await openCodec(folder.path, false);
    expect(readCodecKeys(again?.env ?? {})).toEqual([key]);
    expect(again?.uiToken).not.toBe(made?.uiToken);
    expect(again?.detail).not.toContain((await readFile(file, 'utf8')).split(':')[1]?.trim());
  });

  it('of the environment win, and the UI gets no secret in production', async () => {
    vi.stubEnv('CAMPANA_CODEC_KEYS', `mine:${randomBytes(32).toString('base64')}`);
    vi.stubEnv('NODE_ENV', 'production');
    expect(await openCodec(folder.path, true)).toMatchObject({ env: {}, uiToken: undefined, detail: 'payloads encrypted with key mine' });
    vi.stubEnv('CAMPANA_CODEC_KEYS', 'mine:short');
    await expect(openCodec(folder.path, true)).rejects.toThrow('Codec key mine is not 32 bytes');
  });

  it('from a file that is missing, empty or doubled by a variable are refused', () => {
    expect(() => readCodecKeys({ CAMPANA_CODEC_KEYS_FILE: join(folder.path, 'none') })).toThrow(
      'CAMPANA_CODEC_KEYS_FILE cannot be read (ENOENT)',
    );
    expect(() => readCodecKeys({ CAMPANA_CODEC_KEYS_FILE: '/dev/null' })).toThrow('holds no key');
    expect(() => readCodecKeys({ CAMPANA_CODEC_KEYS_FILE: '/dev/null', CAMPANA_CODEC_KEYS: 'a:b' })).toThrow('not both');
  });

  it('tell the dev server’s UI where to decode, when there is a UI', () => {
    const ports = { grpc: 1, http: 2, metrics: 3, ui: 4 };
    const endpoint = 'http://127.0.0.1:5/v1/codec/ui/secret';
    const { args } = temporalSpec('temporal', folder.path, 'log', ports, endpoint);
    expect(args.slice(args.indexOf('--ui-codec-endpoint')).slice(0, 2)).toEqual(['--ui-codec-endpoint', endpoint]);
    expect(temporalSpec('temporal', folder.path, 'log', ports).args).not.toContain('--ui-codec-endpoint');
    expect(temporalSpec('temporal', folder.path, 'log', { ...ports, ui: undefined }, endpoint).args).not.toContain('--ui-codec-endpoint');
  });
});

describe('the link to a run’s page', () => {
  it('is there when the page’s address is known and a link may have it', () => {
    const of = (CAMPANA_PAGE_URL: string): string | undefined => runPage({ CAMPANA_PAGE_URL }, 'run_1');
    expect(of('https://campana.example.com')).toBe('https://campana.example.com/campanas/run_1');
    expect(of('https://example.com/ventas/')).toBe('https://example.com/ventas/campanas/run_1');
    for (const none of ['', 'campana', 'javascript:alert(1)', 'file:///etc']) expect(of(none), none).toBeUndefined();
  });
});
