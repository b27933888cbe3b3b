import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformSnapshot } from '../../../evals/routing/library-200.js';
import { ROOT } from '../../../stack/paths.js';
import { cacheRoot } from '../../../stack/temporal-binary.mjs';

const run = promisify(execFile);
const REQUIREMENTS = join(ROOT, 'test/library/platform/skills-ref.txt');

/** The public validator as wheels by hash, kept beside the Temporal server; pure Python, so they run from where they lie. */
const validatorPath = async (): Promise<string> => {
  const key = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(cacheRoot(), `skills-ref-${key}`);
  const wheels = (): string[] => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith('.whl'));
    } catch {
      return [];
    }
  };
  if (wheels().length === 0) {
    const part = `${folder}.${process.pid}`;
    mkdirSync(part, { recursive: true });
    await run('python3', ['-m', 'pip', 'download', '--no-deps', '--require-hashes', '-r', REQUIREMENTS, '-d', part]);
    try {
      renameSync(part, folder);
    } catch {
      rmSync(part, { recursive: true, force: true });
    }
  }
  return wheels()
    .map((name) => join(folder, name))
    .join(':');
};

describe('the recipes of the product, for validators of others', () => {
  let names: string[] = [];
  let folders: string[] = [];
  beforeAll(async () => {
    const { skills } = await platformSnapshot();
    names = [...skills.keys()];
    folders = [...skills.values()].map((skill) => join(ROOT, 'skills', skill.path.replace(/\/SKILL\.md$/, '')));
  });

  it('are eleven', () => {
    expect(names).toHaveLength(11);
  });

  it('pass `agentskills validate` of the public specification', async () => {
    const wheels = await validatorPath();
    const validate = (folder: string): Promise<string> =>
      run('python3', ['-c', 'from skills_ref.cli import main; main()', 'validate', folder], {
        env: { ...process.env, PYTHONPATH: wheels },
      }).then(
        () => 'ok',
        (error: { stderr?: string; stdout?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
      );
    expect(await Promise.all(folders.map(validate))).toEqual(folders.map(() => 'ok'));
    // It can say no: a folder without a skill.
    expect(await validate(join(ROOT, 'skills/bundles'))).not.toBe('ok');
  });

  it('pass the strict loader of the MCP SDK', async () => {
    const warnings: unknown[] = [];
    const loaded = await loadSkills(join(ROOT, 'skills'), { strict: true, onWarning: (warning) => warnings.push(warning) });
    expect(loaded.entries.map(({ frontmatter }) => frontmatter.name).sort()).toEqual([...names].sort());
    expect(warnings).toEqual([]);
    // It can say no: a name that is not its folder's.
    const bad = mkdtempSync(join(tmpdir(), 'mcp-skills-'));
    mkdirSync(join(bad, 'una'));
    writeFileSync(join(bad, 'una', 'SKILL.md'), '---\nname: otra\ndescription: x\n---\n');
    await expect(loadSkills(bad, { strict: true })).rejects.toThrow(/otra/);
    rmSync(bad, { recursive: true });
  });
});
