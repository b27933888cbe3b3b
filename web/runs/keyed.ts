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

/**
 * The same, also after a reload of this tab: for what starts to spend as soon as it is made. It is forgotten as soon as an answer came, so that asking
 * for the same again afterwards is another act.
 */
export const useLastingKeyFor = (what: string): { keyFor(content: unknown): string; answered(error?: unknown): void } => {
  const { workspace, sub } = useWho();
  const keyOf = useKeyFor();
  const place = `campana.key.${what}.${encodeURIComponent(workspace)}/${encodeURIComponent(sub)}`;
  return {
    keyFor: (content) => {
      const json = JSON.stringify(content);
      try {
        const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as { content?: unknown; key?: unknown; at?: unknown } | null;
        if (kept?.content === json && typeof kept.key === 'string' && typeof kept.at === 'number' && Math.abs(Date.now() - kept.at) < LASTS_MS) return kept.key;
        const key = keyOf(content);
        sessionStorage.setItem(place, JSON.stringify({ content: json, key, at: Date.now() }));
        return key;
      } catch {
        return keyOf(content);
      }
    },
    answered: (error) => {
      // No answer is what the key is kept for.
      if (error !== undefined && !(error instanceof ApiProblem && !error.retryable)) return;
      try {
        sessionStorage.removeItem(place);
      } catch { /* nothing was kept */ }
    },
  };
};
