import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useMemo, useState, type PointerEvent, type ReactNode } from 'react';
import type { Timeline } from '../../contracts/api.js';
import type { Words } from '../../view/words.js';
import { getTimeline } from '../data/api.js';
import { keys } from '../data/queries.js';
import { useLook } from '../shell/look.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { plotOf, rowsOf, type Panel, type Plot } from './timeline-data.js';
import { useThrottled } from './throttled.js';

type Marker = Timeline['markers'][number];
type Point = Timeline['points'][number];

const GUTTER = 40;
const RIGHT = 8;
const HEIGHT: Record<Panel['id'], number> = { accounts: 140, credits: 110, queries: 110 };
const ABOVE = 22;
const AXIS = 24;
const DAY_MS = 20 * 3_600_000;
const ICON: Record<string, string> = {
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
const markerTexts = (words: Words, { markers }: Timeline): ((marker: Marker) => string) => {
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

const pointText = (words: Words, point: Point, total: number, panels: Panel[]): string =>
  [
    words.say('step.count.s3', { done: point.done, total }),
    ...panels.flatMap(({ id }) =>
      id === 'accounts' ? [] : [words.say(`web.timeline.at.${id}`, { held: point[`${id}_held`], spent: point[`${id}_spent`] })],
    ),
  ].join(' · ');

/** The width of an element that may come later than the component around it. */
const useWidth = (): [width: number, ref: (element: HTMLElement | null) => void] => {
  const [width, setWidth] = useState(640);
  const [element, setElement] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (!element) return;
    const measure = (): void => setWidth(Math.max(200, Math.floor(element.clientWidth)));
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [element]);
  return [width, setElement];
};

/** A step line through [x, y], held to the right edge; closed down to the ground when it is an area. */
const stepPath = (steps: Array<[number, number]>, y: (value: number) => number, right: number, ground?: number): string => {
  const [first] = steps;
  if (!first) return '';
  const moves = steps
    .slice(1)
    .map(([x, value]) => `H${x.toFixed(1)}V${y(value).toFixed(1)}`)
    .join('');
  return `M${first[0].toFixed(1)} ${y(first[1]).toFixed(1)}${moves}H${right.toFixed(1)}${ground === undefined ? '' : `V${ground}H${first[0].toFixed(1)}Z`}`;
};

const PanelShape = ({ panel, top, plot, hatch }: { panel: Panel; top: number; plot: Plot; hatch: string }): ReactNode => {
  const words = useWords();
  const { say, count } = words;
  const height = HEIGHT[panel.id];
  const ground = top + height;
  const y = (value: number): number => ground - (value / panel.top) * height;
  const { width } = plot;
  const [first, second] = panel.lines;
  const title = say(`web.timeline.panel.${panel.id}`);
  return (
    <g>
      <text className="runs-plot-title" x={-GUTTER} y={top - 8}>
        {title}
      </text>
      <line className="runs-plot-ground" x1={0} x2={width} y1={ground} y2={ground} />
      <line className="runs-plot-grid" x1={0} x2={width} y1={top} y2={top} />
      <text className="runs-plot-tick" x={-6} y={top + 4} textAnchor="end">
        {count(panel.top)}
      </text>
      <text className="runs-plot-tick" x={-6} y={ground} textAnchor="end">
        0
      </text>
      {panel.id === 'accounts' && first ? (
        <>
          <path className="runs-plot-done-area" d={stepPath(first.steps, y, width, ground)} />
          <path className="runs-plot-done" d={stepPath(first.steps, y, width)} />
        </>
      ) : null}
      {panel.id !== 'accounts' && first && second ? (
        <>
          <path fill={`url(#${hatch})`} d={stepPath(first.steps, y, width, ground)} />
          <path className="runs-plot-held" d={stepPath(first.steps, y, width)} />
          <path className="runs-plot-spent" d={stepPath(second.steps, y, width, ground)} />
        </>
      ) : null}
      {panel.limit !== null && panel.id !== 'accounts' ? (
        <>
          <line className="runs-plot-cap" x1={0} x2={width} y1={y(panel.limit)} y2={y(panel.limit)} />
          <text className="runs-plot-label" x={width} y={y(panel.limit) - 5} textAnchor="end">
            {say('view.cost.max', { n: panel.limit })}
          </text>
        </>
      ) : null}
    </g>
  );
};

const Legend = ({ plot: { panels, scale } }: { plot: Plot }): ReactNode => {
  const { say } = useWords();
  const money = panels.some(({ id }) => id !== 'accounts');
  const kinds = ['done', ...(money ? ['spent', 'held', 'cap'] : []), ...(scale.stretches.some((s) => s.quiet) ? ['quiet'] : [])];
  return (
    <ul className="runs-legend plain">
      {kinds.map((kind) => (
        <li key={kind}>
          <svg width="28" height="14" aria-hidden="true">
            {kind === 'done' ? (
              <path className="runs-plot-done" d="M0 12H14V3H28" />
            ) : kind === 'spent' ? (
              <rect className="runs-plot-spent" x="0.5" y="1" width="27" height="12" />
            ) : kind === 'held' ? (
              <>
                <path className="runs-plot-hatch" d="M1 13L9 3M8 13L16 3M15 13L23 3M22 13L28 5" />
                <path className="runs-plot-held" d="M0 2H28" />
              </>
            ) : kind === 'cap' ? (
              <line className="runs-plot-cap" x1="0" x2="28" y1="7" y2="7" />
            ) : (
              <rect className="runs-plot-quiet" x="8" y="0" width="12" height="14" />
            )}
          </svg>
          {say(`web.timeline.legend.${kind}`)}
        </li>
      ))}
    </ul>
  );
};

const Table = ({
  timeline,
  panels,
  textOf,
  when,
}: {
  timeline: Timeline;
  panels: Panel[];
  textOf: (marker: Marker) => string;
  when: (iso: string) => string;
}): ReactNode => {
  const words = useWords();
  const { say, count } = words;
  const [open, setOpen] = useState(false);
  const money = panels.flatMap(({ id }) => (id === 'accounts' ? [] : [id]));
  return (
    <details className="runs-timeline-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('web.timeline.as_table')}</summary>
      {open ? (
        <div className="scroll" role="region" aria-label={say('web.timeline.as_table')} tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{say('web.timeline.when')}</th>
                <th scope="col" className="number">
                  {say('web.timeline.panel.accounts')}
                </th>
                {money.map((id) => [
                  <th key={`${id}h`} scope="col" className="number">
                    {say(`web.timeline.held.${id}`)}
                  </th>,
                  <th key={`${id}s`} scope="col" className="number">
                    {say(`web.timeline.spent.${id}`)}
                  </th>,
                ])}
                <th scope="col">{say('web.timeline.what')}</th>
              </tr>
            </thead>
            <tbody>
              {rowsOf(timeline).map(({ version, at, point, markers }) => (
                <tr key={version}>
                  <th scope="row">{when(at)}</th>
                  <td className="number">{point ? count(point.done) : '–'}</td>
                  {money.map((id) => [
                    <td key={`${id}h`} className="number">
                      {point ? count(point[`${id}_held`]) : '–'}
                    </td>,
                    <td key={`${id}s`} className="number">
                      {point ? count(point[`${id}_spent`]) : '–'}
                    </td>,
                  ])}
                  <td>{markers.map(textOf).join(' · ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
};

/** To the second, in the workspace's zone: a campaign does much in a minute. One that took days is told by days. */
const useWhen = ({ from, to }: Timeline): ((iso: string) => string) => {
  const { language, moment } = useWords();
  const { zone } = useLook();
  const long = Date.parse(to) - Date.parse(from) > DAY_MS;
  const format = useMemo(
    () => new Intl.DateTimeFormat(language, { timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    [language, zone],
  );
  return (iso) => (long ? moment(iso) : format.format(new Date(iso)));
};

/** How a run came to where it is: accounts with a person, and money, over time. */
export const TimelineView = ({ timeline }: { timeline: Timeline }): ReactNode => {
  const words = useWords();
  const { say } = words;
  const when = useWhen(timeline);
  const [full, box] = useWidth();
  const id = useId().replaceAll(':', '');
  const width = full - GUTTER - RIGHT;
  const plot = useMemo(() => plotOf(timeline, width), [timeline, width]);
  const [index, setIndex] = useState<number | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const textOf = useMemo(() => markerTexts(words, timeline), [words, timeline]);
  const { points } = timeline;
  const last = points.length - 1;
  const at = Math.min(last, index ?? last);
  const point = points[at];
  if (!timeline.kept || !point || last < 1)
    return <p className="quiet">{say(timeline.kept || last >= 0 ? 'web.timeline.nothing' : 'web.timeline.gone')}</p>;

  const tops = plot.panels.reduce<number[]>(
    (all, _, i) => [...all, i === 0 ? ABOVE : (all[i - 1] ?? 0) + HEIGHT[plot.panels[i - 1]?.id ?? 'accounts'] + ABOVE + 12],
    [],
  );
  const ground = (tops.at(-1) ?? 0) + HEIGHT[plot.panels.at(-1)?.id ?? 'accounts'];
  const cluster = plot.clusters.find(({ markers }) => String(markers[0]?.version) === chosen);
  const pick = (event: PointerEvent<SVGSVGElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - GUTTER;
    const nearest = points.reduce((best, p, i) => (plot.scale.x(Date.parse(p.at)) <= x + 1 ? i : best), 0);
    setIndex(nearest);
    setChosen(null);
  };
  const ticks = [
    { x: 0, at: timeline.from, anchor: 'start' as const },
    { x: width, at: timeline.to, anchor: 'end' as const },
  ];
  const summary = say('web.timeline.summary', {
    from: timeline.from,
    to: timeline.to,
    counts: pointText(words, points[last] ?? point, timeline.total, plot.panels),
  });
  return (
    <div className="runs-timeline">
      <Legend plot={plot} />
      <div ref={box} className="runs-plot">
        <svg role="img" aria-label={summary} width={full} height={ground + AXIS} onPointerMove={pick} onPointerDown={pick}>
          <defs>
            <pattern id={`${id}hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line className="runs-plot-hatch" x1="0" y1="0" x2="0" y2="6" />
            </pattern>
          </defs>
          <g transform={`translate(${GUTTER} 0)`}>
            {plot.scale.stretches
              .filter((s) => s.quiet)
              .map((s) => (
                <g key={s.from}>
                  <rect className="runs-plot-quiet" x={s.x0} y={ABOVE} width={Math.max(2, s.x1 - s.x0)} height={ground - ABOVE} />
                  <text className="runs-plot-tick" x={(s.x0 + s.x1) / 2} y={ground + 16} textAnchor="middle">
                    {words.lasted(s.to - s.from)}
                  </text>
                </g>
              ))}
            {plot.clusters.flatMap((c) =>
              c.markers.map((m) => {
                const x = plot.scale.x(Date.parse(m.at));
                return (
                  <line
                    key={`${m.version}${m.kind}`}
                    className={c === cluster ? 'runs-plot-guide chosen' : 'runs-plot-guide'}
                    x1={x}
                    x2={x}
                    y1={ABOVE}
                    y2={ground}
                  />
                );
              }),
            )}
            {plot.panels.map((panel, i) => (
              <PanelShape key={panel.id} panel={panel} top={tops[i] ?? 0} plot={plot} hatch={`${id}hatch`} />
            ))}
            {index === null ? null : (
              <line
                className="runs-plot-cursor"
                x1={plot.scale.x(Date.parse(point.at))}
                x2={plot.scale.x(Date.parse(point.at))}
                y1={ABOVE}
                y2={ground}
              />
            )}
          </g>
        </svg>
        <div className="runs-plot-markers" role="group" aria-label={say('web.timeline.markers')}>
          {plot.clusters.map((c) => {
            const key = String(c.markers[0]?.version);
            const text = c.markers.map((m) => `${when(m.at)} ${textOf(m)}`).join('. ');
            const choose = (): void => setChosen(key);
            return (
              <button
                key={key}
                type="button"
                className="runs-plot-marker"
                aria-label={text}
                aria-pressed={chosen === key}
                style={{ left: GUTTER + c.x - 22 }}
                onClick={choose}
                onFocus={choose}
                onPointerEnter={choose}
              >
                <span aria-hidden="true">{c.markers.length > 1 ? c.markers.length : (ICON[c.markers[0]?.kind ?? ''] ?? '•')}</span>
              </button>
            );
          })}
        </div>
        <div className="runs-plot-ends quiet" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick.anchor}>{when(tick.at)}</span>
          ))}
        </div>
      </div>
      <div className="runs-readout">
        {cluster ? (
          <ul>
            {cluster.markers.slice(0, 6).map((m) => (
              <li key={`${m.version}${m.kind}`}>
                <span aria-hidden="true">{ICON[m.kind] ?? '•'}</span> <b>{when(m.at)}</b> {textOf(m)}
              </li>
            ))}
            {cluster.markers.length > 6 ? <li>{say('view.decision.more', { n: cluster.markers.length - 6 })}</li> : null}
          </ul>
        ) : (
          <p>
            <b>{when(point.at)}</b> {pointText(words, point, timeline.total, plot.panels)}
          </p>
        )}
      </div>
      <label className="runs-scrub">
        <span>{say('web.timeline.scrub')}</span>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={at}
          aria-valuetext={`${when(point.at)}. ${pointText(words, point, timeline.total, plot.panels)}`}
          onChange={(event) => {
            setIndex(Number(event.target.value));
            setChosen(null);
          }}
        />
      </label>
      <Table timeline={timeline} panels={plot.panels} textOf={textOf} when={when} />
    </div>
  );
};

/** The plot of a run, read again as it moves. */
export const TimelineSection = ({ run, version }: { run: string; version: number }): ReactNode => {
  const { say } = useWords();
  const shown = useThrottled(version, 3_000);
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.timeline(run), shown],
    queryFn: () => getTimeline(run),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    staleTime: 60_000,
  });
  return (
    <section className="panel runs-section" aria-labelledby="runs-timeline">
      <h2 id="runs-timeline">{say('web.timeline.title')}</h2>
      {data ? (
        <TimelineView timeline={data} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <p className="quiet runs-plot-place">{say('web.loading')}</p>
      )}
    </section>
  );
};
