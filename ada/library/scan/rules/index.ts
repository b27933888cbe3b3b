import { type PhraseRule, type TextRule } from '../rule.js';
import { AUTO_APPROVAL } from './auto-approval.js';
import { BREAKOUT } from './breakout.js';
import { CREDENTIALS } from './credentials.js';
import { DESTRUCTIVE } from './destructive.js';
import { EXFILTRATION } from './exfiltration.js';
import { FOREIGN } from './foreign.js';
import { HIDDEN_TEXT } from './hidden-text.js';
import { OVERRIDE } from './override.js';
import { ROLE_CHANGE } from './role-change.js';

const ALL: readonly (PhraseRule | TextRule)[] = [
  ...OVERRIDE,
  ...ROLE_CHANGE,
  ...EXFILTRATION,
  ...HIDDEN_TEXT,
  ...BREAKOUT,
  ...FOREIGN,
  ...DESTRUCTIVE,
  ...CREDENTIALS,
  ...AUTO_APPROVAL,
];
export const PHRASE_RULES = ALL.filter((r): r is PhraseRule => 'phrases' in r);
export const TEXT_RULES = ALL.filter((r): r is TextRule => 'find' in r);
/** Ids of every rule of the scan. */
export const SCAN_RULES: readonly string[] = ALL.map((r) => r.id);
