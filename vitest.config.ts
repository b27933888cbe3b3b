import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    reporters: ['default', './test/reporter.ts'],
    globalSetup: ['./test/global-setup.ts'],
    pool: 'forks',
    // Two cores, and the servers need some of them.
    maxWorkers: 2,
    // Browsers and whole stacks run beside the small ones.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'test' },
  },
});
