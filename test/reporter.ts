import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The closing line of a run: `12 passed, 0 failed`, with `, 1 skipped` when something was. */
export const closingLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;

/** Tests by outcome. A file that breaks outside its tests, and an error that belongs to none, count as failed. */
export const countTests = (modules: readonly TestModule[], strayErrors: number): Counts => {
  const counts: Counts = { passed: 0, failed: strayErrors, skipped: 0 };
  for (const module of modules) {
    const before = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed++;
      else if (state === 'skipped') counts.skipped++;
      else counts.failed++;
    }
    if (module.state() === 'failed' && counts.failed === before) counts.failed++;
  }
  return counts;
};

/** Prints the closing line after everything else; under `npm test` hands the counts to test/main.ts, which adds its checks. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly unknown[]): void {
    const counts = countTests(modules, strayErrors.length);
    const file = process.env['CAMPANA_TEST_COUNTS'];
    if (file) writeFileSync(file, JSON.stringify(counts));
    else process.once('exit', () => process.stdout.write(`${closingLine(counts)}\n`));
  }
}
