// How failures are written when payloads are encrypted: message and stack go through the codec like any payload, what stays in the
// open is "Encoded failure". Temporal's client and worker load this by its path and the workflow bundle has it inside, so it is
// a module of its own that `require` can read.
const { DefaultFailureConverter } = require('@temporalio/common');

// A worker looks for this text in its bundle, so that one made without it is not used with keys.
exports.mark = 'campana: failures are sealed';
exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
