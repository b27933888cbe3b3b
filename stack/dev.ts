import { parseArgs } from 'node:util';
import { pageLink } from './page-link.js';
import { sayOnStderr } from './screen.js';
import { startStack } from './up.js';
import { languageOfEnv, said, speak, unknownOption } from './words.js';

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string' },
      'state-dir': { type: 'string' },
      'port-offset': { type: 'string' },
      faults: { type: 'boolean' },
      'no-ui': { type: 'boolean' },
      encrypt: { type: 'boolean' },
      idioma: { type: 'string' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.idioma !== undefined) speak(values.idioma === 'en' ? 'en' : 'es-MX');
  if (values.help) return sayOnStderr(said('usage'));
  if (values.sample !== undefined && values.sample !== 'demo' && values.sample !== 'grande')
    throw new Error(said('sample', { sample: values.sample }));
  const portOffset = Number(values['port-offset'] ?? 0);
  if (!Number.isInteger(portOffset) || portOffset < 0) throw new Error(said('port_offset'));
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
  sayOnStderr(stack.attached ? said('ready') : said('ready_in', { seconds: ((stack.timings['total'] ?? 0) / 1000).toFixed(1) }));
  // A code that logs in is for eyes, not for whatever keeps this output.
  sayOnStderr(said('link.page', { url: await pageLink(stack.urls.api, process.stderr.isTTY ? stack.token : '') }));
  sayOnStderr(said('link.api', { url: stack.urls.api }));
  if (stack.urls.temporalUi) sayOnStderr(said('link.temporal', { url: stack.urls.temporalUi }));
  if (stack.tokenFile) sayOnStderr(said('link.token', { file: stack.tokenFile }));
  sayOnStderr(said('link.logs', { folder: `${stack.stateDir}/logs` }));
  if (!stack.attached) sayOnStderr(said('ctrl_c'));
};

speak(languageOfEnv());
main().catch((error: unknown) => {
  const what = unknownOption(error);
  sayOnStderr(what ? said('unknown_option', { what }) : error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
