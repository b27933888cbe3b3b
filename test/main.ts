import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../stack/paths.js';
import { protobufProblems } from './protobuf-check.js';
import { ensureChromium } from './browser/install.js';
import { closingLine, type Counts } from './reporter.js';

/** `npm test`: static checks, then vitest with whatever arguments it was given; one closing line for both. `--no-checks` goes straight to vitest. */
interface Check {
  name: string;
  run(): Promise<{ ok: boolean; output: string }>;
}

const bin = (path: string): string => join(ROOT, 'node_modules', path);

const tool = (name: string, script: string, ...args: string[]): Check => ({
  name,
  run: () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [bin(script), ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.once('error', (error) => resolve({ ok: false, output: error.message }));
      child.once('close', (code) => resolve({ ok: code === 0, output }));
    }),
});

const CHECKS: Check[] = [
  tool('eslint', 'eslint/bin/eslint.js', '.'),
  tool('typecheck', 'typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', '.campana/typecheck.tsbuildinfo'),
  tool(
    'typecheck of the page',
    'typescript/bin/tsc',
    '--noEmit',
    '-p',
    'web',
    '--incremental',
    '--tsBuildInfoFile',
    '.campana/typecheck-page.tsbuildinfo',
  ),
  tool('boundaries', 'dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', '.'),
  tool('format', 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  tool('knip', 'knip/bin/knip.js', '--no-progress'),
  {
    name: 'one protobufjs',
    run: async () => {
      const problems = await protobufProblems(ROOT);
      return { ok: problems.length === 0, output: problems.join('\n') };
    },
  },
];

/** Two at a time: the machine this is sized for has two cores. */
const runChecks = async (): Promise<Counts> => {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const queue = [...CHECKS];
  const lane = async (): Promise<void> => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const since = Date.now();
      const { ok, output } = await check.run();
      counts[ok ? 'passed' : 'failed']++;
      process.stdout.write(
        `${ok ? '✓' : '✗'} ${check.name} (${((Date.now() - since) / 1000).toFixed(1)} s)\n${ok ? '' : `${output.trim()}\n`}`,
      );
    }
  };
  await Promise.all([lane(), lane()]);
  return counts;
};

const runVitest = async (args: string[]): Promise<Counts> => {
  const folder = await mkdtemp(join(tmpdir(), 'campana-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const code = await new Promise<number>((resolve) => {
      const env = { ...process.env, CAMPANA_TEST_COUNTS: file };
      const child = spawn(process.execPath, [bin('vitest/vitest.mjs'), 'run', ...args], { cwd: ROOT, stdio: 'inherit', env });
      process.once('SIGTERM', () => child.kill('SIGTERM'));
      child.once('error', () => resolve(1));
      child.once('close', (status) => resolve(status ?? 1));
    });
    const counts = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as Counts,
      () => ({ passed: 0, failed: 0, skipped: 0 }),
    );
    // It may also fail outside every test: in its set-up, or by finding none.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const args = process.argv.slice(2);
const none: Counts = { passed: 0, failed: 0, skipped: 0 };
// Ctrl-C reaches vitest too, which then stops its servers; the closing line still comes last.
process.on('SIGINT', () => undefined);
const checks = args.includes('--no-checks') ? none : await runChecks();
await ensureChromium((line) => void process.stdout.write(`${line}\n`));
const tests = await runVitest(args.filter((arg) => arg !== '--no-checks'));
const total: Counts = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed, skipped: tests.skipped };
process.exitCode = total.failed > 0 ? 1 : 0;
process.stdout.write(`${closingLine(total)}\n`);
