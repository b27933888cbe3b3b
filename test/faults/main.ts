import { parseArgs } from 'node:util';
import { startStack, type Stack } from '../../stack/up.js';
import { temporaryFolder } from '../support/stack.js';
import { repeatCommand, runScenario } from './runner.js';
import { SCENARIOS } from './scenarios/index.js';
import { faultsStack, forgetForeign } from './stack.js';
import type { Scenario } from './scenario.js';
import { openGround } from './world.js';

/** `npm run faults`: breaks things on purpose on one stack of its own and checks what comes of it; the same seed breaks the same. */
const USAGE = `npm run faults -- [--only NAME[,NAME]] [--seed N] [--long] [--list] [--json]

  --only   scenarios by name; a part of a name takes all that contain it
  --seed   moments and choices are drawn from it (default 1)
  --long   outages of a minute instead of ten seconds
  --list   names the scenarios and what they are about
  --json   one JSON object on stdout instead of lines`;

interface Result {
  name: string;
  ok: boolean;
  ms: number;
  seed: number;
  error?: string;
  repeat?: string;
}

const readOptions = (): { only: string[]; seed: number; long: boolean; list: boolean; json: boolean } => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      long: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  if (values.help || !Number.isInteger(seed) || seed < 0) throw new Error(USAGE);
  return { only: values.only?.split(',').filter(Boolean) ?? [], seed, long: values.long, list: values.list, json: values.json };
};

const pick = (only: string[]): Scenario[] => {
  if (only.length === 0) return SCENARIOS;
  const means = (part: string): Scenario[] => {
    const exact = SCENARIOS.filter((s) => s.name === part);
    return exact.length > 0 ? exact : SCENARIOS.filter((s) => s.name.includes(part));
  };
  const wanted = new Set(only.flatMap(means));
  const found = SCENARIOS.filter((s) => wanted.has(s));
  if (found.length === 0) throw new Error(`No scenario is called ${only.join(', ')}.\n\n${USAGE}`);
  return found;
};

const out = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const run = async (scenarios: Scenario[], options: { seed: number; long: boolean; say: (line: string) => void }): Promise<Result[]> => {
  forgetForeign();
  const { say, seed } = options;
  const folder = await temporaryFolder('campana-test-faults-');
  const stack: Stack = await startStack({ stateDir: folder.path, ...faultsStack(scenarios), signals: true, say });
  const ground = await openGround(stack, { long: options.long, say });
  const results: Result[] = [];
  for (const [i, scenario] of scenarios.entries()) {
    say(`(${i + 1}/${scenarios.length}) ${scenario.name}`);
    const since = Date.now();
    const base = { name: scenario.name, seed };
    try {
      await runScenario(ground, scenario, seed);
      results.push({ ...base, ok: true, ms: Date.now() - since });
      say(`  ✓ ${scenario.name} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      results.push({ ...base, ok: false, ms: Date.now() - since, error: text, repeat: repeatCommand(scenario, seed) });
      say(`  ✗ ${scenario.name} (seed ${seed})\n${text.replaceAll(/^/gm, '      ')}\n    repeat it: ${repeatCommand(scenario, seed)}`);
    }
  }
  await ground.close();
  await stack.stop();
  if (results.every((r) => r.ok)) await folder.remove();
  else say(`Logs: ${folder.path}/logs`);
  return results;
};

try {
  const options = readOptions();
  const scenarios = pick(options.only);
  if (options.list) {
    if (options.json)
      out(
        JSON.stringify(
          scenarios.map(({ name, covers, invariants }) => ({ name, covers, invariants })),
          null,
          2,
        ),
      );
    else for (const s of scenarios) out(`${s.name.padEnd(28)} ${s.covers.padEnd(7)} ${s.invariants.join(' ')}`);
  } else {
    const results = await run(scenarios, {
      ...options,
      say: options.json
        ? (line) => {
            process.stderr.write(`${line}\n`);
          }
        : out,
    });
    const failed = results.filter((r) => !r.ok);
    const passed = results.length - failed.length;
    if (options.json) out(JSON.stringify({ seed: options.seed, passed, failed: failed.length, results }, null, 2));
    else for (const f of failed) out(`failed: ${f.name}, seed ${f.seed}; repeat it: ${f.repeat ?? ''}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
    if (!options.json) out(`${passed} passed, ${failed.length} failed`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
