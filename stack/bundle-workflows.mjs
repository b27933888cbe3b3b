// Bundles the workflows for the sandbox: node bundle-workflows.mjs <entry> <output> [failure converter]. Renamed when complete.
import { rename, writeFile } from 'node:fs/promises';
import { bundleWorkflowCode } from '@temporalio/worker';

const [workflowsPath, output, failureConverterPath] = process.argv.slice(2);
const quiet = () => undefined;
const loud = (message, meta) => process.stderr.write(`${message} ${meta ? JSON.stringify(meta) : ''}\n`);
const { code } = await bundleWorkflowCode({
  workflowsPath,
  failureConverterPath,
  logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: loud, error: loud },
});
await writeFile(`${output}.new`, code);
await rename(`${output}.new`, output);
