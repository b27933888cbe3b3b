import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * What is wrong with the protobufjs that Temporal's packages load: two copies mean that a message made by one is not recognised by
 * the other. Empty when all of them resolve to the same copy of version 8.
 * @param root folder with node_modules
 */
export const protobufProblems = async (root: string): Promise<string[]> => {
  const scope = join(root, 'node_modules', '@temporalio');
  const copies = new Map<string, string[]>();
  for (const name of await readdir(scope)) {
    const manifest = JSON.parse(await readFile(join(scope, name, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> };
    if (!manifest.dependencies?.['protobufjs']) continue;
    const path = createRequire(join(scope, name, 'package.json')).resolve('protobufjs/package.json');
    copies.set(path, [...(copies.get(path) ?? []), `@temporalio/${name}`]);
  }
  const problems: string[] = [];
  if (copies.size === 0) problems.push('no @temporalio package depends on protobufjs any more: this check can go');
  if (copies.size > 1) problems.push(...[...copies].map(([path, users]) => `${users.join(', ')} load ${path}`));
  for (const path of copies.keys()) {
    const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
    if (!version.startsWith('8.')) problems.push(`${path} is ${version}, not 8`);
  }
  return problems;
};
