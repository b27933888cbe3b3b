import { z } from 'zod';
import { PROFILES } from '../../../contracts/profiles/index.js';
import { CLOSES_WITH, COSTS, MATERIAL, REASONING, REQUIRED_FACTS, SIZE, type Skill } from '../types.js';
import { lengthOf } from './digest.js';
import type { Findings } from './findings.js';
import type { Matter, Value } from './front-matter.js';
import { OUR_KEYS, SPEC_KEYS, type OurKey } from './keys.js';

/** The fields of a skill that its front matter decides. */
export type Contract = Pick<
  Skill,
  | 'name'
  | 'description'
  | 'version'
  | 'reasoning'
  | 'tools'
  | 'profiles'
  | 'backgroundTools'
  | 'cierra_con'
  | 'siguiente'
  | 'requiere'
  | 'costo'
  | 'gatillos'
  | 'excluye'
  | 'integrations'
  | 'capabilities'
  | 'material'
  | 'extra'
>;

export const Name = z
  .string()
  .max(SIZE.name)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
const Choice = { reasoning: z.enum(REASONING), cierra_con: z.enum(CLOSES_WITH), costo: z.enum(COSTS), material: z.enum(MATERIAL) };

/** A sentence in one line, however it was folded. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const unique = (items: readonly string[]): string[] => [...new Set(items)];
/** Names: a YAML list, or one text with spaces (the portable form) or commas between them. */
export const tokens = (value: Value | undefined): string[] =>
  unique((value?.list ?? [value?.text ?? '']).flatMap((text) => text.split(/[\s,]+/)).filter((token) => token !== ''));
/** Sentences: a YAML list, or one text with ` | ` between them. Quotes around one are its author's, not part of what people type. */
export const phrases = (value: Value | undefined): string[] => {
  const written = value?.list ?? (value?.text ?? '').split(/(?:^|\s)\|(?:\s|$)/);
  return unique(
    written
      .map((text) =>
        oneLine(text)
          .replace(/^(["'«“])(.*)(["'»”])$/u, '$2')
          .trim(),
      )
      .filter((text) => text !== ''),
  );
};

export const nameOf = (declared: Value | undefined, folder: string, findings: Findings): string | null => {
  const folderIsName = Name.safeParse(folder).success;
  const text = oneLine(declared?.text ?? '');
  const valid = Name.safeParse(text).success;
  const where = { key: 'name', line: declared?.line };
  if (!folderIsName && !valid) {
    findings.refuse('name_invalid', { ...where, params: { name: text || folder } });
    return null;
  }
  if (text === '') findings.error('name_missing', { ...where, params: { folder } });
  else if (!valid) findings.error('name_invalid', { ...where, params: { name: text.slice(0, 80) } });
  else if (text !== folder) findings.error('name_not_folder', { ...where, params: { name: text, folder } });
  // The folder is what a reviewer saw and what the specification compares with.
  return folderIsName ? folder : text;
};

/** Front matter to fields. Every field gets a value; what could not be taken as written is reported. Null without a usable name. */
export const readContract = (matter: Matter, folder: string, findings: Findings): Contract | null => {
  const spec: ReadonlySet<string> = new Set(SPEC_KEYS);
  const ours: ReadonlySet<string> = new Set(OUR_KEYS);
  const moved = new Map<string, Value>();
  for (const [key, value] of matter) {
    if (key.startsWith('metadata.') || spec.has(key)) continue;
    const belongs = ours.has(key);
    findings.warn(belongs ? 'key_belongs_in_metadata' : 'key_unknown', { key, line: value.line });
    if (belongs) moved.set(key, value);
  }
  const at = (key: OurKey): Value | undefined => matter.get(`metadata.${key}`) ?? moved.get(key);

  const name = nameOf(matter.get('name'), folder, findings);
  const description = oneLine(matter.get('description')?.text ?? '');
  const descriptionAt = { key: 'description', line: matter.get('description')?.line };
  const size = lengthOf(description);
  if (size === 0) findings.refuse('description_missing', descriptionAt);
  else if (size > SIZE.specDescription)
    findings.error('description_over_spec', { ...descriptionAt, params: { size, limit: SIZE.specDescription } });
  else if (size > SIZE.description) findings.warn('description_long', { ...descriptionAt, params: { size, limit: SIZE.description } });

  const choice = <T extends string>(key: keyof typeof Choice, absent: T, unclear: T): T => {
    const value = at(key);
    const text = oneLine(value?.text ?? '');
    if (text === '') return absent;
    const parsed = Choice[key].safeParse(text);
    if (parsed.success) return parsed.data as T;
    findings.error('value_unknown', {
      key: `metadata.${key}`,
      line: value?.line,
      params: { value: text.slice(0, 80), allowed: Choice[key].options.join(', ') },
    });
    return unclear;
  };

  const version = oneLine(at('version')?.text ?? '');
  if (version === '') findings.warn('version_missing', { key: 'metadata.version', line: at('version')?.line });
  const profiles = tokens(at('profiles'));
  for (const profile of profiles) {
    if (Object.hasOwn(PROFILES, profile)) continue;
    findings.error('profile_unknown', {
      key: 'metadata.profiles',
      line: at('profiles')?.line,
      params: { profile, allowed: Object.keys(PROFILES).join(', ') },
    });
  }
  const requiere = tokens(at('requiere'));
  for (const fact of requiere) {
    if ((REQUIRED_FACTS as readonly string[]).includes(fact)) continue;
    findings.warn('requires_unknown', {
      key: 'metadata.requiere',
      line: at('requiere')?.line,
      params: { fact, allowed: REQUIRED_FACTS.join(', ') },
    });
  }
  const fromProfiles = profiles.flatMap((profile) => (Object.hasOwn(PROFILES, profile) ? (PROFILES[profile] ?? []) : []));
  const foreign = [...matter].filter(([key]) => key.startsWith('metadata.') && !ours.has(key.slice(9)));
  const extra = foreign.map(([key, value]) => [key.slice(9), value.text] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = {
    description,
    version: version || '0.0.0',
    reasoning: choice<Contract['reasoning']>('reasoning', 'bajo', 'bajo'),
    profiles,
    tools: unique([...tokens(at('tools')), ...fromProfiles]),
    backgroundTools: tokens(at('background_tools')),
    cierra_con: choice<Contract['cierra_con']>('cierra_con', 'ninguna', 'ninguna'),
    siguiente: tokens(at('siguiente')),
    requiere,
    // A cost that was written and not understood is taken as the dearest one: nothing is spent on a misspelling.
    costo: choice<Contract['costo']>('costo', 'gratis', 'creditos'),
    gatillos: phrases(at('gatillos')),
    excluye: phrases(at('excluye')),
    integrations: tokens(at('integrations')),
    capabilities: tokens(at('capabilities')),
    material: choice<NonNullable<Contract['material']> | ''>('material', '', '') || null,
    extra: Object.fromEntries(extra),
  };
  return name === null ? null : { name, ...fields };
};
