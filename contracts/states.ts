/** The fixed vocabularies of a campaign: state codes as the API sends them. Labels for people live in the catalog. */

export const RUN_STATES = [
  'ready',
  'running',
  'waiting_decision',
  'waiting_external',
  'paused',
  'stopping',
  'completed',
  'completed_partial',
  'canceled',
  'failed',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Reason of a campaign that ended short only because the person chose so: shown as done, whatever was left out. */
export const AS_CHOSEN = 'as_chosen';

export const FINAL_RUN_STATES = ['completed', 'completed_partial', 'canceled', 'failed'] as const satisfies readonly RunState[];
export const isFinal = (state: RunState): boolean => (FINAL_RUN_STATES as readonly string[]).includes(state);

export const STEP_STATES = [
  'pending',
  'running',
  'waiting_decision',
  'done',
  'partial',
  'paused',
  'blocked',
  'unconfirmed',
  'failed',
  'skipped',
  'canceled',
] as const;
export type StepState = (typeof STEP_STATES)[number];

export const ACCOUNT_STATES = ['pending', 'running', 'chosen', 'not_found', 'suppressed', 'skipped', 'failed'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

export const CONTACT_STATES = ['quoted', 'held', 'sent', 'captured', 'voided', 'unconfirmed', 'suppressed', 'drafted'] as const;
export type ContactState = (typeof CONTACT_STATES)[number];

export const DECISION_KINDS = ['ajustar_presupuesto', 'guardar_en_crm', 'revelar_contactos', 'revisar_secuencia'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export const DECISION_STATES = ['open', 'approved', 'declined', 'expired', 'superseded'] as const;
export type DecisionState = (typeof DECISION_STATES)[number];

export const STEP_IDS = ['s0', 's1', 's2', 's3', 's4', 's5', 's6'] as const;
export type StepId = (typeof STEP_IDS)[number];

export const SKILLS = [
  'campana',
  'cuantos-hay',
  'buscar-empresas-y-proveedores',
  'quien-le-ha-vendido',
  'senales-y-oportunidades',
  'como-va-mi-pipeline',
  'trabajar-una-cuenta',
  'conseguir-contactos',
  'armar-secuencia',
  'que-sabe-el-equipo',
  'guardar-en-crm',
] as const;
export type Skill = (typeof SKILLS)[number];

export const MODES = ['manual', 'automatico'] as const;
export type Mode = (typeof MODES)[number];

/** Where a campaign ends: accounts found and saved (s2), a person at each (s3), contacts revealed (s4), drafts written (s5). */
export const HASTA = ['cuentas', 'personas', 'contactos', 'borradores'] as const;
export type Hasta = (typeof HASTA)[number];
export const LAST_STEP: Record<Hasta, StepId> = { cuentas: 's2', personas: 's3', contactos: 's4', borradores: 's5' };

/** What is paid with: contact credits, monthly queries, model inference in micro-USD. Always integers. */
export const MONEY_KINDS = ['credits', 'inference', 'queries'] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];

/** What a run is told to do; written by a control, read by lanes at every claim. */
export const CONTROLS = ['run', 'pause', 'cancel'] as const;
export type Control = (typeof CONTROLS)[number];

export const STEP_SKILL: Record<StepId, Skill> = {
  s0: 'campana',
  s1: 'buscar-empresas-y-proveedores',
  s2: 'guardar-en-crm',
  s3: 'conseguir-contactos',
  s4: 'conseguir-contactos',
  s5: 'armar-secuencia',
  s6: 'armar-secuencia',
};
export const STEP_COST: Record<StepId, 'gratis' | 'externo' | 'creditos' | 'inferencia'> = {
  s0: 'gratis',
  s1: 'externo',
  s2: 'gratis',
  s3: 'externo',
  s4: 'creditos',
  s5: 'inferencia',
  s6: 'gratis',
};
