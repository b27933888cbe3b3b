import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../contracts/tools/catalogue.js';
import { materialCalls, ROUND, type KnownFacts } from '../../../ada/library/material.js';
import { allowedTools } from '../../../ada/library/trust.js';
import type { Skill } from '../../../ada/library/types.js';
import { platformSnapshot } from '../../../evals/routing/library-200.js';

const skill = (material: Skill['material'], tools: string, trust: Skill['trust'] = 'plataforma'): Skill =>
  ({ material, tools: tools.split(' ').filter(Boolean), trust }) as unknown as Skill;
const calls = (of: Skill, facts: KnownFacts): Array<[string, Record<string, string>]> =>
  materialCalls(of, CATALOGUE, facts).map(({ tool, args }) => [tool, args]);
const ALL = CATALOGUE.map(({ name }) => name).join(' ');

describe('the first round of searches', () => {
  it('is none when nothing is declared', () => expect(calls(skill(null, ALL), { comprador: 'IMSS' })).toEqual([]));
  it('is none without a tool that searches for free', () => {
    expect(
      calls(skill('amplio', 'company_search people_search people_reveal crm_save_companies collection_query'), { giro: 'empaque' }),
    ).toEqual([]);
    expect(calls(skill('amplio', ''), { giro: 'empaque' })).toEqual([]);
    expect(calls(skill('amplio', 'nadie'), { giro: 'empaque' })).toEqual([]);
  });
  it('is none when nothing that can be asked with is known', () => {
    expect(calls(skill('amplio', 'context_retrieve'), { giro: 'empaque' })).toEqual([]);
    expect(calls(skill('amplio', 'market_search_awards'), { cuenta: 'x' } as KnownFacts)).toEqual([]);
    expect(calls(skill('amplio', 'market_search_awards'), {})).toEqual([]);
  });

  it('narrow asks one tool, once', () => {
    expect(
      calls(skill('estrecho', 'market_search_awards market_search_suppliers'), { comprador: 'IMSS', estado: 'Jalisco', giro: 'textil' }),
    ).toEqual([['market_search_awards', { buyer: 'IMSS', activity: 'textil', state: 'Jalisco' }]]);
  });
  it('wide asks the same without one filter, and then the next tool', () => {
    expect(calls(skill('amplio', 'market_search_awards'), { comprador: 'IMSS', estado: 'Jalisco', giro: 'textil' })).toEqual([
      ['market_search_awards', { buyer: 'IMSS', activity: 'textil', state: 'Jalisco' }],
      ['market_search_awards', { buyer: 'IMSS', activity: 'textil' }],
    ]);
    expect(calls(skill('amplio', 'market_search_awards market_search_suppliers'), { comprador: 'IMSS', producto: 'uniformes' })).toEqual([
      ['market_search_awards', { buyer: 'IMSS', product: 'uniformes' }],
      ['market_search_suppliers', { text: 'uniformes' }],
    ]);
  });
  it('asks for a product, not for its trade as well', () =>
    expect(calls(skill('amplio', 'market_search_awards'), { comprador: 'IMSS', producto: 'uniformes', giro: 'textil' })).toEqual([
      ['market_search_awards', { buyer: 'IMSS', product: 'uniformes' }],
    ]));
  it('does not ask the same twice where a filter is none of the tool’s', () => {
    expect(calls(skill('amplio', 'market_search_awards'), { comprador: 'IMSS' })).toEqual([['market_search_awards', { buyer: 'IMSS' }]]);
    expect(calls(skill('amplio', 'market_search_suppliers'), { estado: 'Jalisco' })).toEqual([
      ['market_search_suppliers', { state: 'Jalisco' }],
    ]);
  });
  it('takes an empty fact for none, and one that the schema refuses for no call', () => {
    expect(calls(skill('estrecho', 'market_search_awards'), { comprador: ' ', producto: 'uniformes' })).toEqual([
      ['market_search_awards', { product: 'uniformes' }],
    ]);
    expect(calls(skill('estrecho', 'market_search_awards'), { comprador: 'x'.repeat(500) })).toEqual([]);
  });
  it('goes on to the next tool when the first cannot be asked', () =>
    expect(calls(skill('estrecho', 'context_retrieve market_search_awards'), { comprador: 'IMSS' })).toEqual([
      ['market_search_awards', { buyer: 'IMSS' }],
    ]));

  it('stays within its number, with free tools of the recipe only, for every recipe and trust', async () => {
    const facts: KnownFacts = { comprador: 'IMSS', producto: 'uniformes', giro: 'textil', estado: 'Jalisco' };
    const platform = [...(await platformSnapshot()).skills.values()];
    for (const of of [
      ...platform,
      ...(['plataforma', 'propia', 'tercero'] as const).flatMap((trust) =>
        (['amplio', 'estrecho'] as const).map((material) => skill(material, ALL, trust)),
      ),
    ]) {
      const made = materialCalls(of, CATALOGUE, facts);
      expect(made.length).toBeLessThanOrEqual(of.material ? ROUND[of.material] : 0);
      expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(made.length);
      for (const { tool, args } of made) {
        expect(allowedTools(of, CATALOGUE)).toContain(tool);
        const contract = CATALOGUE.find(({ name }) => name === tool);
        expect(contract).toMatchObject({ costo: 'gratis', scope: 'read', readOnly: true });
        expect(contract?.input.safeParse(args).success).toBe(true);
      }
    }
  });
});
