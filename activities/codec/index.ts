import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { aesCodec } from './aes.js';
import { readCodecKeys, type CodecSettings } from './keys.js';

/** The module that seals messages and stacks of failures; also built into the workflow bundle that goes with keys. */
export const SEALED_FAILURES = fileURLToPath(new URL('sealed-failures.cjs', import.meta.url));
/** Found in a workflow bundle that was made with it. */
const MARK = 'campana: failures are sealed';

/** True when payloads are encrypted under these settings. @throws Error when the keys are unusable */
export const isSealed = (from: CodecSettings): boolean => readCodecKeys(from).length > 0;

export interface CodecOptions {
  /** Of a worker: what needs a key that is missing is tried again, instead of failing an activity and with it a campaign. */
  patient?: boolean;
}

/** The codec of these settings; without keys it leaves payloads as they are. @throws Error when the keys are unusable */
export const codecOf = (from: CodecSettings, options: CodecOptions = {}): PayloadCodec => aesCodec(readCodecKeys(from), options);

/**
 * The one data converter of everything that speaks to Temporal. The codec is in every history from the first on, so that
 * encryption can be turned on later by configuration.
 * @throws Error when the keys are unusable
 */
export const dataConverterOf = (from: CodecSettings, options: CodecOptions = {}): DataConverter => ({
  payloadCodecs: [codecOf(from, options)],
  ...(isSealed(from) ? { failureConverterPath: SEALED_FAILURES } : {}),
});

/** What is wrong with running this workflow bundle under these settings; null when nothing is. Workflows fail inside their bundle. */
export const bundleMismatch = (code: string, from: CodecSettings): string | null => {
  const sealed = isSealed(from);
  if (sealed === code.includes(MARK)) return null;
  return sealed
    ? 'Payloads are encrypted, but this workflow bundle writes failures in the open: use the one that `npm run build` names workflow-bundle-sealed-….'
    : 'This workflow bundle seals failures, but no codec keys are set: use the one that `npm run build` names workflow-bundle-….';
};
