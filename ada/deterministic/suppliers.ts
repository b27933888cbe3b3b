import { marketSearchSuppliers } from '../../contracts/tools/index.js';
import type { Supplier } from '../../contracts/tools/market.js';
import { plain } from '../understand/text.js';
import { tradeOf } from '../understand/trades.js';
import { ask, type Steps } from './follow.js';

/** As many as one page of suppliers holds. */
const PAGE = 50;
const wordsOf = (name: string): string[] =>
  plain(name.replace(/,?\s+S\.?\s?(?:A|de\s+R|C)\b.*$/iu, ''))
    .split(/[^a-z0-9ñ]+/)
    .filter((word) => word.length > 1 && !['de', 'del', 'la', 'los', 'las', 'el', 'y'].includes(word));

/**
 * Registered suppliers whose own name holds every word of a name, by amount. The register also finds by trade: "Bordados Quiroña" brings every
 * embroiderer, so it is asked by the word that is no trade and only namesakes are kept. `ref` is that of the search; null when it failed.
 */
export const suppliersNamed = function* (name: string): Steps<{ suppliers: Supplier[]; ref: string | null }> {
  const words = wordsOf(name);
  const rare = [...words].sort((a, b) => b.length - a.length).find((word) => word.length > 3 && tradeOf(word) === null) ?? words[0];
  if (rare === undefined) return { suppliers: [], ref: null };
  const got = yield* ask(marketSearchSuppliers, { text: rare, sort: 'amount', limit: PAGE });
  if (!got.ok) return { suppliers: [], ref: null };
  return {
    suppliers: got.value.suppliers.filter((one) => {
      const own = new Set(wordsOf(one.name));
      return words.every((word) => own.has(word));
    }),
    ref: got.value.ref,
  };
};
