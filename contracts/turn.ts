import { z } from 'zod';
import { Decision } from './decision.js';
import { Progress } from './progress.js';
import { DECISION_KINDS, SKILLS, STEP_STATES } from './states.js';

/** Words of a chat turn: what is known, what is shown, what a model must answer, what a client sees. The Spanish names are part of the contract: clients and stored turns have them. */

export const STAGES = ['sin_criterio', 'buscando', 'con_seleccion', 'con_lista', 'decision_pendiente'] as const;
export type Stage = (typeof STAGES)[number];

/** What a conversation can know. `seleccion` and `contactos`, which recipes also require, are read from the board. */
export const FACT_KEYS = [
  'oferta',
  'comprador',
  'producto',
  'giro',
  'estado',
  'tamano',
  'cargo',
  'cuenta',
  'tema',
  'cantidad',
  'periodo',
  'exclusiones',
] as const;
export type FactKey = (typeof FACT_KEYS)[number];
/** `dicho`: said in this conversation (wins). `perfil`: from the workspace's profile. `faltante`: unknown. */
export const Fact = z.object({ status: z.enum(['dicho', 'perfil', 'faltante']), value: z.string().max(300).nullable() });
export type Fact = z.infer<typeof Fact>;
export const Facts = z.record(z.enum(FACT_KEYS), Fact);
export type Facts = Record<FactKey, Fact>;

/** Something of a list, by its anchor. `kind` tells what may be done with it; `company_id` whose it is, where it is not the company itself. */
export const BoardRow = z.object({
  ref: z.string().max(200),
  name: z.string().max(300),
  kind: z.enum(['company', 'supplier', 'opportunity', 'record', 'person', 'contact', 'topic', 'award']),
  id: z.string().max(200),
  detail: z.string().max(300).nullable(),
  rfc: z.string().max(13).nullable().optional(),
  domain: z.string().max(253).nullable().optional(),
  company_id: z.string().max(200).nullable().optional(),
  /** Whole pesos, as the tool said: of one award, or what a supplier has won altogether. */
  amount_mxn: z.int().nullable().optional(),
});
export type BoardRow = z.infer<typeof BoardRow>;
/** A query that was made, with its filters: "muéstramelos" asks for the same. */
export const BoardRun = z.object({
  ref: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  total: z.int().nullable(),
  shown: z.int(),
  skill: z.enum(SKILLS).nullable(),
  at: z.iso.datetime(),
  /** Where the list goes on: "dame más" asks the same tool the same, with this cursor. null: that was all of it. */
  next_cursor: z.string().max(500).nullable().optional(),
  /** Rows of the list shown by now, over its pages. */
  seen: z.int().optional(),
});
export type BoardRun = z.infer<typeof BoardRun>;
export const BoardPlan = z.object({
  objetivo: z.string(),
  run_id: z.string(),
  pasos: z.array(
    z.object({ skill: z.enum(SKILLS), status: z.enum(STEP_STATES), conteo: z.string().nullable(), checkpoint: z.string().optional() }),
  ),
});
export type BoardPlan = z.infer<typeof BoardPlan>;
export const Board = z.object({
  selection: z.array(BoardRow).max(500),
  list: z.array(BoardRow).max(100),
  runs: z.array(BoardRun).max(20),
  pending: z.array(z.object({ decision_id: z.string(), kind: z.enum(DECISION_KINDS), run_id: z.string() })).max(50),
  plan: BoardPlan.nullable(),
});
export type Board = z.infer<typeof Board>;
export const EMPTY_BOARD: Board = { selection: [], list: [], runs: [], pending: [], plan: null };

/** What one question may be about: a fact, or what stands on the board; `campana` is which of several open ones. */
export const QUESTION_FIELDS = [...FACT_KEYS, 'seleccion', 'contactos', 'campana'] as const;
export const LIMIT_KINDS = ['dato', 'conector', 'credito', 'operacion', 'cobertura', 'tope'] as const;
/** Concrete next step as an object; exactly one on every close. `campana` and `decision` cost only after a tap on their card. */
export const Siguiente = z.object({
  kind: z.enum(['skill', 'decision', 'campana', 'enlace', 'mensaje']),
  label: z.string().min(1).max(120),
  /** `skill`: its name. `decision`: its id. `campana`: the run. `enlace`: a path of the product. `mensaje`: what the button says for the person. */
  target: z.string().min(1).max(300),
  cost: z.object({ kind: z.enum(['credits', 'queries', 'inference']), price: z.int(), balance: z.int(), left: z.int() }).nullable(),
});
export type Siguiente = z.infer<typeof Siguiente>;

export const Intent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('responder') }),
  z.object({ kind: z.literal('encuadre'), falta: z.enum(QUESTION_FIELDS) }),
  z.object({ kind: z.literal('cierre'), variante: z.enum(['completo', 'parcial']), salidas: z.array(z.string().max(200)).max(20) }),
  z.object({ kind: z.literal('limite'), falta: z.enum(LIMIT_KINDS), salida: z.string().min(1).max(300) }),
]);
export type Intent = z.infer<typeof Intent>;

/** What a model answers with: one JSON object. Anchors in `narration` are `[[run:…]]`, `[[record:…]]`: the `ref` of a result, in double brackets. */
export const TurnOutput = z.object({
  intent: Intent,
  narration: z.string().min(1).max(6_000),
  pregunta: z
    .object({ campo: z.enum(QUESTION_FIELDS), texto: z.string().min(1).max(300), supuesto: z.string().max(200).nullable() })
    .nullable(),
  siguiente: Siguiente.nullable(),
});
export type TurnOutput = z.infer<typeof TurnOutput>;

export const SkillUsed = z.object({
  name: z.string(),
  version: z.string(),
  digest: z.string(),
  by: z.enum(['router', 'model', 'person', 'always']),
  score: z.number().nullable(),
});
export const TurnUsage = z.object({
  steps: z.int(),
  tool_calls: z.int(),
  searches: z.int(),
  repairs: z.int(),
  model_calls: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  /** micro-USD; null when any attempt had no price. */
  cost_micros: z.int().nullable(),
  ttft_ms: z.int().nullable(),
  duration_ms: z.int(),
  prompt: z.object({ characters: z.int(), saved_characters: z.int(), saved_tokens: z.int() }),
  unresolved_refs: z.int(),
  refs_available: z.int(),
});
export type TurnUsage = z.infer<typeof TurnUsage>;
export const ModelAttempt = z.object({
  model: z.string(),
  route: z.enum(['primary', 'escalation']),
  mode: z.enum(['json_schema', 'json_object', 'none']),
  outcome: z.string(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  cost_micros: z.int().nullable(),
  ms: z.int(),
});
export type ModelAttempt = z.infer<typeof ModelAttempt>;

/** A finished turn, as a client shows it and a thread keeps it. */
export const TurnAnswer = z
  .object({
    turn_id: z.string(),
    thread_id: z.string(),
    intent: Intent,
    /** With anchors resolved to names, and as the model wrote it. */
    text: z.string(),
    narration: z.string(),
    anchors: z.array(z.object({ ref: z.string(), name: z.string().nullable() })),
    pregunta: TurnOutput.shape.pregunta,
    siguiente: Siguiente.nullable(),
    card: z
      .object({
        kind: z.enum(['lista', 'conteo', 'pipeline', 'cuenta', 'secuencia', 'contexto', 'analisis', 'ninguna']),
        rows: z.array(BoardRow),
        total: z.int().nullable(),
        filters: z.record(z.string(), z.string()),
        footer: z.array(z.string()),
      })
      .nullable(),
    decision: Decision.nullable(),
    progress: Progress.nullable(),
    stage: z.enum(STAGES),
    skills_used: z.array(SkillUsed),
    skill_omitida: z.array(z.string()),
    usage: TurnUsage,
    attempts: z.array(ModelAttempt),
    validation: z.array(z.object({ attempt: z.int(), tags: z.array(z.string()), problems: z.array(z.string()) })),
    model: z.object({ name: z.string(), kind: z.enum(['deterministic', 'openai', 'scripted']) }),
  })
  .meta({ id: 'TurnAnswer' });
export type TurnAnswer = z.infer<typeof TurnAnswer>;

export const ToolFinished = z.object({
  call: z.int(),
  tool: z.string(),
  label: z.string(),
  args: z.unknown(),
  ok: z.boolean(),
  summary: z.string(),
  refs: z.array(z.string()),
  ms: z.int(),
  error: z.string().nullable(),
});
/** Events of a turn, in this order; `run.progress` flows into a thread whenever a run of it moves. */
export const TurnEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn.accepted'), turn_id: z.string(), thread_id: z.string(), stage: z.enum(STAGES), model: z.string() }),
  z.object({ type: z.literal('tool.started'), call: z.int(), tool: z.string(), label: z.string() }),
  ToolFinished.extend({ type: z.literal('tool.finished') }),
  z.object({ type: z.literal('narration.delta'), text: z.string() }),
  z.object({ type: z.literal('decision.proposed'), decision: Decision }),
  z.object({ type: z.literal('turn.finished'), answer: TurnAnswer }),
  z.object({
    type: z.literal('turn.refused'),
    turn_id: z.string(),
    status: z.int(),
    code: z.string(),
    params: z.record(z.string(), z.unknown()),
    cost_micros: z.int().nullable(),
  }),
  z.object({ type: z.literal('run.progress'), progress: Progress }),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;

export const CreateThread = z
  .object({ title: z.string().min(1).max(120).optional(), profile: z.string().max(64).optional() })
  .strict()
  .meta({ id: 'CreateThread' });
export type CreateThread = z.infer<typeof CreateThread>;
export const CreateTurn = z
  .object({ message: z.string().trim().min(1).max(8_000) })
  .strict()
  .meta({ id: 'CreateTurn' });
export type CreateTurn = z.infer<typeof CreateTurn>;
export const TURN_STATES = ['queued', 'running', 'finished', 'refused', 'interrupted'] as const;
export type TurnState = (typeof TURN_STATES)[number];
export const Turn = z
  .object({
    turn_id: z.string(),
    thread_id: z.string(),
    position: z.int(),
    state: z.enum(TURN_STATES),
    message: z.string(),
    answer: TurnAnswer.nullable(),
    refused: z.object({ status: z.int(), code: z.string(), params: z.record(z.string(), z.unknown()) }).nullable(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Turn' });
export type Turn = z.infer<typeof Turn>;
export const Thread = z
  .object({
    thread_id: z.string(),
    title: z.string().nullable(),
    created_at: z.iso.datetime(),
    stage: z.enum(STAGES),
    facts: Facts,
    board: Board,
    turns: z.array(Turn),
    runs: z.array(z.string()),
  })
  .meta({ id: 'Thread' });
export type Thread = z.infer<typeof Thread>;
export const ThreadPage = z
  .object({
    threads: z.array(
      z.object({
        thread_id: z.string(),
        title: z.string().nullable(),
        created_at: z.iso.datetime(),
        last_turn_at: z.iso.datetime().nullable(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ThreadPage' });
export type ThreadPage = z.infer<typeof ThreadPage>;

/** Name of the model that follows recipes by rules, where none is connected. */
export const NO_MODEL = 'sin-modelo';

/** Rows that a person chose of the list at hand, by their refs. */
export const PutSelection = z
  .object({ refs: z.array(z.string().min(1).max(200)).max(500) })
  .strict()
  .meta({ id: 'PutSelection' });
export type PutSelection = z.infer<typeof PutSelection>;
export const Selection = z.object({ selection: z.array(BoardRow), stage: z.enum(STAGES) }).meta({ id: 'Selection' });
export type Selection = z.infer<typeof Selection>;
