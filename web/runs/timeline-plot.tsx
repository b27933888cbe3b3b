import { useLayoutEffect, useState, type ReactNode } from 'react';
import { useWords } from '../words/words.js';
import type { Panel, Plot } from './timeline-data.js';

/** The drawing of a timeline: sizes, one panel, the legend. */

export const GUTTER = 40;
export const RIGHT = 8;
export const HEIGHT: Record<Panel['id'], number> = { accounts: 140, credits: 110, queries: 110 };
export const ABOVE = 22;
export const AXIS = 24;

/** The width of an element that may come later than the component around it. */
export const useWidth = (): [width: number, ref: (element: HTMLElement | null) => void] => {
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

/** One panel: its lines, its areas and its limit. */
export const PanelShape = ({ panel, top, plot, hatch }: { panel: Panel; top: number; plot: Plot; hatch: string }): ReactNode => {
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

export const Legend = ({ plot: { panels, scale } }: { plot: Plot }): ReactNode => {
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
