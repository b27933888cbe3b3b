import { hasText, text, type Language } from '../contracts/catalog/index.js';
import type { TurnOutput } from '../contracts/turn.js';
import type { Choice, Chooser } from './library/choose/choose.js';
import { labelOf } from './library/choose/choose.js';
import { visibility } from './library/choose/states.js';
import type { LibraryRefusal } from './library/refusal.js';
import type { Snapshot } from './library/types.js';

/** A recipe that the message asks for and that is not there, since the workspace lacks a connection. */
export interface Blocked {
  skill: string;
  /** Its heading, in plain words. */
  label: string;
  /** The connection by its name in the recipe, and as a person calls it. */
  missing: string;
  what: string;
  /** Nothing else was asked for: the whole answer is that limit. */
  whole: boolean;
}

export const connectionName = (missing: string, language: Language): string => {
  const code = `ada.connection.${missing}`;
  return hasText(code) ? text(language, code) : text(language, 'ada.connection.other', { name: missing.replace(/[-_]+/g, ' ') });
};

/** What the chooser would have said with every connection in place, where that is a recipe that only lacks one. */
export const blockedBy = (
  chooser: Chooser,
  snapshot: Snapshot,
  message: string,
  context: Parameters<Chooser['choose']>[1],
  language: Language,
): Blocked | null => {
  const { access } = context;
  const lacking = new Map(
    [...snapshot.skills.values()].flatMap((skill): Array<[string, string]> => {
      const { hidden } = visibility(skill, access);
      return hidden?.code === 'skill_needs_integration' ? [[skill.name, hidden.params.missing]] : [];
    }),
  );
  if (lacking.size === 0) return null;
  const { decision, candidates }: Choice = chooser.choose(message, { ...context, access: { ...access, integrations: null } });
  const [first] = candidates;
  const missing = first && (decision === 'inject' || decision === 'suggest') ? lacking.get(first.name) : undefined;
  if (!first || missing === undefined) return null;
  return named(first.name, missing, snapshot, language, decision === 'inject' && candidates.every(({ name }) => lacking.has(name)));
};

/** The same, for a recipe that was typed by its name. */
export const blockedSlash = ({ code, params }: LibraryRefusal, snapshot: Snapshot, language: Language): Blocked | null =>
  code === 'skill_needs_integration' && typeof params['skill'] === 'string' && typeof params['missing'] === 'string'
    ? named(params['skill'], params['missing'], snapshot, language, true)
    : null;

const named = (skill: string, missing: string, snapshot: Snapshot, language: Language, whole: boolean): Blocked => {
  const found = snapshot.skills.get(skill);
  return { skill, label: found ? labelOf(found) : skill.replace(/-/g, ' '), missing, what: connectionName(missing, language), whole };
};

/** The limit by itself: what is missing, where it is connected, and nothing claimed beyond. */
export const blockedAnswer = ({ what }: Pick<Blocked, 'what'>, language: Language): TurnOutput => {
  const exit = text(language, 'ada.blocked.exit');
  return {
    intent: { kind: 'limite', falta: 'conector', salida: exit },
    narration: `${text(language, 'ada.blocked.says', { what })} ${exit}`,
    pregunta: null,
    siguiente: { kind: 'enlace', label: text(language, 'ada.common.connections_label'), target: '/configuracion/conexiones', cost: null },
  };
};

/** What the model is told of it, beside the stage. */
export const blockedText = ({ what, label, whole }: Blocked): string =>
  whole
    ? `Falta una conexión: ${what}. Lo que pide la persona («${label}») no se puede sin ella. Cierra con intent limite, falta conector: di qué falta y que se conecta en Configuración → Conexiones.`
    : `Falta una conexión: ${what}. Si lo que pide es «${label}», no se puede sin ella: es limite de conector, con la salida en Configuración → Conexiones.`;
