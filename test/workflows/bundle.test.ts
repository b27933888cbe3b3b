import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bundleWorkflows } from '../../stack/build.js';
import { World } from './world.js';

/** Bytes of the bundle without its source map: what every cached workflow pays for. */
const BUDGET = 700_000;

describe('the workflow bundle', () => {
  it('stays within its budget and holds no schema library, no driver and no client', async () => {
    const { path } = await bundleWorkflows();
    const text = await readFile(path, 'utf8');
    const code = text.slice(0, text.indexOf('//# sourceMappingURL='));
    expect(code.length).toBeLessThan(BUDGET);
    for (const module of [
      'node_modules/zod/',
      'node_modules/pg/',
      'node_modules/@temporalio/client/',
      'node_modules/openai/',
      'node_modules/@modelcontextprotocol/',
    ])
      expect(code.includes(module), module).toBe(false);
  });

  it('two campaigns under way at the same time share no state of a module', async () => {
    const world = await World.start();
    try {
      const [one, two] = await Promise.all([world.run({ cuentas: 2, hasta: 'personas' }), world.run({ cuentas: 5, hasta: 'personas' })]);
      const [first, second] = await Promise.all([one.card('ajustar_presupuesto'), two.card('ajustar_presupuesto')]);
      await one.tap(first, 'decline');
      await one.ended();
      // The other one has seen nothing of it: its query, its plan and its card are its own.
      const other = await two.workflow().query<{ run_id: string; counts: { total: number } }>('run.progress');
      expect(other).toMatchObject({ run_id: two.id, counts: { total: 5 } });
      await two.tap(second, 'all');
      expect(await two.approve('guardar_en_crm')).toMatchObject({ state: 'completed', counts: { done: 5 } });
      expect(await one.progress()).toMatchObject({ state: 'canceled', counts: { total: 2 } });
    } finally {
      await world.stop();
    }
  });
});
