import type { Settings } from '../../contracts/api.js';

/** The settings as they stand in the fields: numbers as they were typed. */
export interface Fields {
  zone: string;
  language: Settings['language'];
  concurrency: string;
  calls_per_second: string;
  second_approver_above: string;
  /** null: nobody has said, so none is taken to be missing. */
  integrations: string[] | null;
  capabilities: string[] | null;
}
export type Field = keyof Fields;
export const FIELDS: readonly Field[] = [
  'zone',
  'language',
  'concurrency',
  'calls_per_second',
  'second_approver_above',
  'integrations',
  'capabilities',
];

const text = (n: number | null): string => (n === null ? '' : String(n));
export const fieldsOf = (s: Settings): Fields => ({
  zone: s.zone,
  language: s.language,
  concurrency: String(s.concurrency),
  calls_per_second: text(s.calls_per_second),
  second_approver_above: text(s.second_approver_above),
  integrations: s.integrations ?? null,
  capabilities: s.capabilities ?? null,
});

const LIMITS = {
  concurrency: { min: 1, max: 50, empty: false },
  calls_per_second: { min: 1, max: 1000, empty: true },
  second_approver_above: { min: 0, max: 1_000_000_000, empty: true },
} as const;
export type NumberField = keyof typeof LIMITS;
export const limitsOf = (field: NumberField): (typeof LIMITS)[NumberField] => LIMITS[field];

/** "1250", "1,250" and "1 250"; "10.5" is none. */
const numberOf = (value: string): number | null =>
  /^(\d{1,10}|\d{1,3}([,\s]\d{3}){1,3})$/.test(value.trim()) ? Number(value.replace(/[,\s]/g, '')) : null;

export interface Fault {
  code: string;
  params: Record<string, unknown>;
}
export type Faults = Partial<Record<Field, Fault>>;

/** What is wrong in the fields, before anything is sent. */
export const faultsOf = (f: Fields, isZone: (zone: string) => boolean): Faults => {
  const faults: Faults = {};
  if (!isZone(f.zone.trim())) faults.zone = { code: 'web.settings.fault.zone', params: {} };
  for (const field of Object.keys(LIMITS) as NumberField[]) {
    const { min, max, empty } = LIMITS[field];
    const value = f[field].trim();
    if (value === '' && empty) continue;
    const n = numberOf(value);
    if (n === null || n < min || n > max) faults[field] = { code: 'web.settings.fault.number', params: { min, max } };
  }
  return faults;
};

const settingOf = (f: Fields): Settings => ({
  zone: f.zone.trim(),
  language: f.language,
  concurrency: numberOf(f.concurrency) ?? 1,
  calls_per_second: numberOf(f.calls_per_second),
  second_approver_above: numberOf(f.second_approver_above),
  integrations: f.integrations,
  capabilities: f.capabilities,
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
/** Which fields say something else than was read. */
export const changedFields = (before: Settings, now: Fields): Field[] => {
  const was = fieldsOf(before);
  return FIELDS.filter((field) => !same(was[field], now[field]));
};

/**
 * What to store: only the fields that this person changed, over the settings as they are now. The call replaces all of them, and what
 * somebody else changed meanwhile must not be put back.
 */
export const merged = (read: Settings, now: Settings, fields: Fields): Settings => {
  const wanted = settingOf(fields);
  const changed = new Set<string>(changedFields(read, fields));
  const base = { ...now, integrations: now.integrations ?? null, capabilities: now.capabilities ?? null };
  return Object.fromEntries(
    Object.entries(base).map(([key, value]) => [key, changed.has(key) ? wanted[key as keyof Settings] : value]),
  ) as Settings;
};

/** At which field a refusal belongs; null when at none. */
export const fieldOfRefusal = (code: string, params: Record<string, unknown>, changed: readonly Field[]): Field | null => {
  if (code === 'zone_unknown') return 'zone';
  // What only an operator changes.
  if (code === 'role_missing')
    return changed.includes('second_approver_above') ? 'second_approver_above' : changed.includes('capabilities') ? 'capabilities' : null;
  if (code !== 'request_invalid') return null;
  const at = typeof params['at'] === 'string' ? params['at'] : '';
  return FIELDS.find((field) => at.split(/[^a-z_]+/).includes(field)) ?? null;
};
