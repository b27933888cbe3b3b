import { inspect } from 'node:util';

/**
 * Waits for what comes by itself; `ms` only guards against never, and is no measure. A failure says what was looked for, and what
 * was seen last.
 */
export const until = async <T>(look: () => Promise<T | undefined | false> | T | undefined | false, ms = 30_000): Promise<T> => {
  const end = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${look.toString()}\nlast seen: ${inspect(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
