import type { Timeline } from '../../contracts/api.js';
import { timeScale, type TimeScale } from './time-scale.js';

type Marker = Timeline['markers'][number];
export interface Line {
  name: 'done' | 'spent' | 'held';
  /** [x, value] where the value changes; it holds until the next one. */ steps: Array<[x: number, value: number]>;
}
export interface Panel {
  id: 'accounts' | 'credits' | 'queries';
  top: number;
  limit: number | null;
  lines: Line[];
}
/** Markers that would stand on each other, as one. */
export interface Cluster {
  x: number;
  markers: Marker[];
}
export interface Plot {
  scale: TimeScale;
  width: number;
  panels: Panel[];
  clusters: Cluster[];
}

/** Room that a finger needs, px. */
const TAP = 44;

const ms = (iso: string): number => Date.parse(iso);
type Point = Timeline['points'][number];

const line = (name: Line['name'], points: Point[], x: (at: number) => number, value: (p: Point) => number): Line => ({
  name,
  steps: points.map((p) => [x(ms(p.at)), value(p)]),
});
const highest = (lines: Line[]): number => Math.max(0, ...lines.flatMap(({ steps }) => steps.map(([, value]) => value)));

/** Markers by where they stand, none closer to the last than a finger is wide; inside the plot's width. */
export const clustersOf = (markers: Marker[], x: (at: number) => number, width: number): Cluster[] => {
  const half = TAP / 2;
  const clusters: Cluster[] = [];
  for (const marker of markers) {
    const at = Math.min(width - half, Math.max(half, x(ms(marker.at))));
    const last = clusters.at(-1);
    if (last && at - last.x < TAP) last.markers.push(marker);
    else clusters.push({ x: at, markers: [marker] });
  }
  return clusters;
};

/** What is drawn of a run's way, for a plot of a width, px. `held` is drawn on top of `spent`: together they are what cannot be used elsewhere. */
export const plotOf = (t: Timeline, width: number): Plot => {
  const moments = [t.from, t.to, ...t.points.map((p) => p.at), ...t.markers.map((m) => m.at)].map(ms);
  const scale = timeScale(moments, width);
  const money = (kind: 'credits' | 'queries', limit: number | null): Panel => {
    const spent = line('spent', t.points, scale.x, (p) => p[`${kind}_spent`]);
    const held = line('held', t.points, scale.x, (p) => p[`${kind}_spent`] + p[`${kind}_held`]);
    return { id: kind, limit, lines: [held, spent], top: Math.max(1, limit ?? 0, highest([held])) };
  };
  const credits = money('credits', t.limits.credits);
  const queries = money('queries', t.limits.queries);
  const used = (panel: Panel): boolean => (panel.limit ?? 0) > 0 || highest(panel.lines) > 0;
  const done = line('done', t.points, scale.x, (p) => p.done);
  return {
    scale,
    width,
    clusters: clustersOf(t.markers, scale.x, width),
    // A campaign that reveals nobody has no credits to show.
    panels: [
      { id: 'accounts', limit: t.total, lines: [done], top: Math.max(1, t.total, highest([done])) },
      ...(used(credits) || !used(queries) ? [credits] : []),
      ...(used(queries) ? [queries] : []),
    ],
  };
};

/** What stood at a moment: the last point that is not later. */
export const pointAt = (points: Point[], at: number): Point | null => points.findLast((p) => ms(p.at) <= at) ?? points[0] ?? null;

/** Everything that happened, in its order, for the table. */
export const rowsOf = (t: Timeline): Array<{ version: number; at: string; point: Point | null; markers: Marker[] }> => {
  const rows = new Map<number, { version: number; at: string; point: Point | null; markers: Marker[] }>();
  for (const point of t.points) rows.set(point.version, { version: point.version, at: point.at, point, markers: [] });
  for (const marker of t.markers) {
    const row = rows.get(marker.version);
    if (row) row.markers.push(marker);
    else rows.set(marker.version, { version: marker.version, at: marker.at, point: pointAt(t.points, ms(marker.at)), markers: [marker] });
  }
  return [...rows.values()].sort((a, b) => a.version - b.version);
};
