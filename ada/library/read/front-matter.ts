import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  parseDocument,
  visit,
  type ParsedNode,
  type YAMLError,
} from 'yaml';
import type { Findings } from './findings.js';
import { ONE_WORD, OUR_KEYS, RESERVED, SPEC_KEYS } from './keys.js';

/**
 * Front matter to text by key. Values stay what the author typed: YAML would make `1.0` a number and `no` (for a 1.1 reader) false.
 * A value that is not valid YAML but whose meaning is plain is read again as text and reported; what could mean two things is refused.
 */
export type Style = 'quoted' | 'block' | 'plain' | 'number' | 'bool' | 'null' | 'date' | 'list';
export interface Value {
  text: string;
  list: readonly string[] | null;
  style: Style;
  line: number;
}

/** Keys under `metadata` are named `metadata.<key>`; the value of an absent key is absent. */
export type Matter = ReadonlyMap<string, Value>;

/** Characters of one front matter; 64 KB is ten times the largest seen. */
export const MAX_MATTER = 65_536;
/** Characters that may be parsed again in rescue of one file, so that a file made of broken lines costs no more than a large one. */
const RESCUE_BUDGET = 400_000;

const parse = (source: string, counter?: LineCounter) =>
  parseDocument(source, {
    uniqueKeys: true,
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    logLevel: 'silent',
    prettyErrors: false,
    lineCounter: counter,
  });

// ---------------------------------------------------------------------------------------------------------------- broken values

const KEY_LINE = /^([ \t]*(?:- +)?)([\w.-]+):[ \t]+(\S.*)$/u;
const LIST_LINE = /^([ \t]*)- +(\S.*)$/u;
const indentOf = (line: string): number => line.length - line.trimStart().length;
const KNOWN_KEY = new RegExp(`^[ \\t]*(?:${[...SPEC_KEYS, ...OUR_KEYS].join('|')}):(?:[ \\t]|$)`);

/** Why a value is not what YAML would take it for. */
const causeOf = (value: string): string => {
  if (/^["']/.test(value)) return 'yaml_quote_then_text';
  if (/:(?:[ \t]|$)/m.test(value)) return 'yaml_colon_in_value';
  if (/[ \t]#/.test(value)) return 'yaml_comment_cuts_value';
  return 'yaml_reread';
};

interface Rescue {
  line: number;
  code: string;
}

/** The line whose value holds an error: the one it is on, or the one that began the value. Null when no single value is to blame. */
const culprit = (lines: readonly string[], from: number, done: ReadonlySet<number>): number | null => {
  for (let i = Math.min(from, lines.length - 1); i >= 0; i--) {
    const line = lines[i] as string;
    if (KEY_LINE.test(line) || LIST_LINE.test(line)) return done.has(i) ? null : i;
    if (line.trim() !== '' && indentOf(line) === 0) return null;
  }
  return null;
};

/** Writes the value of line `at`, with the deeper lines that continue it, as one quoted text. False when that would guess. */
const quoteValue = (lines: string[], at: number, rescued: Rescue[]): boolean => {
  const line = lines[at] as string;
  const keyed = KEY_LINE.exec(line);
  const item = keyed ? null : LIST_LINE.exec(line);
  const prefix = keyed ? `${keyed[1]}${keyed[2]}: ` : item ? `${item[1]}- ` : null;
  const first = keyed?.[3] ?? item?.[2];
  if (prefix === null || first === undefined) return false;
  // `|` and `>` begin a block, a bare `[` or `{` a collection, `&`, `*` and `!` a construct that is refused: none of them is a sentence.
  if (/^[|>][-+0-9]*(?:[ \t]|$)/.test(first) || /^[{&!]/.test(first) || (first.startsWith('[') && !/\][ \t]*[^\s,\]#]/.test(first)))
    return false;
  const parts = [first.trimEnd()];
  let end = at + 1;
  for (; end < lines.length; end++) {
    const next = lines[end] as string;
    if (next.trim() === '') continue;
    if (indentOf(next) <= indentOf(line)) break;
    if (KNOWN_KEY.test(next)) return false; // a key that was indented too far, not more of the sentence
    parts.push(next.trim());
  }
  const value = parts.join(' ');
  lines[at] = `${prefix}'${value.replaceAll("'", "''")}'`;
  for (let i = at + 1; i < end; i++) lines[i] = ''; // lines keep their numbers
  rescued.push({ line: at, code: causeOf(value) });
  return true;
};

const lineAt = (source: string, offset: number): number => {
  let line = 0;
  for (let i = source.indexOf('\n'); i >= 0 && i < offset; i = source.indexOf('\n', i + 1)) line++;
  return line;
};

/** Where to look for the value to blame: an unclosed quote is noticed only at the end, so it is sought from there up. */
const startOf = (error: YAMLError, source: string, lines: readonly string[]): number => {
  const at = lineAt(source, error.pos[0]);
  if (error.code !== 'MISSING_CHAR' || !/quote/.test(error.message)) return at;
  for (let i = Math.min(at, lines.length - 1); i >= 0; i--) {
    const value = (KEY_LINE.exec(lines[i] as string)?.[3] ?? LIST_LINE.exec(lines[i] as string)?.[2] ?? '').trimEnd();
    const quote = value[0];
    if ((quote === '"' || quote === "'") && !value.slice(1).includes(quote)) return i;
  }
  return at;
};

const wrong = (document: ReturnType<typeof parse>): YAMLError | undefined => document.errors.find((e) => e.code !== 'DUPLICATE_KEY');

/** Parses, quoting one broken value at a time, until it is YAML or nothing more can be told. */
const rescue = (source: string): { source: string; error: YAMLError | undefined; rescued: Rescue[]; tabs: number | null } => {
  const rescued: Rescue[] = [];
  let tabs: number | null = null;
  let current = source;
  let budget = RESCUE_BUDGET;
  for (;;) {
    const error = wrong(parse(current));
    budget -= current.length + 1_000;
    if (!error || budget < 0) return { source: current, error, rescued, tabs };
    const lines = current.split('\n');
    const tabbed = lines.findIndex((line) => /^ *\t/.test(line));
    if (tabbed >= 0 && tabs === null) {
      tabs = tabbed;
      current = lines.map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '))).join('\n');
      continue;
    }
    const at = culprit(lines, startOf(error, current, lines), new Set(rescued.map((r) => r.line)));
    if (at === null || !quoteValue(lines, at, rescued)) return { source: current, error, rescued, tabs };
    current = lines.join('\n');
  }
};

// ---------------------------------------------------------------------------------------------------------------- sound values

const BOOL_1_1 = /^(?:y|n|yes|no|on|off|true|false)$/i;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?$/;
const NUMBER_1_1 =
  /^[-+]?(?:0[0-7_]+|0x[0-9a-f_]+|0b[01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[-+]?\d+)?|[0-9]+(?::[0-5]?[0-9])+|\.inf|\.nan)$/i;

const SCALAR_STYLES: Readonly<Record<string, Style>> = {
  QUOTE_SINGLE: 'quoted',
  QUOTE_DOUBLE: 'quoted',
  BLOCK_FOLDED: 'block',
  BLOCK_LITERAL: 'block',
};
const PORTABLE: Readonly<Partial<Record<Style, string>>> = {
  number: 'portable_number',
  bool: 'portable_bool',
  null: 'portable_null',
  date: 'portable_date',
  list: 'portable_list',
  plain: 'portable_unquoted',
};

const styleOf = (type: string | undefined, value: unknown, source: string): Style => {
  const marked = SCALAR_STYLES[type ?? ''];
  if (marked) return marked;
  if (value === null) return 'null';
  if (typeof value === 'boolean' || BOOL_1_1.test(source)) return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint' || NUMBER_1_1.test(source)) return 'number';
  return DATE.test(source) ? 'date' : 'plain';
};

/** What stands behind a plain value on its line, when it is a comment. */
const commentAfter = (source: string, end: number): string | null => {
  const eol = source.indexOf('\n', end);
  return /^[ \t]*#(.*)/.exec(source.slice(end, eol < 0 ? undefined : eol))?.[1]?.trim() ?? null;
};

/** Anchors, aliases and tags make one file mean different things to different readers. True when there was one. */
const refuseConstructs = (document: ReturnType<typeof parse>, line: (offset: number) => number, findings: Findings): boolean => {
  const seen = new Set<string>();
  const refuse = (code: string, offset: number): void => {
    if (!seen.has(code)) findings.refuse(code, { line: line(offset) });
    seen.add(code);
  };
  visit(document, {
    Node: (_, node) => {
      const offset = node.range?.[0] ?? 0;
      if (isAlias(node)) refuse('yaml_alias', offset);
      else if (node.anchor !== undefined) refuse('yaml_anchor', offset);
      if (node.tag !== undefined) refuse('yaml_tag', offset);
    },
  });
  return seen.size > 0;
};

/**
 * Front matter as a map of texts. `firstLine` is the line of the file at which it begins. `portable`: report what other readers of the public
 * specification would take differently. Nothing here throws.
 */
export const readMatter = (original: string, firstLine: number, findings: Findings, portable = true): Matter => {
  const values = new Map<string, Value>();
  if (original.length > MAX_MATTER) {
    findings.refuse('matter_large', { params: { size: original.length, limit: MAX_MATTER } });
    return values;
  }
  try {
    read(original, firstLine, findings, portable, values);
  } catch {
    // Nesting so deep that the parser ran out of stack.
    findings.refuse('yaml_invalid', { line: firstLine });
  }
  return values;
};

const read = (original: string, firstLine: number, findings: Findings, portable: boolean, values: Map<string, Value>): void => {
  const ends = original.split('\n').findIndex((line) => /^\.\.\.(?:[ \t]|$)/.test(line));
  if (ends >= 0) return findings.refuse('yaml_document_end', { line: firstLine + ends });

  const { source, error, rescued, tabs } = rescue(original);
  if (tabs !== null) findings.error('yaml_tab', { line: firstLine + tabs });
  const line = (offset: number): number => firstLine + lineAt(source, offset);
  const document = parse(source);
  if (refuseConstructs(document, line, findings)) return;
  if (error) return findings.refuse('yaml_invalid', { line: line(error.pos[0]) });
  const top = document.contents;
  if (top === null) return findings.refuse('matter_empty', { line: firstLine });
  if (!isMap(top)) return findings.refuse('matter_not_map', { line: firstLine });
  const rereadAt = new Map(rescued.map((r) => [firstLine + r.line, r.code]));

  const scalar = (node: ParsedNode, key: string): { text: string; style: Style } => {
    if (!isScalar(node)) return { text: '', style: 'null' };
    const raw = typeof node.value === 'string' ? node.value : (node.source ?? '');
    const style = styleOf(node.type, node.value, node.source ?? '');
    if (style !== 'quoted' && style !== 'block') {
      const at = line(node.range[0]);
      const lost = commentAfter(source, node.range[1]);
      if (lost !== null && !(ONE_WORD.has(key) && /^\S+$/.test(raw)))
        findings.error('yaml_comment_cuts_value', { key, line: at, params: { lost: lost.slice(0, 80) } });
    }
    return { text: style === 'null' ? '' : raw, style };
  };

  const listOf = (node: ParsedNode, key: string): string[] => {
    const items: string[] = [];
    for (const item of isSeq(node) ? node.items : []) {
      if (isScalar(item)) items.push(scalar(item, key).text);
      else if (isMap(item) && source[item.range[0]] !== '{') {
        // `- cuántos: los que hay` is a sentence to its author and a map to YAML.
        items.push(source.slice(item.range[0], item.range[1]).replace(/\s+/g, ' ').trim());
        findings.error('yaml_colon_in_value', { key, line: line(item.range[0]) });
      } else findings.error('matter_nested', { key, line: line(item.range[0]) });
    }
    return items;
  };

  let seenMetadata = false;
  const take = (map: typeof top, prefix: string): void => {
    for (const pair of map.items) {
      const node = pair.value;
      const keyNode = pair.key as ParsedNode | null;
      const at = line(keyNode?.range?.[0] ?? node?.range?.[0] ?? 0);
      const own = isScalar(keyNode) ? String(keyNode.source ?? '') : '';
      const key = `${prefix}${own}`;
      if (own === '') {
        findings.refuse('yaml_invalid', { line: at });
        continue;
      }
      if (own === '<<') {
        findings.refuse('yaml_merge_key', { key, line: at });
        continue;
      }
      if (RESERVED.has(own)) {
        findings.refuse('yaml_reserved_key', { key, line: at });
        continue;
      }
      if (values.has(key) || (key === 'metadata' && seenMetadata)) {
        findings.error('yaml_duplicate_key', { key, line: at });
        continue;
      }
      if (key === 'metadata') {
        seenMetadata = true;
        if (isMap(node)) take(node, 'metadata.');
        else if (node !== null && !(isScalar(node) && node.value === null)) findings.error('metadata_not_map', { key, line: at });
        continue;
      }
      if (isCollection(node) && !isSeq(node)) {
        findings.error('matter_nested', { key, line: at });
        continue;
      }
      const list = node !== null && isSeq(node) ? listOf(node, key) : null;
      const { text, style } =
        list || node === null ? { text: list?.join(' ') ?? '', style: list ? ('list' as const) : ('null' as const) } : scalar(node, key);
      const reread = rereadAt.get(at);
      if (reread) findings.error(reread, { key, line: at });
      const unportable = portable ? PORTABLE[style] : undefined;
      if (unportable && (prefix !== '' || style !== 'plain')) findings.warn(unportable, { key, line: at });
      values.set(key, { text, list, style, line: at });
    }
  };
  take(top, '');
  // A rescued list item has no key on its line.
  const keyed = new Set([...values.values()].map((v) => v.line));
  for (const [at, code] of rereadAt) if (!keyed.has(at)) findings.error(code, { line: at });
};
