import { flat } from '../anchors.js';
import { withOwn } from '../harvest.js';
import { defect, type Context, type Defect, type Rule } from './rule.js';

/** What costs is proposed with its price, the balance and what is left; the three agree. */

/** Recipes that end in a charge, whether open or not. */
const CHARGES: ReadonlySet<string> = new Set(['conseguir-contactos', 'campana']);
const PAID_DECISIONS: ReadonlySet<string> = new Set(['revelar_contactos', 'ajustar_presupuesto']);
const STARTS = /\b(?:empezar|arrancar|iniciar|lanzar|comenzar|revelar|aprobar|start|launch|begin|reveal|approve)\b/;

const paid = (context: Context, kind: string, target: string, label: string): boolean => {
  const small = flat(label);
  switch (kind) {
    case 'skill':
      return (
        CHARGES.has(target) ||
        context.open.some((skill) => skill.name === target && skill.costo === 'creditos') ||
        /\d\s*(?:creditos?|consultas?|credits?|quer(?:y|ies))/.test(small)
      );
    case 'decision': {
      const id = target.replace(/^decision:/, '');
      const pending =
        context.compiled.board.pending.find((one) => one.decision_id === id)?.kind ??
        (context.tabled.decision?.id === id ? context.tabled.decision.kind : null);
      return pending !== null && PAID_DECISIONS.has(pending);
    }
    case 'campana':
      return STARTS.test(small);
    default:
      return /\brevelar|\breveal|\d\s*(?:creditos?|consultas?|credits?|quer(?:y|ies))\b/.test(small);
  }
};

/** Steps that would be paid, as narrations offer them. */
const OFFER =
  /(?:\b(?:revelar(?:la|lo|las|los)?|desbloquear(?:la|lo|las|los)?|reveal(?:ing)?|unlock(?:ing)?)\b|\b(?:cuesta|cuestan|costaria|costarian|costara|costaran|gastaria|gastarias|usaria|usarian|costs?|would (?:cost|use))\b[^.]*\b(?:creditos?|consultas?|credits?|quer(?:y|ies))\b)/g;
const NOT_OFFERED =
  /(?:\bno\b|\bsin\b|\bnada\b|\bnunca\b|\bnot\b|\bnever\b|\bwithout\b|n't|\bantes de\b|\bbefore\b|\bgratis\b|\bfree\b|\bya\b|\balready\b|\bal\b)[^.,;:]{0,24}$/;
const PRICE =
  /\d[\d,.]*\s*(?:creditos?|consultas?|credits?|quer(?:y|ies))|\b(?:un|una|one) (?:credito|consulta|credit|query)|\b(?:cuesta|cuestan|precio|costs?|price)\b/;
const BALANCE = /\b(?:tienes|saldo|hay|con tus|de tus|balance|you have|of your)\b/;
const LEFT = /\b(?:quedan?|quedarian?|quedarias|sobran?|te quedas|left|remain(?:s|ing)?)\b/;

const figures = (context: Context, kind: string): number[] =>
  withOwn(context.known, { message: '', facts: context.compiled.facts, balances: context.compiled.balances })
    .figures.filter(
      (f) => f.optional && (f.unit === kind || f.unit === null || f.key === kind || f.unit === 'credits' || f.unit === 'queries'),
    )
    .map((f) => f.value);

export const costo: Rule = ({ output, narration }, context) => {
  const found: Defect[] = [];
  const next = output.siguiente;
  if (next && !next.cost && paid(context, next.kind, next.target, next.label))
    found.push(defect('costo', 'costo.missing', next.label, null, 'siguiente'));
  if (next?.cost) {
    const { kind, price, balance, left } = next.cost;
    const shown = `${price} · ${balance} · ${left}`;
    if (price < 0 || balance < 0 || left !== Math.max(0, balance - price))
      found.push(defect('costo', 'costo.sum', shown, null, 'siguiente'));
    else if (price > balance) found.push(defect('costo', 'costo.over', shown, null, 'siguiente'));
    // The balance is the one known, less what this turn itself used, or one that a result or a card says.
    const used = context.worked.filter((call) => /^(?:company|people)_search$/.test(call.name)).length;
    const own = context.compiled.balances[kind];
    if (!(balance <= own && balance >= own - used) && !figures(context, kind).includes(balance))
      found.push(defect('costo', 'costo.balance', String(balance), null, 'siguiente'));
  }
  const small = flat(narration.masked);
  const complete = PRICE.test(small) && BALANCE.test(small) && LEFT.test(small);
  if (!complete && !next?.cost && !context.tabled.decision) {
    for (const match of small.matchAll(OFFER)) {
      if (
        NOT_OFFERED.test(small.slice(Math.max(0, match.index - 32), match.index)) ||
        /^[^.]{0,20}\b(?:gratis|no cuesta|free)\b/.test(small.slice(match.index))
      )
        continue;
      found.push(defect('costo', 'costo.narrated', narration.raw.slice(match.index, match.index + match[0].length), match.index));
      break;
    }
  }
  return found;
};
