import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from '../../contracts/catalog/web.en.json' with { type: 'json' };
import es from '../../contracts/catalog/web.es-MX.json' with { type: 'json' };
import { hasText } from '../../contracts/catalog/index.js';
import { CONTROLS, HASTA, MODES } from '../../contracts/states.js';
import { ROOT } from '../../stack/paths.js';
import { inside } from '../support/messages.js';

const source = readdirSync(join(ROOT, 'web'), { recursive: true, encoding: 'utf8' })
  .filter((f) => /\.tsx?$/.test(f))
  .map((f) => readFileSync(join(ROOT, 'web', f), 'utf8'))
  .join('\n');
const all = (start: string, ends: readonly string[]): string[] => ends.map((end) => `${start}.${end}`);
const OPS = ['pause', 'resume', 'cancel', 'retry-failed', 'settle-unconfirmed', 'repair-projection'];

describe('the texts of the page', () => {
  it('are there for every code that a screen names', () => {
    const named = [...source.matchAll(/'((?:web|view)\.[a-z0-9_.-]+[a-z0-9])'/g)].flatMap(([, code = '']) =>
      /\.(ts|tsx|css|js|json)$/.test(code) ? [] : [code],
    );
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((code) => !hasText(code))).toEqual([]);
  });

  it('are there for every code that campaigns and operations put together', () => {
    const built = [
      ...all('web.runs.phase', ['open', 'all', 'ended']),
      ...all('web.runs.none', ['open', 'ended']),
      ...['1', '2', '3'].flatMap((n) => all(`web.runs.example.${n}`, ['giro', 'estado', 'cargo'])),
      ...all('web.run.new.tamano', ['micro', 'pequena', 'mediana', 'grande']),
      ...all('web.run.new.hasta', HASTA),
      ...MODES.flatMap((m) => [`web.run.new.modo.${m}`, `web.run.new.modo.${m}.hint`]),
      ...all('web.run.receipt', ['max', 'spent', 'freed', 'held']),
      ...all('web.missing.count', ['account', 'contact', 'draft']),
      ...all('web.timeline.panel', ['accounts', 'credits', 'queries']),
      ...all('web.timeline.legend', ['done', 'spent', 'held', 'cap', 'quiet']),
      ...['at', 'held', 'spent'].flatMap((what) => all(`web.timeline.${what}`, ['credits', 'queries'])),
      ...all('web.ops.age', ['under_1h', 'h1_to_24', 'd1_to_3', 'over_3d']),
      ...all('web.ops.control', CONTROLS),
      ...all('web.ops.lacks', ['reason', 'outcome']),
      ...all('web.ops.outcome', ['captured', 'voided']),
      ...['action', 'confirm', 'result'].flatMap((what) => all(`web.ops.${what}`, OPS)),
      ...all(
        'web.ops.does',
        OPS.filter((name) => name !== 'settle-unconfirmed'),
      ),
      ...all('web.ops.does.settle', ['captured', 'voided', 'captured.all', 'voided.all']),
      ...all('web.ops.effect', ['people_reveal', 'crm_save_companies', 'crm_undo', 'sequence_create_draft']),
      ...all('web.ops.audit.col', ['when', 'who', 'action', 'run', 'reason', 'result']),
      ...all('web.ops.audit.result', ['done', 'unchanged', 'refused']),
    ];
    expect(built.filter((code) => !hasText(code))).toEqual([]);
  });

  it('name everything that a plot marks', () => {
    const [, list = ''] = /const MARKED = \[([\s\S]*?)\];/.exec(readFileSync(join(ROOT, 'db/timeline.ts'), 'utf8')) ?? [];
    const kinds = [...list.matchAll(/'([a-z_.]+)'/g)].map(([, kind = '']) => `web.timeline.${kind}`);
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter((code) => !hasText(code))).toEqual([]);
  });

  it('are the same in both languages: same codes, same parameters', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(es).sort());
    const differ = Object.entries(es)
      .filter(
        ([code, message]) =>
          [...inside(message, 'es-MX').names].sort().join() !== [...inside(en[code as keyof typeof en], 'en').names].sort().join(),
      )
      .map(([code]) => code);
    expect(differ).toEqual([]);
  });

  it('have the three plural forms of Spanish', () => {
    expect(
      Object.entries(es)
        .filter(([, message]) => inside(message, 'es-MX').plurals.some((p) => !('one' in p && 'many' in p && 'other' in p)))
        .map(([code]) => code),
    ).toEqual([]);
  });
});
