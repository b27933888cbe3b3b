import type { ResolveDecision } from '../../contracts/decision.js';

/** A tap that was made and whose outcome is not known yet: written down before it is sent, so that a reload sends the same one. */
export interface PendingTap {
  key: string;
  body: ResolveDecision;
  /** ms since epoch of this device's clock. */ at: number;
}
/** Who is at the page. */
export interface Tapper {
  workspace: string;
  sub: string;
}

/** After this long a tap is not sent again: whoever made it has seen other screens since. ms */
const SENT_AGAIN_WITHIN_MS = 10 * 60_000;
/** A clock that is set right in between makes a tap look a little newer than now. ms */
const CLOCK_MS = 60_000;
const EVERYBODY = 'campana.tap.';
const placesOf = ({ workspace, sub }: Tapper): string => `${EVERYBODY}${encodeURIComponent(workspace)}/${encodeURIComponent(sub)}/`;

/** Whether a tap is still meant by whoever made it. @param now ms of this device's clock */
export const isMeant = ({ at }: Pick<PendingTap, 'at'>, now = Date.now()): boolean =>
  now - at < SENT_AGAIN_WITHIN_MS && at - now < CLOCK_MS;

/** Where the browser keeps nothing, what is written lives as long as the page. */
const page = new Map<string, string>();
const put = (place: string, text: string): void => {
  try {
    localStorage.setItem(place, text);
  } catch {
    page.set(place, text);
  }
};
const take = (place: string): void => {
  page.delete(place);
  try {
    localStorage.removeItem(place);
  } catch {
    /* nothing was kept */
  }
};
const read = (place: string): PendingTap | null => {
  try {
    const kept = JSON.parse(page.get(place) ?? localStorage.getItem(place) ?? 'null') as Partial<PendingTap> | null;
    return kept && typeof kept.key === 'string' && typeof kept.at === 'number' && typeof kept.body?.payload_hash === 'string'
      ? (kept as PendingTap)
      : null;
  } catch {
    return null;
  }
};
const places = (): string[] => {
  try {
    return [...new Set([...page.keys(), ...Object.keys(localStorage)])].filter((place) => place.startsWith(EVERYBODY));
  } catch {
    return [...page.keys()];
  }
};

/** Taps under way are one person's: whoever logs in next on the same device neither sends nor sees them. */
export const rememberTap = (who: Tapper, decision: string, tap: PendingTap): void => put(placesOf(who) + decision, JSON.stringify(tap));
export const forgetTap = (who: Tapper, decision: string): void => take(placesOf(who) + decision);

/** The tap that this person left behind on this device, unless it is too old to be meant any more. */
export const pendingTap = (who: Tapper, decision: string, now = Date.now()): PendingTap | null => {
  const tap = read(placesOf(who) + decision);
  if (!tap || isMeant(tap, now)) return tap;
  forgetTap(who, decision);
  return null;
};

/** Decisions that this person has tapped on this device without hearing how it ended. What nobody means any more, anybody's, goes. */
export const pendingTaps = (who: Tapper, now = Date.now()): string[] => {
  for (const place of places()) {
    const tap = read(place);
    if (!tap || !isMeant(tap, now)) take(place);
  }
  const mine = placesOf(who);
  return places()
    .filter((place) => place.startsWith(mine))
    .map((place) => place.slice(mine.length));
};
