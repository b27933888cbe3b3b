import type { ResolveDecision } from '../../contracts/decision.js';

/** A tap that was made and whose outcome is not known yet: written down before it is sent, so that a reload sends the same one. */
export interface PendingTap { key: string; body: ResolveDecision; /** ms since epoch of this device's clock. */ at: number }

/** After this long a tap is not sent again: whoever made it has seen other screens since. ms */
const SENT_AGAIN_WITHIN_MS = 10 * 60_000;
const place = (decision: string): string => `campana.tap.${decision}`;

export const rememberTap = (decision: string, tap: PendingTap): void => {
  try {
    localStorage.setItem(place(decision), JSON.stringify(tap));
  } catch { /* without it a reload only loses the way to say "confirming"; the key still protects the call in this page */ }
};
export const forgetTap = (decision: string): void => {
  try {
    localStorage.removeItem(place(decision));
  } catch { /* nothing was kept */ }
};

/** The tap that a former page of this device left behind, unless it is too old to be meant any more. */
export const pendingTap = (decision: string, now = Date.now()): PendingTap | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(place(decision)) ?? 'null') as Partial<PendingTap> | null;
    if (!kept || typeof kept.key !== 'string' || typeof kept.at !== 'number' || typeof kept.body?.payload_hash !== 'string') return null;
    if (now - kept.at < SENT_AGAIN_WITHIN_MS) return kept as PendingTap;
    forgetTap(decision);
  } catch { /* unreadable: nothing to go on with */ }
  return null;
};

/** Decisions that this device has tapped without hearing how it ended. */
export const pendingTaps = (): string[] => {
  try {
    const prefix = place('');
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)).filter((decision) => pendingTap(decision) !== null);
  } catch {
    return [];
  }
};
