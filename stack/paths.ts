import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the checkout. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Built entries and the workflow bundle. Always inside the checkout, whatever the state folder: node finds node_modules from here. */
export const BUILD_DIR = join(ROOT, '.campana', 'build');

/** Where a stack keeps its data, logs and record: `given`, else `CAMPANA_STATE_DIR`, else `.campana` in the checkout. */
export const stateDirOf = (given?: string): string => {
  const dir = given ?? (process.env['CAMPANA_STATE_DIR'] || '.campana');
  return isAbsolute(dir) ? dir : resolve(ROOT, dir);
};
