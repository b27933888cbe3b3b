import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** No network but what the test asks for, and no sandbox: browsers of tests also run as root and in containers. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--mute-audio',
];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const onPath = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim() ?? '';

/**
 * The Chromium that browser tests run: `CAMPANA_CHROMIUM`, else the system's.
 * @throws when there is none, saying how to get one
 */
export const chromiumPath = (): string => {
  const given = process.env['CAMPANA_CHROMIUM'];
  if (given) {
    if (isProgram(given)) return given;
    throw new Error(`CAMPANA_CHROMIUM=${given} is not a program that can be run.`);
  }
  const found = ['/usr/bin/chromium', ...['chromium', 'chromium-browser', 'google-chrome'].map(onPath)].find(
    (path) => path !== '' && isProgram(path),
  );
  if (found) return found;
  throw new Error('Browser tests need Chromium: `apt-get install -y chromium`, or CAMPANA_CHROMIUM=<path of a Chromium or Chrome>.');
};

/** A fresh headless Chromium; close it when done. */
export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), args: ARGUMENTS, headless: true });
