import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../stack/paths.js';
import { eventually } from './kitchen.js';
import type { World } from './world.js';

/** A worker process beside the stack's own, started by hand as an operator would. Its log is read with the others. */
export const extraWorker = async (world: World, file: string, workflowBundle: string): Promise<{ kill(): Promise<void> }> => {
  const { env, stateDir } = world.stack;
  const logFile = join(stateDir, 'logs', `worker-2-${world.workspace}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: env['DATABASE_URL'],
      TOOLS_URL: env['TOOLS_URL'],
      TOOLS_TOKENS: env['TOOLS_TOKENS'],
      TEMPORAL_ADDRESS: env['TEMPORAL_ADDRESS'],
      CAMPANA_WORKFLOW_BUNDLE: workflowBundle,
      CAMPANA_READBACK_MS: '0,1000,2000',
      CAMPANA_SUPPRESSION_KEY: (await readFile(join(stateDir, 'suppression-key'), 'utf8')).trim(),
    },
  });
  closeSync(log);
  const gone = once(child, 'exit');
  await eventually('the second worker polls', async () => (await readFile(logFile, 'utf8')).includes('"polling"'));
  return {
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await gone;
    },
  };
};
