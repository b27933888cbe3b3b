import { collectionQuery } from '../../contracts/tools/index.js';
import type { BoardRow } from '../../contracts/turn.js';
import { rowsMeant } from '../understand/amounts.js';
import { plain } from '../understand/text.js';
import type { Turn } from './answer.js';
import { tradeOf } from '../understand/trades.js';
import { ask, callOf, readAs, together, type Steps } from './follow.js';
import { recordOf, type CrmRecord } from './recipes/como-va-mi-pipeline.js';

/** The account that a message means: by its id, its row in sight, or its name. */
export interface Account {
  id: string | null;
  row: BoardRow | null;
  name: string | null;
  rfc: string | null;
  exact?: boolean;
}

const POINTS =
  /\b(?:es[ae]|est[ae]|el|la|ellos|ahi|ese cliente|esta cuenta|esa cuenta|esta empresa|esa empresa|este prospecto|con ellos|that one|this account|them)\b/;
const firstWords = (name: string): string =>
  plain(name.split(',')[0] ?? name)
    .replace(/[^a-z0-9ñ ]+/g, ' ')
    .trim();

/** As many as stand in sight when one account was looked at: itself and those like it. */
const ALIKE = 3;
export const accountMeant = (turn: Turn): Account | null => {
  const { reading, view } = turn;
  const { board } = view;
  const id = /\brec-\d{1,18}\b/.exec(reading.flat)?.[0] ?? null;
  if (id) return { id, row: null, name: null, rfc: null, exact: true };
  const rows = [...board.selection, ...board.list].filter(
    (row) => row.kind === 'record' || row.kind === 'company' || row.kind === 'supplier',
  );
  const flat = reading.flat.replace(/[^a-z0-9ñ ]+/g, ' ');
  const named = rows.find((row) => {
    const head = firstWords(row.name);
    return head.length > 4 && flat.includes(head);
  });
  if (named) return { id: named.kind === 'record' ? named.id : null, row: named, name: named.name, rfc: named.rfc ?? null, exact: true };
  const places = rowsMeant(reading.flat, rows.length);
  const byPlace = places?.length === 1 ? rows[places[0] ?? 0] : undefined;
  if (byPlace)
    return { id: byPlace.kind === 'record' ? byPlace.id : null, row: byPlace, name: byPlace.name, rfc: byPlace.rfc ?? null, exact: true };
  if (reading.cuenta)
    return { id: null, row: null, name: reading.cuenta, rfc: reading.rfcs[0] ?? null, exact: /["«“]/.test(reading.given) };
  if (reading.rfcs[0]) return { id: null, row: null, name: null, rfc: reading.rfcs[0], exact: true };
  const known = reading.selected ? null : view.facts.cuenta.value;
  if (reading.comprador && !known && /^\p{Lu}/u.test(reading.comprador)) return { id: null, row: null, name: reading.comprador, rfc: null };
  // One that is pointed at: the only one chosen, or the one that the last answer was about.
  const chosen = board.selection.filter((row) => rows.includes(row));
  const [only] =
    chosen.length > 0
      ? chosen.length === 1
        ? chosen
        : []
      : POINTS.test(reading.flat) && !known
        ? rows.slice(0, rows.length > ALIKE ? 0 : 1)
        : [];
  if (only) return { id: only.kind === 'record' ? only.id : null, row: only, name: only.name, rfc: only.rfc ?? null, exact: true };
  return known ? { id: null, row: null, name: known, rfc: null } : null;
};

export interface Found {
  records: CrmRecord[];
  ref: string | null;
  collection: string | null;
  failed: boolean;
}
const HOLLOW = new Set([
  'grupo',
  'empresa',
  'comercial',
  'comercializadora',
  'servicios',
  'industrias',
  'cuenta',
  'corporativo',
  'nacional',
  'mexico',
]);
const bare = (name: string): string =>
  name
    .replace(/,?\s+S\.?\s?(?:A|de\s+R|C)\b.*$/iu, '')
    .replace(/[%_\\]/g, ' ')
    .trim();

/** Looks an account up by its name, one change at a time: the name, its rarest word, the RFC; in every collection. */
export const findRecords = function* (account: Account, collections: readonly string[] = ['pipeline', 'prospectos']): Steps<Found> {
  if (account.id) {
    const got = yield* ask(collectionQuery, { op: 'get', record_id: account.id });
    if (got.ok) {
      const records = got.value.rows.flatMap((row) => recordOf(row) ?? []);
      if (records.length > 0) return { records, ref: got.value.ref, collection: null, failed: false };
    }
  }
  const name = account.name ? bare(account.name) : '';
  const words = name.split(/\s+/).filter((word) => word.length > 3 && !HOLLOW.has(plain(word)));
  const rare = words.find((word) => tradeOf(word) === null) ?? words[0];
  const texts = [...new Set([name, rare ?? '', account.rfc ?? ''])].filter((text) => text !== '');
  let ref: string | null = null;
  let failed = texts.length > 0;
  for (const text of texts) {
    // Every collection at once; one that is not there says nothing of the account.
    const outcomes = yield* together(
      collections.map((collection) =>
        callOf(collectionQuery, { op: 'query', collection, text: [...text].slice(0, 120).join(''), limit: 5 }),
      ),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const got = readAs(collectionQuery, outcome);
      if (!got.ok) {
        failed &&= got.code !== 'collection_not_found';
        continue;
      }
      failed = false;
      ref ??= got.value.ref;
      const records = got.value.rows.flatMap((row) => recordOf(row) ?? []);
      if (records.length > 0) return { records, ref: got.value.ref, collection: collections[i] ?? null, failed: false };
    }
  }
  return { records: [], ref, collection: null, failed };
};
