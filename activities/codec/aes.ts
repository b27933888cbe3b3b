import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import protobuf from 'protobufjs';
import type { CodecKey, CodecKeys } from './keys.js';

/** How an encrypted payload says so, and which key it needs; the names are those of Temporal's own samples. */
export const ENCRYPTED = 'binary/encrypted';
export const KEY_ID = 'encryption-key-id';
/** Types of the failures that decoding ends with; see `codecFault`. */
export const CODEC_FAULTS = ['codec_key_unknown', 'codec_payload_invalid'] as const;
export type CodecFault = (typeof CODEC_FAULTS)[number];

const CIPHER = 'aes-256-gcm';
/** Random, 96 bits: up to 2^32 payloads a key; rotate long before (docs/running.md). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The payload inside, on the wire as Temporal's `Payload`: metadata and data, each byte of it encrypted. */
const Inner = new protobuf.Type('Payload')
  .add(new protobuf.MapField('metadata', 1, 'string', 'bytes'))
  .add(new protobuf.Field('data', 2, 'bytes'));

const utf8 = new TextDecoder('utf-8', { fatal: true });
const textOf = (bytes: Uint8Array | null | undefined): string | undefined => {
  if (!bytes) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    // Not ours to read: no name of an encoding or of a key.
    return '\uFFFD';
  }
};

/** Authenticated beside the data: a payload cannot be passed off as encrypted in another way or with another key. */
const boundTo = (keyId: string): Buffer => Buffer.from(`campana-codec/1\n${ENCRYPTED}\n${keyId}`, 'utf8');

const fault = (type: CodecFault, keyId: string, message: string, nonRetryable = true): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable, details: [{ key_id: keyId }] });

/** What a failure of the codec is about, wherever it surfaces; null for any other error. */
export const codecFault = (error: unknown): { code: CodecFault; keyId: string } | null => {
  if (!(error instanceof ApplicationFailure)) return null;
  const code = CODEC_FAULTS.find((known) => known === error.type);
  const [detail] = (error.details ?? []) as [{ key_id?: unknown }?];
  return code ? { code, keyId: typeof detail?.key_id === 'string' ? detail.key_id : '' } : null;
};

const seal = (payload: Payload, key: CodecKey): Payload => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.secret, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(key.id));
  const inner = Inner.encode({ metadata: payload.metadata ?? {}, data: payload.data ?? new Uint8Array() }).finish();
  const sealed = Buffer.concat([nonce, cipher.update(inner), cipher.final(), cipher.getAuthTag()]);
  // Anything else a payload has (references to storage outside) is not content, and stays beside it.
  return { ...payload, metadata: { encoding: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(key.id) }, data: sealed };
};

const open = (payload: Payload, keys: ReadonlyMap<string, CodecKey>, patient: boolean): Payload => {
  const encoding = textOf(payload.metadata?.['encoding']);
  const keyId = textOf(payload.metadata?.[KEY_ID]);
  if (encoding !== ENCRYPTED && keyId === undefined) return payload;
  const invalid = (why: string): ApplicationFailure =>
    fault(
      'codec_payload_invalid',
      keyId ?? '',
      `A payload that says it was encrypted with key ${keyId ?? '(none)'} ${why}. Nothing was read from it.`,
    );
  if (encoding !== ENCRYPTED || !keyId) throw invalid('has metadata that do not belong together');
  const key = keys.get(keyId);
  if (!key) {
    const known = keys.size === 0 ? 'no keys' : `only ${[...keys.keys()].join(', ')}`;
    const todo =
      'Add that key to CAMPANA_CODEC_KEYS of every process, behind the first, and restart (docs/running.md, Payload encryption).';
    throw fault('codec_key_unknown', keyId, `A payload needs codec key ${keyId}; this process has ${known}. ${todo}`, !patient);
  }
  const data = payload.data ?? new Uint8Array();
  if (data.length < NONCE_BYTES + TAG_BYTES) throw invalid('is cut short');
  const end = data.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, key.secret, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(keyId)).setAuthTag(data.subarray(end));
    const inner = Inner.toObject(
      Inner.decode(Buffer.concat([decipher.update(data.subarray(NONCE_BYTES, end)), decipher.final()])),
    ) as Payload;
    return { ...payload, metadata: inner.metadata ?? {}, data: inner.data ?? new Uint8Array() };
  } catch (error) {
    if (error instanceof ApplicationFailure) throw error;
    throw invalid('does not verify: it was changed, or another key has this id');
  }
};

/**
 * Encrypts payloads with the first key (AES-256-GCM) and decrypts those of every key. Payloads that were never encrypted pass, so
 * that encryption can be turned on while campaigns are under way; without keys all pass, and encrypted ones are refused by name.
 * @param patient a key that is missing may still come: what needs it is tried again instead of given up. For workers, whose failures end campaigns
 * @throws ApplicationFailure from `decode`, of a type in `CODEC_FAULTS`; non-retryable, but for a missing key of the patient
 */
export const aesCodec = (keys: CodecKeys, { patient = false } = {}): PayloadCodec => {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const [first] = keys;
  return {
    encode: (payloads) => Promise.resolve(first ? payloads.map((payload) => seal(payload, first)) : payloads),
    decode: async (payloads) => payloads.map((payload) => open(payload, byId, patient)),
  };
};
