import { text } from '../contracts/catalog/index.js';
import type { CreateRun } from '../contracts/criteria.js';
import type { Decision } from '../contracts/decision.js';
import type { Progress } from '../contracts/progress.js';
import type { BoardRow } from '../contracts/turn.js';
import { Refusal } from '../contracts/problem.js';
import { onlyAffirms } from './affirmation.js';
import type { Compiled } from './compile.js';
import type { Belt } from './library/gate/belt.js';
import { runLibraryTool } from './library/gate/session-tools.js';
import { LibraryRefusal } from './library/refusal.js';
import type { Access } from './library/choose/states.js';
import type { Snapshot } from './library/types.js';
import { CampanaControl, CampanaStart, CampanaStatus, ProponerDecision, SESSION } from './session-tools.js';
import type { AdaPorts, Speaker } from './types.js';

/** What came onto the table during the turn: shown as cards, not told as text. */
export interface Tabled {
  decision: Decision | null;
  progress: Progress | null;
  runs: string[];
}

export interface SessionCalls {
  /** Runs a tool of the session. Returns what the model reads; refusals come back as `{ error }`. */
  call(name: string, args: unknown): Promise<unknown>;
  readonly tabled: Tabled;
}

const fault = (
  code: string,
  params: Readonly<Record<string, unknown>> = {},
  suggestions: readonly string[] = [],
): { error: { code: string; params: Readonly<Record<string, unknown>>; suggestions?: readonly string[] } } => ({
  error: { code, params, ...(suggestions.length > 0 ? { suggestions } : {}) },
});

/** A decision as the model needs it: what it is about, price, balance, what is left. The card itself goes to the person. */
const decisionView = (decision: Decision): object => ({
  ref: `decision:${decision.id}`,
  kind: decision.kind,
  state: decision.state,
  items: decision.items_total,
  expires_at: decision.expires_at,
  options: decision.options.map((option) => ({
    id: option.id,
    n: option.n,
    ...option.totals,
    left_credits: decision.balance.credits - option.totals.credits,
  })),
  balance: decision.balance,
});
const progressView = (progress: Progress): object => ({
  ref: `run:${progress.run_id}`,
  run_id: progress.run_id,
  objetivo: progress.objetivo,
  state: progress.state,
  reason: progress.reason?.code ?? null,
  counts: progress.counts,
  pasos: progress.pasos.map((paso) => ({
    skill: paso.skill,
    status: paso.status,
    ...(paso.conteo ? { done: paso.conteo.done, total: paso.conteo.total, unit: paso.conteo.unit } : {}),
  })),
  contacts: progress.contacts,
});

const ACCOUNTS_MAX = 500;
type Account = NonNullable<CreateRun['accounts']>[number];
type Proposed = 'guardar_en_crm' | 'revelar_contactos';
/** The company that a row stands for. For contacts it takes the id that people are looked for under: a supplier of public bodies has none. */
const companyOf = (kind: Proposed, row: BoardRow): string | null => {
  if (row.kind === 'company') return row.id;
  if (row.kind === 'record') return row.company_id ?? (kind === 'guardar_en_crm' ? row.id : null);
  if (kind === 'guardar_en_crm') return row.kind === 'supplier' ? row.id : null;
  return row.kind === 'person' || row.kind === 'contact' ? (row.company_id ?? null) : null;
};
/** Companies that a decision is about: those of the rows named, else of the selection, else of the list at hand; each once. */
const accountsOf = (
  kind: Proposed,
  refs: readonly string[] | undefined,
  { board }: Compiled,
  seen: ReadonlyMap<string, BoardRow>,
): Account[] => {
  const known = new Map([...board.list, ...board.selection, ...seen.values()].map((row) => [row.ref, row]));
  const rows = refs
    ? refs.flatMap((ref) => known.get(ref) ?? [])
    : board.selection.length > 0
      ? board.selection
      : seen.size > 0
        ? [...seen.values()]
        : board.list;
  const named = new Map(
    [...known.values()].filter((row) => row.kind === 'company' || row.kind === 'record').map((row) => [companyOf(kind, row), row]),
  );
  const accounts = rows.flatMap((row): Array<[string, Account]> => {
    const id = companyOf(kind, row)?.slice(0, 120);
    if (id === undefined) return [];
    // A person's own title is no name of a company.
    const company = row.kind === 'person' || row.kind === 'contact' ? named.get(id) : row;
    return [
      [
        id,
        {
          ref: id,
          name: company?.name ?? id,
          ...(company?.rfc ? { rfc: company.rfc } : {}),
          ...(company?.domain ? { domain: company.domain } : {}),
        },
      ],
    ];
  });
  return [...new Map(accounts).values()].slice(0, ACCOUNTS_MAX);
};

export interface SessionCallsOptions {
  ports: AdaPorts;
  speaker: Speaker;
  turnId: string;
  /** As the person wrote it. */
  message: string;
  compiled: Compiled;
  snapshot: Snapshot;
  access: Access;
  belt: Belt;
  /** Rows that this turn's results brought, by anchor. */
  rows: () => ReadonlyMap<string, BoardRow>;
}

export const createSessionCalls = ({
  ports,
  speaker,
  turnId,
  message,
  compiled,
  snapshot,
  access,
  belt,
  rows,
}: SessionCallsOptions): SessionCalls => {
  const tabled: Tabled = { decision: null, progress: null, runs: [] };
  let started = 0;
  const key = (what: string): string => `turn:${turnId}:${what}`;

  const show = (progress: Progress, decisions: readonly Decision[]): object => {
    tabled.progress = progress;
    tabled.decision = decisions.find((decision) => decision.state === 'open') ?? tabled.decision;
    if (!tabled.runs.includes(progress.run_id)) tabled.runs.push(progress.run_id);
    return { ...progressView(progress), decisions: decisions.map(decisionView) };
  };
  /** The run that is meant: the one named, else the plan's, else the only open one. */
  const meant = (runId: string | undefined): string | object => {
    if (runId) return runId.replace(/^run:/, '');
    const open = compiled.runs.map((run) => run.run_id);
    if (open.length === 1 && open[0]) return open[0];
    const plan = compiled.board.plan?.run_id;
    if (open.length === 0) return plan ?? fault('no_open_run');
    return fault('which_run', {
      runs: compiled.runs.slice(0, 5).map((run) => ({ ref: `run:${run.run_id}`, objetivo: run.objetivo, state: run.state })),
    });
  };
  const start = async (body: CreateRun): Promise<object> => {
    if (started > 0) return fault('one_campaign_a_turn');
    // Named after the turn: a turn that is run again finds the campaign that it had already started.
    const { progress, decision } = await ports.campaigns.start(speaker, body, key('campana'));
    started++;
    return show(progress, decision ? [decision] : []);
  };

  const handlers: Record<string, (args: unknown) => Promise<unknown>> = {
    board_read: async () => ({
      ref: 'board:now',
      selection: compiled.board.selection,
      list: compiled.board.list.slice(0, 25),
      runs: compiled.board.runs.slice(-5),
      pending: compiled.board.pending,
      plan: compiled.board.plan,
      balances: compiled.summary.balances,
      stage: compiled.stage,
    }),
    campana_start: async (args) => start({ ...CampanaStart.parse(args), modo: 'manual' }),
    campana_status: async (args) => {
      const { run_id } = CampanaStatus.parse(args);
      if (!run_id)
        return {
          ref: 'run:open',
          runs: compiled.runs.map((run) => ({
            ref: `run:${run.run_id}`,
            run_id: run.run_id,
            objetivo: run.objetivo,
            state: run.state,
            counts: run.counts,
          })),
        };
      const { progress, decisions } = await ports.campaigns.status(speaker, run_id.replace(/^run:/, ''));
      return show(progress, decisions);
    },
    campana_control: async (args) => {
      const { run_id, action, cuentas, cargo, hasta } = CampanaControl.parse(args);
      const run = meant(run_id);
      if (typeof run !== 'string') return run;
      if (onlyAffirms(message)) {
        // Whoever reads it into a "yes" is told what there is to say yes to: the campaign as it stands, and its card if one waits.
        const { progress, decisions } = await ports.campaigns.status(speaker, run);
        return fault('control_not_named', { action, now: show(progress, decisions) });
      }
      if (action === 'replan' && cuentas === undefined && cargo === undefined && hasta === undefined)
        return fault('arguments_invalid', { tool: 'campana_control', reason: 'cuentas, cargo or hasta' });
      const progress =
        action === 'replan'
          ? await ports.campaigns.replan(
              speaker,
              run,
              {
                ...(cuentas === undefined ? {} : { cuentas }),
                ...(cargo === undefined ? {} : { cargo }),
                ...(hasta === undefined ? {} : { hasta }),
              },
              key(`replan:${run}`),
            )
          : await ports.campaigns.control(speaker, run, action, key(`${action}:${run}`));
      return show(progress, []);
    },
    proponer_decision: async (args) => {
      const { kind, refs } = ProponerDecision.parse(args);
      const accounts = accountsOf(kind, refs, compiled, rows());
      if (accounts.length === 0) return fault('selection_empty');
      const { facts } = compiled;
      const cargo = (facts.cargo.value ?? 'compras').slice(0, 120);
      const save = kind === 'guardar_en_crm';
      return start({
        // What it does, not what was looked for: a save is after nobody.
        objetivo: text(speaker.language, `ada.propose.${kind}`, { n: accounts.length, cargo }),
        criteria: {
          giro: (facts.giro.value ?? facts.producto.value ?? 'general').slice(0, 120),
          cargo,
          ...(facts.estado.value ? { estado: facts.estado.value.slice(0, 60) } : {}),
        },
        cuentas: accounts.length,
        accounts,
        desde: save ? 's2' : 's3',
        hasta: save ? 'cuentas' : 'contactos',
        modo: 'manual',
      });
    },
  };

  return {
    tabled,
    call: async (name, args) => {
      if (name === 'skill_list' || name === 'skill_open' || name === 'skill_reference')
        return runLibraryTool(name, args, { snapshot, access, belt });
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (!handler) throw new LibraryRefusal('fuera_de_cinturon', { tool: name.slice(0, 80) });
      const parsed = SESSION[name as keyof typeof SESSION].input.safeParse(args ?? {});
      if (!parsed.success)
        return fault('arguments_invalid', {
          tool: name,
          reason: parsed.error.issues
            .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
            .join('; ')
            .slice(0, 500),
        });
      try {
        return await handler(parsed.data);
      } catch (error) {
        if (error instanceof Refusal) return fault(error.code, error.params);
        throw error;
      }
    },
  };
};
