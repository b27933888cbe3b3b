/** What the API says of a run (`GET /v1/runs/{id}/progress`), written out so that this folder needs nothing else. */

export type RunState =
  | 'ready'
  | 'running'
  | 'waiting_decision'
  | 'waiting_external'
  | 'paused'
  | 'stopping'
  | 'completed'
  | 'completed_partial'
  | 'canceled'
  | 'failed';
export type StepState =
  | 'pending'
  | 'running'
  | 'waiting_decision'
  | 'done'
  | 'partial'
  | 'paused'
  | 'blocked'
  | 'unconfirmed'
  | 'failed'
  | 'skipped'
  | 'canceled';

/** A code of the catalog and its values; never prose. */
export interface Reason {
  code: string;
  params: Record<string, string | number | boolean | null>;
}

/** Counts over accounts; they sum to `total`. `done` counts accounts with a chosen person. */
export interface Counts {
  unit: 'account';
  total: number;
  done: number;
  running: number;
  pending: number;
  not_found: number;
  suppressed: number;
  skipped: number;
  failed: number;
}

export interface Step {
  id: 's0' | 's1' | 's2' | 's3' | 's4' | 's5' | 's6';
  /** The recipe it follows. */
  skill:
    | 'campana'
    | 'cuantos-hay'
    | 'buscar-empresas-y-proveedores'
    | 'quien-le-ha-vendido'
    | 'senales-y-oportunidades'
    | 'como-va-mi-pipeline'
    | 'trabajar-una-cuenta'
    | 'conseguir-contactos'
    | 'armar-secuencia'
    | 'que-sabe-el-equipo'
    | 'guardar-en-crm';
  status: StepState;
  conteo: { done: number; total: number; unit: 'company' | 'account' | 'contact' | 'draft' } | null;
  /** Credits, queries or, for `inferencia`, micro-USD. */
  cost: { kind: 'gratis' | 'externo' | 'creditos' | 'inferencia'; max: number | null; held: number; spent: number };
  /** The open or last decision of the step. */
  checkpoint: string | null;
  reason: Reason | null;
}

export interface BudgetLine {
  requested: number;
  plan_max: number | null;
  held: number;
  spent: number;
}

export interface Progress {
  run_id: string;
  /** Grows with every change; the same version is the same body. */
  version: number;
  plan_version: number;
  state: RunState;
  reason: Reason | null;
  objetivo: string;
  mode: 'manual' | 'automatico';
  last_progress_at: string;
  /** How long the server suggests to wait before the next poll, ms. */
  poll_after_ms: number;
  counts: Counts;
  pasos: Step[];
  budget: {
    credits: BudgetLine;
    queries: BudgetLine;
    inference: { cap_micros: number | null; held_micros: number; used_micros: number | null };
  };
  /** Ids of open decisions. */
  decisions: string[];
  contacts: { captured: number; drafted: number; unconfirmed: number };
  links: { self: string };
}

/**
 * `loading`: nothing yet. `live`: the server confirmed this version a moment ago. `offline`: it does not answer; what runs, runs on.
 * `denied`: the session is over. `gone`: there is no such run. `over`: the run is final and will not change.
 */
export type Connection = 'loading' | 'live' | 'offline' | 'denied' | 'gone' | 'over';

export interface Snapshot {
  progress: Progress | null;
  connection: Connection;
  /** When the server last confirmed what is shown, ms of this device's clock; null before the first answer. */
  confirmedAt: number | null;
  /** Since when the server has not answered, ms of this device's clock; null while it does. */
  offlineSince: number | null;
}

export interface ProgressOptions {
  /** Where the API is; the page's own address when left out. */
  baseUrl?: string;
  /** Bearer token, or a function that gives the one of now; left out, the cookie of the session is sent. */
  token?: string | (() => string | Promise<string>);
  language?: 'es-MX' | 'en';
  /** Ask the server to hold the reply until something moves, up to this long, ms (at most 25,000). 0: plain polling. */
  waitMs?: number;
  /** Also listen to `/v1/events` and poll at once when the run moves. One connection per run: not for pages that show many. */
  stream?: boolean;
  /** Shortest and longest pause between polls, ms. */
  minPauseMs?: number;
  maxPauseMs?: number;
  /** For tests and other runtimes. */
  fetch?: typeof fetch;
}
