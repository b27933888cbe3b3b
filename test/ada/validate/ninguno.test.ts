import { describe, expect, it } from 'vitest';
import { EMPTY_BOARD } from '../../../contracts/turn.js';
import { answer, AWARDS, call, check, COLLECTIONS, COMPANIES, COMPARE, COUNT, failed, type World } from './world.js';

/** "There is none" needs a result that says so; who only came up by trade is no seller. Only the codes of these two rules are looked at. */

const META = { has_more: false, next_cursor: null, coverage: 'Sample' };
const NO_AWARDS = call('market_search_awards', { ref: 'run:msa-1', ...META, shown: 0, total: 0, awards: [], synonyms_used: [] });
const SOME_AWARDS = call('market_search_awards', {
  ref: 'run:msa-2',
  ...META,
  shown: 1,
  total: 1,
  synonyms_used: [],
  awards: [
    {
      ref: 'record:adj-1',
      award_id: 'adj-1',
      supplier_id: 'prv-2',
      supplier_name: 'Clínicos Hortensia',
      buyer: 'SEMAR',
      product: 'Guantes',
      amount_mxn: 10,
      awarded_on: '2025-01-01',
    },
  ],
});
const SUPPLIERS = call('market_search_suppliers', {
  ref: 'run:mss-1',
  ...META,
  shown: 2,
  total: 2,
  suppliers: [
    {
      ref: 'record:prv-1',
      supplier_id: 'prv-1',
      name: 'Insumos Xochipa',
      rfc: null,
      activity: 'equipo_medico',
      state: 'Puebla',
      size: 'micro',
      awards: 0,
      total_mxn: 0,
      last_award_on: null,
    },
    {
      ref: 'record:prv-2',
      supplier_id: 'prv-2',
      name: 'Clínicos Hortensia',
      rfc: null,
      activity: 'equipo_medico',
      state: 'Puebla',
      size: 'micro',
      awards: 3,
      total_mxn: 30,
      last_award_on: '2025-01-01',
    },
  ],
});
const NO_CRM = call('collection_query', { ref: 'run:cq-9', ...META, shown: 0, total: 0, rows: [] }, { op: 'list' });
const codes = (narration: string, world: World): string[] =>
  check(answer(narration), world)
    .defects.map((one) => one.code)
    .filter((code) => code === 'cifra.none' || code === 'solo_resultados.seller');

describe('there is none', () => {
  it.each<[says: boolean, narration: string, worked: World['worked']]>([
    [true, 'No existe ningún registro de proveedores.', [SOME_AWARDS]],
    [true, 'No hay proveedores de limpieza en Jalisco.', [COUNT]],
    [true, 'Nadie le ha vendido refacciones a SEMAR.', [SOME_AWARDS]],
    [true, 'No hay empresas de plásticos.', [COMPANIES]],
    [true, 'No encontré empresas.', [COMPANIES]],
    [true, 'No encontré proveedores de eso.', []],
    [true, 'There are no suppliers in Jalisco.', [COUNT]],
    [true, 'No hay contratos registrados.', []],
    [true, 'No existe un CRM en tu cuenta.', [COLLECTIONS]],
    [true, 'No tienes CRM conectado.', []],
    [true, 'No veo ningún CRM.', [COLLECTIONS]],
    // A call that broke or was refused says nothing of the kind.
    [true, 'No hay licitaciones abiertas.', [failed('market_search_opportunities', 'unavailable')]],
    [true, 'No existen proveedores de eso.', [failed('market_search_suppliers', 'fuera_de_cinturon')]],
    // An empty result, one that is not there, or part of what was compared.
    [false, 'No hay contratos de eso en lo revisado.', [NO_AWARDS]],
    [false, 'Nadie le ha vendido guantes a la UNAM en lo revisado.', [NO_AWARDS, SUPPLIERS]],
    [false, 'No hay CRM conectado.', [failed('collection_query', 'not_connected')]],
    [false, 'Para herrería no encontré adjudicaciones con ese filtro.', [COMPARE, AWARDS]],
    [false, 'No veo ningún CRM.', [NO_CRM]],
    // Something of them, not all; nothing of the data at all; or what does not prove it.
    [false, 'No hay empresas elegidas.', []],
    [false, 'No hay contratos vencidos entre esos.', [SOME_AWARDS]],
    [false, 'No hay nada que pagar.', []],
    [false, 'No tienes campañas abiertas.', []],
    [false, 'Eso no prueba que no exista.', []],
    [false, 'No hay dueño de la plaza.', [AWARDS]],
  ])('%s: %s', (says, narration, worked) => {
    expect(codes(narration, worked ? { worked } : {})).toEqual(says ? ['cifra.none'] : []);
  });
  it('may be said again of a query that was empty before', () => {
    const runs = [
      { ref: 'run:mcs-1', tool: 'market_count_suppliers', args: {}, total: 0, shown: 0, skill: null, at: '2026-11-30T12:00:00.000Z' },
    ];
    expect(codes('No hay proveedores de eso.', { worked: [], board: { ...EMPTY_BOARD, runs } })).toEqual([]);
    expect(
      codes('No hay proveedores de eso.', { worked: [], board: { ...EMPTY_BOARD, runs: runs.map((run) => ({ ...run, total: 6 })) } }),
    ).toEqual(['cifra.none']);
  });
});

describe('who sells there', () => {
  it.each<[says: boolean, narration: string, worked: World['worked']]>([
    [true, 'A la UNAM le venden guantes [[record:prv-1]] y [[record:prv-2]].', [NO_AWARDS, SUPPLIERS]],
    [true, 'A SEMAR le surte [[record:prv-1]].', [SOME_AWARDS, SUPPLIERS]],
    [true, 'Su proveedor actual es [[record:prv-1]].', [NO_AWARDS, SUPPLIERS]],
    [false, 'Como candidatos, no como proveedores actuales, salen [[record:prv-1]] y [[record:prv-2]].', [NO_AWARDS, SUPPLIERS]],
    [false, 'A SEMAR le ha vendido [[record:prv-2]].', [SOME_AWARDS, SUPPLIERS]],
    [false, 'Podría venderle [[record:prv-1]].', [NO_AWARDS, SUPPLIERS]],
    [false, 'Les venden a gobierno [[record:prv-1]] y [[record:prv-2]].', [SUPPLIERS]],
  ])('%s: %s', (says, narration, worked) => {
    expect(codes(narration, worked ? { worked } : {})).toEqual(says ? ['solo_resultados.seller'] : []);
  });
});
