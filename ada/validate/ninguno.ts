import { defect, type Context, type Defect, type Rule } from './rule.js';
import { flat } from '../anchors.js';

/** "There is none" is the figure 0: it is said only when a result of this turn, or of an earlier query, is empty. */

const DENIES = "(?:no (?:existen?|hay|habia|tienes?|tenemos|cuentas con|encontre|encontramos|se encontraron?|aparecen?|veo|vi|figuran?)|(?:there (?:is|are|was|were)|you have|found|i see) no|could(?: not|n't) find)";
const ONE = '(?:(?:ningun[ao]?|algun[ao]?|un|una|el|la|los|las|any|a)\\s+)?';
/** A noun that stands for all of its kind: nothing after it narrows it to some of what was found. */
const WHOLE = '(?:\\s+(?:abiert[oa]s?|registrad[oa]s?|disponibles?|vigentes?|conectad[oa]s?|open|registered))?(?=\\s*(?:[.,;:!)]|$)|\\s+(?:de|del|en|para|que|con|ni|y|a la|al|of|in|for|to|and)\\b)';
interface Kind { says: RegExp; looked: RegExp; empty(result: unknown, args: Record<string, unknown>): boolean }

/** Lists that are empty in every result: they count nothing. */
const NO_ROWS = new Set(['synonyms_used']);
/** A list without rows, a total or a figure of 0, wherever it stands. */
const nothing = (value: unknown, depth = 0): boolean => {
  if (depth > 3 || value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some((one) => nothing(one, depth + 1));
  return Object.entries(value).some(([key, one]) => (Array.isArray(one) && one.length === 0 ? !NO_ROWS.has(key) : (key === 'total' || key === 'value') && one === 0) || nothing(one, depth + 1));
};

const KINDS: readonly Kind[] = [
  {
    says: new RegExp(`\\b${DENIES}\\s+${ONE}(?:crm|pipeline|embudo)${WHOLE}`, 'g'),
    looked: /^collection_query$/, empty: (result, args) => args['op'] === 'list' && (result as { total?: unknown } | null)?.total === 0,
  },
  {
    says: new RegExp(`\\b${DENIES}\\s+${ONE}(?:proveedor(?:es)?|empresas?|fabricantes?|registros?|contratos?|adjudicacion(?:es)?|licitacion(?:es)?|suppliers?|compan(?:y|ies)|contracts?|awards?|tenders?|records?)${WHOLE}|\\b(?:nadie|ningun[ao]? (?:proveedor|empresa)|nobody|no one|no (?:company|supplier))\\b[^.;:]{0,30}?\\b(?:vend\\w+|surt\\w+|gan[oa]\\w*|sold|suppl\\w+|won)\\b`, 'g'),
    looked: /^(?:market|company|people)_/, empty: (result) => nothing(result),
  },
];

const shown = (kind: Kind, { worked, compiled }: Context): boolean =>
  worked.some((call) => kind.looked.test(call.name) && (call.ok ? kind.empty(call.result, call.args) : true)) || compiled.board.runs.some((run) => kind.looked.test(run.tool) && run.total === 0);

export const ninguno: Rule = ({ narration }, context) => {
  const small = flat(narration.masked);
  return KINDS.flatMap((kind): Defect[] => {
    const said = [...small.matchAll(kind.says)];
    return said.length === 0 || shown(kind, context) ? [] : said.map((match) => defect('cifra', 'cifra.none', narration.raw.slice(match.index, match.index + match[0].length), match.index));
  });
};
