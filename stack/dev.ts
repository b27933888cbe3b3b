import { parseArgs } from 'node:util';
import { pageLink } from './page-link.js';
import { sayOnStderr } from './screen.js';
import { startStack } from './up.js';

const USAGE = `Usage: npm run dev -- [options]
Starts Temporal, PostgreSQL, the kitchen, the worker and the API, and keeps them running until Ctrl-C.

  --sample demo|grande   size of the kitchen's made-up data (demo)
  --state-dir DIR        data, logs and record (.campana)
  --port-offset N        added to every usual port (0)
  --faults               open the kitchen's control port
  --no-ui                without Temporal's web UI
  --encrypt              encrypt Temporal's payloads, with a key in the state folder (from then on always)
  --quiet                say only what goes wrong
  --help`;

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string' },
      'state-dir': { type: 'string' },
      'port-offset': { type: 'string' },
      faults: { type: 'boolean' },
      'no-ui': { type: 'boolean' },
      encrypt: { type: 'boolean' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return sayOnStderr(USAGE);
  if (values.sample !== undefined && values.sample !== 'demo' && values.sample !== 'grande')
    throw new Error(`--sample is demo or grande, not ${values.sample}`);
  const portOffset = Number(values['port-offset'] ?? 0);
  if (!Number.isInteger(portOffset) || portOffset < 0) throw new Error('--port-offset is a whole number');
  const stack = await startStack({
    ...(values.sample ? { sample: values.sample } : {}),
    ...(values['state-dir'] ? { stateDir: values['state-dir'] } : {}),
    portOffset,
    faults: values.faults ?? false,
    ui: !values['no-ui'],
    encrypt: values.encrypt ?? false,
    quiet: values.quiet ?? false,
    signals: true,
  });
  if (values.quiet) return;
  sayOnStderr(stack.attached ? 'Campana · ready' : `Campana · ready in ${((stack.timings['total'] ?? 0) / 1000).toFixed(1)} s`);
  // A code that logs in is for eyes, not for whatever keeps this output.
  sayOnStderr(`  Page         ${await pageLink(stack.urls.api, process.stderr.isTTY ? stack.token : '')}`);
  sayOnStderr(`  API          ${stack.urls.api}`);
  if (stack.urls.temporalUi) sayOnStderr(`  Temporal UI  ${stack.urls.temporalUi}`);
  if (stack.tokenFile) sayOnStderr(`  token        ${stack.tokenFile} (workspace ws_demo, 12 h)`);
  sayOnStderr(`  logs         ${stack.stateDir}/logs`);
  if (!stack.attached) sayOnStderr('Ctrl-C stops everything.');
};

main().catch((error: unknown) => {
  sayOnStderr(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
