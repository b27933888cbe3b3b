import { platformRoots, skillsHome } from '../../ada/library/home.js';
import { InstallRefusal, type InstallCode } from '../../ada/library/install/refusal.js';
import { isWorkspace, workspaceRoot } from '../../ada/library/install/workspace-root.js';
import { loadSnapshot } from '../../ada/library/read/snapshot.js';
import { LibraryRefusal } from '../../ada/library/refusal.js';
import type { Snapshot } from '../../ada/library/types.js';
import type { Context } from '../context.js';
import { CliExit, EXIT, type ExitCode } from '../exit.js';

/** The workspace of a stack on this machine. */
const DEFAULT_WORKSPACE = 'ws_demo';

/** Where skills are installed on this machine. */
export const homeOf = (ctx: Context): string =>
  skillsHome({ CAMPANA_SKILLS_HOME: ctx.term.env['CAMPANA_SKILLS_HOME'], CAMPANA_STATE_DIR: ctx.term.env['CAMPANA_STATE_DIR'] });

/** Whose skills: the one named, else the token's as for every other command, else the local stack's. Nothing is asked over the network. */
export const workspaceOf = async (ctx: Context, given: string | undefined): Promise<string> => {
  if (given !== undefined) {
    if (!isWorkspace(given)) throw new CliExit(EXIT.usage, 'library.install.workspace_invalid', { workspace: given.slice(0, 80) });
    return given;
  }
  try {
    const { token } = await ctx.client.where();
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { workspace?: unknown };
    if (typeof claims.workspace === 'string' && isWorkspace(claims.workspace)) return claims.workspace;
  } catch {
    // No stack, no token, or one that says nothing.
  }
  return DEFAULT_WORKSPACE;
};

/** The platform's skills and those of one workspace, from this machine's disk. */
export const openLibrary = async (ctx: Context, given?: string): Promise<{ workspace: string; snapshot: Snapshot }> => {
  const workspace = await workspaceOf(ctx, given);
  return { workspace, snapshot: await loadSnapshot([...platformRoots(), workspaceRoot(homeOf(ctx), workspace)]) };
};

const EXITS: Partial<Record<InstallCode, ExitCode>> = {
  gates: EXIT.problems,
  lock_held: EXIT.conflict,
  name_taken: EXIT.conflict,
  path_taken: EXIT.conflict,
  edited: EXIT.conflict,
  gone_from_source: EXIT.conflict,
  git_failed: EXIT.unavailable,
  git_missing: EXIT.unavailable,
  download_failed: EXIT.unavailable,
  download_status: EXIT.unavailable,
  timeout: EXIT.unavailable,
  lock_unreadable: EXIT.failed,
};
export const exitOfRefusal = (code: InstallCode): ExitCode => EXITS[code] ?? EXIT.usage;

/** What the library refuses, in the command's terms. */
export const asExit = (ctx: Context, error: unknown): unknown => {
  if (error instanceof InstallRefusal) return new CliExit(exitOfRefusal(error.code), `library.install.${error.code}`, error.params);
  if (!(error instanceof LibraryRefusal)) return error;
  if (error.suggestions.length > 0) ctx.tell(ctx.words.say('cli.skills.suggest', { names: error.suggestions.join(', ') }));
  return new CliExit(EXIT.usage, `library.refused.${error.code}`, error.params);
};
