import { SKILLS } from '../../contracts/states.js';
import { OFFERS, OPEN_ENDED } from './fields.js';
import { questionsOf } from './pregunta.js';
import { defect, type Context, type Defect, type Rule } from './rule.js';

/** A close carries one concrete next action as an object, and no open question in its place. */

const GENERIC = /^(?:continuar|siguiente|mas|más|ok|aceptar|listo|ver más|continue|next|more|go|done|accept)[.!]?$/i;

const reachable = (context: Context, kind: string, target: string): boolean => {
  switch (kind) {
    case 'skill':
      return (
        (SKILLS as readonly string[]).includes(target) ||
        context.open.some((skill) => skill.name === target || skill.siguiente.includes(target))
      );
    case 'decision':
      return context.known.anchors.has(`decision:${target.replace(/^decision:/, '')}`);
    case 'campana':
      return context.known.anchors.has(`run:${target.replace(/^run:/, '')}`);
    case 'enlace':
      return /^\/(?!\/)\S*$/.test(target);
    default:
      return true;
  }
};

export const siguiente: Rule = ({ output, narration }, context) => {
  const found: Defect[] = [];
  const next = output.siguiente;
  if (!next) {
    if (output.intent.kind !== 'encuadre') found.push(defect('siguiente', 'siguiente.missing', output.intent.kind, null, 'siguiente'));
  } else {
    if (/[?¿]/.test(next.label) || GENERIC.test(next.label.trim()))
      found.push(defect('siguiente', 'siguiente.concrete', next.label, null, 'siguiente'));
    if (!reachable(context, next.kind, next.target))
      found.push(defect('siguiente', 'siguiente.target', `${next.kind}: ${next.target}`, null, 'siguiente'));
  }
  for (const question of questionsOf(narration.raw)) {
    if (OPEN_ENDED.test(question.small) || (!next && OFFERS.test(question.small)))
      found.push(defect('siguiente', 'siguiente.open_question', question.text, question.at));
  }
  return found;
};
