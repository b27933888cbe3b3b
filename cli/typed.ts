import { basename, sep } from 'node:path';

/** How the catalog writes this command: as it can be typed in a checkout. */
const AS_WRITTEN = 'npx campana';

/**
 * How a person types this command where they are: by its own name when it was found on the PATH, else as in a checkout, whose own copy
 * (npx, npm run, node) is on nobody's PATH.
 */
export const typedAs = (started: string | undefined, env: NodeJS.ProcessEnv): string =>
  started && basename(started) === 'campana' && !started.split(sep).includes('node_modules') && env['npm_command'] === undefined
    ? 'campana'
    : AS_WRITTEN;

/** This process's. */
export const COMMAND = typedAs(process.argv[1], process.env);

/** A text of the catalog with its commands as they can be typed here. */
export const asTyped = (text: string): string => (COMMAND === AS_WRITTEN ? text : text.replaceAll(AS_WRITTEN, COMMAND));
