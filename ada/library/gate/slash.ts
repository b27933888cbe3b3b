import type { Snapshot } from '../types.js';
import { LibraryRefusal } from '../refusal.js';
import type { Belt, Opened } from './belt.js';

/** What a person opened by typing `/name`: what is in, what waits for room, what could not be. */
export interface SlashOpened {
  kind: 'skill' | 'bundle';
  name: string;
  /** A bundle's words, before the bodies. */
  instruction: string;
  opened: Opened[];
  /** Members that come when one of the open ones is done, in order. */
  waiting: string[];
  missing: Array<{ name: string; code: string }>;
  /** The message without the command. */
  rest: string;
}

const COMMAND = /^\s*\/([a-z0-9][a-z0-9-]{0,63})(?=\s|$)\s*/;

/** The name in "/prospeccion empresas de empaque"; null for ordinary text, a path or a date. */
export const slashName = (message: string): string | null => COMMAND.exec(message)?.[1] ?? null;

/**
 * Opens what `/name` names. A bundle wins over a skill of the same name: whoever called it so meant to. Members that are missing or
 * denied are listed and do not stop the others. Throws `LibraryRefusal` when the name itself is nothing, or nobody's to open.
 */
export const openBySlash = (message: string, snapshot: Snapshot, belt: Belt): SlashOpened | null => {
  const name = slashName(message);
  if (name === null) return null;
  const rest = message.replace(COMMAND, '');
  const bundle = snapshot.bundles.get(name);
  if (!bundle) return { kind: 'skill', name, instruction: '', opened: [belt.open(name, 'person')], waiting: [], missing: [], rest };
  const result: SlashOpened = { kind: 'bundle', name, instruction: bundle.instruction, opened: [], waiting: [], missing: [], rest };
  for (const member of bundle.skills) {
    try {
      result.opened.push(belt.open(member, 'person'));
    } catch (error) {
      if (!(error instanceof LibraryRefusal)) throw error;
      if (error.code === 'no_cabe') result.waiting.push(member);
      else result.missing.push({ name: member, code: error.code });
    }
  }
  return result;
};
