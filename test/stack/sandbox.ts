import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An executable shell script in `folder`, as a stand-in for a tool on PATH. */
export const fakeTool = (folder: string, name: string, body: string): string => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
};

/** A PATH that holds the named system tools and nothing else. */
export const bareTools = async (folder: string, ...names: string[]): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const { stdout } = await run('/bin/sh', ['-c', `command -v ${name}`]);
    symlinkSync(stdout.trim(), join(folder, name));
  }
  return folder;
};
