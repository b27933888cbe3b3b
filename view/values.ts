import type { BoardRow } from '../contracts/turn.js';
import { clean, type Words } from './words.js';

/** What the parts of a row's detail are, by what the row is; the API sends them joined in this order. */
export const COLUMNS: Record<BoardRow['kind'], readonly string[]> = {
  company: ['activity', 'state', 'size'],
  supplier: ['activity', 'state', 'size'],
  award: ['buyer', 'product', 'date'],
  opportunity: ['buyer', 'state', 'closes'],
  record: ['stage', 'state', 'owner'],
  person: ['area', 'seniority'],
  contact: ['role'],
  topic: ['summary'],
};

/** Fields that hold a word of a vocabulary, with the vocabulary it is of. What other fields hold is somebody's own text, which is left as it is. */
const VOCABULARY: Readonly<Record<string, string>> = {
  size: 'size',
  tamano: 'size',
  supplier_size: 'size',
  stage: 'stage',
  area: 'area',
  seniority: 'seniority',
  status: 'status',
  participation: 'participation',
  verdict: 'verdict',
  collection: 'collection',
};
/** Vocabularies of a row whose parts are not those of its columns: one is missing, or it was screened. */
const OTHERWISE: Partial<Record<BoardRow['kind'], readonly string[]>> = {
  company: ['size'],
  supplier: ['size', 'verdict'],
  record: ['stage'],
  person: ['area', 'seniority'],
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const known = (fields: readonly string[], value: string, words: Words): string | null => {
  if (!/^[a-z_]{2,40}$/i.test(value)) return null;
  for (const field of fields) {
    const code = Object.hasOwn(VOCABULARY, field) ? `view.value.${VOCABULARY[field] ?? ''}.${value.toLowerCase()}` : '';
    if (words.has(code)) return words.say(code);
  }
  return null;
};
const said = (fields: readonly string[], value: string, words: Words): string => {
  if (MOMENT.test(value)) return words.moment(value);
  if (DAY.test(value))
    return new Intl.DateTimeFormat(words.language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(value),
    );
  return known(fields, value, words) ?? clean(value);
};

/** What a field holds as people write it: words of a vocabulary by their name, days and moments in words, the rest as it came. */
export const sayField = (field: string, value: string, words: Words): string => said([field], value, words);

/** The same for a filter, which may hold several values. */
export const sayFilter = (field: string, value: string, words: Words): string => {
  const each = value.split(', ').map((one) => known([field], one, words));
  return each.some((one) => one === null) ? sayField(field, value, words) : each.join(', ');
};

/** The parts of a row's detail as people write them; `fits` when each of them is one of the columns. */
export const detailOf = ({ kind, detail }: Pick<BoardRow, 'kind' | 'detail'>, words: Words): { parts: string[]; fits: boolean } => {
  const parts = (detail ?? '')
    .split(' · ')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const columns = COLUMNS[kind];
  const fits = parts.length === columns.length;
  return { parts: parts.map((one, i) => said(fits ? [columns[i] ?? ''] : (OTHERWISE[kind] ?? []), one, words)), fits };
};
