import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../../stack/paths.js';

const run = promisify(execFile);

it('another program imports the built client by its package name, with its types, and it needs nothing else', async () => {
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'web/progress-client/tsconfig.build.json'], {
    cwd: ROOT,
  });
  const { stdout } = await run(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    import { createProgressStore, isFinal } from 'campana/progress-client';
    const store = createProgressStore({ baseUrl: 'http://127.0.0.1:9', fetch: () => Promise.reject(new Error()) });
    const stop = store.subscribe('run_1', () => {});
    stop();
    store.close();
    process.stdout.write(JSON.stringify([isFinal('completed'), store.get('run_1').connection]));
  `,
    ],
    { cwd: ROOT },
  );
  expect(JSON.parse(stdout)).toEqual([true, 'loading']);
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>;
  };
  for (const entry of ['./progress-client', './progress-client/react']) {
    const { types, default: code } = exports[entry] ?? { types: '', default: '' };
    expect(await readFile(join(ROOT, types), 'utf8')).toContain('export');
    const imports = [...(await readFile(join(ROOT, code), 'utf8')).matchAll(/from '([^']+)'/g)].map((match) => match[1]);
    expect(imports.filter((from) => !from?.startsWith('./'))).toEqual(entry.endsWith('react') ? ['react'] : []);
  }
}, 60_000);
