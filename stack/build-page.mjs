// Builds the page into the folder given as argument, in a process of its own: the bundler keeps a core busy.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [outDir] = process.argv.slice(2);
if (!outDir) throw new Error('Usage: node stack/build-page.mjs FOLDER');
await build({
  configFile: join(root, 'web', 'vite.config.ts'),
  root: join(root, 'web'),
  logLevel: 'error',
  build: { outDir, emptyOutDir: true },
});

// Compressed once here and not at every request.
for (const name of readdirSync(join(outDir, 'assets'))) {
  const file = join(outDir, 'assets', name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}
