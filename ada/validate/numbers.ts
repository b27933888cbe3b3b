import type { Language } from '../../contracts/catalog/index.js';
import { flat } from '../anchors.js';

/** Figures, amounts and dates as people write them, in es-MX and in English. */

export interface Reading {
  value: number;
  /** Size of the last digit shown: 0.1 M is 100,000. */ step: number;
}
export interface DateParts {
  y?: number;
  m?: number;
  d?: number;
}
export interface Literal {
  text: string;
  at: number;
  end: number;
  kind: 'number' | 'money' | 'percent' | 'date' | 'time' | 'year' | 'vague';
  /** What the digits may mean; more than one where a mark is ambiguous (1.234). */
  readings: Reading[];
  currency: 'mxn' | 'usd' | null;
  date?: DateParts;
  minutes?: number;
}

const MONTHS =
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|january|february|march|april|may|june|july|august|september|october|november|december|ene|feb|mar|abr|jun|jul|ago|sept|sep|set|oct|nov|dic|jan|apr|aug|dec';
const MONTH_OF: Record<string, number> = {
  ene: 1,
  jan: 1,
  feb: 2,
  mar: 3,
  abr: 4,
  apr: 4,
  may: 5,
  jun: 6,
  jul: 7,
  ago: 8,
  aug: 8,
  sep: 9,
  set: 9,
  oct: 10,
  nov: 11,
  dic: 12,
  dec: 12,
};
const monthOf = (word: string): number => MONTH_OF[word.slice(0, 3)] ?? 0;

const B = '(?<![\\p{L}\\p{N}_])';
const E = '(?![\\p{L}\\p{N}_])';
const DAY = '(\\d{1,2})(?:st|nd|rd|th|º|°)?';
type Make = (m: RegExpMatchArray) => DateParts | null;
const two = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year));
const DATES: ReadonlyArray<[RegExp, Make]> = [
  [
    new RegExp(`${B}(\\d{4})-(\\d{2})-(\\d{2})(?:t\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?z?)?${E}`, 'gu'),
    (m) => ({ y: Number(m[1]), m: Number(m[2]), d: Number(m[3]) }),
  ],
  [new RegExp(`${B}(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d{2})${E}`, 'gu'), (m) => ({ y: two(m[3] ?? ''), m: Number(m[2]), d: Number(m[1]) })],
  [
    new RegExp(`${B}(\\d{1,2})[/-](${MONTHS})\\.?[/-](\\d{4}|\\d{2})${E}`, 'gu'),
    (m) => ({ y: two(m[3] ?? ''), m: monthOf(m[2] ?? ''), d: Number(m[1]) }),
  ],
  // «del 3 al 15 de junio de 2026»: the first day takes the month of the second.
  [
    new RegExp(`${B}${DAY}(?=\\s*(?:y|al|a|and|to|-|–)\\s+(?:el\\s+)?\\d{1,2}\\s+(?:de\\s+)?(${MONTHS})${E})`, 'gu'),
    (m) => ({ d: Number(m[1]), m: monthOf(m[2] ?? '') }),
  ],
  [
    new RegExp(`${B}${DAY}\\s+(?:de\\s+|of\\s+)?(${MONTHS})\\.?(?:,?\\s+(?:de\\s+|del\\s+)?(\\d{4}))?${E}`, 'gu'),
    (m) => ({ d: Number(m[1]), m: monthOf(m[2] ?? ''), ...(m[3] ? { y: Number(m[3]) } : {}) }),
  ],
  [new RegExp(`${B}(${MONTHS})\\.?\\s+(?:de\\s+|del\\s+|of\\s+)?(\\d{4})${E}`, 'gu'), (m) => ({ m: monthOf(m[1] ?? ''), y: Number(m[2]) })],
  [
    new RegExp(`${B}(${MONTHS})\\.?\\s+${DAY}(?:,?\\s+(\\d{4}))?${E}(?!\\s*(?:de\\s|,\\d|\\.\\d))`, 'gu'),
    (m) => ({ m: monthOf(m[1] ?? ''), d: Number(m[2]), ...(m[3] ? { y: Number(m[3]) } : {}) }),
  ],
];
const TIME = new RegExp(
  `${B}(?:(\\d{1,2}):(\\d{2})(?:\\s*([ap])\\.?\\s?m\\.?)?|(\\d{1,2})\\s*([ap])\\.?\\s?m\\.?)${E}(?:\\s*(?:hrs?|horas)${E})?`,
  'gu',
);
const MULTIPLIERS: ReadonlyArray<[RegExp, number]> = [
  [/^\s?(?:mil millones|mmdp|billions?|bn)(?![\p{L}\p{N}])/iu, 1e9],
  [/^\s?(?:billones|trillions?)(?![\p{L}\p{N}])/iu, 1e12],
  [/^\s?(?:millones|mill[oó]n|millions?|mill\.|mdp|mdd|mn)(?![\p{L}\p{N}])/iu, 1e6],
  [/^\s?(?:MM|M)(?![\p{L}\p{N}])/u, 1e6],
  [/^\s?(?:mil|miles|thousand|k)(?![\p{L}\p{N}])/iu, 1e3],
];
const NUMBER =
  /(?<![\p{L}\p{N}_])(?<!\d[.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d+(?:[.,]\d+)?)(?!\d)/gu;
const PERCENT = /^\s?(?:%|por ciento|per ?cent|puntos porcentuales|pp(?![\p{L}\p{N}]))/iu;
const PREFIX = /(US\$|USD|MX\$|MXN|\$)\s?$/iu;
const SUFFIX = /^\s?(?:de\s)?(MXN|M\.N\.|pesos|USD|d[oó]lares|dollars|US dollars)(?![\p{L}\p{N}])/iu;

const decimalsOf = (digits: string): number => /\.(\d+)$/.exec(digits)?.[1]?.length ?? 0;
/** What a run of digits with marks may mean. */
export const readingsOf = (raw: string): Reading[] => {
  const text = raw.replace(/[ \u00a0\u202f]/g, '');
  const plain = (digits: string): Reading => ({ value: Number(digits), step: 10 ** -decimalsOf(digits) });
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(text)) return [plain(text.replace(/\./g, '').replace(',', '.'))];
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return [plain(text.replace(/,/g, ''))];
  if (/^\d{1,3}\.\d{3}$/.test(text)) return [plain(text), plain(text.replace('.', ''))];
  return [plain(text.replace(',', '.'))];
};

const ES: Record<string, number> = {
  once: 11,
  doce: 12,
  trece: 13,
  catorce: 14,
  quince: 15,
  dieciseis: 16,
  diecisiete: 17,
  dieciocho: 18,
  diecinueve: 19,
  veinte: 20,
  veintiun: 21,
  veintiuno: 21,
  veintiuna: 21,
  veintidos: 22,
  veintitres: 23,
  veinticuatro: 24,
  veinticinco: 25,
  veintiseis: 26,
  veintisiete: 27,
  veintiocho: 28,
  veintinueve: 29,
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
  cuatrocientos: 400,
  cuatrocientas: 400,
  quinientos: 500,
  quinientas: 500,
  seiscientos: 600,
  seiscientas: 600,
  setecientos: 700,
  setecientas: 700,
  ochocientos: 800,
  ochocientas: 800,
  novecientos: 900,
  novecientas: 900,
};
const ES_SMALL: Record<string, number> = {
  un: 1,
  uno: 1,
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
};
const EN: Record<string, number> = {
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
};
const EN_SMALL: Record<string, number> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 };
const SCALES: Record<string, number> = { mil: 1e3, thousand: 1e3, millon: 1e6, millones: 1e6, million: 1e6, millions: 1e6 };

/** Numbers in words, eleven and more; smaller ones are everyday words. */
const inWords = (text: string, language: Language): Literal[] => {
  const found: Literal[] = [];
  const values = language === 'en' ? { ...EN, ...EN_SMALL } : { ...ES, ...ES_SMALL };
  let run: { at: number; end: number; total: number; part: number; scaled: boolean } | null = null;
  let joined = 0;
  const close = (): void => {
    if (run) {
      const value = run.total + run.part;
      if (value > 10)
        found.push({
          text: text.slice(run.at, run.end),
          at: run.at,
          end: run.end,
          kind: 'number',
          readings: [{ value, step: run.scaled && run.part === 0 ? 1 : 1 }],
          currency: null,
        });
    }
    run = null;
  };
  for (const match of text.matchAll(/\p{L}+/gu)) {
    const word = match[0];
    const between = run ? text.slice(joined, match.index) : '';
    if (run && !/^(?:\s+|-)$/.test(between)) close();
    const value = Object.hasOwn(values, word) ? values[word] : undefined;
    const scale = Object.hasOwn(SCALES, word) ? SCALES[word] : undefined;
    if (value !== undefined) {
      run ??= { at: match.index, end: 0, total: 0, part: 0, scaled: false };
      run.part = word === 'hundred' && run.part > 0 ? run.part * 100 : run.part + value;
      run.end = match.index + word.length;
    } else if (scale !== undefined && (run || word === 'mil')) {
      run ??= { at: match.index, end: 0, total: 0, part: 0, scaled: true };
      run.total = (run.total + Math.max(run.part, 1)) * (scale === 1e6 ? 1e6 : 1e3);
      run.part = 0;
      run.scaled = true;
      run.end = match.index + word.length;
    } else if (run && (word === 'y' || word === 'and')) {
      joined = match.index + word.length;
      continue;
    } else close();
    joined = match.index + word.length;
  }
  close();
  return found;
};

const VAGUE = new RegExp(`${B}(?:cientos|miles|decenas|docenas|millones|hundreds|thousands|dozens|millions)\\s+(?:de|of)${E}`, 'gu');
/** Not figures although they have digits. */
const SET_PHRASES = /(?<![\p{L}\p{N}])(?:24\/7|mil gracias|cien por ciento)(?![\p{L}\p{N}])/gu;
const ORDINAL = /^(?:\.?[ºª°]|er|ra|ro|da|do|ta|to|va|vo|ma|mo|st|nd|rd|th)(?![\p{L}\p{N}])/iu;
const YEAR = /^(?:19|20)\d{2}$/;
const YEAR_BEFORE =
  /(?:^|[\s(«"/–-])(?:en|de|del|desde|hasta|a[nñ]os?|entre|a|y|e|al|durante|in|since|from|to|until|year|years|during|between|and|of|by)\s+$|[(/–-]$/u;
const COUNTED =
  /^\s*(?:empresas|proveedores|contratos|cuentas|personas|contactos|registros|creditos|consultas|licitaciones|oportunidades|companies|suppliers|contracts|accounts|people|contacts|records|credits|queries|tenders|mxn|pesos|usd)/u;

/** Every figure, amount and date of a text, in order. Places are those of the text given. */
export const literalsOf = (text: string, language: Language): Literal[] => {
  const small = flat(text);
  const taken = new Uint8Array(text.length);
  const found: Literal[] = [];
  const free = (at: number, end: number): boolean => {
    for (let i = at; i < end; i++) if (taken[i]) return false;
    return true;
  };
  const take = (literal: Literal): void => {
    taken.fill(1, literal.at, literal.end);
    found.push(literal);
  };
  for (const match of small.matchAll(SET_PHRASES)) taken.fill(1, match.index, match.index + match[0].length);
  for (const [pattern, make] of DATES)
    for (const match of small.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const raw = text.slice(match.index, end);
      // «SEP 5» is a ministry; months are not shouted.
      if (/(?<!\p{L})\p{Lu}{3}(?!\p{L})/u.test(raw) && !/[/-]/.test(raw)) continue;
      const date = make(match);
      if (
        !date ||
        !free(match.index, end) ||
        (date.m !== undefined && (date.m < 1 || date.m > 12)) ||
        (date.d !== undefined && (date.d < 1 || date.d > 31))
      )
        continue;
      take({ text: raw, at: match.index, end, kind: 'date', readings: [], currency: null, date });
    }
  for (const match of small.matchAll(TIME)) {
    const end = match.index + match[0].length;
    const hour = Number(match[1] ?? match[4]);
    const minute = Number(match[2] ?? 0);
    const half = match[3] ?? match[5];
    if (!free(match.index, end) || hour > 24 || minute > 59) continue;
    take({
      text: text.slice(match.index, end),
      at: match.index,
      end,
      kind: 'time',
      readings: [],
      currency: null,
      minutes: ((half ? hour % 12 : hour) + (half === 'p' ? 12 : 0)) * 60 + minute,
    });
  }
  for (const match of text.matchAll(NUMBER)) {
    let end = match.index + match[0].length;
    if (!free(match.index, end)) continue;
    let readings = readingsOf(match[0]);
    const multiplier = MULTIPLIERS.map(([pattern, by]) => [pattern.exec(text.slice(end, end + 16))?.[0], by] as const).find(
      ([suffix]) => suffix,
    );
    if (multiplier) {
      const [suffix = '', by] = multiplier;
      readings = readings.map((r) => ({ value: r.value * by, step: r.step * by }));
      end += suffix.length;
      // «2 millones 300 mil»
      const more = by >= 1e6 ? /^\s(?:con\s)?(\d{1,3}(?:\.\d+)?)\s?mil(?![\p{L}\p{N}])/iu.exec(text.slice(end, end + 24)) : null;
      if (more) {
        readings = readings.map((r) => ({ value: r.value + Number(more[1]) * 1e3, step: 1e3 }));
        end += more[0].length;
      }
    } else if (ORDINAL.test(text.slice(end, end + 5)) || /^\p{L}/u.test(text.slice(end, end + 2))) continue; // 1er, 3D, 15km: no figures
    const percent = PERCENT.exec(text.slice(end, end + 20));
    if (percent) end += percent[0].length;
    const before = PREFIX.exec(text.slice(Math.max(0, match.index - 5), match.index));
    const after = SUFFIX.exec(text.slice(end, end + 16));
    const at = before ? match.index - before[0].length : match.index;
    if (after) end += after[0].length;
    const sign = `${before?.[1] ?? ''} ${after?.[1] ?? ''} ${multiplier?.[0] ?? ''}`;
    const currency = /US|d[oó]lar|dollar|mdd/i.test(sign) ? 'usd' : /\$|MXN|M\.N|MX|pesos|mdp/i.test(sign) ? 'mxn' : null;
    const kind = percent
      ? 'percent'
      : currency
        ? 'money'
        : YEAR.test(match[0]) &&
            !multiplier &&
            YEAR_BEFORE.test(small.slice(Math.max(0, at - 12), at)) &&
            !COUNTED.test(small.slice(end, end + 16))
          ? 'year'
          : 'number';
    take({ text: text.slice(at, end), at, end, kind, readings, currency });
  }
  for (const literal of inWords(small, language))
    if (free(literal.at, literal.end)) take({ ...literal, text: text.slice(literal.at, literal.end) });
  for (const match of small.matchAll(VAGUE)) {
    const end = match.index + match[0].length;
    if (free(match.index, end))
      take({ text: text.slice(match.index, end), at: match.index, end, kind: 'vague', readings: [], currency: null });
  }
  return found.sort((a, b) => a.at - b.at);
};
