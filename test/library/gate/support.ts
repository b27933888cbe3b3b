import { z } from 'zod';
import { expect, vi } from 'vitest';
import { tool, type ToolContract } from '../../../contracts/tools/common.js';
import { CATALOGUE } from '../../../contracts/tools/catalogue.js';
import type { Access, Scope, SkillState, StateRow } from '../../../ada/library/choose/states.js';
import { loadedBlock } from '../../../ada/library/disclose/loaded-block.js';
import { createBelt, type Belt } from '../../../ada/library/gate/belt.js';
import type { Substitution } from '../../../ada/library/read/variables.js';
import { memoryStore } from '../../../ada/library/read/memory-store.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import { LibraryRefusal } from '../../../ada/library/refusal.js';
import type { Snapshot, Trust } from '../../../ada/library/types.js';

export interface Made {
  tools?: string;
  profiles?: string;
  background_tools?: string;
  siguiente?: string;
  integrations?: string;
  capabilities?: string;
  material?: string;
  gatillos?: string;
  excluye?: string;
}
const BODY = '# Una receta\n\n## Pasos\n\n1. Haz algo.\n';
export const skillText = (name: string, made: Made = {}, body = BODY): string =>
  `---\nname: ${name}\ndescription: Hace ${name}.\nmetadata:\n  version: "1.0.0"\n${Object.entries(made)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value ?? '')}\n`)
    .join('')}---\n${body}`;

export interface Spec extends Made {
  body?: string;
  files?: Record<string, string>;
}
/** Skills by name in one root. */
export const filesOf = (skills: Record<string, Spec>): Record<string, string> => {
  const files: Record<string, string> = {};
  for (const [name, spec] of Object.entries(skills)) {
    const { body, files: beside = {}, ...made } = spec;
    files[`${name}/SKILL.md`] = skillText(name, made, body ?? BODY);
    for (const [path, text] of Object.entries(beside)) files[`${name}/${path}`] = text;
  }
  return files;
};

/** A library of roots by trust, each with skills; `more` are further files (bundles, shared references) of the first. */
export const libraryOf = async (
  byTrust: Partial<Record<Trust, Record<string, Spec>>>,
  more: Record<string, string> = {},
): Promise<Snapshot> => {
  const entries = Object.entries(byTrust) as Array<[Trust, Record<string, Spec>]>;
  const snapshot = await loadSnapshot(
    entries.map(([trust, skills], i) => ({
      id: trust,
      store: memoryStore({ ...filesOf(skills), ...(i === 0 ? more : {}) }),
      trust,
      shell: false,
      directory: null,
    })),
  );
  for (const skills of Object.values(byTrust))
    for (const name of Object.keys(skills ?? {}))
      expect(snapshot.skills.has(name), `${name} loads: ${JSON.stringify(snapshot.problems)}`).toBe(true);
  return snapshot;
};

export const SCOPE_IDS: Record<Scope, string> = { account: 'cuenta-1', profile: 'perfil-1', thread: 'hilo-1', turn: 'turno-1' };
/** Everybody's access, with rows that a test may change while the belt is in use. */
export const accessOf = (rows: StateRow[] = [], over: Partial<Access> = {}): Access & { rows: StateRow[] } => ({
  scopes: SCOPE_IDS,
  integrations: null,
  capabilities: null,
  ...over,
  rows,
});
export const rowOf = (skill: string, state: SkillState, scope: Scope = 'account', scope_id = SCOPE_IDS[scope]): StateRow => ({
  scope,
  scope_id,
  skill,
  state,
});

/** Tools of no product, of every kind. */
const made = (name: string, over: Partial<ToolContract> = {}): ToolContract =>
  tool({
    name,
    description: name,
    input: z.object({ text: z.string().max(20).optional(), limit: z.int().max(5).default(1) }),
    output: z.object({}),
    costo: 'gratis',
    scope: 'read',
    readOnly: true,
    ...over,
  });
export const TOOLS: readonly ToolContract[] = [
  made('libre_a'),
  made('libre_b'),
  made('libre_c'),
  made('externa', { costo: 'externo' }),
  made('pagada', { costo: 'creditos', scope: 'paid', readOnly: false }),
  made('escribe', { scope: 'paid', readOnly: false }),
  made('casi_pagada', { costo: 'creditos' }),
  made('casi_lectura', { readOnly: false }),
];

export interface Rig {
  belt: Belt;
  call: ReturnType<typeof vi.fn<(name: string, args: unknown) => Promise<unknown>>>;
  access: Access & { rows: StateRow[] };
  snapshot: Snapshot;
}
export const rigOf = (snapshot: Snapshot, access = accessOf(), catalogue: readonly ToolContract[] = TOOLS): Rig => {
  const call = vi.fn<(name: string, args: unknown) => Promise<unknown>>(async (name) => ({ ran: name }));
  return { belt: createBelt({ snapshot, access, catalogue, call }), call, access, snapshot };
};
export const realRig = (snapshot: Snapshot, access = accessOf()): Rig => rigOf(snapshot, access, CATALOGUE);

export const codeOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof LibraryRefusal) return error.code;
    throw error;
  }
  return 'no refusal';
};
export const refusalOf = async (promise: Promise<unknown>): Promise<LibraryRefusal> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LibraryRefusal);
  return error as LibraryRefusal;
};

/** The block of what is open, as a turn puts it at the end of its prompt. */
export const blockOf = (belt: Belt, snapshot: Snapshot, variables: Substitution, instruction = ''): string =>
  loadedBlock(snapshot, belt.loaded(), variables, instruction);
