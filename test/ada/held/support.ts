import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SKILLS } from '../../../contracts/states.js';
import { LIMIT_KINDS, type TurnAnswer } from '../../../contracts/turn.js';
import type { Case } from '../../../evals/routing/cases.js';
import { Chat } from '../deterministic/chat.js';
import { companies } from '../deterministic/talk.js';

/** One message as sellers write it, and what must come of it. */
const Held = z
  .object({
    id: z.string(),
    kind: z.enum(['misspelt', 'long', 'follow-up', 'no-control', 'control', 'limit', 'none']),
    message: z.string().min(1),
    /** Said before it; a campaign that is open. */
    after: z.array(z.string()).default([]),
    run: z.union([z.literal(true), z.literal('paused')]).optional(),
    /** The recipe that answers, with what its last call is narrowed by; a limit's kind; no recipe at all; the one control. */
    skill: z.enum(SKILLS).optional(),
    args: z.record(z.string(), z.string()).optional(),
    limit: z.enum(LIMIT_KINDS).optional(),
    none: z.literal(true).optional(),
    control: z.enum(['pause', 'resume', 'cancel', 'replan']).optional(),
  })
  .strict();
export type Held = z.infer<typeof Held>;

const linesOf = (file: string): unknown[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
/** `messages` was written before anything was changed for it, `second` after that and before its own run. */
export const readHeld = (set: 'messages' | 'second' = 'messages'): Held[] => linesOf(`./${set}.jsonl`).map((one) => Held.parse(one));

export const skillsOf = (answer: TurnAnswer): string[] => answer.skills_used.map((one) => one.name);

/** What went wrong with a message of the held-out set; null when nothing did. Figures and anchors of every answer are held too. */
export const faultOf = async (one: Held): Promise<string | null> => {
  const chat = new Chat();
  if (one.run) chat.addRun('50 · compras · empaque', one.run === 'paused' ? 'paused' : 'running', 10, 50, false);
  for (const before of one.after) await chat.say(before);
  chat.tools.calls.splice(0);
  chat.controls.splice(0);
  const answer = await chat.say(one.message);
  const skills = skillsOf(answer);
  const said = `${answer.intent.kind} [${skills.join(' ')}] ${chat.controls.join(',')} ${JSON.stringify(chat.tools.calls.map((call) => call.args)).slice(0, 300)}`;
  if (answer.validation.some((attempt) => attempt.problems.length > 0)) return `invalid: ${said}`;
  const controls = chat.controls.map((control) => control.split(' ')[0]);
  if (JSON.stringify(controls) !== JSON.stringify(one.control ? [one.control] : [])) return `control: ${said}`;
  if (one.limit)
    return answer.intent.kind === 'limite' && answer.intent.falta === one.limit && answer.siguiente !== null ? null : `limit: ${said}`;
  if (answer.intent.kind === 'limite' && (one.skill !== undefined || one.none)) return `limit: ${said}`;
  if (one.none) return skills.length === 0 ? null : `skills: ${said}`;
  if (one.skill !== undefined && !skills.includes(one.skill)) return `skill: ${said}`;
  if (one.args && !chat.tools.calls.some(({ args }) => Object.entries(one.args ?? {}).every(([key, value]) => args[key] === value)))
    return `args: ${said}`;
  return null;
};

/** What the recipe of the turn before asked of its tool. */
const ASKED_BEFORE: Readonly<Record<string, { tool: string; args: Record<string, unknown> }>> = {
  'cuantos-hay': { tool: 'market_count_suppliers', args: { activity: 'empaque' } },
  'buscar-empresas-y-proveedores': { tool: 'market_search_suppliers', args: { activity: 'empaque' } },
  'quien-le-ha-vendido': { tool: 'market_search_awards', args: { buyer: 'IMSS', product: 'uniformes' } },
  'senales-y-oportunidades': { tool: 'market_search_opportunities', args: { text: 'uniformes', status: 'open' } },
};

/** One case of the routing corpus through a whole turn, in its state: the recipes that were opened. */
export const openedBy = async (one: Case): Promise<{ skills: string[]; intent: string; controls: string[] }> => {
  const chat = new Chat();
  const { state } = one;
  if (state?.run) chat.addRun('50 · compras · empaque', 'running', 10, 50, false);
  if (state?.selection || state?.stage === 'con_seleccion' || state?.stage === 'con_lista') {
    const rows = await companies(chat, 'empaque', 'Jalisco', 5);
    chat.state.board = { ...chat.state.board, list: rows, selection: state.stage === 'con_lista' ? [] : rows };
  }
  if ((state?.pending?.length ?? 0) > 0 || state?.stage === 'decision_pendiente') {
    const id = chat.addRun('50 · compras · empaque', 'waiting_decision', 0, 50, true);
    chat.state.board = { ...chat.state.board, pending: [{ decision_id: `dec_${id}`, kind: 'ajustar_presupuesto', run_id: id }] };
  }
  if (state?.last)
    chat.state.board = {
      ...chat.state.board,
      runs: [
        {
          ref: 'run:x-1',
          ...(ASKED_BEFORE[state.last] ?? { tool: 'collection_query', args: { op: 'query', collection: 'pipeline' } }),
          total: 80,
          shown: 10,
          skill: state.last,
          at: '2026-11-30T12:00:00.000Z',
          next_cursor: null,
          seen: 10,
        },
      ],
    };
  const answer = await chat.say(one.message);
  return { skills: skillsOf(answer), intent: answer.intent.kind, controls: chat.controls };
};
