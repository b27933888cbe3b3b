import { afterEach, describe, expect, it } from 'vitest';
import { World, type WorldOptions } from './world.js';

/** Stops an activity after it has done its work and before its workflow hears of it, once. */
const pauseAfter = (
  pick: (activities: Parameters<NonNullable<WorldOptions['change']>>[0]) => [group: 'rows' | 'tools', name: string],
  when: (result: unknown) => boolean = () => true,
) => {
  let reach: () => void = () => undefined;
  let open: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  let done = false;
  const change: NonNullable<WorldOptions['change']> = (activities) => {
    const [group, name] = pick(activities);
    const real = (activities[group] as Record<string, (args: never) => Promise<unknown>>)[name];
    if (!real) throw new Error(`no activity ${name}`);
    const paused = async (args: never): Promise<unknown> => {
      const result = await real(args);
      if (done || !when(result)) return result;
      done = true;
      reach();
      await opened;
      return result;
    };
    return { ...activities, [group]: { ...activities[group], [name]: paused } };
  };
  return { change, reached, release: open };
};

describe('a wake-up that comes while the workflow is reading its rows', () => {
  let world: World;
  afterEach(async () => {
    try {
      expect(await world.broken()).toEqual([]);
    } finally {
      await world.stop();
    }
  });

  it('is not lost when the start card is tapped in the instant in which it appears', async () => {
    const between = pauseAfter(() => ['tools', 'openRun']);
    world = await World.start({ change: between.change });
    const run = await world.run({ cuentas: 2, hasta: 'personas' });
    const card = await run.card('ajustar_presupuesto');
    await between.reached;
    await run.tap(card, 'decline');
    await world.awaited(
      async () => ((await run.workflow().fetchHistory()).events?.some((e) => e.workflowExecutionSignaledEventAttributes) ?? false) || null,
      () => 'the signal',
    );
    between.release();
    expect((await run.ended()).state).toBe('canceled');
  });

  it('is not lost when an undo is asked for while the campaign looks at something else', async () => {
    const between = pauseAfter(
      () => ['rows', 'snapshot'],
      (result) => (result as { progress: { state: string } }).progress.state === 'paused',
    );
    world = await World.start({ change: between.change });
    const gate = world.provider.hold('people_search', 2);
    const run = await world.automatic({ modo: 'manual', cuentas: 24, hasta: 'personas' });
    const saved = await run.card('guardar_en_crm');
    await run.tap(saved, 'approve');
    await gate.reached;
    await run.control('pause');
    await between.reached;
    await run.undo(saved.id);
    await world.awaited(
      async () =>
        (await world.value<number>(`select count(*)::int from outbox where run_id = $1 and delivered_at is null`, [run.id])) === 0
          ? true
          : null,
      () => 'the signals to be delivered',
    );
    between.release();
    gate.release();
    const again = await run.card('guardar_en_crm', saved.id);
    await run.tap(again, 'approve');
    expect((await run.ended()).counts.done).toBe(24);
  });

  it('a save that was undone is done again also when its new card is tapped before the campaign has looked', async () => {
    const between = pauseAfter(() => ['tools', 'undoSave']);
    world = await World.start({ change: between.change });
    const gate = world.provider.hold('people_search', 2);
    const run = await world.automatic({ modo: 'manual', cuentas: 24, hasta: 'personas' });
    const saved = await run.card('guardar_en_crm');
    await run.tap(saved, 'approve');
    await gate.reached;
    await run.undo(saved.id);
    gate.release();
    const again = await run.card('guardar_en_crm', saved.id);
    await between.reached;
    await run.tap(again, 'approve');
    between.release();
    expect(await run.ended()).toMatchObject({ state: 'completed', counts: { done: 24 } });
    expect(world.provider.saves.get(`save:${again.id}`)?.saved).toBe(24);
  });
});
