import { randomBytes } from 'node:crypto';
import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aesCodec, codecFault, ENCRYPTED, KEY_ID } from '../../activities/codec/aes.js';
import { parseCodecKeys, type CodecKey } from '../../activities/codec/keys.js';

const key = (id: string): CodecKey => ({ id, secret: randomBytes(32) });
const [K1, K2, K3] = [key('2026-01'), key('2026-02'), key('2026-03')];
const plainOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const bytes = fc.uint8Array({ maxLength: 600 });
/** Any payload: metadata under any name, any bytes. */
const anyPayload: fc.Arbitrary<Payload> = fc.record({
  metadata: fc.dictionary(
    fc.string({ maxLength: 20 }).filter((name) => name !== '__proto__' && name !== KEY_ID),
    bytes,
    { maxKeys: 4 },
  ),
  data: bytes,
});
const comparable = (payload: Payload): unknown => ({
  metadata: Object.fromEntries(Object.entries(payload.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('hex')])),
  data: Buffer.from(payload.data ?? []).toString('hex'),
});
const sealOne = async (codec: ReturnType<typeof aesCodec>, payload: Payload): Promise<Payload> =>
  (await codec.encode([payload]))[0] as Payload;
const openOne = async (codec: ReturnType<typeof aesCodec>, payload: Payload): Promise<Payload> =>
  (await codec.decode([payload]))[0] as Payload;
const failureOf = async (work: Promise<unknown>): Promise<ApplicationFailure> => {
  const error = await work.then(
    () => new Error('it did not fail'),
    (e: unknown) => e,
  );
  if (error instanceof ApplicationFailure) return error;
  throw error;
};
const flipped = (data: Uint8Array, bit: number): Uint8Array => {
  const copy = Uint8Array.from(data);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

describe('payloads encrypted with AES-256-GCM', () => {
  it('come back as they went in, whatever they hold', async () => {
    const codec = aesCodec([K1]);
    await fc.assert(
      fc.asyncProperty(fc.array(anyPayload, { maxLength: 5 }), async (payloads) => {
        const sealed = await codec.encode(payloads);
        expect(sealed.map((p) => Buffer.from(p.metadata?.['encoding'] ?? []).toString())).toEqual(payloads.map(() => ENCRYPTED));
        expect((await codec.decode(sealed)).map(comparable)).toEqual(payloads.map(comparable));
      }),
    );
  });

  it('show nothing of what they hold, not even that two are the same', async () => {
    const codec = aesCodec([K1]);
    const payload = plainOf({ run: 'run_visible', workspace: 'ws_visible' });
    const [one, two] = [await sealOne(codec, payload), await sealOne(codec, payload)];
    for (const sealed of [one, two]) {
      expect(Object.keys(sealed.metadata ?? {}).sort()).toEqual(['encoding', KEY_ID].sort());
      for (const word of ['visible', 'json/plain', 'encoding']) expect(Buffer.from(sealed.data ?? []).includes(word)).toBe(false);
    }
    expect(Buffer.from(one.data ?? []).equals(Buffer.from(two.data ?? []))).toBe(false);
    expect((one.data ?? []).length).toBeLessThan((payload.data ?? []).length + 70);
  });

  it('fail when any one bit of them is another: data, encoding or key id', async () => {
    const codec = aesCodec([K1, K2]);
    const sealed = await sealOne(codec, plainOf({ run: 'run_1', n: 7 }));
    const parts: Array<[string, Uint8Array, (changed: Uint8Array) => Payload]> = [
      ['data', sealed.data as Uint8Array, (data) => ({ ...sealed, data })],
      ...['encoding', KEY_ID].map((name): [string, Uint8Array, (changed: Uint8Array) => Payload] => [
        name,
        sealed.metadata?.[name] as Uint8Array,
        (value) => ({ ...sealed, metadata: { ...sealed.metadata, [name]: value } }),
      ]),
    ];
    for (const [name, part, made] of parts) {
      // Every bit, not a sample: a few hundred.
      for (let bit = 0; bit < part.length * 8; bit += 1) {
        const failure = await failureOf(openOne(codec, made(flipped(part, bit))));
        expect(codecFault(failure), `${name} bit ${bit}`).not.toBeNull();
        expect(failure.nonRetryable, `${name} bit ${bit}`).toBe(true);
      }
    }
  });

  it('fail when they are cut short, or joined from two', async () => {
    const codec = aesCodec([K1]);
    const [one, two] = await codec.encode([plainOf('one'), plainOf('two')]);
    const data = Buffer.from(one?.data ?? []);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: data.length - 1 }), async (length) => {
        expect(codecFault(await failureOf(openOne(codec, { ...one, data: data.subarray(0, length) })))?.code).toBe('codec_payload_invalid');
        const joined = Buffer.concat([data.subarray(0, length), Buffer.from(two?.data ?? []).subarray(length)]);
        if (!joined.equals(data) && !joined.equals(Buffer.from(two?.data ?? [])))
          expect(codecFault(await failureOf(openOne(codec, { ...one, data: joined })))?.code).toBe('codec_payload_invalid');
      }),
    );
  });

  it('cannot be passed off under another key id, even with the same key behind both', async () => {
    const twin: CodecKey = { id: 'twin', secret: K1.secret };
    const codec = aesCodec([K1, twin]);
    const sealed = await sealOne(codec, plainOf('x'));
    const relabelled = { ...sealed, metadata: { ...sealed.metadata, [KEY_ID]: Buffer.from('twin') } };
    expect(codecFault(await failureOf(openOne(codec, relabelled)))).toEqual({ code: 'codec_payload_invalid', keyId: 'twin' });
  });
});

describe('keys that change', () => {
  it('the first key encrypts and all decrypt, through any order of rotations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.shuffledSubarray([K1, K2, K3], { minLength: 1 }), { minLength: 1, maxLength: 6 }),
        anyPayload,
        async (rotations, payload) => {
          for (const keys of rotations) {
            const sealed = await sealOne(aesCodec(keys), payload);
            expect(Buffer.from(sealed.metadata?.[KEY_ID] ?? []).toString()).toBe(keys[0]?.id);
            for (const reader of rotations) {
              const codec = aesCodec(reader);
              if (reader.some((k) => k.id === keys[0]?.id)) expect(comparable(await openOne(codec, sealed))).toEqual(comparable(payload));
              else expect(codecFault(await failureOf(openOne(codec, sealed)))).toEqual({ code: 'codec_key_unknown', keyId: keys[0]?.id });
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('a missing key is named, with what to do, and what this process has', async () => {
    const sealed = await sealOne(aesCodec([K1]), plainOf('x'));
    const failure = await failureOf(openOne(aesCodec([K2, K3]), sealed));
    expect(failure).toMatchObject({ type: 'codec_key_unknown', nonRetryable: true });
    expect(failure.message).toContain('needs codec key 2026-01; this process has only 2026-02, 2026-03');
    expect(failure.message).toContain('CAMPANA_CODEC_KEYS');
    expect((await failureOf(openOne(aesCodec([]), sealed))).message).toContain('this process has no keys');
  });

  it('payloads from before encryption still decode, beside encrypted ones, and nothing is encrypted without keys', async () => {
    const codec = aesCodec([K2, K1]);
    const old = plainOf({ run: 'run_old' });
    const decoded = await codec.decode([old, await sealOne(aesCodec([K1]), old), await sealOne(codec, old)]);
    expect(decoded.map((p) => defaultPayloadConverter.fromPayload(p))).toEqual([
      { run: 'run_old' },
      { run: 'run_old' },
      { run: 'run_old' },
    ]);
    const none = aesCodec([]);
    expect(await none.encode([old])).toEqual([old]);
    expect(await none.decode([old])).toEqual([old]);
  });
});

describe('keys by configuration', () => {
  const text = (k: CodecKey): string => `${k.id}:${k.secret.toString('base64')}`;

  it('come separated by commas, spaces or lines, with comments, as base64 or base64url', () => {
    const expected = [K1, K2];
    for (const given of [
      `${text(K1)},${text(K2)}`,
      ` ${text(K1)}\n\n${text(K2)}\n`,
      `# new\n${text(K1)} # since May\n${text(K2)}`,
      `${K1.id}:${K1.secret.toString('base64url')}, ${text(K2)}`,
    ]) {
      expect(parseCodecKeys(given)).toEqual(expected);
    }
    expect(parseCodecKeys('')).toEqual([]);
  });

  it('are refused without showing them', () => {
    const secret = K1.secret.toString('base64');
    for (const [given, why] of [
      [secret, 'Codec key 1 has no usable id'],
      [`:${secret}`, 'Codec key 1 has no usable id'],
      [`bad id!:${secret}`, 'Codec key 1 has no usable id'],
      [`k1:${secret.slice(4)}`, 'Codec key k1 is not 32 bytes'],
      [`k1:${secret}AAAA`, 'Codec key k1 is not 32 bytes'],
      ['k1:not*base64', 'Codec key k1 is not 32 bytes'],
      [`${text(K1)},${text({ ...K2, id: K1.id })}`, 'is there twice'],
    ] as const) {
      let message = '';
      try {
        parseCodecKeys(given);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toContain(why);
      expect(message).not.toContain(secret.slice(8, 20));
    }
  });
});
