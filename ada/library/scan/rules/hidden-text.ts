import { type Hit } from '../finding.js';
import { isBidi, isInvisible, isTag } from '../normalise.js';
import { inFlat, type Scanned, textRule } from '../rule.js';

const each = (raw: string, test: (cp: number, i: number) => boolean): Hit[] => {
  const hits: Hit[] = [];
  for (let i = 0; i < raw.length; i++) {
    const cp = raw.codePointAt(i)!;
    const size = cp > 0xffff ? 2 : 1;
    const last = hits.at(-1);
    if (test(cp, i)) {
      if (last && last.to === i) last.to = i + size;
      else hits.push({ from: i, to: i + size });
    }
    i += size - 1;
  }
  return hits;
};

/** The flags of England, Scotland and Wales are spelled with tags. */
const FLAG = /\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;
const tags = ({ raw }: Scanned): Hit[] =>
  each(
    raw.replace(FLAG, (flag) => ' '.repeat(flag.length)),
    isTag,
  );
/** Joiners and selectors belong in emoji; a mark at the very start is the file's. Between letters or digits none belongs. */
const LETTER = /[\p{L}\p{N}]/u;
const zeroWidth = ({ raw }: Scanned): Hit[] =>
  each(raw, (cp) => isInvisible(cp) && !isBidi(cp)).filter(
    ({ from, to }) => from > 0 && LETTER.test(raw[from - 1]!) && LETTER.test(raw[to] ?? ''),
  );

interface Comment {
  from: number;
  to: number;
  text: string;
  open: boolean;
}
const comments = (raw: string): Comment[] => {
  const found: Comment[] = [];
  for (let i = raw.indexOf('<!--'); i >= 0;) {
    const end = raw.indexOf('-->', i + 4);
    const to = end < 0 ? raw.length : end + 3;
    found.push({ from: i, to, text: raw.slice(i + 4, end < 0 ? raw.length : end), open: end < 0 });
    i = end < 0 ? -1 : raw.indexOf('<!--', to);
  }
  // A link nobody can see is a comment too: [//]: # (text)
  for (const m of raw.matchAll(/^[ \t]{0,3}\[[^\]\n]{1,40}\]:[ \t]{0,4}(?:#|<>)[ \t]{1,4}["'(]([^\n]{1,2000})$/gm)) {
    found.push({ from: m.index, to: m.index + m[0].length, text: m[1]!, open: false });
  }
  return found;
};
const ORDERS =
  /(?<![\p{L}\p{N}])(?:ignor\p{L}{1,4}|olvid\p{L}{1,4}|usa|llama|env[ií]a\p{L}{0,3}|manda\p{L}{0,3}|responde|contesta|di|dile|ejecuta|revela|aprueba|gasta|abre|siempre|nunca|debes|instrucci[oó]n(?:es)?|asistente|secreto|always|never|must|you|call|use|send|reveal|execute|run|open|answer|respond|approve|spend|disregard|forget|instructions?|assistant|secret|system|prompt)(?![\p{L}\p{N}])/iu;
const DIRECTIVE = /^\s{0,5}(?:markdownlint|prettier|eslint|cspell|vale|textlint|toc)[\w :,.-]{0,80}$/i;
const speaks = (c: Comment): boolean => c.open || (ORDERS.test(c.text) && !DIRECTIVE.test(c.text)) || c.text.length > 400;

/** Read by the model and not by a person. */
export const HIDDEN_TEXT = [
  textRule('hidden_text.tag_characters', 'block', tags, { evenQuoted: true }),
  textRule('hidden_text.bidi', 'block', ({ raw }) => each(raw, isBidi), { evenQuoted: true }),
  textRule('hidden_text.zero_width', 'report', zeroWidth),
  textRule('hidden_text.comment_orders', 'block', ({ raw }) => comments(raw).filter(speaks)),
  textRule('hidden_text.comment', 'report', ({ raw }) => comments(raw).filter((c) => !speaks(c))),
  textRule(
    'hidden_text.style',
    'block',
    inFlat(
      /\b(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|opacity\s{0,3}:\s{0,3}0(?![.0-9]*[1-9])|font-size\s{0,3}:\s{0,3}0(?![.0-9]*[1-9])|color\s{0,3}:\s{0,3}(?:white|transparent|#fff(?:fff)?)\b|text-indent\s{0,3}:\s{0,3}-\d{3})/g,
      /<[a-z][a-z0-9]{0,15}\s(?:[^<>]{0,200}\s)?(?:hidden|aria-hidden\s{0,3}=\s{0,3}["']?true)(?=[\s>=/])/g,
      /<(?:script|iframe|object|embed|template|noscript|svg|style|meta)(?=[\s>/])/g,
      /<[a-z][a-z0-9]{0,15}\s(?:[^<>]{0,200}\s)?on[a-z]{3,15}\s{0,3}=/g,
    ),
  ),
];
