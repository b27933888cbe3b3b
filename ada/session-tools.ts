import { z } from 'zod';
import { CreateRun } from '../contracts/criteria.js';
import { DECISION_KINDS, HASTA } from '../contracts/states.js';
import type { SESSION_TOOLS } from '../contracts/profiles/index.js';
import { SkillList, SkillOpen, SkillReference } from './library/gate/session-tools.js';

/** Tools of the chat itself, in process. Small on purpose: they are in every request. No field for mode or caps, and nothing that resolves. */
export const BoardRead = z.object({});
export const ProponerDecision = z.object({
  kind: z.enum(DECISION_KINDS).exclude(['ajustar_presupuesto', 'revisar_secuencia']),
  refs: z.array(z.string().max(200)).max(500).optional(),
});
export const CampanaStart = CreateRun.omit({ modo: true, caps: true });
export const CampanaStatus = z.object({ run_id: z.string().max(120).optional() });
export const CampanaControl = z.object({
  run_id: z.string().max(120).optional(),
  action: z.enum(['pause', 'resume', 'replan', 'cancel']),
  cuentas: z.int().min(1).max(5000).optional(),
  cargo: z.string().trim().min(1).max(120).optional(),
  hasta: z.enum(HASTA).optional(),
});

type SessionTool = (typeof SESSION_TOOLS)[number];
export const SESSION: Readonly<Record<SessionTool, { description: string; input: z.ZodType }>> = {
  board_read: {
    description: 'What is on the board: selection, last list, queries made, pending decisions, plan, balances.',
    input: BoardRead,
  },
  skill_list: { description: 'Recipes by category: name and when to use it.', input: SkillList },
  skill_open: { description: 'Opens a recipe: its instructions enter the prompt and its tools become callable.', input: SkillOpen },
  skill_reference: { description: 'A reference of an open recipe, or the shared limits, from an offset.', input: SkillReference },
  proponer_decision: {
    description:
      'Puts a card on the table for a person to tap: save companies (guardar_en_crm) or reveal contacts (revelar_contactos) of the companies, records or persons whose refs are given, else of the selection.',
    input: ProponerDecision,
  },
  campana_start: { description: 'Starts a campaign that waits for a tap on its maximum cost.', input: CampanaStart },
  campana_status: { description: 'Open campaigns, or one with its progress and cards.', input: CampanaStatus },
  campana_control: {
    description: 'Pauses, resumes, cancels or replans a campaign: fewer accounts, another role, an earlier end. Never approves.',
    input: CampanaControl,
  },
};
