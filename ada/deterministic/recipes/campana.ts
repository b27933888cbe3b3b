import type { RunSummary } from '../../../contracts/api.js';
import { AS_CHOSEN } from '../../../contracts/states.js';
import type { BoardRow, TurnOutput } from '../../../contracts/turn.js';
import { onlyAffirms } from '../../affirmation.js';
import { controlIn } from '../../understand/controls.js';
import { EVERYWHERE } from '../../understand/index.js';
import { wishOf } from '../../understand/wishes.js';
import { placesIn } from '../../understand/places.js';
import { areaIn, labelOfArea } from '../../understand/roles.js';
import { same, stems } from '../../understand/text.js';
import { fromEnglish, tradeOf } from '../../understand/trades.js';
import { ASKING, COMPANIES, PEOPLE, remains } from '../../understand/words.js';
import { at, close, inPlace, needs, nextMessage, question, quoted, turnOf, type Turn } from '../answer.js';
import { nextCard, priceOf, runOf, showPending, startCampaign, type RunView } from '../cards.js';
import { call, type Steps } from '../follow.js';
import { fromCrm, OWN_ACCOUNTS } from './conseguir-contactos.js';
import { sizeOf } from './buscar-empresas-y-proveedores.js';

type Action = 'pause' | 'resume' | 'cancel' | 'replan' | 'status' | 'yes' | 'new';
const USUAL = { cuentas: 50, cargo: 'compras' };
/** Accounts that one campaign takes. */
const MOST = 5_000;

const GROWS =
  /\b(?:sub[ei](?:le|la|lo|mos|r|rle)?|aument\w*|ampli\w*|agranda\w*|agreg\w*|anad\w*|sum\w*|crec\w*|extiend\w*|met\w*|hazla? de|que sean|sea de|que llegue a|ponle|llevala a|increase|raise|add|extend|expand|bump|grow|bigger|larger|make it)\b/;
/** "Treinta más": on top of what it has. */
const ON_TOP = /\b\w+\s+(?:\w+\s+)?mas\b|\bmas\s+(?:cuentas|empresas|personas)|\botr[oa]s\s+\d+|\b(?:another|more)\b/;
/** A change of how many or of whom, in so many words. */
const CHANGES =
  /\b(?:mejor|solo|solamente|bajal[ae]|baja(?:la)?|reduce(?:la)?|que sean|en vez de|en lugar de|deja(?:la|lo|mela)?|menos|son muchos|son muchas|cambia(?:l[aeo]|r)?|ajusta(?:la)?|fewer|only|instead|just|nomas|recorta(?:la)?)\b/;
/** The campaign by its name; what else a count or a role may be of; words that ask and order nothing. */
const OF_CAMPAIGN = /\b(?:campanas?|prospeccion|campaign|outreach)\b/;
const OF_SOMETHING =
  /\b(?:correos?|contactos?|mails?|emails?|secuencias?|cadencias?|borradores?|toques|mensajes?|textos?|listas?|listado|tabla|columnas?|filas|resultados|proveedor\w*|licitaci\w*|contratos?|adjudic\w*|crm|pipeline|embudo|playbook|etapas?|fichas?|suppliers?|tenders?|contacts?|drafts?|messages?|rows|results)\b/;
const ASKS =
  /^\W*(?:y\s+)?(?:dime|cuant\w+|quien\w*|que (?!(?:la |las |el |los |esta |esa |solo |nomas )?(?:\w+ )?sean?\b)|cual\w*|como\s|donde|how|who|what|which|when)/;
/** A market question was the last thing asked: a number without more ("solo 10") is of its list. */
const afterMarket = ({ view }: Turn): boolean => {
  const last = view.past.at(-1)?.message;
  const wish = last === undefined ? null : wishOf(same(last));
  return wish !== null && wish !== 'campana';
};
/** How many or whom the campaign is to reach instead; false where that is said of something else. */
const replans = (turn: Turn): boolean => {
  const { flat, cantidad, cargo, giro, estado, comprador, cuenta, given } = turn.reading;
  if (cantidad === null && cargo === null) return false;
  if (!(CHANGES.test(flat) || (cantidad !== null && GROWS.test(flat))) || ASKS.test(flat)) return false;
  if (OF_CAMPAIGN.test(flat)) return !ARMS.test(flat);
  const wish = wishOf(flat);
  return (
    (wish === null || wish === 'campana') &&
    !OF_SOMETHING.test(flat) &&
    (giro === null || (cargo !== null && areaIn(same(giro)) === cargo)) &&
    estado === null &&
    comprador === null &&
    !(cuenta !== null && /\p{Lu}/u.test(cuenta.slice(0, 1)) && given.indexOf(cuenta) > 0) &&
    !afterMarket(turn)
  );
};
/** Something else is made for the campaign. */
const ARMS =
  /\b(?:otra|nueva|another|new)\s+(?:campana|campaign|secuencia|lista)\b|\b(?:arma|haz|redacta|escrib|prepara|busca|dame|consig|guarda)\w*\b.*\bpara (?:la|esta|esa|mi) campana\b/;
/** What the message wants of a campaign. */
export const actionOf = (turn: Turn): Action => {
  const { flat } = turn.reading;
  // A yes names no control: after a pause «sí, dale» goes on with nothing.
  if (onlyAffirms(turn.view.message)) return 'yes';
  const open = turn.view.runs.length > 0;
  // Another one is asked for in so many words.
  const anew =
    !/\b(?:sube|agrega|aumenta|pon|mete|suma|anade)l[ea]\b/.test(flat) &&
    !/\b(?:la|esta|esa|mi|the|this) (?:campana|prospeccion|campaign)\b(?! (?:para|de|con|for)\b)/.test(flat) &&
    /\b(?:prospecta\w*|llegar(?:le)? a|lanza\w*|arma\w*|hazme|empieza una|nueva campana|otra campana|new campaign|i want to reach|reach \d+)\b/.test(
      flat,
    );
  const control = controlIn(flat);
  if (control === 'cancel' || control === 'pause') return control;
  if (/\b(?:no|ni)\s+(?:la\s+|lo\s+)?(?:pauses|canceles|pares|detengas)\b/.test(flat)) return 'status';
  // More than it was agreed for is what a plan in course cannot take, and is told so.
  if (open && !anew && replans(turn)) return 'replan';
  if (control !== null) return control;
  if (anew) return 'new';
  if (
    /\b(?:como va|como ve|en que va|en que anda|en que quedo|que le falta|que falta|cuantos llevas|cuanto llevas|cuantas llevas|cuanto lleva|ya mero|ya acab|avance|status|estado de la|progreso|que salio mal|que paso con|cuales quedaron|sin persona|a cuantas|how far|how is|how's|progress|where are we|terminaste|ya quedo)/.test(
      flat,
    ) ||
    (/\b(?:sig[ua]e|continua|retoma|resume)/.test(flat) && OF_CAMPAIGN.test(flat))
  )
    return 'status';
  if (
    /^(?:si|sip|dale|va|sale|ok|okey|yes|adelante|apruebal[oa]|aprob|hazlo|go ahead|do it)\b/.test(flat.trim()) &&
    flat.trim().split(/\s+/).length <= 5
  )
    return 'yes';
  return 'new';
};

/** A campaign: its cost first, then its start, its state and its control. Nothing here approves anything. */
export const campana = function* (turn: Turn): Steps<TurnOutput> {
  const { view, say } = turn;
  const action = actionOf(turn);
  if (action === 'yes') {
    const [open, other] = view.board.pending.length > 0 ? [] : runMeant(turn);
    return open
      ? yield* status(turn, open.run_id, other !== undefined)
      : yield* showPending(turn, view.board.pending.length > 0 ? say('card.text_is_no_tap') : '');
  }
  if (LIMITS.test(turn.reading.flat) && turn.reading.giro === null) return yield* notHere(turn);
  // The answer to "which of them".
  const chooses = view.runs.length > 1 && (view.asked === 'seleccion' || view.asked === 'campana');
  const before = chooses && action === 'new' ? view.past.at(-1)?.message : undefined;
  if (before !== undefined) {
    // It is done to the one that was chosen.
    const wanted = turnOf({ ...view, message: before }, turn.now);
    const [chosen, other] = runMeant(turn);
    const act = actionOf(wanted);
    if (chosen && !other && act !== 'new' && act !== 'yes' && act !== 'status')
      return yield* control(
        { ...turn, reading: { ...turn.reading, cantidad: wanted.reading.cantidad, cargo: wanted.reading.cargo } },
        chosen,
        act,
      );
  }
  if (
    action === 'new' &&
    !chooses &&
    (STARTS.test(turn.reading.flat) || (view.runs.length === 0 && view.board.plan === null) || view.asked !== null)
  )
    return yield* begin(turn);
  if (action === 'new' && view.runs.length === 0 && view.board.plan !== null) return yield* status(turn, view.board.plan.run_id, false);
  const meant = runMeant(turn);
  if (meant.length === 0) {
    if (view.board.plan) return yield* status(turn, view.board.plan.run_id, false);
    return close({
      partial: true,
      narration: [say('campana.none_open')],
      siguiente: nextMessage(say('campana.example_label'), say('campana.example')),
    });
  }
  const [run] = meant;
  if (!run) return yield* begin(turn);
  const several = meant.length > 1;
  if (action === 'status' || action === 'new') {
    const found = yield* status(turn, run.run_id, false);
    // Which of them is asked, and meanwhile the newest is told.
    return several && found.intent.kind !== 'encuadre'
      ? {
          ...found,
          narration: `${say('campana.several', { n: meant.length })} ${found.narration}`,
          pregunta: question('seleccion', say('campana.which', { names: namesOf(turn, meant) }), quoted(run.objetivo, 70)),
        }
      : found;
  }
  // "Sigue con la campaña": it goes on by itself unless somebody paused it.
  if (action === 'resume' && run.state !== 'paused' && !several) return yield* status(turn, run.run_id, false);
  if (several) {
    // Two could be meant: nothing is stopped on a guess. Asked without a name, the control says so and touches none.
    yield* call('campana_control', {
      action,
      ...(action === 'replan' && turn.reading.cantidad !== null ? { cuentas: turn.reading.cantidad } : {}),
      ...(action === 'replan' && turn.reading.cargo !== null ? { cargo: turn.reading.cargo } : {}),
    });
    return needs('seleccion', say('campana.which', { names: namesOf(turn, meant) }), `«${quoted(run.objetivo, 70)}»`, {
      narration: [say('campana.which_why', { ref: at(`run:${run.run_id}`), n: meant.length })],
      siguiente: nextMessage(say(`campana.do.${action}`), say(`campana.do_message.${action}`, { name: quoted(run.objetivo, 80) })),
    });
  }
  return yield* control(turn, run, action);
};

/** What starts another one, in so many words. */
const STARTS =
  /\b(?:campana|campaign|prospect\w*|llegar(?:le)?|alcanzar|contactar|leads?|proceso|reuniones|citas|personas|cuentas|empresas|compradores|gerentes|directores|reach|outreach|companies|people|otra|nueva)\b/;
/** Mode and caps are on the card, not in the chat. */
const LIMITS =
  /\b(?:en |modo )?automatic[oa]\b|\btopes?\b|\b(?:limite|maximo) de (?:gasto|creditos|consultas)\b|\bgast\w+ (?:hasta|maximo|a lo mas|no mas de)\b|\bsin preguntar(?:me|nos)?\b|\bautomatic(?:ally)?\b|\bspend up to\b|\bwithout asking\b/;
const notHere = function* (turn: Turn): Steps<TurnOutput> {
  const { say, view } = turn;
  if (view.board.pending.length > 0) return yield* showPending(turn, say('campana.on_the_card'));
  const [run] = runMeant(turn);
  if (run) {
    const found = yield* status(turn, run.run_id, false);
    return { ...found, narration: `${say('campana.on_the_card')} ${found.narration}` };
  }
  return close({
    partial: true,
    narration: [say('campana.on_the_card')],
    siguiente: nextMessage(say('campana.example_label'), say('campana.example')),
  });
};

const namesOf = (turn: Turn, runs: readonly RunSummary[]): string =>
  runs
    .slice(0, 3)
    .map((one) => `«${quoted(one.objetivo, 70)}»`)
    .join(turn.say('common.or'));
/** Open campaigns that the message may mean: the one it names, else all; newest first. */
const runMeant = (turn: Turn): RunSummary[] => {
  const { runs } = turn.view;
  if (runs.length < 2) return runs;
  if (/\b(?:la ultima|la mas nueva|la nueva|the last|latest|newest)\b/.test(turn.reading.flat)) return runs.slice(0, 1);
  const said = new Set(stems(turn.reading.given));
  const common = new Set(['campan', 'compr', 'persona', 'empresa', 'cuenta', 'la', 'el', 'de', 'en', 'con']);
  const scored = runs.map((run) => ({
    run,
    hits: stems(run.objetivo).filter((word) => word.length > 2 && !common.has(word) && !/^\d+$/.test(word) && said.has(word)).length,
  }));
  const best = Math.max(...scored.map((one) => one.hits));
  return best > 0 ? scored.filter((one) => one.hits === best).map((one) => one.run) : runs;
};

const status = function* (turn: Turn, runId: string, several: boolean): Steps<TurnOutput> {
  const { say, view } = turn;
  const got = yield* call('campana_status', { run_id: runId });
  const run = got.ok ? runOf(got.result) : null;
  if (!run)
    return close({
      partial: true,
      narration: [say(got.code === 'not_found' || got.code === 'run_not_found' ? 'campana.not_found' : 'common.failed')],
      siguiente: nextMessage(say('common.again'), view.message),
    });
  return closeRun(
    turn,
    run,
    several
      ? say('campana.other_too', {
          names: view.runs
            .filter((one) => one.run_id !== runId)
            .slice(0, 2)
            .map((one) => `«${quoted(one.objetivo, 70)}»`)
            .join(say('common.or')),
        })
      : '',
  );
};

/** Where a campaign is, with its denominator, what it waits for and of whom; one thing to do. */
const closeRun = (turn: Turn, run: RunView, lead: string): TurnOutput => {
  const { say } = turn;
  const ref = at(run.ref);
  const card = run.decisions.find((one) => one.state === 'open' && one.kind !== 'revisar_secuencia');
  const missing = run.counts.not_found + run.counts.failed;
  // They chose fewer, and have them: nothing is missing.
  const asChosen = run.state === 'completed_partial' && run.reason === AS_CHOSEN;
  const began = run.counts.done > 0 || run.pasos.some((paso) => paso.status === 'done' || paso.status === 'running');
  const final = ['completed', 'completed_partial', 'canceled', 'failed'].includes(run.state);
  return close({
    partial: missing > 0 || (run.state === 'completed_partial' && !asChosen),
    narration: [
      lead,
      say(`campana.state.${asChosen ? 'as_chosen' : STATES.has(run.state) ? run.state : 'running'}`, {
        ref,
        name: quoted(run.objetivo, 80),
      }),
      began && !asChosen ? say('campana.progress', { ref, done: run.counts.done, total: run.counts.total }) : '',
      run.contacts.captured > 0 ? say('campana.contacts', { ref, n: run.contacts.captured, drafted: run.contacts.drafted }) : '',
      missing > 0 ? say('campana.missing', { ref, n: missing }) : '',
      run.contacts.unconfirmed > 0 ? say('campana.unconfirmed') : '',
      card ? priceOf(turn, card, Math.max(run.counts.total, 1)) : '',
      card ? say('card.only_a_tap_short') : '',
    ],
    refs: [run.ref],
    siguiente: card
      ? nextCard(turn, card)
      : run.state === 'paused'
        ? nextMessage(say('campana.do.resume'), say('campana.do_message.resume', { name: quoted(run.objetivo, 80) }))
        : final
          ? nextMessage(say('campana.example_label'), say('campana.example'))
          : { kind: 'campana', label: say('campana.follow_label'), target: run.run_id, cost: null },
  });
};
const STATES = new Set([
  'ready',
  'running',
  'waiting_decision',
  'waiting_external',
  'paused',
  'stopping',
  'completed',
  'completed_partial',
  'canceled',
  'failed',
]);

const control = function* (turn: Turn, run: RunSummary, action: Exclude<Action, 'status' | 'yes' | 'new'>): Steps<TurnOutput> {
  const { reading, say } = turn;
  const cargo = action === 'replan' ? reading.cargo : null;
  const cuentas =
    action === 'replan' && reading.cantidad !== null
      ? GROWS.test(reading.flat) && ON_TOP.test(reading.flat)
        ? run.counts.total + reading.cantidad
        : reading.cantidad
      : null;
  if (action === 'replan' && cuentas !== null && cuentas > run.counts.total) {
    return close({
      partial: true,
      narration: [say('campana.only_less', { ref: at(`run:${run.run_id}`), total: run.counts.total })],
      siguiente: nextMessage(say('campana.another_label'), another(turn, run, Math.min(MOST, cuentas - run.counts.total))),
    });
  }
  const done = yield* call('campana_control', {
    run_id: run.run_id,
    action,
    ...(cuentas === null ? {} : { cuentas }),
    ...(cargo === null ? {} : { cargo }),
  });
  if (!done.ok) {
    const known = [
      'replan_only_less',
      'run_final',
      'nothing_to_change',
      'not_paused',
      'already_paused',
      'run_not_found',
      'not_found',
      'which_run',
      'no_open_run',
    ].includes(done.code ?? '')
      ? done.code
      : 'other';
    return close({
      partial: true,
      narration: [say(`campana.fault.${known}`)],
      siguiente: nextMessage(say('campana.status_label'), say('campana.status_message')),
    });
  }
  // What it is now, with its new card if there is one.
  const again = yield* call('campana_status', { run_id: run.run_id });
  const after = runOf(again.ok ? again.result : done.result);
  const lead =
    action === 'replan'
      ? say(cuentas !== null ? 'campana.replanned.fewer' : 'campana.replanned.role', {
          ref: at(`run:${run.run_id}`),
          n: cuentas ?? 0,
          cargo: quoted(labelOfArea(cargo ?? '', turn.language)),
        })
      : say(`campana.did.${action}`);
  if (!after)
    return close({
      narration: [lead],
      refs: [`run:${run.run_id}`],
      siguiente: nextMessage(say('campana.status_label'), say('campana.status_message')),
    });
  if (action === 'pause')
    return close({
      narration: [
        lead,
        after.counts.done > 0 ? say('campana.progress', { ref: at(after.ref), done: after.counts.done, total: after.counts.total }) : '',
      ],
      refs: [after.ref],
      siguiente: nextMessage(say('campana.do.resume'), say('campana.do_message.resume', { name: quoted(run.objetivo, 80) })),
    });
  if (action === 'cancel')
    return close({
      narration: [lead, say('campana.canceled_note')],
      refs: [after.ref],
      siguiente: nextMessage(say('campana.example_label'), say('campana.example')),
    });
  return closeRun(turn, after, lead);
};

/** Another campaign for those that do not fit, about the same. */
const another = (turn: Turn, run: RunSummary, n: number): string => {
  const { say, view } = turn;
  // Of a campaign only its title is known here: its trade, where the conversation does not know one.
  const giro =
    view.facts.giro.value ??
    run.objetivo
      .split(' · ')
      .map((part) => part.trim())
      .find((part) => tradeOf(part) !== null) ??
    null;
  const estado = view.facts.estado.value ?? placesIn(same(run.objetivo))[0]?.name ?? null;
  return giro
    ? say('campana.another_of', {
        n,
        giro: quoted(giro, 60),
        where: estado && estado !== EVERYWHERE ? inPlace(turn, estado) : say('common.everywhere'),
      })
    : say('campana.another', { n });
};

const isCompany = (row: BoardRow): boolean => row.kind === 'company';
export const accountOf = (row: BoardRow): { ref: string; name: string; rfc?: string; domain?: string } => ({
  ref: row.id,
  name: [...row.name].slice(0, 300).join(''),
  ...(row.rfc ? { rfc: row.rfc } : {}),
  ...(row.domain ? { domain: row.domain } : {}),
});

const begin = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  if (view.board.pending.length > 0) return yield* showPending(turn, say('card.first_this'));
  const own =
    reading.selected ||
    /\b(?:ya tengo las (?:cuentas|empresas)|(?:con|a|para) (?:estas|esas|las que|mis cuentas)|las que (?:elegi|marque|seleccione|guardamos|guarde)|estas (?:empresas|cuentas)|these (?:companies|accounts)|selected)\b/.test(
      reading.flat,
    );
  const rows = (view.board.selection.length > 0 ? view.board.selection : view.board.list).filter(isCompany);
  const hasta = hastaOf(reading.flat);
  const cargo = turn.known('cargo');
  const estado = reading.everywhere ? null : (reading.estado ?? (reading.giro === null ? view.facts.estado.value : null));
  const where = estado && estado !== EVERYWHERE ? estado : null;
  const giro = aboutCampaign(turn) ?? reading.giro ?? view.facts.giro.value ?? (own && rows.length > 0 ? view.facts.producto.value : null);
  if (OWN_ACCOUNTS.test(reading.flat) && !reading.selected) {
    const accounts = (yield* fromCrm(turn)).map((one) => ({
      ref: one.company,
      name: [...one.name].slice(0, 300).join('') || one.company,
      ...(one.rfc ? { rfc: one.rfc } : {}),
      ...(one.domain ? { domain: one.domain } : {}),
    }));
    if (accounts.length > 0) {
      const lead = say('campana.ready', {
        n: accounts.length,
        cargo: quoted(labelOfArea(cargo ?? USUAL.cargo, turn.language)),
        giro: '',
        where: '',
        own: 'yes',
        until: say(`campana.until.${hasta}`),
      });
      return yield* startCampaign(
        turn,
        {
          criteria: { giro: [...(giro ?? 'general')].slice(0, 120).join(''), cargo: cargo ?? USUAL.cargo },
          cuentas: accounts.length,
          desde: 's3',
          hasta,
          accounts,
        },
        lead,
        cargo === null ? question('cargo', say('campana.ask_role'), labelOfArea(USUAL.cargo, turn.language)) : null,
      );
    }
  }
  if (own && rows.length === 0)
    return close({
      partial: true,
      narration: [say('campana.no_accounts')],
      siguiente: nextMessage(say('buscar.example_label'), say('buscar.example')),
    });
  if (!giro && !own)
    return needs('giro', say('campana.ask_giro'), null, {
      narration: [say('campana.need')],
      siguiente: nextMessage(say('campana.example_label'), say('campana.example')),
    });
  const wanted = reading.cantidad ?? (Number(view.facts.cantidad.value) || USUAL.cuentas);
  const cuentas = own ? Math.min(rows.length, reading.cantidad ?? rows.length) : Math.min(MOST, wanted);
  const role = cargo ?? USUAL.cargo;
  const asked =
    cargo === null
      ? question('cargo', say('campana.ask_role'), labelOfArea(USUAL.cargo, turn.language))
      : reading.cantidad === null && view.facts.cantidad.value === null && !own
        ? question('cantidad', say('campana.ask_count'), String(USUAL.cuentas))
        : null;
  const lead = say('campana.ready', {
    n: cuentas,
    cargo: quoted(labelOfArea(role, turn.language)),
    giro: quoted(giro ?? ''),
    where: where ? inPlace(turn, where) : say('common.everywhere'),
    own: own ? 'yes' : 'no',
    until: say(`campana.until.${hasta}`),
  });
  const over = !own && wanted > MOST;
  const made = yield* startCampaign(
    turn,
    {
      criteria: {
        giro: [...(giro ?? 'general')].slice(0, 120).join(''),
        ...(where ? { estado: where } : {}),
        ...sizeOf(reading.tamano),
        cargo: role,
      },
      cuentas,
      desde: own ? (/\bya tengo las|mis cuentas/.test(reading.flat) ? 's3' : 's2') : 's1',
      hasta,
      ...(own ? { accounts: rows.slice(0, cuentas).map(accountOf) } : {}),
    },
    over ? [say('campana.most', { wanted }), lead].join(' ') : lead,
    asked,
  );
  // The others are another campaign: this one is not all that was asked.
  return over && made.intent.kind === 'cierre' ? { ...made, intent: { ...made.intent, variante: 'parcial' } } : made;
};
/** Contacts are asked for, and nothing is to be written to them. */
const CONTACTS_ONLY =
  /\b(?:consig\w+|saca\w*|dame|busca\w*|get|find)\b.*\b(?:contactos?|a los de|al de|correos? de|telefonos?|contacts?)\b/;
const TEXTS =
  /\b(?:borradores?|mensajes?|secuencia|cadencia|escrib\w+|redact\w+|campana|prospect\w+|llegar|drafts?|sequence|write|campaign|correos listos|(?:prepar|hac|haz|mand|envi|arm|dej)\w*\s+(?:el |los |un |unos |las? |listos? )*(?:correos?|mails?|emails?|textos?))\b/;
const hastaOf = (flat: string): 'cuentas' | 'personas' | 'contactos' | 'borradores' =>
  /\b(?:solo|nomas|unicamente|only|just)\s+(?:las\s+)?(?:empresas|cuentas|companies|accounts)\b/.test(flat)
    ? 'cuentas'
    : /\b(?:sin pagar contactos|dime quien|solo (?:las )?personas|sin revelar)\b/.test(flat)
      ? 'personas'
      : (CONTACTS_ONLY.test(flat) && !TEXTS.test(flat)) ||
          /\b(?:hasta los contactos|solo los contactos|solo (?:hasta )?contactos|sin correos|sin borradores|only (?:the )?contacts)\b/.test(
            flat,
          )
        ? 'contactos'
        : 'borradores';
/** Words about the campaign and whom it is to reach, which are not the trade. */
const ABOUT = new Set(
  'campana campanas campaign prospeccion prospecta prospectar prospectame prospectemos prospecto contactar contacta contactame llegar llegarle llegarles alcanzar alcanza lanza lanzame lanzar arranca arrancame inicia empieza empezar haz hazme arma armame monta montame proceso principio fin inicio completa completo cuentas cuenta leads lead reuniones reunion citas cita automatica nueva listos correo correos borradores escribirles personas compradores contactos reach people companies launch run start new meetings costaria cuesta costo minimo'.split(
    ' ',
  ),
);
const TRADE_STANDS =
  /\b(?:de|del|para|a|con|en|sector|giro|ramo|prospect\w*|contactar|\d+|of|for|in|at)\s+(?:la\s+|las\s+|los\s+|el\s+|unas?\s+|unos?\s+)?$/;
/** The trade of "campaña para hospitales privados", "prospectar 80 gasolineras", "9000 cuentas de textil con gerentes de compras"; null where none is named. */
const aboutCampaign = ({ reading }: Turn): string | null => {
  if (reading.giros.length > 0) return null;
  const cut = reading.cuts;
  const chunks = remains(reading.given, [ASKING, COMPANIES, PEOPLE, ABOUT], cut).flatMap((one) => {
    const value = one.value.replace(/^(?:de|del|la|las|los|el)\s+/i, '').trim();
    return value.length > 3 && !/^\d/.test(value) ? [{ value, before: reading.flat.slice(0, one.from) }] : [];
  });
  // A word that no source files is taken for the trade only where a trade stands.
  const found = (chunks.find((one) => tradeOf(one.value) !== null) ?? chunks.find((one) => TRADE_STANDS.test(one.before)))?.value ?? null;
  return found === null ? null : fromEnglish(found);
};
