import { text, type Language } from '../contracts/catalog/index.js';
import type { Progress } from '../contracts/progress.js';
import type { BoardPlan } from '../contracts/turn.js';

/** The plan of the board from a campaign's progress: what "sigue con la campaña" goes on with. */
export const planOf = (progress: Progress, language: Language): BoardPlan => ({
  objetivo: progress.objetivo,
  run_id: progress.run_id,
  pasos: progress.pasos.map((paso) => ({
    skill: paso.skill,
    status: paso.status,
    conteo: paso.conteo ? text(language, `step.count.${paso.id}`, { done: paso.conteo.done, total: paso.conteo.total }) : null,
    ...(paso.checkpoint ? { checkpoint: paso.checkpoint } : {}),
  })),
});
