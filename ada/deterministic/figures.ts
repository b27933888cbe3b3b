/** As many as an answer may narrate. */
const FIGURES = 5;
const SENTENCE = /(?<=[.!?…])\s+(?=[\p{Lu}¿¡«"[])/u;
const figuresOf = (sentence: string): string[] =>
  [
    ...sentence.replace(/\[\[[^\]]*\]\]|«[^»]*»|\b\d{1,2} de \p{L}+ de \d{4}\b|\b(?:19|20)\d\d\b/gu, ' ').matchAll(/\d[\d,]*(?:\.\d+)?/g),
  ].map((m) => m[0]);
/** At most five figures in all: what tells more gives way, from the end, and never the first sentence of a part. */
export const fewFigures = (parts: readonly string[]): string[] => {
  const split = parts.map((part) => part.split(SENTENCE));
  const count = (): number => new Set(split.flat().flatMap(figuresOf)).size;
  while (count() > FIGURES) {
    const heavy = [...split]
      .reverse()
      .sort((a, b) => b.flatMap(figuresOf).length - a.flatMap(figuresOf).length)
      .find((part) => part.slice(1).some((sentence) => figuresOf(sentence).length > 0));
    if (!heavy) break;
    const at = heavy.findLastIndex((sentence, i) => i > 0 && figuresOf(sentence).length > 0);
    heavy.splice(at, 1);
  }
  return split.map((part) => part.join(' '));
};
