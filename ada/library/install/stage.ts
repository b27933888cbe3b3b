import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../read/bytes.js';
import { sha256, sha256Of } from '../read/digest.js';
import { diskStore } from '../read/disk-store.js';
import { splitFence } from '../read/fence.js';
import { findingsOf } from '../read/findings.js';
import { readMatter } from '../read/front-matter.js';
import { pathReason } from '../read/guard.js';
import { CAPS } from './fetch.js';
import { isSlug } from './lock.js';
import { InstallRefusal } from './refusal.js';

/** A folder with a SKILL.md in what was fetched. */
export interface Found {
  name: string;
  category: string | null;
  folder: string;
}
/** What lies beside the skills and is not installed: shared references and bundles are the platform's. */
export interface Tree {
  skills: Found[];
  ignored: string[];
}

const hidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
const MAIN = /^skill\.md$/i;
/** Folders of a skill or of a library that hold no skills. */
const NOT_SKILLS = new Set(['references', 'bundles', 'templates', 'assets', 'scripts']);
const MAX_DEPTH = 5;

interface Listing {
  main: string | null;
  folders: string[];
}
const look = async (folder: string): Promise<Listing> => {
  const items = (await readdir(folder, { withFileTypes: true })).filter((item) => !hidden(item.name));
  const mains = items
    .filter((item) => item.isFile() && MAIN.test(item.name))
    .map((item) => item.name)
    .sort();
  return {
    main: mains.includes('SKILL.md') ? 'SKILL.md' : (mains[0] ?? null),
    folders: items
      .filter((item) => item.isDirectory())
      .map((item) => item.name)
      .sort(),
  };
};

/** The name that a SKILL.md gives itself; a skill that is the whole source has no folder of its own to be named by. */
const ownName = async (file: string): Promise<string | null> => {
  const info = await lstat(file);
  if (!info.isFile() || info.size > 1_048_576) return null;
  const unused = findingsOf(file);
  const fenced = splitFence(readText(await readPlain(file), unused), unused);
  if (!fenced) return null;
  const name = readMatter(fenced.matter, fenced.matterLine, unused).get('name')?.text ?? '';
  return isSlug(name) ? name : null;
};

/** Skills of a tree: the tree itself, `name/`, `category/name/`, or these under `skills/`, as repositories have them. */
export const findSkills = async (root: string, fallback: string, wrapped: boolean): Promise<Tree> => {
  const top = await look(root);
  if (top.main) return { skills: [{ name: (await ownName(join(root, top.main))) ?? fallback, category: null, folder: root }], ignored: [] };
  if (top.folders.includes('skills') && (await skillsIn(join(root, 'skills'))).length > 0) return tree(join(root, 'skills'));
  const [only] = top.folders;
  if (wrapped && only !== undefined && top.folders.length === 1) {
    const inner = await look(join(root, only));
    // The folder may be called after a repository and a commit: a single skill in it says itself what it is called.
    return inner.main ? findSkills(join(root, only), only, false) : findSkills(join(root, only), fallback, false);
  }
  return tree(root);
};

const tree = async (root: string): Promise<Tree> => {
  const { folders } = await look(root);
  const skills = await skillsIn(root);
  return { skills, ignored: folders.filter((name) => name === 'references' || name === 'bundles') };
};

/** `name/` and `category/name/` of one folder. */
export const skillsIn = async (root: string): Promise<Found[]> => {
  const found: Found[] = [];
  for (const name of (await look(root)).folders) {
    if (NOT_SKILLS.has(name)) continue;
    const folder = join(root, name);
    const inner = await look(folder);
    if (inner.main) found.push({ name, category: null, folder });
    else
      for (const below of inner.folders)
        if (!NOT_SKILLS.has(below) && (await look(join(folder, below))).main)
          found.push({ name: below, category: name, folder: join(folder, below) });
  }
  return found;
};

/** Opened without following: what was a file a moment ago may be a link now. */
const readPlain = async (path: string): Promise<Buffer> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new InstallRefusal('tree_special', { path });
    if (info.size > CAPS.unpackedBytes) throw new InstallRefusal('archive_unpacked', { mb: Math.round(CAPS.unpackedBytes / 1_000_000) });
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

/** Counts what one installation copies, over all its skills. */
export interface Copied {
  files: number;
  bytes: number;
}

/** Copies plain files and folders; a link or a special file refuses the skill, it is never followed. Nothing copied can be run. */
export const copyTree = async (from: string, to: string, copied: Copied, shown = '', depth = 1): Promise<void> => {
  await mkdir(to, { recursive: true });
  for (const item of (await readdir(from, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (hidden(item.name)) continue;
    const path = shown === '' ? item.name : `${shown}/${item.name}`;
    const reason = pathReason(item.name);
    if (reason) throw new InstallRefusal('entry_path', { path: path.slice(0, 120), reason });
    if (item.isSymbolicLink()) throw new InstallRefusal('tree_link', { path });
    if (item.isDirectory()) {
      if (depth >= MAX_DEPTH) throw new InstallRefusal('tree_deep', { path, most: MAX_DEPTH });
      await copyTree(join(from, item.name), join(to, item.name), copied, path, depth + 1);
      continue;
    }
    if (!item.isFile()) throw new InstallRefusal('tree_special', { path });
    if (++copied.files > CAPS.entries) throw new InstallRefusal('archive_entries', { most: CAPS.entries });
    const content = await readPlain(join(from, item.name));
    copied.bytes += content.length;
    if (copied.bytes > CAPS.unpackedBytes) throw new InstallRefusal('archive_unpacked', { mb: Math.round(CAPS.unpackedBytes / 1_000_000) });
    const handle = await open(join(to, item.name), 'wx', 0o644);
    await handle
      .writeFile(content)
      .then(() => handle.sync())
      .finally(() => handle.close());
  }
};

/** The digest that the loader gives the skill in this folder, also when the skill cannot be loaded; null when there is none. */
export const folderDigest = async (folder: string): Promise<string | null> => {
  const store = diskStore(folder);
  const entries = await store.list().catch(() => null);
  if (!entries || !entries.some((entry) => MAIN.test(entry.path))) return null;
  return sha256Of(
    await Promise.all(
      entries.map(async (entry) => {
        if (entry.refused) return [entry.path, sha256(`refused ${entry.refused}`)];
        return [entry.path, pathReason(entry.path) === null ? sha256(await store.read(entry.path)) : sha256('refused path_unsafe')];
      }),
    ),
  );
};
