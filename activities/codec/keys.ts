import { readFileSync } from 'node:fs';

/** Bytes of an AES-256 key. */
const KEY_BYTES = 32;
const ID = /^[A-Za-z0-9._-]{1,64}$/;

export interface CodecKey {
  id: string;
  secret: Buffer;
}
/** What payloads are encrypted with: the first encrypts, each decrypts what was encrypted with it. None: payloads stay as they are. */
export type CodecKeys = readonly CodecKey[];

/** Where keys come from, e.g. `process.env`. */
export interface CodecSettings {
  CAMPANA_CODEC_KEYS?: string | undefined;
  CAMPANA_CODEC_KEYS_FILE?: string | undefined;
}

const HOW =
  'expected id:base64 of 32 bytes (`openssl rand -base64 32`), separated by commas or lines. See docs/running.md, Payload encryption.';

const parseKey = (entry: string, position: number): CodecKey => {
  const at = entry.indexOf(':');
  const id = entry.slice(0, Math.max(0, at));
  // Whatever stands there may be a secret: the message says which entry, never what is in it.
  if (!ID.test(id)) throw new Error(`Codec key ${position} has no usable id: ${HOW}`);
  const text = entry.slice(at + 1);
  const secret = Buffer.from(text, 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || secret.length !== KEY_BYTES)
    throw new Error(`Codec key ${id} is not 32 bytes in base64: ${HOW}`);
  return { id, secret };
};

/**
 * Keys as text: `id:base64`, separated by commas or white space; `#` begins a comment that ends with its line.
 * @throws Error that names the key, never its value
 */
export const parseCodecKeys = (text: string): CodecKeys => {
  const entries = text
    .split('\n')
    .map((line) => line.replace(/#.*/, ''))
    .join('\n')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  const keys = entries.map((entry, i) => parseKey(entry, i + 1));
  const ids = new Set<string>();
  for (const { id } of keys) {
    if (ids.has(id)) throw new Error(`Codec key ${id} is there twice: one id is one key for as long as payloads carry it.`);
    ids.add(id);
  }
  return keys;
};

/**
 * The configured keys: `CAMPANA_CODEC_KEYS`, or the file that `CAMPANA_CODEC_KEYS_FILE` names. None when neither is set.
 * @throws Error when both are set, the file cannot be read or is empty, or a key is unusable
 */
export const readCodecKeys = ({ CAMPANA_CODEC_KEYS: text, CAMPANA_CODEC_KEYS_FILE: file }: CodecSettings): CodecKeys => {
  if (text && file) throw new Error('Set CAMPANA_CODEC_KEYS or CAMPANA_CODEC_KEYS_FILE, not both.');
  if (!file) return parseCodecKeys(text ?? '');
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`CAMPANA_CODEC_KEYS_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`, { cause: error });
  }
  const keys = parseCodecKeys(content);
  // Somebody wanted encryption: a file that came out empty must not turn it off.
  if (keys.length === 0) throw new Error(`CAMPANA_CODEC_KEYS_FILE holds no key: ${HOW}`);
  return keys;
};
