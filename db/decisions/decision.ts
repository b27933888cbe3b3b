import type { Decision, DecisionItem, ResolveDecision } from '../../contracts/decision.js';
import { Refusal } from '../../contracts/problem.js';
import type { DecisionKind, DecisionState, StepId } from '../../contracts/states.js';
import { openCard, revealCard, saveCard, sequenceCard, startCard, type Card, type CardPayload } from '../cards.js';
import { type LockedRun } from '../events.js';
import { type Tx } from '../client.js';

/** A decision: its row, how it is found, what the API shows of it, and the card that takes its place. */

export interface Outcome {
  option: ResolveDecision['option'];
  n: number;
  then: 'skip' | 'wait' | 'cancel' | null;
  total: number;
  items: string[] | null;
}
export interface DecisionRow {
  id: string;
  run_id: string;
  workspace_id: string;
  step: StepId;
  kind: DecisionKind;
  target_workflow_id: string;
  plan_version: number;
  payload_hash: string;
  payload: CardPayload;
  items: DecisionItem[];
  state: DecisionState;
  outcome: Outcome | null;
  resolved_by: string | null;
  channel: string | null;
  resolved_at: string | null;
  superseded_by: string | null;
  reopened_as: string | null;
  expires_at: string | null;
  undo_until: string | null;
  created_at: string;
}

/** What the API shows of a decision; `full` lists every item, otherwise the first five. */
export const decisionView = (row: DecisionRow, full = false): Decision => ({
  id: row.id,
  run_id: row.run_id,
  step: row.step,
  kind: row.kind,
  state: row.state,
  plan_version: row.plan_version,
  payload_hash: row.payload_hash,
  items_total: row.items.length,
  items: full ? row.items : row.items.slice(0, 5),
  options: row.payload.options,
  price: row.payload.price,
  balance: row.payload.balance,
  held_elsewhere: row.payload.held_elsewhere,
  suppressed: row.payload.suppressed,
  ranking: row.payload.ranking,
  notes: row.payload.notes,
  expires_at: row.expires_at,
  created_at: row.created_at,
  resolved:
    row.outcome && row.resolved_at
      ? {
          option: row.outcome.option,
          n: row.outcome.n,
          then: row.outcome.then,
          by: row.resolved_by ?? '',
          channel: row.channel ?? '',
          at: row.resolved_at,
          total: row.outcome.total,
        }
      : null,
  superseded_by: row.superseded_by,
  reopened_as: row.reopened_as,
  undo_until: row.undo_until,
  links: { self: `/v1/decisions/${row.id}`, run: `/v1/runs/${row.run_id}`, provider_topup: row.payload.topup_url },
});

/** @throws Refusal 404 `decision_not_found` */
export const findDecision = async (tx: Tx, workspace: string, id: string): Promise<DecisionRow> => {
  const [row] = await tx.q<DecisionRow>(`select * from decisions where id = $1 and workspace_id = $2`, [id, workspace]);
  if (!row) throw new Refusal(404, 'decision_not_found', { decision_id: id });
  return row;
};

/** Marks an open card whose prices the provider has changed; the next tap replaces it. */
export const MOVED = 'moved:';
export const markMoved = async (tx: Tx, id: string): Promise<void> => {
  await tx.q(
    `update decisions set payload_hash = $2 || payload_hash where id = $1 and state = 'open' and payload_hash not like $2 || '%'`,
    [id, MOVED],
  );
};

/** The card that a person should look at instead: the step's open one, else what came after this one. */
export const currentCard = async (
  tx: Tx,
  row: DecisionRow,
): Promise<{ fresh_decision_id: string; decision: Decision } | Record<string, never>> => {
  const [fresh] = await tx.q<DecisionRow>(
    `select * from decisions where run_id = $1 and step = $2 and id <> $3 and (state = 'open' or id > $3) order by state = 'open' desc, id desc limit 1`,
    [row.run_id, row.step, row.id],
  );
  return fresh ? { fresh_decision_id: fresh.id, decision: decisionView(fresh) } : {};
};

/** The card of this decision as it would be today. */
export const cardOf = (run: LockedRun, row: DecisionRow): Promise<Card> => {
  switch (row.kind) {
    case 'ajustar_presupuesto':
      return startCard(run);
    case 'guardar_en_crm':
      return saveCard(run, row.target_workflow_id);
    case 'revelar_contactos':
      return revealCard(run, row.target_workflow_id);
    case 'revisar_secuencia':
      return sequenceCard(
        run,
        row.target_workflow_id,
        row.items.map((i) => i.ref),
      );
  }
};

/** Replaces an open card that no longer says the truth by one that does. @returns the fresh card's id. */
export const refreshCard = async (run: LockedRun, row: DecisionRow): Promise<string> => openCard(run, await cardOf(run, row));
