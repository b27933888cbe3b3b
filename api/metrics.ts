import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Everything `/metrics` shows of this process. Labels are route patterns and codes: no ids, no workspaces, no people. */
export interface Meters {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
  temporalCalls: Counter<'method'>;
  progressReplies: Counter<'status'>;
  problems: Counter<'code'>;
  streams: Gauge;
  waits: Gauge;
}

export const createMeters = (): Meters => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'campana_http_request_seconds',
      help: 'Time to answer, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    temporalCalls: new Counter({
      name: 'campana_temporal_calls_total',
      help: 'RPCs sent to Temporal by this process, attempts included',
      labelNames: ['method'],
      registers,
    }),
    progressReplies: new Counter({
      name: 'campana_progress_replies_total',
      help: 'Answers of the progress route',
      labelNames: ['status'],
      registers,
    }),
    problems: new Counter({ name: 'campana_problems_total', help: 'Refusals, by code', labelNames: ['code'], registers }),
    streams: new Gauge({ name: 'campana_event_streams', help: 'Open event streams', registers }),
    waits: new Gauge({ name: 'campana_progress_waits', help: 'Progress requests that wait for a change', registers }),
  };
};

/** Adds gauges that are read when somebody scrapes. */
export const addGauge = (meters: Meters, name: string, help: string, read: () => number | Promise<number>): void => {
  new Gauge({
    name,
    help,
    registers: [meters.registry],
    async collect() {
      try {
        this.set(await read());
      } catch {
        // A value that cannot be read is left out of this scrape rather than shown old.
        this.remove();
      }
    },
  });
};

/** The same for a gauge with one value per label. */
export const addGauges = (meters: Meters, name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void => {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [meters.registry],
    async collect() {
      this.reset();
      try {
        for (const [value, n] of Object.entries(await read())) this.set({ [label]: value }, n);
      } catch {
        // As above.
      }
    },
  });
};
