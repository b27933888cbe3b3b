import type { Progress } from '../contracts/progress.js';
import type { Awaited, Directive, StepRef } from './directives.js';

/** What an operator reads in the Temporal UI: codes, ids and addresses, no personal data. Pure. */
export const runDetails = (p: Progress, awaited: Awaited | null, page?: string): string =>
  [
    `**${p.run_id}** · ${p.state} · plan v${p.plan_version} · version ${p.version}${link(page)}`,
    ...(p.reason ? ['', `reason: \`${p.reason.code}\`, last progress ${p.last_progress_at}`] : []),
    ...(awaited ? ['', ...awaitedLines(awaited)] : []),
    '',
    '| step | skill | status | count | cost kind | held | spent | max |',
    '|---|---|---|---|---|---|---|---|',
    ...p.pasos.map(
      (s) =>
        `| ${s.id} | ${s.skill} | ${s.status} | ${s.conteo ? `${s.conteo.done}/${s.conteo.total} ${s.conteo.unit}` : ''} | ${s.cost.kind} | ${s.cost.held} | ${s.cost.spent} | ${s.cost.max ?? ''} |`,
    ),
    '',
    `credits: held ${p.budget.credits.held} · spent ${p.budget.credits.spent} · max ${p.budget.credits.plan_max ?? '?'} · unconfirmed ${p.contacts.unconfirmed}`,
  ].join('\n');

const link = (page: string | undefined): string => (page ? ` · [page](${page})` : '');

/** What is waited for, and what a person may answer from here; a field a line, because the UI does not wrap. */
const awaitedLines = (a: Awaited): string[] => [
  `**waits for a tap** on \`${a.kind}\` since ${a.since}, ${a.total} credits${a.until ? `, until ${a.until}` : ''}`,
  '',
  'To decline, send the run the update `resolve_decision` with this, `then` being `skip` (go on without it), `wait` (pause) or `cancel`:',
  '',
  '```json',
  JSON.stringify({ decision_id: a.decision_id, then: 'skip' }, null, 1),
  '```',
  '',
  'To approve, where operators may, with these, `operator` and `reason`:',
  '',
  '```json',
  JSON.stringify({ decision_id: a.decision_id, plan_version: a.plan_version, payload_hash: a.payload_hash, total: a.total }, null, 1),
  '```',
];

export const stepDetails = (ref: StepRef, d: Directive): string => `${stepLine(ref.step, d)}\n\n${ref.run}${link(d.page)}`;

const stepLine = (step: string, d: Directive): string => {
  switch (d.do) {
    case 'wait':
      return d.awaited ? awaitedLines(d.awaited).join('\n') : `**${step}** waits: ${d.why}`;
    case 'sleep':
      return `**${step}** reads \`${d.item}\` back in ${Math.round(d.ms / 1000)} s`;
    case 'work':
      return `**${step}** ${d.phase}${d.item ? ` of \`${d.item}\`` : ''} · ${d.lanes} lanes · plan v${d.plan_version}`;
    case 'end':
      return `**${step}** ended: ${d.status}`;
  }
};
