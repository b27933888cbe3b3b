import { buildEntries, buildPage, bundleWorkflows } from './build.js';
import { hasFile } from './paths.js';

// `npm run build`: what a start builds, ahead of time. Prints the path of every file made.
const entries = ['kitchen/server.ts', 'workers/main.ts', 'api/main.ts'].filter(hasFile);
const built = Object.values(await buildEntries(entries));
if (hasFile('workflows/index.ts')) for (const sealed of [false, true]) built.push((await bundleWorkflows({ sealed })).path);
if (hasFile('web/index.html')) built.push((await buildPage()).path);
process.stdout.write(`${built.join('\n')}\n`);
