import { contextGet, contextRetrieve } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { plain, stems } from '../../understand/text.js';
import { topicIn } from '../../understand/index.js';
import { tradeOf } from '../../understand/trades.js';
import { at, dayOf, nextMessage, quoted, reply, type Turn } from '../answer.js';
import { ask, type Steps } from '../follow.js';

/** What people say, and the word by which a team files it. */
const WIDER: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:caro|cara|precio|objecion|objeciones|expensive|price|objections?|pricing|lo voy a pensar|proveedor)\b/, 'objeciones precio'],
  [/\b(?:descuento|descuentos|discounts?|condiciones|credito|entrega|entregas|pedido minimo|delivery)\b/, 'precios entregas'],
  [/\b(?:pitch|propuesta de valor|diferenci|discurso|que ofrecemos|resolvemos|value)/, 'propuesta valor'],
  [/\b(?:cliente ideal|icp|a quien le vendemos|perfil|ideal customer)\b/, 'cliente ideal'],
  [/\b(?:casos?|exito|historias|referencias|case)\b/, 'casos éxito'],
  [/\b(?:calific|qualify|preguntas hacemos)/, 'calificación prospectos'],
  [/\b(?:seguimiento|insist|cada cuanto|cuantas veces|follow)/, 'seguimiento'],
  [/\b(?:territorio|zona|que estado|quien atiende|territory)/, 'territorios'],
  [/\b(?:tono|escrib|correo|mail|email|redact)/, 'tono correos'],
  [/\b(?:gobierno|licitacion|publico|dependencias|tender|public)/, 'sector público'],
  [/\b(?:datos personales|privacidad|baja|aviso|privacy)/, 'datos personales'],
  [/\b(?:empaque|carton|envase|packaging)/, 'compras empaque'],
];

/** What the team wrote down, with its date, and what it changes today. */
export const queSabeElEquipo = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  const topic = topicIn(view.message) ?? view.facts.tema.value;
  const wide = WIDER.find(([pattern]) => pattern.test(reading.flat))?.[1] ?? null;
  const queries = [
    ...new Set(
      [topic, wide, topic ? tradeOf(topic) : null, topic === null && wide === null ? 'cliente ideal propuesta valor' : null].filter(
        (one): one is string => one !== null && one.trim() !== '',
      ),
    ),
  ].slice(0, 2);
  let lastRef = '';
  let others = false;
  for (const [i, query] of queries.entries()) {
    const got = yield* ask(contextRetrieve, { query: [...query].slice(0, 300).join(''), limit: 5 });
    if (!got.ok) return reply({ narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
    lastRef = got.value.ref;
    others ||= got.value.topics.length > 0;
    // A word in passing is not the topic: where a better one is known, it is tried first.
    const best = got.value.topics[0];
    if (!best || (i === 0 && queries.length > 1 && best.score < 3)) continue;
    const opened = yield* ask(contextGet, { topic_id: best.topic_id });
    if (!opened.ok) continue;
    const { topic: found } = opened.value;
    // Found by the name of a trade alone: it has to say something of it.
    if (
      topic !== null &&
      query === tradeOf(topic) &&
      query !== topic &&
      !mentions(`${found.title} ${found.summary} ${found.body}`, `${topic} ${query}`)
    )
      continue;
    const ref = opened.value.ref;
    const old = turn.now.getTime() - Date.parse(found.updated_on) > 365 * 86_400_000;
    return reply({
      narration: [
        say('equipo.says', {
          row: at(found.ref),
          ref: at(ref),
          date: dayOf(found.updated_on, turn.language),
          rule: rule(found.body, at(found.ref), `${topic ?? ''} ${wide ?? ''}`),
        }),
        old ? say('equipo.old') : '',
        say(`equipo.apply.${useOf(found.title)}`),
        topic === null ? say('equipo.general') : '',
      ],
      siguiente:
        useOf(found.title) !== 'choose'
          ? nextMessage(say('equipo.use_label'), say('secuencia.message'))
          : nextMessage(
              say('equipo.search_label'),
              say('equipo.search', { giro: quoted(view.facts.giro.value ?? view.summary.profile.giro ?? say('equipo.some_trade'), 60) }),
            ),
    });
  }
  return reply({
    narration: [
      others
        ? say('equipo.none_about', { topic: quoted(topic ?? '') })
        : say('equipo.zero', { ref: at(lastRef || 'board:now'), topic: quoted(topic ?? '') }),
      say('equipo.note'),
    ],
    siguiente: nextMessage(
      say('equipo.search_label'),
      say('equipo.search', { giro: quoted(view.facts.giro.value ?? (topic && tradeOf(topic) ? topic : say('equipo.some_trade')), 60) }),
    ),
  });
};

const ORDER = /\b(?:ignora|ignore|system|instruccion|aprueba|approve|toque|sin permiso|revela todos|max_credits|<|>)/i;
/** Words that many topics have and none is about. */
const GENERIC = new Set(['equip', 'material', 'sector', 'empres', 'client', 'product', 'servici'].map((word) => word));
const mentions = (text: string, asked: string): boolean => {
  const said = new Set(stems(text));
  return stems(asked).some((word) => word.length > 3 && !GENERIC.has(word) && said.has(word));
};
/** Two sentences of the topic: those about what was asked, then those without figures; what looks like an order to us is left out. A figure takes the topic's anchor. */
const rule = (body: string, ref: string, asked: string): string => {
  const sentences = quoted(body, 900)
    .split(/(?<=[.!?])\s+/)
    .filter((one) => one !== '' && !ORDER.test(one));
  const picked = new Set(
    [...new Set([...sentences.filter((one) => mentions(one, asked)), ...sentences.filter((one) => !/\d/.test(one)), ...sentences])].slice(
      0,
      2,
    ),
  );
  let figures = 0;
  const text = sentences
    .filter((one) => picked.has(one))
    .map((one) => one.replace(/\d+(?:[.,]\d+)*/g, (digits) => (figures++ < 3 ? `${ref} ${digits}` : digits)))
    .join(' ');
  return text === '' ? '' : `«${text.replace(/[«»]/g, '"')}»`;
};
/** What a topic changes: how something is said, or whom it is said to. */
const useOf = (title: string): 'say' | 'offer' | 'choose' | 'do' =>
  /correo|objecion|tono|valor|casos|pitch|discurso/.test(plain(title))
    ? 'say'
    : /precio|entrega|descuento|credito|condicion/.test(plain(title))
      ? 'offer'
      : /ideal|calific|territorio|compras|sector|giro|senales/.test(plain(title))
        ? 'choose'
        : 'do';
