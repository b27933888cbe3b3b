import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../stack/paths.js';

const run = promisify(execFile);
const start = (...args: string[]): Promise<{ code: number; stderr: string }> =>
  run(process.execPath, ['stack/bootstrap.mjs', ...args], { cwd: ROOT, timeout: 60_000 }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
  );

describe('npm run bench', () => {
  it('explains itself and starts nothing', async () => {
    expect(await start('bench', '--help')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Usage: npm run bench.*--sample demo\|grande/s) as string,
    });
  });

  it('refuses what it does not know instead of measuring something else', async () => {
    expect(await start('bench', '--sample', 'huge')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--sample is demo or grande, not huge/) as string,
    });
    expect(await start('bench', '--nope')).toMatchObject({ code: 2, stderr: expect.stringMatching(/--nope/) as string });
  });
});
