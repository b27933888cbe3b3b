import type { Progress } from '../../contracts/progress.js';
import type { TurnAnswer, TurnEvent } from '../../contracts/turn.js';
import { isFinal } from '../../contracts/states.js';
import { api } from '../api.js';
import { askDecision, showDecision } from '../ask.js';
import { renderCard } from '../card/render.js';
import { converse } from '../chat/converse.js';
import { Editor, pipedLines } from '../chat/lines.js';
import { Memory } from '../chat/memory.js';
import { Moves } from '../chat/moves.js';
import { TurnShow } from '../chat/show.js';
import type { Context } from '../context.js';
import { CliExit, EXIT, exitOfProblem, type ExitCode } from '../exit.js';
import { runLinks } from '../links.js';
import { inWorkspaceZone } from '../zone.js';

export interface ChatFlags {
  hilo?: string;
  nuevo?: boolean;
}

/** How long a turn may go without its API before the command gives up. */
const PATIENCE_MS = 60_000;
/** Campaigns that /tarjeta shows. */
const CARDS = 3;

const COMMANDS = { leave: /^\/(salir|exit|quit)$/i, fresh: /^\/(nuevo|new)$/i, card: /^\/(tarjeta|card)$/i, help: /^\/(ayuda|help|\?)$/i };

/** Exit code of a turn without an answer. */
const exitOf = (refused: Extract<TurnEvent, { type: 'turn.refused' }>): ExitCode => {
  if (refused.code === 'interrupted') return EXIT.interrupted;
  if (refused.status === 402) return EXIT.balance;
  return refused.status === 422 ? EXIT.failed : exitOfProblem(refused);
};

/** One sitting with Ada: messages in, turns shown, cards tapped where a person sits. */
class Chat {
  private thread = '';
  private saidNoModel = false;
  private moves: Moves | null = null;
  private editor: Editor | null = null;

  constructor(
    private readonly ctx: Context,
    private readonly memory: Memory,
  ) {}

  private say(code: string, params: Record<string, unknown> = {}): void {
    if (!this.ctx.json) this.ctx.tell(this.ctx.words.say(code, params));
  }

  /** The conversation to go on with: the one named, the terminal's last, or a new one. */
  async open(flags: ChatFlags): Promise<void> {
    const last = flags.nuevo ? null : (flags.hilo ?? (await this.memory.thread()));
    if (last === null) return this.begin();
    try {
      await api.thread(this.ctx.client, last);
    } catch (error) {
      if (flags.hilo || !(error instanceof CliExit) || error.problem?.code !== 'thread_not_found') throw error;
      this.say('cli.chat.gone', { thread: last });
      return this.begin();
    }
    this.thread = last;
    await this.memory.remember(last);
    this.say('cli.chat.goes_on', { thread: last });
  }

  private async begin(): Promise<void> {
    this.thread = (await api.createThread(this.ctx.client)).thread_id;
    await this.memory.remember(this.thread);
    this.say('cli.chat.new', { thread: this.thread });
    this.listen();
  }

  /** A message or a command. @returns null when the person leaves */
  async take(line: string): Promise<ExitCode | null> {
    if (COMMANDS.leave.test(line)) return null;
    if (COMMANDS.fresh.test(line)) await this.begin();
    else if (COMMANDS.card.test(line)) await this.cards();
    else if (COMMANDS.help.test(line)) this.say('cli.chat.commands');
    else return this.turn(line);
    return EXIT.ok;
  }

  private async turn(message: string): Promise<ExitCode> {
    const { ctx } = this;
    const leave = new AbortController();
    const show = new TurnShow(ctx, () => this.noModel());
    let path: string | null = null;
    let stopping = false;
    const stop = (): void => void (path && api.stopTurn(ctx.client, path).catch(() => undefined));
    // The first Ctrl-C stops the turn at the server, which says so in the stream; the next one leaves.
    ctx.interrupts.taken = () => {
      if (stopping) return false;
      stopping = true;
      this.say('cli.chat.interrupting');
      stop();
      return true;
    };
    try {
      const events = converse(ctx.client, this.thread, message, {
        signal: AbortSignal.any([ctx.signal, leave.signal]),
        patienceMs: ctx.waitMs ?? PATIENCE_MS,
        lost: () => this.say('cli.chat.lost'),
        at: (given) => {
          path = given;
          if (stopping) stop();
        },
      });
      for await (const { event, raw } of events) {
        if (ctx.json) ctx.out(raw);
        else show.take(event);
        if (event.type === 'turn.refused') return exitOf(event);
        if (event.type === 'turn.finished') {
          ctx.interrupts.taken = null;
          if (!ctx.json) await this.after(event.answer);
        }
      }
      return EXIT.ok;
    } finally {
      ctx.interrupts.taken = null;
    }
  }

  private noModel(): void {
    if (!this.saidNoModel) this.ctx.tell(this.ctx.errColor.dim(this.ctx.words.say('cli.chat.no_model')));
    this.saidNoModel = true;
  }

  /** What comes with an answer besides its text. */
  private async after(answer: TurnAnswer): Promise<void> {
    if (answer.progress) await this.card(answer.progress, false);
    const { decision } = answer;
    if (decision?.state === 'open') await this.ask(decision.id);
  }

  /** A decision as it is now: asked where a person sits, else with the commands that answer it. */
  private async ask(id: string): Promise<void> {
    const { ctx } = this;
    const decision = await api.decision(ctx.client, id);
    if (!ctx.term.interactive || decision.state !== 'open' || decision.kind === 'revisar_secuencia') {
      showDecision(ctx, decision, { commands: true });
      if (decision.state === 'open') this.say('cli.chat.tap');
    } else await askDecision(ctx, decision);
  }

  private async card(progress: Progress, links: boolean): Promise<void> {
    const { ctx } = this;
    const balances = await api.balances(ctx.client).catch(() => null);
    this.moves?.known(progress);
    ctx.out('');
    for (const line of renderCard(progress, [], balances, {
      now: ctx.client.now(),
      width: ctx.term.stdout.columns ?? 100,
      color: ctx.color.isColorSupported,
      language: ctx.language,
      words: ctx.words,
      decisions: false,
      ...(links ? { links: await runLinks(ctx, progress.run_id) } : {}),
    }))
      ctx.out(line);
  }

  /** The newest campaigns of the conversation and what waits for a tap in them. */
  private async cards(): Promise<void> {
    const { runs } = await api.thread(this.ctx.client, this.thread);
    if (runs.length === 0) return this.say('cli.chat.no_card');
    const all = await Promise.all(runs.slice(-CARDS).map((run) => api.progress(this.ctx.client, run)));
    const open = all.filter((one) => !isFinal(one.state));
    for (const progress of open.length > 0 ? open : all.slice(-1)) {
      await this.card(progress, true);
      for (const id of progress.decisions) await this.ask(id);
    }
  }

  private listen(): void {
    this.moves?.end();
    const { editor } = this;
    this.moves = editor ? new Moves(this.ctx, this.thread, (line) => editor.tell(line)).start() : null;
  }

  /** Lines that are typed, until the person leaves. */
  async sit(): Promise<ExitCode> {
    const { ctx } = this;
    const editor = (this.editor = new Editor(ctx, await this.memory.history()));
    this.say('cli.chat.commands');
    this.listen();
    try {
      for (;;) {
        const line = await editor.ask(`${ctx.errColor.bold(ctx.words.say('cli.chat.prompt'))} › `);
        if (line === null) break;
        if (line === '') continue;
        try {
          if ((await this.take(line)) === null) break;
        } catch (error) {
          // A refusal ends the message, not the conversation.
          if (!(error instanceof CliExit) || error.exit === EXIT.interrupted) throw error;
          if (error.code) ctx.tell(ctx.errColor.red(ctx.words.say(error.code, error.params)));
        }
        await this.memory.keepHistory(editor.history);
      }
    } finally {
      this.moves?.end();
      await this.memory.keepHistory(editor.history);
    }
    this.say('cli.chat.bye', { thread: this.thread });
    return EXIT.ok;
  }

  /** Lines from a pipe, one after the other; the code of the last one that had no answer. */
  async hear(lines: AsyncIterable<string>): Promise<ExitCode> {
    let exit: ExitCode = EXIT.ok;
    for await (const line of lines) {
      if (!this.ctx.json) this.ctx.tell(`\n${this.ctx.errColor.bold(this.ctx.words.say('cli.chat.prompt'))} › ${line}`);
      const code = await this.take(line);
      if (code === null) break;
      if (code !== EXIT.ok) exit = code;
    }
    this.say('cli.chat.bye', { thread: this.thread });
    return exit;
  }
}

/** Talks to Ada: one message, a conversation in the terminal, or a line per message from the input. */
export const chat = async (ctx: Context, words: readonly string[], flags: ChatFlags): Promise<ExitCode> => {
  const { url } = await ctx.client.where();
  await inWorkspaceZone(ctx);
  const sitting = new Chat(ctx, new Memory(ctx.term.env, url));
  await sitting.open(flags);
  const message = words.join(' ').trim();
  if (message !== '') return (await sitting.take(message)) ?? EXIT.ok;
  if (ctx.term.interactive && !ctx.json) return sitting.sit();
  return sitting.hear(pipedLines(ctx.term.stdin ?? process.stdin));
};
