import type { TurnOutput } from '../../contracts/turn.js';
import { KIND_OF, type Beyond } from '../understand/limits.js';
import { EVERYWHERE } from '../understand/places.js';
import { limit, listOf, nextLink, nextMessage, plainName, quoted, type Turn } from './answer.js';
import { within, type Steps } from './follow.js';
import { opened } from './open.js';
import { senalesYOportunidades } from './recipes/senales-y-oportunidades.js';

/** What nobody does here: said as a limit, with its kind, where it is done, and what can be done instead. */
export const sayBeyond = function* (turn: Turn, code: Beyond): Steps<TurnOutput> {
  const { reading, say } = turn;
  const kind = KIND_OF[code];
  const wayOut = say(`limits.way_out.${code}`);
  const connections = nextLink(say('common.connections_label'), '/configuracion/conexiones');
  switch (code) {
    // The limit belongs to the recipe that would need the connection: it is opened to say so.
    case 'otro_crm':
      yield* opened(turn, 'como-va-mi-pipeline');
      return limit(kind, wayOut, { narration: [say('limits.otro_crm.what'), wayOut], siguiente: connections });
    case 'buzon':
      yield* opened(turn, 'armar-secuencia');
      return limit(kind, wayOut, { narration: [say('limits.buzon.what'), wayOut], siguiente: connections });
    case 'crm_no_edita': {
      const account = nameIn(reading.given);
      const next = account
        ? nextMessage(say('pipeline.work_label', { name: quoted(account, 60) }), say('pipeline.work', { name: `«${quoted(account, 80)}»` }))
        : nextMessage(say('pipeline.label'), say('pipeline.message'));
      return limit(kind, wayOut, { narration: [say('limits.crm_no_edita.what'), wayOut], siguiente: next });
    }
    case 'playbook_lectura': {
      yield* opened(turn, 'que-sabe-el-equipo');
      const note = noteOf(turn);
      return limit(kind, wayOut, {
        narration: [
          say('limits.playbook_lectura.what'),
          note ? say('limits.playbook_lectura.note', { note: quoted(note, 200) }) : '',
          wayOut,
        ],
        siguiente: nextMessage(say('limits.playbook_lectura.label'), say('limits.playbook_lectura.message')),
      });
    }
    case 'bases': {
      yield* opened(turn, 'senales-y-oportunidades');
      // Which tender it is can be said; its papers cannot.
      const points = reading.giro !== null || reading.comprador !== null || turn.view.board.list.some((one) => one.kind === 'opportunity');
      const found = points
        ? yield* within(senalesYOportunidades({ ...turn, brief: true, reading: { ...reading, producto: reading.giro } }), { searches: 2 })
        : null;
      const row = /\[\[record:(lic-\d{6})\]\]/.exec(found?.narration ?? '')?.[1];
      return limit(kind, wayOut, {
        narration: [say('limits.bases.what'), row ? (found?.narration ?? '') : '', wayOut],
        siguiente: row
          ? nextMessage(say('limits.bases.label'), say('limits.bases.message', { id: row }))
          : nextMessage(say('senales.all_label'), say('senales.all')),
      });
    }
    case 'fuera': {
      const giro = reading.giro ?? reading.producto ?? reading.subject;
      const names = reading.abroad.filter((one) => one !== '').map((one) => quoted(one, 40));
      const places = names.length > 0 ? listOf(names, turn.language) : say('limits.fuera.that');
      return limit(kind, wayOut, {
        narration: [say('limits.fuera.what', { places, n: Math.max(1, names.length) }), wayOut],
        siguiente: giro
          ? nextMessage(say('limits.fuera.label', { giro: quoted(giro, 60) }), say('limits.fuera.message', { giro: quoted(giro, 60) }))
          : nextMessage(say('buscar.example_label'), say('buscar.example')),
      });
    }
    case 'archivo': {
      const [run] = turn.view.runs;
      const list = turn.view.board.list.some((row) => row.kind === 'company' || row.kind === 'supplier');
      const next = run
        ? nextLink(say('limits.archivo.label'), `/campanas/${run.run_id}`)
        : list
          ? nextMessage(say('buscar.save_label_plain'), say('buscar.save'))
          : nextMessage(say('talk.example_label'), say('talk.example'));
      return limit(kind, wayOut, { narration: [say('limits.archivo.what'), wayOut], siguiente: next });
    }
    case 'mensajes':
      return limit(kind, wayOut, {
        narration: [say('limits.mensajes.what'), wayOut],
        siguiente: nextMessage(say('limits.mensajes.label'), say('limits.mensajes.message')),
      });
    case 'recordar':
      return limit(kind, wayOut, {
        narration: [say('limits.recordar.what'), wayOut],
        siguiente: nextMessage(say('limits.recordar.label'), say('limits.recordar.message')),
      });
    case 'participar':
      return limit(kind, wayOut, {
        narration: [say('limits.participar.what'), wayOut],
        siguiente: nextMessage(say('senales.all_label'), say('senales.all')),
      });
    case 'factura':
      return limit(kind, wayOut, {
        narration: [say('limits.factura.what'), wayOut],
        siguiente: nextLink(say('talk.settings_label'), '/configuracion'),
      });
    case 'llamar':
      return limit(kind, wayOut, {
        narration: [say('limits.llamar.what'), wayOut],
        siguiente: nameIn(reading.given)
          ? nextMessage(
              say('cuenta.contacts_label_plain'),
              say('cuenta.contacts_message', { name: `«${quoted(nameIn(reading.given) ?? '', 80)}»` }),
            )
          : nextMessage(say('pipeline.label'), say('pipeline.message')),
      });
  }
};

const NAME =
  /(?:^|\b(?:de|del|a|con|cuenta|of|to|with|for|call)\s+)(?:la\s+cuenta\s+(?:de\s+)?)?«?(\p{Lu}[\p{L}\p{N}&.'-]*(?:\s+(?:(?:de|del|la|los|y)\s+)?(?!CRM\b|Pipeline\b)\p{Lu}[\p{L}\p{N}&.'-]*)*)/u;
/** The first name with a capital that a message says, as an account; null when it says none. */
const nameIn = (given: string): string | null => {
  const found = NAME.exec(given.replace(/^\W*\p{Lu}[\p{L}]*/u, (first) => first.toLowerCase()))?.[1];
  return found ? plainName(found) : null;
};

/** What the person wants written down, as a note that can be pasted. */
const noteOf = ({ reading: { given } }: Turn): string | null => {
  const found =
    /(?:playbook\w*|pleibuk|ventas|equipo|wiki|cerebro|guide|notes)\s*(?:[:,—-]\s*|(?:que|de que|lo de que|that|about)\s+)(.{4,300})$/iu.exec(
      given,
    )?.[1] ?? /(?:que|that)\s+(.{4,200}?)\s+(?:en|al|a|in|to)\s+(?:el|la|las|nuestro|the|our)\s+\p{L}+/iu.exec(given)?.[1];
  const text = found?.replace(/[\s.]+$/u, '').trim() ?? '';
  return text.length >= 4 ? text.charAt(0).toUpperCase() + text.slice(1) : null;
};

/** A name as it is written, however it was typed. */
const capital = (name: string): string =>
  name.replace(/(?<![\p{L}])(?!(?:de|del|la|las|los|el)\s)\p{L}/gu, (letter) => letter.toLocaleUpperCase('es-MX'));

/** The answer with what of the request no source can resolve: said, and then it is not complete. */
export const withUnresolved = (turn: Turn, output: TurnOutput): TurnOutput => {
  const { reading, say, language } = turn;
  if (output.intent.kind === 'encuadre' || output.intent.kind === 'limite') return output;
  const of = (kind: 'exclusion' | 'condition'): string =>
    listOf(
      reading.unresolved.filter((one) => one.kind === kind).map((one) => `«${quoted(one.text, 90)}»`),
      language,
    );
  const [left, asked] = [of('exclusion'), of('condition')];
  const crm = reading.unresolved.some(
    (one) =>
      one.kind === 'exclusion' &&
      /\b(?:crm|tengo|tenemos|guard\w+|mis? clientes|nuestr[oa]s? clientes|clientes (?:mi[oa]s|nuestr[oa]s)|ya son (?:mis |nuestr[oa]s )?clientes(?! (?:de|del)\b)|we have|i have|already (?:ours|saved|mine|in)|(?:my|our) (?:customers|clients|accounts))\b/i.test(
        one.text,
      ),
  );
  const campaign = output.siguiente?.kind === 'decision' || output.siguiente?.kind === 'campana';
  const inside = reading.estados.length > 0 || reading.estado === EVERYWHERE;
  // A city was asked for and its state was looked in, or is what a campaign is to look in.
  const wider = reading.cities.filter(({ estado }) =>
    turn.view.worked.some((call) => JSON.stringify(call.args).includes(JSON.stringify(estado))),
  );
  const narrower = left !== '' || asked !== '' || reading.abroad.length > 0;
  const lines = [
    wider.length > 0
      ? say('limits.city', {
          cities: listOf(
            wider.map(({ said }) => quoted(capital(said), 40)),
            language,
          ),
          states: listOf([...new Set(wider.map(({ estado }) => estado))], language),
        })
      : '',
    left ? say(campaign ? 'limits.excluded_campaign' : crm ? 'limits.excluded_crm' : 'limits.excluded', { what: left }) : '',
    asked ? say('limits.unchecked', { what: asked }) : '',
    inside && reading.abroad.some((one) => one !== '')
      ? say('limits.fuera.also', {
          places: listOf(
            reading.abroad.filter((one) => one !== '').map((one) => quoted(one, 40)),
            language,
          ),
        })
      : '',
  ].filter(Boolean);
  if (lines.length === 0) return output;
  return {
    ...output,
    narration: [output.narration, ...lines].join(' '),
    intent: narrower && output.intent.kind === 'cierre' ? { ...output.intent, variante: 'parcial' } : output.intent,
  };
};
