import { flat } from '../anchors.js';
import { FACT_KEYS } from '../../contracts/turn.js';
import { ASKS, FREE_DEFAULT, OFFERS, OPEN_ENDED, type Field } from './fields.js';
import { defect, type Context, type Defect, type Rule } from './rule.js';

/** One question at most, and only for what is missing and the open recipe needs. */

const QUOTED = /«[^»]*»|“[^”]*”|"[^"]*"/g;
export interface Question { text: string; at: number; small: string }

/** Questions of a text, in marks or as a demand («dime el giro»), those quoted from somebody aside. */
export const questionsOf = (text: string): Question[] => {
  const open = text.replace(QUOTED, (all) => ' '.repeat(all.length));
  const asked = [...open.matchAll(/¿[^?\n]*\??|[^.!?¿\n]*\?/g)].map((m) => ({ text: m[0], at: m.index }));
  const demands = [...open.matchAll(/(?<!\p{L})(?:dime|ind[ií]came|conf[ií]rmame|especif[ií]came|comp[aá]rteme|necesito (?:saber|que me (?:digas|indiques|confirmes|compartas))|me (?:dices|indicas|confirmas|compartes)|tell me|please (?:provide|specify|tell me)|i need to know)(?! si\b)[^.!?\n]*/giu)].map((m) => ({ text: m[0], at: m.index }));
  const all = [...asked, ...demands.filter((d) => !asked.some((q) => d.at >= q.at && d.at < q.at + q.text.length))].map((q) => ({ ...q, text: q.text.trim(), small: flat(q.text.trim()).replace(/^¿\s*/, '') }));
  return all.filter((q) => /\p{L}/u.test(q.text) && (q.text.includes('?') || ASKS.some(([, pattern]) => pattern.test(q.small)))).sort((a, b) => a.at - b.at);
};

const isFact = (field: string): field is (typeof FACT_KEYS)[number] => (FACT_KEYS as readonly string[]).includes(field);
const missing = (field: Field, { compiled: { facts, board } }: Context): boolean => {
  if (isFact(field)) return facts[field]?.status === 'faltante';
  if (field === 'seleccion') return board.selection.length === 0;
  return ![...board.selection, ...board.list].some((row) => row.kind === 'contact');
};

export const pregunta: Rule = ({ output, narration }, context) => {
  const found: Defect[] = [];
  const { pregunta: asked, intent } = output;
  // Two recipes, or two campaigns, that the message may mean: which of them may always be asked.
  const which = context.clarify.length > 0 || context.worked.some((call) => call.error === 'which_run');
  const required = new Set(context.open.flatMap((skill) => skill.requiere));
  const mayAsk = (field: Field): string | null => {
    if (which) return null;
    if (!missing(field, context)) return 'pregunta.known';
    return context.open.length > 0 && !required.has(field) ? 'pregunta.not_required' : null;
  };
  if (asked) {
    const why = mayAsk(asked.campo);
    if (why) found.push(defect('pregunta', why, `${asked.campo}: ${asked.texto}`, null, 'pregunta'));
    if (!asked.supuesto && FREE_DEFAULT.has(asked.campo) && !which) found.push(defect('pregunta', 'pregunta.default', asked.texto, null, 'pregunta'));
    if ((asked.texto.match(/\?/g) ?? []).length > 1) found.push(defect('pregunta', 'pregunta.one', asked.texto, null, 'pregunta'));
    if (intent.kind === 'encuadre' && intent.falta !== asked.campo) found.push(defect('pregunta', 'pregunta.falta', intent.falta, null, 'intent'));
  } else if (intent.kind === 'encuadre') {
    found.push(defect('pregunta', mayAsk(intent.falta) ?? 'pregunta.object', intent.falta, null, 'intent'));
  }
  const real = questionsOf(narration.raw).filter((q) => !(OFFERS.test(q.small) && !OPEN_ENDED.test(q.small)) && !OPEN_ENDED.test(q.small));
  let own = 0;
  for (const question of real) {
    const fields = ASKS.filter(([, pattern]) => pattern.test(question.small)).map(([field]) => field);
    const lazy = fields.find((field) => !(field === asked?.campo) && !which && !missing(field, context));
    if (lazy) found.push(defect('pregunta', 'pregunta.known', question.text, question.at));
    else if (!asked) found.push(defect('pregunta', 'pregunta.object', question.text, question.at));
    else if (++own > 1 || (fields.length > 0 && !fields.includes(asked.campo))) found.push(defect('pregunta', 'pregunta.one', question.text, question.at));
  }
  return found;
};
