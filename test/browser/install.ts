import { spawn } from 'node:child_process';
import { chromiumPath } from './chromium.js';

const run = (command: string, args: string[]): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    child.once('error', () => resolve(127));
    child.once('close', (code) => resolve(code ?? 1));
  });

/** Installs Debian's Chromium where it is missing and may be installed; elsewhere the browser tests say what to do. */
export const ensureChromium = async (say: (line: string) => void): Promise<void> => {
  try {
    chromiumPath();
    return;
  } catch (error) {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return say((error as Error).message);
  }
  const since = Date.now();
  say('chromium: not installed; running `apt-get install chromium` (about a minute)');
  const code =
    (await run('apt-get', ['update', '-qq'])) === 0
      ? await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'])
      : 1;
  say(
    code === 0
      ? `chromium: installed in ${Math.round((Date.now() - since) / 1000)} s`
      : 'chromium: `apt-get` could not install it; what it says is above',
  );
};
