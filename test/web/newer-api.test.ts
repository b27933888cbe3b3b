import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { describe, expect, it, vi } from 'vitest';
import { hasText, text } from '../../contracts/catalog/index.js';
import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import { clean, Words } from '../../view/words.js';
import { ProcessCardView } from '../../web/card/process-card-view.js';
import { DecisionView, type Answer } from '../../web/decisions/decision-view.js';
import { reveal, start } from '../../web/gallery/fixtures/decisions.js';
import { balances, progress } from '../../web/gallery/fixtures/runs.js';
import { WordsProvider } from '../../web/words/words.js';

vi.mock('virtual:catalog/es-MX', () => ({ default: {} }));
vi.mock('virtual:catalog/en', () => ({ default: {} }));

const words = new Words(
  'es-MX',
  { has: (code) => hasText(code), text: (code, params) => text('es-MX', code, params) },
  'America/Mexico_City',
);
const show = (what: ReactNode): string =>
  renderToStaticMarkup(
    createElement(Router, { ssrPath: '/campanas/run_1', children: createElement(WordsProvider, { words, children: what }) }),
  );
const nothing = (): void => undefined;
const answer: Answer = {
  state: { is: 'idle' },
  acting: null,
  send: nothing,
  recheck: nothing,
  undo: nothing,
  reopen: nothing,
  everything: () => new Promise(() => undefined),
};
const card = (p: Progress): string =>
  show(
    createElement(ProcessCardView, {
      snapshot: { progress: p, connection: 'live', confirmedAt: 0, offlineSince: null },
      balances,
      start: null,
      menu: null,
      notice: null,
      decision: () => null,
      openMissing: nothing,
    }),
  );
const decision = (d: Decision): string => show(createElement(DecisionView, { decision: d, answer }));
const buttons = (html: string): string[] => [...html.matchAll(/data-option="(\w+)"/g)].map(([, id]) => id ?? '');

describe('a page that is older than the server', () => {
  it('shows a run whose state, step, reason and mode it has no words for', () => {
    const known = progress('running');
    const html = card({
      ...known,
      state: 'dreaming' as never,
      mode: 'telepathic' as never,
      reason: { code: 'moon.is_full', params: { phase: null } },
      pasos: [
        ...known.pasos,
        { ...known.pasos[0]!, id: 's7' as never, status: 'simmering' as never, reason: { code: 'moon.is_new', params: {} } },
      ],
    });
    expect(html).toContain('data-state="dreaming"');
    expect(html).toContain('data-step="s7"');
    expect(html).toContain('38 de 50');
  });
  it('offers every answer it can name, with its price', () => {
    expect(buttons(decision(reveal))).toEqual(['all', 'choose', 'decline']);
    expect(buttons(decision(start))).toEqual(['all', 'choose', 'decline']);
  });
  it('offers no answer whose effect and price it cannot name, and says why', () => {
    const odd = decision({
      ...reveal,
      options: [...reveal.options, { id: 'lend' as never, n: 3, totals: { credits: 9, queries: 0, inference: 0 } }],
    });
    expect(buttons(odd)).toEqual(['all', 'choose', 'decline']);
    const strange = decision({ ...reveal, kind: 'donar_creditos' as never });
    expect(buttons(strange)).toEqual([]);
    for (const html of [odd, strange]) expect(html).toContain('Vuelve a cargarla');
    expect(decision(reveal)).not.toContain('Vuelve a cargarla');
  });
});

describe('words over what comes from outside', () => {
  it('tell the time also in a zone that this device does not know', () => {
    const far = new Words('es-MX', { has: () => true, text: (code) => code }, 'America/Not_Yet_Founded');
    expect(far.moment('2026-11-30T10:00:00Z')).toMatch(/\d\d:\d\d/);
  });
  it('take a name in which nothing can be seen for none', () => {
    expect(['\u200b\u200d', '\u3164', '\u2800 \u00ad', '\u202e\u200f'].map(clean)).toEqual(['', '', '', '']);
    expect(clean('Empaques 👩‍🔧 \u202eevil')).toBe('Empaques 👩‍🔧  evil');
  });
});
