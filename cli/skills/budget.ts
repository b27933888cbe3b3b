import { z } from 'zod';
import { TOP } from '../../ada/library/choose/retrieve.js';
import { BUDGET, MAX_OPEN, measure, SEPARATOR } from '../../ada/library/disclose/budget.js';
import { characters } from '../../ada/library/disclose/escape.js';
import { indexBlock, SHORT_LIST_MAX } from '../../ada/library/disclose/index-block.js';
import { loadedBlock, type Loaded } from '../../ada/library/disclose/loaded-block.js';
import { instructionSaving, toolSaving, type Saving, type ToolSchema } from '../../ada/library/disclose/savings.js';
import { LIBRARY_TOOLS } from '../../ada/library/gate/session-tools.js';
import { substitution } from '../../ada/library/read/variables.js';
import { allowedTools } from '../../ada/library/trust.js';
import type { Skill, Snapshot } from '../../ada/library/types.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';

const schemaOf = ({ name, description, input }: { name: string; description: string; input: z.ZodType }): ToolSchema => ({
  name,
  description,
  schema: z.toJSONSchema(input, { io: 'input' }),
});
const SCHEMAS = new Map(CATALOGUE.map((tool) => [tool.name, schemaOf(tool)]));
/** The schemas that a skill's opening brings. */
export const toolsOf = (skill: Skill): ToolSchema[] => allowedTools(skill, CATALOGUE).flatMap((name) => SCHEMAS.get(name) ?? []);

export interface Level {
  open: string[];
  instructions: Saving;
  tools: Saving;
}
export interface Budget {
  skills: number;
  /** Characters. `fixed` is its ceiling: the manual may not be longer; so is `index` of a library that is shown as a short list. */
  fixed: number;
  index: number;
  context: number;
  total: number;
  limit: number;
  fits: boolean;
  limits: typeof BUDGET;
  bodies: Array<{ name: string; body: number; references: number }>;
  /** The two that take most together, as they stand in the prompt; and what is left for thread and state beside them. */
  pair: { names: string[]; loaded: number; bodies: number; contextLeft: number };
  /** `pair`: of the two that bring most schemas; those that are always there are apart, and on both sides of what is saved. */
  tools: { always: number; all: number; pair: number };
  /** With nothing open, the largest body, the two of most characters, the two that bring most schemas: against everything always. */
  savings: Level[];
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
const uniqueTools = (tools: readonly ToolSchema[]): ToolSchema[] => [...new Map(tools.map((tool) => [tool.name, tool])).values()];
const sizeOf = (tools: readonly ToolSchema[]): number => toolSaving(tools, tools).shown;
/** In a large library only the largest bodies can make the worst pair. */
const LOOKED_AT = 24;

/** What a prompt of this library takes at most, part by part. `schemas` gives what opening a skill brings. */
export const budgetOf = (snapshot: Snapshot, schemas: (skill: Skill) => ToolSchema[] = toolsOf): Budget => {
  const skills = [...snapshot.skills.values()].sort(byName);
  const variables = substitution(snapshot, 'sesion');
  const block = (open: readonly Skill[]): string =>
    loadedBlock(
      snapshot,
      open.map((skill): Loaded => ({ skill, by: 'model' })),
      variables,
    );
  // What a short list shows depends on the message; how long it may get does not.
  const index = skills.length <= TOP ? indexBlock(skills) : 'x'.repeat(SHORT_LIST_MAX);

  const large = [...skills].sort((a, b) => characters(b.body) - characters(a.body) || byName(a, b)).slice(0, LOOKED_AT);
  let worst: Skill[] = large.slice(0, 1);
  let loaded = worst.length > 0 ? block(worst) : '';
  for (const [i, one] of large.entries()) {
    for (const other of large.slice(i + 1)) {
      if (MAX_OPEN < 2 || characters(one.body) + characters(other.body) > BUDGET.bodies) continue;
      const both = [one, other].sort(byName);
      const text = block(both);
      if (worst.length < 2 || characters(text) > characters(loaded)) [worst, loaded] = [both, text];
    }
  }
  const parts = measure({ manual: 'x'.repeat(BUDGET.fixed), index, thread: '', state: '', loaded });
  const contextLeft = BUDGET.total - parts.total - 2 * SEPARATOR.length;
  // Thread and state give way to what is open: they take their part or what is left of it.
  const context = Math.max(0, Math.min(BUDGET.context, contextLeft));
  const total = parts.total + context + 2 * SEPARATOR.length;

  const all = uniqueTools(skills.flatMap(schemas));
  const doors = LIBRARY_TOOLS.map(schemaOf);
  const level = (open: readonly Skill[]): Level => ({
    open: open.map(({ name }) => name),
    instructions: instructionSaving(skills, index, open.length > 0 ? block(open) : ''),
    tools: toolSaving([...doors, ...uniqueTools(open.flatMap(schemas))], [...doors, ...all]),
  });
  const brings = (pair: readonly Skill[]): number => sizeOf(uniqueTools(pair.flatMap(schemas)));
  const most = [...skills].sort((a, b) => brings([b]) - brings([a]) || byName(a, b)).slice(0, LOOKED_AT);
  const widest = most
    .flatMap((one, i) => most.slice(i + 1).map((other) => [one, other].sort(byName)))
    .filter((pair) => pair.reduce((sum, { body }) => sum + characters(body), 0) <= BUDGET.bodies)
    .reduce<Skill[]>((best, pair) => (brings(pair) > brings(best) ? pair : best), []);
  return {
    skills: skills.length,
    fixed: BUDGET.fixed,
    index: characters(index),
    context,
    total,
    limit: BUDGET.total,
    fits: contextLeft >= 0 && (skills.length > TOP || characters(index) <= BUDGET.index),
    limits: BUDGET,
    bodies: skills.map((skill) => ({
      name: skill.name,
      body: characters(skill.body),
      references: skill.references.reduce((sum, r) => sum + (r.name.startsWith('references/') ? characters(r.text ?? '') : 0), 0),
    })),
    pair: {
      names: worst.map(({ name }) => name),
      loaded: characters(loaded),
      bodies: worst.reduce((sum, skill) => sum + characters(skill.body), 0),
      contextLeft,
    },
    tools: { always: sizeOf(doors), all: sizeOf(all), pair: brings(widest) },
    savings: [
      level([]),
      level(large.slice(0, 1)),
      ...(worst.length > 1 ? [level(worst)] : []),
      ...(widest.length > 1 && widest.some((skill, i) => skill !== worst[i]) ? [level(widest)] : []),
    ],
  };
};
