import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { hasText } from '../../contracts/catalog/index.js';
import { ROOT } from '../../stack/paths.js';
import { onSignals } from '../../stack/signals.js';
import { said, speak } from '../../stack/words.js';

const run = promisify(execFile);
const stack = (language: string | undefined, ...args: string[]): Promise<string> => {
  const { CAMPANA_IDIOMA: _, ...env } = process.env;
  return run(process.execPath, ['stack/bootstrap.mjs', ...args], {
    cwd: ROOT,
    env: language ? { ...env, CAMPANA_IDIOMA: language } : env,
  }).then(
    ({ stderr }) => stderr,
    (error: { stderr: string }) => error.stderr,
  );
};

describe('what the start-up says', () => {
  afterEach(() => speak('en'));

  it('is in the catalog, all of it', () => {
    const codes = readdirSync(join(ROOT, 'stack'))
      .filter((f) => /\.(ts|mjs)$/.test(f))
      .flatMap((f) => {
        const source = readFileSync(join(ROOT, 'stack', f), 'utf8');
        return [
          ...[...source.matchAll(/\bsaid\((?:\w+ \? )?'([a-z._]+)'(?: : '([a-z._]+)')?/g)].flatMap((m) => [
            `stack.${m[1]}`,
            m[2] && `stack.${m[2]}`,
          ]),
          ...[...source.matchAll(/\bearly\((?:\w+ \? )?'([a-z._]+)'(?: : '([a-z._]+)')?/g)].flatMap((m) => [
            `stack.early.${m[1]}`,
            m[2] && `stack.early.${m[2]}`,
          ]),
        ].filter((code): code is string => Boolean(code));
      });
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code) => !hasText(code))).toEqual([]);
  });

  it('is in the person’s language, from the first word to the last', async () => {
    expect(await stack(undefined, 'dev', '--help')).toMatch(/^Uso: npm run dev/);
    expect(await stack('en', 'dev', '--help')).toMatch(/^Usage: npm run dev/);
    expect(await stack('en', 'dev', '--idioma', 'es-MX', '--help')).toMatch(/^Uso: npm run dev/);
    expect(await stack(undefined, 'dev', '--nada')).toBe('No entiendo --nada. Con --help salen las opciones.\n');
    expect(await stack('en', 'campana', '--nada')).toBe('--nada is not understood. --help lists the options.\n');
  });

  it('is one wording for a stop, whichever signal asks for it', async () => {
    speak('es-MX');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const lines: string[] = [];
      const before = new Set(process.listeners(signal));
      const forget = onSignals({
        handle: true,
        stop: () => new Promise(() => undefined),
        force: () => undefined,
        abandon: () => undefined,
        say: (line) => void lines.push(line),
      });
      const ours = process.listeners(signal).filter((one) => !before.has(one));
      for (const listener of ours) (listener as (s: string) => void)(signal);
      forget();
      expect(lines).toEqual([said('stopping')]);
    }
  });
});
