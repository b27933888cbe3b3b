import { api, type OpsBody, type OpsName } from '../api.js';
import { printJson, type Context } from '../context.js';
import { CliExit, EXIT, type ExitCode } from '../exit.js';
import { clean } from '../words.js';
import { inWorkspaceZone } from '../zone.js';

/** Everything an operator looks at first. Ends with 8 when the ledger does not add up. */
export const state = async (ctx: Context): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const o = await api.opsOverview(ctx.client);
  const ended = o.invariants.ok === false ? EXIT.failed : EXIT.ok;
  if (ctx.json) {
    printJson(ctx, o);
    return ended;
  }
  const { words } = ctx;
  for (const { state: s, n, ages } of o.runs.by_state)
    ctx.out(words.say('cli.ops.state_ages', { state: words.say(`run.state.${s}`), n, ...ages }));
  if (o.runs.by_state.length === 0) ctx.out(words.say('cli.ops.none'));
  ctx.out(words.say('cli.ops.idle', { n: o.runs.idle.n }));
  for (const h of o.holds)
    if (h.n > 0)
      ctx.out(
        words.say('cli.ops.held', { amount: words.amount(h.kind, h.amount), n: h.n, old: words.amount(h.kind, h.ages.over_3d.amount) }),
      );
  ctx.out(
    words.say('cli.ops.unknown', { n: o.unconfirmed.n, operator: o.unconfirmed.needs_operator, credits: o.unconfirmed.credits_held }),
  );
  ctx.out(words.say('cli.ops.limiter', { in_use: o.limiter.in_use, waiting: o.limiter.waiting, rate: o.limiter.calls_per_second ?? 0 }));
  for (const p of o.limiter.providers)
    if (p.paused_until) ctx.out(`  ${words.say('cli.ops.limited', { provider: p.provider, until: p.paused_until })}`);
  ctx.out(words.say('cli.ops.outbox', { pending: o.outbox.pending, failing: o.outbox.failing }));
  ctx.out(o.reconcile.last_at ? words.say('cli.ops.reconciled', { at: o.reconcile.last_at }) : words.say('cli.ops.never_reconciled'));
  if (o.invariants.ok === null) ctx.out(words.say('cli.ops.ledger_unknown'));
  else if (o.invariants.ok)
    ctx.out(ctx.color.green(words.say('cli.ops.ledger_ok', { n: o.invariants.checked, ms: o.invariants.duration_ms })));
  for (const { id, detail } of o.invariants.broken) ctx.out(ctx.color.red(words.say('cli.ops.ledger_broken', { id, detail })));
  return ended;
};

/** Who did what and why, newest first; what operators did, or with `--todo` everybody. */
export const audit = async (ctx: Context, run: string | undefined, flags: { todo?: boolean }): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const page = await api.audit(ctx.client, { limit: 100, ...(run ? { run_id: run } : {}), ...(flags.todo ? {} : { ops: 'true' }) });
  const { words } = ctx;
  if (ctx.json) printJson(ctx, page);
  else if (page.entries.length === 0) ctx.out(words.say('cli.ops.none_audit'));
  else
    for (const e of page.entries) {
      const said = words.say('cli.ops.audit', { at: e.at, actor: e.actor, channel: e.channel, action: e.action });
      ctx.out(
        [said, e.run_id, words.say(`audit.result.${e.result}`), e.reason === null ? null : clean(e.reason)]
          .filter((part) => part)
          .join(' · '),
      );
    }
  return EXIT.ok;
};

/** Runs that should move and do not, for ten minutes or more. */
export const stuck = async (ctx: Context): Promise<ExitCode> => {
  const page = await api.opsRuns(ctx.client, { idle: 'true' });
  if (ctx.json) printJson(ctx, page);
  else if (page.runs.length === 0) ctx.out(ctx.words.say('cli.ops.none_stuck'));
  else
    for (const r of page.runs)
      ctx.out(
        `${r.run_id} · ${ctx.words.say(`run.state.${r.state}`)} · ${ctx.words.ago(r.idle_ms)}${r.reason ? ` · ${ctx.words.reason(r.reason)}` : ''} · ${r.workflow_id}`,
      );
  return EXIT.ok;
};

/** Outcomes that nobody knows yet, with the id that settles each. */
export const unconfirmed = async (ctx: Context): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const page = await api.opsRuns(ctx.client, { unconfirmed: 'true' });
  const { words } = ctx;
  if (ctx.json) printJson(ctx, page);
  else if (page.runs.length === 0) ctx.out(words.say('cli.ops.none_unconfirmed'));
  else
    for (const r of page.runs) {
      ctx.out(`${r.run_id} · ${clean(r.objetivo)}`);
      for (const e of r.open_effects.filter((x) => x.state === 'unconfirmed'))
        ctx.out(
          `  ${words.say(e.needs_operator ? 'cli.ops.effect_operator' : 'cli.ops.effect', { id: e.effect_id, kind: e.kind, at: e.sent_at ?? '', reads: e.reads })}`,
        );
    }
  return EXIT.ok;
};

/** The ledger's and the runs' rules, checked now. Ends with 8 when one is broken. */
export const invariants = async (ctx: Context): Promise<ExitCode> => {
  const found = await api.invariants(ctx.client);
  if (ctx.json) printJson(ctx, found);
  else
    for (const i of found.invariants)
      ctx.out(`${i.ok ? ctx.color.green('✓') : ctx.color.red('✗')} ${i.id}${i.detail ? ` · ${clean(i.detail)}` : ''}`);
  return found.ok ? EXIT.ok : EXIT.failed;
};

export interface ActionFlags {
  motivo: string;
  efecto?: string;
  resultado?: 'hecho' | 'no-hecho';
}

/** One operator action on a run; the reason goes into the audit. */
export const act = async (ctx: Context, run: string, action: OpsName, flags: ActionFlags): Promise<ExitCode> => {
  const body: OpsBody = { reason: flags.motivo };
  if (action === 'settle-unconfirmed') {
    if (!flags.efecto || !flags.resultado) throw new CliExit(EXIT.usage, 'cli.error.settle_needs');
    Object.assign(body, {
      effect_id: flags.efecto,
      outcome: flags.resultado === 'hecho' ? 'captured' : 'voided',
    } satisfies Partial<OpsBody>);
  }
  const done = await api.opsAction(ctx.client, run, action, body);
  if (ctx.json) printJson(ctx, done);
  else ctx.out(ctx.words.say(done.changed > 0 ? 'cli.ops.done' : 'cli.ops.unchanged', { run }));
  return EXIT.ok;
};
