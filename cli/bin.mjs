#!/usr/bin/env node
// The `campana` command in a checkout: TypeScript runs through tsx, without a build.
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
