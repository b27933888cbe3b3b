import { hasText, text, type Language } from '../contracts/catalog/index.js';
import type { Worked } from './turn-view.js';

/** What a call brought, in a few words for people: counts with their noun, never ids, fields or JSON. Empty where there is nothing to count. */

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const int = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null);
const figure = (value: unknown): number | null => int(record(value)['value']);

interface Counted {
  noun: string;
  total: number | null;
  shown?: number | null;
}
const page =
  (noun: string) =>
  (result: Record<string, unknown>): Counted => ({ noun, total: int(result['total']), shown: int(result['shown']) });
const one = (noun: string) => (): Counted => ({ noun, total: 1 });

const COUNTS: Readonly<Record<string, (result: Record<string, unknown>, args: Record<string, unknown>) => Counted>> = {
  company_search: page('company'),
  market_search_suppliers: page('supplier'),
  market_search_awards: page('award'),
  market_get_supplier_history: page('award'),
  market_search_opportunities: page('tender'),
  market_get_opportunity: one('tender'),
  market_screen: page('rfc'),
  market_compare: page('segment'),
  market_count_suppliers: (result) => ({ noun: 'supplier', total: figure(result['count']) }),
  market_aggregate_awards: (result) => ({ noun: 'award', total: figure(record(result['overall'])['awards']) }),
  people_search: page('person'),
  people_quote: page('price'),
  people_acquired: page('contact'),
  context_retrieve: page('topic'),
  context_get: one('topic'),
  collection_query: (result, { op }) => page(op === 'list' ? 'collection' : op === 'aggregate' ? 'group' : 'record')(result),
  sequence_check: (result) => ({ noun: 'draft', total: Array.isArray(result['drafts']) ? result['drafts'].length : 0 }),
};

const counted = ({ noun, total, shown = null }: Counted, language: Language): string => {
  const n = total ?? shown;
  if (n === null) return '';
  const params = { n, shown: shown ?? n, noun: text(language, `ada.noun.${noun}`, { n }) };
  return text(language, total !== null && shown !== null && shown < total && shown > 0 ? 'ada.summary.some' : 'ada.summary.all', params);
};

/** Of a campaign: a card that waits, else how far it is. */
const campaign = (result: Record<string, unknown>, language: Language): string => {
  if (Array.isArray(result['runs'])) return counted({ noun: 'campaign', total: result['runs'].length }, language);
  const state = typeof result['state'] === 'string' ? `run.state.${result['state']}` : '';
  const { done, total } = record(result['counts']);
  return [
    Array.isArray(result['decisions']) && result['decisions'].some((one) => record(one)['state'] === 'open')
      ? text(language, 'ada.summary.card')
      : hasText(state)
        ? text(language, state)
        : '',
    typeof done === 'number' && typeof total === 'number' && done > 0 ? text(language, 'step.count.s3', { done, total }) : '',
  ]
    .filter(Boolean)
    .join(' · ');
};
const CAMPAIGN = new Set(['campana_start', 'campana_status', 'campana_control', 'proponer_decision']);

/** What went wrong, by what a person can make of it. */
const FAULTS: ReadonlyArray<[RegExp, string]> = [
  [/^solo_con_toque$/, 'tap'],
  [/^(?:fuera_de_cinturon|no_cabe|skill_.*|one_campaign_a_turn|reference_.*)$/, 'not_now'],
  [/rate_limited|server_error|timeout|unreachable|unavailable|tool_failed|bad_reply/, 'no_answer'],
  [/not_found|missing|empty|no_open_run|unknown/, 'not_there'],
  [/^(?:which_run|control_not_named|arguments_invalid|invalid_input|malformed_cursor|query_not_selective)$/, 'unclear'],
  [/insufficient|quota|balance|cap_/, 'balance'],
];

export const summaryOf = (
  { name, args, ok, result, error }: Worked,
  language: Language,
  labelOfSkill: (name: string) => string,
): string => {
  if (!ok) return text(language, `ada.summary.fault.${FAULTS.find(([pattern]) => pattern.test(error ?? ''))?.[1] ?? 'other'}`);
  const found = record(result);
  if (name === 'skill_open') return typeof found['name'] === 'string' ? labelOfSkill(found['name']) : '';
  if (name === 'usage') {
    const { credits, queries } = record(found['balances']);
    return typeof credits === 'number' && typeof queries === 'number' ? text(language, 'ada.summary.balances', { credits, queries }) : '';
  }
  if (CAMPAIGN.has(name)) return campaign(found, language);
  const count = Object.hasOwn(COUNTS, name) ? COUNTS[name] : undefined;
  return count ? counted(count(found, args), language) : '';
};
