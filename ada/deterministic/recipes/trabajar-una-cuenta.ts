import { contextRetrieve, marketScreen, peopleAcquired } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { at, close, needs, nextMessage, number, oneQuery, pesos, plainName, queriesUsed, question, quoted, type Turn } from '../answer.js';
import { accountMeant, findRecords } from '../accounts.js';
import { callOf, readAs, together, type Steps } from '../follow.js';
import { tradeOf } from '../../understand/trades.js';
import { isStill, rankOf, stageName } from './como-va-mi-pipeline.js';

/** One account: where it stands, who is known there, and one thing to do. */
export const trabajarUnaCuenta = function* (turn: Turn): Steps<TurnOutput> {
  const { say, language, view } = turn;
  const meant = accountMeant(turn);
  if (meant === null) {
    const [first] = view.board.selection;
    const name = first ? plainName(first.name) : null;
    return needs('cuenta', say('cuenta.ask'), name, {
      narration: [say('cuenta.need')],
      siguiente: name
        ? nextMessage(say('pipeline.work_label', { name: quoted(name, 60) }), say('pipeline.work', { name: `«${quoted(name, 80)}»` }))
        : nextMessage(say('pipeline.label'), say('pipeline.message')),
    });
  }
  const found = yield* findRecords(meant);
  if (found.failed)
    return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
  const [record] = [...found.records].sort((a, b) => rankOf(b.stage) - rankOf(a.stage) || (b.amount ?? 0) - (a.amount ?? 0));
  if (!record && meant.row) {
    // It stands in sight and in no collection: nothing is known of it yet but its row.
    const name = plainName(meant.row.name);
    return close({
      partial: true,
      narration: [say('cuenta.not_ours', { row: at(meant.row.ref), ref: at(found.ref ?? 'board:now') }), say('cuenta.not_ours_offer')],
      refs: [meant.row.ref],
      siguiente:
        name && meant.row.kind === 'company'
          ? nextMessage(
              say('cuenta.contacts_label', { left: number(Math.max(0, view.summary.balances.queries - queriesUsed(view) - 1), language) }),
              say('cuenta.contacts_message', { name: `«${quoted(name, 80)}»` }),
              oneQuery(view, queriesUsed(view)),
            )
          : nextMessage(say('buscar.save_label', { n: 1 }), say('cuenta.save', { name: `«${quoted(name ?? '', 80)}»` })),
    });
  }
  if (!record) {
    // The trade it is searched by: of its name, or the one that is known; never the name itself.
    const giro = tradeOf(meant.name ?? '') ?? (view.facts.giro.value && tradeOf(view.facts.giro.value) ? view.facts.giro.value : null);
    return close({
      partial: true,
      narration: [
        say('cuenta.not_found', { ref: at(found.ref ?? 'board:now'), name: quoted(meant.name ?? meant.id ?? '') }),
        say('cuenta.search_offer'),
      ],
      siguiente: giro
        ? nextMessage(
            say('buscar.companies_label'),
            say('buscar.companies_message', { filters: say('common.of', { giro: quoted(giro) }) }),
            oneQuery(view, queriesUsed(view)),
          )
        : nextMessage(say('pipeline.label'), say('pipeline.message')),
    });
  }
  const [acquired, screened, rules] = yield* together([
    callOf(peopleAcquired, { limit: 200 }),
    ...(record.rfc
      ? [callOf(marketScreen, { rfcs: [record.rfc] })]
      : [{ name: 'collection_query', args: { op: 'get', record_id: record.record_id } }]),
    callOf(contextRetrieve, { query: 'seguimiento calificación', limit: 3 }),
  ]);
  const people = acquired ? readAs(peopleAcquired, acquired) : null;
  const screen = screened && record.rfc ? readAs(marketScreen, screened) : null;
  const rule = rules ? readAs(contextRetrieve, rules) : null;
  const contacts = people?.ok ? people.value.acquired.filter((one) => one.contact.company_id === record.company_id) : [];
  const sanctioned = screen?.ok && screen.value.rows[0]?.verdict === 'sanctioned';
  const ref = at(found.ref ?? record.ref);
  const row = at(record.ref);
  const facts = [
    sanctioned ? say('cuenta.sanctioned', { row }) : '',
    say('cuenta.where', {
      row,
      stage: stageName(turn, record.stage),
      collection: found.collection === 'prospectos' ? 'prospectos' : 'pipeline',
      amount: record.amount === null ? '' : say('cuenta.amount', { ref, amount: pesos(record.amount, language) }),
      days: record.days === null ? '' : say('cuenta.days', { ref, n: record.days }),
    }),
    record.owner ? say('cuenta.owner', { owner: quoted(record.owner, 40) }) : '',
    people === null || !people.ok
      ? say('cuenta.contacts_unread')
      : contacts.length === 0
        ? say('cuenta.no_contact')
        : say('cuenta.contacts', {
            n: Math.min(contacts.length, 3),
            rows: contacts
              .slice(0, 3)
              .map((one) => at(one.ref))
              .join(', '),
          }),
  ];
  const still = isStill(record);
  const action = sanctioned
    ? 'sanctioned'
    : people?.ok && contacts.length === 0
      ? 'get_contact'
      : record.stage === 'negociacion' && still
        ? 'call'
        : record.stage === 'propuesta'
          ? still
            ? 'date'
            : 'ask'
          : record.stage === 'contactado' || record.stage === 'prospecto'
            ? still
              ? 'other_channel'
              : 'wait'
            : 'leave';
  const topic = rule?.ok ? rule.value.topics[0] : undefined;
  const others = found.records.filter((one) => one.ref !== record.ref);
  const label = plainName(record.name);
  const target = label ? `«${quoted(label, 80)}»` : record.record_id;
  return close({
    narration: [
      ...facts,
      say(`cuenta.do.${action}`),
      topic ? say('cuenta.rule', { row: at(topic.ref) }) : rule?.ok ? say('cuenta.no_rule') : '',
      others.length > 0
        ? say('cuenta.similar', {
            rows: others
              .slice(0, 2)
              .map((one) => at(one.ref))
              .join(', '),
          })
        : '',
    ],
    pregunta: others.length > 0 && meant.exact !== true ? question('cuenta', say('cuenta.which'), label) : null,
    refs: [record.ref, ...contacts.slice(0, 5).map((one) => one.ref)],
    siguiente:
      contacts.length > 0 && !sanctioned
        ? nextMessage(say('cuenta.write_label'), say('cuenta.write', { name: target }))
        : nextMessage(
            say('cuenta.contacts_label', { left: number(Math.max(0, view.summary.balances.queries - queriesUsed(view) - 1), language) }),
            say('cuenta.contacts_message', { name: target }),
            oneQuery(view, queriesUsed(view)),
          ),
  });
};
