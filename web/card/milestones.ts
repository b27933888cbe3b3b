import type { Progress } from '../../contracts/progress.js';
import { isFinal } from '../../contracts/states.js';
import { stepCount } from '../../view/run.js';
import { clean, type Words } from '../../view/words.js';

/** `key`: said once. `topic`: of several waiting to be said, only the last of a topic is. */
export interface Milestone {
  key: string;
  topic: string;
  text: string;
}

const ENDED = new Set(['done', 'partial', 'failed', 'skipped', 'canceled']);

/** What a run has reached that is worth hearing: half of the people, a step that ended, a decision, a stop, the end. */
export const milestones = (p: Progress, words: Words): Milestone[] => {
  const { say } = words;
  const reached: Milestone[] = [];
  const { total, done } = p.counts;
  if (total >= 10 && done * 2 >= total) reached.push({ key: 'half', topic: 'people', text: say('step.count.s3', { done, total }) });
  if (isFinal(p.state)) {
    // The end says it all.
    return [
      ...reached,
      {
        key: `end ${p.state}`,
        topic: 'end',
        text: say('web.card.said', {
          objetivo: clean(p.objetivo).slice(0, 120),
          what: `${say(`run.state.${p.state}`)}, ${say('step.count.s3', { done, total })}`,
        }),
      },
    ];
  }
  for (const paso of p.pasos) {
    if (!ENDED.has(paso.status) || paso.id === 's0') continue;
    reached.push({
      key: `${paso.id} ${paso.status}`,
      topic: paso.id === 's3' ? 'people' : paso.id,
      text: [say(`step.${paso.id}`), say(`step.state.${paso.status}`), stepCount(paso, p, words)[0]].filter(Boolean).join(', '),
    });
  }
  if (p.decisions.length > 0 && (p.state === 'ready' || p.state === 'waiting_decision'))
    reached.push({
      key: `waits ${p.decisions.join()}`,
      topic: 'state',
      text: p.reason ? words.reason(p.reason) : say(`run.state.${p.state}`),
    });
  if (p.state === 'paused' || p.state === 'waiting_external')
    reached.push({
      key: `${p.state} ${p.reason?.code ?? ''} ${p.plan_version}`,
      topic: 'state',
      text: p.reason ? words.reason(p.reason) : say(`run.state.${p.state}`),
    });
  return reached;
};
