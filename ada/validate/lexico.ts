import { flat } from '../anchors.js';
import { AMBIGUOUS, INTERNAL, RECIPE_NAMES, TOOL_NAMES } from './lexico-words.js';
import { defect, type Context, type Defect, type Rule } from './rule.js';

/** No words of the machinery in what a person reads. */

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+');
const pattern = (words: readonly string[]): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${[...words]
      .sort((a, b) => b.length - a.length)
      .map(escaped)
      .join('|')})(?![\\p{L}\\p{N}_-])`,
    'gu',
  );
const NAMES = pattern([...TOOL_NAMES, ...RECIPE_NAMES].filter((name) => name.length > 5));
const WORDS = pattern(INTERNAL);
/** snake_case, camelCase keys, ids of ours, and UUIDs: fields and identifiers. */
const FIELDS =
  /(?<![\p{L}\p{N}_@./-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\p{L}\p{N}_@])|(?<![\p{L}\p{N}_])[a-z]{2,}(?:Id|Count|Ref|Url|Token|Cursor|Key|Name)s?(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:run|record|decision|board):[\w-]+/gu;
const IDS = /(?<![\p{L}\p{N}:_-])[a-z]+[_-][\w-]+(?![\p{L}\p{N}])/gu;
const CODE = /`[^`\n]{1,80}`|```/g;

/** The person, or the data of the turn, uses the word itself. */
const said = (word: string, context: Context): boolean => {
  const small = flat(
    `${context.message} ${Object.values(context.compiled.facts)
      .map((fact) => fact.value ?? '')
      .join(' ')}`,
  );
  if (small.includes(word)) return true;
  // Texts of rows only: an activity, a product. Keys are the machinery's own.
  let budget = 4_000;
  const walk = (value: unknown, depth: number): boolean => {
    if (depth > 6 || budget-- < 0) return false;
    if (typeof value === 'string') return value.length < 400 && flat(value).includes(word);
    return value !== null && typeof value === 'object' && Object.values(value).some((one) => walk(one, depth + 1));
  };
  return context.worked.some((call) => call.ok && !/^skill_/.test(call.name) && walk(call.result, 0));
};

const inText = (raw: string, masked: string, coded: string, field: Defect['field'], context: Context): Defect[] => {
  const small = flat(masked);
  const at = (index: number): number | null => (field === 'narration' ? index : null);
  const found: Defect[] = [];
  const add = (index: number, length: number): void => {
    const quote = raw.slice(index, index + length);
    if (!found.some((one) => one.at === at(index) && one.quote === quote))
      found.push(defect('lexico', 'lexico.internal', quote, at(index), field));
  };
  for (const match of small.matchAll(NAMES)) if (!(match[0] === 'campana' || !/[_-]/.test(match[0]))) add(match.index, match[0].length);
  for (const match of small.matchAll(WORDS)) {
    // «la herramienta», «mis herramientas»: ours, whatever companies sell.
    const ours =
      /^herramienta|^tool/.test(match[0]) &&
      /(?:mis?|esta|una?s?|otra|la|my|the|this|a) $/.test(small.slice(0, match.index)) &&
      /^\S*\s+(?:de (?:busqueda|consulta|conteo)|devolvi|respondi|fall|no (?:respond|devol|trajo|funcion)|que (?:tengo|uso)|disponible|returned|failed|available|call|i have)/.test(
        small.slice(match.index),
      );
    if (ours || !(AMBIGUOUS.has(match[0]) && said(match[0], context))) add(match.index, match[0].length);
  }
  for (const pattern of [FIELDS, CODE]) for (const match of coded.matchAll(pattern)) add(match.index, match[0].length);
  for (const match of coded.matchAll(IDS))
    if (['record', 'run', 'decision'].some((type) => context.known.anchors.has(`${type}:${match[0]}`))) add(match.index, match[0].length);
  return found;
};

export const lexico: Rule = ({ output, narration }, context) => {
  const beside: Array<[Defect['field'], string]> = [
    ['pregunta', output.pregunta?.texto ?? ''],
    ['pregunta', output.pregunta?.supuesto ?? ''],
    ['siguiente', output.siguiente?.label ?? ''],
    ['intent', output.intent.kind === 'limite' ? output.intent.salida : ''],
  ];
  return [
    ...inText(narration.raw, narration.masked, narration.coded, 'narration', context),
    ...beside.flatMap(([field, text]) => inText(text, text, text, field, context)),
  ];
};
