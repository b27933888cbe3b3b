import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { deterministicModel } from '../../ada/deterministic/index.js';
import { openaiModel } from '../../ada/ports/openai.js';
import type { Model } from '../../ada/ports/model.js';
import { stateDirOf, ROOT } from '../../stack/paths.js';
import { startStack } from '../../stack/up.js';
import { readBriefs, type Brief } from './brief.js';
import { careless, openCareless } from './careless/index.js';
import { compare } from './compare.js';
import { ARMS, type Arm, type Dump } from './dump.js';
import { html, textComparison, textReport } from './report.js';
import { runAll } from './run.js';
import { score } from './score.js';
import { openWorld } from './world.js';

export const TURNS_HELP = `npm run evals -- turns [options]

  --model NAME         deterministic (default), scripted (a careless one, over HTTP), or the name of a model behind
                       OPENAI_BASE_URL with OPENAI_API_KEY and OPENAI_API_MODE
  --judge NAME         a model that judges usefulness; without it the deterministic checks do
  --arms LIST          of con_receta sin_receta solo_herramientas sin_manual, or all
                       (default: con_receta,sin_receta; all for a model behind the API)
  --only TEXT          briefs whose id or group holds it; several with commas
  --k N                runs of each brief (default 1 for what always answers the same, else 3)
  --html FILE          the report as a page (default: beside the dump)
  --out FILE           the dump (default .campana/evals/<date>-<model>.json)
  --compare A B        two dumps, without running anything
  --score FILE         a dump again, with the meters of today
  --quiet              no line per run

Exit code 1 when a blocking eval fails, or a recipe does not help and is not listed in evals/turns/allowed.json.
`;

const readDump = async (path: string): Promise<Dump> => JSON.parse(await readFile(path, 'utf8')) as Dump;
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const number = (value: string | undefined): number | null => (value === undefined || value === '' ? null : Number(value));

/** A model behind the API, as the environment says. */
const behindTheApi = (name: string): Model => {
  const { env } = process;
  const [priceIn, priceOut] = [number(env['MODEL_PRICE_IN_MICROS']), number(env['MODEL_PRICE_OUT_MICROS'])];
  return openaiModel({
    apiKey: env['OPENAI_API_KEY'] ?? '',
    baseUrl: env['OPENAI_BASE_URL'] ?? '',
    model: name === 'openai' ? (env['OPENAI_MODEL'] ?? 'gpt-5-mini') : name,
    mode: env['OPENAI_API_MODE'] === 'chat' ? 'chat' : 'responses',
    prices: priceIn !== null && priceOut !== null ? { in: priceIn, out: priceOut } : null,
  });
};

const chosen = (briefs: readonly Brief[], only: string | undefined): Brief[] => {
  const parts = (only ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return briefs.filter((brief) => parts.length === 0 || parts.some((part) => brief.id.includes(part) || brief.group === part));
};

export const turnsMain = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      model: { type: 'string', default: 'deterministic' },
      judge: { type: 'string' },
      arms: { type: 'string' },
      only: { type: 'string' },
      k: { type: 'string' },
      html: { type: 'string' },
      out: { type: 'string' },
      compare: { type: 'boolean' },
      score: { type: 'string' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return say(TURNS_HELP);
  const briefs = readBriefs();
  if (values.compare) {
    const [a, b] = positionals;
    if (!a || !b) throw new Error('--compare needs two dumps');
    const [first, second] = [await readDump(a), await readDump(b)];
    const found = compare(first, second, briefs);
    say(textComparison(found));
    if (values.html) await write(values.html, html(second, score(second, briefs), briefs, found));
    return;
  }
  if (values.score) {
    const dump = await readDump(values.score);
    const card = score(dump, briefs);
    say(textReport(dump, card));
    if (values.html) await write(values.html, html(dump, card, briefs));
    process.exitCode = card.ok ? 0 : 1;
    return;
  }
  const name = values.model;
  const fixed = name === 'deterministic' || name === 'scripted';
  const arms = (
    values.arms === 'all' || (values.arms === undefined && !fixed)
      ? [...ARMS]
      : (values.arms ?? (name === 'scripted' ? 'con_receta' : 'con_receta,sin_receta')).split(',').map((arm) => arm.trim())
  ) as Arm[];
  const wrong = arms.find((arm) => !ARMS.includes(arm));
  if (wrong) throw new Error(`No such arm: ${wrong}`);
  const k = values.k === undefined ? (fixed ? 1 : 3) : Number(values.k);
  if (!Number.isInteger(k) || k < 1) throw new Error('--k: a whole number from 1');

  const folder = await mkdtemp(join(tmpdir(), 'campana-evals-'));
  await chmod(folder, 0o755);
  const stop = new AbortController();
  process.once('SIGINT', () => {
    stop.abort();
  });
  const stack = await startStack({
    stateDir: folder,
    ports: 'random',
    parts: ['postgres'],
    durable: false,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  let scripted: Awaited<ReturnType<typeof openCareless>> | null = null;
  try {
    const world = await openWorld(stack.databases.admin ?? '');
    try {
      scripted = name === 'scripted' ? await openCareless() : null;
      const model = name === 'deterministic' ? deterministicModel() : scripted ? scripted.model : behindTheApi(name);
      const dump = await runAll({
        world,
        model,
        judge: values.judge ? behindTheApi(values.judge) : null,
        briefs: scripted ? chosen(careless(), values.only) : chosen(briefs, values.only),
        arms,
        k,
        signal: stop.signal,
        ...(values.quiet ? {} : { say: (line: string) => void process.stderr.write(`${line}\n`) }),
      });
      const all = scripted ? [...briefs, ...careless()] : briefs;
      const card = score(dump, all);
      const out =
        values.out ??
        join(stateDirOf(), 'evals', `${dump.at.slice(0, 19).replace(/[:T]/g, '-')}-${dump.model.replace(/[^\w.-]+/g, '_')}.json`);
      await write(out, `${JSON.stringify(dump)}\n`);
      const page = values.html ?? out.replace(/\.json$/, '.html');
      await write(page, html(dump, card, all));
      say(textReport(dump, card));
      say(`\n${out.replace(`${ROOT}/`, '')}\n${page.replace(`${ROOT}/`, '')}`);
      process.exitCode = card.ok && !stop.signal.aborted ? 0 : 1;
    } finally {
      await world.close();
    }
  } finally {
    await scripted?.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
