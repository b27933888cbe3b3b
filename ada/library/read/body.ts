import { CATALOGUE } from '../../../contracts/tools/catalogue.js';
import { SESSION_TOOLS } from '../../../contracts/profiles/index.js';
import type { Step } from '../types.js';

/** The headings of the fixed template, as they are written. */
export const HEADINGS = ['Antes de empezar', 'Pasos', 'Cómo cierras', 'Ejemplo', 'Errores frecuentes'] as const;
export type Heading = (typeof HEADINGS)[number];

export interface Section {
  heading: Heading;
  /** Line of the body, from 1. */ line: number;
  text: string;
}
export interface Body {
  title: string | null;
  sections: readonly Section[];
  /** Headings of level two that the template does not have. */
  others: readonly string[];
  steps: readonly Step[];
}

const TOOLS: ReadonlySet<string> = new Set<string>([...CATALOGUE.map((t) => t.name), ...SESSION_TOOLS]);
const TEMPLATE: ReadonlyMap<string, Heading> = new Map(HEADINGS.map((h) => [fold(h), h]));

/** Without accents, case, doubled spaces or marks at the end: how a heading or a plan B is recognised however it was typed. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s:.]+$/, '')
    .trim();
}

/** Lines with a flag for those inside a code fence, which are examples and neither headings nor steps. */
export const codeLines = (text: string): Array<{ line: string; code: boolean }> => {
  let fence: string | null = null;
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, run = '', rest = ''] = mark ?? [];
    if (fence === null) {
      if (mark) fence = run;
      return { line, code: mark !== null };
    }
    if (run.startsWith(fence) && rest.trim() === '') fence = null;
    return { line, code: true };
  });
};

/** Names in backticks that are tools, `market_compare` and `market_compare(a, b)` alike, in order and without doubles. */
export const toolsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/`([^`\n]+)`/g)]
      .map((m) => /^[a-z][a-z0-9_]*/.exec((m[1] ?? '').trim())?.[0] ?? '')
      .filter((name) => TOOLS.has(name)),
  ),
];

const PLAN_B = [
  /\b(?:0|cero|ninguna?s?|sin) (?:filas?|resultados?|registros?|candidat[oa]s?|adjudicaciones|empresas?|contactos?|personas?|coincidencias?|temas?|saldo|seleccion)\b/,
  /\b(?:si|cuando) (?:\S+ ){0,6}?no (?:se )?(?:hay|hubo|trae|da|sale|devuelve|encuentra|encuentras|aparece|existe|tiene|alcanza|queda)\b/,
  /\b(?:si|cuando) (?:\S+ ){0,6}?(?:0|cero|vaci[oa]s?|falta|faltan|falla|fallan|nada)\b/,
  /\b(?:trae|da|sale|salen|devuelve|hay|conteo) (?:0|cero|nada)\b/,
  /\bplan b\b/,
  /\b0 *(?:→|->|=>)/,
];
/** A step says what to do with nothing: "Con cero filas, …", "Si no hay resultado …", "0 filas → …". */
export const hasPlanB = (step: string): boolean => {
  const text = fold(step);
  return PLAN_B.some((pattern) => pattern.test(text));
};

const stepsOf = (text: string): Step[] => {
  const steps: Array<{ number: number; lines: string[] }> = [];
  for (const { line, code } of codeLines(text)) {
    const start = code ? null : /^ {0,3}(\d{1,3})[.)][ \t]+(.*)$/.exec(line);
    if (start) steps.push({ number: Number(start[1]), lines: [start[2] ?? ''] });
    else steps.at(-1)?.lines.push(line);
  }
  return steps.map(({ number, lines }) => {
    const whole = lines.join('\n').trim();
    return { number, text: whole, tools: toolsIn(whole) };
  });
};

/** A body by its template. What the template asks for and is not there is simply absent: saying so is the linter's. */
export const readBody = (body: string): Body => {
  const sections: Array<Section & { lines: string[] }> = [];
  const others: string[] = [];
  let title: string | null = null;
  let current: string[] | null = null;
  codeLines(body).forEach(({ line, code }, i) => {
    const heading = code ? null : /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line);
    const [, level = '', words = ''] = heading ?? [];
    if (!heading) current?.push(line);
    else if (level === '#') {
      title ??= words;
      current = null;
    } else {
      const known = TEMPLATE.get(fold(words));
      if (known) sections.push({ heading: known, line: i + 1, text: '', lines: (current = []) });
      else if (level === '##') {
        others.push(words);
        current = null;
      } else current?.push(line); // a heading inside a section
    }
  });
  const done = sections.map(({ heading, line, lines }) => ({ heading, line, text: lines.join('\n').trim() }));
  return { title, sections: done, others, steps: done.filter((s) => s.heading === 'Pasos').flatMap((s) => stepsOf(s.text)) };
};
