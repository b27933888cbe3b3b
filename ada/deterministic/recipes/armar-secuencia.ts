import type { z } from 'zod';
import { collectionQuery, contextGet, contextRetrieve, peopleAcquired, sequenceCheck } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { accountMeant } from '../accounts.js';
import {
  at,
  close,
  limit,
  nextLink,
  nextMessage,
  oneQuery,
  plainName,
  queriesUsed,
  question,
  quoted,
  reply,
  type Turn,
} from '../answer.js';
import { showPending, startCampaign, type StartBody } from '../cards.js';
import { ask, callOf, readAs, together, type Steps } from '../follow.js';
import { rowsMeant } from '../../understand/amounts.js';
import { labelOfArea } from '../../understand/roles.js';
import { plain } from '../../understand/text.js';
import { accountOf } from './campana.js';
import { fromCrm, OWN_ACCOUNTS } from './conseguir-contactos.js';
import { recordOf } from './como-va-mi-pipeline.js';

/** As many drafts as one lot takes. */
const LOT = 50;
const ONE_TEXT =
  /\b(?:que le pongo|que les (?:pongo|escribo|digo)|como les escribo|redacta(?:me)?|plantilla|un texto|primer correo|asunto|write me|template|cold email|correo en frio)\b/;

/** Messages for contacts that are already theirs: drafts in the background after a tap; nothing is sent from here. */
export const armarSecuencia = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  const sequence = /\bseq-[\w-]+/.exec(reading.given)?.[0];
  if (sequence) return yield* check(turn, sequence);
  if (/\b(?:como quedo|esta lista|revisa(?:r)? (?:los )?borradores|como van los borradores)\b/.test(reading.flat) && !sequence) {
    return reply({
      narration: [
        say(view.summary.sequences.draft > 0 ? 'secuencia.drafts_wait' : 'secuencia.no_drafts', { n: view.summary.sequences.draft }),
      ],
      siguiente: nextLink(say('secuencia.board_label'), '/secuencias'),
    });
  }
  const connect = nextLink(say('common.connections_label'), '/configuracion/conexiones');
  if (view.summary.mailbox === false && !ONE_TEXT.test(reading.flat))
    return limit('conector', say('secuencia.mailbox_way_out'), {
      narration: [say('secuencia.mailbox'), say('secuencia.mailbox_way_out')],
      siguiente: connect,
    });
  const [ownedOutcome, toneOutcome] = yield* together([
    callOf(peopleAcquired, { limit: 200 }),
    callOf(contextRetrieve, { query: 'tono correo', limit: 3 }),
  ]);
  const owned = ownedOutcome ? readAs(peopleAcquired, ownedOutcome) : null;
  const tones = toneOutcome ? readAs(contextRetrieve, toneOutcome) : null;
  const tone = tones?.ok ? tones.value.topics[0] : undefined;
  if (ONE_TEXT.test(reading.flat)) return yield* oneText(turn, tone);
  if (!owned?.ok)
    return close({ partial: true, narration: [say('cuenta.contacts_unread')], siguiente: nextMessage(say('common.again'), view.message) });
  const contacts = chosenOf(turn, owned.value.acquired);
  if (contacts.length === 0)
    return yield* nobodyYet(
      turn,
      owned.value.acquired.length === 0
        ? say('secuencia.no_contacts', { ref: at(owned.value.ref) })
        : say('secuencia.none_of_those', { ref: at(owned.value.ref), n: owned.value.acquired.length }),
    );
  if (view.board.pending.length > 0) return yield* showPending(turn, say('card.first_this'));
  // Names of their companies, where the CRM knows them.
  const wanted = new Set(contacts.map((one) => one.contact.company_id));
  const [prospects, pipeline, ruleOutcome] = yield* together([
    callOf(collectionQuery, { op: 'query', collection: 'prospectos', limit: 100 }),
    callOf(collectionQuery, { op: 'query', collection: 'pipeline', limit: 100 }),
    ...(tone ? [callOf(contextGet, { topic_id: tone.topic_id })] : []),
  ]);
  const rule = ruleOutcome ? readAs(contextGet, ruleOutcome) : null;
  const names = new Map(
    [...view.board.selection, ...view.board.list].filter((row) => row.kind === 'company').map((row) => [row.id, row.name]),
  );
  for (const outcome of [prospects, pipeline]) {
    const got = outcome ? readAs(collectionQuery, outcome) : null;
    if (got?.ok)
      for (const row of got.value.rows) {
        const record = recordOf(row);
        if (record?.company_id && wanted.has(record.company_id)) names.set(record.company_id, record.name);
      }
  }
  const lot = contacts.slice(0, LOT);
  const companies = [...new Map(lot.map((one) => [one.contact.company_id, one])).values()];
  const lead = say('secuencia.lead', {
    ref: at(owned.value.ref),
    n: lot.length,
    tone: rule?.ok ? say('secuencia.tone', { row: at(rule.value.topic.ref) }) : say('secuencia.no_tone'),
  });
  return yield* startCampaign(
    turn,
    {
      criteria: { giro: view.facts.giro.value ?? 'general', cargo: turn.known('cargo') ?? 'compras' },
      cuentas: companies.length,
      desde: 's3',
      hasta: 'borradores',
      accounts: companies.map(({ contact }) => {
        const domain = contact.email.split('@')[1];
        return {
          ref: contact.company_id,
          name: [...(names.get(contact.company_id) ?? domain ?? contact.company_id)].slice(0, 300).join(''),
          ...(domain ? { domain } : {}),
        };
      }),
    },
    [
      /\b(?:manda|mandal|envia|send)/.test(reading.flat) ? say('secuencia.not_sent') : '',
      lead,
      contacts.length > LOT ? say('secuencia.other_lot') : '',
    ]
      .filter(Boolean)
      .join(' '),
  );
};

/** Nobody to write to: the campaign that gets them and leaves the drafts, where companies are in sight; else who it is for is asked, with the way to them. */
const nobodyYet = function* (turn: Turn, lead: string): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  const account = accountMeant(turn);
  const role = turn.known('cargo') ?? 'compras';
  const campaign = function* (accounts: NonNullable<StartBody['accounts']>): Steps<TurnOutput> {
    return yield* startCampaign(
      turn,
      {
        criteria: { giro: view.facts.giro.value ?? view.facts.producto.value ?? 'general', cargo: role },
        cuentas: accounts.length,
        desde: 's3',
        hasta: 'borradores',
        accounts,
      },
      [lead, say('secuencia.with_campaign', { n: accounts.length, cargo: quoted(labelOfArea(role, turn.language)) })].join(' '),
    );
  };
  if (OWN_ACCOUNTS.test(` ${reading.flat}`)) {
    const own = yield* fromCrm(turn);
    if (own.length > 0)
      return yield* campaign(
        own.map((one) => ({
          ref: one.company,
          name: [...one.name].slice(0, 300).join('') || one.company,
          ...(one.rfc ? { rfc: one.rfc } : {}),
          ...(one.domain ? { domain: one.domain } : {}),
        })),
      );
  }
  const named = account !== null && account.row === null && account.name !== null && /^\p{Lu}/u.test(account.name) && !reading.selected;
  const rows = (view.board.selection.length > 0 ? view.board.selection : view.board.list).filter((row) => row.kind === 'company');
  if (rows.length > 0 && !named) {
    const places = rowsMeant(reading.flat, rows.length);
    return yield* campaign((places ? places.flatMap((i) => rows[i] ?? []) : rows).map(accountOf));
  }
  const name = account?.name ? plainName(account.name) : null;
  if (named && name)
    return close({
      partial: true,
      narration: [lead, say('secuencia.get_contacts_why')],
      siguiente: nextMessage(
        say('cuenta.contacts_label_plain'),
        say('cuenta.contacts_message', { name: `«${quoted(name, 80)}»` }),
        oneQuery(view, queriesUsed(view)),
      ),
    });
  return close({
    partial: true,
    narration: [lead, say('secuencia.get_contacts_why')],
    pregunta: question(
      'contactos',
      say('secuencia.ask_who'),
      say('secuencia.ask_who_default', { cargo: quoted(labelOfArea(role, turn.language)) }),
    ),
    siguiente: nextMessage(
      say('secuencia.get_contacts_label'),
      say('secuencia.get_contacts_message', { cargo: quoted(labelOfArea(role, turn.language)) }),
      oneQuery(view, queriesUsed(view)),
    ),
  });
};

type Acquired = z.infer<typeof peopleAcquired.output>['acquired'][number];
const chosenOf = (turn: Turn, acquired: readonly Acquired[]): Acquired[] => {
  const { board } = turn.view;
  const people = new Set(board.selection.filter((row) => row.kind === 'contact' || row.kind === 'person').map((row) => row.id));
  const companies = new Set(board.selection.filter((row) => row.kind === 'company').map((row) => row.id));
  if (people.size > 0 || companies.size > 0) {
    const some = acquired.filter((one) => people.has(one.person_id) || companies.has(one.contact.company_id));
    if (some.length > 0) return some;
  }
  const { flat } = turn.reading;
  const named = acquired.filter(
    (one) =>
      plain(one.contact.name)
        .split(' ')
        .filter((word) => word.length > 3 && flat.includes(word)).length >= 2,
  );
  if (named.length > 0) return named;
  const account = accountMeant(turn);
  const word = account?.name && /^\p{Lu}/u.test(account.name) ? plain(account.name).replace(/[^a-z0-9]+/g, '') : '';
  const there =
    word.length > 3
      ? acquired.filter((one) =>
          plain(one.contact.email.split('@')[1] ?? '')
            .replace(/[^a-z0-9]+/g, '')
            .includes(word),
        )
      : [];
  if (there.length > 0) return there;
  const role = turn.reading.cargo;
  const inRole = role ? acquired.filter((one) => plain(one.contact.title).includes(plain(role).slice(0, 6))) : [];
  return inRole.length > 0 ? inRole : word.length > 3 && account?.exact ? [] : [...acquired];
};

const check = function* (turn: Turn, sequence_id: string): Steps<TurnOutput> {
  const { say } = turn;
  const got = yield* ask(sequenceCheck, { sequence_id });
  const board = nextLink(say('secuencia.board_label'), '/secuencias');
  if (!got.ok)
    return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), turn.view.message) });
  if (!got.value.found)
    return close({
      partial: true,
      narration: [say('secuencia.unknown')],
      refs: [got.value.ref],
      siguiente: nextMessage(say('secuencia.make_label'), say('secuencia.message')),
    });
  const known = ['mailbox_missing', 'draft_blank', 'contact_not_acquired', 'contact_repeated'];
  return close({
    partial: !got.value.ready,
    narration: [
      say(got.value.ready ? 'secuencia.ready' : 'secuencia.not_ready', { ref: at(got.value.ref), n: got.value.drafts.length }),
      ...got.value.problems.filter((one) => known.includes(one.code)).map((one) => say(`secuencia.problem.${one.code}`)),
    ],
    refs: [got.value.ref],
    siguiente: board,
  });
};

/** One text written here: short, formal, one question, nothing that nobody checked. */
const oneText = function* (turn: Turn, tone: { ref: string; topic_id: string } | undefined): Steps<TurnOutput> {
  const { say, view } = turn;
  const rule = tone ? yield* ask(contextGet, { topic_id: tone.topic_id }) : null;
  const offer = view.facts.oferta.value ?? view.summary.profile.oferta ?? null;
  return close({
    narration: [
      say('secuencia.text_intro', { rule: rule?.ok ? say('secuencia.tone', { row: at(rule.value.topic.ref) }) : say('secuencia.no_tone') }),
      `«${say('secuencia.text', { offer: offer ? quoted(offer, 120) : say('secuencia.your_offer') })}»`,
      say('secuencia.not_sent'),
    ],
    refs: tone ? [tone.ref] : [],
    siguiente: nextMessage(say('secuencia.make_label'), say('secuencia.message')),
  });
};
