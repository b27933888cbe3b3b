import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformSnapshot } from '../../evals/routing/library-200.js';
import type { Skill } from '../../ada/library/types.js';
import { QUOTE_LOT } from '../../activities/readings.js';
import { ToolFailure } from '../../activities/mcp.js';
import { hasText } from '../../contracts/catalog/index.js';
import { DECISION_KINDS, STEP_COST, STEP_IDS, STEP_SKILL, type StepId } from '../../contracts/states.js';
import { crmSaveCompanies } from '../../contracts/tools/crm.js';
import { sequenceCreateDraft } from '../../contracts/tools/sequences.js';
import { DRAFT_LOT } from '../../db/draft-lots.js';
import { ROOT } from '../../stack/paths.js';
import { PAGE } from '../../workflows/budget.js';
import { findCompanies, type SearchFilters } from '../../workflows/recipes/companies.js';
import { World, type TestRun } from './world.js';

/** Rows of the first table in a reference whose head begins with `paso`. */
const table = (skill: Skill | undefined, name: string): string[][] => {
  const text = skill?.references.find((reference) => reference.name === name)?.text ?? '';
  const lines = text.split('\n');
  const head = lines.findIndex((line) => line.startsWith('| paso |'));
  const rows: string[][] = [];
  for (let i = head + 2; lines[i]?.startsWith('|'); i++)
    rows.push(
      (lines[i] ?? '')
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim()),
    );
  return head === -1 ? [] : rows;
};

interface Row {
  step: string;
  tool: string;
  perCall: number;
  planB: string[];
}
const background = (skill: Skill | undefined): Row[] =>
  table(skill, 'references/en-segundo-plano.md').map(([step = '', tool = '', perCall = '', planB = '']) => ({
    step,
    tool,
    perCall: Number(perCall),
    planB: planB.split(',').map((code) => code.trim()),
  }));

/** The provider's own words (`mailbox_missing`) come from its side. */
const sources = ['activities', 'db', 'workflows', 'kitchen']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  )
  .join('\n');

describe('a recipe and the workflow that runs it say the same', () => {
  let skills: ReadonlyMap<string, Skill>;
  let world: World;
  beforeAll(async () => {
    [skills, world] = await Promise.all([platformSnapshot().then((snapshot) => snapshot.skills), World.start()]);
  });
  afterAll(() => world.stop());

  const STEPS: ReadonlyArray<StepId> = ['s1', 's2', 's3', 's4', 's5'];

  it('every step that calls a tool has its recipe, and the recipe names the step', () => {
    for (const step of STEPS)
      expect(
        background(skills.get(STEP_SKILL[step])).map((row) => row.step),
        step,
      ).toContain(step);
    for (const skill of skills.values()) {
      const rows = background(skill);
      expect([...new Set(rows.map((row) => row.tool))].sort(), skill.name).toEqual([...new Set(skill.backgroundTools)].sort());
      for (const row of rows) expect(STEP_SKILL[row.step as StepId], `${skill.name} ${row.step}`).toBe(skill.name);
    }
  });

  it('campana calls no tool, opens the recipes in the order of the steps, and knows each step’s tap and cost', () => {
    const campana = skills.get('campana');
    expect(campana?.tools).toEqual([]);
    expect(campana?.backgroundTools).toEqual([]);
    const order = [...new Set(STEPS.map((step) => STEP_SKILL[step]))];
    const opened = [...(campana?.body.matchAll(new RegExp(order.join('|'), 'g')) ?? [])].map(([name]) => name);
    expect([...new Set(opened)]).toEqual(order);
    expect(campana?.siguiente).toEqual(order);
    const tap: Partial<Record<StepId, string>> = {
      s0: 'ajustar_presupuesto',
      s2: 'guardar_en_crm',
      s4: 'revelar_contactos',
      s6: 'revisar_secuencia',
    };
    expect(Object.values(tap).sort()).toEqual([...DECISION_KINDS].sort());
    expect(table(campana, 'references/pasos.md')).toEqual(
      STEP_IDS.map((step) => [step, STEP_SKILL[step], tap[step] ?? '–', STEP_COST[step]]),
    );
  });

  it('as much fits in a call as the recipe says', () => {
    const perCall = (step: StepId, tool: string): number | undefined =>
      background(skills.get(STEP_SKILL[step])).find((row) => row.step === step && row.tool === tool)?.perCall;
    expect(perCall('s1', 'company_search')).toBe(PAGE);
    expect(perCall('s4', 'people_quote')).toBe(QUOTE_LOT);
    expect(perCall('s5', 'sequence_create_draft')).toBe(DRAFT_LOT);
    const company = { company_id: 'c', name: 'n', rfc: null, domain: null };
    const draft = { person_id: 'p', subject: 's', body: 'b' };
    const save = (n: number): boolean =>
      crmSaveCompanies.input.safeParse({ client_key: 'k', companies: Array.from({ length: n }, () => company) }).success;
    const store = (n: number): boolean =>
      sequenceCreateDraft.input.safeParse({ client_key: 'k', name: 'n', drafts: Array.from({ length: n }, () => draft) }).success;
    const saved = perCall('s2', 'crm_save_companies') ?? 0;
    expect([save(saved), save(saved + 1), store(DRAFT_LOT), store(DRAFT_LOT + 1)]).toEqual([true, false, true, false]);
  });

  it('with zero rows the search leaves out what the recipe says, in that order, one at a time', () => {
    const search = findCompanies({ activity: 'empaque', state: 'Jalisco', size: 'mediana' }, 50, 10);
    const asked: SearchFilters[] = [];
    for (let step = search.next(); !step.done; step = search.next({ companies: [], total: 0, next_cursor: null })) {
      expect(step.value.tool).toBe('company_search');
      asked.push(step.value.args);
    }
    const [row] = background(skills.get('buscar-empresas-y-proveedores'));
    const left = asked.map((filters) => Object.keys(filters).filter((key) => key === 'size' || key === 'state'));
    const dropped = left.slice(1).map((keys, i) => left[i]?.filter((key) => !keys.includes(key)));
    expect(dropped).toEqual(row?.planB.map((filter) => [filter]));
  });

  it('every way on that a recipe names exists in the code and has a text', () => {
    const named = [...skills.values()].flatMap((skill) =>
      background(skill).flatMap((row) => (row.step === 's1' ? [] : row.planB.map((code) => ({ skill: skill.name, code })))),
    );
    expect(named.length).toBeGreaterThan(10);
    const inCode = (code: string): boolean => code.split('.').every((part) => sources.includes(part));
    expect(named.filter(({ code }) => !inCode(code))).toEqual([]);
    expect(
      named.filter(({ code }) => !['', 'reason.', 'account.reason.', 'contact.reason.'].some((prefix) => hasText(`${prefix}${code}`))),
    ).toEqual([]);
  });

  /** Tools in the order of their first call since `from`, those of the read-backs too. */
  const called = (from: number, until = world.provider.calls.length): string[] => [
    ...new Set(world.provider.calls.slice(from, until).map((call) => call.tool)),
  ];

  it('a campaign calls the tools of each step in the recipe’s order, read-backs included', async () => {
    const lose = (tool: string): void => {
      let lost = false;
      world.provider.on(tool, async (_args, _n, proceed) => {
        const answer = await proceed();
        if (lost) return answer;
        lost = true;
        throw new ToolFailure(tool, 'unknown', 'timeout');
      });
    };
    const marks: Record<string, number> = {};
    const mark = (name: string): void => {
      marks[name] = world.provider.calls.length;
    };
    const of = (from: string, to: string): string[] => called(marks[from] ?? 0, marks[to]);
    for (const tool of ['crm_save_companies', 'crm_undo', 'people_reveal']) lose(tool);

    const run: TestRun = await world.run({ cuentas: 3 });
    const start = await run.card('ajustar_presupuesto');
    mark('s1');
    await run.tap(start, 'all');
    const save = await run.card('guardar_en_crm');
    mark('s2');
    await run.tap(save, 'approve');
    const reveal = await run.card('revelar_contactos');
    mark('undo');
    await run.undo(save.id);
    const again = await run.card('guardar_en_crm', save.id);
    mark('undone');
    await run.tap(again, 'approve');
    const offered = await run.card('revelar_contactos').catch(() => reveal);
    mark('s4');
    await run.tap(offered, 'all');
    await run.ended();
    mark('end');

    const recipe = (step: StepId, ...without: string[]): string[] => [
      ...new Set(
        background(skills.get(STEP_SKILL[step]))
          .filter((row) => row.step === step && !without.includes(row.tool))
          .map((row) => row.tool),
      ),
    ];
    // Balances are read at every tap, whatever the step.
    expect(of('s1', 's2').filter((tool) => tool !== 'usage')).toEqual(recipe('s1'));
    const saving = of('s2', 'undo').filter((tool) => recipe('s2').includes(tool));
    expect(saving).toEqual(recipe('s2', 'crm_undo'));
    expect(of('undo', 'undone').filter((tool) => recipe('s2').includes(tool))).toEqual(['crm_undo', 'collection_query']);
    expect(of('s2', 'undo').filter((tool) => recipe('s3').includes(tool))).toEqual(recipe('s3'));
    // Priced before the card, revealed after the tap, read back when the answer was lost.
    expect(of('s2', 'undo').filter((tool) => ['usage', 'people_quote'].includes(tool))).toEqual(['usage', 'people_quote']);
    expect(of('s4', 'end').filter((tool) => ['people_reveal', 'people_acquired'].includes(tool))).toEqual([
      'people_reveal',
      'people_acquired',
    ]);
    expect(of('s4', 'end').filter((tool) => recipe('s5').includes(tool))).toEqual(recipe('s5'));
    // And no step called anything that no recipe names.
    expect(called(marks['s1'] ?? 0).filter((tool) => !STEPS.some((step) => recipe(step).includes(tool)))).toEqual([]);
  });
});
