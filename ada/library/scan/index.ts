import { type Skill, type Snapshot, type Trust } from '../types.js';
import { blobs, rot13 } from './decode.js';
import { type Category, escapeExcerpt, type Finding, type Hit, type ScanOptions } from './finding.js';
import { flatten, joinSpaced, wordsOf } from './normalise.js';
import { matcher } from './phrases.js';
import { quotesOf } from './quoted.js';
import { type RuleBase } from './rule.js';
import { PHRASE_RULES, TEXT_RULES } from './rules/index.js';

export { CATEGORIES, escapeExcerpt, type Category, type Finding, type ScanOptions } from './finding.js';
export { SCAN_RULES } from './rules/index.js';

const PHRASES = matcher(PHRASE_RULES.flatMap((r) => r.phrases));
const PHRASE_RULE = new Map(PHRASE_RULES.map((r) => [r.id, r]));
/** From somebody we do not know these block; from us a person looks. */
const STRICT: ReadonlySet<Category> = new Set(['override', 'exfiltration', 'credentials', 'auto_approval']);
/** Of one rule in one text; more of the same says nothing new. */
const MOST_PER_RULE = 20;

interface Raw extends Hit {
  rule: RuleBase & { evenQuoted?: true };
}

const find = (raw: string, options: ScanOptions, encodings: boolean): Raw[] => {
  const flat = flatten(raw, options.meter);
  const words = joinSpaced(wordsOf(flat, raw, options.meter), PHRASES.vocabulary);
  const found: Raw[] = [];
  for (const m of PHRASES.match(words, options.meter)) found.push({ ...m, rule: PHRASE_RULE.get(m.rule)! });
  for (const rule of TEXT_RULES) for (const hit of rule.find({ raw, flat, options })) found.push({ ...hit, rule });
  if (!encodings) return found;
  const turned = words.map((w) => ({ ...w, text: rot13(w.text), alt: null }));
  for (const m of PHRASES.match(turned, options.meter)) found.push({ ...m, rule: PHRASE_RULE.get(m.rule)!, disguised: true });
  for (const blob of blobs(raw)) {
    for (const inner of find(blob.text, options, false)) found.push({ from: blob.from, to: blob.to, rule: inner.rule, disguised: true });
  }
  return found;
};

/** What in a text tries to steer its reader, by line. Time grows with the text only; no finding is silently fixed. */
export const scanText = (raw: string, options: ScanOptions): Finding[] => {
  const quotedOk = options.quotedOk ?? options.trust !== 'tercero';
  const quotes = quotesOf(raw, options.path);
  const lineAt = lineFinder(raw);
  const seen = new Map<string, number>();
  const latest = new Map<string, Finding>();
  const findings: Finding[] = [];
  for (const hit of find(raw, options, true).sort((a, b) => a.from - b.from || a.to - b.to)) {
    const { rule } = hit;
    const quoted = quotes.covers(hit.from, hit.to);
    const disguised = hit.disguised ?? false;
    const line = lineAt(hit.from);
    const last = latest.get(rule.id);
    // Alternatives of one rule find the same sentence.
    if (last && last.line === line && last.quoted === quoted && last.disguised === disguised) continue;
    const count = (seen.get(rule.id) ?? 0) + 1;
    seen.set(rule.id, count);
    if (count > MOST_PER_RULE) continue;
    const excused = quoted && quotedOk && rule.evenQuoted !== true;
    const blocks = rule.severity === 'block' || disguised || (options.trust === 'tercero' && STRICT.has(rule.category));
    const finding: Finding = {
      category: rule.category,
      severity: blocks && !excused ? 'block' : 'report',
      rule: rule.id,
      path: options.path,
      line,
      excerpt: escapeExcerpt(raw.slice(Math.max(0, hit.from - 10), Math.min(hit.to + 20, hit.from + 400))),
      quoted,
      disguised,
    };
    latest.set(rule.id, finding);
    findings.push(finding);
  }
  return findings;
};

const lineFinder = (raw: string): ((at: number) => number) => {
  const starts = [0];
  for (let i = raw.indexOf('\n'); i >= 0; i = raw.indexOf('\n', i + 1)) starts.push(i + 1);
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
};

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
export const referencePath = (skill: Skill, name: string): string =>
  folderOf(skill.path) === '' ? name : `${folderOf(skill.path)}/${name}`;

/** Everything of a skill that a model may read. Lines of the body count from its first line. */
export const scanSkill = (skill: Skill): Finding[] => {
  const at = { path: skill.path, trust: skill.trust };
  const fields: [string, string][] = [
    ['name', skill.name],
    ['description', skill.description],
    ['metadata.gatillos', skill.gatillos.join(' | ')],
    ['metadata.excluye', skill.excluye.join(' | ')],
    ...Object.entries(skill.extra).map(([k, v]): [string, string] => [`metadata.${k}`, v]),
  ];
  return [
    ...fields.flatMap(([key, value]) => scanText(value, at).map((f) => ({ ...f, key }))),
    ...scanText(skill.body, at),
    ...skill.references.flatMap((r) => (r.text === null ? [] : scanText(r.text, { ...at, path: referencePath(skill, r.name) }))),
  ];
};

/** Every skill, the shared references and the bundles' instructions. A shared reference is trusted no more than the least trusted root. */
export const scanSnapshot = (snapshot: Snapshot): Finding[] => {
  const trustOf = (id: string, path: string): Trust => {
    const root = snapshot.roots.find((r) => r.id === id);
    return root === undefined ? 'tercero' : typeof root.trust === 'function' ? root.trust(path) : root.trust;
  };
  const order: Trust[] = ['tercero', 'propia', 'plataforma'];
  const shared = (name: string): Trust =>
    snapshot.roots.map((r) => trustOf(r.id, name)).sort((a, b) => order.indexOf(a) - order.indexOf(b))[0] ?? 'plataforma';
  return [
    ...[...snapshot.skills.values()].flatMap(scanSkill),
    ...[...snapshot.shared.values()].flatMap((r) => (r.text === null ? [] : scanText(r.text, { path: r.name, trust: shared(r.name) }))),
    ...[...snapshot.bundles.values()].flatMap((b) =>
      scanText(`${b.description}\n${b.instruction}`, { path: b.path, trust: trustOf(b.root, b.path) }),
    ),
  ];
};
