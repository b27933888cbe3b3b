import type { Edge, Graph } from './graph.js';

/** Words of the drawing, in the person's language. */
export interface SvgWords {
  title: string;
  description: string;
  tool: string;
  background: string;
  siguiente: string;
  together: string;
  none: string;
  cost: (code: string) => string;
}

const ROW = 34;
const BOX = 24;
const TOP = 64;
const CHAR = 7.3;
const GAP = 230;
const escape = (text: string): string =>
  text
    .replace(/[\p{Cc}]/gu, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
const boxWidth = (names: readonly string[]): number => Math.round(Math.max(12, ...names.map((name) => [...name].length)) * CHAR + 24);

const STYLE = `
  svg { --ink: #1d2330; --soft: #5b6475; --paper: #ffffff; --box: #f2f4f8; --line: #c9d0dc; --tool: #2f6fde; --ground: #c2571a; --next: #1f8a5b; --pair: #8a4fc8; font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  @media (prefers-color-scheme: dark) { svg { --ink: #e7eaf0; --soft: #9aa4b6; --paper: #12151b; --box: #1e232d; --line: #3a4353; --tool: #79a7ff; --ground: #f0985f; --next: #5fd39d; --pair: #c79bf5; } }
  .paper { fill: var(--paper); } text { fill: var(--ink); } .soft { fill: var(--soft); } rect.node { fill: var(--box); stroke: var(--line); }
  path { fill: none; stroke-width: 1.3; opacity: .75; } path:hover { opacity: 1; stroke-width: 3; }
  .tool { stroke: var(--tool); } .background { stroke: var(--ground); stroke-dasharray: 5 4; } .siguiente { stroke: var(--next); } .together { stroke: var(--pair); stroke-dasharray: 1 4; stroke-linecap: round; }
  .head { fill: var(--next); }`;

/**
 * Skills in a column by category, tools in another by the middle of those who call them; what leads to what as arcs on the left. Self-contained, the
 * same bytes for the same graph.
 */
export const drawSvg = (graph: Graph, words: SvgWords): string => {
  const place = new Map<string, number>();
  const categories: Array<{ name: string; y: number }> = [];
  // Both columns are as high as the longer one.
  const rows = graph.skills.length + new Set(graph.skills.map(({ category }) => category)).size;
  const row = Math.max(ROW, Math.floor((graph.tools.length * ROW) / Math.max(1, rows)));
  let y = TOP;
  for (const [i, skill] of graph.skills.entries()) {
    const category = skill.category ?? words.none;
    if (i === 0 || (graph.skills[i - 1]?.category ?? words.none) !== category) {
      categories.push({ name: category, y: y + row - 22 });
      y += row;
    }
    place.set(skill.id, y);
    y += row;
  }
  const height = y;
  // The middle of its callers; then spread over the height in that order.
  const callers = (id: string): number[] => graph.edges.filter((edge) => edge.to === id).map((edge) => place.get(edge.from) ?? 0);
  const middle = new Map(
    graph.tools.map(({ id }) => {
      const at = callers(id);
      return [id, at.reduce((sum, one) => sum + one, 0) / Math.max(1, at.length)];
    }),
  );
  const tools = [...graph.tools].sort((a, b) => (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0) || (a.name < b.name ? -1 : 1));
  const step = Math.max(ROW, (height - TOP) / Math.max(1, tools.length));
  tools.forEach(({ id }, i) => place.set(id, Math.round(TOP + step * i + step / 2 - BOX / 2)));
  const bottom = Math.round(Math.max(height, TOP + step * tools.length));

  const reach = (edge: Edge): number =>
    Math.round(Math.min(260, 26 + Math.abs((place.get(edge.from) ?? 0) - (place.get(edge.to) ?? 0)) * 0.42));
  const arcs = graph.edges.filter(({ kind }) => kind === 'siguiente' || kind === 'together');
  const left = Math.max(150, ...arcs.map((edge) => Math.round(reach(edge) * 0.78) + 24));
  const skillWidth = boxWidth(graph.skills.map(({ name }) => name));
  const toolLeft = left + skillWidth + GAP;
  const toolWidth = boxWidth(graph.tools.map(({ name }) => name));
  const width = toolLeft + toolWidth + 24;
  const nameOf = (id: string): string => id.slice(id.indexOf(':') + 1);

  const path = (edge: Edge): string => {
    const a = (place.get(edge.from) ?? 0) + BOX / 2;
    const b = (place.get(edge.to) ?? 0) + BOX / 2;
    const label =
      edge.kind === 'together'
        ? `${nameOf(edge.from)} + ${nameOf(edge.to)} × ${edge.times ?? 0}`
        : `${nameOf(edge.from)} → ${nameOf(edge.to)}`;
    const title = `<title>${escape(`${words[edge.kind]}: ${label}`)}</title>`;
    if (edge.kind === 'tool' || edge.kind === 'background') {
      const [from, to] = [left + skillWidth, toolLeft];
      // Apart, since one tool may be both.
      const [c, d] = edge.kind === 'tool' ? [a - 2, b - 2] : [a + 4, b + 4];
      return `<path class="${edge.kind}" d="M${from} ${c} C${from + GAP / 2} ${c} ${to - GAP / 2} ${d} ${to} ${d}">${title}</path>`;
    }
    const out = left - reach(edge);
    // Leaves above the middle and arrives below it, so that going and coming back are two lines.
    const [from, to] = edge.kind === 'siguiente' ? [a - 5, b + 5] : [a, b];
    const arrow = edge.kind === 'siguiente' ? `<path class="head" d="M${left - 1} ${to} l-7 -3.5 v7 z" stroke="none"/>` : '';
    const thick =
      edge.kind === 'together' ? ` style="stroke-width:${Math.min(5, 1.5 + Math.log2(1 + (edge.times ?? 0)) / 2).toFixed(1)}"` : '';
    return `<path class="${edge.kind}"${thick} d="M${left} ${from} C${out} ${from} ${out} ${to} ${left - (arrow ? 6 : 0)} ${to}">${title}</path>${arrow}`;
  };
  const box = (id: string, x: number, w: number, title: string): string =>
    `<g><title>${escape(title)}</title><rect class="node" x="${x}" y="${place.get(id) ?? 0}" width="${w}" height="${BOX}" rx="5"/><text x="${x + 12}" y="${(place.get(id) ?? 0) + 16}">${escape(nameOf(id))}</text></g>`;
  const kinds = (['tool', 'background', 'siguiente', 'together'] as const).filter((kind) => graph.edges.some((edge) => edge.kind === kind));
  const legend = kinds.map(
    (kind, i) =>
      `<g transform="translate(${24 + i * 190} ${bottom + 28})"><path class="${kind}" d="M0 -4 h28"/><text class="soft" x="36">${escape(words[kind])}</text></g>`,
  );

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" viewBox="0 0 ${Math.max(width, 24 + kinds.length * 190)} ${bottom + 52}" width="${Math.max(width, 24 + kinds.length * 190)}" height="${bottom + 52}">`,
    `<title id="t">${escape(words.title)}</title>`,
    `<desc id="d">${escape(words.description)}</desc>`,
    `<style>${STYLE}\n</style>`,
    '<rect class="paper" width="100%" height="100%"/>',
    `<text x="24" y="32" style="font-size:16px;font-weight:600">${escape(words.title)}</text>`,
    ...graph.edges.map(path),
    ...categories.map(({ name, y: at }) => `<text class="soft" x="${left}" y="${at + 10}">${escape(name)}</text>`),
    ...graph.skills.map((skill) =>
      box(skill.id, left, skillWidth, `${skill.name} ${skill.version} · ${words.cost(skill.costo)}\n${skill.description}`),
    ),
    ...tools.map((tool) => box(tool.id, toolLeft, toolWidth, `${tool.name}${tool.costo === null ? '' : ` · ${words.cost(tool.costo)}`}`)),
    ...legend,
    '</svg>',
    '',
  ].join('\n');
};
