import { NO_MODEL, type Siguiente, type TurnAnswer, type TurnEvent } from '../../contracts/turn.js';
import { hasText } from '../../contracts/catalog/index.js';
import { wrap } from '../card/lines.js';
import type { Context } from '../context.js';
import { table } from '../skills/table.js';
import { Flow, flowed } from './flow.js';
import { detailOf, sayFilter } from '../../view/values.js';
import { clean, type Words } from '../words.js';

/** Rows of a list that are shown; the rest is counted. */
const ROWS = 10;

/** Text of Ada, safe to print, with its lines. */
export const cleanLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' '))
    .join('\n');

/** Price, balance and what is left, for everything that costs. */
export const costOf = (cost: Siguiente['cost'], words: Words): string | null =>
  cost === null
    ? null
    : words.say('cli.chat.cost', {
        price: words.amount(cost.kind, cost.price),
        balance: words.amount(cost.kind, cost.balance),
        left: words.amount(cost.kind, cost.left),
      });

/** Filters of a query as people say them; what only steers the tool is left out. */
const STEERING = new Set(['op', 'group_by', 'metric', 'client_key']);
const filterText = (key: string, value: string, words: Words): string => {
  const said = sayFilter(key, value, words);
  return hasText(`cli.chat.filter.${key}`) ? words.say(`cli.chat.filter.${key}`, { value: said }) : said;
};

/** How much a tool brought, where its result tells; the result itself is for the model. */
const brought = (summary: string, words: Words): string => {
  if (!/^\s*[[{]/.test(summary)) return clean(summary);
  const [total, shown] = ['total', 'shown']
    .map((name) => new RegExp(`"${name}":(\\d{1,9})`).exec(summary)?.[1])
    .map((n) => (n === undefined ? null : Number(n)));
  if (typeof total === 'number' && typeof shown === 'number' && shown > 0) return words.say('cli.chat.shown_of', { shown, total });
  return typeof total === 'number' ? words.count(total) : '';
};

/** What a finished turn shows below its text: rows, count, filters, the question with its default, what comes next. Pure. */
export const answerLines = (answer: TurnAnswer, words: Words, columns: number | undefined): string[] => {
  const { card, pregunta, siguiente } = answer;
  const lines: string[] = [];
  // Rows of a table are as wide as they may be; what else is said breaks at words.
  const add = (line: string): void => void lines.push(...flowed(line, columns, line.startsWith('→') ? 2 : 0));
  if (card) {
    const rows = card.rows.slice(0, ROWS);
    if (rows.length > 0) {
      const detailed = rows.some((row) => row.detail);
      const amounts = rows.some((row) => typeof row.amount_mxn === 'number');
      lines.push(
        ...table(
          [
            '',
            words.say('cli.chat.head.name'),
            ...(amounts ? [words.say('cli.chat.head.amount')] : []),
            ...(detailed ? [words.say('cli.chat.head.detail')] : []),
          ],
          rows.map((row, i) => [
            String(i + 1),
            row.name,
            ...(amounts ? [typeof row.amount_mxn === 'number' ? words.pesos(row.amount_mxn) : ''] : []),
            ...(detailed ? [detailOf(row, words).parts.join(' · ')] : []),
          ]),
          columns === undefined ? undefined : columns - 2,
        ).map((line) => `  ${line}`),
      );
    }
    if (card.rows.length > rows.length) add(`  ${words.say('cli.chat.more_rows', { n: card.rows.length - rows.length })}`);
    if (card.total !== null)
      add(
        `  ${card.rows.length > 0 ? words.say('cli.chat.shown_of', { shown: card.rows.length, total: card.total }) : words.say('cli.chat.total', { total: card.total })}`,
      );
    const filters = Object.entries(card.filters)
      .filter(([key]) => !STEERING.has(key))
      .map(([key, value]) => filterText(key, value, words))
      .join(' · ');
    if (filters) add(`  ${words.say('cli.chat.filters', { filters })}`);
    for (const line of card.footer) add(`  ${clean(line)}`);
  }
  if (pregunta) {
    // The text may have asked it already.
    if (!answer.text.includes(pregunta.texto)) add(clean(pregunta.texto));
    if (pregunta.supuesto) add(words.say('cli.chat.default', { supuesto: pregunta.supuesto }));
  }
  if (siguiente) {
    const cost = costOf(siguiente.cost, words);
    const where =
      siguiente.kind === 'enlace' || (siguiente.kind === 'mensaje' && siguiente.target !== siguiente.label)
        ? ` (${clean(siguiente.target)})`
        : '';
    add(`→ ${words.say('cli.chat.next', { label: siguiente.label })}${where}${cost ? ` · ${cost}` : ''}`);
  }
  return lines;
};

/** Why there is no answer, in words. */
export const refusedText = (event: { code: string; params: Record<string, unknown> }, words: Words): string => {
  const code = [`ada.refused.${event.code}`, event.code].find(hasText);
  return code ? words.say(code, event.params) : words.say('reason.other', { code: event.code });
};

/** A terminal's columns; undefined for a pipe or a file. */
const columnsOf = (ctx: Context): number | undefined => (ctx.term.stdout.isTTY ? ctx.term.stdout.columns : undefined);

/** Shows one turn as it happens: what is being done on stderr, what Ada says on stdout. */
export class TurnShow {
  private written = '';
  private readonly flow: Flow;
  /** @param noModel told of a turn that no model answers */
  constructor(
    private readonly ctx: Context,
    private readonly noModel: () => void,
  ) {
    this.flow = new Flow(columnsOf(ctx));
  }

  take(event: TurnEvent): void {
    const { ctx } = this;
    const { errColor } = ctx;
    if (event.type === 'turn.accepted') {
      if (event.model === NO_MODEL) this.noModel();
    } else if (event.type === 'tool.started') {
      // A file needs no sign of life: what was done is the next line.
      if (ctx.term.stderr.isTTY) ctx.tell(errColor.dim(`· ${clean(event.label)}…`));
    } else if (event.type === 'tool.finished') {
      const summary = event.summary ? brought(event.summary, ctx.words) : (event.error ?? '');
      const line = `${event.ok ? '✓' : '✗'} ${clean(event.label)}${summary ? `: ${clean(summary)}` : ''}`;
      for (const one of wrap([{ text: line }], Math.min(120, ctx.term.stdout.columns ?? 100), 2))
        ctx.tell(event.ok ? errColor.dim(one) : errColor.yellow(one));
    } else if (event.type === 'narration.delta') this.write(event.text);
    else if (event.type === 'turn.finished') {
      // A connection that was lost may have taken pieces with it; the whole is the last word.
      if (this.written !== event.answer.text) {
        if (this.written !== '') this.endText();
        this.written = '';
        this.write(event.answer.text);
      }
      this.endText();
      let next = false;
      for (const line of answerLines(event.answer, ctx.words, columnsOf(ctx))) {
        next ||= line.startsWith('→');
        ctx.out(next ? ctx.color.cyan(line) : line);
      }
    } else if (event.type === 'turn.refused') {
      if (this.written !== '') this.endText();
      ctx.tell(ctx.errColor.red(refusedText(event, ctx.words)));
    }
  }

  private write(text: string): void {
    this.written += text;
    this.ctx.term.stdout.write(this.flow.take(cleanLines(text)));
  }

  private endText(): void {
    this.ctx.out(this.flow.end());
  }
}
