import { buildEntries, buildPage, bundleWorkflows } from './build.js';
import { keepAsRelease } from './build-use.js';
import { BUILD_DIR } from './paths.js';

// `npm run build`: what a start builds, ahead of time. Prints the path of every file made; none of them goes while their list is there.
const built = Object.values(await buildEntries(['kitchen/server.ts', 'workers/main.ts', 'api/main.ts']));
for (const sealed of [false, true]) built.push((await bundleWorkflows({ sealed })).path);
built.push((await buildPage()).path);
process.stderr.write(`Kept until ${await keepAsRelease(BUILD_DIR, built)} is removed.\n`);
process.stdout.write(`${built.join('\n')}\n`);
