import type { ToolContract } from '../../../contracts/tools/common.js';
import { SESSION_TOOLS } from '../../../contracts/profiles/index.js';
import { characters, escapeText } from '../disclose/escape.js';
import { BUDGET, MAX_OPEN } from '../disclose/budget.js';
import type { Loaded } from '../disclose/loaded-block.js';
import { lookUpSkill } from '../read/guard.js';
import { substitute, substitution, type Substitution } from '../read/variables.js';
import { LibraryRefusal } from '../refusal.js';
import { allowedTools } from '../trust.js';
import type { Skill, Snapshot } from '../types.js';
import { visibility, type Access } from '../choose/states.js';

export type OpenedBy = Loaded['by'];
/** Stamped on every turn. */
export interface SkillUsed {
  name: string;
  version: string;
  digest: string;
  by: OpenedBy;
  score: number | null;
}
/** `siguiente`: those of the next ones that are there for whoever asks. */
export interface Opened {
  status: 'abierta' | 'ya_abierta';
  name: string;
  version: string;
  digest: string;
  tools: string[];
  siguiente: readonly string[];
  cierra_con: Skill['cierra_con'];
}

export interface BeltOptions {
  snapshot: Snapshot;
  access: Access;
  catalogue: readonly ToolContract[];
  /** Runs an allowed MCP tool. The belt is the only way to it. */
  call: (name: string, args: unknown) => Promise<unknown>;
  /** Those of the prompt: what they bring into a body takes room too. Without them, a long session id is reckoned with. */
  variables?: Substitution;
}

const LONG_ID = 64;

/**
 * The tools of one turn. A skill's own tools exist only while it is open; the session's are always there. What a prompt says or a
 * model names does not matter: everything runs through `execute`, which asks again.
 */
export interface Belt {
  /** Opens a recipe. Throws `LibraryRefusal`: unknown, denied, hidden, or no room for a third body. */
  open(name: string, by: OpenedBy, score?: number): Opened;
  /** What `open` would refuse whatever the room: throws when the recipe is unknown, denied or hidden. Opens nothing. */
  check(name: string): void;
  /** Takes a recipe and the tools that only it brought away. */
  close(name: string): void;
  isOpen(name: string): boolean;
  loaded(): readonly Loaded[];
  /** Names callable now, session tools first, then the catalogue's order: the same set always gives the same list. */
  callable(): string[];
  /** Runs a tool of the catalogue. Throws `fuera_de_cinturon` or `solo_con_toque` before anything is called. */
  execute(name: string, args: unknown): Promise<unknown>;
  used(): SkillUsed[];
  /** Recipes in state `always` for which there was no room: said, not dropped. */
  waiting(): string[];
}

export const createBelt = ({
  snapshot,
  access,
  catalogue,
  call,
  variables = substitution(snapshot, 's'.repeat(LONG_ID)),
}: BeltOptions): Belt => {
  const open = new Map<string, Loaded & { score: number | null; tools: readonly string[] }>();
  const waiting: string[] = [];
  const used = new Map<string, SkillUsed>();
  const contracts = new Map(catalogue.map((tool) => [tool.name, tool]));
  const order = catalogue.map((tool) => tool.name);

  const visible = (name: string): Skill => {
    const skill = snapshot.skills.get(name);
    // Unknown first, with suggestions among what this person may see only.
    if (!skill) return lookUpSkill(snapshot, name, there);
    const seen = visibility(skill, access);
    if (seen.hidden) throw new LibraryRefusal(seen.hidden.code, seen.hidden.params);
    return skill;
  };
  const there = (name: string): boolean => {
    const skill = snapshot.skills.get(name);
    return skill !== undefined && !visibility(skill, access).hidden;
  };
  /** What is open now. A recipe that was denied while it was open is closed: its body, its tools and its room go at once. */
  const live = (): Array<Loaded & { tools: readonly string[] }> => {
    for (const name of [...open.keys()]) if (!there(name)) open.delete(name);
    return [...open.values()];
  };
  /** As it will stand in the prompt. */
  const sizeOf = (skill: Skill): number => characters(escapeText(substitute(skill.body, skill, variables).trim()));

  const belt: Belt = {
    open: (name, by, score) => {
      const skill = visible(name);
      // A copy: whoever holds the answer adds nothing to the belt by it.
      const answer = (status: Opened['status'], tools: readonly string[]): Opened => ({
        status,
        name: skill.name,
        version: skill.version,
        digest: skill.digest,
        tools: [...tools],
        siguiente: skill.siguiente.filter(there),
        cierra_con: skill.cierra_con,
      });
      const now = live();
      const known = open.get(name);
      if (known) return answer('ya_abierta', known.tools);
      const names = now.map((one) => one.skill.name).join(', ');
      const noRoom = (): LibraryRefusal => new LibraryRefusal('no_cabe', { skill: name, open: names, count: now.length });
      if (now.length >= MAX_OPEN) throw noRoom();
      const loaded = { skill, by, score: score ?? null, tools: Object.freeze(allowedTools(skill, catalogue)) };
      const bodies = [...now, loaded].reduce((sum, one) => sum + sizeOf(one.skill), 0);
      if (bodies > BUDGET.bodies) throw noRoom();
      open.set(name, loaded);
      if (!used.has(name)) used.set(name, { name: skill.name, version: skill.version, digest: skill.digest, by, score: score ?? null });
      return answer('abierta', loaded.tools);
    },
    check: (name) => {
      visible(name);
    },
    close: (name) => {
      open.delete(name);
    },
    isOpen: (name) => open.has(name) && there(name),
    loaded: () => live().map(({ skill, by }) => ({ skill, by })),
    callable: () => {
      const own = new Set(live().flatMap((loaded) => loaded.tools));
      return [...SESSION_TOOLS, ...order.filter((name) => own.has(name))];
    },
    execute: async (name, args) => {
      const tool = contracts.get(name);
      // A paid tool is never a turn's to call, open recipe or not.
      if (tool && (tool.scope === 'paid' || tool.costo === 'creditos' || !tool.readOnly))
        throw new LibraryRefusal('solo_con_toque', { tool: name });
      // Asked again at every call: a recipe that was denied while it was open loses its tools at once.
      if (!tool || !live().some((loaded) => loaded.tools.includes(name)))
        throw new LibraryRefusal('fuera_de_cinturon', { tool: String(name).slice(0, 80) }, openers(name));
      const parsed = tool.input.safeParse(args);
      if (!parsed.success)
        throw new LibraryRefusal('arguments_invalid', {
          tool: name,
          reason: parsed.error.issues
            .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
            .join('; ')
            .slice(0, 500),
        });
      return call(name, parsed.data);
    },
    used: () => [...used.values()].map((one) => ({ ...one })),
    waiting: () => waiting.filter((name) => there(name) && !open.has(name)),
  };

  /** The recipes whose opening would bring the tool, as far as they are there for this person. */
  const openers = (tool: string): string[] =>
    [...snapshot.skills.values()]
      .filter((skill) => !visibility(skill, access).hidden && allowedTools(skill, catalogue).includes(tool))
      .map((skill) => skill.name)
      .sort();

  // Those that are always in come first and count among the two; one that does not fit takes nothing from the turn.
  for (const skill of [...snapshot.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (visibility(skill, access).state !== 'always') continue;
    try {
      belt.open(skill.name, 'always');
    } catch (error) {
      if (!(error instanceof LibraryRefusal) || error.code !== 'no_cabe') throw error;
      waiting.push(skill.name);
    }
  }
  return belt;
};
