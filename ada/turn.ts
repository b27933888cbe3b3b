import type { Facts, TurnAnswer, TurnEvent, TurnOutput } from '../contracts/turn.js';
import { CATALOGUE } from '../contracts/tools/catalogue.js';
import { resolveAnchors } from './anchors.js';
import { blockedAnswer, blockedBy, blockedSlash } from './blocked.js';
import { labelOfTool } from './belt.js';
import { compile, type Compiled } from './compile.js';
import { completer } from './complete.js';
import { fallback } from './fallback.js';
import { fold, sourceOf } from './fold.js';
import { harvest, type Known } from './harvest.js';
import { chooserOf } from './choosers.js';
import { labelOf, type Choice } from './library/choose/choose.js';
import { assemble, contextRoom, prefixOf } from './library/disclose/budget.js';
import { characters } from './library/disclose/escape.js';
import { shortListBlock } from './library/disclose/index-block.js';
import { instructionSaving } from './library/disclose/savings.js';
import { createBelt, type Belt } from './library/gate/belt.js';
import { carryOver, mayAnswer, omitted } from './library/gate/carry-over.js';
import { openBySlash, type SlashOpened } from './library/gate/slash.js';
import { loadedBlock } from './library/disclose/loaded-block.js';
import type { Snapshot } from './library/types.js';
import { substitution } from './library/read/variables.js';
import { materialCalls, type KnownFacts, type MaterialCall } from './library/material.js';
import { LibraryRefusal } from './library/refusal.js';
import { expandBody } from './library/shell/inline-shell.js';
import { countTurn } from './library/usage.js';
import { createLoop } from './loop.js';
import { contextText, MANUAL } from './manual.js';
import type { Knows } from './next-step.js';
import { preflight, TurnRefusal } from './preflight.js';
import { better, repairInstruction, trimmed } from './repair.js';
import { createSession } from './session.js';
import { createSessionCalls } from './session-calls.js';
import type { AdaPorts, Speaker } from './types.js';
import { validate, type Verdict } from './validate/index.js';

export const DEADLINE_MS = 150_000;
/** Narration comes in pieces of about this many characters, once it has been checked. */
const DELTA = 80;

export interface TurnRequest {
  turnId: string;
  message: string;
}
/** A model that takes longer than this is said to be at it, ms. */
const SILENCE_MS = 3_000;
export interface TurnOptions {
  signal: AbortSignal;
  deadlineMs?: number;
  silenceMs?: number;
  now?: () => number;
}

/**
 * One turn: preflight → compile → manual → belt → session → loop → validate → fold → cost. Ends in `turn.finished` or `turn.refused`, which is also
 * written to the thread; what it cost is metered whatever happened.
 */
export const runTurn = async (
  ports: AdaPorts,
  speaker: Speaker,
  turn: TurnRequest,
  emit: (event: TurnEvent) => void,
  options: TurnOptions,
): Promise<void> => {
  const now = options.now ?? Date.now;
  const since = now();
  const deadline = since + (options.deadlineMs ?? DEADLINE_MS);
  const timeout = AbortSignal.timeout(Math.max(1, deadline - since));
  const signal = AbortSignal.any([options.signal, timeout]);
  const session = createSession({ primary: ports.model, escalation: ports.escalation, deadline, signal, now });
  let queries = 0;
  try {
    const allowance = await preflight(ports.workspace, speaker, ports.model.kind === 'openai');
    const [compiled, snapshot, access] = await Promise.all([
      compile(ports, speaker, turn.message),
      ports.workspace.library(speaker),
      ports.workspace.access(speaker, turn.turnId),
    ]);
    const { language } = speaker;
    emit({ type: 'turn.accepted', turn_id: turn.turnId, thread_id: speaker.thread, stage: compiled.stage, model: ports.model.name });

    const variables = substitution(snapshot, speaker.thread);
    const belt = createBelt({
      snapshot,
      access,
      catalogue: CATALOGUE,
      variables,
      call: (name, args) =>
        ports.tools.call(speaker.workspace, name, args as Record<string, unknown>, { signal, timeoutMs: Math.max(1, deadline - now()) }),
    });
    const typed = openedBySlash(turn.message, snapshot, belt);
    const slash = typed instanceof LibraryRefusal ? null : typed;
    const message = slash ? slash.rest || `/${slash.name}` : turn.message;
    const asked = {
      state: {
        stage: compiled.stage,
        selection: compiled.board.selection.length,
        pending: compiled.board.pending.map((one) => one.kind),
        run: compiled.runs.length > 0,
        ...(compiled.state.skills.at(-1) ? { last: compiled.state.skills.at(-1)?.name ?? '' } : {}),
      },
      access,
      declined: compiled.state.declined,
    };
    const chooser = chooserOf(snapshot);
    const blocked =
      typed instanceof LibraryRefusal
        ? blockedSlash(typed, snapshot, language)
        : slash
          ? null
          : blockedBy(chooser, snapshot, message, asked, language);
    // What comes nearest among the rest was not asked for.
    const choice: Choice = {
      ...chooser.choose(message, asked),
      ...(blocked?.whole ? { decision: 'none' as const, candidates: [], options: [] } : {}),
    };
    const labelOfSkill = (name: string): string => {
      const skill = snapshot.skills.get(name);
      return skill ? labelOf(skill) : name.replace(/-/g, ' ');
    };
    openChosen(snapshot, belt, message, choice, compiled, slash !== null || blocked?.whole === true);
    if (choice.decision === 'inject' || choice.decision === 'clarify') {
      const label = labelOfTool('router', language);
      emit({
        type: 'tool.finished',
        call: 0,
        tool: 'router',
        label,
        args: {},
        ok: true,
        summary: choice.candidates.map((one) => labelOfSkill(one.name)).join(', '),
        refs: [],
        ms: 0,
        error: null,
      });
    }

    // Snippets run once a turn, when the recipe comes in.
    const bodies = new Map<string, string>();
    const block = async (): Promise<string> => {
      for (const { skill } of belt.loaded())
        if (!bodies.has(skill.name)) bodies.set(skill.name, await expandBody(snapshot, skill, speaker.thread));
      return loadedBlock(snapshot, belt.loaded(), variables, slash?.instruction ?? '', bodies);
    };
    // Bounded whichever way it was found; for the platform's own recipes these are the bytes of the whole list.
    const index = shortListBlock(choice.shortlist, choice.retrieved ? snapshot.skills.size : choice.shortlist.length);
    const context = contextText(
      compiled,
      contextRoom({ manual: MANUAL, index, loaded: await block() }, belt.loaded().length, slash?.instruction),
      blocked,
    );
    const prefix = prefixOf({ manual: MANUAL, index, thread: '', state: '', loaded: '' });

    const calls = createSessionCalls({
      ports,
      speaker,
      turnId: turn.turnId,
      message,
      compiled,
      snapshot,
      access,
      belt,
      rows: () => loop.done.rows,
    });
    const loop = createLoop({
      session,
      belt,
      calls,
      compiled,
      language,
      message,
      blocked,
      labelOfSkill,
      pages: ports.model.kind !== 'deterministic',
      routed: { decision: choice.decision, candidates: choice.candidates.map((one) => one.name), options: choice.options },
      prefix,
      thread: context.thread,
      state: context.state,
      block,
      queriesLeft: allowance.queriesLeft,
      signal,
      deadline,
      silenceMs: options.silenceMs ?? SILENCE_MS,
      emit,
    });

    // Gathered once for the same calls: an answer, its repair and the end of the turn are held against the same.
    let gathered: { calls: number; known: Known } | null = null;
    const seen = (): Known => {
      const { worked } = loop.done;
      if (gathered?.calls !== worked.length)
        gathered = {
          calls: worked.length,
          known: harvest({
            worked,
            board: compiled.board,
            runs: compiled.runs,
            progress: calls.tabled.progress,
            decision: calls.tabled.decision,
          }),
        };
      return gathered.known;
    };
    const check = (text: string): Verdict =>
      validate(text, {
        known: seen(),
        compiled: { facts: compiled.facts, board: compiled.board, balances: compiled.summary.balances, runs: compiled.runs },
        open: belt.loaded().map(({ skill }) => skill),
        worked: loop.done.worked,
        tabled: calls.tabled,
        searches: loop.done.searches,
        message: turn.message,
        language,
        clarify: choice.options,
        ...(blocked ? { limits: ['conector' as const], ...(blocked.whole ? { blocked } : {}) } : {}),
      });
    const knows: Knows = { compiled, tabled: calls.tabled, worked: loop.done.worked, language };
    /** An answer of code's own, of what is on the table; rows only with `rows`. null where there is none. */
    const standing = (rows: boolean, why: 'unchecked' | 'cut'): Verdict | null => {
      const source = rows
        ? (sourceOf(
            loop.done,
            belt.loaded().map(({ skill }) => skill),
          )?.ref ?? null)
        : null;
      const instead = blocked?.whole ? blockedAnswer(blocked, language) : fallback(knows, source, why);
      const held = instead ? check(JSON.stringify(instead)) : null;
      return held?.ok ? held : null;
    };
    const validation: TurnAnswer['validation'] = [];
    const attempt = async (before: Verdict | null): Promise<Verdict> => {
      const made = check(await loop.answer(before?.problems ?? [], before ? repairInstruction(before.problems, language) : null));
      validation.push({ attempt: validation.length + 1, tags: made.tags, problems: made.problems });
      return made;
    };
    let first: Verdict | null = null;
    let verdict: Verdict;
    try {
      // The model without a key searches by itself, as its recipes say.
      if (ports.model.kind !== 'deterministic') await loop.material(materialOf(belt, compiled.facts));
      verdict = first = await attempt(null);
      if (!first.ok) {
        const second = await attempt(first);
        verdict = better(first, second, completer(knows));
        // A model that said nothing that can be read at all is refused; one that said something wrong has still done its work.
        if (!verdict.output) verdict = standing(first.output !== null || second.output !== null, 'unchecked') ?? verdict;
      }
    } catch (error) {
      // What was found or started stands, and may have been paid for, whatever became of the words about it or of their repair.
      const stands =
        error instanceof TurnRefusal && error.code !== 'interrupted'
          ? ((first && trimmed(first, completer(knows))) ?? standing(true, 'cut'))
          : null;
      if (!stands) throw error;
      verdict = stands;
    } finally {
      queries = loop.done.queries;
    }
    if (!verdict.output) throw new TurnRefusal('answer_invalid', { tags: verdict.tags });

    const answer = finish({
      speaker,
      turn,
      compiled,
      belt,
      loop: loop.done,
      calls: calls.tabled,
      output: verdict.output,
      verdict,
      known: seen(),
      choice,
      slash,
      validation,
      ports,
      session,
      prompt: { index, prefix, context, block: await block() },
      durationMs: Math.round(now() - since),
    });
    for (const piece of pieces(answer.answer.text)) emit({ type: 'narration.delta', text: piece });
    if (answer.answer.decision) emit({ type: 'decision.proposed', decision: answer.answer.decision });
    await ports.threads.fold(speaker, turn.turnId, {
      state: answer.state,
      answer: answer.answer,
      usage: answer.usage,
      together: answer.answer.skills_used.map((one) => one.name),
      runs: calls.tabled.runs,
    });
    emit({ type: 'turn.finished', answer: answer.answer });
  } catch (error) {
    const refused =
      error instanceof TurnRefusal ? error : signal.aborted ? new TurnRefusal(timeout.aborted ? 'deadline' : 'interrupted') : null;
    if (!refused) throw error;
    const cost = session.cost();
    await ports.threads.refuse(speaker, turn.turnId, { status: refused.status, code: refused.code, params: refused.params }, cost);
    emit({
      type: 'turn.refused',
      turn_id: turn.turnId,
      status: refused.status,
      code: refused.code,
      params: refused.params,
      cost_micros: cost,
    });
  } finally {
    // 9 · Cost, always: a book that is kept only on good days lies in the direction that hurts.
    await ports.workspace.meter(speaker, turn.turnId, {
      queries,
      micros: session.cost(),
      known: session.known(),
      attempts: session.attempts,
    });
  }
};

/** A refusal is a name that is nothing, or not theirs: the message is read as it stands, and the router decides. */
const openedBySlash = (message: string, snapshot: Snapshot, belt: Belt): SlashOpened | LibraryRefusal | null => {
  try {
    return openBySlash(message, snapshot, belt);
  } catch (error) {
    if (error instanceof LibraryRefusal) return error;
    throw error;
  }
};

/** What the person typed comes first, then the router's sure choice, then what was open in the turn before if nothing else was asked for. */
const openChosen = (snapshot: Snapshot, belt: Belt, message: string, choice: Choice, compiled: Compiled, settled: boolean): void => {
  const tryOpen = (name: string, by: 'router', score: number): void => {
    try {
      belt.open(name, by, score);
    } catch (error) {
      if (!(error instanceof LibraryRefusal)) throw error;
    }
  };
  if (!settled && choice.decision === 'inject') for (const { name, confidence } of choice.candidates) tryOpen(name, 'router', confidence);
  if (!settled && compiled.state.asked !== null && mayAnswer(message, choice, compiled.state.skills))
    carryOver(compiled.state.skills, snapshot, belt);
};

/** The first round of searches of the recipes that are open from the start, by what is known. */
const materialOf = (belt: Belt, facts: Facts): MaterialCall[] => {
  const known = Object.fromEntries(
    Object.entries(facts).flatMap(([key, { value }]) => (value === null ? [] : [[key, value]])),
  ) as KnownFacts;
  return belt.loaded().flatMap(({ skill }) => materialCalls(skill, CATALOGUE, known));
};

interface Finish {
  speaker: Speaker;
  turn: TurnRequest;
  compiled: Compiled;
  belt: Belt;
  loop: ReturnType<typeof createLoop>['done'];
  calls: ReturnType<typeof createSessionCalls>['tabled'];
  output: TurnOutput;
  verdict: Verdict;
  known: Known;
  choice: Choice;
  slash: SlashOpened | null;
  validation: TurnAnswer['validation'];
  ports: AdaPorts;
  session: ReturnType<typeof createSession>;
  prompt: { index: string; prefix: string; context: { thread: string; state: string }; block: string };
  durationMs: number;
}

const finish = ({
  speaker,
  turn,
  compiled,
  belt,
  loop,
  calls,
  output,
  verdict,
  known,
  choice,
  validation,
  ports,
  session,
  prompt,
  durationMs,
}: Finish): { answer: TurnAnswer; state: ReturnType<typeof fold>['state']; usage: ReturnType<typeof countTurn> } => {
  const open = belt.loaded().map(({ skill }) => skill);
  const used = belt.used();
  const declined = choice.decision === 'clarify' ? [...compiled.state.declined, ...choice.options.map((one) => one.name)] : [];
  const folded = fold(compiled, loop, calls, output, used, open, declined, speaker.language, new Date().toISOString());
  const named = [...known.names].filter(([, name]) => name !== '');
  const names = new Map([
    ...named,
    ...[...compiled.board.list, ...compiled.board.selection, ...loop.rows.values()].map((row): [string, string] => [row.ref, row.name]),
  ]);
  const resolved = resolveAnchors(output.narration, names, known.anchors);
  const skipped = omitted(choice, used);
  // Of instructions alone: all tools are sent every time, so that a provider's cache holds.
  const instructions = instructionSaving(
    choice.shortlist.map(({ skill }) => skill),
    prompt.index,
    prompt.block,
  );
  const worked = new Set(loop.worked.filter((one) => one.ok).map((one) => one.name));
  const answer: TurnAnswer = {
    turn_id: turn.turnId,
    thread_id: speaker.thread,
    intent: output.intent,
    text: resolved.text,
    narration: output.narration,
    anchors: resolved.anchors,
    pregunta: output.pregunta,
    siguiente: output.siguiente,
    card: folded.card,
    decision: calls.decision,
    progress: calls.progress,
    stage: folded.state.stage,
    skills_used: used,
    skill_omitida: skipped,
    attempts: [...session.attempts],
    validation,
    model: { name: ports.model.name, kind: ports.model.kind },
    usage: {
      steps: loop.steps,
      tool_calls: loop.worked.length,
      searches: loop.searches,
      repairs: Math.max(0, validation.length - 1),
      model_calls: session.attempts.length,
      tokens_in: session.usage.in,
      tokens_out: session.usage.out,
      cost_micros: session.cost(),
      ttft_ms: session.ttft(),
      duration_ms: durationMs,
      prompt: {
        characters: characters(
          assemble({ manual: prompt.prefix, index: '', thread: prompt.context.thread, state: prompt.context.state, loaded: prompt.block }),
        ),
        saved_characters: instructions.saved,
        saved_tokens: instructions.tokensSaved,
      },
      unresolved_refs: resolved.unresolved,
      refs_available: verdict.refsAvailable,
    },
  };
  const usage = countTurn({
    skills: used,
    worked: new Set(open.filter((skill) => skill.tools.some((tool) => worked.has(tool))).map((skill) => skill.name)),
    closedAsDeclared: new Set(
      open.filter((skill) => folded.card?.kind === skill.cierra_con || skill.cierra_con === 'ninguna').map((skill) => skill.name),
    ),
    omitted: skipped.map((name) => ({ name, version: choice.shortlist.find(({ skill }) => skill.name === name)?.skill.version ?? '' })),
  });
  return { answer, state: folded.state, usage };
};

/** Words stay whole. */
const pieces = (text: string): string[] => {
  const found: string[] = [];
  let part = '';
  for (const word of text.split(/(?<=\s)/)) {
    part += word;
    if (part.length >= DELTA) {
      found.push(part);
      part = '';
    }
  }
  if (part) found.push(part);
  return found;
};
