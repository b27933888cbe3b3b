import { flat } from '../anchors.js';
import { defect, done, type Context, type Defect, type Rule } from './rule.js';

/** Who only came up by trade or name is a candidate: that somebody sells to a buyer is said of those whose contracts were seen. */

const SELLS =
  /\bles? (?:han? |estan? |andan? )?(?:vend\w+|surt\w+|provee\w*)|\b(?:ganaron|gano|se llev\w+)\b|\bproveedor(?:es)? actual(?:es)?\b|\b(?:sells?|sold|suppl(?:y|ies|ied)) (?:to|it|them)\b|\bincumb\w+/;
const CANDIDATE =
  /candidat|podri|posib|potencial|\bno (?:como|son|es|le|aparec)|\bnadie\b|\bcould\b|\bmight\b|\bmay\b|potential|\bnot\b|\bnobody\b/;

type Row = Record<string, unknown>;
const listIn = (result: unknown, key: string): Row[] => {
  const list = (result as Row | null)?.[key];
  return Array.isArray(list) ? list.filter((one): one is Row => one !== null && typeof one === 'object') : [];
};
const text = (value: unknown): string => (typeof value === 'string' ? flat(value) : '');

/** Anchors of rows that were found by trade or name alone, in a turn that looked at contracts. */
const candidatesOf = (context: Context): Set<string> => {
  const contracts = done(context, /^market_(?:search_awards|aggregate_awards|get_supplier_history)$/);
  if (contracts.length === 0) return new Set();
  const sold = new Set(
    contracts.flatMap(({ result }) => [
      ...listIn(result, 'awards').flatMap((one) => [text(one['supplier_id']), text(one['supplier_name'])]),
      ...listIn(result, 'groups').map((one) => text(one['group'])),
      text(((result as Row | null)?.['supplier'] as Row | undefined)?.['supplier_id']),
    ]),
  );
  return new Set(
    done(context, /^(?:market_search_suppliers|company_search)$/)
      .flatMap(({ result }) => [...listIn(result, 'suppliers'), ...listIn(result, 'companies')])
      .filter(
        (row) => typeof row['ref'] === 'string' && !sold.has(text(row['supplier_id'] ?? row['company_id'])) && !sold.has(text(row['name'])),
      )
      .map((row) => row['ref'] as string),
  );
};

export const vendedores: Rule = ({ narration }, context) => {
  const candidates = candidatesOf(context);
  if (candidates.size === 0) return [];
  return narration.sentences.flatMap((sentence): Defect[] => {
    const small = flat(narration.masked.slice(sentence.at, sentence.end));
    const claims = sentence.anchors.some((anchor) => candidates.has(anchor.ref)) && SELLS.test(small) && !CANDIDATE.test(small);
    return claims ? [defect('solo_resultados', 'solo_resultados.seller', sentence.text, sentence.at)] : [];
  });
};
