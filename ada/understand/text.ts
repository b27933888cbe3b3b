/** Small letters without accents, every letter in its place: what is found in it is cut out of the text as it was written. */
export const same = (text: string): string =>
  [...text]
    .map(
      (c) =>
        (c
          .normalize('NFD')
          .replace(/[\u0300-\u036f]/g, '')
          .toLowerCase() || c)[0] ?? c,
    )
    .join('');
export const plain = (text: string): string => same(text.normalize('NFC')).replace(/\s+/g, ' ').trim();

/** Longest message that is read; beyond it nothing is asked for that was not asked before. */
const LONGEST = 1_200;
/** One line, composed letters, single blanks, nothing that hides or breaks a line. */
export const tidy = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, LONGEST)
    .join('')
    .replace(/[\u{10000}-\u{10ffff}]/gu, '·');

/** The first group that a pattern finds in the plain text, as it was written. */
export const written = (given: string, flat: string, pattern: RegExp): { value: string; from: number; to: number } | null => {
  const found = new RegExp(pattern.source, pattern.flags.includes('d') ? pattern.flags : `${pattern.flags}d`).exec(flat);
  const place = found?.indices?.slice(1).find((range): range is [number, number] => range !== undefined);
  if (!place) return null;
  const value = given.slice(place[0], place[1]).trim();
  return value === '' ? null : { value, from: place[0], to: place[1] };
};

/** A crude stem by which number and gender meet: fábricas → fabric, químico → quimic. */
export const stem = (word: string): string => {
  const flat = plain(word);
  if (flat.length <= 4) return flat.length === 4 && flat.endsWith('s') ? flat.slice(0, -1) : flat;
  const one = flat.endsWith('ciones')
    ? `${flat.slice(0, -6)}cion`
    : flat.endsWith('ces')
      ? `${flat.slice(0, -3)}z`
      : flat.replace(/es$|s$/, '');
  return one.length > 4 ? one.replace(/[aeo]$/, '') : one;
};
export const stems = (text: string): string[] =>
  plain(text)
    .split(/[^a-z0-9ñ]+/)
    .filter((word) => word.length > 1)
    .map(stem);

const ENGLISH =
  /\b(?:the|how|who|what|which|show|find|give|me|companies|suppliers|has|have|are|there|my|with|send|save|write|please|start|campaign)\b/g;
const SPANISH = /\b(?:el|la|los|las|que|de|en|quien|cuantos|cuantas|como|para|mis?|dame|busca|hay|con|por)\b/g;
/** A text in small letters without accents has more English small words than Spanish ones. */
export const isEnglish = (flat: string): boolean => (flat.match(ENGLISH)?.length ?? 0) > (flat.match(SPANISH)?.length ?? 0);
