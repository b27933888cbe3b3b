import { describe, expect, it } from 'vitest';
import { answer, call, check, skill, TOPIC, TOPICS, type World } from './world.js';

/** The example of each recipe's file is an answer that its own rules accept. */

const META = { shown: 1, has_more: false, next_cursor: null, coverage: 'Sample' };
const figure = (ref: string, value: number, unit: string): object => ({ ref, value, unit });
const PIECES: Array<[recipe: string, narration: string, world: World]> = [
  [
    'cuantos-hay',
    'En Guanajuato hay [[run:mcs-1-n]] 6 proveedores de gobierno de muebles y [[run:mcs-1-won]] los 6 ya ganaron contratos: plaza chica y con experiencia.',
    {
      worked: [
        call('market_count_suppliers', {
          ref: 'run:mcs-1',
          ...META,
          total: 2,
          count: figure('run:mcs-1-n', 6, 'suppliers'),
          with_awards: figure('run:mcs-1-won', 6, 'suppliers'),
        }),
      ],
    },
  ],
  [
    'buscar-empresas-y-proveedores',
    'Encontré [[run:cs-4]] 17 empresas de plásticos en Querétaro; usé 1 consulta.',
    { worked: [call('company_search', { ref: 'run:cs-4', ...META, shown: 17, total: 17, companies: [] })] },
  ],
  [
    'quien-le-ha-vendido',
    'Está repartido: desde diciembre de 2024 van [[run:mag-1-n]] 5 contratos de mobiliario con la SEP y nadie repite. Encabeza [[run:mag-1-g1]] Maderas Palmara del Valle, con [[run:mag-1-g1-share]] 50.6 % del monto.',
    {
      worked: [
        call(
          'market_aggregate_awards',
          {
            ref: 'run:mag-1',
            ...META,
            total: 5,
            overall: { awards: figure('run:mag-1-n', 5, 'awards') },
            groups: [{ ref: 'run:mag-1-g1', group: 'Maderas Palmara del Valle', share: figure('run:mag-1-g1-share', 50.6, 'percent') }],
          },
          { from: '2024-12-01', group_by: 'supplier' },
        ),
      ],
    },
  ],
  [
    'senales-y-oportunidades',
    'Hay [[run:mso-2]] 5 abiertas de papelería. La primera, de IMSS-Bienestar, cierra el [[record:lic-000389]] 10 de diciembre de 2026.',
    {
      worked: [
        call('market_search_opportunities', {
          ref: 'run:mso-2',
          ...META,
          shown: 5,
          total: 5,
          opportunities: [
            {
              ref: 'record:lic-000389',
              opportunity_id: 'lic-000389',
              title: 'Papelería para oficinas',
              deadline: '2026-12-11T05:59:00.000Z',
            },
          ],
        }),
      ],
    },
  ],
  [
    'como-va-mi-pipeline',
    'Traes [[record:col-pipeline]] 40 cuentas; en negociación hay [[run:cq-2-3-n]] 11. La que más me preocupa es [[record:rec-29]] Comestibles Piedra Lisa: 59 días sin moverse.',
    {
      worked: [
        call('collection_query', {
          ref: 'run:cq-1',
          ...META,
          total: 1,
          rows: [{ ref: 'record:col-pipeline', collection: 'pipeline', label: 'CRM', records: 40 }],
        }),
        call('collection_query', {
          ref: 'run:cq-2',
          ...META,
          total: 3,
          rows: [{ ref: 'run:cq-2-3', group: 'negociacion', records: { ref: 'run:cq-2-3-n', value: 11 } }],
        }),
        call('collection_query', {
          ref: 'run:cq-3',
          ...META,
          total: 40,
          rows: [{ ref: 'record:rec-29', record_id: 'rec-29', name: 'Comestibles Piedra Lisa', days_in_stage: 59 }],
        }),
      ],
    },
  ],
  [
    'trabajar-una-cuenta',
    '[[record:rec-29]] Comestibles Piedra Lisa lleva 59 días en negociación por $300,000 y no tenemos contacto de quien firma. Yo buscaría a compras antes de insistir.',
    {
      worked: [
        call('collection_query', {
          ref: 'run:cq-3',
          ...META,
          total: 1,
          rows: [{ ref: 'record:rec-29', record_id: 'rec-29', name: 'Comestibles Piedra Lisa', days_in_stage: 59, amount_mxn: 300_000 }],
        }),
      ],
    },
  ],
  [
    'que-sabe-el-equipo',
    'Según [[record:tema-precio]] Objeciones de precio (junio de 2026): pregunta contra qué comparan, llévalo a costo por pieza útil y ofrece probar un producto. El descuento lo autoriza gerencia.',
    { worked: [TOPICS, TOPIC] },
  ],
  [
    'guardar-en-crm',
    'Te dejé la tarjeta para guardar 3 de [[run:cs-4]] 17. No cuesta y puedes deshacerlo durante 10 minutos.',
    {
      worked: [
        call(
          'proponer_decision',
          { ref: 'run:run_1', run_id: 'run_1', counts: { total: 3 } },
          { kind: 'guardar_en_crm', refs: ['record:a', 'record:b', 'record:c'] },
        ),
      ],
      board: {
        runs: [{ ref: 'run:cs-4', tool: 'company_search', args: {}, total: 17, shown: 17, skill: null, at: '2026-11-01T00:00:00.000Z' }],
      },
    },
  ],
  [
    'conseguir-contactos',
    'La indicada es [[record:per-000786]] Dirección de Adquisiciones. Revelarla cuesta 1 crédito: tienes 32, te quedan 31.',
    {
      worked: [
        call('people_search', {
          ref: 'run:ps-1',
          ...META,
          total: 1,
          people: [{ ref: 'record:per-000786', person_id: 'per-000786', title: 'Dirección de Adquisiciones' }],
        }),
        call('people_quote', { ref: 'run:pq-1', ...META, total: 1, prices: [{ ref: 'run:pq-1-1', credits: 1 }] }),
      ],
    },
  ],
  [
    'armar-secuencia',
    'Preparo [[run:pa-1]] 12 borradores, uno por persona y de usted, como escribe tu equipo. Los revisas y activas en el tablero; nada sale antes.',
    { worked: [call('people_acquired', { ref: 'run:pa-1', ...META, shown: 12, total: 12, acquired: [] })] },
  ],
  [
    'campana',
    'Los 50 cuestan a lo más 50 créditos y 53 consultas. Con tus 32 créditos salen 32; puedes empezar así o recargar antes.',
    {
      worked: [
        call('campana_start', {
          ref: 'run:run_1',
          run_id: 'run_1',
          counts: { total: 50 },
          decisions: [
            {
              ref: 'decision:dec_1',
              options: [
                { id: 'all', n: 50, credits: 50, queries: 53 },
                { id: 'fit_n', n: 32, credits: 32, queries: 53, left_credits: 0 },
              ],
              balance: { credits: 32, queries: 100 },
            },
          ],
        }),
      ],
      context: {
        message: 'quiero llegar a 50 de compras',
        tabled: { decision: { id: 'dec_1', run_id: 'run_1' } as never, progress: null },
      },
    },
  ],
];

describe('examples of the recipes', () => {
  it.each(PIECES)('%s', (recipe, narration, world) => {
    const { problems } = check(answer(narration), { ...world, context: { open: [skill(recipe)], ...world.context } });
    expect(problems).toEqual([]);
  });
});
