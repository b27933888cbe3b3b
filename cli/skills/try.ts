import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createChooser, type Chooser } from '../../ada/library/choose/choose.js';
import type { RouteState } from '../../ada/library/choose/router.js';
import type { Access } from '../../ada/library/choose/states.js';
import type { Snapshot } from '../../ada/library/types.js';
import type { Context } from '../context.js';
import { CliExit, EXIT } from '../exit.js';
import { clean } from '../words.js';

const State = z
  .object({
    stage: z.enum(['sin_criterio', 'buscando', 'con_seleccion', 'con_lista', 'decision_pendiente']),
    selection: z.int().min(0),
    pending: z.array(z.string().max(80)).max(20),
    run: z.boolean(),
    last: z.string().max(64),
  })
  .partial()
  .strict();

/** What `--estado` says. @throws CliExit 2 with what it may say. */
export const readState = (given: string | undefined): RouteState => {
  if (given === undefined) return {};
  let raw: unknown;
  try {
    raw = JSON.parse(given);
  } catch {
    throw new CliExit(EXIT.usage, 'cli.skills.state_invalid', { where: 'JSON' });
  }
  const parsed = State.safeParse(raw);
  if (!parsed.success)
    throw new CliExit(EXIT.usage, 'cli.skills.state_invalid', {
      where: parsed.error.issues
        .map((issue) => issue.path.join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : 'JSON'))
        .join('; '),
    });
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
};

/** One answer as `--json` prints it, a line each. */
export interface Tried {
  message: string;
  decision: string;
  candidates: Array<{ name: string; confidence: number }>;
  question?: { text: string; options: string[] };
  ms: number;
}

/** Chooses as a turn would, with everything the account could have: what is said of states is the API's. */
export const tryWith = (ctx: Context, snapshot: Snapshot, workspace: string, state: RouteState): ((message: string) => Tried) => {
  const access: Access = { scopes: { account: workspace }, rows: [], integrations: null, capabilities: null };
  const chooser: Chooser = createChooser(snapshot);
  chooser.choose('hola', { access }); // it learns at its first message, which is no message's time
  return (message) => {
    const since = performance.now();
    const { decision, candidates, options } = chooser.choose(message, { state, access });
    const ms = Math.round((performance.now() - since) * 1000) / 1000;
    return {
      message,
      decision,
      candidates: candidates.map(({ name, confidence }) => ({ name, confidence })),
      ...(options.length > 0
        ? { question: { text: ctx.words.say('cli.skills.question'), options: options.map(({ label }) => label) } }
        : {}),
      ms,
    };
  };
};

/** Messages given as arguments, each of its own when quoted; without any, a line of stdin each, as they come. */
export const messagesOf = async function* (ctx: Context, args: readonly string[]): AsyncGenerator<string> {
  if (args.length > 0) {
    yield* args.some((arg) => /\s/.test(arg)) ? args : [args.join(' ')];
    return;
  }
  const input = ctx.term.stdin ?? process.stdin;
  if ('isTTY' in input && input.isTTY) ctx.tell(ctx.words.say('cli.skills.type'));
  const lines = createInterface({ input, crlfDelay: Infinity });
  const stop = (): void => {
    lines.close();
    (input as { destroy?: () => void }).destroy?.();
  };
  ctx.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const line of lines) {
      if (ctx.signal.aborted) return;
      if (line.trim() !== '') yield line;
    }
  } finally {
    ctx.signal.removeEventListener('abort', stop);
    lines.close();
  }
};

/** Writes a line and waits for a slow reader; false once it has gone (`| head`). */
export const writeLine = async (ctx: Context, line: string): Promise<boolean> => {
  if (ctx.signal.aborted) return false;
  if (!ctx.term.stdout.write(`${line}\n`)) await once(ctx.term.stdout, 'drain', { signal: ctx.signal }).catch(() => undefined);
  return !ctx.signal.aborted;
};

export const triedLines = (ctx: Context, tried: Tried): string[] => [
  clean(tried.message),
  `  → ${ctx.words.say(`cli.skills.decision.${tried.decision}`)}${tried.candidates.length > 0 ? `: ${tried.candidates.map((c) => `${c.name} ${Math.round(c.confidence * 100)} %`).join(' · ')}` : ''} (${tried.ms.toFixed(1)} ms)`,
  ...(tried.question ? [`  ${tried.question.text} ${tried.question.options.map((label) => `[${clean(label)}]`).join(' ')}`] : []),
];
