import { monthOf } from '../understand/amounts.js';
import { inWords, type Turn } from './answer.js';

/** Spans that are named by where they lie from today, by the code of their words. */
const NAMED: Readonly<Record<string, string>> = {
  'año pasado': 'last_year',
  'este año': 'this_year',
  'mes pasado': 'last_month',
  'este mes': 'this_month',
  'trimestre pasado': 'last_quarter',
  'este trimestre': 'this_quarter',
  'semestre pasado': 'last_half',
  'este semestre': 'this_half',
};
const UNITS: Readonly<Record<string, string>> = { años: 'years', meses: 'months', días: 'days' };

/** "en los últimos dos años", "en 2024", "desde marzo de 2025": a span as a sentence has it; empty for all there is. */
export const periodSaid = (turn: Turn, period: string): string => {
  const named = NAMED[period];
  if (named) return turn.say(`quien.span.${named}`);
  const last = /^últimos (\d+) (años|meses|días)$/.exec(period);
  if (last) {
    const n = Number(last[1]);
    return turn.say('quien.when.last', { n, words: inWords(n, turn.language), unit: UNITS[last[2] ?? ''] ?? 'years' });
  }
  const month = monthOf(period);
  if (month) {
    const from = new Intl.DateTimeFormat(turn.language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(Date.UTC(month.year, month.month, 1)),
    );
    return turn.say(month.since ? 'quien.when.since' : 'quien.when.year', { from });
  }
  const [from, to] = period.split('-');
  return /^\d{4}$/.test(from ?? '')
    ? turn.say(period.endsWith('-') ? 'quien.when.since' : to ? 'quien.when.between' : 'quien.when.year', {
        from: from ?? '',
        to: to ?? '',
      })
    : '';
};
