import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aesCodec } from '../../activities/codec/aes.js';
import { parseCodecKeys } from '../../activities/codec/keys.js';
import { codecOrigins } from '../../api/codec-origins.js';
import { startApi, token, type TestApi } from '../api/support.js';

const UI = 'http://127.0.0.1:8233';
const SECRET = randomBytes(24).toString('base64url');
const KEYS = `new:${randomBytes(32).toString('base64')},old:${randomBytes(32).toString('base64')}`;
const codec = aesCodec(parseCodecKeys(KEYS));
const oldCodec = aesCodec(parseCodecKeys(KEYS).slice(1));

interface WirePayload {
  metadata: Record<string, string>;
  data: string;
}
const wire = (payload: Payload): WirePayload => ({
  metadata: Object.fromEntries(
    Object.entries(payload.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  data: Buffer.from(payload.data ?? []).toString('base64'),
});
const plain = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = ({ metadata, data }: WirePayload): unknown =>
  defaultPayloadConverter.fromPayload({
    metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
    data: Buffer.from(data, 'base64'),
  });

let api: TestApi;
let operator: string;
beforeAll(async () => {
  api = await startApi({ env: { CAMPANA_CODEC_KEYS: KEYS, CAMPANA_TEMPORAL_UI: UI, CAMPANA_CODEC_UI_TOKEN: SECRET } });
  operator = await token({ roles: ['operator'], sub: 'olga' });
});
afterAll(() => api.stop());

interface Answer {
  status: number;
  headers: Headers;
  body: { payloads?: WirePayload[]; code?: string; params?: Record<string, unknown> };
}
const post = async (
  path: string,
  body: unknown,
  { origin, bearer, ...headers }: { origin?: string; bearer?: string } & Record<string, string | undefined> = {},
): Promise<Answer> => {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-namespace': 'default',
      ...(origin ? { origin } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(headers as Record<string, string>),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
};
const sealed = async (value: unknown): Promise<WirePayload> => wire((await codec.encode([plain(value)]))[0] as Payload);

describe('the remote codec for operators', () => {
  it('decodes what any of the keys encrypted, and what never was, in order', async () => {
    const payloads = [await sealed({ n: 1 }), wire(plain({ n: 2 })), wire((await oldCodec.encode([plain({ n: 3 })]))[0] as Payload)];
    const { status, body, headers } = await post('/v1/codec/decode?preserveStorageRefs=true', { payloads }, { bearer: operator });
    expect(status).toBe(200);
    expect(body.payloads?.map(valueOf)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('encodes what a person types in the Temporal UI, so that only workers read it', async () => {
    const { status, body } = await post(
      '/v1/codec/encode',
      { payloads: [wire(plain({ reason: 'look' }))] },
      { bearer: operator, origin: UI },
    );
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(Buffer.from('look').toString('base64').slice(0, 4));
    const again = await post('/v1/codec/decode', body, { bearer: operator });
    expect(again.body.payloads?.map(valueOf)).toEqual([{ reason: 'look' }]);
  });

  it('keeps what else a payload holds', async () => {
    const payload = { ...(await sealed('x')), externalPayloads: [{ sizeBytes: '9' }] };
    const { body } = await post('/v1/codec/decode', { payloads: [payload] }, { bearer: operator });
    expect(body.payloads?.[0]).toMatchObject({ externalPayloads: [{ sizeBytes: '9' }] });
  });

  it('answers a preflight of the UI without a token, with what its requests need and nothing about cookies', async () => {
    for (const origin of [UI, 'http://localhost:8233']) {
      const answer = await fetch(`${api.url}/v1/codec/decode`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-namespace,authorization',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toBe('POST');
      for (const header of ['content-type', 'x-namespace', 'authorization'])
        expect(answer.headers.get('access-control-allow-headers')).toContain(header);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  it('refuses pages of other origins, also with a token, and tells their browser nothing', async () => {
    for (const origin of [
      'https://evil.example.com',
      'http://127.0.0.1:8234',
      'null',
      'http://127.0.0.1:8233.example.com',
      'https://127.0.0.1:8233',
    ]) {
      const answer = await post('/v1/codec/decode', { payloads: [await sealed('x')] }, { bearer: operator, origin });
      expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')], origin).toEqual([
        403,
        'origin_not_allowed',
        null,
      ]);
      const preflight = await fetch(`${api.url}/v1/codec/decode`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')], origin).toEqual([403, null]);
    }
  });

  it.each([
    ['no token', undefined, 401, 'token_missing'],
    ['a token that is none', 'abc', 401, 'token_invalid'],
    ['the UI secret as a token', SECRET, 401, 'token_invalid'],
  ])('refuses %s', async (_what, bearer, status, code) => {
    const answer = await post('/v1/codec/decode', { payloads: [await sealed('x')] }, { origin: UI, ...(bearer ? { bearer } : {}) });
    // The UI's page may read why, so that it can say so.
    expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')]).toEqual([status, code, UI]);
  });

  it('refuses a seller, a program that acts for an operator, and a session cookie', async () => {
    const payloads = [await sealed('x')];
    expect((await post('/v1/codec/decode', { payloads }, { bearer: await token({ roles: ['seller', 'approver'] }) })).body.code).toBe(
      'role_missing',
    );
    expect((await post('/v1/codec/decode', { payloads }, { bearer: await token({ roles: ['operator'], typ: 'agent' }) })).body.code).toBe(
      'person_needed',
    );
    expect((await post('/v1/codec/decode', { payloads }, { cookie: `campana_session=${operator}` })).body.code).toBe('token_missing');
  });

  it('names the key that is missing, and says when a payload was changed', async () => {
    const foreign = wire((await aesCodec(parseCodecKeys(`gone:${randomBytes(32).toString('base64')}`)).encode([plain('x')]))[0] as Payload);
    const missing = await post('/v1/codec/decode', { payloads: [foreign] }, { bearer: operator });
    expect(missing).toMatchObject({ status: 422, body: { code: 'codec_key_unknown', params: { key: 'gone' } } });
    const good = await sealed('x');
    const bent = Buffer.from(good.data, 'base64');
    bent[20] = (bent[20] ?? 0) ^ 1;
    const changed = await post('/v1/codec/decode', { payloads: [{ ...good, data: bent.toString('base64') }] }, { bearer: operator });
    expect(changed).toMatchObject({ status: 422, body: { code: 'codec_payload_invalid', params: { key: 'new' } } });
  });

  it('refuses bodies that are no payloads, and those that are too large', async () => {
    for (const body of ['', 'nonsense', '{}', '{"payloads":{}}', '{"payloads":[7]}', '{"payloads":[{"data":"not base64!"}]}']) {
      expect((await post('/v1/codec/decode', body, { bearer: operator })).status, body).toBe(400);
    }
    const large = await post('/v1/codec/encode', { payloads: [{ metadata: {}, data: 'A'.repeat(2_200_000) }] }, { bearer: operator });
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
    expect((await fetch(`${api.url}/v1/codec/decode`, { headers: { authorization: `Bearer ${operator}` } })).status).toBe(405);
  });

  it('leaves neither payloads nor secrets in the log', async () => {
    api.logs.length = 0;
    await post(`/v1/codec/ui/${SECRET}/decode`, { payloads: [await sealed({ run: 'run_in_no_log' })] });
    const log = api.logs.join('\n');
    expect(log).toContain('/v1/codec/ui/:secret/decode');
    for (const secret of [SECRET, 'run_in_no_log', ...KEYS.split(',').map((key) => key.slice(4, 20))]) expect(log).not.toContain(secret);
  });
});

describe('the remote codec of the dev server’s UI, which has no token to send', () => {
  it('takes the secret of its address, from the UI’s origin', async () => {
    const answer = await post(`/v1/codec/ui/${SECRET}/decode`, { payloads: [await sealed({ n: 1 })] }, { origin: UI });
    expect(answer.status).toBe(200);
    expect(answer.body.payloads?.map(valueOf)).toEqual([{ n: 1 }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(UI);
    expect((await post(`/v1/codec/ui/${SECRET}/decode`, { payloads: [] }, { origin: 'https://evil.example.com' })).status).toBe(403);
  });

  it('is not there for another secret', async () => {
    for (const secret of ['x', SECRET.slice(1), `${SECRET}x`])
      expect((await post(`/v1/codec/ui/${secret}/decode`, { payloads: [await sealed('x')] }, { origin: UI })).status).toBe(404);
  });

  it.each([
    ['production', { NODE_ENV: 'production', CAMPANA_CHAT: 'off', CAMPANA_API_HOST: '127.0.0.1' }],
    ['an address that others reach', { NODE_ENV: 'development', CAMPANA_API_HOST: '0.0.0.0' }],
  ])('is not there in %s, whatever the secret', async (_where, env) => {
    const other = await startApi({ env: { CAMPANA_CODEC_KEYS: KEYS, CAMPANA_TEMPORAL_UI: UI, CAMPANA_CODEC_UI_TOKEN: SECRET, ...env } });
    try {
      const answer = await fetch(`${other.url}/v1/codec/ui/${SECRET}/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"payloads":[]}',
      });
      expect(answer.status).toBe(404);
    } finally {
      await other.stop();
    }
  });
});

describe('origins that may ask', () => {
  const of = (CAMPANA_CODEC_ORIGINS: string, CAMPANA_TEMPORAL_UI = ''): string[] => [
    ...codecOrigins({ CAMPANA_CODEC_ORIGINS, CAMPANA_TEMPORAL_UI }),
  ];

  it('are those configured, else the UI’s own; none when neither is known', () => {
    expect(of('https://temporal.example.com/ui, https://ops.example.com', 'http://127.0.0.1:8233')).toEqual([
      'https://temporal.example.com',
      'https://ops.example.com',
    ]);
    expect(of('', 'https://temporal.example.com:8443/ui')).toEqual(['https://temporal.example.com:8443']);
    expect(of('', 'http://127.0.0.1:8233')).toEqual(['http://127.0.0.1:8233', 'http://localhost:8233', 'http://[::1]:8233']);
    expect(of('')).toEqual([]);
    expect(() => of('*')).toThrow('CAMPANA_CODEC_ORIGINS');
  });
});
