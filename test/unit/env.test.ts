import { describe, expect, it } from 'vitest';
import { readEnv } from '../../contracts/env.js';

describe('the settings of a process', () => {
  it.each([{}, { CAMPANA_SUPPRESSION_KEY: '' }, { CAMPANA_SUPPRESSION_KEY: 'development-only' }])(
    'in production there is no start without a key of its own for the exclusions: %o',
    (given) => {
      const read = (): unknown => readEnv({ DATABASE_URL: 'postgres://nowhere', NODE_ENV: 'production', ...given });
      expect(read).toThrow(/CAMPANA_SUPPRESSION_KEY is not set.*everybody knows.*openssl rand -base64 32/);
      expect(() =>
        readEnv({ DATABASE_URL: 'postgres://nowhere', NODE_ENV: 'production', CAMPANA_SUPPRESSION_KEY: 'one of our own' }),
      ).not.toThrow();
      expect(() => readEnv({ DATABASE_URL: 'postgres://nowhere', ...given })).not.toThrow();
    },
  );
});
