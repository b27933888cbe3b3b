import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseToolTokens, tokenOf } from '../../contracts/tool-tokens.js';
import { apiEnv, workerEnv, type Wiring } from '../../stack/child-env.js';

const wiring: Wiring = {
  stateDir: '/nowhere',
  databaseUrl: 'postgres://nowhere',
  adaDatabaseUrl: undefined,
  kitchenDatabaseUrl: '',
  toolsUrl: 'https://tools.example.com/mcp',
  toolTokens: undefined,
  temporalAddress: undefined,
  temporalUi: undefined,
  apiPort: 7400,
  kitchenPort: 7411,
  codec: undefined,
  control: undefined,
  publicKeyPem: '',
  suppressionKey: 'k',
  workflowBundle: '',
  pageDir: '',
  sample: 'demo',
};

describe('with tools of your own', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('each workspace is read with its own token, also in the API, which gets none that pays', () => {
    const own = JSON.stringify({ ws_a: { read: 'read-a', paid: 'paid-a' }, ws_b: { paid: 'paid-b' } });
    vi.stubEnv('TOOLS_TOKENS', own);
    vi.stubEnv('TOOLS_READ_TOKEN', 'read-others');
    vi.stubEnv('TOOLS_PAID_TOKEN', 'paid-others');
    const api = apiEnv(wiring);
    expect(api['TOOLS_TOKENS']).toBe('{"ws_a":{"read":"read-a"}}');
    expect(api['TOOLS_READ_TOKEN']).toBe('read-others');
    expect(JSON.stringify(api)).not.toContain('paid-');
    expect(workerEnv(wiring)).toMatchObject({ TOOLS_TOKENS: own, TOOLS_PAID_TOKEN: 'paid-others' });
  });

  it.each(['{"ws_a":{"read":"secret-1"', '{"ws_a":"secret-1"}', 'secret-1', '[{"read":"secret-1"}]', '{"ws_a":{"read":["secret-1"]}}'])(
    'tokens that are not usable are refused without a word of them: %s',
    (text) => {
      const failure = ((): unknown => {
        try {
          return parseToolTokens(text);
        } catch (error) {
          return error;
        }
      })() as Error;
      expect(failure).toBeInstanceOf(Error);
      expect(failure.message).toMatch(/^TOOLS_TOKENS is not valid: expected JSON/);
      expect(`${failure.stack} ${String(failure.cause)}`).not.toContain('secret-1');
      vi.stubEnv('TOOLS_TOKENS', text);
      expect(() => apiEnv(wiring)).toThrow(/TOOLS_TOKENS is not valid/);
    },
  );

  it('a workspace without an entry has the token of the others, whatever it is called', () => {
    const token = tokenOf(parseToolTokens('{"ws_a":{"read":"read-a"},"ws_b":{"read":""}}'), { read: 'others', paid: '' });
    expect(['ws_a', 'ws_b', 'constructor', '__proto__', 'toString'].map((workspace) => token(workspace, 'read'))).toEqual([
      'read-a',
      'others',
      'others',
      'others',
      'others',
    ]);
    expect(token('ws_a', 'paid')).toBeNull();
  });
});
