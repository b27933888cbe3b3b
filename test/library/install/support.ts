import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { create } from 'tar';
import { gzipSync } from 'node:zlib';
import { platformRoots } from '../../../ada/library/home.js';
import type { InstallContext } from '../../../ada/library/install/install.js';
import { InstallRefusal } from '../../../ada/library/install/refusal.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import { workspaceRoot } from '../../../ada/library/install/workspace-root.js';
import type { Snapshot } from '../../../ada/library/types.js';
import { base, render, tree, type Change, type Parts, type Tree } from '../lint/base.js';

export { tree, type Tree };
const run = promisify(execFile);

const made: string[] = [];
export const scratch = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'campana-install-'));
  made.push(folder);
  return folder;
};
export const cleanUp = async (): Promise<void> => {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
};

export const write = async (folder: string, files: Tree): Promise<string> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
};
/** One recipe with nothing wrong, of this name and with phrases of its own. */
export const recipe = (name: string, change: Change = {}): string => {
  const gatillos = ['uno', 'dos', 'tres', 'cuatro', 'cinco'].map((n) => `${name.replaceAll('-', ' ')} ${n}`).join(' | ');
  const parts: Parts = {
    ...base.count,
    ...change,
    name,
    title: name,
    metadata: { ...base.count.metadata, siguiente: 'cuantos-hay', gatillos, ...change.metadata },
  };
  return render({
    ...parts,
    description: change.description ?? `Cuenta ${name}: «cuántos hay de ${name}». No para verlos en lista (cuantos-hay).`,
  });
};
export const folderWith = async (files: Tree): Promise<string> => write(await scratch(), files);

export const context = async (over: Partial<InstallContext> = {}): Promise<InstallContext> => ({
  home: await scratch(),
  workspace: 'ws_a',
  platform: platformRoots(),
  waitMs: 10_000,
  ...over,
});
export const snapshotOf = (ctx: Pick<InstallContext, 'home' | 'workspace'>): Promise<Snapshot> =>
  loadSnapshot([...platformRoots(), workspaceRoot(ctx.home, ctx.workspace)]);
export const ownSkills = async (ctx: InstallContext): Promise<string[]> =>
  [...(await snapshotOf(ctx)).skills.values()]
    .filter((s) => s.root === `cuenta:${ctx.workspace}`)
    .map((s) => `${s.path.replace('/SKILL.md', '')}@${s.version} ${s.trust}`);
export const lockOf = async (ctx: InstallContext): Promise<{ skills: Record<string, Record<string, string>> }> =>
  JSON.parse(await readFile(join(ctx.home, ctx.workspace, 'skills.lock.json'), 'utf8')) as never;
/** Everything in a workspace's folder, hidden things too. */
export const everything = async (ctx: InstallContext): Promise<string[]> =>
  (await readdir(join(ctx.home, ctx.workspace), { recursive: true }).catch(() => [])).sort();

export const refusal = async (work: Promise<unknown>): Promise<InstallRefusal> => {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof InstallRefusal)) throw error instanceof Error ? error : new Error('it was not refused');
  return error;
};

export const tarball = async (files: Tree, prefix = ''): Promise<string> => {
  const folder = await scratch();
  await write(join(folder, prefix), files);
  const file = join(await scratch(), 'recetas.tgz');
  await create({ gzip: true, cwd: folder, file }, await readdir(folder));
  return file;
};
/** An archive entry by entry, as no honest program writes it. */
export const rawTarball = async (
  entries: ReadonlyArray<{ path: string; type?: '0' | '1' | '2' | '3' | '5'; link?: string; content?: string | Buffer }>,
): Promise<string> => {
  const blocks: Buffer[] = [];
  for (const { path, type = '0', link = '', content = '' } of entries) {
    const body = Buffer.from(content as string);
    const head = Buffer.alloc(512);
    head.write(path, 0, 100);
    head.write('0000644\0', 100).toString();
    head.write('0000000\0', 108);
    head.write('0000000\0', 116);
    head.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('00000000000\0', 136);
    head.write('        ', 148);
    head.write(type, 156);
    head.write(link, 157, 100);
    head.write('ustar\u000000', 257);
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    blocks.push(head, body, Buffer.alloc((512 - (body.length % 512)) % 512));
  }
  const file = join(await scratch(), 'hostil.tgz');
  await writeFile(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
  return file;
};

const GIT_ENV = {
  ...process.env,
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
export const git = async (cwd: string, ...args: string[]): Promise<string> => (await run('git', args, { cwd, env: GIT_ENV })).stdout.trim();
export const repository = async (files: Tree): Promise<string> => {
  const folder = await folderWith(files);
  await git(folder, 'init', '-q', '-b', 'main');
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-qm', 'one');
  return folder;
};
