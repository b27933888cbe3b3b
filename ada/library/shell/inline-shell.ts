import { execFile } from 'node:child_process';
import { codeLines } from '../read/body.js';
import { substitute, substitution } from '../read/variables.js';
import { POLICY } from '../trust.js';
import type { Skill, Snapshot } from '../types.js';

/**
 * Snippets such as !`date +%Y-%m-%d` in a body, replaced by what they print. Off unless an operator marked the root and the skill's trust
 * allows it; even then no shell is involved, only a few commands that read nothing but what they are given. A snippet that is refused or
 * fails leaves a marker: it never takes the recipe with it.
 */
export const SHELL_MARKERS = ['off', 'syntax', 'command', 'argument', 'many', 'timeout', 'output', 'failed'] as const;
export type ShellMarker = (typeof SHELL_MARKERS)[number];
const marker = (code: ShellMarker): string => `[shell: ${code}]`;

export interface ShellOptions {
  timeoutMs?: number;
  maxBytes?: number;
  maxSnippets?: number;
}
interface Context {
  skill: Skill;
  cwd: string;
  options: Required<ShellOptions>;
}

/** The commands, each with what it may be given: `date -s` sets a clock, `date -f` and `wc /etc/passwd` read what is not the skill's. */
const COMMANDS: Readonly<Record<string, (args: readonly string[], skill: Skill) => boolean>> = {
  date: (args) => args.every((a) => a.startsWith('+') || ['-u', '--utc', '-R', '-I', '--iso-8601', '-Idate', '-Iseconds'].includes(a)),
  echo: () => true,
  uname: (args) => args.every((a) => /^-[asnrvmpio]+$/.test(a)),
  pwd: (args) => args.length === 0,
  basename: (args) => args.length > 0 && args.every((a) => !a.startsWith('-')),
  dirname: (args) => args.length > 0 && args.every((a) => !a.startsWith('-')),
  wc: (args, skill) => {
    const files = args.filter((a) => !/^-[clmwL]+$/.test(a));
    return files.length > 0 && files.every((a) => a === 'SKILL.md' || skill.references.some((r) => r.name === a));
  },
};

/** Words as a shell would split them, quotes understood; null when there is anything a shell would act on. */
export const splitWords = (text: string): string[] | null => {
  if (/[;|&<>(){}[\]\\*?#!$`\n\r]/.test(text.replace(/\$\{(?:SKILL_DIR|SESSION_ID)\}/g, ''))) return null;
  const words: string[] = [];
  const rest = text.replace(/(?:[^\s"']|"[^"]*"|'[^']*')+/g, (word) => {
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''));
    return '';
  });
  return rest.trim() === '' && words.length > 0 ? words : null;
};

const run = (command: string, args: readonly string[], { cwd, options }: Context): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: process.env['TZ'] ?? 'America/Mexico_City' };
    const limits = { timeout: options.timeoutMs, killSignal: 'SIGKILL', maxBuffer: options.maxBytes } as const;
    execFile(command, [...args], { cwd, env, shell: false, encoding: 'utf8', ...limits }, (error, stdout) => {
      if (!error) resolve(stdout.replace(/\p{Cc}/gu, (c) => (c === '\n' || c === '\t' ? c : '')).trimEnd());
      else if ((error as NodeJS.ErrnoException).code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') resolve(marker('output'));
      else resolve(marker(error.killed ? 'timeout' : 'failed'));
    });
  });

const snippet = async (source: string, replace: (text: string) => string, context: Context): Promise<string> => {
  // Split before the variables are put in: a session id with a space in it stays one word.
  const words = splitWords(source);
  if (!words) return marker('syntax');
  const [command = '', ...args] = words.map(replace);
  const allowed = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!allowed) return marker('command');
  if (!allowed(args, context.skill) || args.some((a) => a.includes('\u0000'))) return marker('argument');
  return run(command, args, context).catch(() => marker('failed'));
};

const SNIPPET = /!`([^`\n]*)`/g;

/** A body with its variables and, where allowed, its snippets replaced. Neither is looked for in what a replacement brought. */
export const expandBody = async (
  snapshot: Pick<Snapshot, 'roots'>,
  skill: Skill,
  sessionId: string,
  options: ShellOptions = {},
): Promise<string> => {
  const variables = substitution(snapshot, sessionId);
  const replace = (text: string): string => substitute(text, skill, variables);
  const cwd = variables.directoryOf(skill);
  const on = cwd !== null && POLICY[skill.trust].shell && snapshot.roots.find((root) => root.id === skill.root)?.shell === true;
  const { timeoutMs = 2_000, maxBytes = 4_096, maxSnippets = 8 } = options;
  const context: Context = { skill, cwd: cwd ?? '', options: { timeoutMs, maxBytes, maxSnippets } };
  let ran = 0;
  const lines: string[] = [];
  for (const { line, code } of codeLines(skill.body)) {
    if (code) {
      lines.push(replace(line));
      continue;
    } // an example of a snippet, not one
    let done = '';
    let at = 0;
    for (const match of line.matchAll(SNIPPET)) {
      done += replace(line.slice(at, match.index));
      done += !on ? marker('off') : ran++ >= context.options.maxSnippets ? marker('many') : await snippet(match[1] ?? '', replace, context);
      at = match.index + match[0].length;
    }
    lines.push(done + replace(line.slice(at)));
  }
  return lines.join('\n');
};
