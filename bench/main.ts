/**
 * `npm run bench [-- --json] [--quick] [--sample demo|grande] [--library] [--turn]`: the figures of the aims table, each measured on a stack of its own.
 * The table goes to stderr, the JSON to stdout with `--json`, both to `.campana/bench.json`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../stack/paths.js';
import { events, firstProgress, kill, overheadAt, percentile, progress, taps, throughput, type Overhead } from './measures.js';
import { libraryFigures } from './library.js';
import { CALL_MS, CONCURRENCY, Rig } from './rig.js';
import { turnFigures } from './turn.js';

/** The keys of the result; `null` where `--quick` leaves a figure out. */
export interface Figures {
  overhead_ms: { n50: number; n500: number; n5000_pct: number | null };
  tap_ms: { p50: number; p99: number };
  progress: { p99_ms: number; max_ms: number; per_s: number; slowdown_pct: number };
  kill: { full_speed_s: number; finished_repeated: number };
  campaigns_per_s: number;
  events: { parent: number; people_step: number; total: number };
  memory_mb: { worker: number; server: number; api: number };
  first_progress_ms: number;
  boot_s: number;
}

const USAGE = `Usage: npm run bench -- [options]
Measures the figures of the aims table, each on a stack of its own; the table goes to stderr and to .campana/bench.json.

  --quick                leaves the longest figures out
  --sample demo|grande   size of the made-up data (grande; demo with --quick)
  --library              the skill library's figures instead
  --turn                 a chat turn's figures instead
  --json                 the figures on stdout
  --help`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const readArgs = () => {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      library: { type: 'boolean', default: false },
      turn: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      sample: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    say(USAGE);
    process.exit(0);
  }
  const sample = values.sample ?? (values.quick ? 'demo' : 'grande');
  if (sample !== 'demo' && sample !== 'grande') throw new Error(`--sample is demo or grande, not ${sample}`);
  return { ...values, sample } as const;
};

let args: ReturnType<typeof readArgs>;
try {
  args = readArgs();
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
const { sample } = args;
const since = Date.now();
const step = (text: string): void => say(`${String(Math.round((Date.now() - since) / 1000)).padStart(4)} s  ${text}`);
const round = (value: number, digits = 0): number => Number(value.toFixed(digits));

if (args.library) {
  const found = await libraryFigures(step);
  say(
    `route p50/p99 ${found.route_ms.p50}/${found.route_ms.p99} ms (aim 2/5; plain phrase search p50 ${found.route_ms.plain_p50}); learning ${found.learn_ms} ms once per library`,
  );
  say(`choose among 200 p50/p99 ${found.choose_200_ms.p50}/${found.choose_200_ms.p99} ms`);
  say(
    `500 skills: cold ${found.load_500_ms.cold} ms, warm ${found.load_500_ms.warm} ms (aim 300), after one edit ${found.load_500_ms.edited_one} ms; reading the files plainly ${found.load_500_ms.plain} ms`,
  );
  if (args.json) process.stdout.write(`${JSON.stringify(found)}\n`);
  process.exit(0);
}

if (args.turn) {
  const { figures: t, parts, top } = await turnFigures(step);
  const aim = (ok: boolean): string => (ok ? '✓' : '✗');
  say(
    `\n${t.turns} turns of the model without a key, one at a time; tools answer in process with what they answered before (${t.live_tool_calls} were asked anew); ${t.refused} refused`,
  );
  say(`${aim(t.wall_ms.p50 <= 30)} a turn, request to its last event, p50   ${t.wall_ms.p50} ms   aim ≤ 30`);
  say(
    `${aim(t.wall_ms.p99 <= 100)} p99   ${t.wall_ms.p99} ms   aim ≤ 100; p90 ${t.wall_ms.p90}, max ${t.wall_ms.max}; the turn by its own clock p50/p90/p99 ${t.turn_ms.p50}/${t.turn_ms.p90}/${t.turn_ms.p99} ms`,
  );
  say(
    `  of it waiting for PostgreSQL ${round(t.shares.database * 100, 1)} %, router ${round(t.shares.router * 100, 1)} %, validation ${round(t.shares.validation * 100, 1)} %; ${t.statements.mean} statements a turn, ${t.statements.max} at most`,
  );
  say(
    `  processor a turn: our process with its client p50/p99 ${t.cpu_ms.process_p50}/${t.cpu_ms.process_p99} ms, PostgreSQL ${t.cpu_ms.postgres} ms; a commit by itself p50 ${t.commit_ms.before} ms before, ${t.commit_ms.after} ms after`,
  );
  say(
    `  p50 by recipe, ms: ${Object.entries(t.by_recipe_p50)
      .map(([recipe, ms]) => `${recipe} ${ms}`)
      .join(', ')}`,
  );
  say(
    `  profile, ms a turn: ${Object.entries(parts)
      .map(([part, ms]) => `${part} ${ms}`)
      .join(', ')}`,
  );
  for (const [where, ms] of top) say(`    ${String(ms).padStart(6)}  ${where}`);
  say(
    `  prompt ${t.prompt.characters} characters on average; ${t.prompt.saved_characters} characters, about ${t.prompt.saved_tokens} tokens, less than with every recipe always in it`,
  );
  say(
    `  ${cpus().length} cores, load ${loadavg()
      .map((l) => l.toFixed(1))
      .join(' ')}, Node ${process.version}`,
  );
  if (args.json) process.stdout.write(`${JSON.stringify({ ...t, parts_ms: parts })}\n`);
  process.exit(0);
}

const rig = await Rig.start(sample, say);
let figures: Figures;
const detail: Record<string, unknown> = {};
const ideals: Record<string, string> = {};
try {
  await rig.slow(CALL_MS);
  await rig.campaign(10); // every process has seen everything once
  const quick = args.quick;

  step('overhead at 50');
  const n50 = await overheadAt(rig, 50, quick ? 3 : 7);
  step('overhead at 500');
  const n500 = await overheadAt(rig, 500, quick ? 1 : 4);
  let n5000: Overhead | null = null;
  if (!quick && sample === 'grande') {
    step('overhead at 5,000');
    n5000 = await overheadAt(rig, 5000, 1);
  }
  step('start to first progress');
  const first = await firstProgress(rig, quick ? 5 : 15);
  step('taps');
  const tapped = await taps(rig, quick ? 12 : 50);
  step('200 pollers at 4 Hz');
  const polled = await progress(rig, quick ? 300 : 1500, quick ? 1 : 2, quick ? 2 : 5);
  step('kill -9 of the worker');
  const killed = await kill(rig, quick ? 400 : 1500);
  step('campaigns per second');
  await rig.slow(0);
  const busy = await throughput(rig, quick ? 5 : 20, 8);
  const memory = { worker: rig.memory('worker'), server: rig.memory('temporal'), api: rig.memory('api') };
  step('boot of a worker');
  const boots = [await rig.stack.restart('worker')];
  if (!quick) boots.push(await rig.stack.restart('worker'), await rig.stack.restart('worker'));

  figures = {
    overhead_ms: { n50: n50.overhead, n500: n500.overhead, n5000_pct: n5000 ? round((n5000.overhead / n5000.ideal) * 100, 2) : null },
    tap_ms: { p50: percentile(tapped, 0.5), p99: percentile(tapped, 0.99) },
    progress: {
      p99_ms: round(polled.p99, 1),
      max_ms: round(polled.max, 1),
      per_s: round(polled.perSecond),
      slowdown_pct: round(polled.slowdown, 1),
    },
    kill: { full_speed_s: round(killed.fullSpeed, 2), finished_repeated: killed.finishedRepeated },
    campaigns_per_s: round(busy.perSecond, 1),
    events: await events(rig, (n5000 ?? n500).runs.at(-1)?.run ?? ''),
    memory_mb: memory,
    first_progress_ms: round(first, 1),
    boot_s: round(Math.min(...boots) / 1000, 2),
  };
  const ratio = (o: Overhead): string =>
    `ideal ${o.ideal} ms; none +${o.none} ms; wall ${round(o.wall / o.ideal, 2)} × ideal; CPU ms ${Object.entries(o.cpu)
      .map(([part, ms]) => `${part} ${ms}`)
      .join(', ')}`;
  Object.assign(ideals, {
    n50: ratio(n50),
    n500: ratio(n500),
    n5000: n5000 ? ratio(n5000) : 'left out',
    taps: `${tapped.length} taps`,
    progress: `${polled.replies} replies, ${polled.failed} failed, p50 ${round(polled.p50, 1)} ms`,
    kill: `${round(killed.rateBefore)} searches/s before (ideal ${(1000 / CALL_MS) * CONCURRENCY}); first commit after ${round(killed.gap, 2)} s; ${killed.inFlightRepeated} in flight repeated`,
    busy: `${busy.done} done`,
  });
  Object.assign(detail, { n50, n500, n5000, taps: tapped, polled, killed, busy, boots, timings: rig.stack.timings });
} finally {
  step('stopping');
  await rig.stop();
}

const f = figures;
const rows: Array<[figure: string, measured: string, aim: string, ok: boolean | null, beside: string]> = [
  ['overhead at 50', `${f.overhead_ms.n50} ms`, '≤ 350 ms', f.overhead_ms.n50 <= 350, ideals['n50'] ?? ''],
  ['overhead at 500', `${f.overhead_ms.n500} ms`, '≤ 450 ms', f.overhead_ms.n500 <= 450, ideals['n500'] ?? ''],
  [
    'overhead at 5,000',
    f.overhead_ms.n5000_pct === null ? '–' : `${f.overhead_ms.n5000_pct} %`,
    '≤ 2 % of the ideal',
    f.overhead_ms.n5000_pct === null ? null : f.overhead_ms.n5000_pct <= 2,
    ideals['n5000'] ?? '',
  ],
  ['tap → next outside call p50', `${f.tap_ms.p50} ms`, '≤ 40 ms', f.tap_ms.p50 <= 40, ideals['taps'] ?? ''],
  ['tap → next outside call p99', `${f.tap_ms.p99} ms`, '≤ 80 ms', f.tap_ms.p99 <= 80, ''],
  ['progress p99, 200 × 4 Hz', `${f.progress.p99_ms} ms`, '≤ 20 ms', f.progress.p99_ms <= 20, ideals['progress'] ?? ''],
  ['progress max', `${f.progress.max_ms} ms`, '≤ 1000 ms', f.progress.max_ms <= 1000, ''],
  [
    'campaign slowed by pollers',
    `${f.progress.slowdown_pct} %`,
    '≤ 5 %',
    f.progress.slowdown_pct <= 5,
    'median with / median without, same run',
  ],
  ['progress replies/s, one API', `${f.progress.per_s}`, '≥ 3000', f.progress.per_s >= 3000, '64 connections in a closed loop'],
  ['kill -9 → full speed', `${f.kill.full_speed_s} s`, '≤ 2.5 s', f.kill.full_speed_s <= 2.5, ideals['kill'] ?? ''],
  ['finished searches repeated', `${f.kill.finished_repeated}`, '0', f.kill.finished_repeated === 0, ''],
  ['start → first progress', `${f.first_progress_ms} ms`, '≤ 300 ms', f.first_progress_ms <= 300, ''],
  ['worker boot', `${f.boot_s} s`, '≤ 1.2 s', f.boot_s <= 1.2, 'prebuilt bundle'],
  ['campaigns/s, 50 accounts, 0 ms', `${f.campaigns_per_s}`, '≥ 6', f.campaigns_per_s >= 6, ideals['busy'] ?? ''],
  ['events, parent', `${f.events.parent}`, '≤ 60', f.events.parent <= 60, ''],
  ['events, people step', `${f.events.people_step}`, '≤ 90', f.events.people_step <= 90, ''],
  ['events, whole campaign', `${f.events.total}`, '≤ 300', f.events.total <= 300, ''],
  [
    'memory worker / server / API',
    `${f.memory_mb.worker} / ${f.memory_mb.server} / ${f.memory_mb.api} MB`,
    '≤ 350 / 310 / 150',
    f.memory_mb.worker <= 350 && f.memory_mb.server <= 310 && f.memory_mb.api <= 150,
    'after all of the above',
  ],
];
const width = (i: 0 | 1 | 2): number => Math.max(...rows.map((r) => r[i].length));
say(
  `\nideal = ${CALL_MS} ms × (search pages + save + ⌈people searches / ${CONCURRENCY}⌉), from the calls that the kitchen received; overhead = wall − ideal\nnone = the same calls in a plain loop of ${CONCURRENCY}, nothing kept\n`,
);
for (const [figure, measured, aim, ok, beside] of rows)
  say(
    `${ok === null ? ' ' : ok ? '✓' : '✗'} ${figure.padEnd(width(0))}  ${measured.padStart(width(1))}   aim ${aim.padEnd(width(2))}  ${beside}`,
  );
say(
  `\n${rows.filter((r) => r[3]).length} of ${rows.filter((r) => r[3] !== null).length} aims reached in ${Math.round((Date.now() - since) / 1000)} s; ${cpus().length} cores, load ${loadavg()
    .map((l) => l.toFixed(1))
    .join(' ')}, Node ${process.version}, sample ${sample}`,
);

const file = join(ROOT, '.campana', 'bench.json');
await mkdir(join(ROOT, '.campana'), { recursive: true });
await writeFile(
  file,
  JSON.stringify(
    {
      figures,
      aims: Object.fromEntries(rows.map(([figure, measured, aim, ok, beside]) => [figure, { measured, aim, ok, beside }])),
      machine: { cores: cpus().length, load: loadavg(), node: process.version },
      sample,
      quick: args.quick,
      at: new Date(since).toISOString(),
      detail,
    },
    null,
    1,
  ),
);
if (args.json) process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
