/**
 * `npm run bench -- --library [--json]`: what the skill library costs, without a stack. Times stand beside a plain reading of the same files and
 * a plain word search of the same messages in the same run, since the machine is shared.
 */
import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChooser } from '../ada/library/choose/choose.js';
import { createRouter } from '../ada/library/choose/router.js';
import { diskStore } from '../ada/library/read/disk-store.js';
import { openLibrary } from '../ada/library/read/library.js';
import { readCases, readRequests } from '../evals/routing/cases.js';
import { library200, platformSnapshot } from '../evals/routing/library-200.js';
import { OPEN_ACCESS } from '../evals/routing/score.js';
import { percentile } from './measures.js';

export interface LibraryFigures {
  route_ms: { p50: number; p99: number; plain_p50: number };
  choose_200_ms: { p50: number; p99: number };
  learn_ms: number;
  load_500_ms: { cold: number; warm: number; edited_one: number; plain: number };
}

const timed = async <T>(run: () => T | Promise<T>): Promise<{ ms: number; value: T }> => {
  const since = performance.now();
  const value = await run();
  return { ms: performance.now() - since, value };
};
const round = (ms: number): number => Number(ms.toFixed(3));

const SKILLS = 500;

/** A folder of 500 skills made of the platform's own files under other names. */
const manySkills = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'campana-bench-skills-'));
  const { skills, roots } = await platformSnapshot();
  const sources = await Promise.all(
    [...skills.values()].map(async (skill) => ({
      name: skill.name,
      text: await readFile(join(roots[0]?.directory ?? '', skill.path), 'utf8'),
    })),
  );
  for (let i = 0; i < SKILLS; i++) {
    const source = sources[i % sources.length];
    if (!source) continue;
    const name = `${source.name.slice(0, 40)}-${i}`;
    await mkdir(join(folder, `grupo-${i % 20}`, name, 'references'), { recursive: true });
    await writeFile(join(folder, `grupo-${i % 20}`, name, 'SKILL.md'), source.text.replace(`name: ${source.name}`, `name: ${name}`));
    await writeFile(join(folder, `grupo-${i % 20}`, name, 'references', 'nota.md'), `# Nota ${i}\n\nUna referencia.\n`);
  }
  return folder;
};

const plainRead = async (folder: string): Promise<number> => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return (await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))).reduce(
    (sum, bytes) => sum + bytes.length,
    0,
  );
};

export const libraryFigures = async (say: (line: string) => void): Promise<LibraryFigures> => {
  const snapshot = await platformSnapshot();
  say('learning from the phrases');
  const learnt = await timed(() => createRouter([...snapshot.skills.values()]));
  const messages = readCases('tuned');
  say(`routing ${messages.length} messages, five times`);
  const route: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const { message, state } of messages) {
      route.push((await timed(() => learnt.value.route(message, state ?? {}))).ms);
      plain.push(
        (
          await timed(
            () =>
              [...snapshot.skills.values()].filter((skill) => skill.gatillos.some((phrase) => message.toLowerCase().includes(phrase)))
                .length,
          )
        ).ms,
      );
    }
  }
  const chooser = createChooser(await library200());
  chooser.choose('hola', { access: OPEN_ACCESS });
  say('choosing among 200');
  const large: number[] = [];
  for (const { message } of readRequests('mix')) large.push((await timed(() => chooser.choose(message, { access: OPEN_ACCESS }))).ms);

  say(`loading ${SKILLS} skills`);
  const folder = await manySkills();
  try {
    const library = openLibrary({ roots: [{ id: 'bench', store: diskStore(folder), trust: 'propia', shell: false, directory: folder }] });
    const cold = await timed(() => library.snapshot());
    if (cold.value.skills.size !== SKILLS) throw new Error(`${cold.value.skills.size} of ${SKILLS} skills were loaded`);
    const plainly = await timed(() => plainRead(folder));
    const warm = await timed(() => library.snapshot());
    const [one] = [...cold.value.skills.values()];
    if (one) await writeFile(join(folder, one.path), `${await readFile(join(folder, one.path), 'utf8')}\nMás.\n`);
    const edited = await timed(() => library.snapshot());
    if (edited.value.digest === cold.value.digest) throw new Error('an edit was not seen');
    library.close();
    return {
      route_ms: { p50: round(percentile(route, 0.5)), p99: round(percentile(route, 0.99)), plain_p50: round(percentile(plain, 0.5)) },
      choose_200_ms: { p50: round(percentile(large, 0.5)), p99: round(percentile(large, 0.99)) },
      learn_ms: Math.round(learnt.ms),
      load_500_ms: {
        cold: Math.round(cold.ms),
        warm: Math.round(warm.ms),
        edited_one: Math.round(edited.ms),
        plain: Math.round(plainly.ms),
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
