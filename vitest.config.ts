import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    reporters: ['default', './test/reporter.ts'],
    globalSetup: ['./test/global-setup.ts'],
    pool: 'forks',
    // Two cores, and the servers need some of them.
    maxWorkers: 2,
    // Browsers and whole stacks run beside the small ones; a guard against never, above what is awaited inside, and no measure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // How long what is awaited may take on a machine that is busy; a second, which is the default, says more about the machine.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    env: { NODE_ENV: 'test' },
  },
});
