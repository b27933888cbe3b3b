import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributePair } from '@temporalio/common';
import type { Snapshot } from '../activities/steps/index.js';

/** What operators filter by in the Temporal UI. Never personal data: attributes are not encoded. */
export const KEYS = {
  workspace: defineSearchAttributeKey('WorkspaceId', SearchAttributeType.KEYWORD),
  state: defineSearchAttributeKey('RunState', SearchAttributeType.KEYWORD),
  step: defineSearchAttributeKey('CurrentStep', SearchAttributeType.KEYWORD),
  planVersion: defineSearchAttributeKey('PlanVersion', SearchAttributeType.INT),
  decision: defineSearchAttributeKey('DecisionId', SearchAttributeType.KEYWORD),
  waitingSince: defineSearchAttributeKey('WaitingSince', SearchAttributeType.DATETIME),
  unconfirmed: defineSearchAttributeKey('HasUnconfirmed', SearchAttributeType.BOOL),
  heldCredits: defineSearchAttributeKey('HeldCredits', SearchAttributeType.INT),
  blockedBy: defineSearchAttributeKey('BlockedBy', SearchAttributeType.KEYWORD),
};

export const attributes = ({
  progress: p,
  awaited,
}: Snapshot): Array<{ key: SearchAttributePair['key']; value: unknown }> & SearchAttributePair[] => {
  const current = p.pasos.find(
    (s) => ['running', 'waiting_decision', 'paused', 'blocked', 'unconfirmed'].includes(s.status) && s.id !== 's6',
  );
  return [
    { key: KEYS.state, value: p.state },
    { key: KEYS.step, value: current?.id ?? null },
    { key: KEYS.planVersion, value: p.plan_version },
    { key: KEYS.decision, value: awaited?.decision_id ?? null },
    { key: KEYS.waitingSince, value: awaited ? new Date(awaited.since) : null },
    { key: KEYS.unconfirmed, value: p.contacts.unconfirmed > 0 },
    { key: KEYS.heldCredits, value: p.budget.credits.held },
    { key: KEYS.blockedBy, value: p.state === 'paused' || p.state === 'waiting_external' ? (p.reason?.code ?? null) : null },
  ] as SearchAttributePair[];
};
