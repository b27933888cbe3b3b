import { plain } from './text.js';
import { tradeOf } from './trades.js';

/** Marks and words between the parts of a list. */
const BETWEEN = /\s*[,;/]\s*(?:(?:y|e|o|u|and|or)\s+)?|\s+(?:y|e|o|u|and|or|&)\s+/i;
const LEADING = /^(?:(?:y|e|o|u|and|or|de|del|en|con|contra|el|la|los|las|lo|the|of|in)\s+)+/i;

/** Parts of "A, B y C", as they were written. */
export const partsOf = (phrase: string): string[] =>
  phrase
    .split(BETWEEN)
    .map((part) => part.replace(LEADING, '').trim())
    .filter((part) => part !== '');

/**
 * Trades of a phrase that names several; empty when it is one. Only where every part is a trade of its own: "gasas y jeringas" and "alimentos y
 * bebidas" are one trade, "limpieza y seguridad privada" are two.
 */
export const tradesOf = (phrase: string): string[] => {
  const parts = partsOf(phrase);
  if (parts.length < 2 || parts.some((part) => tradeOf(part) === null)) return [];
  const trades = new Map(parts.map((part) => [tradeOf(part), part]).reverse() as Array<[string, string]>);
  const kept = new Set(trades.values());
  return trades.size < 2 ? [] : parts.filter((part) => kept.has(part));
};

/** Each once, however it was written. */
export const once = (parts: readonly string[]): string[] =>
  parts.filter((part, i) => parts.findIndex((other) => plain(other) === plain(part)) === i);
