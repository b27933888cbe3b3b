// First thing every npm script runs: checks Node, installs packages when they are missing or older than the lockfile, then
// hands over to a TypeScript entry. Plain JavaScript without dependencies; everything it says goes to stderr.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { early } from './early-words.mjs';
import { withLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const say = (line) => process.stderr.write(`${line}\n`);

const ENTRIES = {
  campana: 'cli/main-job.ts',
  dev: 'stack/dev.ts',
  bench: 'bench/main.ts',
  evals: 'evals/main.ts',
  faults: 'test/faults/main.ts',
  migrate: 'db/migrate-main.ts',
  screenshots: 'test/browser/screenshots.ts',
  test: 'test/main.ts',
};

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(early('node', { version: process.version }));
  process.exit(1);
};

/** Packages that the lockfile names and node_modules lacks or has in another version; optional ones may be for other platforms. */
const differs = (lockfile, installedFile) => {
  const packages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
  const installed = packages(installedFile);
  return Object.entries(packages(lockfile)).some(
    ([path, wanted]) => path !== '' && !wanted.optional && !wanted.devOptional && installed[path]?.version !== wanted.version,
  );
};

/** npm writes a lockfile into node_modules when it has finished: times first, contents only when those say "older". */
const needsInstall = () => {
  const lockfile = join(root, 'package-lock.json');
  const done = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(done)) return true;
  return statSync(lockfile).mtimeMs > statSync(done).mtimeMs && differs(lockfile, done);
};

const installPackages = async () => {
  if (!needsInstall()) return;
  await withLock(
    join(root, '.campana', 'install.lock'),
    async () => {
      if (!needsInstall()) return;
      const since = Date.now();
      const missing = !existsSync(join(root, 'node_modules'));
      say(early(missing ? 'packages_missing' : 'packages_old'));
      // npm's own output would spoil the stdout of --json.
      // Development packages are needed to run (tsx, esbuild), also where NODE_ENV says production.
      const done = spawnSync('npm', ['ci', '--include=dev', '--no-progress'], { cwd: root, stdio: ['ignore', 2, 2] });
      if (done.status !== 0) throw new Error(early('packages_failed'));
      say(early('packages_done', { seconds: ((Date.now() - since) / 1000).toFixed(0) }));
    },
    { onWait: (pid) => say(early('packages_wait', { pid: pid ?? '?' })) },
  );
};

const handOver = (entry, args) => {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, entry), ...args], { cwd: root, stdio: 'inherit' });
  // A terminal sends Ctrl-C to both of us: the child decides what to do with it, and we end when it has ended.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A closed terminal sends it to the child as well, and the child takes a second signal as "at once".
  process.on('SIGHUP', () => undefined);
  // npm passes SIGTERM to a shell that dies of it without telling us: when that shell is gone, so is whoever asked for this run.
  const parent = process.ppid;
  const underNpm = process.env.npm_lifecycle_event !== undefined;
  let asked = false;
  process.once('SIGTERM', () => (asked = true));
  const ifAlone = () => {
    if (asked || process.ppid === parent) return;
    asked = true;
    child.kill('SIGTERM');
  };
  if (underNpm) setInterval(ifAlone, 500).unref();
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
};

const [name, ...args] = process.argv.slice(2);
const entry = Object.hasOwn(ENTRIES, name ?? '') ? ENTRIES[name] : undefined;
if (!entry) {
  say(`Usage: node stack/bootstrap.mjs ${Object.keys(ENTRIES).join('|')} [arguments]`);
  process.exit(2);
}
checkNode();
try {
  await installPackages();
} catch (error) {
  say(error.message);
  process.exit(1);
}
if (!existsSync(join(root, entry))) {
  say(early('no_entry', { entry }));
  process.exit(1);
}
handOver(entry, args);
