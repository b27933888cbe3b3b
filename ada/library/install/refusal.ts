import type { Problem } from '../types.js';

/** Why something was not installed, updated or removed. Texts: `library.install.<code>`. */
export const INSTALL_CODES = [
  'workspace_invalid',
  'home_unwritable',
  'trust_not_installable',
  'source_invalid',
  'source_insecure',
  'source_credentials',
  'source_missing',
  'source_empty',
  'only_missing',
  'git_missing',
  'git_failed',
  'download_failed',
  'download_status',
  'archive_invalid',
  'archive_large',
  'archive_ratio',
  'archive_entries',
  'archive_unpacked',
  'entry_type',
  'entry_path',
  'tree_link',
  'tree_special',
  'tree_deep',
  'name_invalid',
  'name_taken',
  'path_taken',
  'gates',
  'lock_held',
  'lock_unreadable',
  'not_installed',
  'edited',
  'gone_from_source',
  'timeout',
] as const;
export type InstallCode = (typeof INSTALL_CODES)[number];

/** Nothing was changed. `problems` are those of the gates, of every skill of the source. */
export class InstallRefusal extends Error {
  constructor(
    readonly code: InstallCode,
    readonly params: Readonly<Record<string, string | number>> = {},
    readonly problems: readonly Problem[] = [],
  ) {
    super(code);
    this.name = 'InstallRefusal';
  }
}
