import { parseArgs } from 'node:util';
import { Criteria, type CreateRun } from '../contracts/criteria.js';
import { SAMPLE_SUPPRESSIONS } from '../kitchen/sample-suppressions.js';
import { pageLink } from '../stack/page-link.js';
import { startStack, type Sample, type Stack } from '../stack/up.js';
import { speak, unknownOption } from '../stack/words.js';
import { api } from './api.js';
import { chat } from './commands/chat.js';
import { createRun, titleOf, toReceipt } from './commands/create.js';
import { makeContext, processTerminal } from './context-make.js';
import type { Context } from './context.js';
import { CliExit, EXIT } from './exit.js';
import { languageOf, sayEnd } from './main.js';
import { parseMessage } from './parse-message.js';
import { sayField } from '../view/values.js';
import { clean, Words } from './words.js';

const MESSAGE = 'quiero llegar a 50 personas de compras de empresas de empaque en Jalisco';

interface Flags {
  json: boolean;
  color: boolean;
  sample: Sample;
  cuentas: number | null;
  run: string | null;
  stateDir: string | null;
  chat: boolean;
  hilo: string | null;
  message: string;
  words: string[];
}

const readFlags = (args: string[]): Flags | 'help' => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      'sin-color': { type: 'boolean' },
      idioma: { type: 'string' },
      sample: { type: 'string' },
      cuentas: { type: 'string' },
      seguir: { type: 'string' },
      'state-dir': { type: 'string' },
      chat: { type: 'boolean' },
      hilo: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const sample = values.sample ?? 'demo';
  if (sample !== 'demo' && sample !== 'grande') throw new CliExit(EXIT.usage, 'cli.job.sample', { sample });
  const cuentas = values.cuentas === undefined ? null : Number(values.cuentas);
  if (cuentas !== null && (!Number.isInteger(cuentas) || cuentas < 1 || cuentas > 5000))
    throw new CliExit(EXIT.usage, 'cli.error.number', { min: 1, max: 5000 });
  return {
    json: values.json ?? false,
    color: !values['sin-color'],
    sample,
    cuentas,
    run: values.seguir ?? null,
    stateDir: values['state-dir'] ?? null,
    chat: values.chat ?? false,
    hilo: values.hilo ?? null,
    message: positionals.join(' ').trim() || MESSAGE,
    words: positionals,
  };
};

/** Says what was understood of the message and what was assumed, and makes it a request. */
const requestFrom = (ctx: Context, flags: Flags, automatic: boolean): CreateRun => {
  const { words } = ctx;
  ctx.tell(words.say('cli.job.message', { message: clean(flags.message) }));
  const read = parseMessage(flags.message);
  const cuentas = flags.cuentas ?? read.cuentas;
  if (!read.giro) throw new CliExit(EXIT.usage, 'cli.job.no_activity', { example: MESSAGE });
  const value = {
    cuentas: words.count(cuentas),
    cargo: read.cargo,
    giro: read.giro,
    estado: read.estado ?? '',
    tamano: read.tamano ? sayField('size', read.tamano, words) : '',
  };
  const line = (fields: typeof read.understood): string => fields.map((f) => `${words.say(`cli.job.field.${f}`)} ${value[f]}`).join(' · ');
  ctx.tell(words.say('cli.job.understood', { fields: line(read.understood) }));
  const assumed = read.assumed.filter((f) => f !== 'cuentas' || flags.cuentas === null);
  if (assumed.length > 0) ctx.tell(words.say('cli.job.assumed', { fields: line(assumed) }));
  if (!read.estado) ctx.tell(words.say('cli.job.whole_country'));
  const criteria = Criteria.parse({
    giro: read.giro,
    cargo: read.cargo,
    ...(read.estado ? { estado: read.estado } : {}),
    ...(read.tamano ? { tamano: read.tamano } : {}),
  });
  return {
    objetivo: titleOf(ctx, criteria, cuentas),
    criteria,
    cuentas,
    hasta: 'borradores',
    desde: 's1',
    modo: automatic ? 'automatico' : 'manual',
  };
};

/** `npm run campana`: the whole product in one command. */
class MainJob {
  private readonly stop = new AbortController();
  private stack: Stack | null = null;
  private run: string | null = null;
  /** What the run ended with; null while it has not. */
  private code: number | null = null;
  private readonly term = processTerminal();
  readonly ctx: Context;

  constructor(
    private readonly flags: Flags,
    words: Words,
  ) {
    // What is asked for the stack is this process's own, whatever API the shell points at.
    this.ctx = makeContext(
      {
        ...this.term,
        env: {
          ...process.env,
          CAMPANA_API_URL: '',
          CAMPANA_TOKEN: '',
          CAMPANA_TOKEN_FILE: '',
          ...(flags.stateDir ? { CAMPANA_STATE_DIR: flags.stateDir } : {}),
        },
      },
      { idioma: words.language, json: flags.json, color: flags.color },
      this.stop.signal,
    );
  }

  private say(code: string, params: Record<string, unknown> = {}): void {
    this.ctx.tell(this.ctx.words.say(code, params));
  }

  private readonly onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && this.ctx.interrupts.taken?.()) return;
    // In a chat Ctrl-C is ours alone, so the second one is, too; what runs is told to go as the process ends.
    if (this.flags.chat && this.stop.signal.aborted) process.exit(EXIT.interrupted);
    this.stop.abort();
  };

  /** What the stack says waits while the card is being painted: a line in between would spoil it. */
  private held: string[] | null = null;
  private readonly stackSays = (line: string): void => {
    if (this.held) this.held.push(line);
    else this.ctx.tell(line);
  };
  private release(): void {
    const lines = this.held ?? [];
    this.held = null;
    for (const line of lines) this.ctx.tell(line);
  }

  async main(): Promise<number> {
    process.on('SIGINT', this.onSignal).on('SIGTERM', this.onSignal);
    if (this.flags.chat) process.on('SIGHUP', this.onSignal);
    // The stack ends the process itself once it has stopped in order; a job that was over by then keeps its own exit code.
    process.on('exit', () => {
      if (this.code !== null && this.stop.signal.aborted) process.exitCode = this.code;
    });
    try {
      return await this.work();
    } catch (error) {
      const interrupted = this.stop.signal.aborted || (error instanceof CliExit && error.exit === EXIT.interrupted);
      if (!interrupted) throw error;
      if (this.run && this.code === null) this.say('cli.job.interrupted', { run: this.run });
      return this.code ?? EXIT.interrupted;
    } finally {
      await this.stack?.stop();
    }
  }

  private async work(): Promise<number> {
    const { ctx, flags } = this;
    const { interactive } = this.term;
    const automatic = flags.json || !interactive;
    const since = Date.now();
    this.stack = await startStack({
      sample: flags.sample,
      signals: !flags.chat,
      say: this.stackSays,
      ...(flags.stateDir ? { stateDir: flags.stateDir } : {}),
    });
    this.stop.signal.throwIfAborted();
    this.say(this.stack.attached ? 'cli.job.attached' : 'cli.job.started', { lasted: ctx.words.lasted(Date.now() - since) });
    await this.links();
    await api.suppress(ctx.client, SAMPLE_SUPPRESSIONS);
    if (flags.chat) return (this.code = await chat(ctx, flags.words, flags.hilo ? { hilo: flags.hilo } : {}));

    let mode: CreateRun['modo'] = automatic ? 'automatico' : 'manual';
    let capped = automatic;
    if (flags.run) {
      this.run = flags.run;
      mode = (await api.progress(ctx.client, flags.run)).mode;
    } else {
      const body = requestFrom(ctx, flags, automatic);
      ({ run: this.run, capped } = await createRun(ctx, body, {}));
    }
    // `--json` never asks: whoever reads it is a program.
    const quiet = { ...ctx, term: { ...ctx.term, interactive: interactive && !flags.json } };
    this.held = [];
    const exit = await toReceipt(quiet, this.run, { mode, capped }).finally(() => this.release());
    this.code = exit === EXIT.partial ? EXIT.ok : exit;
    if (interactive && !flags.json) await this.stayUp();
    return this.code;
  }

  /** The page's link logs a browser in, so it is printed for eyes only. */
  private async links(): Promise<void> {
    const { api: url, temporalUi } = this.stack?.urls ?? { api: '' };
    this.say('cli.job.link.page', { url: await pageLink(url, this.term.interactive ? (this.stack?.token ?? '') : '') });
    this.say('cli.job.link.api', { url });
    if (temporalUi) this.say('cli.job.link.temporal', { url: temporalUi });
  }

  /** Keeps the stack up for looking around, until Ctrl-C. */
  private async stayUp(): Promise<void> {
    await this.links();
    this.say(this.stack?.attached ? 'cli.job.stay_attached' : 'cli.job.stay', { run: this.run ?? '' });
    const alive = setInterval(() => undefined, 60_000);
    await new Promise<void>((resolve) =>
      this.stop.signal.aborted ? resolve() : this.stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    clearInterval(alive);
  }
}

const main = async (): Promise<number> => {
  const words = new Words(languageOf(process.argv, process.env));
  speak(words.language);
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  let job: MainJob | null = null;
  try {
    const flags = readFlags(process.argv.slice(2));
    if (flags === 'help') {
      tell(words.say('cli.job.help', { message: MESSAGE }));
      return EXIT.ok;
    }
    job = new MainJob(flags, words);
    return await job.main();
  } catch (error) {
    if (job) return sayEnd(job.ctx, error);
    const what = unknownOption(error);
    if (what !== null) tell(words.say('stack.unknown_option', { what }));
    else
      tell(
        error instanceof CliExit && error.code
          ? words.say(error.code, error.params)
          : error instanceof Error
            ? error.message
            : String(error),
      );
    return EXIT.usage;
  }
};

process.exitCode = await main();
// Nothing of ours is left to wait for; an open keep-alive connection must not hold the terminal.
process.exit();
