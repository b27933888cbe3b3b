import type { Snapshot } from '../types.js';
import { BUNDLE_INSTRUCTION_MAX } from '../disclose/budget.js';
import { characters, escapeText } from '../disclose/escape.js';
import { suggest } from '../read/guard.js';
import { LibraryRefusal } from '../refusal.js';
import { fold } from '../text/fold.js';
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

const COMMAND = /^\s*\/([\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,63})(?=\s|$)\s*/u;

/**
 * The name in "/prospeccion empresas de empaque"; null for ordinary text, a path or a date. Telephones write "/Prospección": names are ASCII, so
 * case and accents say nothing.
 */
export const slashName = (message: string): string | null => {
  const typed = COMMAND.exec(message)?.[1];
  return typed === undefined ? null : fold(typed).replace(/ñ/g, 'n');
};

/**
 * Opens what `/name` names. A bundle wins over a skill of the same name: whoever called it so meant to. Members that are missing or
 * denied are listed and do not stop the others. Throws `LibraryRefusal` when the name itself is nothing, or nobody's to open.
 */
export const openBySlash = (message: string, snapshot: Snapshot, belt: Belt): SlashOpened | null => {
  const name = slashName(message);
  if (name === null) return null;
  const rest = message.replace(COMMAND, '');
  const bundle = snapshot.bundles.get(name);
  if (!bundle) return { kind: 'skill', name, instruction: '', opened: [openOne(name, snapshot, belt)], waiting: [], missing: [], rest };
  const fits = characters(escapeText(bundle.instruction)) <= BUNDLE_INSTRUCTION_MAX;
  const result: SlashOpened = {
    kind: 'bundle',
    name,
    instruction: fits ? bundle.instruction : '',
    opened: [],
    waiting: [],
    missing: fits ? [] : [{ name, code: 'budget_exceeded' }],
    rest,
  };
  for (const member of new Set(bundle.skills)) {
    try {
      // Behind one that waits all wait, also a short one that would fit: the order is the bundle's.
      if (result.waiting.length > 0 && !belt.isOpen(member)) {
        belt.check(member);
        result.waiting.push(member);
      } else result.opened.push(belt.open(member, 'person'));
    } catch (error) {
      if (!(error instanceof LibraryRefusal)) throw error;
      if (error.code === 'no_cabe') result.waiting.push(member);
      else result.missing.push({ name: member, code: error.code });
    }
  }
  return result;
};

/** A misspelt bundle gets its suggestion too. */
const openOne = (name: string, snapshot: Snapshot, belt: Belt): Opened => {
  try {
    return belt.open(name, 'person');
  } catch (error) {
    if (!(error instanceof LibraryRefusal) || error.code !== 'skill_unknown') throw error;
    throw new LibraryRefusal(error.code, error.params, [...suggest(name, snapshot.bundles.keys()), ...error.suggestions].slice(0, 3));
  }
};
