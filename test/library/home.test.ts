import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { skillsHome } from '../../ada/library/home.js';
import type { Context } from '../../cli/context.js';
import { homeOf } from '../../cli/skills/open.js';
import { ROOT, stateDirOf } from '../../stack/paths.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  [{}, '.campana/skills'],
  [{ CAMPANA_STATE_DIR: 'elsewhere' }, 'elsewhere/skills'],
  [{ CAMPANA_STATE_DIR: 'elsewhere', CAMPANA_SKILLS_HOME: 'recetas' }, 'recetas'],
  [{ CAMPANA_STATE_DIR: '', CAMPANA_SKILLS_HOME: '' }, '.campana/skills'],
  [{ CAMPANA_STATE_DIR: '/srv/campana' }, '/srv/campana/skills'],
])('the command installs skills where the API looks for them, wherever either was started: %o', (env, where) => {
  vi.spyOn(process, 'cwd').mockReturnValue('/somewhere/else');
  const expected = where.startsWith('/') ? where : join(ROOT, where);
  expect(skillsHome(env)).toBe(expected);
  expect(homeOf({ term: { env } } as unknown as Context)).toBe(expected);
  // The stack gives its processes the state folder as a whole path.
  if (!('CAMPANA_SKILLS_HOME' in env))
    expect(skillsHome({ CAMPANA_STATE_DIR: stateDirOf('CAMPANA_STATE_DIR' in env ? env.CAMPANA_STATE_DIR : undefined) })).toBe(expected);
});
