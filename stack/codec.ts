import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readCodecKeys } from '../activities/codec/keys.js';
import { newSecret, writeSecret } from './tokens.js';
import { said } from './words.js';

/** Payload encryption of a stack. */
export interface StackCodec {
  /** Where worker, API and clients find the keys; empty when they inherit it from our own environment. */
  env: Record<string, string>;
  /** Lets the dev server's UI ask the API to decode; made per start. Undefined in production, where people have tokens. */
  uiToken: string | undefined;
  detail: string;
}

/**
 * The codec keys of a start: those of the environment, else the state folder's own, which `encrypt` makes. Once a folder has keys
 * they stay in use, because its histories need them. Undefined when payloads stay in the open.
 * @throws Error when the environment's keys are unusable
 */
export const openCodec = async (stateDir: string, encrypt: boolean): Promise<StackCodec | undefined> => {
  const uiToken = process.env['NODE_ENV'] === 'production' ? undefined : newSecret();
  const given = readCodecKeys(process.env);
  if (given[0]) return { env: {}, uiToken, detail: said('sealed_with', { id: given[0].id }) };
  const file = join(stateDir, 'codec-keys');
  if (!existsSync(file)) {
    if (!encrypt) return undefined;
    await writeSecret(file, `dev-${new Date().toISOString().slice(0, 10)}:${randomBytes(32).toString('base64')}\n`);
  }
  return { env: { CAMPANA_CODEC_KEYS_FILE: file }, uiToken, detail: said('sealed_in', { file }) };
};
