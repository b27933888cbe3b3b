import { z } from 'zod';
import { edits } from '../../text/nearest.js';
import { toolsIn } from '../../read/body.js';
import { type Skill } from '../../types.js';
import { BACKGROUND, bodyOf, IN_SESSION, report, type Rule, TOOLS } from '../rule.js';

/** Names of arguments and results: in backticks they are fields, however much they look like tools. */
const FIELDS = (() => {
  const names = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node as Record<string, unknown>)) {
      if (key === 'properties' && typeof value === 'object' && value !== null) for (const name of Object.keys(value)) names.add(name);
      if (key === 'enum' && Array.isArray(value)) for (const name of value) names.add(String(name));
      collect(value);
    }
  };
  let ready = false;
  return (): ReadonlySet<string> => {
    if (!ready)
      for (const t of TOOLS.values())
        for (const schema of [t.input, t.output]) collect(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
    ready = true;
    return names;
  };
})();

const within = (parts: readonly string[], all: readonly string[]): boolean => {
  let i = 0;
  for (const part of all) if (part === parts[i]) i++;
  return i === parts.length;
};
/** The tool that a name seems to mean: a few letters off, or some of its words. */
const meant = (name: string): string | null => {
  if (TOOLS.has(name) || IN_SESSION.has(name) || FIELDS().has(name)) return null;
  for (const tool of [...TOOLS.keys(), ...IN_SESSION]) {
    if (name.length > 6 && edits(name, tool, 2) <= 2) return tool;
    const parts = name.split('_');
    if (parts.length >= 2 && within(parts, tool.split('_'))) return tool;
  }
  return null;
};
const SPAN = /`([a-z]{1,20}(?:_[a-z]{1,20}){1,5})\b[^`\n]{0,300}`/g;

const lineOf = (text: string, part: string): number => text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length;

/** No tool is named that the turn would not have: a model that reads of one will call it. */
export const toolsNamed: Rule = {
  codes: ['tool_not_allowed', 'tool_name_wrong'],
  check: (skill, library) => {
    const found = report(skill, library);
    // The step that hands over to a campaign may say what runs there.
    const background = bodyOf(skill)
      .steps.filter((s) => s.text.includes(BACKGROUND) || /segundo plano/i.test(s.text))
      .map((s) => s.text);
    const inBackground = new Set(background.flatMap(toolsIn));
    const text = background.reduce((rest, step) => rest.replace(step, ''), skill.body);
    const body = [...toolsIn(text).map((tool) => [tool, false] as const), ...[...inBackground].map((tool) => [tool, true] as const)];
    for (const tool of new Set(body.filter(([tool, there]) => !allowed(skill, tool, there)).map(([tool]) => tool))) {
      found.error('tool_not_allowed', { at: lineOf(skill.body, `\`${tool}`), params: { tool } });
    }
    for (const r of skill.references) {
      for (const tool of toolsIn(r.text ?? '')) {
        if (!allowed(skill, tool, r.name === BACKGROUND))
          found.error('tool_not_allowed', { reference: r.name, line: lineOf(r.text!, `\`${tool}`), params: { tool } });
      }
    }
    for (const [reference, content] of [
      [undefined, skill.body],
      ...skill.references.map((r) => [r.name, r.text ?? ''] as const),
    ] as const) {
      for (const name of new Set([...content.matchAll(SPAN)].map((m) => m[1]!))) {
        const tool = meant(name);
        const line = lineOf(content, `\`${name}`);
        if (tool)
          found.error('tool_name_wrong', { ...(reference === undefined ? { at: line } : { reference, line }), params: { name, tool } });
      }
    }
    return found.problems;
  },
};
const allowed = (skill: Skill, tool: string, background: boolean): boolean =>
  IN_SESSION.has(tool) || skill.tools.includes(tool) || (background && skill.backgroundTools.includes(tool));
