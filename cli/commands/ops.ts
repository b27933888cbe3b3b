import { isFinal, RUN_STATES } from '../../contracts/states.js';
import { api, type OpsBody } from '../api.js';
import { printJson, type Context } from '../context.js';
import { CliExit, EXIT, type ExitCode } from '../exit.js';
import { clean } from '../words.js';

/** Runs by state, those that have not ended first. */
export const state = async (ctx: Context): Promise<ExitCode> => {
  const page = await api.opsRuns(ctx.client, {});
  if (ctx.json) {
    printJson(ctx, page);
    return EXIT.ok;
  }
  const { words } = ctx;
  for (const s of RUN_STATES) {
    const runs = page.runs.filter((r) => r.state === s);
    if (runs.length > 0) ctx.out(words.say('cli.ops.state', { state: words.say(`run.state.${s}`), n: runs.length }));
    for (const r of isFinal(s) ? [] : runs) ctx.out(`  ${r.run_id} · ${clean(r.objetivo)} · ${words.ago(r.idle_ms)}`);
  }
  if (page.runs.length === 0) ctx.out(words.say('cli.ops.none'));
  return EXIT.ok;
};

/** Runs that should move and do not, for ten minutes or more. */
export const stuck = async (ctx: Context): Promise<ExitCode> => {
  const page = await api.opsRuns(ctx.client, { idle: 'true' });
  if (ctx.json) printJson(ctx, page);
  else if (page.runs.length === 0) ctx.out(ctx.words.say('cli.ops.none_stuck'));
  else for (const r of page.runs) ctx.out(`${r.run_id} · ${ctx.words.say(`run.state.${r.state}`)} · ${ctx.words.ago(r.idle_ms)}${r.reason ? ` · ${ctx.words.reason(r.reason)}` : ''} · ${r.workflow_id}`);
  return EXIT.ok;
};

/** Outcomes that nobody knows yet, with the id that settles each. */
export const unconfirmed = async (ctx: Context): Promise<ExitCode> => {
  const page = await api.opsRuns(ctx.client, { unconfirmed: 'true' });
  const { words } = ctx;
  if (ctx.json) printJson(ctx, page);
  else if (page.runs.length === 0) ctx.out(words.say('cli.ops.none_unconfirmed'));
  else for (const r of page.runs) {
    ctx.out(`${r.run_id} · ${clean(r.objetivo)}`);
    for (const e of r.open_effects.filter((x) => x.state === 'unconfirmed')) ctx.out(`  ${words.say(e.needs_operator ? 'cli.ops.effect_operator' : 'cli.ops.effect', { id: e.effect_id, kind: e.kind, at: e.sent_at ?? '', reads: e.reads })}`);
  }
  return EXIT.ok;
};

/** The ledger's and the runs' rules, checked now. Ends with 8 when one is broken. */
export const invariants = async (ctx: Context): Promise<ExitCode> => {
  const found = await api.invariants(ctx.client);
  if (ctx.json) printJson(ctx, found);
  else for (const i of found.invariants) ctx.out(`${i.ok ? ctx.color.green('✓') : ctx.color.red('✗')} ${i.id}${i.detail ? ` · ${clean(i.detail)}` : ''}`);
  return found.ok ? EXIT.ok : EXIT.failed;
};

export interface ActionFlags { motivo: string; efecto?: string; resultado?: 'hecho' | 'no-hecho' }

/** One operator action on a run; the reason goes into the audit. */
export const act = async (ctx: Context, run: string, action: 'retry-failed' | 'settle-unconfirmed' | 'repair-projection', flags: ActionFlags): Promise<ExitCode> => {
  const body: OpsBody = { reason: flags.motivo };
  if (action === 'settle-unconfirmed') {
    if (!flags.efecto || !flags.resultado) throw new CliExit(EXIT.usage, 'cli.error.settle_needs');
    Object.assign(body, { effect_id: flags.efecto, outcome: flags.resultado === 'hecho' ? 'captured' : 'voided' } satisfies Partial<OpsBody>);
  }
  const done = await api.opsAction(ctx.client, run, action, body);
  if (ctx.json) printJson(ctx, done);
  else ctx.out(ctx.words.say('cli.ops.done', { run }));
  return EXIT.ok;
};
