import { useRef } from 'react';
import { newKey } from '../data/http.js';
import { ApiProblem } from '../data/problem.js';
import { useWho } from '../shell/session.js';

/** One key for one content: the same content sent again, because no answer came, is the same act; another content is another. */
export const useKeyFor = (): ((content: unknown) => string) => {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    const json = JSON.stringify(content);
    if (json !== last.current.content) last.current = { content: json, key: newKey() };
    return last.current.key;
  };
};

/** After this long the same content is meant anew, ms. */
const LASTS_MS = 10 * 60_000;

/** A request that may have taken effect: what was asked for, what was sent, and its key. */
interface Sent<B> {
  asked: string;
  body: B;
  key: string;
}

/**
 * The same, also after a reload of this tab: for what starts to spend as soon as it is made. Asked for again before an answer came, what was sent then
 * is sent again to the letter, whatever prices and balances have become since: it may have taken effect, and balances may have moved by it.
 * It is forgotten as soon as an answer came, so that asking for the same afterwards is another act.
 */
export const useUnanswered = <B>(
  what: string,
): { sending(asked: string, body: B): { body: B; key: string }; answered(error?: unknown): void } => {
  const { workspace, sub } = useWho();
  const here = useRef<Sent<B> | null>(null);
  const place = `campana.sent.${what}.${encodeURIComponent(workspace)}/${encodeURIComponent(sub)}`;
  const kept = (): Sent<B> | null => {
    try {
      const sent = JSON.parse(sessionStorage.getItem(place) ?? 'null') as (Partial<Sent<B>> & { at?: number }) | null;
      return sent &&
        typeof sent.key === 'string' &&
        typeof sent.asked === 'string' &&
        sent.body !== undefined &&
        typeof sent.at === 'number' &&
        Math.abs(Date.now() - sent.at) < LASTS_MS
        ? (sent as Sent<B>)
        : null;
    } catch {
      return null;
    }
  };
  return {
    sending: (asked, body) => {
      const before = here.current ?? kept();
      const sent = before?.asked === asked ? before : { asked, body, key: newKey() };
      here.current = sent;
      try {
        sessionStorage.setItem(place, JSON.stringify({ ...sent, at: Date.now() }));
      } catch {
        /* then a reload forgets it */
      }
      return { body: sent.body, key: sent.key };
    },
    answered: (error) => {
      // No answer is what it is kept for.
      if (error !== undefined && !(error instanceof ApiProblem && !error.retryable)) return;
      here.current = null;
      try {
        sessionStorage.removeItem(place);
      } catch {
        /* nothing was kept */
      }
    },
  };
};
