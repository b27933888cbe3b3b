import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { width } from '../../cli/card/lines.js';
import { renderCard, renderLine, type CardOptions } from '../../cli/card/render.js';
import { Words } from '../../cli/words.js';
import type { Decision } from '../../contracts/decision.js';
import { RUN_STATES, STEP_STATES, DECISION_KINDS } from '../../contracts/states.js';
import { balances, decision, NOW, paso, progress } from './fixtures.js';

const options: CardOptions = { now: NOW, width: 100, color: false, language: 'es-MX', zone: 'America/Mexico_City' };
const card = (...args: [Parameters<typeof renderCard>[0], Decision[]?, Partial<CardOptions>?]): string =>
  renderCard(args[0], args[1] ?? [], balances(), { ...options, ...args[2] }).join('\n');

describe('process card', () => {
  it('says objective, state, age, counts with noun and denominator, cost and balance', () => {
    const text = card(progress('running'));
    expect(text).toContain('50 personas de compras en Jalisco');
    expect(text).toContain('▶ En marcha · modo manual · actualizado hace 3 s · versión 57');
    expect(text).toContain('50 de 50 empresas encontradas');
    expect(text.replace(/\s+/g, ' ')).toContain(
      '38 de 50 cuentas con persona elegida · 4 en curso · 2 sin candidato · 1 en tu listado de exclusión · 5 pendientes',
    );
    expect(text).toContain('Créditos: máximo 32 · apartados 0 · usados 0 · saldo 32');
    expect(text).toContain('Inferencia: tope USD\u00a02.00 · usada USD\u00a00.31');
  });

  it('shows the open decision with price, balance, what is left and the command that answers it', () => {
    const text = card(
      progress('waiting_decision', {
        decisions: ['dec_01'],
        reason: { code: 'reveal_needs_tap', params: { n: 32, total: 32, credits: 32, balance: 32 } },
      }),
      [decision('revelar_contactos')],
    );
    expect(text).toContain('32 × 1 crédito = 32 créditos · saldo disponible 32 · ya apartados en otras campañas 8');
    expect(text.replace(/\s+/g, ' ')).toContain('te quedarían 0');
    expect(text).toContain('[Revelar 32 · 32 créditos]');
    expect(text).toContain('y 27 más');
    expect(text).toContain('3 quedan fuera por tu listado de exclusión');
    expect(text).toContain('campana decisiones aprobar dec_01 --confirmo-total 32 --plan-version 3');
  });

  it('before the start says the maximum and offers the lot that fits', () => {
    const p = progress('ready', {
      decisions: ['dec_01'],
      reason: { code: 'start_short', params: { n: 32, requested: 50, credits: 32, balance: 32 } },
      budget: { ...progress('ready').budget, credits: { requested: 0, plan_max: null, held: 0, spent: 0 } },
    });
    const text = card(p, [decision('ajustar_presupuesto')]);
    expect(text).toContain('Tu saldo da para 32 de 50.');
    expect(text).toContain('Créditos: máximo 50 · apartados 0 · usados 0 · saldo 32');
    expect(text).toContain('[Empezar con los 32 que alcanzan · a lo más 32 créditos]');
    expect(text).toContain('https://proveedor.example/recargar');
  });

  it('says since when there is no connection instead of an age', () => {
    expect(card(progress('running'), [], { offlineSince: NOW })).toContain('sin conexión desde 10:42; lo que corre sigue corriendo');
  });

  it.each(RUN_STATES)('has words and an icon for a run that is %s, in both languages', (state) => {
    for (const language of ['es-MX', 'en'] as const) {
      const text = card(progress(state, { contacts: { captured: 2, drafted: 1, unconfirmed: 2 } }), [], { language });
      expect(text).toContain(new Words(language).say(`run.state.${state}`));
      expect(text).not.toMatch(/[{}]|run\.state|step\./);
    }
  });

  it.each(STEP_STATES)('has words and an icon for a step that is %s', (status) => {
    const text = card(
      progress('running', {
        pasos: [paso('s4', status, { conteo: { done: 20, total: 32, unit: 'contact' }, reason: { code: 'declined_skip', params: {} } })],
      }),
    );
    expect(text).toContain(new Words('es-MX').say(`step.state.${status}`));
    expect(text).not.toMatch(/[{}]/);
  });

  it.each(DECISION_KINDS)('shows a %s decision in every state without holes', (kind) => {
    for (const language of ['es-MX', 'en'] as const) {
      for (const state of ['open', 'approved', 'declined', 'expired', 'superseded'] as const) {
        const d = decision(kind, {
          state,
          ...(state === 'approved'
            ? { resolved: { option: 'all', n: 32, then: null, by: 'luis', channel: 'cli', at: NOW.toISOString(), total: 32 } }
            : {}),
        });
        expect(card(progress('waiting_decision', { decisions: ['dec_01'] }), [d], { language })).not.toMatch(/[{}]|cli\.|decision\./);
      }
    }
  });

  it.each([40, 60, 80, 120])('never passes %i columns, commands and links aside', (max) => {
    const lines = renderCard(progress('waiting_decision', { decisions: ['dec_01'] }), [decision('revelar_contactos')], balances(), {
      ...options,
      width: max,
      color: true,
    });
    for (const line of lines.filter((l) => !l.includes('campana decisiones')))
      expect(width(stripVTControlCharacters(line))).toBeLessThanOrEqual(max);
  });

  it('prints names from outside without letting them move the cursor', () => {
    const evil = 'Empaques \u001b[2J\u001b]0;x\u0007 \u202eSA';
    const d = decision('revelar_contactos', { items: [{ ref: 'per_1', label: evil, detail: evil, price: 1, already_yours: false }] });
    const text = card(
      progress('waiting_decision', { objetivo: evil, decisions: ['dec_01'], reason: { code: 'paused_by_person', params: { by: evil } } }),
      [d],
    );

    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  it('is pure: the same input gives the same lines, and colour changes no text', () => {
    const plain = renderCard(progress('running'), [], null, options);
    expect(renderCard(progress('running'), [], null, options)).toEqual(plain);
    expect(renderCard(progress('running'), [], null, { ...options, color: true }).map((l) => stripVTControlCharacters(l))).toEqual(plain);
  });

  it('is one line per version for a pipe', () => {
    expect(renderLine(progress('running'), new Words('es-MX'))).toBe(
      'v57 · ▶ En marcha · 3 Personas: Corriendo, 38 de 50 cuentas con persona elegida, 4 en curso, 2 sin candidato, 1 en tu listado de exclusión, 5 pendientes',
    );
  });
});
