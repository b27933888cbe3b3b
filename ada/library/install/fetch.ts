import { spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar';
import { pathReason } from '../read/guard.js';
import { InstallRefusal } from './refusal.js';
import type { Source } from './source.js';

export const CAPS = {
  archiveBytes: 20_000_000,
  unpackedBytes: 60_000_000,
  entries: 2_000,
  ratio: 100,
  ratioFrom: 2_000_000,
  redirects: 5,
  timeoutMs: 120_000,
} as const;

export interface Fetched {
  /** The tree as it came; only looked at, never followed. */
  folder: string;
  /** Git commit, or sha256 of the archive; null for a folder, whose files are the only thing to tell it by. */
  resolved: string | null;
  /** It may lie in one folder that is the archive's own, not the library's. */
  wrapped: boolean;
}
export interface FetchOptions {
  signal?: AbortSignal;
  fetch?: typeof fetch;
  timeoutMs?: number;
  env?: NodeJS.ProcessEnv;
}

const ends = (options: FetchOptions): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(options.timeoutMs ?? CAPS.timeoutMs), ...(options.signal ? [options.signal] : [])]);

/** Brings a source into `into`, an empty folder of the quarantine. */
export const fetchSource = async (source: Source, into: string, options: FetchOptions = {}): Promise<Fetched> => {
  if (source.kind === 'folder') return { folder: source.path, resolved: null, wrapped: false };
  const signal = ends(options);
  try {
    if (source.kind === 'git') return await clone(source, into, signal, options.env ?? process.env);
    const archive = join(into, 'archive.tgz');
    const hash = createHash('sha256');
    const from = source.kind === 'archive' ? createReadStream(source.path) : await download(source.url, signal, options.fetch ?? fetch);
    await pipeline(from, counted(CAPS.archiveBytes, 'archive_large', hash), createWriteStream(archive, { flags: 'wx' }), { signal });
    return { folder: await unpack(archive, join(into, 'unpacked'), signal), resolved: hash.digest('hex'), wrapped: true };
  } catch (error) {
    if (signal.aborted && !options.signal?.aborted)
      throw new InstallRefusal('timeout', { source: source.text, seconds: Math.round((options.timeoutMs ?? CAPS.timeoutMs) / 1000) });
    throw error;
  }
};

/** Lets `most` bytes through and counts them into the hash. */
const counted = (most: number, code: 'archive_large' | 'archive_unpacked', hash?: Hash): Transform => {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) return done(new InstallRefusal(code, { mb: Math.round(most / 1_000_000) }));
      hash?.update(chunk);
      done(null, chunk);
    },
  });
};

const download = async (address: string, signal: AbortSignal, get: typeof fetch): Promise<Readable> => {
  let url = address;
  for (let hop = 0; hop <= CAPS.redirects; hop++) {
    let response: Response;
    try {
      response = await get(url, {
        redirect: 'manual',
        signal,
        headers: { 'user-agent': 'campana-skills', accept: 'application/gzip, application/octet-stream' },
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new InstallRefusal('download_failed', {
        url: address,
        why: (cause as NodeJS.ErrnoException).code ?? (cause instanceof Error ? cause.message : String(cause)),
      });
    }
    const to = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && to) {
      await response.body?.cancel();
      url = new URL(to, url).href;
      if (!url.startsWith('https://')) throw new InstallRefusal('source_insecure', { source: url });
      continue;
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new InstallRefusal('download_status', { url: address, status: response.status });
    }
    const said = Number(response.headers.get('content-length') ?? 0);
    if (said > CAPS.archiveBytes) {
      await response.body.cancel();
      throw new InstallRefusal('archive_large', { mb: Math.round(CAPS.archiveBytes / 1_000_000) });
    }
    return Readable.from(response.body, { objectMode: false });
  }
  throw new InstallRefusal('download_failed', { url: address, why: 'redirects' });
};

/**
 * Unpacks what is plain files and folders; one entry that is anything else, or that points anywhere else, refuses the whole archive. Bytes are
 * counted as they come out: what a header promises is not believed.
 */
const unpack = async (archive: string, into: string, signal: AbortSignal): Promise<string> => {
  await mkdir(into);
  let refused: InstallRefusal | null = null;
  let entries = 0;
  let packed = 0;
  let unpacked = 0;
  const refuse = (refusal: InstallRefusal): false => {
    refused ??= refusal;
    return false;
  };
  const meterIn = new Transform({
    transform(chunk: Buffer, _e, done) {
      packed += chunk.length;
      done(null, chunk);
    },
  });
  const meterOut = new Transform({
    transform(chunk: Buffer, _e, done) {
      unpacked += chunk.length;
      if (unpacked > CAPS.ratioFrom && unpacked > packed * CAPS.ratio) refuse(new InstallRefusal('archive_ratio', { ratio: CAPS.ratio }));
      else if (unpacked > CAPS.unpackedBytes)
        refuse(new InstallRefusal('archive_unpacked', { mb: Math.round(CAPS.unpackedBytes / 1_000_000) }));
      done(refused, refused ? undefined : chunk);
    },
  });
  const out = extract({
    cwd: into,
    strict: true,
    preservePaths: false,
    noChmod: true,
    dmode: 0o755,
    fmode: 0o644,
    noMtime: true,
    maxDepth: 32,
    filter: (path, entry) => {
      if (refused) return false;
      if (++entries > CAPS.entries) return refuse(new InstallRefusal('archive_entries', { most: CAPS.entries }));
      const type = 'type' in entry ? entry.type : 'File';
      if (type !== 'File' && type !== 'OldFile' && type !== 'Directory')
        return refuse(new InstallRefusal('entry_type', { path: path.slice(0, 120), type: String(type) }));
      const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
      if (plain === '' || plain === '.') return type === 'Directory';
      const reason = pathReason(plain);
      if (reason) return refuse(new InstallRefusal('entry_path', { path: path.slice(0, 120), reason }));
      return true;
    },
  });
  try {
    await pipeline(createReadStream(archive), meterIn, createGunzip(), meterOut, out, { signal });
  } catch (error) {
    if (refused) throw refused as InstallRefusal;
    if (signal.aborted) throw error;
    throw new InstallRefusal('archive_invalid', { why: error instanceof Error ? error.message.slice(0, 200) : String(error) });
  }
  if (refused) throw refused as InstallRefusal;
  return into;
};

/** Only what git needs to reach the repository: no prompt, no hook, no filter, no transport but three. */
const gitEnv = (from: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  // GIT_DIR and its like, set while a hook runs, would point the clone at somebody else's repository.
  ...Object.fromEntries(
    Object.entries(from).filter(([name]) => !name.startsWith('GIT_') || name === 'GIT_SSH_COMMAND' || name === 'GIT_SSL_CAINFO'),
  ),
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_ALLOW_PROTOCOL: 'https:ssh:file',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_PROTOCOL_FROM_USER: '0',
  LC_ALL: 'C',
  GIT_SSH_COMMAND: from['GIT_SSH_COMMAND'] ?? 'ssh -oBatchMode=yes',
});
const GIT_SETTINGS = [
  `core.hooksPath=${devNull}`,
  'core.symlinks=false',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'filter.lfs.smudge=',
  'filter.lfs.process=',
  'filter.lfs.required=false',
  'protocol.ext.allow=never',
  'init.templateDir=',
  'gc.auto=0',
  'advice.detachedHead=false',
];

const git = (args: readonly string[], cwd: string, signal: AbortSignal, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((done, fail) => {
    const child = spawn('git', [...GIT_SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
      cwd,
      env: gitEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (out.length < 10_000) out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err = (err + chunk.toString()).slice(-2_000);
    });
    child.once('error', (error: NodeJS.ErrnoException) => fail(error.code === 'ENOENT' ? new InstallRefusal('git_missing') : error));
    child.once('close', (code) => {
      if (code === 0) return done(out.trim());
      // Its last word says why; the ones before are about what to do with a terminal.
      const lines = err
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !/^Cloning into/.test(line));
      fail(
        new InstallRefusal('git_failed', {
          why: (lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? `exit ${code ?? '?'}`).slice(0, 300),
        }),
      );
    });
  });

const clone = async (
  source: Extract<Source, { kind: 'git' }>,
  into: string,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<Fetched> => {
  const folder = join(into, 'clone');
  const run = (args: readonly string[], cwd = folder): Promise<string> => git(args, cwd, signal, env);
  const commit = source.ref !== null && /^[0-9a-f]{40}$/.test(source.ref) ? source.ref : null;
  if (commit) {
    // A commit is no branch: it is asked for by itself, which the larger hosts allow.
    await mkdir(folder);
    await run(['init', '--quiet']);
    await run(['fetch', '--quiet', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--', source.url, commit]);
    await run(['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
  } else
    await run(
      [
        'clone',
        '--quiet',
        '--depth',
        '1',
        '--no-tags',
        '--single-branch',
        '--no-recurse-submodules',
        ...(source.ref === null ? [] : ['--branch', source.ref]),
        '--',
        source.url,
        folder,
      ],
      into,
    );
  const resolved = await run(['rev-parse', 'HEAD']);
  await rm(join(folder, '.git'), { recursive: true, force: true });
  return { folder, resolved, wrapped: false };
};
