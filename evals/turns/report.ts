import type { Brief } from './brief.js';
import type { Comparison } from './compare.js';
import { arm, lastTurn, type Dump } from './dump.js';
import type { Scorecard } from './score.js';

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  `<div class="wide"><table><thead><tr>${head.map((cell) => `<th>${escape(cell)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`).join('')}</tbody></table></div>`;
const mark = (ok: boolean | null): string => (ok === null ? '' : ok ? '✓' : '✗');
const signed = (value: number | null, digits = 3): string => (value === null ? '–' : `${value > 0 ? '+' : ''}${value.toFixed(digits)}`);
const share = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`);

/** For the terminal. */
export const textReport = (dump: Dump, card: Scorecard): string => {
  const wide = Math.max(...card.meters.map((meter) => meter.title.length), ...card.blocking.map((one) => one.title.length + 2));
  return [
    `${dump.model} (${dump.kind}), ${dump.runs.length} runs of ${new Set(dump.runs.map((run) => run.brief)).size} briefs, arms ${dump.arms.join(' ')}, k = ${dump.k}; usefulness by ${dump.judge ?? 'checks'}`,
    '',
    'Meters',
    ...card.meters.map((meter) => `${mark(meter.ok) || ' '} ${meter.title.padEnd(wide)}  ${meter.seen}   (${meter.aim})`),
    '',
    'Blocking',
    ...card.blocking.map(
      (one) =>
        `${mark(one.ok)} ${`${one.id} ${one.title}`.padEnd(wide)}  ${
          one.ok
            ? `held on ${one.looked}${one.known > 0 ? `, ${one.known} known misses left out` : ''}`
            : `${one.misses.length} misses: ${one.misses
                .slice(0, 3)
                .map((m) => `${m.brief} ${m.why}`)
                .join(' · ')}`
        }`,
    ),
    '',
    'Arms',
    ...card.arms.map(
      (one) =>
        `  ${one.arm.padEnd(18)} usefulness ${share(one.utility)}, tools ${one.tools.toFixed(2)}, cost ${one.cost === null ? '–' : `${Math.round(one.cost)} µUSD`}, p50 ${Math.round(one.p50)} ms; ${one.errored} errored, ${one.refused} refused`,
    ),
    ...(card.skills.length > 0
      ? [
          '',
          `Recipes against ${card.baseline ?? '–'}`,
          ...card.skills.map(
            (one) =>
              `${mark(one.ok)} ${one.skill.padEnd(30)} usefulness ${signed(one.utility)} (${share(one.with)} of ${one.briefs}), tools ${signed(one.tools, 2)}, p50 ${signed(one.p50, 0)} ms${one.allowed ? ` allowed: ${one.allowed}` : ''}`,
          ),
        ]
      : []),
    '',
    ...(card.apart.missed.length + card.apart.right.length > 0
      ? [
          `Known misses, counted by the meters and not blocking: ${card.apart.missed.length}${card.apart.right.length > 0 ? `; right now: ${card.apart.right.join(' ')}` : ''}`,
        ]
      : []),
    card.ok ? 'Passes.' : `Fails: ${card.why.join('; ')}.`,
  ].join('\n');
};

export const textComparison = (found: Comparison): string => {
  const wide = Math.max(...found.changes.map((one) => one.what.length));
  return [
    ...found.notes,
    ...found.changes.map(
      (one) => `${one.better === null ? ' ' : one.better ? '+' : '−'} ${one.what.padEnd(wide)}  ${one.a} → ${one.b}  ${signed(one.delta)}`,
    ),
    `Better: ${found.gained.join(' ') || 'none'}`,
    `Worse: ${found.lost.join(' ') || 'none'}`,
  ].join('\n');
};

const STYLE =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:78rem;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;vertical-align:top}th{font-weight:600}.wide{overflow-x:auto}details{border-bottom:1px solid #8884;padding:.4rem 0}summary{cursor:pointer}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace;margin:.4rem 0}';

/** One page without outside parts. Text of tools and companies is data: it is escaped and nothing else. */
export const html = (dump: Dump, card: Scorecard, briefs: readonly Brief[], comparison?: Comparison): string => {
  const byId = new Map(briefs.map((brief) => [brief.id, brief]));
  const misses = new Map<string, string[]>();
  for (const one of [...card.meters, ...card.blocking.map((b) => ({ ...b, id: `blocking ${b.id}` }))])
    for (const miss of one.misses)
      misses.set(`${miss.brief}/${miss.k}`, [...(misses.get(`${miss.brief}/${miss.k}`) ?? []), `${one.id}: ${miss.why}`]);
  const runs = arm(dump, 'con_receta').map((run) => {
    const turn = lastTurn(run);
    const wrong = misses.get(`${run.brief}/${run.k}`) ?? [];
    const body = run.turns
      .map((one) =>
        [
          `> ${one.message}`,
          `stage ${one.stage ?? '–'} · recipes ${one.answer?.skills_used.map((used) => used.name).join(', ') || 'none'} · ${one.duration_ms} ms · ${one.metered?.micros ?? 'no price'} µUSD`,
          ...one.tools.map(
            (call) =>
              `${call.ok ? '·' : '✗'} ${call.tool} ${JSON.stringify(call.args)}${call.error ? ` → ${call.error}` : ` → ${call.shown ?? '–'} of ${call.total ?? '–'}`}`,
          ),
          one.answer ? `${one.answer.intent.kind}: ${one.answer.narration}` : `refused: ${one.refused?.code ?? one.error ?? '–'}`,
          one.answer?.pregunta ? `? ${one.answer.pregunta.campo}: ${one.answer.pregunta.texto}` : '',
          one.answer?.siguiente
            ? `→ [${one.answer.siguiente.label}] ${one.answer.siguiente.kind} ${one.answer.siguiente.target} ${JSON.stringify(one.answer.siguiente.cost)}`
            : '',
          ...(one.answer?.validation ?? [])
            .filter((v) => v.problems.length > 0)
            .map((v) => `attempt ${v.attempt}: ${v.problems.join(' · ')}`),
          one.judged
            ? `usefulness ${[one.judged.respondio, one.judged.salidas, one.judged.no_invento].map(Number).join('')}: ${one.judged.why.join('; ')}`
            : '',
        ]
          .filter(Boolean)
          .join('\n'),
      )
      .join('\n\n');
    return `<details><summary>${wrong.length > 0 || run.outcome !== 'finished' ? '✗' : '✓'} ${escape(run.brief)}${dump.k > 1 ? ` · ${run.k + 1}` : ''} — ${escape(byId.get(run.brief)?.messages.at(-1) ?? '')} <small>${escape(turn?.answer?.intent.kind ?? run.outcome)}</small></summary><pre>${escape(body)}</pre>${wrong.length > 0 ? `<pre>${escape(wrong.join('\n'))}</pre>` : ''}</details>`;
  });
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Turns: ${escape(dump.model)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Turns with ${escape(dump.model)}</h1><p>${escape(dump.at)} · ${dump.runs.length} runs · arms ${escape(dump.arms.join(', '))} · k = ${dump.k} · usefulness by ${escape(dump.judge ?? 'checks')} · ${card.ok ? '✓ passes' : `✗ ${escape(card.why.join('; '))}`}</p>`,
    '<h2>Blocking</h2>',
    table(
      ['', '', 'eval', 'looked at', 'known', 'misses'],
      card.blocking.map((one) => [
        mark(one.ok),
        String(one.id),
        one.title,
        String(one.looked),
        String(one.known),
        one.misses
          .slice(0, 12)
          .map((m) => `${m.brief}: ${m.why}`)
          .join(' · '),
      ]),
    ),
    '<h2>Meters</h2>',
    table(
      ['', 'meter', 'seen', 'aim', 'more'],
      card.meters.map((one) => [
        mark(one.ok),
        one.title,
        one.seen,
        one.aim,
        Object.entries(one.detail ?? {})
          .map(([key, value]) => `${key} ${value ?? '–'}`)
          .join(' · '),
      ]),
    ),
    '<h2>Arms</h2>',
    table(
      ['arm', 'runs', 'errored', 'refused', 'usefulness', 'tools', 'cost µUSD', 'p50 ms'],
      card.arms.map((one) => [
        one.arm,
        String(one.runs),
        String(one.errored),
        String(one.refused),
        share(one.utility),
        one.tools.toFixed(2),
        one.cost === null ? '–' : String(Math.round(one.cost)),
        String(Math.round(one.p50)),
      ]),
    ),
    card.skills.length > 0
      ? `<h2>Recipes against ${escape(card.baseline ?? '–')}</h2>${table(
          ['', 'recipe', 'briefs', 'with', 'without', 'Δ usefulness', 'Δ tools', 'Δ cost', 'Δ p50', 'allowed'],
          card.skills.map((one) => [
            mark(one.ok),
            one.skill,
            String(one.briefs),
            share(one.with),
            share(one.without),
            signed(one.utility),
            signed(one.tools, 2),
            signed(one.cost, 0),
            signed(one.p50, 0),
            one.allowed ?? '',
          ]),
        )}`
      : '',
    comparison
      ? `<h2>Compared</h2><p>${escape(comparison.notes.join(' '))}</p>${table(
          ['', 'what', 'before', 'after', 'Δ'],
          comparison.changes.map((one) => [one.better === null ? '' : one.better ? '+' : '−', one.what, one.a, one.b, signed(one.delta)]),
        )}<p>Better: ${escape(comparison.gained.join(' ') || 'none')}<br>Worse: ${escape(comparison.lost.join(' ') || 'none')}</p>`
      : '',
    card.apart.missed.length > 0 ? `<h2>Known misses, not blocking</h2><p>${escape(card.apart.missed.join(' '))}</p>` : '',
    '<h2>Turns</h2>',
    ...runs,
    '</body></html>\n',
  ].join('');
};
