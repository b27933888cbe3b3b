import type { TurnOutput } from '../../contracts/turn.js';
import { at, close, inWords, needs, nextLink, nextMessage, reply, type Turn } from './answer.js';
import { showPending } from './cards.js';
import { call, type Steps } from './follow.js';

const GREETING =
  /^\W*(?:hola+|holi|buen[oa]s?(?:\s+(?:dias|tardes|noches))?|buen dia|que tal|que onda|hey|hi|hello|good (?:morning|afternoon))\b/;
const THANKS = /^\W*(?:(?:muchas |mil )?gracias|thank(?:s| you)|perfecto|excelente|genial|super|ya quedo|great|nice)\b/;
const BALANCE =
  /\b(?:saldos?|creditos?|consultas?|balance|credits?|queries|cuantos contactos me (?:quedan|sobran)|me quedan|me sobran|left)\b/;
const YES =
  /^\W*(?:si|sip|sii+|dale|va|sale|ok|okey|okay|yes|yep|adelante|apruebal[oa]s?|aprueba|aprobado|confirmo|hazlo|revela(?:los|las)?(?: todos| todas)?|go ahead|do it|approve(?: it)?|arranca|empieza|acepto)\b/;
const NO = /^\W*(?:no(?: gracias)?|nel|mejor no|rechaza(?:lo|la)?|decline|no thanks)\W*$/;
const HELP =
  /\b(?:ayuda|que (?:puedes|sabes) hacer|que haces|como funciona|para que sirves|como te uso|quien eres|help|what can you do|who are you|modelo|model)\b/;
/** Would put something on the table or on a card. */
const PROPOSES =
  /\b(?:guarda|guard[ae]\w*|consigue\w*|revela\w*|manda\w*|escribe\w*|arma\w*|campana|llegar a|save|reveal|start|campaign|borradores|secuencia|contactos)\b/;
const SETTINGS = /\b(?:contrasena|password|factura|invoice|configuracion|settings|idioma|language|usuario|plan de pago|suscripcion)\b/;

/** Nothing of the recipes is asked for: greets, tells balances and limits, or says what it can do, with examples. */
export const smallTalk = function* (turn: Turn): Steps<TurnOutput> {
  const {
    reading: { flat },
    say,
    view,
    language,
  } = turn;
  const { balances } = view.summary;
  const examples = say('talk.examples');
  const next = nextMessage(say('talk.example_label'), say('talk.example'));
  if (view.routed.decision === 'clarify' && view.routed.options.length > 0) {
    const options = view.routed.options.slice(0, 3).map((one) => one.label);
    return needs('tema', say('talk.which', { options: options.join(say('common.or')) }), options[0] ?? null, {
      narration: [say('talk.which_why')],
      siguiente: nextMessage(options[0] ?? say('talk.example_label'), options[0] ?? say('talk.example')),
    });
  }
  if (YES.test(flat) && flat.trim().split(/\s+/).length <= 6 && view.board.pending.length > 0)
    return yield* showPending(turn, say('card.text_is_no_tap'));
  if (NO.test(flat) && view.board.pending.length > 0) return yield* showPending(turn, say('card.no_by_tap'));
  if (BALANCE.test(flat)) {
    // The figures of the board, with its anchor.
    const board = yield* call('board_read');
    const ref =
      board.ok && board.result !== null && typeof board.result === 'object' && typeof (board.result as { ref?: unknown }).ref === 'string'
        ? at((board.result as { ref: string }).ref)
        : '';
    return reply({
      narration: [
        say('talk.balances', { ref, credits: balances.credits, queries: balances.queries }),
        balances.credits <= 0 ? say('talk.no_credits') : '',
        balances.queries <= 0 ? say('talk.no_queries') : '',
      ],
      siguiente: balances.credits <= 0 || balances.queries <= 0 ? nextLink(say('common.top_up_label'), '/configuracion/creditos') : next,
    });
  }
  if (view.board.pending.length > 0 && PROPOSES.test(flat)) return yield* showPending(turn, say('card.first_this'));
  if (SETTINGS.test(flat))
    return reply({
      narration: [say('talk.settings'), say('talk.settings_way_out')],
      siguiente: nextLink(say('talk.settings_label'), '/configuracion'),
    });
  if (THANKS.test(flat))
    return reply({
      narration: [say('talk.thanks')],
      siguiente: view.board.list.length > 0 ? nextMessage(say('buscar.save_label_plain'), say('buscar.save')) : next,
    });
  if (HELP.test(flat)) return reply({ narration: [say('talk.who'), examples, say('talk.no_model')], siguiente: next });
  if (GREETING.test(flat) && flat.trim().split(/\s+/).length <= 6) {
    const open = view.runs.length;
    return reply({
      narration: [say('talk.hello'), open > 0 ? say('talk.open_runs', { n: open, words: inWords(open, language) }) : '', examples],
      siguiente: open > 0 ? nextMessage(say('campana.status_label'), say('campana.status_message')) : next,
    });
  }
  if (YES.test(flat) && flat.trim().split(/\s+/).length <= 4)
    return close({ partial: true, narration: [say('card.no_pending'), examples], siguiente: next });
  return reply({ narration: [say('talk.not_this'), examples, say('talk.no_model')], siguiente: next });
};
