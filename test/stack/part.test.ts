import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '../../stack/identity.js';
import { Part, type PartSpec } from '../../stack/part.js';
import { temporaryFolder } from '../support/stack.js';

describe('a supervised part', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let said: string[];
  let part: Part | undefined;
  const partOf = (code: string, spec: Partial<PartSpec> = {}): Part => {
    part = new Part(
      {
        name: 'api',
        command: process.execPath,
        args: ['-e', code],
        env: { PATH: process.env['PATH'], READY: join(folder.path, 'ready') },
        cwd: folder.path,
        logFile: join(folder.path, 'logs', 'api.log'),
        detail: 'here',
        isReady: async () => existsSync(join(folder.path, 'ready')),
        readyWithinMs: 30_000,
        retryStartMs: 0,
        stopSignal: 'SIGTERM',
        stopWithinMs: 500,
        ...spec,
      },
      (line) => void said.push(line),
      () => undefined,
    );
    return part;
  };
  const SERVE = 'console.log("serving"); require("fs").mkdirSync(process.env.READY, { recursive: true }); setInterval(() => {}, 1000)';

  beforeEach(async () => {
    folder = await temporaryFolder();
    said = [];
  });
  afterEach(async () => {
    await part?.stop();
    await folder.remove();
  });

  it('is started until ready, logs to its file, and stops', async () => {
    const it = partOf(SERVE);
    await it.start();
    const pid = it.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    await it.stop();
    expect(isRunning(pid)).toBe(false);
    expect(readFileSync(join(folder.path, 'logs', 'api.log'), 'utf8')).toContain('serving');
    expect(said).toHaveLength(1);
  });

  it('comes back by itself when it dies, and says so', async () => {
    const it = partOf(SERVE);
    await it.start();
    const first = it.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await expect.poll(() => it.pid !== undefined && it.pid !== first && isRunning(it.pid)).toBe(true);
    expect(said.join('\n')).toMatch(/ended by SIGKILL; starting it again in 0\.1 s/);
  });

  it('stays down after kill until it is restarted, with more environment if asked', async () => {
    const it = partOf(SERVE);
    await it.start();
    const first = it.pid ?? 0;
    await it.kill();
    expect(it.pid).toBeUndefined();
    expect(isRunning(first)).toBe(false);
    await it.restart({ MORE: '1' });
    expect(isRunning(it.pid ?? 0)).toBe(true);
    expect(it.spec.env['MORE']).toBe('1');
  });

  it('shows the end of its log when it does not start', async () => {
    await expect(partOf('console.error("no such database"); process.exit(3)').start()).rejects.toThrow(
      /did not start: ended with code 3[^]*no such database/,
    );
    await expect(partOf('', { command: join(folder.path, 'nothing') }).start()).rejects.toThrow(/did not start: spawn .* ENOENT/);
  });

  it('tries a start again for as long as its spec allows', async () => {
    mkdirSync(join(folder.path, 'tries'), { recursive: true });
    const code = `const fs = require("fs"); if (fs.readdirSync("tries").length < 2) { fs.writeFileSync("tries/" + process.pid, ""); process.exit(1) } ${SERVE}`;
    const it = partOf(code, { retryStartMs: 30_000 });
    await it.start();
    expect(isRunning(it.pid ?? 0)).toBe(true);
  });

  it('forces an end that is not obeyed', async () => {
    const it = partOf(`process.on("SIGTERM", () => {}); ${SERVE}`);
    await it.start();
    const pid = it.pid ?? 0;
    await it.stop();
    expect(isRunning(pid)).toBe(false);
  });
});
