import { describe, expect, it } from 'vitest';
import { coverageLine } from '../../ada/coverage.js';
import { summaryOf } from '../../ada/summary.js';
import type { Worked } from '../../ada/turn-view.js';
import {
  AWARDS,
  call,
  COLLECTIONS,
  COMPANIES,
  COMPARE,
  COUNT,
  failed,
  PEOPLE,
  PIPELINE,
  QUOTE,
  STAGES,
  TENDER,
  TENDERS,
  TOPIC,
  TOPICS,
} from './validate/world.js';

const label = (name: string): string => (name === 'cuantos-hay' ? 'Cuántos hay' : name);
const es = (worked: Worked): string => summaryOf(worked, 'es-MX', label);

describe('what a call brought, for people', () => {
  it.each<[Worked, string, string]>([
    [COMPANIES, '3 de 17 empresas', '3 of 17 companies'],
    [AWARDS, '23 contratos', '23 contracts'],
    [COUNT, '6 proveedores', '6 suppliers'],
    [COMPARE, '2 segmentos comparados', '2 segments compared'],
    [PIPELINE, '2 de 40 registros', '2 of 40 records'],
    [COLLECTIONS, '1 lista del CRM', '1 CRM list'],
    [STAGES, '3 grupos', '3 groups'],
    [TENDERS, '2 de 5 licitaciones', '2 of 5 tenders'],
    [TENDER, '1 licitación', '1 tender'],
    [TOPICS, '1 tema', '1 topic'],
    [TOPIC, '1 tema', '1 topic'],
    [QUOTE, '2 precios', '2 prices'],
    [PEOPLE, '1 persona', '1 person'],
    [call('company_search', { ref: 'run:cs-9', shown: 25, total: 1_340, companies: [] }), '25 de 1,340 empresas', '25 of 1,340 companies'],
    [call('market_search_awards', { ref: 'run:msa-9', shown: 0, total: 0, awards: [] }), '0 contratos', '0 contracts'],
    [
      call('usage', { balances: { credits: 32, queries: 1_000, inference: 5 } }),
      '32 créditos, 1,000 consultas',
      '32 credits, 1,000 queries',
    ],
    [call('skill_open', { status: 'abierta', name: 'cuantos-hay' }), 'Cuántos hay', 'Cuántos hay'],
    [call('board_read', { ref: 'board:now' }), '', ''],
    [call('campana_status', { ref: 'run:open', runs: [{}, {}] }), '2 campañas abiertas', '2 open campaigns'],
    [
      call('campana_status', { ref: 'run:r', state: 'running', counts: { done: 38, total: 50 }, decisions: [] }),
      'En marcha · 38 de 50 cuentas con persona elegida',
      'Running · 38 of 50 accounts with a person chosen',
    ],
    [
      call('campana_start', { ref: 'run:r', state: 'ready', counts: { done: 0, total: 50 }, decisions: [{ state: 'open' }] }),
      'Una tarjeta espera tu toque',
      'A card waits for your tap',
    ],
    [failed('people_reveal', 'solo_con_toque'), 'Eso necesita tu toque', 'That needs your tap'],
    [failed('company_search', 'server_error'), 'No respondió', 'No answer'],
    [failed('campana_control', 'which_run'), 'Falta precisar', 'Has to be said more exactly'],
    [failed('company_search', 'something_new'), 'No se pudo', 'It could not be done'],
  ])('%#: %s', (worked, spanish, english) => {
    expect([es(worked), summaryOf(worked, 'en', label)]).toEqual([spanish, english]);
  });

  it('says nothing of what it does not know, whatever the result looks like', () => {
    for (const result of [null, [], 'text', 7, { total: 'many' }, { ref: 'run:x', rows: [{ id: 'rec-1' }] }])
      for (const name of ['company_search', 'market_count_suppliers', 'campana_status', 'usage', 'sequence_check', 'unheard_of']) {
        expect(es(call(name, result))).not.toMatch(/[{}[\]_"]|rec-1|undefined|null|NaN/);
      }
  });
});

describe('what was looked at', () => {
  const line = (tool: string, coverage: string, more: object = {}): string | null => coverageLine(tool, { coverage, ...more }, 'es-MX');
  it("is told in the reader's language, with its period and what nothing is filed under", () => {
    expect(line('market_search_awards', 'Public awards of the sample, December 2022 to November 2026')).toBe(
      'Contratos públicos registrados, de diciembre de 2022 a noviembre de 2026',
    );
    expect(line('company_search', 'Private companies of the sample: Plastics, every state')).toBe(
      'Empresas privadas registradas en la fuente',
    );
    expect(line('company_search', 'Private companies of the sample; nothing is filed under activity "globos", state "Bajío"')).toBe(
      'Empresas privadas registradas en la fuente; no hay nada registrado como giro "globos", estado "Bajío"',
    );
    expect(
      line('market_aggregate_awards', 'Public awards of the sample, December 2022 to November 2026; by other words: laptop', {
        synonyms_used: ['laptop', 'computadora'],
      }),
    ).toBe('Contratos públicos registrados, de diciembre de 2022 a noviembre de 2026; también con otras palabras: laptop y computadora');
  });
  it("is the source's own words where they are in that language already", () => {
    expect(coverageLine('market_search_awards', { coverage: 'Public awards of the sample, December 2022 to November 2026' }, 'en')).toBe(
      'Public awards of the sample, December 2022 to November 2026',
    );
    expect(line('market_search_awards', 'Contratos de la fuente desde 2022, por dependencia')).toBe(
      'Contratos de la fuente desde 2022, por dependencia',
    );
    expect(coverageLine('market_search_awards', { coverage: 'Contratos de la fuente desde 2022, por dependencia' }, 'en')).toBe(
      'Public contracts on file',
    );
  });
  it('is not said of what covers nothing', () => {
    expect([
      line('usage', 'Balances and price list of this workspace'),
      line('people_quote', 'Price list'),
      line('company_search', ''),
      coverageLine('company_search', null, 'es-MX'),
    ]).toEqual([null, null, null, null]);
  });
});
