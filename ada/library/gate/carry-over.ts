import { same } from '../../understand/text.js';
import { wishOf } from '../../understand/wishes.js';
import type { Snapshot } from '../types.js';
import { LibraryRefusal } from '../refusal.js';
import type { Routed } from '../choose/router.js';
import type { Belt, SkillUsed } from './belt.js';

/** A recipe of the turn before that is still in use: loaded anew from this turn's snapshot, so a changed version is the one that counts. */
export interface Carried {
  name: string;
  changed: boolean;
  refused: string | null;
}

/** Confidence by which another recipe must lead those that are open to be what is asked for. */
const CLEARLY = 0.15;
/**
 * Whether a message may still answer what was asked in the turn before: it names nothing of its own, or the router thinks of no other recipe for it. A
 * new wish is no answer: the recipe of the question before would hold its tools and its room.
 */
export const mayAnswer = (
  message: string,
  routed: { decision: Routed['decision'] | 'clarify'; candidates: Routed['candidates'] },
  before: ReadonlyArray<Pick<SkillUsed, 'name'>>,
): boolean => {
  if (routed.decision === 'inject' || routed.decision === 'clarify') return false;
  const [first] = routed.candidates;
  if (!first || before.some(({ name }) => name === first.name) || wishOf(same(message)) === null) return true;
  const open = routed.candidates.find((one) => before.some(({ name }) => name === one.name));
  return open !== undefined && first.confidence - open.confidence < CLEARLY;
};

export const carryOver = (before: readonly SkillUsed[], snapshot: Snapshot, belt: Belt): Carried[] =>
  before.map(({ name, digest, by, score }) => {
    // What was in by its state is in by its state again, or is so no longer.
    if (by === 'always' && !belt.isOpen(name)) return { name, changed: false, refused: 'skill_not_open' };
    try {
      const opened = belt.open(name, by, score ?? undefined);
      return { name, changed: opened.digest !== digest, refused: null };
    } catch (error) {
      if (!(error instanceof LibraryRefusal)) throw error;
      return { name, changed: snapshot.skills.get(name)?.digest !== digest, refused: error.code };
    }
  });

/** Skills of which the router was sure and that nobody opened: counted as `skill_omitida`, since the answer may look right without. */
export const omitted = (
  routed: { decision: Routed['decision'] | 'clarify'; candidates: Routed['candidates'] },
  used: readonly SkillUsed[],
): string[] =>
  routed.decision === 'inject'
    ? routed.candidates.map((candidate) => candidate.name).filter((name) => !used.some((one) => one.name === name))
    : [];
