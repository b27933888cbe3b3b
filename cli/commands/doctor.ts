import { connect } from 'node:net';
import { statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Health } from '../../contracts/api.js';
import { isSupervised } from '../../stack/record.js';
import { stateDirOf } from '../../stack/paths.js';
import { api } from '../api.js';
import { leftRunning, type Connection } from '../connection.js';
import { printJson, type Context } from '../context.js';
import { CliExit, EXIT, type ExitCode } from '../exit.js';
import { clean } from '../words.js';
import { inWorkspaceZone } from '../zone.js';

/** One thing looked at: whether it is as it should be, what was seen, and what to do when not. */
export interface Check {
  id: string;
  ok: boolean;
  detail: string;
  fix: string | null;
}

const MIN_NODE = [20, 19] as const;
const MIN_DISK_BYTES = 1_000_000_000;
const LOOK_MS = 3000;

const json = async (url: string): Promise<unknown> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(LOOK_MS) });
  return response.json();
};
const listens = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: LOOK_MS });
    const end = (ok: boolean) => (): void => {
      socket.destroy();
      resolve(ok);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
const why = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // A deadline that ran out carries a number as its code.
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : String(cause);
};

type Add = (id: string, ok: boolean, detail: string, fix: string) => void;

/** Who the API takes us for, or why for nobody. */
const whoAmI = async (ctx: Context): Promise<Awaited<ReturnType<typeof api.session>> | CliExit> => {
  try {
    return await api.session(ctx.client);
  } catch (error) {
    if (!(error instanceof CliExit) || error.exit === EXIT.interrupted) throw error;
    return error;
  }
};

/** Looks at everything a campaign needs, from here outwards. Each check stands alone: one that fails stops no other. */
export const examine = async (ctx: Context): Promise<Check[]> => {
  const { words } = ctx;
  const checks: Check[] = [];
  const stateDir = stateDirOf(ctx.term.env['CAMPANA_STATE_DIR'] || undefined);
  // As one would type it from here, where that is shorter.
  const shown = (path: string): string => (relative(process.cwd(), path).startsWith('..') ? path : relative(process.cwd(), path));
  const places = { logs: shown(join(stateDir, 'logs')), token: shown(join(stateDir, 'token')) };
  const add: Add = (id, ok, detail, fix) => void checks.push({ id, ok, detail: clean(detail), fix: ok ? null : words.say(fix, places) });

  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  add('node', major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]), process.version, 'cli.doctor.fix.node');

  const disk = await statfs(stateDir).catch(() => statfs(process.cwd()));
  const free = disk.bavail * disk.bsize;
  add('disk', free >= MIN_DISK_BYTES, words.say('cli.doctor.disk', { gb: (free / 1e9).toFixed(1) }), 'cli.doctor.fix.disk');

  let where: Connection | null = null;
  try {
    where = await ctx.client.where();
  } catch (error) {
    if (!(error instanceof CliExit)) throw error;
    const gone = error.code === 'cli.error.stack_gone';
    add('stack', false, words.say(error.code ?? '', error.params), gone ? 'cli.doctor.fix.restart' : 'cli.doctor.fix.start');
  }
  if (!where) return checks;
  const { record } = where;
  const health = await json(`${where.url}/healthz`)
    .then((body) => Health.parse(body))
    .catch(why);
  // Nothing to ask an API that is not there: it would be waited for.
  const me = typeof health !== 'string' && health.alive ? await whoAmI(ctx) : null;
  if (me && !(me instanceof CliExit)) await inWorkspaceZone(ctx, me);
  if (record) {
    const left = leftRunning(record);
    const supervised = isSupervised(record);
    add(
      'stack',
      supervised,
      ctx.words.say(supervised ? 'cli.doctor.stack' : 'cli.error.stack_gone', {
        pid: String(record.supervisor.pid),
        at: record.startedAt,
        n: left.length,
        left: left.join(', '),
      }),
      'cli.doctor.fix.restart',
    );
    for (const [name, version] of Object.entries(record.versions))
      if (name !== 'node' && /^v?\d/.test(version)) add(`version.${name}`, true, version, 'cli.doctor.fix.start');
  } else add('stack', true, words.say('cli.doctor.remote', { url: where.url }), 'cli.doctor.fix.start');

  if (typeof health === 'string') add('api', false, `${where.url}: ${health}`, 'cli.doctor.fix.api');
  else {
    add('api', health.alive, where.url, 'cli.doctor.fix.api');
    for (const [part, { ok, detail }] of Object.entries(health.parts))
      add(
        `api.${part}`,
        ok,
        ok ? words.say(part === 'outbox' ? 'cli.doctor.delivered' : 'cli.doctor.answers') : detail,
        `cli.doctor.fix.${['database', 'temporal', 'tools', 'outbox'].includes(part) ? part : 'api'}`,
      );
  }
  if (me instanceof CliExit) add('token', false, words.say(me.code ?? '', me.params), 'cli.doctor.fix.token');
  else if (me)
    add(
      'token',
      true,
      ctx.words.say('cli.doctor.token', { sub: me.sub, workspace: me.workspace, roles: me.roles.join(', '), at: me.expires_at }),
      'cli.doctor.fix.token',
    );
  if (record) {
    const [host = '127.0.0.1', port = '7233'] = record.urls.temporal.split(':');
    if (/^\d+$/.test(port)) add('port.temporal', await listens(host, Number(port)), record.urls.temporal, 'cli.doctor.fix.temporal');
    if (record.urls.temporalUi) {
      const cluster = await json(`${record.urls.temporalUi}/api/v1/cluster-info`).then(
        (body) => (body as { serverVersion?: string }).serverVersion ?? '?',
        (error: unknown) => why(error),
      );
      add('temporal', /^\d/.test(cluster), cluster, 'cli.doctor.fix.temporal');
    }
    const tools = await fetch(record.urls.tools, { signal: AbortSignal.timeout(LOOK_MS) }).then(
      async (r) => {
        await r.body?.cancel();
        return {
          ok: r.status < 500,
          detail: `${record.urls.tools} · ${r.status < 500 ? words.say('cli.doctor.answers') : `HTTP ${r.status}`}`,
        };
      },
      (error: unknown) => ({ ok: false, detail: `${record.urls.tools}: ${why(error)}` }),
    );
    add('tools', tools.ok, tools.detail, 'cli.doctor.fix.tools');
  }
  return checks;
};

/** What was looked at, as people call it. */
const nameOf = (c: Check, ctx: Context): string => {
  const [, part] = /^version\.(.+)$/.exec(c.id) ?? [];
  if (part) return ctx.words.say('cli.doctor.version', { part });
  return ctx.words.has(`cli.doctor.name.${c.id}`) ? ctx.words.say(`cli.doctor.name.${c.id}`) : c.id;
};

export const doctor = async (ctx: Context): Promise<ExitCode> => {
  const checks = await examine(ctx);
  const ok = checks.every((c) => c.ok);
  if (ctx.json) printJson(ctx, { ok, checks });
  else {
    const wide = Math.max(...checks.map((c) => nameOf(c, ctx).length));
    for (const c of checks) {
      ctx.out(`${c.ok ? ctx.color.green('✓') : ctx.color.red('✗')} ${nameOf(c, ctx).padEnd(wide)} ${c.detail}`);
      if (c.fix) ctx.out(`  → ${c.fix}`);
    }
    ctx.out(ctx.words.say(ok ? 'cli.doctor.ok' : 'cli.doctor.wrong', { n: checks.filter((c) => !c.ok).length }));
  }
  return ok ? EXIT.ok : EXIT.problems;
};
