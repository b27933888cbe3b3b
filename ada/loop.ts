import type { BoardRow, TurnEvent } from '../contracts/turn.js';
import { TurnOutput } from '../contracts/turn.js';
import { SESSION_TOOLS } from '../contracts/profiles/index.js';
import { allowedNow, isSearch, labelOfTool, MAX_SEARCHES, MAX_TOOLS, notAllowed, project, TOOL_SPECS } from './belt.js';
import type { Blocked } from './blocked.js';
import type { Compiled } from './compile.js';
import { coverageLine } from './coverage.js';
import type { Belt } from './library/gate/belt.js';
import type { MaterialCall } from './library/material.js';
import { LibraryRefusal } from './library/refusal.js';
import type { ChatItem, ToolRequest } from './ports/model.js';
import { withNextPage } from './next-page.js';
import { strictSchema } from './ports/strict-schema.js';
import { TurnRefusal } from './preflight.js';
import { rowsOf } from './rows.js';
import { withSameFilters } from './same-filters.js';
import type { SessionCalls } from './session-calls.js';
import type { Session } from './session.js';
import { summaryOf } from './summary.js';
import type { TurnView, Worked } from './turn-view.js';
import type { Language } from '../contracts/catalog/index.js';

export const MAX_STEPS = 8;
/** Of one answer, with the reasoning before it: an answer that is cut is billed and worth nothing. */
const OUTPUT_TOKENS = { low: 3_000, medium: 6_000 } as const;
/** Rows of a turn that can be pointed at. */
const ROWS_MAX = 1_000;

export interface LoopInput {
  session: Session;
  belt: Belt;
  calls: SessionCalls;
  compiled: Compiled;
  language: Language;
  message: string;
  routed: TurnView['routed'];
  /** "Dame más" goes on at the next page, whatever the model asks. */
  pages: boolean;
  /** A recipe by its heading. */
  labelOfSkill: (name: string) => string;
  /** What was asked for and lacks a connection. */
  blocked: Blocked | null;
  /** Prompt in its parts; `block` is asked anew at every step, since recipes open on the way. */
  prefix: string;
  thread: string;
  state: string;
  block: () => Promise<string>;
  queriesLeft: number;
  signal: AbortSignal;
  deadline: number;
  /** How long a model may work without a word to the person, ms. */
  silenceMs: number;
  emit: (event: TurnEvent) => void;
}
export interface Looped {
  worked: Worked[];
  footer: string[];
  rows: Map<string, BoardRow>;
  steps: number;
  searches: number;
  queries: number;
}
export interface Loop {
  /** The first round of a recipe that wants one: its searches one after the other while nothing is found, as if the model had asked for them. */
  material(wanted: readonly MaterialCall[]): Promise<void>;
  /** Runs the model until it answers; returns the answer's text. Called again with `problems` for the one repair. */
  answer(problems: string[], repair: string | null): Promise<string>;
  readonly done: Looped;
}

const SCHEMA = strictSchema(TurnOutput);
/** An error that a model can read: what, and where there is one the way on. */
const errorText = (error: unknown): { code: string; text: string } => {
  if (error instanceof LibraryRefusal)
    return {
      code: error.code,
      text: JSON.stringify({
        error: { code: error.code, params: error.params, ...(error.suggestions.length > 0 ? { open_first: error.suggestions } : {}) },
      }),
    };
  const known = error as { code?: unknown; retryAfterMs?: unknown; params?: unknown };
  const code = typeof known.code === 'string' ? known.code : 'tool_failed';
  return {
    code,
    text: JSON.stringify({
      error: {
        code,
        ...(typeof known.retryAfterMs === 'number' ? { retry_after_ms: known.retryAfterMs } : {}),
        ...(known.params ? { params: known.params } : {}),
      },
    }),
  };
};

/**
 * 6 · Model and tools in turns, within steps, tools, searches and time. Everything a model asks for goes through the belt; what it is refused comes
 * back as a result that it can read.
 */
export const createLoop = (input: LoopInput): Loop => {
  const { session, belt, calls, compiled, signal, deadline, emit, language } = input;
  const done: Looped = { worked: [], footer: [], rows: new Map(), steps: 0, searches: 0, queries: 0 };
  const items: ChatItem[] = [];
  let call = 0;
  const left = (): { searches: number; queries: number } => ({
    searches: MAX_SEARCHES - done.searches,
    queries: input.queriesLeft - done.queries,
  });
  const allowed = (): string[] => (done.worked.length >= MAX_TOOLS ? [] : allowedNow(belt, compiled.stage, left()));

  const run = async ({ id, name, args: asked }: ToolRequest): Promise<void> => {
    const same = withSameFilters(name, asked, input.message, compiled.board);
    // The model without a key keeps its place by itself, and finds its calls again by what it asked.
    const args = input.pages ? withNextPage(name, same, input.message, compiled.board) : same;
    const n = ++call;
    const since = Date.now();
    const label = labelOfTool(name, language);
    emit({ type: 'tool.started', call: n, tool: name.slice(0, 80), label });
    let worked: Worked = {
      name: name.slice(0, 80),
      args: args !== null && typeof args === 'object' && !Array.isArray(args) ? (args as Record<string, unknown>) : {},
      ok: false,
      result: null,
      error: null,
    };
    let content: string;
    let stopped: TurnRefusal | null = null;
    try {
      if (done.worked.length >= MAX_TOOLS) throw new LibraryRefusal('fuera_de_cinturon', { tool: name.slice(0, 80), reason: 'tools' });
      const refused = notAllowed(name, belt, compiled.stage, left());
      if (refused) throw refused;
      const session = (SESSION_TOOLS as readonly string[]).includes(name);
      // Counted before it is made: a search that fails may have been charged.
      if (isSearch(name) && typeof args === 'object' && belt.callable().includes(name)) {
        done.searches++;
        if (name === 'company_search' || name === 'people_search') done.queries++;
      }
      const result = session ? await calls.call(name, args) : await belt.execute(name, args);
      const failed =
        result !== null && typeof result === 'object' && 'error' in result ? (result as { error: { code: string } }).error.code : null;
      worked = { ...worked, ok: failed === null, result, error: failed };
      for (const row of rowsOf(worked)) if (done.rows.size < ROWS_MAX) done.rows.set(row.ref, row);
      const shown = project(result);
      const covered = coverageLine(name, result, language);
      done.footer.push(...(covered ? [covered] : []), ...shown.footer);
      content = shown.text;
    } catch (error) {
      if (signal.aborted) stopped = new TurnRefusal(Date.now() >= deadline ? 'deadline' : 'interrupted');
      const { code, text } = stopped ? { code: stopped.code, text: '' } : errorText(error);
      worked = { ...worked, error: code };
      content = text;
    }
    done.worked.push(worked);
    items.push({ role: 'tool_result', id, name: worked.name, content });
    emit({
      type: 'tool.finished',
      call: n,
      tool: worked.name,
      label,
      args: worked.args,
      ok: worked.ok,
      summary: summaryOf(worked, language, input.labelOfSkill),
      refs: refsOf(worked.result),
      ms: Date.now() - since,
      error: worked.error,
    });
    // Said first: whoever heard the call begin hears it end, whatever ended it.
    if (stopped) throw stopped;
  };

  const view = (problems: string[]): TurnView => ({
    message: input.message,
    language,
    facts: compiled.facts,
    board: compiled.board,
    stage: compiled.stage,
    summary: compiled.summary,
    runs: compiled.runs,
    open: belt.loaded().map(({ skill }) => skill),
    routed: input.routed,
    blocked: input.blocked,
    asked: compiled.state.asked,
    past: compiled.past,
    worked: done.worked,
    allowed: allowed(),
    searchesLeft: left().searches,
    stepsLeft: MAX_STEPS - done.steps,
    problems,
  });

  /** Nothing of an answer is shown before it is checked; that it is being written is, once that takes a while. Call 0 is no tool's. */
  const said = async <T>(what: 'writer' | 'reviewer', work: Promise<T>): Promise<T> => {
    const label = labelOfTool(what, language);
    let since: number | null = null;
    const quiet = setTimeout(() => {
      since = Date.now();
      emit({ type: 'tool.started', call: 0, tool: what, label });
    }, input.silenceMs);
    const over = (ok: boolean): void => {
      clearTimeout(quiet);
      if (since !== null)
        emit({
          type: 'tool.finished',
          call: 0,
          tool: what,
          label,
          args: {},
          ok,
          summary: '',
          refs: [],
          ms: Date.now() - since,
          error: null,
        });
    };
    try {
      const done = await work;
      over(true);
      return done;
    } catch (error) {
      over(false);
      throw error;
    }
  };

  return {
    done,
    material: async (wanted) => {
      for (const [i, { tool, args }] of wanted.entries()) {
        // What failed is the model's to read and to try again.
        if (done.rows.size > 0 || done.worked.some((one) => !one.ok) || !allowed().includes(tool)) return;
        const request: ToolRequest = { id: `material_${i + 1}`, name: tool, args };
        items.push({ role: 'tool_request', calls: [request] });
        await run(request);
      }
    },
    answer: async (problems, repair) => {
      if (repair) items.push({ role: 'system', content: repair });
      for (;;) {
        if (Date.now() >= deadline) throw new TurnRefusal('deadline');
        if (signal.aborted) throw new TurnRefusal('interrupted');
        // The last step, and a repair, may only answer.
        const last = repair !== null || done.steps >= MAX_STEPS - 1;
        const open = await input.block();
        const reasoning = belt.loaded().some(({ skill }) => skill.reasoning === 'medio') ? 'medium' : 'low';
        const reply = await said(
          repair === null ? 'writer' : 'reviewer',
          session.complete({
            prefix: input.prefix,
            items: [
              ...(input.thread ? [{ role: 'system' as const, content: input.thread }] : []),
              { role: 'system', content: input.state },
              { role: 'user', content: input.message },
              ...items,
              ...(open ? [{ role: 'system' as const, content: open }] : []),
            ],
            tools: TOOL_SPECS,
            allowed: last ? [] : allowed(),
            schema: SCHEMA,
            maxOutputTokens: OUTPUT_TOKENS[reasoning],
            view: { ...view(problems), ...(last ? { allowed: [] } : {}) },
            reasoning,
          }),
        );
        done.steps++;
        if (reply.kind === 'answer') {
          items.push({ role: 'assistant', content: reply.text });
          return reply.text;
        }
        if (last || done.steps >= MAX_STEPS) return '';
        items.push({ role: 'tool_request', calls: reply.calls });
        for (const one of reply.calls) await run(one);
      }
    },
  };
};

/** Anchors of a result for the event: its own and those of its rows, not all of a page. */
const refsOf = (result: unknown): string[] => {
  const found: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (depth > 3 || found.length >= 20 || value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const one of value) walk(one, depth + 1);
      return;
    }
    const ref = (value as { ref?: unknown }).ref;
    if (typeof ref === 'string' && !found.includes(ref)) found.push(ref);
    for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  walk(result, 0);
  return found;
};
