/** Small letters without accents; `ñ` stays a letter of its own, since año is not ano. */
export const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/ñ/g, '\u0001').normalize('NFD').replace(/\p{M}+/gu, '').replace(/\u0001/g, 'ñ');
