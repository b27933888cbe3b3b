import { readText } from '../read/bytes.js';
import { splitFence } from '../read/fence.js';
import { findingsOf } from '../read/findings.js';
import { type Matter, readMatter } from '../read/front-matter.js';
import { type Skill, type Snapshot } from '../types.js';

/** How a skill was written, which the loaded skill no longer says. */
export interface Source {
  matter: Matter;
  /** Line of the file at which the body begins. */ bodyLine: number;
}
export type Sources = ReadonlyMap<Skill, Source>;

/** Reads the files of the skills again, for lines and for what loading merged. One that cannot be read now is left out. */
export const readSources = async (snapshot: Snapshot): Promise<Sources> => {
  const sources = new Map<Skill, Source>();
  await Promise.all(
    [...snapshot.skills.values()].map(async (skill) => {
      const bytes = await snapshot.roots
        .find((r) => r.id === skill.root)
        ?.store.read(skill.path)
        .catch(() => null);
      if (!bytes) return;
      const unused = findingsOf(skill.path);
      const fenced = splitFence(readText(bytes, unused), unused);
      if (!fenced) return;
      const blank = /^\s*\n/.exec(fenced.body)?.[0].split('\n').length ?? 1;
      sources.set(skill, { matter: readMatter(fenced.matter, fenced.matterLine, unused), bodyLine: fenced.bodyLine + blank - 1 });
    }),
  );
  return sources;
};
