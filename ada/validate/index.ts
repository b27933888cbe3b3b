import { text, type Language } from '../../contracts/catalog/index.js';
import type { TurnOutput } from '../../contracts/turn.js';
import { withOwn, type Known } from '../harvest.js';
import { busquedas } from './busquedas.js';
import { figuresOf } from './cifra.js';
import { costo } from './costo.js';
import type { Derived } from './derive.js';
import { fila } from './fila.js';
import { aprobacion, instruccion } from './instruccion.js';
import { lexico } from './lexico.js';
import { limite } from './limite.js';
import { narrationOf } from './narration.js';
import { ninguno } from './ninguno.js';
import { parse } from './parse.js';
import { pregunta } from './pregunta.js';
import { refs } from './refs.js';
import { TAGS, type Context, type Defect, type Rule, type Tag } from './rule.js';
import { siguiente } from './siguiente.js';
import { soloResultados } from './solo-resultados.js';
import { vacio } from './vacio.js';
import { vendedores } from './vendedores.js';

export type { Context, Defect, Tag } from './rule.js';
export { TAGS } from './rule.js';
export type { Derived } from './derive.js';

export interface Verdict {
  ok: boolean;
  output: TurnOutput | null;
  /** Rules that were broken, in their order, once each. */
  tags: Tag[];
  /** What is wrong, one line each: the rule, what, and the words it is about. */
  problems: string[];
  defects: Defect[];
  /** Figures that come from others, with those. */
  derived: Derived[];
  /** Figures narrated that count against the cap. */
  figures: number;
  /** Steps the search for derived figures took. */
  steps: number;
  /** Anchors that the turn could have used, and what to resolve them with. */
  refsAvailable: number;
  known: Known;
  /** The same rules for another answer of the same turn. */
  again: (output: TurnOutput) => Verdict;
}

const BEFORE: readonly Rule[] = [refs, pregunta, lexico];
const AFTER: readonly Rule[] = [
  ninguno,
  fila,
  busquedas,
  costo,
  limite,
  siguiente,
  soloResultados,
  vendedores,
  instruccion,
  aprobacion,
  vacio,
];
const MAX_DEFECTS = 24;

const problemOf = (language: Language, { tag, code, quote }: Defect): string =>
  `${tag}: ${text(language, `ada.problem.${code}`, { quote })}`;

const verdict = (
  context: Context,
  output: TurnOutput | null,
  defects: readonly Defect[],
  more: Pick<Verdict, 'derived' | 'figures' | 'steps'>,
): Verdict => {
  const kept = defects.slice(0, MAX_DEFECTS);
  return {
    ok: kept.length === 0,
    output,
    tags: TAGS.filter((tag) => kept.some((one) => one.tag === tag)),
    problems: [...new Set(kept.map((one) => problemOf(context.language, one)))],
    defects: [...kept],
    ...more,
    refsAvailable: context.known.anchors.size,
    known: context.known,
    again: (other) => check(other, context),
  };
};

const check = (output: TurnOutput, given: Context): Verdict => {
  const known = withOwn(given.known, { message: given.message, facts: given.compiled.facts, balances: given.compiled.balances });
  const context = { ...given, known };
  const answer = {
    output: { ...output, narration: output.narration.normalize('NFC') },
    narration: narrationOf(output.narration.normalize('NFC'), known, given.language),
  };
  const figures = figuresOf(answer, context);
  const defects = [
    ...BEFORE.flatMap((rule) => rule(answer, context)),
    ...figures.defects,
    ...AFTER.flatMap((rule) => rule(answer, context)),
  ];
  return verdict(given, answer.output, defects, { derived: figures.derived, figures: figures.narrated, steps: figures.steps });
};

/**
 * 7 · One attempt of a model against what the turn knows. `parse` and `schema` stop; all other rules are read, so that one repair hears everything.
 */
export const validate = (attempt: string, context: Context): Verdict => {
  const parsed = parse(attempt);
  return parsed.output ? check(parsed.output, context) : verdict(context, null, parsed.defects, { derived: [], figures: 0, steps: 0 });
};
