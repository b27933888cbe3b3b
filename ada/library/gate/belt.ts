import type { ToolContract } from '../../../contracts/tools/common.js';
import { SESSION_TOOLS } from '../../../contracts/profiles/index.js';
import { characters } from '../disclose/escape.js';
import { BUDGET, MAX_OPEN } from '../disclose/budget.js';
import { loadedBlock, type Loaded } from '../disclose/loaded-block.js';
import { lookUpSkill } from '../read/guard.js';
import type { Substitution } from '../read/variables.js';
import { LibraryRefusal } from '../refusal.js';
import { allowedTools } from '../trust.js';
import type { Skill, Snapshot } from '../types.js';
import { visibility, type Access } from '../choose/states.js';

export type OpenedBy = Loaded['by'];
/** Stamped on every turn. */
export interface SkillUsed { name: string; version: string; digest: string; by: OpenedBy; score: number | null }
export interface Opened { status: 'abierta' | 'ya_abierta'; name: string; version: string; digest: string; tools: string[]; siguiente: readonly string[]; cierra_con: Skill['cierra_con'] }

export interface BeltOptions {
  snapshot: Snapshot;
  access: Access;
  catalogue: readonly ToolContract[];
  /** Runs an allowed MCP tool. The belt is the only way to it. */
  call: (name: string, args: unknown) => Promise<unknown>;
}

/**
 * The tools of one turn. A skill's own tools exist only while it is open; the session's are always there. What a prompt says or a
 * model names does not matter: everything runs through `execute`, which asks again.
 */
export interface Belt {
  /** Opens a recipe. Throws `LibraryRefusal`: unknown, denied, hidden, or no room for a third body. */
  open(name: string, by: OpenedBy, score?: number): Opened;
  /** Takes a recipe and the tools that only it brought away. */
  close(name: string): void;
  isOpen(name: string): boolean;
  loaded(): readonly Loaded[];
  /** Names callable now, session tools first, then the catalogue's order: the same set always gives the same list. */
  callable(): string[];
  /** Runs a tool of the catalogue. Throws `fuera_de_cinturon` or `solo_con_toque` before anything is called. */
  execute(name: string, args: unknown): Promise<unknown>;
  used(): SkillUsed[];
}

export const createBelt = ({ snapshot, access, catalogue, call }: BeltOptions): Belt => {
  const open = new Map<string, Loaded & { score: number | null; tools: string[] }>();
  const used = new Map<string, SkillUsed>();
  const contracts = new Map(catalogue.map((tool) => [tool.name, tool]));
  const order = catalogue.map((tool) => tool.name);

  const visible = (name: string): Skill => {
    const skill = snapshot.skills.get(name);
    // Unknown first, with suggestions among what this person may see only.
    if (!skill) return lookUpSkill(snapshot, name, (other) => { const one = snapshot.skills.get(other); return one !== undefined && !visibility(one, access).hidden; });
    const seen = visibility(skill, access);
    if (seen.hidden) throw new LibraryRefusal(seen.hidden.code, seen.hidden.params);
    return skill;
  };
  const ownTools = (): Set<string> => new Set([...open.values()].flatMap((loaded) => loaded.tools));

  const belt: Belt = {
    open: (name, by, score) => {
      const skill = visible(name);
      const answer = (status: Opened['status'], tools: string[]): Opened =>
        ({ status, name: skill.name, version: skill.version, digest: skill.digest, tools, siguiente: skill.siguiente, cierra_con: skill.cierra_con });
      const known = open.get(name);
      if (known) return answer('ya_abierta', known.tools);
      const names = [...open.keys()].join(', ');
      if (open.size >= MAX_OPEN) throw new LibraryRefusal('no_cabe', { skill: name, open: names, max: MAX_OPEN });
      const loaded = { skill, by, score: score ?? null, tools: allowedTools(skill, catalogue) };
      const bodies = [...open.values(), loaded].reduce((sum, one) => sum + characters(one.skill.body), 0);
      if (bodies > BUDGET.bodies) throw new LibraryRefusal('no_cabe', { skill: name, open: names, max: MAX_OPEN });
      open.set(name, loaded);
      if (!used.has(name)) used.set(name, { name: skill.name, version: skill.version, digest: skill.digest, by, score: score ?? null });
      return answer('abierta', loaded.tools);
    },
    close: (name) => { open.delete(name); },
    isOpen: (name) => open.has(name),
    loaded: () => [...open.values()],
    callable: () => { const own = ownTools(); return [...SESSION_TOOLS, ...order.filter((name) => own.has(name))]; },
    execute: async (name, args) => {
      const tool = contracts.get(name);
      // A paid tool is never a turn's to call, open recipe or not.
      if (tool && (tool.scope === 'paid' || !tool.readOnly)) throw new LibraryRefusal('solo_con_toque', { tool: name });
      // Asked again at every call: a recipe that was denied while it was open loses its tools at once.
      const holder = [...open.values()].find((loaded) => loaded.tools.includes(name) && !visibility(loaded.skill, access).hidden);
      if (!tool || !holder) throw new LibraryRefusal('fuera_de_cinturon', { tool: name.slice(0, 80) }, openers(name));
      const parsed = tool.input.safeParse(args);
      if (!parsed.success) throw new LibraryRefusal('arguments_invalid', { tool: name, reason: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ').slice(0, 500) });
      return call(name, parsed.data);
    },
    used: () => [...used.values()],
  };

  /** The recipes whose opening would bring the tool, as far as they are there for this person. */
  const openers = (tool: string): string[] =>
    [...snapshot.skills.values()].filter((skill) => !visibility(skill, access).hidden && allowedTools(skill, catalogue).includes(tool)).map((skill) => skill.name).sort();

  // Those that are always in come first and count among the two.
  for (const skill of [...snapshot.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (open.size < MAX_OPEN && visibility(skill, access).state === 'always') belt.open(skill.name, 'always');
  }
  return belt;
};

/** The block of what is open, for the end of the prompt. */
export const blockOf = (belt: Belt, snapshot: Snapshot, variables: Substitution, instruction = ''): string => loadedBlock(snapshot, belt.loaded(), variables, instruction);
