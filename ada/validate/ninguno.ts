import { defect, type Context, type Defect, type Rule } from './rule.js';
import { flat } from '../anchors.js';

/** "There is none" is the figure 0: it is said only when a result of this turn, or of an earlier query, is empty. */

const IS_NOT = '(?:no (?:existen?|hay|habia|tienes?|tenemos|cuentas con)|(?:there (?:is|are|was|were)|you have) no)';
/** Tells of a look: true of a part of what was looked at, where it had parts. */
const NOT_FOUND = "(?:no (?:encontre|encontramos|se encontraron?|aparecen?|veo|vi|figuran?)|(?:found|i see) no|could(?: not|n't) find)";
const ONE = '(?:(?:ningun[ao]?|algun[ao]?|un|una|el|la|los|las|any|a)\\s+)?';
/** A noun that stands for all of its kind: nothing after it narrows it to some of what was found. */
const WHOLE =
  '(?:\\s+(?:abiert[oa]s?|registrad[oa]s?|disponibles?|vigentes?|conectad[oa]s?|open|registered))?(?=\\s*(?:[.,;:!)]|$)|\\s+(?:de|del|en|para|que|con|ni|y|a la|al|of|in|for|to|and)\\b)';
interface Kind {
  nouns: string;
  more: string;
  looked: RegExp;
  whole: RegExp;
  empty(result: unknown, args: Record<string, unknown>): boolean;
}

/** Lists that are empty in every result: they count nothing. */
const NO_ROWS = new Set(['synonyms_used']);
/** A list without rows, a total or a figure of 0, wherever it stands. */
const nothing = (value: unknown, depth = 0): boolean => {
  if (depth > 3 || value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some((one) => nothing(one, depth + 1));
  return Object.entries(value).some(
    ([key, one]) =>
      (Array.isArray(one) && one.length === 0 ? !NO_ROWS.has(key) : (key === 'total' || key === 'value') && one === 0) ||
      nothing(one, depth + 1),
  );
};

const KINDS: readonly Kind[] = [
  {
    nouns: 'crm|pipeline|embudo',
    more: '',
    looked: /^collection_query$/,
    whole: /^collection_query$/,
    empty: (result, args) => args['op'] === 'list' && (result as { total?: unknown } | null)?.total === 0,
  },
  {
    nouns:
      'proveedor(?:es)?|empresas?|fabricantes?|registros?|contratos?|adjudicacion(?:es)?|licitacion(?:es)?|suppliers?|compan(?:y|ies)|contracts?|awards?|tenders?|records?',
    more: '|\\b(?:nadie|ningun[ao]? (?:proveedor|empresa)|nobody|no one|no (?:company|supplier))\\b[^.;:]{0,30}?\\b(?:vend\\w+|surt\\w+|gan[oa]\\w*|sold|suppl\\w+|won)\\b',
    looked: /^(?:market|company|people)_/,
    whole: /_(?:search|count)(?:_|$)/,
    empty: (result) => nothing(result),
  },
];
const PATTERNS = KINDS.map(({ nouns, more }) => ({
  isNot: new RegExp(`\\b${IS_NOT}\\s+${ONE}(?:${nouns})${WHOLE}${more}`, 'g'),
  notFound: new RegExp(`\\b${NOT_FOUND}\\s+${ONE}(?:${nouns})${WHOLE}`, 'g'),
}));

/** Failures that say that there is nothing to read; a call that broke or was refused says nothing of the kind. */
const NOTHING_THERE = /not_found|not_connected|no_collections|unsupported_/;
/** An empty result, or an earlier query that was empty. */
const shown = ({ looked, empty }: Kind, { worked, compiled }: Context): boolean =>
  worked.some((call) => looked.test(call.name) && (call.ok ? empty(call.result, call.args) : NOTHING_THERE.test(call.error ?? ''))) ||
  compiled.board.runs.some((run) => looked.test(run.tool) && run.total === 0);
/** Nobody looked, or only for the whole of what is denied, and there it was. */
const unseen = ({ looked, whole }: Kind, { worked }: Context): boolean =>
  worked.filter((call) => looked.test(call.name)).every((call) => whole.test(call.name));

export const ninguno: Rule = ({ narration }, context) => {
  const small = flat(narration.masked);
  return KINDS.flatMap((kind, i): Defect[] => {
    if (shown(kind, context)) return [];
    const { isNot, notFound } = PATTERNS[i] ?? { isNot: /$^/g, notFound: /$^/g };
    return [...small.matchAll(isNot), ...(unseen(kind, context) ? small.matchAll(notFound) : [])].map((match) =>
      defect('cifra', 'cifra.none', narration.raw.slice(match.index, match.index + match[0].length), match.index),
    );
  });
};
