import type { z } from 'zod';
import { collectionQuery } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { at, close, inWords, limit, listOf, nextLink, nextMessage, pesos, plainName, quoted, type Turn } from '../answer.js';
import { ask, callOf, readAs, together, type Got, type Steps } from '../follow.js';

/** A record of the CRM; what is not filled in is null. */
export interface CrmRecord {
  ref: string;
  record_id: string;
  company_id: string | null;
  name: string;
  rfc: string | null;
  domain: string | null;
  stage: string;
  amount: number | null;
  days: number | null;
  owner: string | null;
  state: string | null;
  changed: string | null;
}
const str = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const num = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
export const recordOf = (row: Record<string, unknown>): CrmRecord | null => {
  const [ref, id] = [str(row['ref']), str(row['record_id'])];
  return ref && id
    ? {
        ref,
        record_id: id,
        company_id: str(row['company_id']),
        name: str(row['name']) ?? '',
        rfc: str(row['rfc']),
        domain: str(row['domain']),
        stage: str(row['stage']) ?? '',
        amount: num(row['amount_mxn']),
        days: num(row['days_in_stage']),
        owner: str(row['owner']),
        state: str(row['state']),
        changed: str(row['changed_at']),
      }
    : null;
};
const figure = (value: unknown): { ref: string; value: number } | null => {
  const one = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  const [ref, n] = [str(one['ref']), num(one['value'])];
  return ref !== null && n !== null ? { ref, value: n } : null;
};

/** Days after which a record of a stage stands still, and how far the stage is. */
const STILL: Record<string, { after: number; rank: number }> = {
  prospecto: { after: 14, rank: 0 },
  contactado: { after: 14, rank: 1 },
  propuesta: { after: 21, rank: 2 },
  negociacion: { after: 30, rank: 3 },
};
export const rankOf = (stage: string): number => STILL[stage]?.rank ?? 1;
export const isStill = (record: CrmRecord): boolean => record.days !== null && record.days > (STILL[record.stage]?.after ?? 21);
export const stageName = (turn: Turn, stage: string): string => (STILL[stage] ? turn.say(`stage.${stage}`) : quoted(stage, 40));
/** Of those that stand still, the biggest in the furthest stage; else the biggest that is furthest. */
export const worthFirst = (records: readonly CrmRecord[]): CrmRecord | null => {
  const still = records.filter(isStill);
  return (
    [...(still.length > 0 ? still : records)].sort(
      (a, b) => rankOf(b.stage) - rankOf(a.stage) || (b.amount ?? 0) - (a.amount ?? 0) || (b.days ?? 0) - (a.days ?? 0),
    )[0] ?? null
  );
};

const PAGE = 100;
const PAGES = 3;

/** The CRM as it is: how many, in which stages, what moved, what stands still, and one account to work on. */
export const comoVaMiPipeline = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view, language } = turn;
  const listed = yield* ask(collectionQuery, { op: 'list' });
  if (!listed.ok)
    return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
  const collections = listed.value.rows.flatMap((row) => {
    const [ref, name] = [str(row['ref']), str(row['collection'])];
    return ref && name ? [{ ref, name, label: str(row['label']) ?? name, records: num(row['records']) ?? 0 }] : [];
  });
  if (collections.length === 0)
    return limit('conector', say('pipeline.connect'), {
      narration: [say('pipeline.none', { ref: at(listed.value.ref) })],
      siguiente: nextLink(say('common.connections_label'), '/configuracion/conexiones'),
    });
  const staged = new Set(view.summary.collections.filter((one) => one.stages.length > 1).map((one) => one.name.toLowerCase()));
  const saved =
    /\b(?:prospectos|guard(?:amos|e|ado|ados|aron)|saved)\b/.test(reading.flat) && !/\b(?:pipeline|embudo|crm)\b/.test(reading.flat);
  const chosen =
    collections.find((one) => saved && /prospecto/i.test(one.name)) ??
    collections.find((one) => one.name === 'pipeline') ??
    collections.find((one) => staged.has(one.name.toLowerCase()) || staged.has(one.label.toLowerCase())) ??
    [...collections].sort((a, b) => b.records - a.records)[0];
  if (!chosen)
    return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
  const by =
    /\b(?:vendedor|vendedores|quien trae|cada quien|por persona|owner|rep|reps|seller|who has)\b|\bquien\w*\b.*\b(?:trae|lleva|tiene|va)\b/.test(
      reading.flat,
    )
      ? 'owner'
      : /\b(?:por estado|por zona|territorio|by state)\b/.test(reading.flat)
        ? 'state'
        : 'stage';

  const [groupsOutcome, pageOutcome] = yield* together([
    callOf(collectionQuery, { op: 'aggregate', collection: chosen.name, group_by: by }),
    callOf(collectionQuery, { op: 'query', collection: chosen.name, limit: PAGE }),
  ]);
  const groups = groupsOutcome ? readAs(collectionQuery, groupsOutcome) : null;
  let page = pageOutcome ? readAs(collectionQuery, pageOutcome) : null;
  const records: CrmRecord[] = [];
  let total = 0;
  let pageRef = listed.value.ref;
  for (let n = 1; page?.ok; n++) {
    records.push(...page.value.rows.flatMap((row) => recordOf(row) ?? []));
    total = page.value.total ?? records.length;
    pageRef = n === 1 ? page.value.ref : pageRef;
    if (!page.value.next_cursor || n >= PAGES) break;
    const next: Got<z.infer<typeof collectionQuery.output>> = yield* ask(collectionQuery, {
      op: 'query',
      collection: chosen.name,
      limit: PAGE,
      cursor: page.value.next_cursor,
    });
    // A cursor that is refused brings the first page again: those are known.
    if (next.ok && next.value.rows.some((row) => records.some((one) => one.ref === row['ref']))) break;
    page = next;
  }
  if (!groups?.ok && records.length === 0)
    return close({
      partial: true,
      narration: [say('pipeline.unread', { row: at(chosen.ref), ref: at(listed.value.ref), n: chosen.records })],
      refs: [chosen.ref],
      siguiente: nextMessage(say('common.again'), view.message),
    });
  if (total === 0 && chosen.records === 0)
    return close({
      partial: true,
      narration: [say('pipeline.empty', { row: at(chosen.ref), ref: at(chosen.ref) })],
      refs: [chosen.ref],
      siguiente: nextMessage(say('buscar.example_label'), say('buscar.example')),
    });

  const money =
    /\b(?:monto|dinero|cuanto (?:traigo|hay|vale|dinero|tengo)|forecast|pronostico|pesos|valor|amount|worth|money|cerrar)\b/.test(
      reading.flat,
    );
  const cells = groups?.ok
    ? groups.value.rows.flatMap((row) => {
        const [n, sum] = [figure(row['records']), figure(row['amount_mxn'])];
        return n ? [{ name: str(row['group']) ?? '', n, sum }] : [];
      })
    : [];
  cells.sort((a, b) => (by === 'stage' ? rankOf(b.name) - rankOf(a.name) : b.n.value - a.n.value));
  const asked = cells.find((cell) => by === 'stage' && reading.flat.includes(cell.name));
  const shown = (asked ? [asked] : cells)
    .slice(0, 3)
    .map((cell) =>
      say(money && cell.sum ? 'pipeline.cell_money' : 'pipeline.cell', {
        name: by === 'stage' ? stageName(turn, cell.name) : cell.name === '' ? say('pipeline.nobody') : quoted(cell.name, 40),
        ref: at(cell.n.ref),
        n: cell.n.value,
        sum_ref: at(cell.sum?.ref ?? cell.n.ref),
        sum: pesos(cell.sum?.value ?? 0, language),
      }),
    );
  const stuck = records.filter(isStill).sort((a, b) => rankOf(b.stage) - rankOf(a.stage) || (b.days ?? 0) - (a.days ?? 0));
  const latest = [...records].sort((a, b) => (b.changed ?? '').localeCompare(a.changed ?? '') || (a.days ?? 0) - (b.days ?? 0)).slice(0, 5);
  const first = worthFirst(asked ? records.filter((one) => one.stage === asked.name) : records);
  const about = /\b(?:atorad|estancad|parad|enfri|sin mover|no se han movido|stuck|stalled|cold)/.test(reading.flat);
  const name = first ? plainName(first.name) : null;
  return close({
    partial: records.length < total,
    narration: [
      say('pipeline.total', {
        row: at(chosen.ref),
        ref: at(pageRef),
        n: total || chosen.records,
        groups: cells.length,
        words: inWords(cells.length, language),
        by,
      }),
      shown.length > 0 ? say('pipeline.cells', { cells: listOf(shown, language) }) : '',
      about && stuck.length > 0
        ? say('pipeline.stuck', {
            rows: stuck
              .slice(0, 3)
              .map((one) => at(one.ref))
              .join(', '),
          })
        : latest.length > 0
          ? say('pipeline.latest', {
              rows: latest.map((one) => at(one.ref)).join(', '),
              words: inWords(latest.length, language),
              n: latest.length,
            })
          : '',
      first
        ? say(isStill(first) ? 'pipeline.do_still' : 'pipeline.do', {
            row: at(first.ref),
            stage: stageName(turn, first.stage),
            ref: at(pageRef),
            days: first.days ?? 0,
          })
        : '',
      records.length < total && records.length > 0 ? say('pipeline.part', { ref: at(pageRef), read: records.length, total }) : '',
    ],
    refs: [chosen.ref, pageRef, ...latest.map((one) => one.ref), ...(first ? [first.ref] : [])],
    siguiente: first
      ? nextMessage(
          name ? say('pipeline.work_label', { name: quoted(name, 60) }) : say('pipeline.work_label_plain'),
          say('pipeline.work', { name: name ? `«${quoted(name, 80)}»` : first.record_id }),
        )
      : nextMessage(say('buscar.example_label'), say('buscar.example')),
  });
};
