/** Text inside a tag of ours: escaped once, so that it can neither close the tag nor open one. */
export const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The same inside an attribute. */
export const escapeAttribute = (text: string): string =>
  escapeText(text)
    .replace(/"/g, '&quot;')
    .replace(/[\r\n\t]+/g, ' ');

/** Characters as the budget counts them: code points, not UTF-16 units. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};
