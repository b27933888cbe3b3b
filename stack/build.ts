import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, stop, type Plugin } from 'esbuild';
import { dropUnused } from './build-use.js';
import { withLock } from './lock.mjs';
import { BUILD_DIR, ROOT } from './paths.js';

const run = promisify(execFile);

/** Code that finds files beside itself by `import.meta` must keep finding them when it runs from a bundle. */
const keepLocation: Plugin = {
  name: 'keep-location',
  setup: (into) => {
    into.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const contents = source
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)))
        .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(path));
      return { contents, loader: 'ts' };
    });
  },
};

let building = 0;

/** esbuild keeps a helper process; a supervisor that runs for days has no use for it between builds. */
const withEsbuild = async <T>(work: () => Promise<T>): Promise<T> => {
  building++;
  try {
    return await work();
  } finally {
    if (--building === 0) await stop();
  }
};

const writeOnce = async (path: string, contents: string | Uint8Array): Promise<void> => {
  if (existsSync(path)) {
    utimesSync(path, new Date(), new Date());
    return;
  }
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, contents);
  await rename(fresh, path);
};

/**
 * Builds TypeScript entries into plain modules that node runs without a loader. Names carry a content hash, so that stacks
 * started at the same time from different sources never overwrite each other.
 * @param entries paths from the root, e.g. `api/main.ts`
 * @returns path of the built file, by entry
 */
export const buildEntries = async (entries: string[]): Promise<Record<string, string>> => {
  if (entries.length === 0) return {};
  await mkdir(BUILD_DIR, { recursive: true });
  await dropUnused(BUILD_DIR);
  const buildOne = async (entry: string): Promise<[string, string]> => {
    const name = entry.replaceAll('/', '-').replace(/\.ts$/, '');
    const { outputFiles } = await build({
      entryPoints: [join(ROOT, entry)],
      bundle: true,
      write: false,
      outfile: join(BUILD_DIR, `${name}.mjs`),
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [keepLocation],
      absWorkingDir: ROOT,
      // `import.meta.url === pathToFileURL(process.argv[1]).href`, the usual question "am I the program?", has to stay true.
      banner: { js: `process.argv[1] = ${JSON.stringify(join(ROOT, entry))};` },
    });
    const code = outputFiles[0]?.contents ?? new Uint8Array();
    const path = join(BUILD_DIR, `${name}-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.mjs`);
    await writeOnce(path, code);
    return [entry, path];
  };
  return Object.fromEntries(await withEsbuild(() => Promise.all(entries.map(buildOne))));
};

const filesUnder = (folder: string, named = /\.ts$/): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();

/** Hash of everything that can be in the page. */
const pageHash = (): string => {
  const hash = createHash('sha256');
  const texts = readdirSync(join(ROOT, 'contracts', 'catalog'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `contracts/catalog/${name}`);
  for (const file of [
    ...filesUnder('web', /\.(tsx?|css|html|json|svg)$/),
    ...filesUnder('contracts'),
    ...filesUnder('view'),
    ...texts.sort(),
    'package-lock.json',
  ]) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
};

/**
 * The page that the API serves, made only when its sources changed.
 * @returns its folder and whether it had to be made
 * @throws Error with the bundler's messages
 */
export const buildPage = async (): Promise<{ path: string; made: boolean }> => {
  const path = join(BUILD_DIR, `page-${pageHash()}`);
  await mkdir(BUILD_DIR, { recursive: true });
  return withLock(`${path}.lock`, async () => {
    if (existsSync(path)) {
      utimesSync(path, new Date(), new Date());
      return { path, made: false };
    }
    const fresh = `${path}.${process.pid}`;
    await run(process.execPath, [join(ROOT, 'stack', 'build-page.mjs'), fresh], {
      cwd: ROOT,
      maxBuffer: 1 << 26,
      env: { ...process.env, NODE_ENV: 'production' },
    }).catch((error: { stderr?: string; message: string }) => {
      throw new Error(`The page could not be built:\n${(error.stderr || error.message).trim()}`);
    });
    await rename(fresh, path);
    return { path, made: true };
  });
};

/** The failure converter of workflows whose payloads are encrypted; by its path, because it is bundled, never loaded here. */
const SEALED_FAILURES = 'activities/codec/sealed-failures.cjs';

/** Hash of everything that can be in the workflow bundle: the boundaries let workflows import only these two folders. */
const workflowHash = (): string => {
  const hash = createHash('sha256');
  for (const file of [...filesUnder('workflows'), ...filesUnder('contracts'), 'stack/bundle-workflows.mjs', SEALED_FAILURES]) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  for (const name of ['worker', 'workflow', 'common']) {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', '@temporalio', name, 'package.json'), 'utf8')) as {
      version: string;
    };
    hash.update(`${name}@${version}`);
  }
  return hash.digest('hex').slice(0, 16);
};

/**
 * The workflow bundle that workers load (2–3 s to make, so only when its sources changed). With `sealed` messages and stacks of failures
 * go through the codec: the bundle for workers with codec keys.
 * @returns path of the bundle and whether it had to be made
 * @throws Error with the bundler's messages
 */
export const bundleWorkflows = async ({ sealed = false } = {}): Promise<{ path: string; made: boolean }> => {
  const path = join(BUILD_DIR, `workflow-bundle-${sealed ? 'sealed-' : ''}${workflowHash()}.js`);
  await mkdir(BUILD_DIR, { recursive: true });
  return withLock(`${path}.lock`, async () => {
    if (existsSync(path)) {
      utimesSync(path, new Date(), new Date());
      return { path, made: false };
    }
    // In a process of its own: the bundler keeps a core busy, and this one has servers to watch.
    await run(
      process.execPath,
      [
        join(ROOT, 'stack', 'bundle-workflows.mjs'),
        join(ROOT, 'workflows', 'index.ts'),
        path,
        ...(sealed ? [join(ROOT, SEALED_FAILURES)] : []),
      ],
      { cwd: ROOT, maxBuffer: 1 << 26 },
    ).catch((error: { stderr?: string; message: string }) => {
      throw new Error(`The workflow bundle could not be made:\n${(error.stderr || error.message).trim()}`);
    });
    return { path, made: true };
  });
};
