/** Words that say nothing about an activity, a role or a product. */
const EMPTY_WORDS = new Set(
  (
    'a al con de del el en la las lo los o para por que se sin sobre su sus un una unas uno unos y e u ' +
    'empresa empresas compania companias fabricante fabricantes fabrica fabricas proveedor proveedores giro sector industria industrias industrial ' +
    'area departamento encargado encargada responsable persona personas contacto contactos servicio servicios producto productos the of and'
  ).split(' '),
);

/** Lower case, no accents, only letters and digits with single blanks between. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/**
 * A crude Spanish stem that makes number and gender meet: empaques → empaqu, empaque → empaqu, compradora → comprador.
 * Short words stay as they are, so that "luz" and "luces" do not matter but "gas" never becomes "g".
 */
export const stem = (word: string): string => {
  if (word.length <= 4) return word.length === 4 && word.endsWith('s') ? word.slice(0, -1) : word;
  let w = word;
  if (w.endsWith('ciones')) return `${w.slice(0, -6)}cion`;
  if (w.endsWith('ces')) w = `${w.slice(0, -3)}z`;
  else if (w.endsWith('es')) w = w.slice(0, -2);
  else if (w.endsWith('s')) w = w.slice(0, -1);
  return w.length > 4 && /[aeo]$/.test(w) ? w.slice(0, -1) : w;
};

/** The stems of a text without the words that say nothing. */
export const stems = (text: string): string[] =>
  fold(text)
    .split(' ')
    .filter((w) => w !== '' && !EMPTY_WORDS.has(w))
    .map(stem);

/** A set of stems made once from a list of words. */
export const stemSet = (words: string): Set<string> =>
  new Set(
    fold(words)
      .split(' ')
      .filter((w) => w !== '')
      .map(stem),
  );
