/** The six keys of the public specification; everything of ours is under `metadata`. */
export const SPEC_KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const;

/** Keys of `metadata` that the contract knows. */
export const OUR_KEYS = [
  'version',
  'reasoning',
  'tools',
  'profiles',
  'background_tools',
  'cierra_con',
  'siguiente',
  'requiere',
  'costo',
  'gatillos',
  'excluye',
  'integrations',
  'capabilities',
  'material',
] as const;
export type OurKey = (typeof OUR_KEYS)[number];

/** Keys that are one closed word: a comment after one loses nothing, and files that people write have them. */
export const ONE_WORD: ReadonlySet<string> = new Set([
  'name',
  'metadata.version',
  'metadata.reasoning',
  'metadata.cierra_con',
  'metadata.costo',
  'metadata.material',
]);

/** Names that mean something to a JavaScript object; no key of a skill may be one. */
export const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
