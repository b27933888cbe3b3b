import { useMemo } from 'react';
import type { Timeline } from '../../contracts/api.js';
import type { Words } from '../../view/words.js';
import { useLook } from '../shell/look.js';
import { useWords } from '../words/words.js';
import type { Panel } from './timeline-data.js';

/** What a timeline says: its markers, its points and their times. */

export type Marker = Timeline['markers'][number];
type Point = Timeline['points'][number];
const DAY_MS = 20 * 3_600_000;
export const ICON: Record<string, string> = {
  'decision.proposed': '◇',
  'decision.approved': '◆',
  'decision.declined': '×',
  'decision.expired': '!',
  'decision.superseded': '↻',
  'quote.expired': '!',
  'run.paused': '‖',
  'run.resumed': '▶',
  'run.replanned': '↻',
  'run.stopping': '■',
  'run.closed': '■',
  'step.blocked': '!',
  'provider.waiting': '…',
  'undo.asked': '↶',
  'save.undone': '↶',
  'undo.refused': '↶',
};

/** What a decision is about, counted. */
const UNIT: Record<string, string> = {
  ajustar_presupuesto: 'unit.accounts',
  guardar_en_crm: 'unit.companies',
  revelar_contactos: 'unit.contacts',
  revisar_secuencia: 'unit.drafts',
};

/** A marker in words. A decision's kind is said where it was asked for; what came of it names the same decision. */
export const markerTexts = (words: Words, { markers }: Timeline): ((marker: Marker) => string) => {
  const kinds = new Map(
    markers.flatMap(({ params: { decision_id, kind } }) =>
      typeof decision_id === 'string' && typeof kind === 'string' ? [[decision_id, kind] as const] : [],
    ),
  );
  const label = (code: string, otherwise: string): string => (words.has(code) ? words.say(code) : otherwise);
  return ({ kind, params }) => {
    const code = `web.timeline.${kind}`;
    if (!words.has(code)) return kind;
    const about = kinds.get(String(params['decision_id'])) ?? '';
    const { n, credits } = params;
    const said = words.say(code, {
      decision: label(`decision.kind.${about}`, words.say('web.timeline.a_decision')),
      state: label(`run.state.${String(params['state'])}`, ''),
      step: label(`step.${String(params['step'])}`, ''),
    });
    const counted = kind === 'decision.approved' && typeof n === 'number' && UNIT[about] ? [words.say(UNIT[about], { n })] : [];
    const paid = kind === 'decision.approved' && typeof credits === 'number' && credits > 0 ? [words.amount('credits', credits)] : [];
    return [said, ...counted, ...paid].join(' · ');
  };
};

/** What had been done and paid at a moment. */
export const pointText = (words: Words, point: Point, total: number, panels: Panel[]): string =>
  [
    words.say('step.count.s3', { done: point.done, total }),
    ...panels.flatMap(({ id }) =>
      id === 'accounts' ? [] : [words.say(`web.timeline.at.${id}`, { held: point[`${id}_held`], spent: point[`${id}_spent`] })],
    ),
  ].join(' · ');

/** To the second, in the workspace's zone: a campaign does much in a minute. One that took days is told by days. */
export const useWhen = ({ from, to }: Timeline): ((iso: string) => string) => {
  const { language, moment } = useWords();
  const { zone } = useLook();
  const long = Date.parse(to) - Date.parse(from) > DAY_MS;
  const format = useMemo(
    () => new Intl.DateTimeFormat(language, { timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    [language, zone],
  );
  return (iso) => (long ? moment(iso) : format.format(new Date(iso)));
};
