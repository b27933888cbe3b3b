import { z } from 'zod';

/**
 * JSON schemas that providers take with `strict: true`: every property required, none added, no keyword that some of them refuse. What is
 * optional becomes nullable (`fromStrict` takes the nulls out again); limits of length and size are told in the description, and the zod schema
 * stays the judge.
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
  const parts = [range(schema['minLength'], schema['maxLength'], 'characters'), range(schema['minItems'], schema['maxItems'], 'items'), range(schema['minimum'], schema['maximum'], ''), typeof schema['format'] === 'string' ? schema['format'] : ''];
  return parts.filter((p) => p !== '').join(', ');
};

const strict = (schema: Json, path: string): Json => {
  const no = (why: string): never => { throw new Error(`${path} cannot be a strict schema: ${why}`); };
  const out: Json = {};
  const described = [typeof schema['description'] === 'string' ? schema['description'] : '', limits(schema)].filter((d) => d !== '').join('; ');
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
    out['properties'] = Object.fromEntries(Object.entries(properties).filter((e): e is [string, Json] => isRecord(e[1])).map(([name, child]) => {
      const made = strict(child, `${path}.${name}`);
      return [name, required.has(name) || takesNull(child) ? made : { anyOf: [made, { type: 'null' }] }];
    }));
    out['required'] = Object.keys(properties);
    out['additionalProperties'] = false;
  }
  return out;
};
const takesNull = (schema: Json): boolean => schema['type'] === 'null' || (Array.isArray(schema['enum']) && schema['enum'].includes(null)) || branches(schema).some(takesNull);

/** @throws Error naming the place that has no strict equivalent (a record, a tuple, an intersection, anything goes) */
export const strictSchema = (schema: z.ZodType): Json => {
  const from = jsonSchema(schema);
  const out = strict(from, '$');
  if (out['type'] !== 'object') throw new Error('$ cannot be a strict schema: the root must be an object');
  for (const key of ['definitions', '$defs']) {
    const definitions = from[key];
    if (isRecord(definitions)) out[key] = Object.fromEntries(Object.entries(definitions).filter((e): e is [string, Json] => isRecord(e[1])).map(([name, child]) => [name, strict(child, `${key}.${name}`)]));
  }
  return out;
};

/** Whether a value may be meant by a branch: its type, and the properties that tell branches apart. */
const fits = (schema: Json, value: unknown): boolean => {
  const any = branches(schema);
  if (any.length > 0) return any.some((b) => fits(b, value));
  if (schema['const'] !== undefined) return schema['const'] === value;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  switch (schema['type']) {
    case 'object': {
      if (!isRecord(value)) return false;
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      if (Object.keys(value).some((k) => !Object.hasOwn(properties, k))) return false;
      return Object.entries(properties).every(([k, child]) => !isRecord(child) || (child['const'] === undefined && child['enum'] === undefined) || !Object.hasOwn(value, k) || value[k] === null || fits(child, value[k]));
    }
    case 'array': return Array.isArray(value);
    case 'null': return value === null;
    case 'string': return typeof value === 'string';
    case 'boolean': return typeof value === 'boolean';
    case 'number': case 'integer': return typeof value === 'number';
    default: return true;
  }
};

const relax = (schema: Json, value: unknown, root: Json, depth: number): unknown => {
  if (depth > 40) return value;
  if (typeof schema['$ref'] === 'string') {
    const target = schema['$ref'].split('/').slice(1).reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root);
    return isRecord(target) ? relax(target, value, root, depth + 1) : value;
  }
  const any = branches(schema);
  if (any.length > 0) {
    const branch = any.find((b) => typeof b['$ref'] === 'string' || fits(b, value));
    return branch ? relax(branch, value, root, depth + 1) : value;
  }
  if (Array.isArray(value)) return isRecord(schema['items']) ? value.map((v) => relax(schema['items'] as Json, v, root, depth + 1)) : value;
  if (!isRecord(value) || !isRecord(schema['properties'])) return value;
  const properties = schema['properties'];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.fromEntries(Object.entries(value).flatMap(([name, v]) => {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isRecord(child)) return [[name, v]];
    if (v === null && !required.has(name) && !takesNull(child)) return [];
    return [[name, relax(child, v, root, depth + 1)]];
  }));
};

const known = new WeakMap<z.ZodType, Json>();
/** The value as `schema` expects it: nulls that stand for "not given" are left out. It still has to be parsed. */
export const fromStrict = (schema: z.ZodType, value: unknown): unknown => {
  const json = known.get(schema) ?? jsonSchema(schema);
  known.set(schema, json);
  return relax(json, value, json, 0);
};
