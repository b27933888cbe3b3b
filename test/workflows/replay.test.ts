import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dataConverter } from '../../activities/temporal.js';
import { Worker, type ReplayHistoriesIterable, type ReplayWorkerOptions } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows } from '../../stack/build.js';
import { ROOT } from '../../stack/paths.js';
import { readHistories, type Golden } from '../histories/files.js';
import { SCENARIOS } from '../histories/record.js';
import { silence } from './world.js';

const histories = readHistories();
const TYPES = ['campana', 'buscar-empresas-y-proveedores', 'guardar-en-crm', 'conseguir-contactos', 'armar-secuencia'];
const typeOf = (golden: Golden): string =>
  (golden.history.events[0]?.['workflowExecutionStartedEventAttributes'] as { workflowType: { name: string } }).workflowType.name;

/** Replays histories against a bundle. @returns those that did not, with why. */
const replay = async (code: string, goldens: Golden[]): Promise<string[]> => {
  const options: ReplayWorkerOptions = { workflowBundle: { code }, dataConverter };
  const failed: string[] = [];
  const given = (function* () {
    for (const g of goldens) yield { workflowId: `${g.scenario}/${g.name}`, history: g.history };
  })() as unknown as ReplayHistoriesIterable;
  for await (const result of Worker.runReplayHistories(options, given))
    if (result.error) failed.push(`${result.workflowId}: ${result.error.message}`);
  return failed;
};

describe('histories recorded earlier', () => {
  let code = '';
  beforeAll(async () => {
    silence();
    code = readFileSync((await bundleWorkflows()).path, 'utf8');
  });

  it('are there for every scenario and every workflow type', () => {
    expect([...new Set(histories.map((h) => h.scenario))].sort()).toEqual(Object.keys(SCENARIOS).sort());
    expect([...new Set(histories.map(typeOf))].sort()).toEqual([...TYPES].sort());
  });

  it('replay against the workflows as they are now', async () => {
    expect(await replay(code, histories)).toEqual([]);
  });

  it('fail to replay against a workflow that does something else', async () => {
    // The step's first question goes to another activity: what a careless change would do to every campaign under way.
    const changed = code.replaceAll('rows.advance(', 'rows.settleStep(');
    expect(changed).not.toBe(code);
    const steps = histories.filter((h) => h.scenario === 'automatic' && typeOf(h) !== 'campana');
    const failed = await replay(changed, steps);
    expect(failed).toHaveLength(steps.length);
    expect(failed.join(' ')).toMatch(/TMPRL1100|[Nn]ondeterminism/);
  });

  it('show what they were recorded for: updates, a lane retried, a step continued as new, a card that expired', () => {
    const events = (scenario: string): Array<Record<string, unknown>> =>
      histories.filter((h) => h.scenario === scenario).flatMap((h) => h.history.events);
    expect(events('operator').filter((e) => e['workflowExecutionUpdateAcceptedEventAttributes'])).toHaveLength(4);
    expect(
      events('lane-retried').some((e) => (e['activityTaskStartedEventAttributes'] as { attempt?: number } | undefined)?.attempt === 2),
    ).toBe(true);
    expect(events('continued-as-new').some((e) => e['workflowExecutionContinuedAsNewEventAttributes'])).toBe(true);
    expect(events('expiry-reopen').filter((e) => e['timerFiredEventAttributes']).length).toBeGreaterThanOrEqual(3);
    // An approval of before the texts were stored anew, and one of since.
    const marks = (scenario: string): number =>
      events(scenario).filter(
        (e) => (e['markerRecordedEventAttributes'] as { markerName?: string } | undefined)?.markerName === 'core_patch',
      ).length;
    expect([marks('review'), marks('review-unchanged'), marks('review-corrected')]).toEqual([0, 1, 1]);
    expect(events('cancel').some((e) => e['workflowExecutionSignaledEventAttributes'])).toBe(true);
  });

  it('name no machine and stay small', () => {
    const text = JSON.stringify(histories);
    expect(text.includes(hostname())).toBe(false);
    expect(text.includes(ROOT)).toBe(false);
    expect(histories.reduce((sum, h) => sum + h.bytes, 0)).toBeLessThan(3_000_000);
  });
});
