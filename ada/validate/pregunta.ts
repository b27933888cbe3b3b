import { flat } from '../anchors.js';
import { FACT_KEYS } from '../../contracts/turn.js';
import { ASKS, FREE_DEFAULT, OFFERS, OPEN_ENDED, type Field } from './fields.js';
import { defect, done, rowsOf, type Context, type Defect, type Rule } from './rule.js';

/** One question at most, and only for what is missing and the open recipe needs. */

const QUOTED = /«[^»]*»|“[^”]*”|"[^"]*"/g;
export interface Question {
  text: string;
  at: number;
  small: string;
}

/** Questions of a text, in marks or as a demand («dime el giro»), those quoted from somebody aside. */
export const questionsOf = (text: string): Question[] => {
  const open = text.replace(QUOTED, (all) => ' '.repeat(all.length));
  const asked = [...open.matchAll(/¿[^?\n]*\??|[^.!?¿\n]*\?/g)].map((m) => ({ text: m[0], at: m.index }));
  const demands = [
    ...open.matchAll(
      /(?<!\p{L})(?:dime|ind[ií]came|conf[ií]rmame|especif[ií]came|comp[aá]rteme|necesito (?:saber|que me (?:digas|indiques|confirmes|compartas))|me (?:dices|indicas|confirmas|compartes)|tell me|please (?:provide|specify|tell me)|i need to know)(?! si\b)[^.!?\n]*/giu,
    ),
  ].map((m) => ({ text: m[0], at: m.index }));
  const all = [...asked, ...demands.filter((d) => !asked.some((q) => d.at >= q.at && d.at < q.at + q.text.length))].map((q) => ({
    ...q,
    text: q.text.trim(),
    small: flat(q.text.trim()).replace(/^¿\s*/, ''),
  }));
  return all
    .filter((q) => /\p{L}/u.test(q.text) && (q.text.includes('?') || ASKS.some(([, pattern]) => pattern.test(q.small))))
    .sort((a, b) => a.at - b.at);
};

const aboutCampaigns = (text: string): boolean => ASKS.some(([field, pattern]) => field === 'campana' && pattern.test(flat(text)));
const isFact = (field: string): field is (typeof FACT_KEYS)[number] => (FACT_KEYS as readonly string[]).includes(field);
/** Two records under one name, found by that name in this turn: who is meant is not known, whatever was said. */
const twoAlike = (context: Context): boolean =>
  done(context, /^collection_query$/).some(
    ({ args, result }) => args['op'] === 'query' && typeof args['text'] === 'string' && rowsOf(result) > 1,
  );
const missing = (field: Field, context: Context): boolean => {
  const { facts, board, runs = [] } = context.compiled;
  if (field === 'cuenta' && twoAlike(context)) return true;
  if (isFact(field)) return facts[field]?.status === 'faltante';
  if (field === 'seleccion') return board.selection.length === 0;
  if (field === 'campana') return runs.length > 1;
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
    // Which of several open campaigns is nobody's requirement: it is asked of any of them.
    return context.open.length > 0 && !required.has(field) && field !== 'campana' ? 'pregunta.not_required' : null;
  };
  // Whatever field it is filed under, a question about several open campaigns is that one.
  const several = missing('campana', context);
  const about = asked === null ? null : several && aboutCampaigns(asked.texto) ? 'campana' : asked.campo;
  if (asked && about) {
    const why = mayAsk(about);
    if (why) found.push(defect('pregunta', why, `${asked.campo}: ${asked.texto}`, null, 'pregunta'));
    if (!asked.supuesto && FREE_DEFAULT.has(about) && !which)
      found.push(defect('pregunta', 'pregunta.default', asked.texto, null, 'pregunta'));
    if ((asked.texto.match(/\?/g) ?? []).length > 1) found.push(defect('pregunta', 'pregunta.one', asked.texto, null, 'pregunta'));
    if (intent.kind === 'encuadre' && intent.falta !== asked.campo)
      found.push(defect('pregunta', 'pregunta.falta', intent.falta, null, 'intent'));
  } else if (intent.kind === 'encuadre') {
    found.push(defect('pregunta', mayAsk(intent.falta) ?? 'pregunta.object', intent.falta, null, 'intent'));
  }
  const real = questionsOf(narration.raw).filter((q) => !(OFFERS.test(q.small) && !OPEN_ENDED.test(q.small)) && !OPEN_ENDED.test(q.small));
  let own = 0;
  for (const question of real) {
    const fields =
      several && aboutCampaigns(question.text)
        ? ['campana' as const]
        : ASKS.filter(([, pattern]) => pattern.test(question.small)).map(([field]) => field);
    const lazy = fields.find((field) => field !== about && !which && !missing(field, context));
    if (lazy) found.push(defect('pregunta', 'pregunta.known', question.text, question.at));
    else if (!asked) found.push(defect('pregunta', 'pregunta.object', question.text, question.at));
    else if (++own > 1 || (about !== null && fields.length > 0 && !fields.includes(about)))
      found.push(defect('pregunta', 'pregunta.one', question.text, question.at));
  }
  return found;
};
