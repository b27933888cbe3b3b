import type { z } from 'zod';
import { marketGetOpportunity, marketSearchOpportunities, type Opportunity } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { closesBefore } from '../../understand/amounts.js';
import { isRefinement } from '../../understand/index.js';
import { tradeOf } from '../../understand/trades.js';
import { at, close, dayOf, inPlace, inWords, nextMessage, question, quoted, type Turn } from '../answer.js';
import { ask, callOf, readAs, together, type Got, type Steps } from '../follow.js';

interface Scope {
  text: string | null;
  activity: string | null;
  buyer: string | null;
  state: string | null;
  closes_to: string | null;
  status: string | null;
}
const argsOf = (s: Scope): Record<string, unknown> => ({
  text: s.text ?? undefined,
  activity: s.activity ?? undefined,
  buyer: s.buyer ?? undefined,
  state: s.state ?? undefined,
  closes_to: s.closes_to ?? undefined,
  status: s.status ?? undefined,
  limit: 10,
});
type Page = z.infer<typeof marketSearchOpportunities.output>;

/** Open tenders: how many, which closes first, and whether that buyer buys it anyway. */
export const senalesYOportunidades = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  const id = /\blic-\d{6}\b/.exec(reading.flat)?.[0] ?? oneInSight(turn);
  if (id) return yield* one(turn, id);
  if (
    /\b(?:en (?:que|cuales) (?:licitaciones )?(?:vamos|andamos|estamos)|que sigo|que seguimos|mandamos propuesta|mandamos preguntas|participando|we are in|we follow)\b/.test(
      reading.flat,
    )
  )
    return yield* ours(turn);
  const leans = isRefinement(reading) || (reading.producto === null && reading.giro === null && reading.comprador === null);
  const before = leans
    ? [...view.board.runs].reverse().find((run) => run.tool === 'market_search_opportunities' && run.args['participation'] === undefined)
    : undefined;
  const arg = (key: string): string | null => {
    const value = before?.args[key];
    return typeof value === 'string' ? value : null;
  };
  const said = reading.producto ?? reading.giro;
  const text = said ?? arg('text') ?? (arg('activity') ? null : (view.facts.producto.value ?? view.facts.giro.value));
  const scope: Scope = {
    text,
    activity: said ? null : arg('activity'),
    buyer: reading.comprador ?? arg('buyer'),
    state: reading.everywhere ? null : (reading.estado ?? arg('state')),
    closes_to: closesBefore(reading.flat, turn.now) ?? arg('closes_to'),
    status: /\b(?:ya cerraron|cerradas|closed)\b/.test(reading.flat) ? 'closed' : /\bcancelad/.test(reading.flat) ? 'canceled' : null,
  };
  const tried: string[] = [];
  let used = scope;
  let page: Got<Page> = yield* ask(marketSearchOpportunities, argsOf(scope));
  if (!page.ok)
    return close({ partial: true, narration: [say('common.failed_search')], siguiente: nextMessage(say('common.again'), view.message) });
  if ((page.value.total ?? page.value.shown) === 0) {
    tried.push(say('senales.zero', { ref: at(page.value.ref), what: what(turn, scope) }));
    for (const variant of wider(scope).slice(0, 2)) {
      const again: Got<Page> = yield* ask(marketSearchOpportunities, argsOf(variant.scope));
      if (!again.ok) break;
      const n = again.value.total ?? again.value.shown;
      tried.push(
        say(`senales.without.${variant.change}`, {
          ref: at(again.value.ref),
          n,
          dropped: quoted(variant.dropped),
          now: quoted(variant.now ?? ''),
        }),
      );
      page = again;
      used = variant.scope;
      if (n > 0) break;
    }
  }
  const asked =
    text === null && used.activity === null && used.buyer === null
      ? question('giro', say('senales.ask'), say('cuantos_hay.all_trades'))
      : null;
  const { opportunities, ref } = page.value;
  const total = page.value.total ?? opportunities.length;
  if (opportunities.length === 0) {
    return close({
      partial: true,
      narration: [...tried, say('senales.covered')],
      pregunta: asked,
      refs: [ref],
      siguiente: text
        ? nextMessage(say('senales.past_label'), say('senales.past', { product: quoted(text, 60) }))
        : nextMessage(say('senales.all_label'), say('senales.all')),
    });
  }
  const opened = yield* together(opportunities.slice(0, 3).map((o) => callOf(marketGetOpportunity, { opportunity_id: o.opportunity_id })));
  const details = new Map(
    opened.flatMap((outcome) => {
      const got = readAs(marketGetOpportunity, outcome);
      return got.ok ? [[got.value.opportunity.opportunity_id, got.value] as const] : [];
    }),
  );
  const [first] = opportunities;
  // Nearest first; where there is still time and that buyer bought it before, it is worth more.
  const worth = opportunities
    .slice(0, 3)
    .map((o) => ({ o, detail: details.get(o.opportunity_id), days: (Date.parse(o.deadline) - turn.now.getTime()) / 86_400_000 }))
    .filter((one) => one.days >= 5 && (one.detail?.previous_awards.length ?? 0) > 0)[0];
  const counted = worth ? worth.detail : first ? details.get(first.opportunity_id) : undefined;
  if (!first)
    return close({
      partial: true,
      narration: [...tried, say('senales.covered')],
      siguiente: nextMessage(say('senales.all_label'), say('senales.all')),
    });
  const buyer = quoted((worth?.o ?? first).buyer);
  return close({
    partial: tried.length > 0,
    narration: [
      ...tried,
      tried.length === 0
        ? say('senales.found', { ref: at(ref), n: total, what: what(turn, used), open: scope.status === null ? 'yes' : 'no' })
        : '',
      say('senales.first', { row: at(first.ref), ref: at(ref), buyer: quoted(first.buyer), date: dayOf(first.deadline, turn.language) }),
      turn.brief ? '' : daysLeft(turn, first) < 5 && scope.status === null ? say('senales.tight') : '',
      turn.brief
        ? ''
        : worth
          ? say(worth.o.ref === first.ref ? 'senales.bought_before' : 'senales.better', {
              row: at(worth.o.ref),
              buyer,
              n: worth.detail?.previous_awards.length ?? 0,
              words: inWords(worth.detail?.previous_awards.length ?? 0, turn.language),
              many: (worth.detail?.previous_awards.length ?? 0) >= 10 ? 'yes' : 'no',
            })
          : counted
            ? say('senales.no_signal', { buyer })
            : '',
    ],
    pregunta: asked,
    refs: [ref, ...opportunities.slice(0, 10).map((o) => o.ref)],
    siguiente: nextMessage(
      say('senales.who_label', { buyer: quoted((worth?.o ?? first).buyer, 50) }),
      say('senales.who', { product: quoted((worth?.o ?? first).product, 60), buyer: quoted((worth?.o ?? first).buyer, 60) }),
    ),
  });
};

const daysLeft = (turn: Turn, o: Opportunity): number => (Date.parse(o.deadline) - turn.now.getTime()) / 86_400_000;
const what = (turn: Turn, s: Scope): string =>
  [
    s.text ? turn.say('common.of', { giro: quoted(s.text) }) : s.activity ? turn.say('common.of', { giro: quoted(s.activity) }) : '',
    s.buyer ? turn.say('senales.from', { buyer: quoted(s.buyer) }) : '',
    s.state ? inPlace(turn, s.state) : '',
    s.closes_to ? turn.say('senales.soon') : '',
  ]
    .filter(Boolean)
    .join(' ');
interface Variant {
  scope: Scope;
  change: 'state' | 'text' | 'closes_to' | 'buyer';
  dropped: string;
  now: string | null;
}
const wider = (scope: Scope): Variant[] => {
  const found: Variant[] = [];
  let now = scope;
  if (now.state) {
    now = { ...now, state: null };
    found.push({ scope: now, change: 'state', dropped: scope.state ?? '', now: null });
  }
  const trade = now.text ? tradeOf(now.text) : null;
  if (trade) {
    now = { ...now, text: null, activity: trade };
    found.push({ scope: now, change: 'text', dropped: scope.text ?? '', now: trade });
  }
  if (now.closes_to) {
    now = { ...now, closes_to: null };
    found.push({ scope: now, change: 'closes_to', dropped: '', now: null });
  }
  if (now.buyer && (now.text ?? now.activity)) {
    now = { ...now, buyer: null };
    found.push({ scope: now, change: 'buyer', dropped: scope.buyer ?? '', now: null });
  }
  return found;
};

/** "La primera", "esa licitación": one of the list in sight. */
const oneInSight = (turn: Turn): string | null => {
  const rows = turn.view.board.list.filter((row) => row.kind === 'opportunity');
  const { flat } = turn.reading;
  if (
    rows.length === 0 ||
    !/\b(?:es[ae] licitacion|la primera|esa|cuando cierra|cuantos dias faltan|fecha limite|hasta cuando|junta de aclaraciones|fallo|detalle|la de)\b/.test(
      flat,
    )
  )
    return null;
  const said = turn.reading.producto ?? turn.reading.comprador;
  const named = said ? rows.find((row) => `${row.name} ${row.detail ?? ''}`.toLowerCase().includes(said.toLowerCase())) : undefined;
  return (named ?? (said ? undefined : rows[0]))?.id ?? null;
};
const one = function* (turn: Turn, id: string): Steps<TurnOutput> {
  const { say, language } = turn;
  const got = yield* ask(marketGetOpportunity, { opportunity_id: id });
  if (!got.ok)
    return close({
      partial: true,
      narration: [say(got.code === 'not_found' ? 'senales.unknown' : 'common.failed')],
      siguiente: nextMessage(say('senales.all_label'), say('senales.all')),
    });
  const { opportunity: o, milestones, previous_awards } = got.value;
  const ref = at(got.value.ref);
  const questions = milestones.find((m) => m.name === 'questions_until');
  const decision = milestones.find((m) => m.name === 'decision_on');
  return close({
    narration: [
      say('senales.one', { row: at(o.ref), ref, buyer: quoted(o.buyer), date: dayOf(o.deadline, language), status: o.status }),
      questions
        ? say(Date.parse(questions.at) > turn.now.getTime() ? 'senales.questions' : 'senales.questions_over', {
            ref: at(questions.ref),
            date: dayOf(questions.at, language),
          })
        : '',
      decision ? say('senales.decision', { ref: at(decision.ref), date: dayOf(decision.at, language) }) : '',
      previous_awards.length > 0
        ? say('senales.previous', {
            n: previous_awards.length,
            words: inWords(previous_awards.length, language),
            many: previous_awards.length >= 10 ? 'yes' : 'no',
          })
        : say('senales.no_signal', { buyer: quoted(o.buyer) }),
    ],
    refs: [o.ref],
    siguiente: nextMessage(
      say('senales.who_label', { buyer: quoted(o.buyer, 50) }),
      say('senales.who', { product: quoted(o.product, 60), buyer: quoted(o.buyer, 60) }),
    ),
  });
};
const ours = function* (turn: Turn): Steps<TurnOutput> {
  const { say } = turn;
  const kinds = ['proposal_sent', 'questions_sent', 'following'] as const;
  const outcomes = yield* together(kinds.map((participation) => callOf(marketSearchOpportunities, { participation, limit: 10 })));
  const pages = kinds.map((kind, i) => ({ kind, got: outcomes[i] ? readAs(marketSearchOpportunities, outcomes[i]) : null }));
  const lines = pages.flatMap(({ kind, got }) =>
    got?.ok ? [say(`senales.ours.${kind}`, { ref: at(got.value.ref), n: got.value.total ?? got.value.shown })] : [],
  );
  const all = pages.flatMap(({ got }) => (got?.ok ? got.value.opportunities : [])).sort((a, b) => a.deadline.localeCompare(b.deadline));
  const [first] = all;
  const firstRef = pages.find(({ got }) => got?.ok && got.value.opportunities.some((o) => o.ref === first?.ref))?.got;
  if (lines.length === 0)
    return close({
      partial: true,
      narration: [say('common.failed_search')],
      siguiente: nextMessage(say('common.again'), turn.view.message),
    });
  return close({
    narration: [
      `${lines.join('; ')}.`,
      first
        ? say('senales.first', {
            row: at(first.ref),
            ref: at(firstRef?.ok ? firstRef.value.ref : first.ref),
            buyer: quoted(first.buyer),
            date: dayOf(first.deadline, turn.language),
          })
        : say('senales.ours_none'),
    ],
    refs: all.slice(0, 10).map((o) => o.ref),
    siguiente: nextMessage(say('senales.all_label'), say('senales.all')),
  });
};
