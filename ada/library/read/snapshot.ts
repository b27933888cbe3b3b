import type { Bundle, Problem, Reference, Root, Snapshot, Trust } from '../types.js';
import { BUNDLE_FILE, readBundle } from './bundles.js';
import { sha256, sha256Of } from './digest.js';
import { findingsOf, inOrder } from './findings.js';
import { deepFreeze, frozenMap } from './frozen.js';
import { pathReason } from './guard.js';
import { mapLimited } from './limited.js';
import { readReference, readSkill, type FileRead, type SkillRead } from './skill.js';
import type { Entry } from './store.js';

/** What an earlier load read, so that a file that did not change is neither read nor parsed again. Filled by each load, for the next. */
export interface Memory {
  files: Map<string, FileRead & { mtimeMs: number }>;
  skills: Map<string, SkillRead>;
}
export const emptyMemory = (): Memory => ({ files: new Map(), skills: new Map() });

export interface LoadOptions {
  /** Listings made a moment ago, by root; null for one that failed. */
  listings?: ReadonlyMap<string, readonly Entry[] | null>;
  memory?: Memory;
  /** Read every file although its time and size are the known ones. */
  rehash?: boolean;
  concurrency?: number;
}

const SKILL_FILE = /^skill\.md$/i;
const key = (...parts: string[]): string => parts.join('\u0000');

const readFiles = async (
  root: Root,
  entries: readonly Entry[],
  memory: Memory,
  next: Memory,
  rehash: boolean,
  concurrency: number,
): Promise<FileRead[]> =>
  mapLimited(entries, concurrency, async (entry) => {
    const refused = entry.refused ?? (pathReason(entry.path) === null ? undefined : 'path_unsafe');
    if (refused) return { path: entry.path, bytes: null, digest: sha256(`refused ${refused}`), refused };
    const id = key(root.id, entry.path);
    const known = memory.files.get(id);
    const same = known && !rehash && known.mtimeMs === entry.mtimeMs && known.bytes?.length === entry.bytes;
    try {
      const bytes = same ? (known.bytes as Uint8Array) : await root.store.read(entry.path);
      const file = { path: entry.path, bytes, digest: same ? known.digest : sha256(bytes), mtimeMs: entry.mtimeMs };
      next.files.set(id, file);
      return file;
    } catch {
      return { path: entry.path, bytes: null, digest: sha256('unreadable'), refused: 'file_unreadable' };
    }
  });

interface Contents {
  skills: SkillRead[];
  bundles: Bundle[];
  shared: Reference[];
  problems: Problem[];
}

/** The folders of one root: which files make a skill, a bundle, a shared reference, and which belong to nothing. */
const sort = (root: Root, files: readonly FileRead[], memory: Memory, next: Memory): Contents => {
  const problems: Problem[] = [];
  const about = (path: string) => {
    const findings = findingsOf(path, root.id);
    return { findings, done: () => void problems.push(...findings.problems) };
  };
  const report = (severity: 'warn' | 'error', code: string, path: string, params?: Problem['params']): void => {
    const { findings, done } = about(path);
    findings[severity](code, { params });
    done();
  };

  // Folders with a SKILL.md, by depth: `name/` and `category/name/`. Exact spelling wins over `skill.md`.
  const mains = new Map<string, FileRead>();
  for (const file of files) {
    const parts = file.path.split('/');
    const base = parts.pop() as string;
    if (!SKILL_FILE.test(base) || parts[0] === 'references' || parts[0] === 'bundles') continue;
    const folder = parts.join('/');
    if (folder === '') report('error', 'skill_at_root', file.path);
    else if (!mains.has(folder) || base === 'SKILL.md') mains.set(folder, file);
  }
  const folders = [...mains.keys()].sort();
  const isSkill = (folder: string): boolean => mains.has(folder);
  const kept = folders.filter((folder) => {
    const [first = ''] = folder.split('/');
    const parts = folder.split('/').length;
    if (parts > 1 && isSkill(first)) {
      // A SKILL.md inside another skill's references is one of its files; anywhere else it looks like a skill and is none.
      if (!/^[^/]+\/(?:references|templates|assets)(?:\/|$)/.test(folder))
        report('error', 'skill_nested', mains.get(folder)?.path as string, { folder: first });
      return false;
    }
    if (parts === 2) return true;
    if (parts > 2) {
      const owner = folder.split('/').slice(0, 2).join('/');
      if (!isSkill(owner)) report('error', 'skill_deep', mains.get(folder)?.path as string);
      else if (!/^[^/]+\/[^/]+\/(?:references|templates|assets)(?:\/|$)/.test(folder))
        report('error', 'skill_nested', mains.get(folder)?.path as string, { folder: owner });
      return false;
    }
    return true;
  });

  const owned = new Map<string, FileRead[]>(kept.map((folder) => [folder, []]));
  const categories = new Set(kept.filter((folder) => folder.includes('/')).map((folder) => folder.split('/')[0] as string));
  const orphans = new Map<string, string>();
  const bundles: Bundle[] = [];
  const shared: Reference[] = [];
  for (const file of files) {
    const parts = file.path.split('/');
    const owner = [parts[0] as string, parts.slice(0, 2).join('/')].find((folder) => owned.has(folder) && folder !== file.path);
    if (owner !== undefined) owned.get(owner)?.push(file);
    else if (parts[0] === 'references' && parts.length > 1) {
      const { findings, done } = about(file.path);
      const reference = readReference(file, file.path, findings);
      if (reference) shared.push(reference);
      done();
    } else if (BUNDLE_FILE.test(file.path)) {
      const { bundle, problems: found } = readBundle(file, root.id);
      if (bundle) bundles.push(bundle);
      problems.push(...found);
    } else if (file.refused) report('error', file.refused, file.path);
    else if (parts[0] === 'bundles' && parts.length > 1) report('warn', 'bundle_ignored', file.path);
    else if (parts.length > 1) {
      // The file of a category beside its skills (a README) is nobody's concern; a folder without a SKILL.md is.
      const inCategory = categories.has(parts[0] as string);
      const folder = inCategory ? parts.slice(0, 2).join('/') : (parts[0] as string);
      if (!(inCategory && parts.length === 2) && !folders.some((f) => f === folder || f.startsWith(`${folder}/`)))
        orphans.set(folder, file.path);
    }
  }
  for (const folder of orphans.keys()) report('warn', 'skill_file_missing', folder);
  const admission = root.ledger?.read(files.find((file) => file.path === root.ledger?.path)?.bytes);
  problems.push(...(admission?.own ?? []));

  const skills = kept.map((folder) => {
    const parts = folder.split('/');
    const main = mains.get(folder) as FileRead;
    const own = owned.get(folder) ?? [];
    const trust: Trust = admission ? admission.trust(main.path) : typeof root.trust === 'function' ? root.trust(main.path) : root.trust;
    const id = key(root.id, folder, trust, sha256Of(own.map((file) => [file.path, file.digest])));
    const parsed =
      memory.skills.get(id) ??
      deepFreeze(
        readSkill({
          root: root.id,
          trust,
          path: folder,
          name: parts.at(-1) as string,
          category: parts.length > 1 ? (parts[0] as string) : null,
          main,
          files: own,
        }),
      );
    next.skills.set(id, parsed);
    const said = parsed.skill && admission ? admission.problems(parsed.skill) : [];
    problems.push(...parsed.problems, ...said);
    return said.some((problem) => problem.severity === 'error') ? { ...parsed, usable: false } : parsed;
  });
  return { skills, bundles, shared, problems };
};

/** By name, without those that two files claim: none of them is guessed to be the right one, whatever was listed first. */
const withoutDoubles = <T extends { name: string; root: string; path: string }>(
  items: readonly T[],
  code: string,
  problems: Problem[],
): Array<readonly [string, T]> => {
  const byName = new Map<string, T[]>();
  for (const item of items) byName.set(item.name, [...(byName.get(item.name) ?? []), item]);
  const single: Array<readonly [string, T]> = [];
  for (const [name, all] of byName) {
    if (all.length === 1) single.push([name, all[0] as T]);
    else {
      for (const item of all) {
        const other = all
          .filter((o) => o !== item)
          .map((o) => (o.root === item.root ? o.path : `${o.root}:${o.path}`))
          .sort()
          .join(', ');
        const findings = findingsOf(item.path, item.root);
        findings.error(code, { params: { name, path: item.path, other } });
        problems.push(...findings.problems);
      }
    }
  }
  return single.sort(([a], [b]) => (a < b ? -1 : 1));
};

/** Reads everything at once and freezes it: a turn that holds a snapshot sees no later edit. Never throws for what a file says. */
export const loadSnapshot = async (roots: readonly Root[], options: LoadOptions = {}): Promise<Snapshot> => {
  const { memory = emptyMemory(), rehash = false, concurrency = 16 } = options;
  const next = emptyMemory();
  const problems: Problem[] = [];
  const contents: Contents[] = [];
  for (const root of roots) {
    const listing = options.listings?.has(root.id) ? options.listings.get(root.id) : await root.store.list().catch(() => null);
    if (!listing) {
      const findings = findingsOf('', root.id);
      findings.error('root_unreadable', { params: { root: root.id } });
      problems.push(...findings.problems);
      continue;
    }
    const entries = [...listing].sort((a, b) => (a.path < b.path ? -1 : 1));
    contents.push(sort(root, await readFiles(root, entries, memory, next, rehash, concurrency), memory, next));
  }
  memory.files = next.files;
  memory.skills = next.skills;
  problems.push(...contents.flatMap((c) => c.problems));

  const skills = frozenMap(
    withoutDoubles(
      contents.flatMap((c) => c.skills).flatMap((s) => (s.usable && s.skill ? [s.skill] : [])),
      'skill_duplicate',
      problems,
    ),
  );
  const bundles = frozenMap(
    withoutDoubles(
      contents.flatMap((c) => c.bundles),
      'bundle_duplicate',
      problems,
    ).map(([name, bundle]) => [name, deepFreeze(bundle)] as const),
  );
  for (const [name, bundle] of bundles) {
    const findings = findingsOf(bundle.path, bundle.root);
    const skill = skills.get(name);
    if (skill) findings.warn('bundle_over_skill', { params: { name, skill: skill.path } });
    for (const member of bundle.skills)
      if (!skills.has(member)) findings.warn('bundle_member_missing', { key: 'skills', params: { name, member } });
    problems.push(...findings.problems);
  }

  // Shared references are keyed by path, so roots can collide. The first root given is the platform's: nobody covers its limits with others.
  const shared = new Map<string, Reference>();
  roots
    .filter((root) => !problems.some((p) => p.code === 'root_unreadable' && p.root === root.id))
    .forEach((root, i) => {
      for (const reference of contents[i]?.shared ?? []) {
        if (!shared.has(reference.name)) shared.set(reference.name, reference);
        else {
          const findings = findingsOf(reference.name, root.id);
          findings.error('reference_duplicate', { params: { name: reference.name } });
          problems.push(...findings.problems);
        }
      }
    });
  for (const skill of skills.values()) {
    for (const reference of skill.references) {
      if (!shared.has(reference.name)) continue;
      const findings = findingsOf(`${skill.path.slice(0, skill.path.lastIndexOf('/'))}/${reference.name}`, skill.root);
      findings.warn('reference_covers_shared', { params: { name: reference.name } });
      problems.push(...findings.problems);
    }
  }

  const digest = sha256Of([
    ...[...skills.values()].map((s) => ['skill', s.root, s.path, s.name, s.trust, s.digest]),
    ...[...bundles.values()].map((b) => ['bundle', b.root, b.path, b.name, b.digest]),
    ...[...shared.values()].map((r) => ['shared', r.name, r.digest]),
  ]);
  return Object.freeze({
    skills,
    bundles,
    shared: frozenMap([...shared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, r]) => [name, deepFreeze(r)] as const)),
    problems: deepFreeze(inOrder(problems)),
    digest,
    roots: Object.freeze([...roots]),
  });
};
