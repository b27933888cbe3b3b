import { routingMain } from './routing/main.js';
import { turnsMain, TURNS_HELP } from './turns/main.js';

const HELP = `npm run evals -- [routing|turns] [options]

  routing            which recipe a message asks for, and retrieval among 200 skills
    --html FILE      the report as a page
    --sealed         score the sealed half too and write its figures down (once per release)
  turns              what Ada answers: \`npm run evals -- turns --help\`. Options with --model alone mean this.

${TURNS_HELP}`;

const [what = 'routing', ...rest] = process.argv.slice(2);
if (what === '--help' || what === '-h') process.stdout.write(HELP);
else if (what === 'turns' || process.argv.includes('--model')) await turnsMain(what === 'turns' ? rest : [what, ...rest]);
else if (what === 'routing' || what.startsWith('--')) await routingMain(what === 'routing' ? rest : [what, ...rest]);
else {
  process.stderr.write(`Unknown: ${what}\n\n${HELP}`);
  process.exitCode = 2;
}
