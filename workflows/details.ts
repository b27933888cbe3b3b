import type { Progress } from '../contracts/progress.js';
import type { Awaited, Directive } from './directives.js';

/** What an operator reads in the Temporal UI: codes and ids, no personal data. Pure. */
export const runDetails = (p: Progress, awaited: Awaited | null): string => [
  `**${p.run_id}** · ${p.state} · plan v${p.plan_version} · version ${p.version}`,
  ...(p.reason ? [`reason: \`${p.reason.code}\``] : []),
  '', '| step | skill | status | count | cost kind | held | spent | max |', '|---|---|---|---|---|---|---|---|',
  ...p.pasos.map((s) => `| ${s.id} | ${s.skill} | ${s.status} | ${s.conteo ? `${s.conteo.done}/${s.conteo.total} ${s.conteo.unit}` : ''} | ${s.cost.kind} | ${s.cost.held} | ${s.cost.spent} | ${s.cost.max ?? ''} |`),
  '', `credits: held ${p.budget.credits.held} · spent ${p.budget.credits.spent} · max ${p.budget.credits.plan_max ?? '?'} · unconfirmed ${p.contacts.unconfirmed}`,
  ...(awaited ? ['', ...awaitedLines(awaited)] : []),
].join('\n');

const awaitedLines = (a: Awaited): string[] => [
  `**waits for a tap** on \`${a.kind}\` since ${a.since}, ${a.total} credits${a.until ? `, until ${a.until}` : ''}`,
  '```json', JSON.stringify({ decision_id: a.decision_id, plan_version: a.plan_version, payload_hash: a.payload_hash, total: a.total }), '```',
];

export const stepDetails = (step: string, d: Directive): string => {
  switch (d.do) {
    case 'wait': return d.awaited ? awaitedLines(d.awaited).join('\n') : `**${step}** waits: ${d.why}`;
    case 'sleep': return `**${step}** reads \`${d.item}\` back in ${Math.round(d.ms / 1000)} s`;
    case 'work': return `**${step}** ${d.phase} · ${d.lanes} lanes · plan v${d.plan_version}`;
    case 'end': return `**${step}** ended: ${d.status}`;
  }
};
