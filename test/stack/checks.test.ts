import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { ROOT } from '../../stack/paths.js';
import { protobufProblems } from '../protobuf-check.js';
import { closingLine, countTests } from '../reporter.js';

const moduleOf = (state: string, ...tests: string[]): TestModule =>
  ({
    state: () => state,
    children: { allTests: () => tests.map((test) => ({ result: () => ({ state: test }) })) },
  }) as unknown as TestModule;

describe('the closing line', () => {
  it('mentions skipped tests only when there are some', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(closingLine({ passed: 3, failed: 0, skipped: 1 })).toBe('3 passed, 0 failed, 1 skipped');
  });

  it('counts a file that breaks outside its tests, and stray errors, as failed', () => {
    const modules = [moduleOf('passed', 'passed', 'skipped'), moduleOf('failed', 'passed', 'failed'), moduleOf('failed')];
    expect(countTests(modules, 1)).toEqual({ passed: 2, failed: 3, skipped: 1 });
  });
});

it('every Temporal package loads the same protobufjs 8', async () => {
  expect(await protobufProblems(ROOT)).toEqual([]);
});
