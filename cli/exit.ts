import { type Problem } from '../contracts/problem.js';
import { AS_CHOSEN, type RunState } from '../contracts/states.js';

/** What the process ends with; scripts rely on these numbers. */
export const EXIT = {
  ok: 0,
  /** Something was looked at and is not as it should be; as linters say it. */
  problems: 1,
  usage: 2,
  waiting: 3,
  partial: 4,
  balance: 5,
  conflict: 6,
  unavailable: 7,
  failed: 8,
  canceled: 9,
  /** `--espera` ran out while the run was still going, as `timeout` of coreutils says it. */
  timeUp: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with an exit code and one line for people, from the catalog. */
export class CliExit extends Error {
  constructor(
    readonly exit: ExitCode,
    /** Catalog code of what is said on stderr; null when everything was said already. */
    readonly code: string | null,
    readonly params: Record<string, unknown> = {},
    readonly problem: Problem | null = null,
  ) {
    super(code ?? `exit ${exit}`);
    this.name = 'CliExit';
  }
}

const FINAL_EXIT: Partial<Record<RunState, ExitCode>> = {
  completed: EXIT.ok,
  completed_partial: EXIT.partial,
  canceled: EXIT.canceled,
  failed: EXIT.failed,
};

/** The exit code of a run that ended; one that has all that was chosen lacks nothing. */
export const exitOfRun = ({ state, reason }: { state: RunState; reason: { code: string } | null }): ExitCode =>
  state === 'completed_partial' && reason?.code === AS_CHOSEN ? EXIT.ok : (FINAL_EXIT[state] ?? EXIT.ok);

/**
 * The exit code of a refusal. Balance has its own; a second approver is one more tap to wait for; otherwise the HTTP status
 * tells whether the request was wrong, came too late or never arrived.
 */
export const exitOfProblem = (problem: Pick<Problem, 'status' | 'code'>): ExitCode => {
  if (problem.code === 'insufficient_balance') return EXIT.balance;
  if (problem.code === 'second_approver_needed') return EXIT.waiting;
  if (problem.status >= 500 || problem.status === 429 || problem.status === 408) return EXIT.unavailable;
  if ([409, 410, 412].includes(problem.status)) return EXIT.conflict;
  return EXIT.usage;
};

export const exitForProblem = (problem: Problem): CliExit =>
  new CliExit(exitOfProblem(problem), problem.code, problem.params ?? {}, problem);
