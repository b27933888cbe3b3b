import type { PlanEstimate } from '../../contracts/api.js';
import type { Caps } from '../../contracts/budget.js';
import type { Hasta, Mode } from '../../contracts/states.js';
import type { CreateRunBody } from '../data/api.js';
import type { Prefill } from './prefill.js';

/** What a person fills in for a new campaign, and what is sent of it. */

export const SIZES = ['micro', 'pequena', 'mediana', 'grande'] as const;
export type Given = { credits: string; queries: string; inference: string };

/** The form as it stands: texts, so that what is half written stays as it is. */
export interface Fields {
  giro: string;
  estado: string;
  cargo: string;
  tamano: string;
  cuentas: string;
  hasta: Hasta;
  modo: Mode;
  caps: Given;
}

const whole = (text: string): number | undefined => (/^\d+$/.test(text.trim()) ? Number(text) : undefined);
/** Inference is written in dollars and kept in micro-USD. */
const micros = (text: string): number | undefined =>
  /^\d+([.,]\d+)?$/.test(text.trim()) ? Math.round(Number(text.replace(',', '.')) * 1_000_000) : undefined;

/** Caps that a person wrote down themselves. */
export const capsGiven = ({ modo, caps }: Fields): Caps => {
  const [credits, queryCap, inference] = [whole(caps.credits), whole(caps.queries), micros(caps.inference)];
  if (modo !== 'automatico') return {};
  return {
    ...(credits === undefined ? {} : { credits }),
    ...(queryCap === undefined ? {} : { queries: queryCap }),
    ...(inference === undefined ? {} : { inference_micros: inference }),
  };
};

/** What is asked of the API, without caps. */
export const bodyOf = (fields: Fields, accounts: Prefill['accounts'], objetivo: string): CreateRunBody => {
  const { giro, estado, cargo, tamano } = fields;
  return {
    objetivo,
    cuentas: Number(fields.cuentas),
    hasta: fields.hasta,
    modo: fields.modo,
    criteria: {
      giro: giro.trim(),
      cargo: cargo.trim(),
      ...(estado.trim() ? { estado: estado.trim() } : {}),
      ...(SIZES.find((s) => s === tamano) ? { tamano: tamano as (typeof SIZES)[number] } : {}),
    },
    ...(accounts ? { accounts: accounts.slice(0, Number(fields.cuentas)), desde: 's3' as const } : {}),
  };
};

/** Caps that go with the campaign: those given, the plan's maximum for the rest. Without them it waits for a tap on its start card. */
export const capsFor = (fields: Fields, plan: PlanEstimate): Caps | undefined => {
  if (fields.modo !== 'automatico') return undefined;
  const given = capsGiven(fields);
  return {
    credits: given.credits ?? plan.max.credits,
    queries: given.queries ?? plan.max.queries,
    inference_micros: given.inference_micros ?? plan.max.inference,
  };
};
