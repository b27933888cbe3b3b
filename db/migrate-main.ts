import { parseArgs } from 'node:util';
import { migrate, pendingMigrations } from './migrate.js';

const USAGE = `Usage: DATABASE_URL=postgres://… npm run migrate [-- --dry-run]
Brings the campaign database up to date; several at once are safe, one does it.

  --dry-run   only list what would be applied
  --help`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const list = (title: string, names: string[]): string => [title, ...names.map((name) => `  ${name}`)].join('\n');

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) return say(USAGE);
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('DATABASE_URL is not set: the database to migrate (docs/running.md).');
  if (values['dry-run']) {
    const pending = await pendingMigrations(url);
    return say(pending.length > 0 ? list('Would be applied:', pending) : 'Up to date: nothing would be applied.');
  }
  const applied = await migrate(url);
  say(applied.length > 0 ? list('Applied:', applied) : 'Up to date: nothing to apply.');
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
