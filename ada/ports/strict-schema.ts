import { z } from 'zod';

/**
 * JSON schemas that providers take with `strict: true`: every property required, none added, no keyword that some of them refuse. Limits
 * of length and size are told in the description, and the zod schema stays the judge. What may be missing is nullable in it, never optional: a
 * null that the provider was made to send would not parse.
 */
type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value);
const records = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const branches = (schema: Json): Json[] => [...records(schema['anyOf']), ...records(schema['oneOf'])];
const jsonSchema = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' });

const limits = (schema: Json): string => {
  const range = (low: unknown, high: unknown, unit: string): string => {
    const from = typeof low === 'number' && Number.isSafeInteger(low) && low > Number.MIN_SAFE_INTEGER ? low : null;
    const to = typeof high === 'number' && high < Number.MAX_SAFE_INTEGER ? high : null;
    if (to === null) return from === null || (unit === 'characters' && from <= 1) ? '' : `min ${from}${unit && ` ${unit}`}`;
    return from !== null && from > 1 ? `${from}-${to}${unit && ` ${unit}`}` : `max ${to}${unit && ` ${unit}`}`;
  };
  const parts = [
    range(schema['minLength'], schema['maxLength'], 'characters'),
    range(schema['minItems'], schema['maxItems'], 'items'),
    range(schema['minimum'], schema['maximum'], ''),
    typeof schema['format'] === 'string' ? schema['format'] : '',
  ];
  return parts.filter((p) => p !== '').join(', ');
};

const strict = (schema: Json, path: string): Json => {
  const no = (why: string): never => {
    throw new Error(`${path} cannot be a strict schema: ${why}`);
  };
  const out: Json = {};
  const described = [typeof schema['description'] === 'string' ? schema['description'] : '', limits(schema)]
    .filter((d) => d !== '')
    .join('; ');
  if (described) out['description'] = described;
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  if (schema['allOf'] !== undefined || schema['not'] !== undefined) return no('allOf and not have no equivalent');
  const any = branches(schema);
  if (any.length > 0) return { ...out, anyOf: any.map((b, i) => strict(b, `${path}|${i}`)) };
  for (const key of ['const', 'enum']) if (schema[key] !== undefined) out[key] = schema[key];
  const type = schema['type'];
  if (type === undefined && out['enum'] === undefined && out['const'] === undefined) return no('it allows anything');
  if (type !== undefined) out['type'] = type;
  if (type === 'array') {
    if (!isRecord(schema['items'])) return no('a list whose items differ by position');
    out['items'] = strict(schema['items'], `${path}[]`);
  }
  if (type === 'object') {
    if (isRecord(schema['additionalProperties']) || schema['patternProperties'] !== undefined) return no('its keys are not fixed');
    const properties = isRecord(schema['properties']) ? schema['properties'] : {};
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const optional = Object.keys(properties).find((name) => !required.has(name));
    if (optional !== undefined) return no(`${optional} is optional`);
    out['properties'] = Object.fromEntries(
      Object.entries(properties)
        .filter((e): e is [string, Json] => isRecord(e[1]))
        .map(([name, child]) => [name, strict(child, `${path}.${name}`)]),
    );
    out['required'] = Object.keys(properties);
    out['additionalProperties'] = false;
  }
  return out;
};

/** @throws Error naming the place that has no strict equivalent (a record, a tuple, an intersection, something optional, anything goes) */
export const strictSchema = (schema: z.ZodType): Json => {
  const from = jsonSchema(schema);
  const out = strict(from, '$');
  if (out['type'] !== 'object') throw new Error('$ cannot be a strict schema: the root must be an object');
  for (const key of ['definitions', '$defs']) {
    const definitions = from[key];
    if (isRecord(definitions))
      out[key] = Object.fromEntries(
        Object.entries(definitions)
          .filter((e): e is [string, Json] => isRecord(e[1]))
          .map(([name, child]) => [name, strict(child, `${key}.${name}`)]),
      );
  }
  return out;
};
