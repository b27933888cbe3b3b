import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWorkspace, workspaceRoot } from './install/workspace-root.js';
import { diskStore } from './read/disk-store.js';
import { libraries, type Libraries } from './read/library.js';
import type { Root } from './types.js';

/** The folder that `skills/` and `package.json` lie in, found from the sources and from a build of them alike; a workspace's home named `skills` is not it. */
const programFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(folder, 'skills')) && existsSync(join(folder, 'package.json'))) return folder;
    const up = dirname(folder);
    if (up === folder) throw new Error('skills/ was not found beside the program');
    folder = up;
  }
};

/** The roots that everybody reads. */
export const platformRoots = (): Root[] => {
  const directory = join(programFolder(), 'skills');
  return [{ id: 'plataforma', store: diskStore(directory), trust: 'plataforma', shell: false, directory }];
};

/** Where the skills of workspaces lie, for every process and the command alike: a relative path counts from the program's folder, wherever one was started. */
export const skillsHome = (env: { CAMPANA_SKILLS_HOME?: string | undefined; CAMPANA_STATE_DIR?: string | undefined }): string =>
  resolve(programFolder(), env.CAMPANA_SKILLS_HOME || join(env.CAMPANA_STATE_DIR || '.campana', 'skills'));

/**
 * Where the skills of a deployment lie: the platform's in `skills/`, a workspace's in a folder with its name under `CAMPANA_SKILLS_HOME`. Roots
 * named in `CAMPANA_SKILLS_SHELL` may run their inline shell.
 */
export const openLibraries = (env: {
  CAMPANA_SKILLS_HOME: string;
  CAMPANA_STATE_DIR: string;
  CAMPANA_SKILLS_SHELL?: string;
}): Libraries => {
  const home = skillsHome(env);
  const trusted = new Set(
    (env.CAMPANA_SKILLS_SHELL ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter(Boolean),
  );
  const marked = (root: Root): Root => ({ ...root, shell: trusted.has(root.id) });
  return libraries({
    platform: platformRoots().map(marked),
    // Anything that is no workspace's name has no folder.
    workspaceRoot: (workspace) => (isWorkspace(workspace) ? marked(workspaceRoot(home, workspace)) : null),
  });
};
