import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { platformRoots } from '../../ada/library/home.js';
import { lintAmong } from '../../ada/library/install/gates.js';
import { lintLibrary } from '../../ada/library/lint/index.js';
import { diskStore } from '../../ada/library/read/disk-store.js';
import { problemText } from '../../ada/library/read/problem-text.js';
import { loadSnapshot } from '../../ada/library/read/snapshot.js';
import type { Problem, Trust } from '../../ada/library/types.js';
import type { Context } from '../context.js';
import { CliExit, EXIT } from '../exit.js';

/** A problem as the linter prints it: the path as the person can open it. */
export interface Shown {
  severity: Problem['severity'];
  code: string;
  path: string;
  line: number | null;
  key: string | null;
  text: string;
  fix: string;
  params: Problem['params'];
}

const under = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep);
const hasMain = (folder: string): boolean => existsSync(join(folder, 'SKILL.md')) || existsSync(join(folder, 'skill.md'));

/** The library that a path belongs to, and the part of it that was meant. */
const targetOf = (given: string, platform: string): { root: string; only: string | null } => {
  let path = resolve(given);
  if (!existsSync(path)) throw new CliExit(EXIT.usage, 'cli.skills.lint_missing', { path: given });
  if (statSync(path).isFile()) path = dirname(path);
  if (under(platform, path)) return { root: platform, only: path === platform ? null : relative(platform, path).split(sep).join('/') };
  if (hasMain(path)) return { root: dirname(path), only: basename(path) };
  return { root: path, only: null };
};

/** Everything wrong with the skills under a path. What lies outside the repository's own library is looked at among that. */
export const lintPath = async (
  ctx: Context,
  given: string | undefined,
  trust: Trust | undefined,
): Promise<{ problems: Shown[]; skills: number }> => {
  const roots = platformRoots();
  const platform = roots[0]?.directory as string;
  const { root, only } = targetOf(given ?? platform, platform);
  const own = root === platform;
  const snapshot = await loadSnapshot(
    own && (trust === undefined || trust === 'plataforma')
      ? roots
      : [{ id: own ? 'plataforma' : 'ruta', store: diskStore(root), trust: trust ?? 'propia', shell: false, directory: root }],
  );
  const found = own ? await lintLibrary(snapshot) : [...snapshot.problems, ...(await lintAmong(snapshot, [await loadSnapshot(roots)]))];
  // What loading found comes again from the linter, maybe more severe.
  const unique = [...new Map(found.map((p) => [JSON.stringify([p.path, p.line, p.code, p.key, p.params]), p])).values()];
  const meant = (path: string): boolean => only === null || path === only || path.startsWith(`${only}/`);
  const names = [...snapshot.skills.values()].filter((skill) => meant(skill.path));
  return {
    skills: names.length,
    problems: unique
      .filter((p) => meant(p.path))
      .map((p) => {
        const { message, fix } = problemText(p, ctx.language);
        return {
          severity: p.severity,
          code: p.code,
          path: relative(process.cwd(), join(root, p.path)) || '.',
          line: p.line ?? null,
          key: p.key ?? null,
          text: message,
          fix,
          params: p.params,
        };
      }),
  };
};

/** Two lines a problem: where and what, then the way out. */
export const problemLines = (ctx: Context, problems: ReadonlyArray<Omit<Shown, 'params'>>): string[] =>
  problems.flatMap(({ severity, code, path, line, key, text, fix }) => [
    `${path}${line === null ? '' : `:${line}`}  ${severity === 'error' ? ctx.color.red(ctx.words.say('cli.skills.error')) : ctx.color.yellow(ctx.words.say('cli.skills.warning'))}  ${code}${key === null ? '' : ` (${key})`}  ${text}`,
    `  → ${fix}`,
  ]);
