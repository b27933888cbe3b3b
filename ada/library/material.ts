import type { ToolContract } from '../../contracts/tools/common.js';
import { allowedTools } from './trust.js';
import type { Skill } from './types.js';
import { escapeText } from './disclose/escape.js';

/**
 * Skills that declare material get a first round of searches before they run: without it the only place to take facts from is a model's memory.
 * What is found comes as a numbered table that the answer cites; what it does not cover is said to be not found.
 */

/** Searches of the first round. A turn may make three in all. */
export const ROUND = { estrecho: 2, amplio: 3 } as const;

/** What is known of the request: by the names that `requiere` uses. */
export type KnownFacts = Readonly<Partial<Record<'comprador' | 'producto' | 'giro' | 'estado' | 'tema', string>>>;
export interface MaterialCall {
  tool: string;
  args: Record<string, string>;
}

/** How a fact is called by the tools. */
const ARGUMENT: Readonly<Record<keyof KnownFacts, readonly string[]>> = {
  comprador: ['buyer'],
  producto: ['product', 'text'],
  giro: ['activity'],
  estado: ['state'],
  tema: ['query', 'text'],
};
/** Facts left out one at a time for a wider look, in this order. */
const WIDEN: ReadonlyArray<keyof KnownFacts> = ['estado', 'giro'];

const keysOf = (tool: ToolContract): Set<string> => new Set(Object.keys((tool.input as { shape?: Record<string, unknown> }).shape ?? {}));

/** `message` stands in for facts that the tool cannot be asked with; null: it may not. */
const argsFor = (tool: ToolContract, facts: KnownFacts, message: string | null): Record<string, string> | null => {
  const keys = keysOf(tool);
  const args: Record<string, string> = {};
  for (const [fact, names] of Object.entries(ARGUMENT)) {
    const value = facts[fact as keyof KnownFacts]?.trim();
    const key = names.find((name) => keys.has(name) && args[name] === undefined);
    if (value && key) args[key] = value;
  }
  if (Object.keys(args).length === 0) {
    const free = ['query', 'text'].find((name) => keys.has(name));
    if (!free || !message || message.trim() === '') return null;
    args[free] = [...message.trim()].slice(0, 200).join('');
  }
  // What the schema asks for beyond that is not ours to invent.
  return tool.input.safeParse(args).success ? args : null;
};

/**
 * The searches of the first round, or none when the skill declares nothing or its tools cannot be asked with what is known. Free tools
 * of the skill only, in its order; then the same without one filter.
 */
export const materialCalls = (skill: Skill, catalogue: readonly ToolContract[], facts: KnownFacts, message: string): MaterialCall[] => {
  if (skill.material === null) return [];
  const allowed = new Set(allowedTools(skill, catalogue));
  const searches = skill.tools.flatMap((name) =>
    catalogue.filter((tool) => tool.name === name && allowed.has(name) && tool.costo === 'gratis' && /search|retrieve/.test(name)),
  );
  const calls: MaterialCall[] = [];
  const add = (tool: ToolContract, known: KnownFacts, said: string | null): void => {
    const args = argsFor(tool, known, said);
    if (args && !calls.some((call) => call.tool === tool.name && JSON.stringify(call.args) === JSON.stringify(args)))
      calls.push({ tool: tool.name, args });
  };
  const limit = ROUND[skill.material];
  const wide = WIDEN.filter((fact) => facts[fact] !== undefined).map(
    (fact) => Object.fromEntries(Object.entries(facts).filter(([key]) => key !== fact)) as KnownFacts,
  );
  // The first that can be asked: one that cannot is no reason for no material.
  for (const tool of searches) if (skill.material === 'amplio' || calls.length === 0) add(tool, facts, message);
  // Wider only where it was asked in full, and with a filter left: the message is no wider look at the same thing.
  const asked = new Set(calls.map((call) => call.tool));
  for (const tool of searches) if (asked.has(tool.name)) for (const known of wide) add(tool, known, null);
  return calls.slice(0, limit);
};

export interface Fact {
  number: number;
  ref: string;
  text: string;
}

/** A line break in what was found would begin a row of its own making. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** One row per found thing, numbered from 1 in the order found; a ref that comes twice counts once. */
export const factTable = (rows: ReadonlyArray<{ ref: string; text: string }>): { facts: Fact[]; text: string } => {
  const seen = new Set<string>();
  const facts = rows
    .filter(({ ref }) => !seen.has(ref) && seen.add(ref))
    .map(({ ref, text }, i) => ({ number: i + 1, ref, text: oneLine(text) }));
  const body =
    facts.length === 0
      ? '(0)'
      : facts.map(({ number, ref, text }) => `[${number}] ${escapeText(text)} (${escapeText(oneLine(ref))})`).join('\n');
  return { facts, text: `<material>\n${body}\n</material>` };
};

/** Numbers cited as `[3]` or `[1, 3]`: which exist and which do not. An answer with material that cites nothing used none of it. */
export const citations = (answer: string, facts: readonly Fact[]): { cited: number[]; unknown: number[]; none: boolean } => {
  const numbers = [
    ...new Set(
      [...answer.matchAll(/\[(\d{1,3}(?:\s*(?:[,;]|y|and)\s*\d{1,3})*)\]/g)].flatMap((match) =>
        (match[1]?.match(/\d+/g) ?? []).map(Number),
      ),
    ),
  ].sort((a, b) => a - b);
  const known = new Set(facts.map((fact) => fact.number));
  const cited = numbers.filter((number) => known.has(number));
  return { cited, unknown: numbers.filter((number) => !known.has(number)), none: facts.length > 0 && cited.length === 0 };
};
