import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState, type PointerEvent, type ReactNode } from 'react';
import type { Timeline } from '../../contracts/api.js';
import { getTimeline } from '../data/api.js';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { plotOf } from './timeline-data.js';
import { useThrottled } from './throttled.js';
import { ICON, markerTexts, pointText, useWhen } from './timeline-words.js';
import { ABOVE, AXIS, GUTTER, HEIGHT, Legend, PanelShape, RIGHT, useWidth } from './timeline-plot.js';
import { Table } from './timeline-table.js';

/** How a run came to where it is: the plot with its markers, its reading at a moment, and its table. */

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
