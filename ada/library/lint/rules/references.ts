import { report, type Rule } from '../rule.js';

const NAMED = /(?<![\w./-])(?:\.\/|\$\{SKILL_DIR\}\/)?((?:references|templates|assets)\/[\w./-]{0,118}\w)/g;
const namedIn = (text: string): Set<string> => new Set([...text.matchAll(NAMED)].map((m) => m[1]!));
const lineOf = (text: string, part: string): number => text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length;

/** What the text names is there, and what is there is named. `assets/` are read by code and may stand unnamed. */
export const references: Rule = {
  codes: ['reference_dead', 'reference_orphan'],
  check: (skill, library) => {
    const found = report(skill, library);
    const own = new Set(skill.references.map((r) => r.name));
    const named = new Set<string>();
    for (const [reference, text] of [[undefined, skill.body], ...skill.references.map((r) => [r.name, r.text ?? ''] as const)] as const) {
      for (const name of namedIn(text)) {
        if (name !== reference) named.add(name);
        if (own.has(name) || library.snapshot.shared.has(name)) continue;
        const line = lineOf(text, name);
        found.error('reference_dead', { ...(reference === undefined ? { at: line } : { reference, line }), params: { name } });
      }
    }
    // A reference may be named without its folder: "ver sinonimos.md".
    const everything = [skill.body, ...skill.references.map((r) => r.text ?? '')].join('\n');
    for (const { name } of skill.references) {
      const base = name.slice(name.lastIndexOf('/') + 1);
      if (!name.startsWith('assets/') && !named.has(name) && !everything.includes(base))
        found.warn('reference_orphan', { reference: name, params: { name } });
    }
    return found.problems;
  },
};
