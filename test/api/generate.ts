import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiDocument, clientTypes } from './document.js';

// Writes the types of the API's client that the contract test is compiled against.
const path = fileURLToPath(new URL('./generated.d.ts', import.meta.url));
await writeFile(path, await clientTypes(await apiDocument()));
process.stdout.write(`${path}\n`);
