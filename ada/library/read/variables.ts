import type { Skill, Snapshot } from '../types.js';

/** What stands for `${SKILL_DIR}` and `${SESSION_ID}` in the texts of one conversation. */
export interface Substitution {
  sessionId: string;
  /** The folder of a skill's files; null where there is no disk. */
  directoryOf: (skill: Pick<Skill, 'root' | 'path'>) => string | null;
}

export const substitution = (snapshot: Pick<Snapshot, 'roots'>, sessionId: string): Substitution => {
  const roots = new Map(snapshot.roots.map((root) => [root.id, root.directory]));
  return {
    sessionId,
    directoryOf: ({ root, path }) => {
      const directory = roots.get(root);
      return directory ? `${directory.replace(/\/+$/, '')}/${path.slice(0, Math.max(0, path.lastIndexOf('/')))}` : null;
    },
  };
};

/** Replaces both names, literally and once: a value that itself says `${SESSION_ID}` stays as it is, and so does a name nobody knows. */
export const substitute = (text: string, skill: Pick<Skill, 'root' | 'path'>, variables: Substitution): string =>
  text.replace(/\$\{(SKILL_DIR|SESSION_ID)\}/g, (whole, name) =>
    name === 'SESSION_ID' ? variables.sessionId : (variables.directoryOf(skill) ?? whole),
  );
