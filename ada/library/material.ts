import type { ToolContract } from '../../contracts/tools/common.js';
import { allowedTools } from './trust.js';
import type { Skill } from './types.js';

/**
 * Recipes that declare `material` get a first round of searches before a model works by them: without it the only place to take facts
 * from is the model's memory. What is found comes with its anchors, which is what an answer is held against; what was looked for in vain
 * comes as an empty list, which is how an answer may say that it was not found (seed 001).
 */

/** Searches of the first round. A turn may make three in all: the model keeps at least one. */
export const ROUND = { estrecho: 1, amplio: 2 } as const;

/** What is known of the request: by the names that `requiere` uses. */
export type KnownFacts = Readonly<Partial<Record<'comprador' | 'producto' | 'giro' | 'estado', string>>>;
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
};
/** Facts left out one at a time for a wider look, in this order. */
const WIDEN: ReadonlyArray<keyof KnownFacts> = ['estado', 'giro'];

const keysOf = (tool: ToolContract): Set<string> => new Set(Object.keys((tool.input as { shape?: Record<string, unknown> }).shape ?? {}));

const argsFor = (tool: ToolContract, facts: KnownFacts): Record<string, string> | null => {
  const keys = keysOf(tool);
  const args: Record<string, string> = {};
  for (const [fact, names] of Object.entries(ARGUMENT)) {
    const value = facts[fact as keyof KnownFacts]?.trim();
    const key = names.find((name) => keys.has(name) && args[name] === undefined);
    if (value && key) args[key] = value;
  }
  // With nothing known there is nothing to ask; and what the schema asks for beyond that is not ours to invent.
  return Object.keys(args).length > 0 && tool.input.safeParse(args).success ? args : null;
};

/**
 * The searches of the first round, in the order in which they are made while nothing is found; none when the recipe declares nothing or its
 * tools cannot be asked with what is known. Free searches of the recipe only, in its order: `estrecho` asks the first that can be asked,
 * `amplio` then the same without one filter, and then the next.
 */
export const materialCalls = (skill: Skill, catalogue: readonly ToolContract[], facts: KnownFacts): MaterialCall[] => {
  if (skill.material === null) return [];
  const allowed = new Set(allowedTools(skill, catalogue));
  const searches = skill.tools.flatMap((name) =>
    catalogue.filter((tool) => tool.name === name && allowed.has(name) && tool.costo === 'gratis' && /search|retrieve/.test(name)),
  );
  const calls: MaterialCall[] = [];
  const add = (tool: ToolContract, known: KnownFacts): void => {
    const args = argsFor(tool, known);
    if (args && !calls.some((call) => call.tool === tool.name && JSON.stringify(call.args) === JSON.stringify(args)))
      calls.push({ tool: tool.name, args });
  };
  // A product says more than the trade that it belongs to, and both together find what is filed under both only.
  const full = Object.fromEntries(
    Object.entries(facts).filter(([key, value]) => value !== undefined && (key !== 'giro' || !facts.producto)),
  ) as KnownFacts;
  const wide = WIDEN.filter((fact) => full[fact] !== undefined).map(
    (fact) => Object.fromEntries(Object.entries(full).filter(([key]) => key !== fact)) as KnownFacts,
  );
  for (const tool of searches) {
    // The first that can be asked: one that cannot is no reason for no material.
    if (skill.material === 'estrecho' && calls.length > 0) break;
    const before = calls.length;
    add(tool, full);
    if (calls.length > before) for (const known of wide) add(tool, known);
  }
  return calls.slice(0, ROUND[skill.material]);
};
