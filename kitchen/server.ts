import { readKitchenEnv } from './config.js';
import { startKitchen } from './start.js';

/** Entry of the tool server over HTTP. Prints one line of JSON when it is ready; ends cleanly on SIGTERM and SIGINT. */
const main = async (): Promise<void> => {
  const options = readKitchenEnv();
  const flag = process.argv.indexOf('--sample');
  const sample = flag > 0 && process.argv[flag + 1] === 'grande' ? 'grande' : options.sample;
  const running = await startKitchen({ ...options, sample });
  process.stdout.write(
    `${JSON.stringify({ level: 'info', ready: true, url: running.url, control: running.controlUrl, loaded: running.loaded, load_ms: running.loadMs, boot_ms: running.bootMs })}\n`,
  );
  const end = (): void => {
    void running.close().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
