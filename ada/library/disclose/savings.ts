import type { Skill } from '../types.js';
import { characters } from './escape.js';

/** Shown against everything-always, in characters; tokens by the rule of thumb below. */
export interface Saving {
  shown: number;
  everything: number;
  saved: number;
  share: number;
  tokensSaved: number;
}
/** Spanish prose and JSON take about this many characters a token in current tokenisers: an estimate, not a bill. */
const CHARACTERS_PER_TOKEN = 3.8;

const saving = (shown: number, everything: number): Saving => {
  const saved = Math.max(0, everything - shown);
  return {
    shown,
    everything,
    saved,
    share: everything === 0 ? 0 : saved / everything,
    tokensSaved: Math.round(saved / CHARACTERS_PER_TOKEN),
  };
};

/** Instructions: the index and what is open, against the body of every skill that is available. */
export const instructionSaving = (available: readonly Skill[], index: string, loaded: string): Saving =>
  saving(
    characters(index) + characters(loaded),
    available.reduce((sum, skill) => sum + characters(skill.body) + characters(skill.description), 0),
  );

export interface ToolSchema {
  name: string;
  description: string;
  schema: unknown;
}
const size = (tool: ToolSchema): number =>
  characters(JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.schema }));

/** Tool schemas: those callable now, against all that any skill could open. */
export const toolSaving = (callable: readonly ToolSchema[], all: readonly ToolSchema[]): Saving =>
  saving(
    callable.reduce((sum, tool) => sum + size(tool), 0),
    all.reduce((sum, tool) => sum + size(tool), 0),
  );
