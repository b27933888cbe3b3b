import { createHash } from 'node:crypto';

export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/** One digest over named parts, the same in any order. */
export const sha256Of = (parts: ReadonlyArray<readonly string[]>): string =>
  sha256(
    parts
      .map((part) => part.join('\u0000'))
      .sort()
      .join('\n'),
  );

/** Length as people count it: code points, not UTF-16 units. */
export const lengthOf = (text: string): number => {
  let n = 0;
  for (const _ of text) n++;
  return n;
};
