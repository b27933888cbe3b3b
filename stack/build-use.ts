import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { identify, isSame } from './identity.js';

/** Which built files somebody still needs: a supervisor that may have to start a part again, or a release that is run from here. */
const Use = z.object({ files: z.array(z.string()), by: z.object({ pid: z.number(), startedAt: z.string() }).nullable() });
type Use = z.infer<typeof Use>;
const DAY_MS = 86_400_000;
const USE = /^(in-use|release)-[\w-]+\.json$/;

const textOf = (files: readonly string[], by: Use['by']): string =>
  `${JSON.stringify({ by, files: files.map((file) => basename(file)).sort() } satisfies Use, null, 2)}\n`;

/**
 * Keeps built files for as long as this process lives.
 * @returns lets go of them
 */
export const keepWhileRunning = (folder: string, name: string, files: readonly string[]): (() => Promise<void>) => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `in-use-${process.pid}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}.json`);
  // At once, before anybody's build could look: what is kept is already there.
  writeFileSync(path, textOf(files, identify(process.pid)));
  return () => rm(path, { force: true });
};

/** Keeps built files until somebody removes the list. @returns its path; the same for the same files */
export const keepAsRelease = async (folder: string, files: readonly string[]): Promise<string> => {
  const text = textOf(files, null);
  const path = join(folder, `release-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`);
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
  return path;
};

/** Names in the folder that have to stay; the lists of processes that are gone are removed. */
const keptNames = async (folder: string): Promise<ReadonlySet<string>> => {
  const kept = new Set<string>();
  for (const name of (await readdir(folder)).filter((one) => USE.test(one))) {
    const path = join(folder, name);
    const use = await readFile(path, 'utf8').then(
      (text) => Use.parse(JSON.parse(text)),
      () => undefined,
    );
    if (use?.by && !isSame(use.by)) {
      await rm(path, { force: true });
      continue;
    }
    kept.add(name);
    for (const file of use?.files ?? []) kept.add(file);
  }
  return kept;
};

/** Removes what no build or start has used for a day, unless a living process or a release needs it. */
export const dropUnused = async (folder: string): Promise<void> => {
  const kept = await keptNames(folder);
  for (const name of await readdir(folder)) {
    if (kept.has(name)) continue;
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > DAY_MS) await rm(path, { recursive: true, force: true });
  }
};
