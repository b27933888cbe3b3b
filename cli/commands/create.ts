import type { PlanEstimate } from '../../contracts/api.js';
import { CreateRun } from '../../contracts/criteria.js';
import type { Caps } from '../../contracts/budget.js';
import type { Hasta, Mode } from '../../contracts/states.js';
import { readAccounts } from '../accounts-file.js';
import { api } from '../api.js';
import { printJson, type Context } from '../context.js';
import { CliExit, EXIT, exitOfRun, type ExitCode } from '../exit.js';
import { receiptLines, receiptOf } from '../runs.js';
import { Watch } from '../watch.js';
import { inWorkspaceZone } from '../zone.js';

export interface CreateFlags {
  cuentas?: number;
  giro: string;
  estado?: string;
  cargo: string;
  tamano?: string;
  hasta: Hasta;
  modo: Mode;
  objetivo?: string;
  tope?: number;
  topeConsultas?: number;
  topeInferencia?: number;
  cuentasArchivo?: string;
  desde?: 's2' | 's3';
  esperar: boolean;
}

/** In automatic mode the server answers a card itself right after showing it; a card open for longer waits for a person. */
const AUTOMATIC_GRACE_MS = 5000;

/** What a campaign is called when nobody named it. */
export const titleOf = (ctx: Context, criteria: { cargo: string; giro: string; estado?: string | null }, n: number): string =>
  ctx.words.say('cli.title', { n, cargo: criteria.cargo, giro: criteria.giro, estado: criteria.estado ?? 'none' }).slice(0, 300);

/** The body of the request, checked as the API will. @throws CliExit 2 */
const bodyOf = async (ctx: Context, flags: CreateFlags): Promise<CreateRun> => {
  const accounts = flags.cuentasArchivo ? await readAccounts(flags.cuentasArchivo) : undefined;
  const cuentas = flags.cuentas ?? accounts?.length;
  if (cuentas === undefined) throw new CliExit(EXIT.usage, 'cli.error.how_many');
  const parsed = CreateRun.safeParse({
    objetivo: flags.objetivo ?? titleOf(ctx, flags, cuentas),
    criteria: {
      giro: flags.giro,
      cargo: flags.cargo,
      ...(flags.estado ? { estado: flags.estado } : {}),
      ...(flags.tamano ? { tamano: flags.tamano } : {}),
    },
    cuentas,
    hasta: flags.hasta,
    modo: flags.modo,
    ...(accounts ? { accounts, desde: flags.desde ?? 's3' } : {}),
  });
  if (parsed.success) return parsed.data;
  throw new CliExit(EXIT.usage, 'cli.error.body', { where: parsed.error.issues.map((i) => i.path.join('.')).join(', ') });
};

const capsGiven = (flags: CreateFlags): Caps => ({
  ...(flags.tope === undefined ? {} : { credits: flags.tope }),
  ...(flags.topeConsultas === undefined ? {} : { queries: flags.topeConsultas }),
  ...(flags.topeInferencia === undefined ? {} : { inference_micros: flags.topeInferencia }),
});

/** The caps that go with the request: those given, the plan's maximum for the rest; none at all leaves the start card to a tap. */
export const capsFor = (flags: Pick<CreateFlags, 'modo'>, given: Caps, plan: PlanEstimate): Caps | undefined => {
  if (flags.modo !== 'automatico' && Object.keys(given).length === 0) return undefined;
  return {
    credits: given.credits ?? plan.max.credits,
    queries: given.queries ?? plan.max.queries,
    inference_micros: given.inference_micros ?? plan.max.inference,
  };
};

/** "50 créditos · 53 consultas", and inference where there is some. */
const amounts = (ctx: Context, t: PlanEstimate['max']): string =>
  (['credits', 'queries', 'inference'] as const)
    .filter((k) => k !== 'inference' || t[k] > 0)
    .map((k) => ctx.words.amount(k, t[k]))
    .join(' · ');

/** Says what the plan costs at most before anything is started. */
export const tellEstimate = (ctx: Context, plan: PlanEstimate): void => {
  const { words } = ctx;
  const sum = (t: PlanEstimate['max']): string => amounts(ctx, t);
  ctx.tell(words.say('cli.estimate.max', { parts: sum(plan.max) }));
  ctx.tell(words.say('cli.estimate.expected', { parts: sum(plan.expected) }));
  ctx.tell(words.say('cli.estimate.balance', { parts: sum(plan.available) }));
  if (plan.fits < plan.cuentas) ctx.tell(ctx.errColor.yellow(words.say('cli.estimate.short', { n: plan.fits, total: plan.cuentas })));
  for (const { kind, by } of plan.limited_by)
    ctx.tell(`  ${words.say(`limited.${by}.${kind}`, { requested: plan.requested[kind], available: plan.available[kind] })}`);
};

/** Creates a run from a checked body, having said its maximum cost. @returns its id */
export const createRun = async (
  ctx: Context,
  body: CreateRun,
  given: Caps,
): Promise<{ run: string; accepted: unknown; capped: boolean }> => {
  const plan = await api.estimate(ctx.client, Object.keys(given).length > 0 ? { ...body, caps: given } : body);
  tellEstimate(ctx, plan);
  const caps = capsFor(body, given, plan);
  if (caps)
    ctx.tell(
      ctx.words.say('cli.estimate.caps', {
        parts: amounts(ctx, { credits: caps.credits ?? 0, queries: caps.queries ?? 0, inference: caps.inference_micros ?? 0 }),
      }),
    );
  const accepted = await api.createRun(ctx.client, caps ? { ...body, caps } : body);
  ctx.tell(ctx.words.say('cli.said.created', { run: accepted.run_id }));
  return { run: accepted.run_id, accepted, capped: caps !== undefined };
};

/** Follows to the end and prints the receipt; the exit code says how it ended. */
export const toReceipt = async (ctx: Context, run: string, how: { mode: Mode; capped: boolean }): Promise<ExitCode> => {
  await inWorkspaceZone(ctx);
  const { term } = ctx;
  const ask = how.mode === 'manual' && term.interactive;
  await new Watch(ctx, run, {
    onDecision: ask ? 'ask' : 'exit',
    graceMs: how.mode === 'automatico' || how.capped ? AUTOMATIC_GRACE_MS : 0,
    show: ctx.json ? 'stderr' : term.stdout.isTTY ? 'card' : 'lines',
  }).toEnd();
  const receipt = await receiptOf(ctx, run);
  if (ctx.json) printJson(ctx, receipt);
  else for (const line of receiptLines(ctx, receipt)) ctx.out(line);
  return exitOfRun(receipt);
};

export const create = async (ctx: Context, flags: CreateFlags): Promise<ExitCode> => {
  const { run, accepted, capped } = await createRun(ctx, await bodyOf(ctx, flags), capsGiven(flags));
  if (!flags.esperar) {
    if (ctx.json) printJson(ctx, accepted);
    else ctx.out(run);
    return EXIT.ok;
  }
  return toReceipt(ctx, run, { mode: flags.modo, capped });
};
