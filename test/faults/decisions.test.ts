import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'vitest';
import { allProblems } from './checks/index.js';
import { executions, openProblems } from './checks/temporal.js';
import { eventually } from './kitchen.js';
import { GROUPS } from './scenarios/index.js';
import { describeScenarios } from './suite.js';
import { OTHER_WORKSPACE } from './stack.js';
import { World } from './world.js';

describeScenarios('decisions', GROUPS.decisions, (ground) => {
  // The last test: what it plants stays in the stack. A check that finds nothing anywhere would make every scenario pass.
  it('the checks find what is planted', async () => {
    const world = await World.open(ground(), OTHER_WORKSPACE);
    const run = await world.automatic({ cuentas: 5 });
    await world.api.ended(run);
    assert.deepEqual(await allProblems(world), []);

    const [person] = await world.rows<{ name: string; email: string }>(
      `select name, email from contacts where run_id = $1 and email is not null`,
      [run],
    );
    assert.ok(person);
    await appendFile(join(world.stack.stateDir, 'logs', 'worker.log'), `${JSON.stringify({ msg: `hello ${person.email}` })}\n`);
    await world.temporal.workflow.start('nobody', {
      taskQueue: 'nowhere',
      workflowId: world.workflowId(run, 'planted'),
      args: [{ hello: person.name }],
      memo: { key: world.api.token },
    });
    await eventually('the planted workflow in the index', async () =>
      (await executions(world)).some(({ workflowId }) => workflowId === world.workflowId(run, 'planted')),
    );
    await world.rows(`update effects set key = key || ':other' where run_id = $1`, [run]);
    await world.rows(`update runs set ended_at = now() where id = $1`, [run]);
    await world.rows(`update run_progress set body = jsonb_set(body, '{counts,done}', '1') where run_id = $1`, [run]);
    const found = await allProblems(world);
    for (const wanted of [
      'worker.log contains a person',
      'worker.log contains an e-mail',
      '/planted contains a person',
      '/planted contains a secret',
      'reveal calls without an effect row',
      'I12',
      'I8 counts are the rows',
    ]) {
      assert.ok(
        found.some((f) => f.includes(wanted)),
        `"${wanted}" is among ${JSON.stringify(found, null, 1)}`,
      );
    }
    await world.temporal.workflow.getHandle(world.workflowId(run, 'planted')).terminate();

    // A run that is over here while its workflow goes on there.
    const open = await world.start({});
    await world.api.card(open, 'ajustar_presupuesto');
    await world.rows(`update runs set ended_at = now() where id = $1`, [open]);
    assert.ok((await openProblems(world, 0)).some((f) => f.startsWith(`I10 run ${open} is over here and RUNNING`)));
  });
});
