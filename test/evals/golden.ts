import { Brief } from '../../evals/turns/brief.js';
import type { Called, Dump, RunRecord, TurnRecord } from '../../evals/turns/dump.js';
import { noFacts } from '../../evals/turns/fakes.js';
import type { Decision } from '../../contracts/decision.js';
import type { ModelAttempt, TurnAnswer } from '../../contracts/turn.js';

/** A small dump in which everything is as it should be; tests spoil one thing at a time. */

const b = (value: unknown): Brief => Brief.parse(value);
export const BRIEFS: Brief[] = [
  b({
    id: 'g-cuenta',
    group: 'receta',
    messages: ['cuántos de muebles hay en Guanajuato'],
    expect: { intent: ['responder'], skill: ['cuantos-hay'], must_count: true, forbid_question: true, must_deliver: ['conteo'] },
  }),
  b({
    id: 'g-lista',
    group: 'receta',
    messages: ['búscame empresas de empaque en Jalisco'],
    expect: { intent: ['cierre'], skill: ['buscar-empresas-y-proveedores'], forbid_question: true, must_deliver: ['filas'] },
  }),
  b({
    id: 'g-campana',
    group: 'receta',
    messages: ['quiero llegar a 40 de compras en empaque'],
    expect: {
      intent: ['cierre'],
      skill: ['campana'],
      forbid_question: true,
      decision: ['ajustar_presupuesto'],
      must_deliver: ['decision', 'precio'],
    },
  }),
  b({
    id: 'g-limite',
    group: 'limite',
    messages: ['súbelas a mi Salesforce'],
    expect: { intent: ['limite'], falta: 'conector', forbid_question: true, salida: 'conexiones' },
  }),
  b({
    id: 'g-pregunta',
    group: 'pregunta',
    messages: ['lánzame una campaña'],
    expect: { intent: ['encuadre'], skill: ['campana'], must_ask: 'giro' },
  }),
];

const attempt = (over: Partial<ModelAttempt> = {}): ModelAttempt => ({
  model: 'm',
  route: 'primary',
  mode: 'json_schema',
  outcome: 'ok',
  tokens_in: 900,
  tokens_out: 80,
  cost_micros: 400,
  ms: 700,
  ...over,
});
const called = (over: Partial<Called> & { tool: string }): Called => ({
  args: {},
  ok: true,
  error: null,
  refs: [],
  ms: 5,
  total: null,
  shown: null,
  figures: [],
  ...over,
});

const answer = (over: Partial<TurnAnswer> & Pick<TurnAnswer, 'intent' | 'narration'>): TurnAnswer => ({
  turn_id: 't',
  thread_id: 'h',
  text: over.narration.replace(/\[\[[^\]]*\]\]\s*/g, ''),
  anchors: [...over.narration.matchAll(/\[\[([^\]]+)\]\]/g)].map((m) => ({ ref: m[1] ?? '', name: null })),
  pregunta: null,
  siguiente: { kind: 'mensaje', label: 'Ver esos seis', target: 'Muéstramelos', cost: null },
  card: null,
  decision: null,
  progress: null,
  stage: 'buscando',
  skills_used: [],
  skill_omitida: [],
  usage: {
    steps: 2,
    tool_calls: 1,
    searches: 0,
    repairs: 0,
    model_calls: 2,
    tokens_in: 1_800,
    tokens_out: 160,
    cost_micros: 800,
    ttft_ms: 420,
    duration_ms: 1_500,
    prompt: { characters: 9_000, saved_characters: 0, saved_tokens: 0 },
    unresolved_refs: 0,
    refs_available: 4,
  },
  attempts: [],
  validation: [{ attempt: 1, tags: [], problems: [] }],
  model: { name: 'm', kind: 'openai' },
  ...over,
});
const skill = (name: string): TurnAnswer['skills_used'][number] => ({ name, version: '1.0.0', digest: 'd', by: 'router', score: 0.9 });

const turn = (message: string, over: Partial<TurnRecord>): TurnRecord => ({
  message,
  stage: 'buscando',
  before: {
    facts: noFacts(),
    board: { selection: 0, list: 0, pending: 0, runs: 0, contacts: 0 },
    figures: [500, 10_000],
    balances: { credits: 500, queries: 10_000, inference: 5_000_000 },
    mailbox: true,
    counted: [],
  },
  tools: [],
  answer: null,
  refused: null,
  error: null,
  events: ['turn.accepted', 'narration.delta', 'turn.finished'],
  requires: [],
  attempts: [],
  metered: { queries: 0, micros: 800, attempts: [attempt(), attempt()] },
  duration_ms: 1_500,
  ttft_ms: 420,
  prompt_characters: 9_000,
  campaigns: [],
  folded: true,
  judged: null,
  ...over,
});

const decision: Decision = {
  id: 'dec_1',
  run_id: 'run_1',
  step: 's0',
  kind: 'ajustar_presupuesto',
  state: 'open',
  plan_version: 1,
  payload_hash: 'h',
  items_total: 0,
  items: [],
  options: [
    { id: 'all', n: 40, totals: { credits: 40, queries: 43, inference: 800_000 } },
    { id: 'decline', n: 0, totals: { credits: 0, queries: 0, inference: 0 } },
  ],
  price: { unit_min: 1, unit_max: 1, expected_total: 40, requested_total: 40, valid_until: null },
  balance: { credits: 500, queries: 10_000, inference: 5_000_000 },
  held_elsewhere: { credits: 0, queries: 0, inference: 0 },
  suppressed: 0,
  ranking: null,
  notes: [],
  expires_at: null,
  created_at: '2026-11-30T12:00:00.000Z',
  resolved: null,
  superseded_by: null,
  reopened_as: null,
  undo_until: null,
  links: { self: '/d', run: '/r', provider_topup: null },
};

const run = (brief: string, one: TurnRecord): RunRecord => ({
  brief,
  arm: 'con_receta',
  k: 0,
  outcome: 'finished',
  error: null,
  turns: [one],
});

export const golden = (): Dump =>
  structuredClone({
    version: 1,
    at: '2026-11-30T12:00:00.000Z',
    model: 'm',
    kind: 'openai',
    judge: null,
    node: 'v20',
    digests: { briefs: 'b', library: 'l', manual: 'm' },
    deadline_ms: 150_000,
    k: 1,
    arms: ['con_receta'],
    probes: {
      source: { files: 170, findings: [] },
      undo: ['uno', 'dos', 'tres'].map((name) => ({
        case: name,
        wanted: 4,
        saved: 4,
        undo_token: true,
        undo_until: '2026-11-30T12:10:00.000Z',
        window_ms: 600_000,
        card_undo_until: '2026-11-30T12:10:00.000Z',
        removed: 4,
        left: 0,
        refused_after_edit: 'rows_changed',
        error: null,
      })),
    },
    runs: [
      run(
        'g-cuenta',
        turn('cuántos de muebles hay en Guanajuato', {
          tools: [
            called({
              tool: 'market_count_suppliers',
              args: { activity: 'muebles', state: 'Guanajuato' },
              total: 16,
              shown: 0,
              figures: [16, 12],
              refs: ['run:mcs-1'],
            }),
          ],
          requires: ['giro'],
          answer: answer({
            intent: { kind: 'responder' },
            narration: 'Hay [[run:mcs-1-n]] 16 proveedores de gobierno de muebles y [[run:mcs-1-won]] 12 ya ganaron contratos.',
            skills_used: [skill('cuantos-hay')],
          }),
          attempts: [{ anchors: 2, intent: 'responder', narration: 90, text: '' }],
        }),
      ),
      run(
        'g-lista',
        turn('búscame empresas de empaque en Jalisco', {
          tools: [
            called({
              tool: 'company_search',
              args: { activity: 'empaque', state: 'Jalisco', limit: 25 },
              total: 120,
              shown: 25,
              figures: [120, 25],
              refs: ['run:cs-1'],
            }),
          ],
          requires: ['giro'],
          answer: answer({
            intent: { kind: 'cierre', variante: 'completo', salidas: ['run:cs-1'] },
            narration:
              'Encontré [[run:cs-1]] 120 empresas de empaque en Jalisco y te muestro 25; la primera es [[record:emp-000004]] Cartones del Lago.',
            skills_used: [skill('buscar-empresas-y-proveedores')],
            card: {
              kind: 'lista',
              rows: [{ ref: 'record:emp-000004', name: 'Cartones del Lago', kind: 'company', id: 'emp-000004', detail: null }],
              total: 120,
              filters: {},
              footer: [],
            },
            validation: [
              { attempt: 1, tags: ['cifra'], problems: ['cifra: sin ancla'] },
              { attempt: 2, tags: [], problems: [] },
            ],
            siguiente: { kind: 'skill', label: 'Guardar las 25', target: 'guardar-en-crm', cost: null },
          }),
          attempts: [
            { anchors: 2, intent: 'cierre', narration: 130, text: '' },
            { anchors: 2, intent: 'cierre', narration: 120, text: '' },
          ],
        }),
      ),
      run(
        'g-campana',
        turn('quiero llegar a 40 de compras en empaque', {
          tools: [called({ tool: 'campana_start', args: { cuentas: 40 } })],
          requires: ['giro', 'cargo', 'cantidad'],
          events: ['turn.accepted', 'tool.started', 'tool.finished', 'narration.delta', 'decision.proposed', 'turn.finished'],
          campaigns: [{ action: 'start', body: { modo: 'manual', cuentas: 40 }, refused: null, decision, progress: null }],
          answer: answer({
            intent: { kind: 'cierre', variante: 'completo', salidas: [] },
            narration: 'Los 40 cuestan a lo más 40 créditos y 43 consultas; tienes 500 créditos y te quedan 460.',
            skills_used: [skill('campana')],
            decision,
            siguiente: {
              kind: 'decision',
              label: 'Revisar: 40 créditos',
              target: 'dec_1',
              cost: { kind: 'credits', price: 40, balance: 500, left: 460 },
            },
          }),
          attempts: [{ anchors: 0, intent: 'cierre', narration: 100, text: '' }],
        }),
      ),
      run(
        'g-limite',
        turn('súbelas a mi Salesforce', {
          answer: answer({
            intent: { kind: 'limite', falta: 'conector', salida: 'Se conecta en Configuración → Conexiones.' },
            narration: 'Salesforce no está conectado aquí.',
            siguiente: { kind: 'enlace', label: 'Configuración → Conexiones', target: '/configuracion/conexiones', cost: null },
          }),
          attempts: [{ anchors: 0, intent: 'limite', narration: 40, text: '' }],
        }),
      ),
      run(
        'g-pregunta',
        turn('lánzame una campaña', {
          requires: ['giro', 'cargo', 'cantidad'],
          answer: answer({
            intent: { kind: 'encuadre', falta: 'giro' },
            narration: 'Para empezar falta el giro.',
            skills_used: [skill('campana')],
            pregunta: { campo: 'giro', texto: '¿De qué giro?', supuesto: null },
            siguiente: null,
          }),
          attempts: [{ anchors: 0, intent: 'encuadre', narration: 40, text: '' }],
        }),
      ),
    ],
  } satisfies Dump);

/** The turn of a brief in a dump, to be spoiled. */
export const of = (dump: Dump, brief: string): TurnRecord & { answer: TurnAnswer } => {
  const found = dump.runs.find((one) => one.brief === brief)?.turns[0];
  if (!found?.answer) throw new Error(`no turn of ${brief}`);
  return found as TurnRecord & { answer: TurnAnswer };
};
export const spoiled = (how: (dump: Dump) => void): Dump => {
  const dump = golden();
  how(dump);
  return dump;
};
export { attempt, called };
