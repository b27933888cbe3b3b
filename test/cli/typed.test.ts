import { describe, expect, it } from 'vitest';
import { typedAs } from '../../cli/typed.js';

describe('a command that is printed', () => {
  it('can be typed where it is read', () => {
    // From a checkout: npx, npm run, node. Its own name is on nobody's PATH there.
    expect(typedAs('/home/ana/campana/node_modules/.bin/campana', { npm_command: 'exec' })).toBe('npx campana');
    expect(typedAs('/home/ana/campana/node_modules/.bin/campana', {})).toBe('npx campana');
    expect(typedAs('/home/ana/campana/cli/main-job.ts', { npm_command: 'run-script' })).toBe('npx campana');
    expect(typedAs('/home/ana/campana/cli/bin.mjs', {})).toBe('npx campana');
    expect(typedAs(undefined, {})).toBe('npx campana');
    // Installed for everybody.
    expect(typedAs('/usr/local/bin/campana', {})).toBe('campana');
  });
});
