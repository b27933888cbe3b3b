import { join, resolve } from 'node:path';
import { diskStore } from '../read/disk-store.js';
import { findingsOf } from '../read/findings.js';
import type { Admission, Ledger, Root, Skill } from '../types.js';
import { emptyLock, LOCK_FILE, parseLock } from './lock.js';
import { recoverSoon } from './quarantine.js';
import { InstallRefusal } from './refusal.js';

/** As tokens name workspaces; anything else is never made part of a path. */
const WORKSPACE = /^[A-Za-z0-9_-]{1,64}$/;
export const isWorkspace = (workspace: string): boolean => WORKSPACE.test(workspace);
export const workspaceFolder = (home: string, workspace: string): string => {
  if (!isWorkspace(workspace)) throw new InstallRefusal('workspace_invalid', { workspace: workspace.slice(0, 80) });
  return join(resolve(home), workspace);
};
export const rootId = (workspace: string): string => `cuenta:${workspace}`;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** What the lock says of each skill. Files that it does not know passed no gate: they are left out, and told of. */
export const ledgerOf = (id: string): Ledger => ({
  path: LOCK_FILE,
  read: (bytes): Admission => {
    const lock = bytes === undefined ? emptyLock() : bytes === null ? null : parseLock(new TextDecoder().decode(bytes));
    const about = findingsOf(LOCK_FILE, id);
    if (!lock) about.error('lock_unreadable');
    const byPath = new Map(Object.entries(lock?.skills ?? {}).map(([name, entry]) => [entry.path, { name, ...entry }]));
    return {
      own: about.problems,
      trust: (path) => byPath.get(folderOf(path))?.trust ?? 'tercero',
      problems: (skill: Skill) => {
        const entry = byPath.get(folderOf(skill.path));
        const findings = findingsOf(skill.path, id);
        if (!entry) findings.error('skill_unlocked', { params: { name: skill.name } });
        // Own skills are edited where they lie; somebody else's is what was looked at when it came, or nothing.
        else if (entry.trust === 'tercero' && entry.digest !== skill.digest)
          findings.error('lock_mismatch', { params: { name: skill.name, version: entry.version } });
        return findings.problems;
      },
    };
  },
});

/** The skills of one workspace: `<home>/<workspace>`, empty where nothing was installed. @throws InstallRefusal `workspace_invalid` */
export const workspaceRoot = (home: string, workspace: string): Root => {
  const directory = workspaceFolder(home, workspace);
  const store = diskStore(directory, { optional: true });
  return {
    id: rootId(workspace),
    directory,
    shell: false,
    trust: 'tercero',
    ledger: ledgerOf(rootId(workspace)),
    // An installation that died halfway is taken back before anybody reads what it left.
    store: {
      list: async () => {
        await recoverSoon(directory);
        return store.list();
      },
      read: store.read,
    },
  };
};
