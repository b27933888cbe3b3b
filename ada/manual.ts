import { readFileSync } from 'node:fs';
import { BUDGET } from './library/disclose/budget.js';
import { characters, escapeText } from './library/disclose/escape.js';
import { inTag, readable, type Wrapped } from './library/scan/provenance.js';
import type { Stage } from '../contracts/turn.js';
import { blockedText, type Blocked } from './blocked.js';
import type { Compiled } from './compile.js';
import stages from './manual/stages.json' with { type: 'json' };

/** The static part: the same bytes in every turn. Longer than its budget, this module does not load. */
export const MANUAL = readFileSync(new URL('./manual/base.md', import.meta.url), 'utf8').trim();
const STAGE_TEXT: Record<Stage, string> = stages;
const fixed = characters(MANUAL) + Math.max(...Object.values(STAGE_TEXT).map(characters));
if (fixed > BUDGET.fixed) throw new Error(`ada/manual takes ${fixed} of ${BUDGET.fixed} characters: shorten it`);

const oneLine = (text: string, max: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line].length <= max ? line : `${[...line].slice(0, max - 1).join('')}…`;
};

interface Section {
  name: 'thread' | 'memory' | 'coverage' | 'profile' | 'rule';
  text: string;
}

const threadLines = (compiled: Compiled): string[] =>
  compiled.past.map(({ message, narration }) => `- persona: ${oneLine(message, 160)}\n  Ada: ${oneLine(narration, 220)}`);

const board = ({ board: b }: Compiled): string =>
  [
    b.selection.length > 0
      ? `Selección: ${b.selection.length} (${b.selection
          .slice(0, 5)
          .map((row) => `[[${row.ref}]]`)
          .join(' ')})`
      : '',
    b.list.length > 0
      ? `Lista a la vista: ${b.list.length} (${b.list
          .slice(0, 5)
          .map((row) => `[[${row.ref}]]`)
          .join(' ')})`
      : '',
    ...b.runs.slice(-3).map((run) => {
      const { cursor: _cursor, ...args } = run.args;
      return `Consulta [[${run.ref}]]: ${oneLine(JSON.stringify(args), 140)}, ${run.seen ?? run.shown} de ${run.total ?? '?'}${run.next_cursor ? '; «más» sigue con la misma consulta' : ''}`;
    }),
    ...b.pending.slice(0, 5).map((p) => `Espera un toque: [[decision:${p.decision_id}]] ${p.kind}`),
    b.plan
      ? `Plan: ${oneLine(b.plan.objetivo, 120)} · ${b.plan.pasos.map((paso) => `${paso.skill} ${paso.status}${paso.conteo ? ` (${paso.conteo})` : ''}`).join('; ')}`
      : '',
  ]
    .filter(Boolean)
    .join('\n');

const runs = ({ runs: list }: Compiled): string =>
  list
    .slice(0, 4)
    .map(
      (run) => `Campaña abierta [[run:${run.run_id}]]: ${run.state}, ${run.counts.done} de ${run.counts.total} cuentas con persona elegida`,
    )
    .join('\n');

const facts = ({ facts: known }: Compiled): string => {
  const by = (status: 'dicho' | 'perfil'): string =>
    Object.entries(known)
      .filter(([, fact]) => fact.status === status)
      .map(([key, fact]) => `${key}: ${oneLine(fact.value ?? '', 80)}`)
      .join(' · ');
  const missing = Object.entries(known)
    .filter(([, fact]) => fact.status === 'faltante')
    .map(([key]) => key)
    .join(' ');
  return [by('dicho') ? `Dicho: ${by('dicho')}` : '', by('perfil') ? `Perfil: ${by('perfil')}` : '', missing ? `Faltante: ${missing}` : '']
    .filter(Boolean)
    .join('\n');
};

/** About 300 characters of the workspace: collections by stage, sequences, mailbox, three balances. */
export const summaryText = ({ summary: s }: Pick<Compiled, 'summary'>): string =>
  oneLine(
    [
      ...s.collections.slice(0, 3).map(
        (c) =>
          `${c.name}: ${c.total} (${c.stages
            .slice(0, 5)
            .map((stage) => `${stage.stage} ${stage.n}`)
            .join(', ')})`,
      ),
      `secuencias: ${s.sequences.draft} por revisar, ${s.sequences.approved} aprobadas`,
      s.mailbox === null ? '' : s.mailbox ? 'buzón conectado' : 'sin buzón',
      `saldos: ${s.balances.credits} créditos, ${s.balances.queries} consultas, ${Math.floor(s.balances.inference / 10_000) / 100} USD de inferencia`,
    ]
      .filter(Boolean)
      .join(' · '),
    420,
  );

export interface Context {
  thread: string;
  state: string;
  leftOut: string[];
}

/**
 * 3 · Thread and state of this turn, within `room` characters. What does not fit gives way in a fixed order (thread from its oldest turn, memory,
 * coverage, profile) and is named; a rule never is.
 */
export const contextText = (compiled: Compiled, room: number, blocked: Blocked | null = null): Context => {
  const lines = threadLines(compiled);
  const sections: Section[] = [
    { name: 'rule', text: [STAGE_TEXT[compiled.stage], blocked ? blockedText(blocked) : ''].filter(Boolean).join('\n') },
    { name: 'profile', text: facts(compiled) },
    { name: 'coverage', text: summaryText(compiled) },
    { name: 'memory', text: [board(compiled), runs(compiled)].filter(Boolean).join('\n') },
  ];
  const leftOut: string[] = [];
  const state = (): string =>
    `<state>\n${sections
      .filter((section) => section.text !== '')
      .map((section) => section.text)
      .join('\n')}\n</state>`;
  const thread = (): string => (lines.length > 0 ? wrapped(lines) : '');
  // Looking through a thread takes a while: again only when lines had to go, and then for as many as it is over.
  let shown = thread();
  const over = (): number => characters(shown) + characters(state()) + 4 - room;
  for (let left = over(); left > 0 && lines.length > 0; left = over()) {
    for (let gone = 0; gone < left && lines.length > 0;) gone += characters(escapeText(lines.shift() ?? '')) + 1;
    if (!leftOut.includes('thread')) leftOut.push('thread');
    shown = thread();
  }
  for (const name of ['memory', 'coverage', 'profile'] as const) {
    if (over() <= 0) break;
    const section = sections.find((one) => one.name === name);
    if (section && section.text !== '') {
      section.text = '';
      leftOut.push(name);
    }
  }
  return { thread: shown, state: state(), leftOut };
};

/** Exchanges that were looked through before: what was said stays as it is, and comes again with every turn after it. */
const looked = new Map<string, Wrapped>();
const LOOKED_MAX = 2_000;
const lookedThrough = (text: string): Wrapped => {
  const known = looked.get(text) ?? readable({ source: 'crm', ref: 'thread', text });
  looked.delete(text);
  looked.set(text, known);
  const oldest = looked.keys().next();
  if (looked.size > LOOKED_MAX && !oldest.done) looked.delete(oldest.value);
  return known;
};
/** Words of people and of past answers: data, with where they come from. */
const wrapped = (exchanges: readonly string[]): string => inTag({ source: 'crm', ref: 'thread', parts: exchanges.map(lookedThrough) }).text;
