import { CommanderError, type Command } from 'commander';
import type { Language } from '../contracts/catalog/index.js';
import { makeContext, processTerminal } from './context-make.js';
import type { Context, Terminal } from './context.js';
import { CliExit, EXIT, type ExitCode } from './exit.js';
import { buildProgram } from './program.js';
import type { Prompter } from './prompt.js';
import { Words } from './words.js';

/** The language, needed before anything is parsed: help and usage errors speak it too. */
export const languageOf = (args: readonly string[], env: NodeJS.ProcessEnv): Language => {
  const at = args.findIndex((a) => a === '--idioma' || a.startsWith('--idioma='));
  const given = at < 0 ? env['CAMPANA_IDIOMA'] : args[at]?.includes('=') ? args[at]?.split('=')[1] : args[at + 1];
  return given === 'en' ? 'en' : 'es-MX';
};

/** What commander found wrong, in the person's language. */
const usageError = (words: Words, error: CommanderError): string => {
  const quoted = [...error.message.matchAll(/'([^']*)'/g)].map((m) => m[1] ?? '');
  const code = `cli.usage.${error.code.replace('commander.', '')}`;
  // The reason of an invalid value was written by us and follows commander's own words.
  const reason = /\. (.+)$/s.exec(error.message)?.[1] ?? '';
  return words.say(code, {
    what: quoted[0] ?? '',
    value: quoted[1] ?? '',
    reason: reason.startsWith('Allowed choices are')
      ? words.say('cli.usage.choices', { list: reason.replace(/^Allowed choices are /, '').replace(/\.$/, '') })
      : reason,
  });
};

/** Commander writes its errors itself unless told not to, on every command. */
const quiet = (command: Command, term: Terminal): void => {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void term.stdout.write(text),
      writeErr: (text) => void term.stderr.write(text),
      outputError: () => undefined,
    });
  for (const child of command.commands) quiet(child, term);
};

/** Ends a job: what went wrong is said once, on stderr; with `--json` the problem body follows as a line. */
export const sayEnd = (ctx: Pick<Context, 'words' | 'tell' | 'json' | 'errColor'>, error: unknown): ExitCode => {
  if (error instanceof CliExit) {
    if (error.code)
      ctx.tell(
        error.exit === EXIT.ok ? ctx.words.say(error.code, error.params) : ctx.errColor.red(ctx.words.say(error.code, error.params)),
      );
    if (ctx.json && error.problem) ctx.tell(JSON.stringify(error.problem));
    return error.exit;
  }
  if (error instanceof Error && error.name === 'AbortError') return EXIT.interrupted;
  ctx.tell(ctx.errColor.red(ctx.words.say('cli.error.unexpected', { message: error instanceof Error ? error.message : String(error) })));
  return EXIT.failed;
};

/** Runs one command line. @returns the exit code */
export const main = async (args: readonly string[], term: Terminal = processTerminal(), prompt?: Prompter): Promise<ExitCode> => {
  const words = new Words(languageOf(args, term.env));
  const stop = new AbortController();
  let exit: ExitCode = EXIT.ok;
  const program = buildProgram(words, async (job, flags) => {
    const ctx = makeContext(term, flags, stop.signal, prompt);
    // The next one after that ends the process at once.
    const leave = (): void => void process.off('SIGINT', onSignal).off('SIGTERM', onEnd);
    const onEnd = (): void => {
      leave();
      stop.abort();
    };
    const onSignal = (): void => {
      if (!ctx.interrupts.taken?.()) onEnd();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onEnd);
    try {
      exit = await job(ctx);
    } catch (error) {
      exit = sayEnd(ctx, error);
    } finally {
      leave();
    }
  });
  quiet(program, term);
  // A reader that went away (`campana … | head`) is no error.
  term.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stop.abort();
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (['commander.helpDisplayed', 'commander.help'].includes(error.code)) return error.code === 'commander.help' ? EXIT.usage : EXIT.ok;
    term.stderr.write(`${usageError(words, error)}\n${words.say('cli.usage.see_help')}\n`);
    return EXIT.usage;
  }
  return exit;
};
