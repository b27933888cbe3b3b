import type { Entry, Store } from './read/store.js';

/**
 * Words of the skill library. A skill is a recipe as a file: what the model reads of it, which tools it opens, what it costs and what
 * comes next. Contract: `docs/skills.md`.
 */

/** Who stands behind a skill; decides what it may touch. */
export const TRUST = ['plataforma', 'propia', 'tercero'] as const;
export type Trust = (typeof TRUST)[number];

export const REASONING = ['bajo', 'medio'] as const;
export const CLOSES_WITH = ['lista', 'conteo', 'pipeline', 'cuenta', 'secuencia', 'contexto', 'analisis', 'ninguna'] as const;
export const COSTS = ['gratis', 'externo', 'creditos'] as const;
export const MATERIAL = ['estrecho', 'amplio'] as const;
/** What a recipe may need to know before it works; a missing one may be asked for, once, with a default. */
export const REQUIRED_FACTS = [
  'comprador',
  'producto',
  'giro',
  'estado',
  'cargo',
  'cuenta',
  'tema',
  'seleccion',
  'contactos',
  'cantidad',
] as const;

/** Sizes in code points. */
export const SIZE = { name: 64, description: 190, body: 2_500, reference: 4_500, specDescription: 1_024 } as const;

/**
 * Something about a file that a person should know. Never thrown: what loads, loads, and says what is wrong with it.
 * Text and fix are in the catalog, under `library.<code>` and `library.<code>.fix`, with `params`.
 */
export interface Problem {
  severity: 'error' | 'warning';
  /** Stable, e.g. `yaml_duplicate_key`. */
  code: string;
  /** Path of the file inside its root, with `/`. */
  path: string;
  /** Id of that root, where there is more than one. */
  root?: string;
  /** The front-matter key, e.g. `metadata.tools`. */
  key?: string;
  /** Line in the file, from 1. */
  line?: number;
  params?: Record<string, string | number>;
}

export interface Reference {
  /** Path inside the skill, e.g. `references/sinonimos.md`, `templates/correo.md`. Shared ones have no skill before them. */
  name: string;
  /** Full text; a file that is not UTF-8 text is listed and not readable (`text` null). */
  text: string | null;
  bytes: number;
  digest: string;
}

/** One numbered step of `## Pasos`. */
export interface Step {
  number: number;
  text: string;
  /** Names in backticks that are tools of the catalogue or of the session, in order of appearance. */
  tools: string[];
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Folder above the skill's, or null. */
  readonly category: string | null;
  readonly version: string;
  readonly reasoning: (typeof REASONING)[number];
  /** Its own tools, then those of its profiles; without doubles. Empty: it works with the session's tools only. */
  readonly tools: readonly string[];
  readonly profiles: readonly string[];
  /** What its step of a campaign calls in the background, in order. Never callable in a turn. */
  readonly backgroundTools: readonly string[];
  readonly cierra_con: (typeof CLOSES_WITH)[number];
  readonly siguiente: readonly string[];
  readonly requiere: readonly string[];
  readonly costo: (typeof COSTS)[number];
  /** Example phrases, indexed, never in the prompt index; and phrases that veto. */
  readonly gatillos: readonly string[];
  readonly excluye: readonly string[];
  readonly integrations: readonly string[];
  readonly capabilities: readonly string[];
  readonly material: (typeof MATERIAL)[number] | null;
  /** Metadata keys that are not ours, as text. */
  readonly extra: Readonly<Record<string, string>>;
  /** The instructions, without front matter, line ends `\n`, variables not yet replaced. */
  readonly body: string;
  readonly references: readonly Reference[];
  /** sha256 over SKILL.md and everything beside it, hex. */
  readonly digest: string;
  readonly trust: Trust;
  /** Id of the root it came from, and the path of its SKILL.md inside that root. */
  readonly root: string;
  readonly path: string;
}

export interface Bundle {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly string[];
  readonly instruction: string;
  readonly digest: string;
  readonly root: string;
  readonly path: string;
}

/** A tree of skills: the platform's, or one workspace's. */
export interface Root {
  id: string;
  store: Store;
  trust: Trust | ((path: string) => Trust);
  /** Its inline shell may run. False unless an operator marked it. */
  shell: boolean;
  /** Where the root lies, for `${SKILL_DIR}`; null where there is no disk. */
  directory: string | null;
  /** Says who stands behind each skill of the root; `trust` then holds for what is no skill. */
  ledger?: Ledger;
}

/** A file of the root that is read together with the skills it tells of, so that one load believes one state of it. */
export interface Ledger {
  path: string;
  /** Undefined when there is no such file; null when it may not be read. */
  read(bytes: Uint8Array | null | undefined): Admission;
}
export interface Admission {
  /** By the path of the SKILL.md. */
  trust(path: string): Trust;
  /** What is to be said of a skill; with an error it is left out. */
  problems(skill: Skill): Problem[];
  /** What is wrong with the ledger itself. */
  own: readonly Problem[];
}

/** Everything a turn works with, frozen: files edited later change nothing in it. */
export interface Snapshot {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly bundles: ReadonlyMap<string, Bundle>;
  /** `references/*` of the roots, readable from every skill. */
  readonly shared: ReadonlyMap<string, Reference>;
  readonly problems: readonly Problem[];
  /** sha256 over the digests of everything, hex. */
  readonly digest: string;
  readonly roots: readonly Root[];
}

export type { Entry, Store };
