import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flat } from '../../ada/anchors.js';
import type { TurnAnswer } from '../../contracts/turn.js';
import type { TestKitchen } from '../kitchen/harness.js';
import { disorder, openTalk, startTools, type Talk, type Told } from './turns-rig.js';

/** The three cases that the recipes were asked for, each said in ten ways, over the real API without a model: what is told is what the tools say. */

let kitchen: TestKitchen;
let talk: Talk;
beforeAll(async () => {
  kitchen = await startTools();
  talk = await openTalk(kitchen);
  // The router learns once per process.
  await talk.say(await talk.begin(), 'hola');
});
afterAll(async () => {
  await talk?.stop();
  await kitchen?.stop();
});

/** What every answer holds, whatever was asked. */
const sound = async (thread: string, message: string): Promise<Told & { answer: TurnAnswer }> => {
  const told = await talk.say(thread, message);
  const { answer } = told;
  if (!answer) throw new Error(`${message}: ${JSON.stringify(told.refused)}`);
  expect(disorder(told.events), message).toEqual([]);
  expect(
    answer.validation.map((one) => one.tags),
    message,
  ).toEqual([[]]);
  expect(answer.usage.unresolved_refs, message).toBe(0);
  expect(answer.siguiente, message).not.toBeNull();
  expect(answer.text).not.toMatch(/\[\[|\]\]|undefined|NaN/);
  expect(answer.model.kind).toBe('deterministic');
  return { ...told, answer };
};
const called = (told: Told, name: string): Array<Record<string, unknown>> =>
  told.tools.filter((one) => one.ok && one.tool === name).map((one) => one.args as Record<string, unknown>);

interface Award {
  supplier_id: string;
  amount_mxn: number;
}
/** Every award behind a search, page by page. */
const awardsOf = async ({ limit: _l, cursor: _c, sort: _s, group_by: _g, ...filters }: Record<string, unknown>): Promise<Award[]> => {
  const found: Award[] = [];
  for (let cursor: string | null | undefined = undefined; cursor !== null;) {
    const page: { awards: Award[]; next_cursor?: string | null } = await talk.tools.get('market_search_awards', {
      ...filters,
      limit: 50,
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.awards);
    cursor = page.next_cursor ?? null;
  }
  return found;
};
/** Amounts told beside a supplier: `[[record:prv-…]], con [[run:…]] $1,234`. */
const amountsTold = (narration: string): Array<{ supplier: string; amount: number }> =>
  [...narration.matchAll(/\[\[record:(prv-\d+)\]\][^[$]{0,20}\[\[run:[^\]]+\]\] \$([\d,]+)/g)].map((m) => ({
    supplier: m[1] ?? '',
    amount: Number((m[2] ?? '').replaceAll(',', '')),
  }));

describe('who has sold what to a public buyer', () => {
  const SAID: ReadonlyArray<readonly [message: string, buyer: string, product: RegExp]> = [
    ['¿Qué proveedores le han surtido papelería al ISSSTE en 2025?', 'ISSSTE', /papeler/],
    ['oye quién le anda vendiendo equipo de cómputo a la SEP últimamente', 'SEP', /computo/],
    ['¿A quién le ha comprado refacciones SEMAR en los últimos tres años?', 'SEMAR', /refacciones/],
    ['quiénes son los que le venden despensas al DIF Nacional', 'DIF Nacional', /despensas/],
    ['Necesito los ganadores de contratos de limpieza en la Guardia Nacional', 'Guardia Nacional', /limpieza/],
    ['quién le vendió mobiliario de oficina al Gobierno de Puebla en los últimos 24 meses', 'Gobierno de Puebla', /mobiliario/],
    ['¿Quién surte de material de curación a la UNAM?', 'UNAM', /curacion/],
    ['who supplied security services to CFE since 2024?', 'CFE', /seguridad/],
    ['dame los proveedores que le han vendido pintura al Municipio de León', 'Municipio de León', /pintura/],
    ['contra quién competiría si le quiero vender cable eléctrico a PEMEX', 'PEMEX', /cable/],
  ];
  it.each(SAID)('%s', async (message, buyer, product) => {
    const told = await sound(await talk.begin(), message);
    const { answer } = told;
    expect(answer.intent.kind).toBe('cierre');
    expect(answer.skills_used.map((one) => one.name)).toEqual(['quien-le-ha-vendido']);
    const [first] = called(told, 'market_search_awards');
    expect(first).toMatchObject({ buyer });
    expect(flat(String(first?.['product']))).toMatch(product);
    const asked = called(told, 'market_search_awards').at(-1) ?? {};
    const sold = await awardsOf(asked);
    if (sold.length > 0) {
      // The suppliers with what each was paid, as the awards themselves add up.
      const amounts = amountsTold(answer.narration);
      expect(amounts.length).toBeGreaterThan(0);
      for (const { supplier, amount } of amounts)
        expect(
          sold.filter((one) => one.supplier_id === supplier).reduce((sum, one) => sum + one.amount_mxn, 0),
          supplier,
        ).toBe(amount);
      expect(answer.card).toMatchObject({ kind: 'lista', total: sold.length });
      expect(answer.card?.rows.every((row) => row.kind === 'award')).toBe(true);
    } else {
      // Nothing in what was looked at, and whoever is named is called a candidate before the first name.
      expect(answer.text).toMatch(/\b0 contratos\b/);
      const [name] = answer.card?.rows ?? [];
      if (name) expect(answer.text.slice(0, answer.text.indexOf(name.name))).toMatch(/candidatos, no como proveedores actuales/);
    }
    expect(answer.card?.filters).toBeDefined();
  });
});

interface Record_ {
  ref: string;
  name: string;
  stage: string;
  changed_at: string;
  days_in_stage: number;
}
describe('an analysis of the CRM', () => {
  const SAID = [
    '¿Qué tal viene mi CRM?',
    'Dame el panorama de mis cuentas en el CRM',
    'revisa mi pipeline y recomiéndame por dónde seguir',
    'échale un ojo a mi CRM y dime cómo estamos',
    'resumen ejecutivo de mi embudo de ventas',
    'cómo pinta mi cartera de oportunidades',
    'give me an analysis of my CRM',
    'qué onda con mi pipeline?',
    'hazme un corte del CRM',
    'análisis del CRM: etapas, lo más nuevo y qué harías tú',
  ];
  let records: Record_[];
  beforeAll(async () => {
    ({ rows: records } = await talk.tools.get<{ rows: Record_[] }>('collection_query', {
      op: 'query',
      collection: 'pipeline',
      limit: 100,
    }));
    expect(records).toHaveLength(40);
  });
  it.each(SAID)('%s', async (message) => {
    const { answer } = await sound(await talk.begin(), message);
    expect(answer.skills_used.map((one) => one.name)).toEqual(['como-va-mi-pipeline']);
    expect(answer.text).toMatch(/\b40 cuentas en tres etapas/);
    const stages = new Map(
      [...new Set(records.map((one) => one.stage))].map((stage) => [stage, records.filter((one) => one.stage === stage).length]),
    );
    expect(stages.size).toBe(3);
    for (const [stage, n] of stages) expect(flat(answer.text)).toContain(`${stage} ${n}`);
    const latest = [...records].sort((a, b) => b.changed_at.localeCompare(a.changed_at) || a.days_in_stage - b.days_in_stage).slice(0, 5);
    const sentence = /(?:más recientes|latest|most recent)[^.]*?((?:\[\[record:[^\]]+\]\][, y]*)+)/u.exec(answer.narration)?.[1] ?? '';
    expect([...sentence.matchAll(/\[\[([^\]]+)\]\]/g)].map((m) => m[1])).toEqual(latest.map((one) => one.ref));
    // One account to begin with, and it is one of theirs.
    const advised = [...answer.narration.matchAll(/Yo empezaría por \[\[([^\]]+)\]\]/g)].map((m) => m[1]);
    expect(advised).toHaveLength(1);
    expect(records.map((one) => one.ref)).toContain(advised[0]);
    expect(answer.siguiente?.target).toContain('«');
    expect(answer.card).toMatchObject({ kind: 'pipeline', total: 40 });
    expect(answer.text).not.toMatch(/no existe|no hay (?:ningún )?CRM|no (?:veo|encontr)/i);
  });
});

describe('count, and then show them', () => {
  const SAID: ReadonlyArray<readonly [count: string, show: string]> = [
    ['¿Cuántos proveedores de químicos hay en Veracruz?', 'Muéstramelos'],
    ['cuantas constructoras hay registradas en Sonora', 'muéstramelas'],
    ['¿Cuántas empresas de seguridad privada hay en Nuevo León?', 'ok, muéstramelas'],
    ['dime cuántos proveedores medianos de transporte hay en Tamaulipas', 'enséñamelos'],
    ['¿Cuántos proveedores de energía solar hay en Guanajuato?', 'Muéstramelos por favor'],
    ['número de fabricantes de muebles en Durango', 'a ver, muéstramelos'],
    ['¿cuántos venden material eléctrico en Coahuila?', 'ya, muéstramelos'],
    ['how many cleaning suppliers are there in Yucatán?', 'show them to me'],
    ['cuántas agroindustrias hay en Sinaloa?', 'lístamelas'],
    ['cuántos proveedores grandes de acero hay en San Luis Potosí', 'pásamelos'],
  ];
  it.each(SAID)('%s … %s', async (count, show) => {
    const thread = await talk.begin();
    const counted = await sound(thread, count);
    expect([counted.answer.intent.kind, counted.answer.card?.kind]).toEqual(['responder', 'conteo']);
    // Where the filters found nobody, the last count says which one was left out; that is the one that is shown.
    const filters = called(counted, 'market_count_suppliers').at(-1) ?? {};
    const truth = await talk.tools.get<{ count: { value: number } }>('market_count_suppliers', filters);
    expect(counted.answer.text).toMatch(new RegExp(`\\b${truth.count.value}\\b`));
    expect(counted.answer.card).toMatchObject({ total: truth.count.value, filters });

    const shown = await sound(thread, show);
    expect(shown.answer.skills_used.map((one) => one.name)).toContain('buscar-empresas-y-proveedores');
    const [asked = {}] = called(shown, 'market_search_suppliers');
    expect({ activity: asked['activity'], state: asked['state'], size: asked['size'], text: asked['text'] }).toEqual({
      activity: filters['activity'],
      state: filters['state'],
      size: filters['size'],
      text: filters['text'],
    });
    expect(shown.answer.card).toMatchObject({ kind: 'lista', total: truth.count.value, filters });
    expect(shown.answer.card?.rows).toHaveLength(Math.min(10, truth.count.value));
    // Said, and not only on the card.
    for (const filter of ['activity', 'state'] as const)
      if (typeof filters[filter] === 'string') expect(shown.answer.text).toContain(filters[filter]);
  });
});
