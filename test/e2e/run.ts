import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  lines: string[];
}

/** Runs a program of the checkout as a person would, without a terminal, and gathers what it prints. */
export const program = (file: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', VITEST: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (d: Buffer) => {
      stdout += d.toString();
    });
    child.stderr.on('data', (d: Buffer) => {
      stderr += d.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr, lines: stdout.split('\n').filter((l) => l.trim() !== '') });
    });
  });
