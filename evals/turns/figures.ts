import type { Called, TurnRecord } from './dump.js';

/**
 * Figures of an answer, read again and apart from `ada/validate`: a defect of the validator must not be one of what measures it. Coarser on purpose;
 * it looks at numbers of two digits and more.
 */

export interface Said {
  text: string;
  value: number;
  at: number;
  end: number;
  decimals: number;
}

const MASKS = [
  /\[\[[^\]]*\]\]/g,
  /\b[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}\b/g,
  /\b(?:emp|per|prv|lic|adj|rec|seq|run|tema)-[\w-]+/g,
  /\b(?:19|20)\d{2}\b/g,
  /\b\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b/gi,
  /\b\d{1,2}:\d{2}\b/g,
  /\b\d{4}-\d{2}-\d{2}\b/g,
  /https?:\S+|\/[a-z]\S*/g,
];
const masked = (text: string): string => MASKS.reduce((now, mask) => now.replace(mask, (all) => ' '.repeat(all.length)), text);
const NUMBER = /(?<![\p{L}\d.,])\$?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\p{L}\d])/gu;
const SCALE = /^\s*(?:de\s+)?(mil millones|millones|millón|mdp|mil|million|billion|thousand|M\b|K\b)/;
const SCALES: Record<string, number> = {
  'mil millones': 1e9,
  millones: 1e6,
  millón: 1e6,
  mdp: 1e6,
  mil: 1e3,
  million: 1e6,
  billion: 1e9,
  thousand: 1e3,
  M: 1e6,
  K: 1e3,
};

export const figuresSaid = (narration: string): Said[] =>
  [...masked(narration).matchAll(NUMBER)].map((match) => {
    const digits = (match[1] ?? '').replace(/,/g, '');
    const scale = SCALES[SCALE.exec(narration.slice(match.index + match[0].length))?.[1] ?? ''] ?? 1;
    const decimals = (digits.split('.')[1] ?? '').length;
    return {
      text: match[0],
      value: Number(digits) * scale,
      at: match.index,
      end: match.index + match[0].length,
      decimals: scale === 1 ? decimals : Math.log10(scale) * -1 + decimals,
    };
  });

const near = (said: Said, value: number): boolean => Math.abs(said.value - value) <= 0.5 * 10 ** -said.decimals + 1e-9;

/** Everything a turn could have read a figure in. */
export const figuresKnown = (turn: TurnRecord): number[] => {
  const found = new Set<number>(turn.before.figures);
  for (const call of turn.tools) for (const figure of call.figures) found.add(figure);
  for (const said of figuresSaid(turn.message)) found.add(said.value);
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'number') {
      found.add(value);
      found.add(value / 1e6);
    } else if (value !== null && typeof value === 'object' && depth < 8) for (const one of Object.values(value)) walk(one, depth + 1);
  };
  for (const one of turn.campaigns) {
    walk(one.decision, 0);
    walk(one.progress, 0);
    walk(one.body, 0);
  }
  walk(turn.answer?.decision, 0);
  walk(turn.answer?.progress, 0);
  walk(turn.answer?.siguiente?.cost, 0);
  return [...found];
};

/** Limits of the product, that no result carries. */
const PRODUCT = new Set([10, 12, 25, 50, 72, 75, 24, 100, 150, 500, 1_000, 5_000]);
const derivable = (said: Said, others: readonly number[], known: readonly number[]): boolean => {
  for (const a of others)
    for (const b of known) {
      if (
        near(said, a + b) ||
        near(said, a - b) ||
        near(said, b - a) ||
        (b !== 0 && (near(said, a / b) || near(said, (a / b) * 100))) ||
        (a !== 0 && near(said, (b / a) * 100)) ||
        near(said, a * b)
      )
        return true;
    }
  return (
    others.length > 1 &&
    near(
      said,
      others.reduce((sum, one) => sum + one, 0),
    )
  );
};

export interface Unfounded {
  text: string;
  why: 'unknown' | 'unanchored';
}

const sentenceAround = (text: string, at: number): string => {
  const breaks = [...text.matchAll(/[.!?](?=\s)|\n/g)].map((m) => m.index + 1);
  return text.slice(breaks.filter((b) => b <= at).at(-1) ?? 0, breaks.find((b) => b > at) ?? text.length);
};

/** Figures of an answer that nobody could have read, and those of a result that stand in a sentence without any anchor. */
export const unfounded = (turn: TurnRecord): Unfounded[] => {
  const narration = turn.answer?.narration ?? '';
  const known = figuresKnown(turn);
  const free = new Set([...turn.before.figures, ...figuresSaid(turn.message).map((one) => one.value)]);
  const card = turn.answer?.decision || turn.answer?.progress || turn.answer?.siguiente?.cost;
  const all = figuresSaid(narration).filter((one) => one.value >= 10);
  return all.flatMap((said): Unfounded[] => {
    const sentence = sentenceAround(narration, said.at);
    const others = all.filter((one) => one !== said).map((one) => one.value);
    const read = known.some((value) => near(said, value));
    if (!read && !PRODUCT.has(said.value) && !derivable(said, others, [...others, ...[...free].slice(0, 40)])) {
      // An average or a share over what the sentence points at.
      const small = known.filter((value) => value >= 1).slice(0, 60);
      if (!/\[\[/.test(sentence) || !derivable(said, small, small)) return [{ text: said.text, why: 'unknown' }];
    }
    if (read && !/\[\[/.test(sentence) && !card && !PRODUCT.has(said.value) && ![...free].some((value) => near(said, value)))
      return [{ text: said.text, why: 'unanchored' }];
    return [];
  });
};

/** Text as it is searched: small, without accents. */
export const flat = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
/** All that a person reads of a turn. */
export const readable = (turn: TurnRecord): string => {
  const { answer } = turn;
  if (!answer) return '';
  const { intent } = answer;
  return [
    answer.text,
    answer.pregunta?.texto ?? '',
    answer.pregunta?.supuesto ?? '',
    intent.kind === 'limite' ? intent.salida : '',
    answer.siguiente ? `${answer.siguiente.label} ${answer.siguiente.target}` : '',
    ...(answer.decision?.options.map((option) => `${option.n}`) ?? []),
  ].join('\n');
};
export const okCalls = (turn: TurnRecord, names: RegExp): Called[] => turn.tools.filter((call) => call.ok && names.test(call.tool));
export const share = (part: number, of: number): number => (of === 0 ? 1 : part / of);
export const percentile = (values: readonly number[], p: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? 0;
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;

/** Asks for something its recipe needs and nobody has said, goes on with a default meanwhile, and has done the work: asking at the end is no asking first. */
export const asksAtTheEnd = (turn: TurnRecord): boolean => {
  const asked = turn.answer?.pregunta ?? null;
  if (!asked || turn.answer?.intent.kind === 'encuadre') return false;
  const fact = asked.campo in turn.before.facts ? turn.before.facts[asked.campo as keyof typeof turn.before.facts] : null;
  return asked.supuesto !== null && turn.requires.includes(asked.campo) && (fact === null || fact.status === 'faltante');
};
