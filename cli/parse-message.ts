/** What was read in a sentence and what was assumed because it did not say; each part named by its field. */
export interface Parsed {
  cuentas: number;
  cargo: string;
  giro: string | null;
  estado: string | null;
  tamano: 'micro' | 'pequena' | 'mediana' | 'grande' | null;
  understood: Field[];
  assumed: Field[];
}
export type Field = 'cuentas' | 'cargo' | 'giro' | 'estado' | 'tamano';

const USUAL = { cuentas: 50, cargo: 'compras' };
const MOST = 5000;

const NUMBERS: Record<string, number> = {
  un: 1,
  una: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  doce: 12,
  quince: 15,
  veinte: 20,
  veinticinco: 25,
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
  sesenta: 60,
  setenta: 70,
  ochenta: 80,
  noventa: 90,
  cien: 100,
  ciento: 100,
  doscientos: 200,
  doscientas: 200,
  trescientos: 300,
  trescientas: 300,
  quinientos: 500,
  quinientas: 500,
  mil: 1000,
};
/** The states with the other names they go by. "México" alone is the country. */
const STATES: ReadonlyArray<readonly [string, ...string[]]> = [
  ['Aguascalientes', 'ags'],
  ['Baja California Sur', 'bcs'],
  ['Baja California', 'bc'],
  ['Campeche'],
  ['Chiapas'],
  ['Chihuahua'],
  ['Ciudad de México', 'cdmx', 'distrito federal', 'df'],
  ['Coahuila'],
  ['Colima'],
  ['Durango'],
  ['Estado de México', 'edomex', 'edo de mexico', 'edo mex'],
  ['Guanajuato', 'gto'],
  ['Guerrero'],
  ['Hidalgo'],
  ['Jalisco', 'jal'],
  ['Michoacán'],
  ['Morelos'],
  ['Nayarit'],
  ['Nuevo León', 'nl'],
  ['Oaxaca'],
  ['Puebla'],
  ['Querétaro', 'qro'],
  ['Quintana Roo', 'qroo'],
  ['San Luis Potosí', 'slp'],
  ['Sinaloa'],
  ['Sonora'],
  ['Tabasco'],
  ['Tamaulipas'],
  ['Tlaxcala'],
  ['Veracruz'],
  ['Yucatán'],
  ['Zacatecas'],
];
/** What people are called by what they do, where the sentence names them instead of their area. */
const PEOPLE: Record<string, string> = {
  compradores: 'compras',
  compradoras: 'compras',
  directores: 'dirección',
  directoras: 'dirección',
  duenos: 'dirección general',
  duenas: 'dirección general',
  vendedores: 'ventas',
  reclutadores: 'recursos humanos',
};
const SIZES: Record<string, NonNullable<Parsed['tamano']>> = {
  micro: 'micro',
  microempresas: 'micro',
  pequenas: 'pequena',
  pequena: 'pequena',
  medianas: 'mediana',
  mediana: 'mediana',
  grandes: 'grande',
  grande: 'grande',
};
const COMPANY =
  '(?:empresas?|companias?|negocios?|fabricas?|fabricantes?|plantas?|industrias?|proveedores?|tiendas?|despachos?|microempresas?)';
const PERSON = '(?:personas?|contactos?|gente|responsables?|encargad[oa]s?|jef[ea]s?|gerentes?|director[ea]s?|lideres)';
/** Where a name of a role or an activity ends. */
const STOP = `(?=\\s+(?:de|en|del|por|para|que|con)\\s+(?:las?\\s+|los\\s+)?(?:\\w+\\s+)?${COMPANY}\\b|\\s+(?:en|por|para|que|con|dentro)\\s|\\s*[.,;:!?]|\\s*$)`;

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
/** Everything but the letters' accents keeps its place, so what is found in the plain text is cut out of the given one. */
const same = (text: string): string => [...text.normalize('NFC')].map((c) => plain(c)[0] ?? c).join('');

const findState = (text: string): { name: string; from: number; to: number } | null => {
  const names = STATES.flatMap(([name, ...others]) => [name, ...others].map((n) => ({ name, said: plain(n) }))).sort(
    (a, b) => b.said.length - a.said.length,
  );
  for (const { name, said } of names) {
    const match = new RegExp(`\\s(?:(?:en|de|del)\\s+)?(?:el\\s+estado\\s+de\\s+)?${said.replaceAll(' ', '\\s+')}(?=[\\s.,;:!?]|$)`).exec(
      text,
    );
    if (match) return { name, from: match.index, to: match.index + match[0].length };
  }
  return null;
};

const findNumber = (text: string): number | null => {
  const digits = /(?<![\w.])(\d{1,3}(?:[, ]\d{3})+|\d+)(?!\w)/.exec(text);
  if (digits?.[1]) return Number(digits[1].replace(/[, ]/g, ''));
  const words = new RegExp(`\\b(?:(\\w+)\\s+)?(${Object.keys(NUMBERS).join('|')})\\b`).exec(text);
  if (!words?.[2]) return null;
  const times = words[2] === 'mil' && words[1] ? (NUMBERS[words[1]] ?? 1) : 1;
  return times * (NUMBERS[words[2]] ?? 1);
};

/**
 * Reads "quiero llegar a 50 personas de compras de empresas de empaque en Jalisco" by fixed rules. Stands in for Ada where no
 * model is configured; it understands one shape of sentence and says what it had to assume.
 */
export const parseMessage = (message: string): Parsed => {
  const given = message.normalize('NFC').replace(/\s+/g, ' ').trim();
  const found = findState(` ${same(given)}`);
  // The state leaves the sentence: what remains is who and what.
  const cut = found
    ? `${given.slice(0, Math.max(0, found.from - 1))} ${given.slice(Math.max(0, found.to - 1))}`.replace(/\s+/g, ' ').trim()
    : given;
  const text = same(cut);
  /** What a pattern with one group found, as it was written. */
  const written = (pattern: string): string | null => {
    const [from, to] = new RegExp(pattern, 'd').exec(text)?.indices?.[1] ?? [0, 0];
    return cut.slice(from, to).trim() || null;
  };

  const named = Object.keys(PEOPLE).find((word) => new RegExp(`\\b${word}\\b`).test(text));
  const role = written(
    `\\b${PERSON}\\s+(?:del?\\s+(?:area\\s+de\\s+|departamento\\s+de\\s+)?(?:la\\s+|los\\s+|las\\s+)?)(?!${COMPANY}\\b)(.+?)${STOP}`,
  );
  const size = Object.keys(SIZES).find(
    (word) =>
      new RegExp(`\\b${COMPANY}\\s+(?:muy\\s+)?${word}\\b|\\b${word}\\s+${COMPANY}\\b|^${word}$`).test(text) ||
      (word === 'microempresas' && text.includes(word)),
  );
  const activity = written(
    `\\b${COMPANY}\\s+(?:${Object.keys(SIZES).join('|')})?\\s*(?:del?\\s+(?:giro\\s+(?:de\\s+)?|sector\\s+(?:de\\s+)?|ramo\\s+(?:de\\s+)?)?|que\\s+(?:hacen|fabrican|venden|producen)\\s+)(?:la\\s+|los\\s+|las\\s+)?(.+?)${STOP}`,
  );
  const number = findNumber(text);

  const fields = {
    cuentas: number && number <= MOST ? number : null,
    cargo: role ?? (named ? (PEOPLE[named] ?? null) : null),
    giro: activity,
    estado: found?.name ?? null,
    tamano: size ? (SIZES[size] ?? null) : null,
  };
  const all: Field[] = ['cuentas', 'cargo', 'giro', 'estado', 'tamano'];
  return {
    cuentas: fields.cuentas ?? USUAL.cuentas,
    cargo: fields.cargo ?? USUAL.cargo,
    giro: fields.giro,
    estado: fields.estado,
    tamano: fields.tamano,
    understood: all.filter((f) => fields[f] !== null),
    assumed: all.filter((f) => fields[f] === null && f in USUAL),
  };
};
