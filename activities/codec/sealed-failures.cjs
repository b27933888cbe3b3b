// How failures are written when payloads are encrypted: message and stack go through the codec like any payload, what stays in the
// open is "Encoded failure". Temporal's client and worker load this by its path and the workflow bundle has it inside, so it is
// a module of its own that `require` can read.
const { ApplicationFailure, DefaultFailureConverter } = require('@temporalio/common');

/**
 * Types whose messages are fixed texts, codes and key ids, written to be read where nothing is decoded: what an operator asked that cannot be
 * done (the Temporal UI shows such answers as they are), and why a payload could not be read.
 */
const IN_THE_OPEN = new Set(['bad_request', 'refused', 'codec_key_unknown', 'codec_payload_invalid']);

class SealedFailures extends DefaultFailureConverter {
  errorToFailure(error, payloadConverter, context) {
    if (!(error instanceof ApplicationFailure && IN_THE_OPEN.has(error.type)))
      return super.errorToFailure(error, payloadConverter, context);
    return { ...this.errorToFailureInner(error, payloadConverter, context), stackTrace: '' };
  }
}

// A worker looks for this text in its bundle, so that one made without it is not used with keys.
exports.mark = 'campana: failures are sealed';
exports.failureConverter = new SealedFailures({ encodeCommonAttributes: true });
