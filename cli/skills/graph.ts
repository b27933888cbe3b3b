import type { Snapshot } from '../../ada/library/types.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';

export interface SkillNode {
  id: string;
  kind: 'skill';
  name: string;
  category: string | null;
  version: string;
  costo: string;
  description: string;
}
export interface ToolNode {
  id: string;
  kind: 'tool';
  name: string;
  costo: string | null;
  scope: string | null;
}
export interface Edge {
  from: string;
  to: string;
  kind: 'tool' | 'background' | 'siguiente' | 'together';
  times?: number;
}
export interface Graph {
  skills: SkillNode[];
  tools: ToolNode[];
  edges: Edge[];
}
export interface Together {
  a: string;
  b: string;
  times: number;
}

const skillId = (name: string): string => `skill:${name}`;
const toolId = (name: string): string => `tool:${name}`;

/** What a library's skills call, lead to, and are used with. The same library gives the same graph, in the same order. */
export const graphOf = (snapshot: Snapshot, together: readonly Together[] = []): Graph => {
  const sorted = [...snapshot.skills.values()].sort((a, b) =>
    (a.category ?? '') < (b.category ?? '') ? -1 : (a.category ?? '') > (b.category ?? '') ? 1 : a.name < b.name ? -1 : 1,
  );
  const there = new Set(sorted.map(({ name }) => name));
  const contracts = new Map(CATALOGUE.map((tool) => [tool.name, tool]));
  const edges = sorted.flatMap((skill): Edge[] => [
    ...skill.tools.map((tool): Edge => ({ from: skillId(skill.name), to: toolId(tool), kind: 'tool' })),
    ...skill.backgroundTools.map((tool): Edge => ({ from: skillId(skill.name), to: toolId(tool), kind: 'background' })),
    ...skill.siguiente
      .filter((name) => there.has(name) && name !== skill.name)
      .map((name): Edge => ({ from: skillId(skill.name), to: skillId(name), kind: 'siguiente' })),
  ]);
  const used = [...new Set(edges.filter(({ to }) => to.startsWith('tool:')).map(({ to }) => to.slice(5)))].sort();
  return {
    skills: sorted.map(({ name, category, version, costo, description }) => ({
      id: skillId(name),
      kind: 'skill',
      name,
      category,
      version,
      costo,
      description,
    })),
    tools: used.map((name) => ({
      id: toolId(name),
      kind: 'tool',
      name,
      costo: contracts.get(name)?.costo ?? null,
      scope: contracts.get(name)?.scope ?? null,
    })),
    edges: [
      ...edges,
      ...together
        .filter(({ a, b }) => there.has(a) && there.has(b))
        .map(({ a, b, times }): Edge => ({ from: skillId(a), to: skillId(b), kind: 'together', times })),
    ],
  };
};
