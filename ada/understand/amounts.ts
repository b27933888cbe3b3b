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
  /\b(?:19|20)\d\d\b|(?:ultim[oa]s?|last|proxim[oa]s?|next)\s+\w+\s+(?:anos?|meses|dias|semanas?|years?|months?|days?|weeks?)|\b\w+\s+(?:anos?|dias|meses|trimestres|semanas|years|months|weeks|days|horas|empleados|toques|veces|minutos)\b|\$\s*[\d,.]+|\b\d+\s*%|\b[a-z&ñ]{3,4}\d{6}[a-z0-9]{3}\b/g;

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

const MONTHS = [
  ['enero', 'january'],
  ['febrero', 'february'],
  ['marzo', 'march'],
  ['abril', 'april'],
  ['mayo', 'may'],
  ['junio', 'june'],
  ['julio', 'july'],
  ['agosto', 'august'],
  ['septiembre', 'setiembre', 'september'],
  ['octubre', 'october'],
  ['noviembre', 'november'],
  ['diciembre', 'december'],
] as const;
const MONTH = `(${MONTHS.flat().join('|')})`;
/** From 0; -1 where it is no month. */
const monthAt = (said: string | undefined): number => MONTHS.findIndex((names) => (names as readonly string[]).includes(said ?? ''));
/** Spans that are named by where they lie from today. */
const NAMED_SPANS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:el ano pasado|last year|ano anterior)\b/, 'año pasado'],
  [/\b(?:este ano|this year|ano en curso|lo que va del ano)\b/, 'este año'],
  [/\b(?:el mes pasado|last month|mes anterior)\b/, 'mes pasado'],
  [/\b(?:este mes|this month|mes en curso|lo que va del mes)\b/, 'este mes'],
  [/\b(?:el trimestre pasado|last quarter|trimestre anterior)\b/, 'trimestre pasado'],
  [/\b(?:este trimestre|this quarter|trimestre en curso)\b/, 'este trimestre'],
  [/\b(?:el semestre pasado|semestre anterior)\b/, 'semestre pasado'],
  [/\b(?:este semestre|semestre en curso)\b/, 'este semestre'],
  [/\b(?:la semana pasada|last week|semana anterior)\b/, 'últimos 7 días'],
  [/\b(?:ultimo ano|past year)\b/, 'últimos 1 años'],
  [/\b(?:ultimo mes|past month)\b/, 'últimos 1 meses'],
  [/\b(?:ultimo trimestre|past quarter)\b/, 'últimos 3 meses'],
  [/\b(?:ultimo semestre)\b/, 'últimos 6 meses'],
  [/\b(?:ultima semana|past week)\b/, 'últimos 7 días'],
  [/\b(?:historico|de siempre|en toda la historia|todos los anos|ever)\b/, 'todo'],
];

/**
 * A span of time as it is kept and shown: `2024`, `2023-2025`, `2023-`, `marzo de 2025`, `desde marzo de 2025`, `últimos 2 años`, `últimos 90 días`,
 * `este trimestre`.
 */
export const periodIn = (flat: string): string | null => {
  const between = /\b((?:19|20)\d\d)\s*(?:-|–|a|al|y|to|and)\s*((?:19|20)\d\d)\b/.exec(flat);
  if (between) return `${between[1]}-${between[2]}`;
  const month = new RegExp(
    `\\b(?:(desde|since|from|a partir de)\\s+(?:el mes de\\s+)?)?${MONTH}\\s+(?:de\\s+|del\\s+|of\\s+)?((?:19|20)\\d\\d)\\b`,
  ).exec(flat);
  if (month && !/\b\d{1,2}\s+(?:de\s+)?$/.test(flat.slice(0, month.index)))
    return `${month[1] ? 'desde ' : ''}${MONTHS[monthAt(month[2])]?.[0] ?? ''} de ${month[3]}`;
  const since = /\b(?:desde|since|a partir de)\s+(?:el\s+(?:ano\s+)?)?((?:19|20)\d\d)\b/.exec(flat);
  if (since) return `${since[1]}-`;
  const last = /\b(?:ultim[oa]s|last|past)\s+(\w+)\s+(anos?|years?|meses|months?|trimestres|quarters|semanas?|weeks?|dias?|days?)\b/.exec(
    flat,
  );
  if (last) {
    const n = number(last[1]);
    const unit = last[2] ?? '';
    if (n !== null && n > 0 && n <= 400) {
      if (/^(?:a|y)/.test(unit)) return `últimos ${n} años`;
      if (/^m/.test(unit)) return `últimos ${n} meses`;
      if (/^[tq]/.test(unit)) return `últimos ${n * 3} meses`;
      return `últimos ${/^[sw]/.test(unit) ? n * 7 : n} días`;
    }
  }
  const named = NAMED_SPANS.find(([pattern]) => pattern.test(flat));
  if (named) return named[1];
  return /\b(?:en|del|de|durante|in|during)\s+((?:19|20)\d\d)\b/.exec(flat)?.[1] ?? null;
};

const day = (at: Date): string => at.toISOString().slice(0, 10);
const monthFrom = (year: number, month: number, length = 1): { from: string; to: string } => ({
  from: day(new Date(Date.UTC(year, month, 1))),
  to: day(new Date(Date.UTC(year, month + length, 0))),
});
/** The month that a span is named by; null where it is none. */
export const monthOf = (period: string): { since: boolean; year: number; month: number } | null => {
  const found = /^(desde )?([a-z]+) de (\d{4})$/.exec(period);
  const month = monthAt(found?.[2]);
  return found && month >= 0 ? { since: found[1] !== undefined, year: Number(found[3]), month } : null;
};
/** The days a span means, seen from today; both null when it is all there is. */
export const daysOf = (period: string, today: Date): { from: string | null; to: string | null } => {
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  if (period === 'año pasado') return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  if (period === 'este año') return { from: `${year}-01-01`, to: null };
  const [, which, unit] = /^(?:(este) )?(mes|trimestre|semestre)(?: pasado)?$/.exec(period) ?? [];
  if (unit) {
    const length = unit === 'mes' ? 1 : unit === 'trimestre' ? 3 : 6;
    const first = Math.floor(month / length) * length;
    return which ? { from: monthFrom(year, first).from, to: null } : monthFrom(year, first - length, length);
  }
  const named = monthOf(period);
  if (named) {
    const span = monthFrom(named.year, named.month);
    return named.since ? { from: span.from, to: null } : span;
  }
  const last = /^últimos (\d+) (años|meses|días)$/.exec(period);
  if (last) {
    const from = new Date(today);
    if (last[2] === 'años') from.setUTCFullYear(year - Number(last[1]));
    else if (last[2] === 'meses') from.setUTCMonth(month - Number(last[1]));
    else from.setUTCDate(from.getUTCDate() - Number(last[1]));
    return { from: day(from), to: null };
  }
  const span = /^(\d{4})(-)?(\d{4})?$/.exec(period);
  if (span) return { from: `${span[1]}-01-01`, to: span[2] ? (span[3] ? `${span[3]}-12-31` : null) : `${span[1]}-12-31` };
  return { from: null, to: null };
};

const WEEKDAYS = [
  ['domingo', 'sunday'],
  ['lunes', 'monday'],
  ['martes', 'tuesday'],
  ['miercoles', 'wednesday'],
  ['jueves', 'thursday'],
  ['viernes', 'friday'],
  ['sabado', 'saturday'],
] as const;
/** A day of the calendar or of the week, however near it is said to be. */
export const A_DAY = `(?:(?:el\\s+|este\\s+|proximo\\s+|the\\s+|this\\s+|next\\s+|dia\\s+)*(?:${WEEKDAYS.flat().join('|')}|hoy|manana|pasado manana|today|tomorrow|\\d{1,2}\\s+(?:de\\s+|of\\s+)?${MONTH.replace('(', '(?:')}(?:\\s+(?:de\\s+|del\\s+|of\\s+)?20\\d\\d)?|${MONTH.replace('(', '(?:')}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+20\\d\\d)?))`;
const DATE = new RegExp(
  `\\b(?:(\\d{1,2})\\s+(?:de\\s+|of\\s+)?${MONTH}|${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?)(?:,?\\s+(?:de\\s+|del\\s+|of\\s+)?(20\\d\\d))?\\b`,
);
/** The next day that a text names, as a date; null when it names none. */
const dayNamed = (flat: string, today: Date): string | null => {
  const date = DATE.exec(flat);
  if (date) {
    const month = monthAt(date[2] ?? date[3]);
    const at = (year: number): Date => new Date(Date.UTC(year, month, Number(date[1] ?? date[4])));
    const year = date[5] ? Number(date[5]) : today.getUTCFullYear();
    return day(date[5] || day(at(year)) >= day(today) ? at(year) : at(year + 1));
  }
  const add = (days: number): string => day(new Date(today.getTime() + days * 86_400_000));
  if (/\bpasado manana\b/.test(flat)) return add(2);
  if (/\b(?:manana|tomorrow)\b/.test(flat)) return add(1);
  if (/\b(?:hoy|today)\b/.test(flat)) return add(0);
  const week = WEEKDAYS.findIndex((names) => names.some((name) => new RegExp(`\\b${name}\\b`).test(flat)));
  return week < 0 ? null : add((week - today.getUTCDay() + 7) % 7 || 7);
};
const UNTIL = new RegExp(
  `\\b(?:antes de(?:l)?|para|hasta|a mas tardar|(?:cierr\\w+|venc\\w+|clos\\w+)(?:\\s+(?:el|on|this|este))?|before|by|until)\\s+(${A_DAY})`,
);

/** Until when something may close, for "esta semana", "en quince días", "antes del viernes"; null when nothing is said. */
export const closesBefore = (said: string, today: Date): string | null => {
  // When it was published says nothing of when it closes.
  const flat = said.replace(/\b(?:publicad\w+|salid\w+|salieron|subid\w+|published|posted)\b.{0,30}/g, ' ');
  const add = (days: number): string => day(new Date(today.getTime() + days * 86_400_000));
  const until = UNTIL.exec(flat)?.[1];
  const named = until === undefined ? null : dayNamed(until, today);
  if (named !== null) return named;
  if (/\besta semana|this week|en la semana\b/.test(flat)) return add(7);
  if (/\bquincena\b/.test(flat)) return add(15);
  if (/\beste mes|this month|fin de mes\b/.test(flat)) return add(30);
  const days = /\b(?:en|proximos|siguientes|in|next|dentro de)\s+(?:los\s+)?(?:proximos\s+)?(\w+)\s+(dias|semanas|days|weeks|meses)\b/.exec(
    flat,
  );
  const n = number(days?.[1]);
  return n === null || n > 400 ? null : add(n * (/^(?:se|we)/.test(days?.[2] ?? '') ? 7 : days?.[2] === 'meses' ? 30 : 1));
};

/** Money that a message asks something to be over, under or between, in whole units of its currency. */
export interface Amount {
  min: number | null;
  max: number | null;
  currency: 'mxn' | 'other';
  from: number;
  to: number;
}
const FIGURE =
  '\\$?\\s*(\\d[\\d,]*(?:\\.\\d+)?|medio|un|one|dos|tres|cinco|diez|veinte|cincuenta|cien|two|three|five|ten)\\s*(millon(?:es)?|mdp|mil|k|m|million|thousand)?';
const COIN = '(?:\\s*(?:de\\s+)?(pesos(?: mexicanos)?|mxn|mdp|dolares(?: americanos)?|usd|us dollars|dollars|euros))?';
const OVER =
  '(?:mas|mayor(?:es)?|arriba|superior(?:es)?|minimo|al menos|por encima|over|more|above|at least|exceeding)(?:\\s+(?:de|a|que|than))?';
const UNDER =
  '(?:menos|menor(?:es)?|inferior(?:es)?|maximo|hasta|abajo|por debajo|under|less|below|at most|up to)(?:\\s+(?:de|a|que|than))?';
const LEAD = '(?:(?:de|por|con|for|worth|of)\\s+)?(?:(?:un\\s+)?(?:montos?|importes?|valor(?:es)?)\\s+)?';
const RANGE = new RegExp(`\\b${LEAD}(?:entre|between)\\s+${FIGURE}\\s+(?:y|and)\\s+${FIGURE}${COIN}(?![\\w])`);
const BOUND = new RegExp(`\\b${LEAD}(?:(${OVER})|(${UNDER}))\\s+${FIGURE}${COIN}(?![\\w])`, 'g');
const worth = (figure: string | undefined, scale: string | undefined): number => {
  const n = figure === 'medio' ? 0.5 : figure === 'one' ? 1 : (number(figure) ?? Number((figure ?? '').replace(/,/g, '')));
  return Math.round(n * (/^(?:millon|mdp|m$|million)/.test(scale ?? '') ? 1e6 : scale ? 1e3 : 1));
};
const inMoney = (match: string, scale: string | undefined, coin: string | undefined): boolean =>
  match.includes('$') || coin !== undefined || (scale !== undefined && scale !== 'mil' && scale !== 'k' && scale !== 'thousand');
/** The amount that a message bounds by; null when it bounds none. */
export const amountIn = (flat: string): Amount | null => {
  const currencyOf = (coin: string | undefined): Amount['currency'] => (/^(?:dol|usd|us |euro)/.test(coin ?? '') ? 'other' : 'mxn');
  const range = RANGE.exec(flat);
  if (range && inMoney(range[0], range[4] ?? range[2], range[5])) {
    const scale = range[2] ?? range[4];
    return {
      min: worth(range[1], scale),
      max: worth(range[3], range[4]),
      currency: currencyOf(range[5]),
      from: range.index,
      to: range.index + range[0].length,
    };
  }
  for (const bound of flat.matchAll(BOUND)) {
    if (
      !inMoney(bound[0], bound[4], bound[5]) ||
      /^\s*(?:de\s+)?(?:creditos|consultas|credits|queries)/.test(flat.slice(bound.index + bound[0].length))
    )
      continue;
    const value = worth(bound[3], bound[4]);
    return {
      min: bound[1] ? value : null,
      max: bound[1] ? null : value,
      currency: currencyOf(bound[5]),
      from: bound.index,
      to: bound.index + bound[0].length,
    };
  }
  return null;
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
