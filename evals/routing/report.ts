import type { Scored, RoutingScore } from './score.js';
import type { Retrieved, RetrievalScore } from './retrieval.js';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

export interface RoutingReport {
  corpus: string;
  digest: string;
  routing: RoutingScore;
  wrong: Scored[];
}
export interface RetrievalReport {
  skills: number;
  retrieval: RetrievalScore;
  wrong: Retrieved[];
}

/** A row of figures: what, aim, seen. `ok` null: no aim. */
export interface Figure {
  what: string;
  aim: string;
  seen: string;
  ok: boolean | null;
}

export const routingFigures = (score: RoutingScore, aim: number): Figure[] => [
  { what: `right first, of ${score.asked}`, aim: `≥ ${percent(aim)}`, seen: percent(score.top1), ok: score.top1 >= aim },
  { what: `none said right, of ${score.none}`, aim: '≥ 95 %', seen: percent(score.noneRight), ok: score.noneRight >= 0.95 },
  { what: 'forbidden skills injected', aim: '0', seen: String(score.forbiddenFires), ok: score.forbiddenFires === 0 },
  { what: 'bodies injected', aim: '', seen: `${score.injected}, right ${percent(score.injectedRight)}`, ok: null },
  { what: 'questions asked', aim: '', seen: `${score.clarified} (${percent(score.clarified / (score.asked + score.none))})`, ok: null },
  { what: 'time p50 / p99', aim: 'p99 ≤ 5 ms', seen: `${ms(score.p50)} / ${ms(score.p99)}`, ok: null },
];

export const retrievalFigures = (score: RetrievalScore): Figure[] => [
  { what: `right one in the short list, of ${score.requests}`, aim: '≥ 98 %', seen: percent(score.inShort), ok: score.inShort >= 0.98 },
  { what: 'right one first', aim: '≥ 85 %', seen: percent(score.first), ok: score.first >= 0.85 },
  ...Object.entries(score.byKind).map(([kind, own]) => ({
    what: `· ${kind} (${own.of})`,
    aim: '',
    seen: `first ${percent(own.first)}, short list ${percent(own.inShort)}`,
    ok: null,
  })),
  { what: 'questions asked', aim: '8–14 %', seen: percent(score.clarified), ok: score.clarified >= 0.08 && score.clarified <= 0.14 },
  {
    what: `clustered quarter (${score.clustered.of}): first → with the question`,
    aim: '× 2',
    seen: `${percent(score.clustered.first)} → ${percent(score.clustered.withQuestion)}, ${score.clustered.questions.toFixed(1)} questions`,
    ok: null,
  },
  {
    what: `where it asks (${score.asked.of}): first → with the question`,
    aim: '× 2',
    seen: `${percent(score.asked.first)} → ${percent(score.asked.withQuestion)}, ${score.asked.questions.toFixed(1)} questions`,
    ok: score.asked.withQuestion >= 2 * score.asked.first,
  },
  { what: 'time p50 / p99', aim: '', seen: `${ms(score.p50)} / ${ms(score.p99)}`, ok: null },
];

export const table = (title: string, figures: readonly Figure[]): string => {
  const wide = Math.max(...figures.map((figure) => figure.what.length));
  const rows = figures.map(
    ({ what, aim, seen, ok }) => `${ok === null ? ' ' : ok ? '✓' : '✗'} ${what.padEnd(wide)}  ${seen}${aim ? `   (${aim})` : ''}`,
  );
  return [title, ...rows].join('\n');
};

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const htmlTable = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  `<table><thead><tr>${head.map((cell) => `<th>${escape(cell)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;

const STYLE =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;vertical-align:top}th{font-weight:600}';

/** The whole report as one page without outside parts. `examples: false` for a sealed corpus: its messages stay unread. */
export const html = (parts: {
  routing: ReadonlyArray<RoutingReport & { aim: number; examples: boolean }>;
  retrieval: readonly RetrievalReport[];
}): string => {
  const figures = (list: readonly Figure[]): string =>
    htmlTable(
      ['', 'what', 'seen', 'aim'],
      list.map((f) => [f.ok === null ? '' : f.ok ? '✓' : '✗', f.what, f.seen, f.aim]),
    );
  const groups = (found: Record<string, { right: number; of: number }>): string =>
    htmlTable(
      ['group', 'right', 'of', 'share'],
      Object.entries(found).map(([key, { right, of }]) => [key, String(right), String(of), percent(right / of)]),
    );
  const sections = [
    ...parts.routing.map((part) =>
      [
        `<h2>Routing, ${escape(part.corpus)} half</h2><p><code>${escape(part.digest.slice(0, 16))}</code></p>`,
        figures(routingFigures(part.routing, part.aim)),
        '<h3>By recipe</h3>',
        groups(part.routing.byLabel),
        '<h3>By kind of message</h3>',
        groups(part.routing.byTag),
        part.examples
          ? `<h3>Wrong</h3>${htmlTable(
              ['message', 'wanted', 'decision', 'candidates'],
              part.wrong.map((s) => [
                s.case.message,
                s.case.relevant.join(' ') || 'none',
                s.choice.decision,
                s.choice.candidates.map((c) => `${c.name} ${c.confidence}`).join(', '),
              ]),
            )}`
          : '',
      ].join(''),
    ),
    ...parts.retrieval.map((part) =>
      [
        `<h2>Retrieval, ${part.skills} skills</h2>`,
        figures(retrievalFigures(part.retrieval)),
        '<h3>Not first</h3>',
        htmlTable(
          ['message', 'right', 'place', 'first', 'lead'],
          part.wrong.map((row) => [
            row.request.message,
            row.request.right,
            row.place < 0 ? '–' : String(row.place + 1),
            row.choice.ranked[0] ?? '–',
            row.choice.margin.toFixed(3),
          ]),
        ),
      ].join(''),
    ),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Routing</title><style>${STYLE}</style></head><body><h1>Routing</h1>${sections.join('')}</body></html>\n`;
};
