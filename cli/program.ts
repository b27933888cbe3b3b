import { Command, InvalidArgumentError, Option } from 'commander';
import { TRUST, type Trust } from '../ada/library/types.js';
import { HASTA, MODES, DECISION_STATES } from '../contracts/states.js';
import type { Words } from './words.js';
import type { Context } from './context.js';
import { chat, type ChatFlags } from './commands/chat.js';
import { create, type CreateFlags } from './commands/create.js';
import * as runs from './commands/runs.js';
import * as decisions from './commands/decisions.js';
import * as ops from './commands/ops.js';
import { doctor } from './commands/doctor.js';
import { page } from './commands/page.js';
import * as skills from './commands/skills.js';
import type { GlobalFlags } from './context-make.js';
import { parseDuration } from './duration.js';
import type { ExitCode } from './exit.js';

export type Job = (ctx: Context) => Promise<ExitCode>;

const SIZES = ['micro', 'pequena', 'mediana', 'grande'];

/**
 * The whole command line. Parsing only picks a job and the global flags, `run` does the rest: so that help and usage errors
 * need neither a stack nor a token.
 */
export const buildProgram = (words: Words, run: (job: Job, flags: GlobalFlags) => Promise<void>): Command => {
  const t = (code: string): string => words.say(`cli.help.${code}`);
  const whole =
    (min: number, max: number) =>
    (value: string): number => {
      // Digits, also in groups of three: `1.000`, `1,5` or `0x10` are not guessed at, they may be money.
      const n = /^(?:\d+|\d{1,3}(?:[,_]\d{3})+)$/.test(value) ? Number(value.replaceAll(/[,_]/g, '')) : Number.NaN;
      if (!Number.isInteger(n) || n < min || n > max) throw new InvalidArgumentError(words.say('cli.error.number', { min, max }));
      return n;
    };
  const duration = (value: string): number => {
    const ms = parseDuration(value);
    if (ms === null) throw new InvalidArgumentError(words.say('cli.error.duration'));
    return ms;
  };
  const choice = (flags: string, text: string, values: readonly string[]): Option => new Option(flags, text).choices([...values]);

  const titles: Record<string, string> = {
    'Usage:': t('title.usage'),
    'Arguments:': t('title.arguments'),
    'Options:': t('title.options'),
    'Global Options:': t('title.global'),
    'Commands:': t('title.commands'),
  };
  const placeholders = (usage: string): string =>
    usage.replace('[options]', `[${t('title.options_word')}]`).replace('[command]', `[${t('title.command_word')}]`);
  const styled = (command: Command): Command =>
    command
      .configureHelp({
        showGlobalOptions: true,
        styleTitle: (title) => titles[title] ?? title,
        styleUsage: placeholders,
        styleSubcommandTerm: placeholders,
        optionDescription: (option) => {
          const notes = [
            ...(option.argChoices ? [option.argChoices.join(', ')] : []),
            ...(typeof option.defaultValue === 'string' ? [words.say('cli.help.default', { value: option.defaultValue })] : []),
          ];
          return notes.length > 0 ? `${option.description} (${notes.join('; ')})` : option.description;
        },
      })
      .helpOption('-h, --help', t('help'))
      .helpCommand(false);

  const program = styled(new Command('campana'))
    .description(t('campana'))
    .option('--json', t('json'))
    .option('--espera <dur>', t('espera'), duration)
    .addOption(choice('--idioma <idioma>', t('idioma'), ['es-MX', 'en']).default(words.language))
    .option('--sin-color', t('sin_color'))
    .option('--api <url>', t('api'))
    .option('--token-file <path>', t('token_file'));
  program.addHelpText('after', () => `\n${t('exits')}\n\n${t('examples')}`);

  const flagsOf = (command: Command): GlobalFlags => {
    const g = command.optsWithGlobals<{
      json?: boolean;
      espera?: number;
      idioma: GlobalFlags['idioma'];
      sinColor?: boolean;
      api?: string;
      tokenFile?: string;
    }>();
    return {
      idioma: g.idioma,
      ...(g.json ? { json: true } : {}),
      ...(g.espera === undefined ? {} : { espera: g.espera }),
      ...(g.sinColor ? { color: false } : {}),
      ...(g.api ? { api: g.api } : {}),
      ...(g.tokenFile ? { tokenFile: g.tokenFile } : {}),
    };
  };
  const add = (parent: Command, name: string, alias: string | null, help: string): Command => {
    const command = styled(parent.command(name)).description(t(help));
    return alias ? command.alias(alias) : command;
  };
  const does = <F>(command: Command, job: (ctx: Context, args: Array<string | undefined>, flags: F) => Promise<ExitCode>): void => {
    command.action(() => run((ctx) => job(ctx, command.args, command.opts() as F), flagsOf(command)));
  };

  does<CreateFlags>(
    add(program, 'crear', 'create', 'crear')
      .option('--cuentas <n>', t('cuentas'), whole(1, 5000))
      .requiredOption('--giro <texto>', t('giro'))
      .option('--estado <texto>', t('estado'))
      .requiredOption('--cargo <texto>', t('cargo'))
      .addOption(choice('--tamano <t>', t('tamano'), SIZES))
      .addOption(choice('--hasta <paso>', t('hasta'), HASTA).default('borradores'))
      .addOption(choice('--modo <modo>', t('modo'), MODES).default('manual'))
      .option('--objetivo <texto>', t('objetivo'))
      .option('--tope <créditos>', t('tope'), whole(0, 1_000_000))
      .option('--tope-consultas <n>', t('tope_consultas'), whole(0, 1_000_000))
      .option('--tope-inferencia <micro-USD>', t('tope_inferencia'), whole(0, 1_000_000_000))
      .option('--cuentas-archivo <archivo>', t('cuentas_archivo'))
      .addOption(choice('--desde <paso>', t('desde'), ['s2', 's3']))
      .option('--no-esperar', t('no_esperar')),
    (ctx, _args, flags) => create(ctx, flags),
  );

  does<ChatFlags>(
    add(program, 'chat', null, 'chat')
      .argument('[mensaje...]', t('arg.chat'))
      .option('--hilo <id>', t('hilo'))
      .option('--nuevo', t('nuevo')),
    (ctx, args, flags) =>
      chat(
        ctx,
        args.filter((arg) => arg !== undefined),
        flags,
      ),
  );
  does<{ recibo?: boolean }>(
    add(program, 'ver', 'show', 'ver').argument('[campaña]', t('arg.run')).option('--recibo', t('recibo')),
    (ctx, [run], flags) => runs.show(ctx, run, flags),
  );
  does(add(program, 'seguir', 'follow', 'seguir').argument('[campaña]', t('arg.run')), (ctx, [run]) => runs.followRun(ctx, run));
  for (const [name, alias, action] of [
    ['pausar', 'pause', 'pause'],
    ['reanudar', 'resume', 'resume'],
  ] as const) {
    does<{ motivo?: string }>(
      add(program, name, alias, name).argument('[campaña]', t('arg.run')).option('--motivo <texto>', t('motivo')),
      (ctx, [run], flags) => runs.control(ctx, run, action, flags),
    );
  }
  does<runs.ChangeFlags>(
    add(program, 'cambiar', 'change', 'cambiar')
      .argument('[campaña]', t('arg.run'))
      .option('--cuentas <n>', t('cambiar.cuentas'), whole(1, 5000))
      .option('--cargo <texto>', t('cambiar.cargo'))
      .addOption(choice('--hasta <paso>', t('cambiar.hasta'), HASTA))
      .option('--motivo <texto>', t('motivo'))
      .option('--simular', t('simular'))
      .option('--si', t('si')),
    (ctx, [run], flags) => runs.change(ctx, run, flags),
  );
  does<{ si?: boolean; motivo?: string }>(
    add(program, 'cancelar', 'cancel', 'cancelar')
      .argument('[campaña]', t('arg.run'))
      .option('--motivo <texto>', t('motivo'))
      .option('--si', t('si')),
    (ctx, [run], flags) => runs.cancel(ctx, run, flags),
  );
  does<{ csv?: boolean }>(
    add(program, 'faltantes', 'missing', 'faltantes').argument('[campaña]', t('arg.run')).option('--csv', t('csv')),
    (ctx, [run], flags) => runs.missing(ctx, run, flags),
  );

  const d = add(program, 'decisiones', 'decisions', 'decisiones');
  const list = styled(d.command('list', { isDefault: true }))
    .alias('lista')
    .description(t('decisiones.list'))
    .addOption(choice('--estado <estado>', t('decisiones.estado'), [...DECISION_STATES, 'todas']).default('open'))
    .option('--campana <id>', t('decisiones.campana'));
  does<{ estado: string; campana?: string }>(list, (ctx, _args, flags) => decisions.list(ctx, flags));
  does(add(d, 'ver', 'show', 'decisiones.ver').argument('[decisión]', t('arg.decision')), (ctx, [id]) => decisions.see(ctx, id));
  does<decisions.ApproveFlags>(
    add(d, 'aprobar', 'approve', 'decisiones.aprobar')
      .argument('[decisión]', t('arg.decision'))
      .addOption(choice('--opcion <opción>', t('opcion'), ['approve', 'all', 'fit_n', 'choose']))
      .option('--n <n>', t('n'), whole(1, 5000))
      .option('--elegir <refs>', t('elegir'))
      .option('--confirmo-total <total>', t('confirmo_total'), whole(0, 1_000_000_000))
      .option('--plan-version <n>', t('plan_version'), whole(1, 1_000_000))
      .option('--si', t('si_gratis')),
    (ctx, [id], flags) => decisions.approve(ctx, id, flags),
  );
  does<{ luego?: 'saltar' | 'esperar' | 'cancelar'; si?: boolean }>(
    add(d, 'rechazar', 'reject', 'decisiones.rechazar')
      .argument('[decisión]', t('arg.decision'))
      .addOption(choice('--luego <qué>', t('luego'), ['saltar', 'esperar', 'cancelar']))
      .option('--si', t('si')),
    (ctx, [id], flags) => decisions.reject(ctx, id, flags),
  );
  does(add(d, 'reabrir', 'reopen', 'decisiones.reabrir').argument('<decisión>', t('arg.decision_required')), (ctx, [id = '']) =>
    decisions.reopen(ctx, id),
  );
  does<{ si?: boolean }>(
    add(d, 'deshacer', 'undo', 'decisiones.deshacer').argument('<decisión>', t('arg.decision_required')).option('--si', t('si')),
    (ctx, [id = ''], flags) => decisions.undo(ctx, id, flags),
  );

  does(add(program, 'saldo', 'balance', 'saldo'), (ctx) => runs.balance(ctx));
  does(add(program, 'pagina', 'page', 'pagina'), (ctx) => page(ctx));

  const k = add(program, 'skills', 'recetas', 'skills').addHelpText('after', () => `\n${t('skills.examples')}`);
  const whose = (command: Command): Command => command.option('--workspace <id>', t('skills.workspace'));
  does<Parameters<typeof skills.list>[1]>(
    whose(
      styled(k.command('list', { isDefault: true }))
        .alias('lista')
        .description(t('skills.list'))
        .option('--estados', t('skills.estados')),
    ),
    (ctx, _args, flags) => skills.list(ctx, flags),
  );
  does<skills.WorkspaceFlag>(
    whose(add(k, 'ver', 'show', 'skills.ver').argument('<receta>', t('skills.arg.name')).argument('[referencia]', t('skills.arg.ref'))),
    (ctx, [name = '', ref], flags) => skills.see(ctx, name, ref, flags),
  );
  does<{ confianza?: Trust }>(
    add(k, 'lint', null, 'skills.lint')
      .argument('[ruta...]', t('skills.arg.path'))
      .addOption(choice('--confianza <quién>', t('skills.confianza'), TRUST)),
    (ctx, args, flags) =>
      skills.lint(
        ctx,
        args.filter((arg) => arg !== undefined),
        flags,
      ),
  );
  does<Parameters<typeof skills.budget>[1]>(
    whose(add(k, 'presupuesto', 'budget', 'skills.presupuesto').option('--de-200', t('skills.de_doscientas'))),
    (ctx, _args, flags) => skills.budget(ctx, flags),
  );
  does<Parameters<typeof skills.tryOut>[2]>(
    whose(
      add(k, 'probar', 'try', 'skills.probar')
        .argument('[mensaje...]', t('skills.arg.message'))
        .option('--estado <json>', t('skills.estado')),
    ),
    (ctx, args, flags) =>
      skills.tryOut(
        ctx,
        args.filter((arg) => arg !== undefined),
        flags,
      ),
  );
  does(add(k, 'uso', 'usage', 'skills.uso'), (ctx) => skills.usage(ctx));
  does<Parameters<typeof skills.graph>[1]>(
    whose(add(k, 'grafo', 'graph', 'skills.grafo').option('--svg <archivo>', t('skills.svg'))),
    (ctx, _args, flags) => skills.graph(ctx, flags),
  );
  does<Parameters<typeof skills.bring>[2]>(
    whose(
      add(k, 'instalar', 'install', 'skills.instalar')
        .argument('<fuente>', t('skills.arg.source'))
        .option('--propia', t('skills.propia'))
        .option('--solo <receta>', t('skills.solo')),
    ),
    (ctx, [source = ''], flags) => skills.bring(ctx, source, flags),
  );
  does<Parameters<typeof skills.renew>[2]>(
    whose(
      add(k, 'actualizar', 'update', 'skills.actualizar').argument('[receta]', t('skills.arg.name')).option('--forzar', t('skills.forzar')),
    ),
    (ctx, [name], flags) => skills.renew(ctx, name, flags),
  );
  does<Parameters<typeof skills.take>[2]>(
    whose(add(k, 'quitar', 'remove', 'skills.quitar').argument('<receta>', t('skills.arg.name')).option('--forzar', t('skills.forzar'))),
    (ctx, [name = ''], flags) => skills.take(ctx, name, flags),
  );
  does<skills.WorkspaceFlag>(whose(add(k, 'verificar', 'verify', 'skills.verificar')), (ctx, _args, flags) => skills.check(ctx, flags));
  for (const [name, alias] of [
    ['activar', 'enable'],
    ['desactivar', 'disable'],
  ] as const) {
    const command = add(k, name, alias, `skills.${name}`)
      .argument('<receta>', t('skills.arg.name'))
      .addOption(choice('--ambito <ámbito>', t('skills.ambito'), Object.keys(skills.SCOPES)).default('cuenta'))
      .option('--id <id>', t('skills.id'))
      .option('--motivo <texto>', t('motivo'));
    if (name === 'activar') command.option('--siempre', t('skills.siempre'));
    does<skills.StateFlags>(command, (ctx, [skill = ''], flags) =>
      skills.setState(ctx, skill, name === 'desactivar' ? 'never' : flags.siempre ? 'always' : 'available', flags),
    );
  }

  const o = add(program, 'ops', null, 'ops');
  does(add(o, 'estado', 'status', 'ops.estado'), (ctx) => ops.state(ctx));
  does(add(o, 'sin-avance', 'stuck', 'ops.sin_avance'), (ctx) => ops.stuck(ctx));
  does(add(o, 'por-confirmar', 'unconfirmed', 'ops.por_confirmar'), (ctx) => ops.unconfirmed(ctx));
  does(add(o, 'invariantes', 'invariants', 'ops.invariantes'), (ctx) => ops.invariants(ctx));
  does<{ todo?: boolean }>(
    add(o, 'bitacora', 'audit', 'ops.bitacora').argument('[campaña]', t('arg.run')).option('--todo', t('ops.todo')),
    (ctx, [run], flags) => ops.audit(ctx, run, flags),
  );
  for (const [name, alias, action] of [
    ['pausar', 'pause', 'pause'],
    ['reanudar', 'resume', 'resume'],
    ['cancelar', 'cancel', 'cancel'],
    ['reintentar', 'retry', 'retry-failed'],
    ['resolver', 'settle', 'settle-unconfirmed'],
    ['reparar', 'repair', 'repair-projection'],
  ] as const) {
    const command = add(o, name, alias, `ops.${name}`)
      .argument('<campaña>', t('arg.run_required'))
      .requiredOption('--motivo <texto>', t('ops.motivo'));
    if (action === 'settle-unconfirmed')
      command
        .requiredOption('--efecto <id>', t('ops.efecto'))
        .addOption(choice('--resultado <qué>', t('ops.resultado'), ['hecho', 'no-hecho']).makeOptionMandatory());
    does<ops.ActionFlags>(command, (ctx, [run = ''], flags) => ops.act(ctx, run, action, flags));
  }
  does(add(program, 'doctor', null, 'doctor'), (ctx) => doctor(ctx));
  return program;
};
