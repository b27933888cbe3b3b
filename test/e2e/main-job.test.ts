import { expect, it } from 'vitest';
import { Receipt } from '../../contracts/receipt.js';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../support/stack.js';
import { program } from './run.js';

it('goes from the sample message to a receipt by itself, stops the stack, and leaves one JSON line last on stdout; a second start finds its data', async () => {
  const folder = await temporaryFolder('campana-job-');
  try {
    const first = await program('stack/bootstrap.mjs', ['campana', '--json'], { CAMPANA_STATE_DIR: folder.path });
    expect(first.code, first.stderr).toBe(0);
    const receipt = Receipt.parse(JSON.parse(first.lines.at(-1) ?? ''));
    expect(['completed', 'completed_partial']).toContain(receipt.state);
    expect(receipt.counts).toMatchObject({ total: 50, suppressed: 1, not_found: 3, pending: 0, running: 0 });
    expect(receipt.contacts.drafted).toBe(receipt.contacts.captured);
    expect(receipt.budget.credits.spent).toBe(receipt.contacts.captured);
    expect(first.stderr).toContain('sin Ada');
    // Nothing of ours is left running, and the screen had no log lines: those are in files.
    expect(first.stderr).not.toContain('"level":');
    expect((await readdir(join(folder.path, 'logs'))).sort()).toEqual([
      'api.log',
      'kitchen.log',
      'postgres.log',
      'temporal.log',
      'worker.log',
    ]);
    await expect(readFile(join(folder.path, 'stack.json'))).rejects.toThrow();

    // What the workspace already has costs nothing the second time.
    const second = await program('stack/bootstrap.mjs', ['campana', '--json', '--cuentas', '10'], { CAMPANA_STATE_DIR: folder.path });
    expect(second.code, second.stderr).toBe(0);
    expect(Receipt.parse(JSON.parse(second.lines.at(-1) ?? '')).budget.credits.spent).toBe(0);
    expect(second.stderr).toMatch(/\d+([.,]\d+)? s/);
  } finally {
    await folder.remove();
  }
}, 900_000);
