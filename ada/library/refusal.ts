/**
 * The library says no, with a code that programs act on and a text in the catalog (`library.refused.<code>`). Thrown where
 * there is nobody to return it to; the session's tools return it.
 */
export const REFUSALS = [
  'skill_unknown',
  'reference_unknown',
  'path_refused',
  'skill_denied',
  'skill_needs_integration',
  'skill_needs_capability',
  'skill_no_scope',
  'skill_not_open',
  'no_cabe',
  'fuera_de_cinturon',
  'solo_con_toque',
  'reference_unreadable',
  'arguments_invalid',
  'budget_exceeded',
] as const;
export type RefusalCode = (typeof REFUSALS)[number];

export class LibraryRefusal extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly params: Readonly<Record<string, string | number>> = {},
    readonly suggestions: readonly string[] = [],
  ) {
    super(code);
    this.name = 'LibraryRefusal';
  }
}
