/** Anchors of an answer: `[[type:id]]`, where `type:id` is the `ref` of a result, a row or a figure. */

export interface Anchor {
  /** What stands between the brackets, trimmed. */
  ref: string;
  at: number;
  end: number;
  /** `duplicate_type`: `[[run:run:cs-3]]`. `malformed`: not `type:id`. */
  problem: 'duplicate_type' | 'malformed' | null;
}

const ANCHOR = /\[\[([^[\]\n]{1,240})\]\]/g;
const REF = /^[a-z][a-z_]{0,19}:[^\s[\]]{1,200}$/;

export const isRef = (text: string): boolean => REF.test(text);
export const typeOf = (ref: string): string => ref.slice(0, Math.max(0, ref.indexOf(':')));

/** All anchors of a text, in order, the wrong ones too. */
export const anchorsOf = (text: string): Anchor[] =>
  [...text.matchAll(ANCHOR)].map((match) => {
    const ref = (match[1] ?? '').trim();
    const problem = /^([a-z_]+):\1:/.test(ref)
      ? ('duplicate_type' as const)
      : isRef(ref) && match[1] === ref
        ? null
        : ('malformed' as const);
    return { ref, at: match.index, end: match.index + match[0].length, problem };
  });

/** Brackets that open or close nothing, as written. */
export const brokenBrackets = (text: string): string[] =>
  [
    ...text
      .replace(ANCHOR, (all) => ' '.repeat(all.length))
      .matchAll(/\[\[[^\n]{0,40}|\S{0,40}\]\]|\[(?:run|record|decision):[^\]\s]{1,80}\]/g),
  ].map((match) => match[0]);

/** Small letters without accents, character by character, so that places in it are places in the text. */
export const flat = (text: string): string => {
  let out = '';
  for (const char of text) {
    const small = char.toLowerCase();
    const base = small === 'ñ' ? small : small.normalize('NFD').replace(/\p{M}+/gu, '');
    out += base.length === char.length ? base : char;
  }
  return out;
};

const wordsOf = (text: string): string[] => flat(text).match(/[\p{L}\p{N}]+/gu) ?? [];
/** Anchor types that cite where a figure stands; the sentence already says the figure. */
const SILENT = new Set(['run', 'decision', 'board']);
const BEFORE_A_NAME = /(?:^|[.!?:;\n•*-]\s*|\s(?:de|del|con|para|por|a|en|y|e|o|que|of|with|for|by|to|in|at|and|or|from)\s+)$/i;
const FIGURE_NEXT = /^\s*(?:[$€]|US\$|MX\$)?\s?\d/;

/** The text around an anchor already says the name, or the beginning or the end of it. */
const saysName = (name: string, before: string, after: string): boolean => {
  const wanted = wordsOf(name);
  if (wanted.length === 0) return false;
  const next = wordsOf(after.slice(0, name.length + 80));
  const previous = wordsOf(before.slice(-(name.length + 80)));
  const need = Math.min(2, wanted.length);
  const starts = (words: string[]): boolean =>
    wanted.some((_, i) => i + need <= wanted.length && wanted.slice(i, i + need).every((word, k) => words[k] === word));
  const long = (word: string | undefined): boolean => word !== undefined && word.length >= 5 && wanted.includes(word);
  return (
    starts(next) ||
    (long(next[0]) && /^\s*\p{Lu}/u.test(after)) ||
    (previous.length >= wanted.length && wanted.every((word, k) => previous[previous.length - wanted.length + k] === word))
  );
};

const tidySpacing = (text: string): string =>
  text
    .replace(/\(\s*\)|\[\s*\]|«\s*»/g, '')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/[ \t]+([,.;:!?%)»\]])/g, '$1')
    .replace(/([(«¿¡])[ \t]+/g, '$1')
    .replace(/,(?=[.;:!?])/g, '')
    .replace(/(?<!\.)\.\.(?!\.)/g, '.')
    .replace(/[ \t]+$/gm, '')
    .replace(/^[ \t]+(?=\S)/gm, '')
    .trim();

export interface Resolved {
  text: string;
  anchors: Array<{ ref: string; name: string | null }>;
  unresolved: number;
}

/**
 * The text as a person reads it. An anchor becomes the name of its row; one that only cites (`run:`, `decision:`, a row right before a figure
 * of it) goes, and so does one whose name the text says itself. An anchor nobody knows goes too, and is counted (with `known`: any that is not in it).
 */
export const resolveAnchors = (text: string, names: ReadonlyMap<string, string>, known?: ReadonlySet<string>): Resolved => {
  const found: Resolved['anchors'] = [];
  let unresolved = 0;
  let out = '';
  let end = 0;
  for (const anchor of anchorsOf(text)) {
    out += text.slice(end, anchor.at);
    end = anchor.end;
    const silent = SILENT.has(typeOf(anchor.ref)) && anchor.problem === null;
    const name = names.get(anchor.ref) ?? null;
    if (anchor.problem !== null || (known ? !known.has(anchor.ref) : name === null && !silent)) unresolved++;
    found.push({ ref: anchor.ref, name });
    const after = text.slice(anchor.end);
    if (silent || !name || saysName(name, out, after.replace(ANCHOR, ''))) continue;
    // Right before a figure it cites it, unless the sentence would have no row at all without the name.
    if (FIGURE_NEXT.test(after) && (flat(out).includes(flat(name)) || !BEFORE_A_NAME.test(out))) continue;
    out += name;
  }
  return { text: tidySpacing(out + text.slice(end)), anchors: found, unresolved };
};
