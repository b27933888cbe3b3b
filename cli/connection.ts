import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSame } from '../stack/identity.js';
import { isSupervised, readRecord, type StackRecord } from '../stack/record.js';
import { stateDirOf } from '../stack/paths.js';
import { CliExit, EXIT } from './exit.js';

/** Where the API is and who we are there. Read anew after a lost connection: a restarted stack has a new token. */
export interface Connection {
  url: string;
  token: string;
  temporalUi: string | null;
  record: StackRecord | null;
}

export interface ConnectionFlags {
  api?: string;
  tokenFile?: string;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Checks an address before a token is sent to it: plain http only on this machine. */
export const checkedUrl = (given: string): string => {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new CliExit(EXIT.usage, 'cli.error.api_url', { url: given });
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
    throw new CliExit(EXIT.usage, 'cli.error.api_insecure', { url: given });
  return given.replace(/\/+$/, '');
};

const readToken = async (file: string, explicit: boolean): Promise<string> => {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    if (explicit) throw new CliExit(EXIT.usage, 'cli.error.token_file', { file });
    return '';
  }
};

/** The stack of the record was killed, its API included: nothing at its address will answer until somebody starts it again. */
const isGone = (record: StackRecord): boolean => !isSupervised(record) && !(record.parts.api && isSame(record.parts.api));

/** Parts that a killed start left running. */
export const leftRunning = (record: StackRecord): string[] =>
  Object.entries(record.parts).flatMap(([name, part]) => (isSame(part) ? [`${name} (${part.pid})`] : []));

/**
 * Address and token: flags, then the environment, then what the running stack wrote into its state folder.
 * @param back looked up again after a lost connection: then a stack that was killed may be coming back
 * @throws CliExit 7 when nothing says where the API is, or what says it was killed.
 */
export const findConnection = async (flags: ConnectionFlags, env: NodeJS.ProcessEnv = process.env, back = false): Promise<Connection> => {
  const stateDir = stateDirOf(env['CAMPANA_STATE_DIR'] || undefined);
  const record = (await readRecord(stateDir)) ?? null;
  const address = flags.api ?? (env['CAMPANA_API_URL'] || record?.urls.api);
  if (!address) throw new CliExit(EXIT.unavailable, 'cli.error.no_stack');
  const url = checkedUrl(address);
  if (!back && record && url === record.urls.api && isGone(record)) {
    const left = leftRunning(record);
    throw new CliExit(EXIT.unavailable, 'cli.error.stack_gone', {
      pid: String(record.supervisor.pid),
      at: record.startedAt,
      n: left.length,
      left: left.join(', '),
    });
  }
  // The stack's own token goes to the stack's own API only.
  const own = record && url === record.urls.api ? record.tokenFile || join(stateDir, 'token') : null;
  const token = flags.tokenFile
    ? await readToken(flags.tokenFile, true)
    : env['CAMPANA_TOKEN']
      ? env['CAMPANA_TOKEN']
      : env['CAMPANA_TOKEN_FILE']
        ? await readToken(env['CAMPANA_TOKEN_FILE'], true)
        : own
          ? await readToken(own, false)
          : '';
  return { url, token, temporalUi: env['CAMPANA_TEMPORAL_UI'] || record?.urls.temporalUi || null, record };
};
