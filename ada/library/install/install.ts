import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { diskStore } from '../read/disk-store.js';
import { sha256Of } from '../read/digest.js';
import { loadSnapshot } from '../read/snapshot.js';
import { POLICY } from '../trust.js';
import type { Problem, Root, Skill, Snapshot, Trust } from '../types.js';
import { fetchSource, type FetchOptions } from './fetch.js';
import { passGates } from './gates.js';
import { withHeld, type Owner } from './held.js';
import { isSlug, lockText, readLock, type Lock, type LockEntry } from './lock.js';
import {
  change,
  closeQuarantine,
  HELD_FILE,
  openQuarantine,
  recover,
  recoverSoon,
  type Moment,
  type Move,
  type Quarantine,
} from './quarantine.js';
import { InstallRefusal } from './refusal.js';
import { nameOfSource, readSource, type Source } from './source.js';
import { copyTree, findSkills, folderDigest, skillsIn, type Copied, type Found } from './stage.js';
import { workspaceFolder, workspaceRoot } from './workspace-root.js';

export type Step = { step: 'fetch'; source: string } | { step: 'check'; skills: number } | { step: 'wait'; owner: Owner | null };

export interface InstallContext {
  /** `CAMPANA_SKILLS_HOME`, and whose skills. */
  home: string;
  workspace: string;
  /** The platform's roots: their names are taken, and what is installed may lead to them. */
  platform: readonly Root[];
  say?: (step: Step) => void;
  signal?: AbortSignal;
  now?: () => Date;
  /** How long to wait for another installation, ms. */
  waitMs?: number;
  fetching?: Omit<FetchOptions, 'signal'>;
  /** Called at the moments of a change, for tests of what an interruption leaves. */
  at?: (moment: Moment) => Promise<void> | void;
}

export interface Installed {
  name: string;
  path: string;
  version: string;
  digest: string;
  trust: Trust;
  resolved: string;
  warnings: Problem[];
}
export interface InstallReport {
  workspace: string;
  source: string;
  skills: Installed[];
  ignored: string[];
}
export interface InstallOptions {
  trust?: Trust;
  only?: string;
}

type Installable = LockEntry['trust'];
const installable = (trust: Trust): Installable => {
  if (!POLICY[trust].installable || trust === 'plataforma') throw new InstallRefusal('trust_not_installable');
  return trust;
};

const held = <T>(ctx: InstallContext, folder: string, work: () => Promise<T>): Promise<T> =>
  withHeld(
    join(folder, HELD_FILE),
    async () => {
      await recover(folder);
      return work();
    },
    {
      ...(ctx.waitMs === undefined ? {} : { waitMs: ctx.waitMs }),
      ...(ctx.signal ? { signal: ctx.signal } : {}),
      onWait: (owner) => ctx.say?.({ step: 'wait', owner }),
    },
  );

const quarantined = async <T>(folder: string, work: (quarantine: Quarantine) => Promise<T>): Promise<T> => {
  const unwritable = (error: NodeJS.ErrnoException): never => {
    throw new InstallRefusal('home_unwritable', { path: folder, why: error.code ?? error.message });
  };
  await mkdir(folder, { recursive: true }).catch(unwritable);
  await recoverSoon(folder, false);
  const quarantine = await openQuarantine(folder).catch(unwritable);
  try {
    return await work(quarantine);
  } finally {
    await closeQuarantine(quarantine);
    await rmdir(folder).catch(() => undefined); // of a first installation that was refused
  }
};

/** A skill in quarantine, where it goes, and how the lock will speak of it. */
interface Ready {
  skill: Skill;
  path: string;
  warnings: Problem[];
}
interface Staged {
  ready: Ready[];
  resolved: string;
  ignored: string[];
}

const warningsOf = (skill: Skill, warnings: readonly Problem[]): Problem[] => {
  const folder = skill.path.slice(0, skill.path.lastIndexOf('/') + 1);
  return warnings.filter((p) => p.path.startsWith(folder));
};

const pathOf = ({ category, name }: { category: string | null; name: string }): string =>
  category === null ? name : `${category}/${name}`;

/** Brings in, finds what `pick` wants, copies it without following anything, and asks the gates. Nothing outside the quarantine changes. */
const stage = async (
  ctx: InstallContext,
  quarantine: Quarantine,
  source: Source,
  trust: Installable,
  others: readonly Snapshot[],
  pick: (found: Found[]) => Array<Found & { path: string }>,
): Promise<Staged> => {
  const into = join(quarantine.folder, 'raw');
  const clean = join(quarantine.folder, 'ready');
  await mkdir(into);
  await mkdir(clean);
  ctx.say?.({ step: 'fetch', source: source.text });
  const fetched = await fetchSource(source, into, { ...ctx.fetching, ...(ctx.signal ? { signal: ctx.signal } : {}) });
  const found = await findSkills(fetched.folder, nameOfSource(source), fetched.wrapped);
  if (found.skills.length === 0) throw new InstallRefusal('source_empty', { source: source.text });
  const chosen = pick(found.skills);
  ctx.say?.({ step: 'check', skills: chosen.length });
  const copied: Copied = { files: 0, bytes: 0 };
  for (const one of chosen) {
    // Both become part of a path.
    for (const part of [one.name, one.category])
      if (part !== null && !isSlug(part)) throw new InstallRefusal('name_invalid', { name: part.slice(0, 80) });
    if (existsSync(join(clean, one.path))) throw new InstallRefusal('name_taken', { name: one.name, path: one.path, other: pathOf(one) });
    await copyTree(one.folder, join(clean, one.path), copied, one.name);
  }
  const root: Root = { id: 'cuarentena', store: diskStore(clean), trust, shell: false, directory: clean };
  const passed = await passGates(
    root,
    chosen.map((one) => one.name),
    others,
  );
  const ready = passed.skills.map((skill) => ({
    skill,
    path: skill.path.slice(0, skill.path.lastIndexOf('/')),
    warnings: warningsOf(skill, passed.warnings),
  }));
  return { ready, resolved: fetched.resolved ?? sha256Of(ready.map(({ skill }) => [skill.name, skill.digest])), ignored: found.ignored };
};

/** Names in use, with where; one that is installed but cannot be loaded counts by what the lock says. */
const namesTaken = (platform: Snapshot, own: Snapshot, lock: Lock): Map<string, string> =>
  new Map([
    ...Object.entries(lock.skills).map(([name, entry]) => [name, `${entry.path}/SKILL.md`] as const),
    ...[...own.skills.values()].map((skill) => [skill.name, skill.path] as const),
    ...[...platform.bundles.values()].map((bundle) => [bundle.name, `${bundle.root}:${bundle.path}`] as const),
    ...[...platform.skills.values()].map((skill) => [skill.name, `${skill.root}:${skill.path}`] as const),
  ]);

/** A folder may be a skill or a category, and neither may be there already as something else. */
const checkPlace = (folder: string, path: string): void => {
  const [first = '', second] = path.split('/');
  const isSkill = (at: string): boolean => existsSync(join(folder, at, 'SKILL.md'));
  const taken = existsSync(join(folder, path)) ? path : second !== undefined && isSkill(first) ? first : null;
  if (taken !== null) throw new InstallRefusal('path_taken', { path: join(folder, taken) });
};

const entryOf = (ctx: InstallContext, source: Source, staged: Staged, { skill, path }: Ready, trust: Installable): LockEntry => ({
  source: source.text,
  resolved: staged.resolved,
  trust,
  version: skill.version,
  digest: skill.digest,
  path,
  installed_at: (ctx.now?.() ?? new Date()).toISOString(),
});

/**
 * Installs the skills of a source for one workspace: all of them, or with `only` one, or none. @throws InstallRefusal; nothing was changed then.
 */
export const install = async (
  ctx: InstallContext,
  given: string,
  { trust: asked = 'tercero', only }: InstallOptions = {},
): Promise<InstallReport> => {
  const trust = installable(asked);
  const folder = workspaceFolder(ctx.home, ctx.workspace);
  const source = await readSource(given);
  return quarantined(folder, async (quarantine) => {
    const platform = await loadSnapshot(ctx.platform);
    const own = (): Promise<Snapshot> => loadSnapshot([workspaceRoot(ctx.home, ctx.workspace)]);
    const staged = await stage(ctx, quarantine, source, trust, [platform, await own()], (found) => {
      const chosen = only === undefined ? found : found.filter((one) => one.name === only);
      if (chosen.length === 0)
        throw new InstallRefusal('only_missing', {
          name: (only ?? '').slice(0, 80),
          names: found
            .map((one) => one.name)
            .join(', ')
            .slice(0, 400),
        });
      const twice = chosen.find((one, i) => chosen.findIndex((other) => other.name === one.name) < i);
      if (twice)
        throw new InstallRefusal('name_taken', {
          name: twice.name,
          path: pathOf(twice),
          other: pathOf(chosen.find((one) => one.name === twice.name) as Found),
        });
      return chosen.map((one) => ({ ...one, path: pathOf(one) }));
    });
    return held(ctx, folder, async () => {
      const lock = await readLock(folder);
      const taken = namesTaken(platform, await own(), lock);
      for (const { skill, path } of staged.ready) {
        const other = taken.get(skill.name);
        if (other !== undefined) throw new InstallRefusal('name_taken', { name: skill.name, path: `${source.text}: ${path}`, other });
        checkPlace(folder, path);
      }
      const entries = staged.ready.map((ready) => [ready.skill.name, entryOf(ctx, source, staged, ready, trust)] as const);
      const moves = staged.ready.map(({ path }): Move => ({ from: relative(folder, join(quarantine.folder, 'ready', path)), to: path }));
      await change(folder, quarantine, moves, lockText({ version: 1, skills: { ...lock.skills, ...Object.fromEntries(entries) } }), ctx.at);
      return {
        workspace: ctx.workspace,
        source: source.text,
        ignored: staged.ignored,
        skills: staged.ready.map(({ skill, path, warnings }) => ({
          name: skill.name,
          path: join(folder, path),
          version: skill.version,
          digest: skill.digest,
          trust,
          resolved: staged.resolved,
          warnings,
        })),
      };
    });
  });
};

export interface Updated {
  name: string;
  status: 'updated' | 'unchanged' | 'refused';
  from: { version: string; digest: string; resolved: string };
  to: { version: string; digest: string; resolved: string } | null;
  /** Why it was refused; the old one stays. */
  refusal: InstallRefusal | null;
  warnings: Problem[];
}

const entryOrRefuse = (lock: Lock, name: string): LockEntry => {
  const entry = Object.hasOwn(lock.skills, name) ? lock.skills[name] : undefined;
  if (!entry)
    throw new InstallRefusal('not_installed', { name: name.slice(0, 80), names: Object.keys(lock.skills).sort().join(', ') || '–' });
  return entry;
};

/** Not what was installed: somebody worked on it, and an update would throw that away. */
const editedByHand = async (folder: string, entry: LockEntry): Promise<boolean> => {
  const now = await folderDigest(join(folder, entry.path));
  return now !== null && now !== entry.digest;
};

/**
 * Fetches again what was installed and puts it in place of the old, through the same gates. What comes from one source is updated together or
 * not at all; a source that fails does not stop the others.
 */
export const update = async (ctx: InstallContext, { name, force = false }: { name?: string; force?: boolean } = {}): Promise<Updated[]> => {
  const folder = workspaceFolder(ctx.home, ctx.workspace);
  const before = await readLock(folder);
  const wanted = name === undefined ? Object.entries(before.skills) : [[name, entryOrRefuse(before, name)] as const];
  const groups = new Map<string, Array<readonly [string, LockEntry]>>();
  for (const one of wanted)
    groups.set(`${one[1].trust} ${one[1].source}`, [...(groups.get(`${one[1].trust} ${one[1].source}`) ?? []), one]);
  const results: Updated[] = [];
  for (const group of groups.values()) {
    try {
      results.push(...(await updateGroup(ctx, folder, group, force)));
    } catch (error) {
      if (!(error instanceof InstallRefusal)) throw error;
      results.push(
        ...group.map(([own, from]): Updated => ({ name: own, status: 'refused', from, to: null, refusal: error, warnings: [] })),
      );
    }
  }
  return results
    .map(({ from: { version, digest, resolved }, ...rest }) => ({ ...rest, from: { version, digest, resolved } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

const updateGroup = async (
  ctx: InstallContext,
  folder: string,
  group: ReadonlyArray<readonly [string, LockEntry]>,
  force: boolean,
): Promise<Updated[]> => {
  const [, first] = group[0] as readonly [string, LockEntry];
  const names = new Set(group.map(([name]) => name));
  const places = new Map(group.map(([name, entry]) => [name, entry.path]));
  const check = async (lock: Lock): Promise<void> => {
    for (const [name, old] of group) {
      const entry = entryOrRefuse(lock, name);
      if (entry.digest !== old.digest) throw new InstallRefusal('edited', { name, path: join(folder, entry.path) });
      if (!force && (await editedByHand(folder, entry))) throw new InstallRefusal('edited', { name, path: join(folder, entry.path) });
    }
  };
  // Before anything is fetched, and again once nobody else can change it.
  await check(await readLock(folder));
  const source = await readSource(first.source);
  return quarantined(folder, async (quarantine) => {
    const platform = await loadSnapshot(ctx.platform);
    const own = await loadSnapshot([workspaceRoot(ctx.home, ctx.workspace)]);
    const others = { ...own, skills: new Map([...own.skills].filter(([name]) => !names.has(name))) };
    const staged = await stage(ctx, quarantine, source, first.trust, [platform, others], (found) =>
      group.map(([name]) => {
        const one = found.find((skill) => skill.name === name);
        if (!one) throw new InstallRefusal('gone_from_source', { name, source: source.text });
        // It stays where it was installed, wherever the source has it now.
        const path = places.get(name) as string;
        return { ...one, path, category: path.includes('/') ? (path.split('/')[0] as string) : null };
      }),
    );
    const fresh = new Map(staged.ready.map((ready) => [ready.skill.name, ready]));
    return held(ctx, folder, async () => {
      const lock = await readLock(folder);
      await check(lock);
      const moves: Move[] = [];
      const skills = { ...lock.skills };
      const results: Updated[] = [];
      for (const [name, old] of group) {
        const ready = fresh.get(name) as Ready;
        const there = await folderDigest(join(folder, old.path));
        const to = { version: ready.skill.version, digest: ready.skill.digest, resolved: staged.resolved };
        if (there === ready.skill.digest && old.digest === there) {
          results.push({ name, status: 'unchanged', from: old, to, refusal: null, warnings: ready.warnings });
          continue;
        }
        if (existsSync(join(folder, old.path))) moves.push({ from: old.path, to: relative(folder, join(quarantine.folder, 'old', name)) });
        moves.push({ from: relative(folder, join(quarantine.folder, 'ready', ready.path)), to: old.path });
        skills[name] = entryOf(ctx, source, staged, ready, first.trust);
        results.push({ name, status: 'updated', from: old, to, refusal: null, warnings: ready.warnings });
      }
      if (moves.length > 0) await change(folder, quarantine, moves, lockText({ version: 1, skills }), ctx.at);
      return results;
    });
  });
};

/** Takes a skill away. One that was worked on by hand only with `force`. */
export const remove = async (
  ctx: InstallContext,
  name: string,
  { force = false }: { force?: boolean } = {},
): Promise<{ name: string; version: string; path: string }> => {
  const folder = workspaceFolder(ctx.home, ctx.workspace);
  entryOrRefuse(await readLock(folder), name);
  return quarantined(folder, (quarantine) =>
    held(ctx, folder, async () => {
      const lock = await readLock(folder);
      const entry = entryOrRefuse(lock, name);
      if (!force && (await editedByHand(folder, entry))) throw new InstallRefusal('edited', { name, path: join(folder, entry.path) });
      const { [name]: _gone, ...skills } = lock.skills;
      const moves = existsSync(join(folder, entry.path))
        ? [{ from: entry.path, to: relative(folder, join(quarantine.folder, 'old', name)) }]
        : [];
      await change(folder, quarantine, moves, lockText({ version: 1, skills }), ctx.at);
      return { name, version: entry.version, path: join(folder, entry.path) };
    }),
  );
};

export type VerifyStatus = 'ok' | 'changed' | 'missing' | 'unlocked';
export interface Verified {
  name: string;
  status: VerifyStatus;
  path: string;
  trust: Trust;
  version: string | null;
  expected: string | null;
  found: string | null;
}

/** Compares what lies on disk with what was installed. Reads only. */
export const verify = async (ctx: Pick<InstallContext, 'home' | 'workspace'>): Promise<Verified[]> => {
  const folder = workspaceFolder(ctx.home, ctx.workspace);
  const lock = await readLock(folder);
  const known = await Promise.all(
    Object.entries(lock.skills).map(async ([name, entry]): Promise<Verified> => {
      const found = await folderDigest(join(folder, entry.path));
      return {
        name,
        status: found === null ? 'missing' : found === entry.digest ? 'ok' : 'changed',
        path: join(folder, entry.path),
        trust: entry.trust,
        version: entry.version,
        expected: entry.digest,
        found,
      };
    }),
  );
  const locked = new Set(Object.values(lock.skills).map((entry) => entry.path));
  const tree = existsSync(folder) ? await skillsIn(folder) : [];
  const others = await Promise.all(
    tree
      .filter((one) => !locked.has(pathOf(one)))
      .map(async (one): Promise<Verified> => ({
        name: one.name,
        status: 'unlocked',
        path: one.folder,
        trust: 'tercero',
        version: null,
        expected: null,
        found: await folderDigest(one.folder),
      })),
  );
  return [...known, ...others].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.path < b.path ? -1 : 1));
};
