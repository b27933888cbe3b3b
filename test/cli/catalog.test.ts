import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from '../../contracts/catalog/en.json' with { type: 'json' };
import es from '../../contracts/catalog/es-MX.json' with { type: 'json' };
import { hasText } from '../../contracts/catalog/index.js';
import {
  ACCOUNT_STATES,
  CONTACT_STATES,
  DECISION_KINDS,
  DECISION_STATES,
  MODES,
  MONEY_KINDS,
  RUN_STATES,
  STEP_IDS,
  STEP_STATES,
} from '../../contracts/states.js';
import { ROOT } from '../../stack/paths.js';
import { inside } from '../support/messages.js';

const sources = (folder: string): Array<{ file: string; text: string }> =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts'))
    .map((f) => ({ file: `${folder}/${f}`, text: readFileSync(join(ROOT, folder, f), 'utf8') }));
const CODE = `'([a-z][a-z0-9_.]+)'`;
const PATTERNS = [
  /\btext\([^,()]+, '([a-z][a-z._]*)'/g,
  new RegExp(`\\bcode: ${CODE}`, 'g'),
  new RegExp(`\\bcode: [^\\n]*?\\? ${CODE} : ${CODE}`, 'g'),
  new RegExp(`"code":"([a-z][a-z0-9_.]+)"`, 'g'),
  new RegExp(`new Refusal\\([^,()]+(?:\\([^()]*\\))?[^,()]*,\\s*${CODE}`, 'g'),
  new RegExp(`new Refusal\\([^\\n]*\\? ${CODE} : ${CODE}`, 'g'),
  new RegExp(`\\bmoved\\(${CODE}`, 'g'),
  new RegExp(`\\bmoved: ${CODE}`, 'g'),
  new RegExp(`new CliExit\\([^,]+, ${CODE}`, 'g'),
  new RegExp(`\\bsay\\(${CODE}`, 'g'),
  new RegExp(`\\b(?:ranking|exit): ${CODE}`, 'g'),
];
/** What the patterns find and no person sees: the answer to an operator's update, the name of a metric's label. */
const NOT_FOR_PEOPLE = new Set(['done', 'code']);

describe('catalog', () => {
  it('has every code that the code uses', () => {
    const missing: string[] = [];
    for (const folder of ['db', 'activities', 'api', 'workflows', 'cli']) {
      for (const { file, text } of sources(folder)) {
        for (const pattern of PATTERNS)
          for (const match of text.matchAll(pattern))
            for (const code of match.slice(1)) if (code && !NOT_FOR_PEOPLE.has(code) && !hasText(code)) missing.push(`${code} (${file})`);
      }
    }
    expect([...new Set(missing)]).toEqual([]);
  });

  it('has a reason and a way out for everything an account can be missing for', () => {
    const [, body = ''] = /EXITS[^=]*= \{([\s\S]*?)\n\};/.exec(readFileSync(join(ROOT, 'db/runs.ts'), 'utf8')) ?? [];
    const pairs = [...body.matchAll(/(\w+): '([a-z._]+)'/g)];
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs.flatMap(([, reason = '', exit = '']) => [reason, exit]).filter((code) => !hasText(code))).toEqual([]);
  });

  it('has a label for every state, step, decision and kind of money', () => {
    const codes = [
      ...RUN_STATES.map((s) => `run.state.${s}`),
      ...STEP_STATES.map((s) => `step.state.${s}`),
      ...ACCOUNT_STATES.map((s) => `account.state.${s}`),
      ...CONTACT_STATES.map((s) => `contact.state.${s}`),
      ...DECISION_STATES.map((s) => `decision.state.${s}`),
      ...DECISION_KINDS.map((k) => `decision.kind.${k}`),
      ...STEP_IDS.map((s) => `step.${s}`),
      ...MODES.map((m) => `mode.${m}`),
      ...MONEY_KINDS.map((k) => `money.${k}`),
      ...['balance', 'cap'].flatMap((by) => MONEY_KINDS.map((k) => `limited.${by}.${k}`)),
      ...['size', 'state'].map((f) => `plan_b.${f}`),
      ...DECISION_KINDS.flatMap((k) => [`view.button.${k}.all`, `view.button.${k}.fit`]),
      ...['wait', 'skip', 'cancel'].flatMap((t) => DECISION_KINDS.slice(1).map((k) => `view.then.${t}.${k}`)),
    ];
    expect(codes.filter((code) => !hasText(code))).toEqual([]);
  });

  it('has every help text that the command asks for', () => {
    const program = readFileSync(join(ROOT, 'cli/program.ts'), 'utf8');
    const used = [
      ...program.matchAll(/\bt\('([a-z_.]+)'\)/g),
      ...program.matchAll(/add\(\w+, '[\w-]+', (?:'[\w-]+'|null), '([a-z_.]+)'/g),
    ].map((m) => `cli.help.${m[1]}`);
    expect(used.length).toBeGreaterThan(40);
    expect(used.filter((code) => !hasText(code))).toEqual([]);
  });

  it('has no text of the command that nothing says', () => {
    const all = sources('cli')
      .map((s) => s.text)
      .join('\n');
    const dynamic = [
      /^cli\.(button|then|cost\.(held|spent)|usage|doctor\.(fix|name)|help|job\.field|skills\.(state|trust|closes|scope|stale|verify|decision|head|field|budget|graph))\./,
      /^cli\.said\.(pause|resume)$/,
    ];
    expect(
      Object.keys(es).filter((code) => code.startsWith('cli.') && !dynamic.some((d) => d.test(code)) && !all.includes(`'${code}'`)),
    ).toEqual([]);
  });

  it('says the same in both languages: same codes, same parameters', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(es).sort());
    const differ = Object.entries(es)
      .filter(
        ([code, message]) =>
          [...inside(message, 'es-MX').names].sort().join() !== [...inside(en[code as keyof typeof en], 'en').names].sort().join(),
      )
      .map(([code]) => code);
    expect(differ).toEqual([]);
  });

  it('has the three plural forms of Spanish', () => {
    const short = Object.entries(es)
      .filter(([, message]) => inside(message, 'es-MX').plurals.some((p) => !('one' in p && 'many' in p && 'other' in p)))
      .map(([code]) => code);
    expect(short).toEqual([]);
  });
});
