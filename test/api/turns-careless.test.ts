import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flat } from '../../ada/anchors.js';
import type { TestKitchen } from '../kitchen/harness.js';
import { answer, calls, scriptedModel, type Recorded, type Reply, type ScriptedModel } from '../support/scripted-model.js';
import { disorder, openTalk, startTools, type Talk, type Told } from './turns-rig.js';

/** The three cases with a careless model behind the real port: it makes things up, and the person never sees it, whether it corrects itself or insists. */

let kitchen: TestKitchen;
let model: ScriptedModel;
let talk: Talk;
beforeAll(async () => {
  [kitchen, model] = await Promise.all([startTools(), scriptedModel()]);
  talk = await openTalk(kitchen, { scripted: model });
});
afterAll(async () => {
  await talk?.stop();
  await model?.close();
  await kitchen?.stop();
});

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
/** What the tools answered in this turn, the last of each kind first. */
const results = (request: Recorded): Json[] =>
  request.items
    .flatMap((item) => {
      if (item.role !== 'tool_result') return [];
      try {
        return [JSON.parse(item.content) as Json];
      } catch {
        return [];
      }
    })
    .reverse();
const having = (request: Recorded, key: string): Json => results(request).find((one) => key in one) ?? {};

const NEXT = { kind: 'mensaje', label: 'Ver licitaciones abiertas', target: '¿Qué licitaciones hay abiertas?', cost: null };
const close = (narration: string, more: Json = {}): Json => ({
  intent: { kind: 'cierre', variante: 'completo', salidas: [] },
  narration,
  pregunta: null,
  siguiente: NEXT,
  ...more,
});
const reply = (narration: string, more: Json = {}): Json => close(narration, { intent: { kind: 'responder' }, ...more });

interface Fault {
  /** What it does. */
  what: string;
  /** Reads before it answers. */
  reads: Array<[string, unknown]>;
  wrong(request: Recorded): Json;
  right(request: Recorded): Json;
  /** What must not be seen, in small letters without accents. */
  never: RegExp;
}
/** Everything of a turn that a person sees. */
const visible = ({ events, answer: a }: Told): string =>
  flat(
    [
      ...events.flatMap((event) => (event.type === 'narration.delta' ? [event.text] : [])),
      ...(a
        ? [
            a.text,
            a.narration,
            a.pregunta?.texto ?? '',
            a.pregunta?.supuesto ?? '',
            a.siguiente?.label ?? '',
            a.siguiente?.target ?? '',
            a.intent.kind === 'limite' ? a.intent.salida : '',
            ...(a.card?.rows.map((row) => `${row.name} ${row.ref}`) ?? []),
            ...a.anchors.map((one) => `${one.ref} ${one.name ?? ''}`),
          ]
        : []),
    ].join('\n'),
  );

const script =
  (fault: Fault, opens: string, stubborn: boolean) =>
  (request: Recorded, n: number): Reply => {
    if (n === 0 && fault.reads.length > 0) return calls(['skill_open', { name: opens }], ...fault.reads);
    const repair = request.items.some((item) => item.role === 'assistant');
    return answer(repair && !stubborn ? fault.right(request) : fault.wrong(request));
  };
const held = async (fault: Fault, opens: string, stubborn: boolean, message: string, thread?: string): Promise<Told> => {
  model.play(script(fault, opens, stubborn));
  const told = await talk.say(thread ?? (await talk.begin()), message);
  expect(disorder(told.events)).toEqual([]);
  expect(visible(told)).not.toMatch(fault.never);
  // Booked whichever way it ended, one entry a request.
  const { attempts, cost_micros: cost } = await talk.stored(told.turn);
  expect(attempts.map((one) => one.outcome)).toEqual(model.requests.map(() => 'ok'));
  expect(cost).toBeGreaterThan(0);
  if (told.answer) {
    expect(told.answer.usage.unresolved_refs).toBe(0);
    expect(told.answer.validation[0]?.tags).not.toEqual([]);
  } else expect(told.refused).toMatchObject({ code: 'answer_invalid', status: 422 });
  expect(model.requests.length).toBeLessThanOrEqual(fault.reads.length > 0 ? 3 : 2);
  return told;
};
const each = (faults: Fault[]): Array<[string, Fault, boolean]> =>
  faults.flatMap((fault): Array<[string, Fault, boolean]> => [
    [`${fault.what}, and corrects itself`, fault, false],
    [`${fault.what}, and insists`, fault, true],
  ]);

describe('who has sold what, by a careless model', () => {
  const AWARDS = { buyer: 'SEMAR', product: 'refacciones', from: '2023-11-30', limit: 25 };
  const reads: Fault['reads'] = [
    ['market_search_awards', AWARDS],
    ['market_aggregate_awards', { ...AWARDS, limit: 5, group_by: 'supplier' }],
  ];
  const groups = (request: Recorded): Json[] => having(request, 'groups')['groups'] as Json[];
  const pesos = (n: number): string => `$${n.toLocaleString('en-US')}`;
  const supplierOf = (request: Recorded, group: Json): string =>
    `record:${(having(request, 'awards')['awards'] as Json[]).find((one) => one['supplier_name'] === group['group'])?.['supplier_id'] as string}`;
  const right = (request: Recorded): Json => {
    const [first] = groups(request);
    return close(
      `Encabeza [[${first?.['ref'] as string}]] ${first?.['group'] as string}, con [[${first?.['total'].ref as string}]] ${pesos(first?.['total'].value as number)}.`,
    );
  };
  const none: Fault['reads'] = [
    ['market_search_awards', { buyer: 'UNAM', product: 'curación' }],
    ['market_search_suppliers', { text: 'curación', limit: 5 }],
  ];
  const FAULTS: Fault[] = [
    {
      what: 'invents a supplier and its anchor',
      reads,
      right,
      never: /fantasma|999999/,
      wrong: () => close('Encabeza [[record:prv-999999]] Refacciones Fantasma, con [[run:mag-99-g1-sum]] $9,876,500.'),
    },
    {
      what: 'invents a supplier without an anchor',
      reads,
      right,
      never: /fantasma|9,876,500/,
      wrong: (request) => close(`${String(right(request)['narration'])} Le sigue Refacciones Fantasma, con $9,876,500.`),
    },
    {
      what: 'gives a supplier another amount',
      reads,
      right,
      never: /9,876,500/,
      wrong: (request) => {
        const [first] = groups(request);
        return close(
          `Encabeza [[${first?.['ref'] as string}]] ${first?.['group'] as string}, con [[${first?.['total'].ref as string}]] $9,876,500.`,
        );
      },
    },
    {
      what: 'crosses the amounts of two suppliers',
      reads,
      right,
      never: /encabeza[^.]*con \$2,173,100[^.]*con \$2,763,600/,
      wrong: (request) => {
        const [a, b] = groups(request);
        return close(
          `Encabeza [[${supplierOf(request, a ?? {})}]], con [[${b?.['total'].ref as string}]] ${pesos(b?.['total'].value as number)}; le sigue [[${supplierOf(request, b ?? {})}]], con [[${a?.['total'].ref as string}]] ${pesos(a?.['total'].value as number)}.`,
        );
      },
    },
    {
      what: 'says that there is nothing where there is',
      reads,
      right,
      never: /no existe|nadie le ha vendido|no hay (?:ningun )?(?:proveedor|registro)/,
      wrong: () => close('No existe ningún registro de proveedores: nadie le ha vendido refacciones a SEMAR.'),
    },
    {
      what: 'says that there is nothing without having looked',
      reads: [],
      right: () => reply('Todavía no lo he consultado.'),
      never: /no existe|nadie le ha vendido|no hay (?:ningun )?(?:proveedor|registro)/,
      wrong: () => reply('No existe ningún registro de proveedores: nadie le ha vendido refacciones a SEMAR.'),
    },
    {
      what: 'shows candidates as those who sell there',
      reads: none,
      never: /le venden (?!.*candidat)/,
      wrong: (request) => {
        const [a, b] = having(request, 'suppliers')['suppliers'] as Json[];
        return close(`A la UNAM le venden curación [[${a?.['ref'] as string}]] y [[${b?.['ref'] as string}]].`);
      },
      right: (request) => {
        const [a, b] = having(request, 'suppliers')['suppliers'] as Json[];
        return close(
          `En lo revisado hay [[${having(request, 'awards')['ref'] as string}]] 0 contratos. Como candidatos, no como proveedores actuales: [[${a?.['ref'] as string}]] y [[${b?.['ref'] as string}]].`,
          { intent: { kind: 'cierre', variante: 'parcial', salidas: [] } },
        );
      },
    },
  ];
  it.each(each(FAULTS))('%s', async (_what, fault, stubborn) => {
    await held(
      fault,
      'quien-le-ha-vendido',
      stubborn,
      fault.reads === none
        ? '¿Quién le ha vendido curación a la UNAM?'
        : '¿A quién le ha comprado refacciones SEMAR en los últimos tres años?',
    );
  });
});

describe('an analysis of the CRM, by a careless model', () => {
  const reads: Fault['reads'] = [
    ['collection_query', { op: 'list' }],
    ['collection_query', { op: 'aggregate', collection: 'pipeline', group_by: 'stage' }],
    ['collection_query', { op: 'query', collection: 'pipeline', limit: 5 }],
  ];
  const rows = (request: Recorded): Json => results(request).find((one) => (one['rows'] as Json[] | undefined)?.[0]?.['record_id']) ?? {};
  const right = (request: Recorded): Json =>
    close(
      `En Pipeline traes [[${rows(request)['ref'] as string}]] 40 cuentas. Yo empezaría por [[${(rows(request)['rows'] as Json[])[0]?.['ref'] as string}]].`,
    );
  const FAULTS: Fault[] = [
    {
      what: 'says that there is none',
      reads,
      right,
      never: /no existe|no hay crm|no tienes (?:ningun )?crm/,
      wrong: () => close('No existe un CRM en tu cuenta.'),
    },
    {
      what: 'says that there is none without having looked',
      reads: [],
      right: () => reply('Todavía no lo he revisado.'),
      never: /no existe|no hay crm|no tienes (?:ningun )?crm/,
      wrong: () => reply('No existe un CRM en tu cuenta y no hay cuentas que analizar.'),
    },
    {
      what: 'says it as a limit',
      reads,
      right,
      never: /no existe|no hay crm|no tienes (?:ningun )?crm/,
      wrong: () =>
        close('No hay CRM conectado.', {
          intent: { kind: 'limite', falta: 'conector', salida: 'Conéctalo en Configuración → Conexiones' },
        }),
    },
    {
      what: 'counts wrongly',
      reads,
      right,
      never: /\b(?:57|seis etapas)\b/,
      wrong: (request) => close(`En Pipeline traes [[${rows(request)['ref'] as string}]] 57 cuentas.`),
    },
    {
      what: 'invents a record',
      reads,
      right,
      never: /fantasma|rec-999/,
      wrong: (request) => close(`${String(right(request)['narration'])} La más reciente es [[record:rec-999]] Grupo Fantasma.`),
    },
  ];
  it.each(each(FAULTS))('%s', async (_what, fault, stubborn) => {
    await held(fault, 'como-va-mi-pipeline', stubborn, 'Dame un análisis de mi CRM');
  });
});

describe('count and show, by a careless model', () => {
  const FILTERS = { activity: 'limpieza', state: 'Jalisco' };
  const reads: Fault['reads'] = [['market_count_suppliers', FILTERS]];
  const count = (request: Recorded): Json => having(request, 'count')['count'] as Json;
  const right = (request: Recorded): Json =>
    reply(`Hay [[${count(request)['ref'] as string}]] ${count(request)['value'] as number} proveedores de limpieza en Jalisco.`);
  const FAULTS: Fault[] = [
    {
      what: 'counts wrongly',
      reads,
      right,
      never: /\b4,?812\b/,
      wrong: (request) => reply(`Hay [[${count(request)['ref'] as string}]] 4,812 proveedores de limpieza en Jalisco.`),
    },
    {
      what: 'says that there are none',
      reads,
      right,
      never: /no existe|no hay (?:ningun )?proveedor/,
      wrong: () => reply('No existen proveedores de limpieza en Jalisco: no hay ninguno.'),
    },
    {
      what: 'counts in its head',
      reads: [],
      right: () => reply('Todavía no los conté.'),
      never: /\b4,?812\b/,
      wrong: () => reply('Hay 4,812 proveedores de limpieza en Jalisco.'),
    },
  ];
  it.each(each(FAULTS))('%s', async (_what, fault, stubborn) => {
    await held(fault, 'cuantos-hay', stubborn, '¿Cuántos proveedores de limpieza hay en Jalisco?');
  });

  it('forgets the filters of the count: the list has them all the same', async () => {
    const thread = await talk.begin();
    model.play((request, n) =>
      n === 0 ? calls(['skill_open', { name: 'cuantos-hay' }], ['market_count_suppliers', FILTERS]) : answer(right(request)),
    );
    const counted = await talk.say(thread, '¿Cuántos proveedores de limpieza hay en Jalisco?');
    expect(counted.answer?.card).toMatchObject({ kind: 'conteo', filters: FILTERS });
    model.play((request, n) => {
      if (n === 0)
        return calls(
          ['skill_open', { name: 'buscar-empresas-y-proveedores' }],
          ['market_search_suppliers', { activity: 'limpieza', limit: 10 }],
        );
      const found = having(request, 'suppliers');
      return answer(
        close(
          `Encontré [[${found['ref'] as string}]] ${found['total'] as number} proveedores; el primero es [[${(found['suppliers'] as Json[])[0]?.['ref'] as string}]].`,
        ),
      );
    });
    const shown = await talk.say(thread, 'Muéstramelos');
    expect(shown.answer?.card).toMatchObject({ kind: 'lista', total: counted.answer?.card?.total, filters: FILTERS });
    expect(shown.answer?.card?.rows.every((row) => row.detail?.includes('Jalisco'))).toBe(true);
  });
});
