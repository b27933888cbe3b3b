import type { Problem } from '../types.js';

export type Where = Pick<Problem, 'key' | 'line' | 'params'>;

/** Collects what is wrong with one file. `refuse` is an error after which the file is not used; `error` and `warn` let it load. */
export interface Findings {
  readonly path: string;
  readonly problems: Problem[];
  usable: boolean;
  warn(code: string, where?: Where): void;
  error(code: string, where?: Where): void;
  refuse(code: string, where?: Where): void;
}

export const findingsOf = (path: string, root?: string): Findings => {
  const add = (severity: Problem['severity'], code: string, where: Where = {}): void => {
    const kept = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined)) as Where;
    findings.problems.push({ severity, code, path, ...(root === undefined ? {} : { root }), ...kept });
  };
  const findings: Findings = {
    path,
    problems: [],
    usable: true,
    warn: (code, where) => add('warning', code, where),
    error: (code, where) => add('error', code, where),
    refuse: (code, where) => {
      findings.usable = false;
      add('error', code, where);
    },
  };
  return findings;
};

/** One order for problems, whatever the order in which files were read. */
export const inOrder = (problems: readonly Problem[]): Problem[] => {
  const rank = (p: Problem): string =>
    [p.root ?? '', p.path, String(p.line ?? 0).padStart(7, '0'), p.code, p.key ?? '', JSON.stringify(p.params ?? {})].join('\u0000');
  return problems
    .map((p) => ({ p, r: rank(p) }))
    .sort((a, b) => (a.r < b.r ? -1 : a.r > b.r ? 1 : 0))
    .map(({ p }) => p);
};
