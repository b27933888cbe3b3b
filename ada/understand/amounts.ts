const NUMBERS: Record<string, number> = {
  un: 1,
  una: 1,
  uno: 1,
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
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  ten: 10,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
};
const WORDS = Object.keys(NUMBERS)
  .filter((word) => !['un', 'una', 'uno', 'one'].includes(word))
  .join('|');
/** Numbers that count something else: years, days, positions, thousands of pesos. */
const ELSEWHERE =
  /\b(?:19|20)\d\d\b|(?:ultim[oa]s?|last|proxim[oa]s?|next)\s+\w+\s+(?:anos?|meses|dias|semanas?|years?|months?|days?|weeks?)|\b\w+\s+(?:anos?|dias|meses|semanas|years|months|days|horas|empleados|toques|veces|minutos)\b|\$\s*[\d,.]+|\b\d+\s*%|\b[a-z&ñ]{3,4}\d{6}[a-z0-9]{3}\b/g;

/** More than anybody means. */
const MOST = 1_000_000;
/** How many of something a message asks for, from 1 on, whether it fits or not; null when it does not say. */
export const countIn = (flat: string): number | null => {
  const text = flat.replace(ELSEWHERE, ' ');
  const digits = /(?<![\w.-])(\d{1,3}(?:[, ]\d{3})+|\d+)(\s?k\b|\s+mil\b)?(?![\w-])/.exec(text);
  if (digits?.[1]) {
    const n = Number(digits[1].replace(/[, ]/g, '')) * (digits[2] ? 1_000 : 1);
    return n >= 1 && n <= MOST ? n : null;
  }
  const said = new RegExp(`\\b(?:(\\w+)\\s+)?(${WORDS})\\b`).exec(text);
  if (!said?.[2]) return null;
  const n = (said[2] === 'mil' && said[1] ? (NUMBERS[said[1]] ?? 1) : 1) * (NUMBERS[said[2]] ?? 1);
  return n >= 1 && n <= MOST ? n : null;
};
const number = (said: string | undefined): number | null =>
  said === undefined ? null : /^\d+$/.test(said) ? Number(said) : (NUMBERS[said] ?? null);

/** A span of time as it is kept and shown: `2024`, `2023-2025`, `2023-`, `últimos 2 años`, `últimos 6 meses`. */
export const periodIn = (flat: string): string | null => {
  const between = /\b((?:19|20)\d\d)\s*(?:-|–|a|al|y|to|and)\s*((?:19|20)\d\d)\b/.exec(flat);
  if (between) return `${between[1]}-${between[2]}`;
  const since = /\b(?:desde|since|a partir de)\s+(?:el\s+(?:ano\s+)?)?((?:19|20)\d\d)\b/.exec(flat);
  if (since) return `${since[1]}-`;
  const last = /\b(?:ultim[oa]s|last|past)\s+(\w+)\s+(anos?|years?|meses|months?)\b/.exec(flat);
  if (last) {
    const n = number(last[1]);
    if (n !== null && n > 0 && n <= 120) return `últimos ${n} ${/^(?:a|y)/.test(last[2] ?? '') ? 'años' : 'meses'}`;
  }
  if (/\b(?:el ano pasado|last year|ano anterior)\b/.test(flat)) return 'año pasado';
  if (/\b(?:este ano|this year|ano en curso)\b/.test(flat)) return 'este año';
  if (/\b(?:ultimo ano|past year)\b/.test(flat)) return 'últimos 1 años';
  if (/\b(?:historico|de siempre|en toda la historia|todos los anos|ever)\b/.test(flat)) return 'todo';
  return /\b(?:en|del|de|durante|in|during)\s+((?:19|20)\d\d)\b/.exec(flat)?.[1] ?? null;
};

const day = (at: Date): string => at.toISOString().slice(0, 10);
/** The days a span means, seen from today; both null when it is all there is. */
export const daysOf = (period: string, today: Date): { from: string | null; to: string | null } => {
  const year = today.getUTCFullYear();
  if (period === 'año pasado') return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  if (period === 'este año') return { from: `${year}-01-01`, to: null };
  const last = /^últimos (\d+) (años|meses)$/.exec(period);
  if (last) {
    const from = new Date(today);
    if (last[2] === 'años') from.setUTCFullYear(year - Number(last[1]));
    else from.setUTCMonth(from.getUTCMonth() - Number(last[1]));
    return { from: day(from), to: null };
  }
  const span = /^(\d{4})(-)?(\d{4})?$/.exec(period);
  if (span) return { from: `${span[1]}-01-01`, to: span[2] ? (span[3] ? `${span[3]}-12-31` : null) : `${span[1]}-12-31` };
  return { from: null, to: null };
};

/** Until when something may close, for "esta semana", "en quince días", "este mes"; null when nothing is said. */
export const closesBefore = (flat: string, today: Date): string | null => {
  const add = (days: number): string => day(new Date(today.getTime() + days * 86_400_000));
  if (/\besta semana|this week|en la semana\b/.test(flat)) return add(7);
  if (/\bquincena\b/.test(flat)) return add(15);
  if (/\beste mes|this month|fin de mes\b/.test(flat)) return add(30);
  const days = /\b(?:en|proximos|siguientes|in|next|dentro de)\s+(?:los\s+)?(?:proximos\s+)?(\w+)\s+(dias|semanas|days|weeks|meses)\b/.exec(
    flat,
  );
  const n = number(days?.[1]);
  return n === null || n > 400 ? null : add(n * (/^(?:se|we)/.test(days?.[2] ?? '') ? 7 : days?.[2] === 'meses' ? 30 : 1));
};

const ORDINALS: Record<string, number> = {
  primer: 1,
  primera: 1,
  primero: 1,
  segunda: 2,
  segundo: 2,
  tercera: 3,
  tercero: 3,
  tercer: 3,
  cuarta: 4,
  cuarto: 4,
  quinta: 5,
  quinto: 5,
  first: 1,
  second: 2,
  third: 3,
  ultima: -1,
  ultimo: -1,
  last: -1,
};
/** Which rows of a list are meant, from 0; null when none is pointed at. */
export const rowsMeant = (flat: string, length: number): number[] | null => {
  const all = Array.from({ length }, (_, i) => i);
  const at = (said: string): number | null => {
    const n = ORDINALS[said] ?? number(said);
    return n === null || n === undefined ? null : n === -1 ? length - 1 : n - 1;
  };
  const without = /\b(?:menos|excepto|salvo|except|sin)\s+(?:(?:el|la|the)\s+)?(?:numero\s+)?(\w+)/.exec(flat);
  const out = without ? at(without[1] ?? '') : null;
  if (out !== null) return all.filter((i) => i !== out);
  const first =
    /\b(?:(?:los|las|the)\s+)?(?:(\w+)\s+primer[oa]s|primer[oa]s\s+(\w+)|first\s+(\w+)|top\s+(\w+)|(\w+)\s+mejores|mejores\s+(\w+))\b/.exec(
      flat,
    );
  const count = first ? number(first.slice(1).find((one) => one !== undefined && number(one) !== null)) : null;
  if (count !== null) return all.slice(0, count);
  // "La primera y la tercera", "las filas 2, 4 y 5": each of them.
  const word = '(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|ultim[oa]|first|second|third|last)';
  const notRows = '(?!\\s+(?:vez|correo|contacto|semana|mes|ano|nivel|paso|mensaje|time|year|week|month))';
  const named = new RegExp(`\\b(?:el|la|a la|al|del|de la|the|con la|con el|y|,)\\s*(?:la\\s+|el\\s+|the\\s+)?(${word})\\b${notRows}`, 'g');
  const numbered =
    /\b(?:filas?|numeros?|num|renglones?|rows?|numbers?)\s+((?:\d{1,3}(?:\s*,\s*|\s+y\s+|\s+e\s+|\s+and\s+)?)+)/.exec(flat)?.[1] ??
    /\b(?:la|el|las|los)\s+(\d{1,2}(?:(?:\s*,\s*|\s+y\s+|\s+and\s+)(?:la\s+|el\s+)?\d{1,2})+)\b/.exec(flat)?.[1];
  const places = [
    ...(numbered ? [...numbered.matchAll(/\d+/g)].map((m) => Number(m[0]) - 1) : []),
    ...[...flat.matchAll(named)].map((m) => at(m[1] ?? '')),
  ].filter((n): n is number => n !== null && n >= 0 && n < length);
  const [one] = places;
  // A place among rows is said with its article; "y segundo" alone points at nothing.
  return one === undefined ||
    (numbered === undefined && !new RegExp(`\\b(?:el|la|a la|al|del|de la|the|con la|con el)\\s+${word}\\b${notRows}`).test(flat))
    ? null
    : [...new Set(places)].sort((x, y) => x - y);
};
