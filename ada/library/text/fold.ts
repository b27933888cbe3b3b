/** Small letters without accents; `ñ` stays a letter of its own, since año is not ano. */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/n\u0303/g, 'ñ')
    .replace(/\p{M}+/gu, '');
