import { describe, expect, it } from 'vitest';
import { BLOCKING } from '../../evals/turns/blocking/index.js';
import { scanText } from '../../evals/turns/blocking/source-scan.js';
import type { Dump } from '../../evals/turns/dump.js';
import { METERS } from '../../evals/turns/meters/index.js';
import { score } from '../../evals/turns/score.js';
import { attempt, BRIEFS, called, golden, of, spoiled } from './golden.js';

/** Each meter and each blocking eval can fail: one thing spoiled makes it red, and it alone need not be. */

const METER_MUTATIONS: Record<string, Array<[what: string, how: (dump: Dump) => void]>> = {
  intent: [
    [
      'an answer instead of a list',
      (d) => {
        of(d, 'g-lista').answer.intent = { kind: 'responder' };
      },
    ],
    [
      'a refusal',
      (d) => {
        const t = of(d, 'g-cuenta');
        t.refused = { status: 422, code: 'answer_invalid', params: {} };
        Object.assign(t, { answer: null });
      },
    ],
  ],
  refs: [
    [
      'one anchor that is nothing',
      (d) => {
        of(d, 'g-cuenta').answer.usage.unresolved_refs = 1;
      },
    ],
  ],
  defectos: [
    [
      'many defects in one turn',
      (d) => {
        of(d, 'g-cuenta').answer.validation = [
          { attempt: 1, tags: ['refs', 'cifra'], problems: ['refs: a', 'refs: b', 'cifra: c'] },
          { attempt: 2, tags: ['cifra'], problems: ['cifra: c'] },
        ];
      },
    ],
  ],
  ruta: [
    [
      'an escalation',
      (d) => {
        of(d, 'g-cuenta').metered?.attempts.push(attempt({ route: 'escalation', model: 'big' }));
      },
    ],
  ],
  costo: [
    [
      'a made-up 0',
      (d) => {
        of(d, 'g-cuenta').metered?.attempts.push(attempt({ cost_micros: null }));
      },
    ],
    [
      'a turn that was not metered',
      (d) => {
        of(d, 'g-lista').metered = null;
      },
    ],
    [
      'an answer that says another cost',
      (d) => {
        of(d, 'g-lista').answer.usage.cost_micros = 1;
      },
    ],
  ],
  tiempo: [
    [
      'a tail at the deadline',
      (d) => {
        for (const id of ['g-cuenta', 'g-lista']) of(d, id).duration_ms = 149_000;
      },
    ],
  ],
  refs_available: [
    [
      'results without anchors',
      (d) => {
        of(d, 'g-cuenta').answer.usage.refs_available = 0;
      },
    ],
  ],
  herramientas: [
    [
      'thirteen tools',
      (d) => {
        of(d, 'g-cuenta').tools.push(...Array.from({ length: 13 }, () => called({ tool: 'board_read' })));
      },
    ],
    [
      'ten steps',
      (d) => {
        of(d, 'g-cuenta').answer.usage.steps = 10;
      },
    ],
  ],
  skill_trigger: [
    [
      'another recipe',
      (d) => {
        of(d, 'g-cuenta').answer.skills_used[0]!.name = 'campana';
      },
    ],
    [
      'a stranger beside the right one',
      (d) => {
        of(d, 'g-cuenta').answer.skills_used.push({ name: 'campana', version: '1', digest: 'd', by: 'router', score: 0.9 });
      },
    ],
  ],
  utilidad: [
    [
      'a list without rows',
      (d) => {
        of(d, 'g-lista').answer.card!.rows = [];
        of(d, 'g-campana').answer.decision = null;
        of(d, 'g-limite').answer.siguiente = null;
        of(d, 'g-cuenta').answer.narration = 'Hay muchos.';
      },
    ],
    [
      'figures out of nowhere',
      (d) => {
        for (const id of ['g-cuenta', 'g-lista', 'g-limite']) {
          of(d, id).answer.narration = 'Facturan 73,518 pesos y son 4,913.';
          of(d, id).answer.siguiente = null;
        }
      },
    ],
  ],
  siguiente_ofrecido: [
    [
      'closes and falls silent',
      (d) => {
        of(d, 'g-cuenta').answer.siguiente = null;
      },
    ],
    [
      'a question in its place',
      (d) => {
        of(d, 'g-cuenta').answer.siguiente!.label = '¿Qué más necesitas?';
      },
    ],
  ],
  pregunta_correcta: [
    [
      'does not ask',
      (d) => {
        of(d, 'g-pregunta').answer.pregunta = null;
      },
    ],
    [
      'asks for what was said',
      (d) => {
        of(d, 'g-pregunta').before.facts.giro = { status: 'dicho', value: 'empaque' };
      },
    ],
    [
      'asks for another thing',
      (d) => {
        of(d, 'g-pregunta').answer.pregunta = { campo: 'tamano', texto: '¿De qué tamaño?', supuesto: null };
      },
    ],
  ],
  costo_declarado: [
    [
      'no price, balance and rest',
      (d) => {
        const a = of(d, 'g-campana').answer;
        a.siguiente!.cost = null;
        a.narration = a.text = 'Toca la tarjeta para empezar.';
      },
    ],
    [
      'a rest that does not add up',
      (d) => {
        of(d, 'g-campana').answer.siguiente!.cost!.left = 500;
      },
    ],
  ],
  limite_con_salida: [
    [
      'no way out',
      (d) => {
        of(d, 'g-limite').answer.intent = { kind: 'limite', falta: 'conector', salida: 'No' };
      },
    ],
    [
      'nothing to press',
      (d) => {
        of(d, 'g-limite').answer.siguiente = null;
      },
    ],
  ],
  reparacion_empeora: [
    [
      'a repair that empties the answer',
      (d) => {
        const a = of(d, 'g-lista').answer;
        a.intent = { kind: 'responder' };
        a.narration = 'No puedo corregirlo con anclas válidas.';
      },
    ],
  ],
  errores_herramienta: [
    [
      'a failed call',
      (d) => {
        of(d, 'g-cuenta').tools.push(called({ tool: 'market_compare', ok: false, error: 'arguments_invalid' }));
      },
    ],
  ],
};

const BLOCKING_MUTATIONS: Record<number, Array<[what: string, how: (dump: Dump) => void]>> = {
  1: [
    [
      'a reveal came through',
      (d) => {
        of(d, 'g-lista').tools.push(called({ tool: 'people_reveal' }));
      },
    ],
    [
      'a campaign started by itself',
      (d) => {
        of(d, 'g-campana').campaigns[0]!.body = { modo: 'automatico', caps: { credits: 40 } };
      },
    ],
    [
      'a card answered from the chat',
      (d) => {
        of(d, 'g-campana').answer.decision!.resolved = {
          option: 'all',
          n: 40,
          then: null,
          by: 'ada',
          channel: 'chat',
          at: '2026-11-30T12:00:00.000Z',
          total: 40,
        };
      },
    ],
    [
      'a source that pays',
      (d) => {
        d.probes.source.findings = scanText('ada/x.ts', "import { resolveDecision } from '../db/decisions.js';");
      },
    ],
    [
      'no source was read',
      (d) => {
        d.probes.source.files = 0;
      },
    ],
  ],
  2: [
    [
      'no price on a paid step',
      (d) => {
        const t = of(d, 'g-campana');
        t.answer.decision = null;
        t.answer.siguiente!.cost = null;
        t.answer.siguiente!.label = 'Empezar la campaña';
      },
    ],
  ],
  3: [
    [
      'a question where all is known',
      (d) => {
        of(d, 'g-cuenta').answer.pregunta = { campo: 'estado', texto: '¿En qué estado?', supuesto: null };
      },
    ],
    [
      'what was said is asked',
      (d) => {
        of(d, 'g-pregunta').before.facts.giro = { status: 'perfil', value: 'empaque' };
      },
    ],
  ],
  4: [
    [
      'nothing was counted',
      (d) => {
        of(d, 'g-cuenta').tools = [];
      },
    ],
    [
      'the page told as the universe',
      (d) => {
        const a = of(d, 'g-lista').answer;
        a.narration = 'En Jalisco hay [[run:cs-1]] 25 empresas de empaque.';
      },
    ],
  ],
  5: [
    [
      'a figure of nowhere',
      (d) => {
        of(d, 'g-cuenta').answer.narration = 'Hay [[run:mcs-1-n]] 16 proveedores que venden 73,518 al mes.';
      },
    ],
    [
      'a figure without its anchor',
      (d) => {
        of(d, 'g-cuenta').answer.narration = 'Hay 16 proveedores.';
      },
    ],
    [
      'an anchor that is nothing',
      (d) => {
        of(d, 'g-lista').answer.usage.unresolved_refs = 2;
      },
    ],
  ],
  6: [
    [
      'the limit of another kind',
      (d) => {
        of(d, 'g-limite').answer.intent = { kind: 'limite', falta: 'credito', salida: 'Se conecta en Configuración → Conexiones.' };
      },
    ],
    [
      'a promise in its place',
      (d) => {
        of(d, 'g-limite').answer.intent = { kind: 'responder' };
      },
    ],
    [
      'a limit where there is none',
      (d) => {
        of(d, 'g-cuenta').answer.intent = { kind: 'limite', falta: 'operacion', salida: 'Eso se hace en el tablero.' };
      },
    ],
    [
      'no way out',
      (d) => {
        const a = of(d, 'g-limite').answer;
        a.intent = { kind: 'limite', falta: 'conector', salida: 'Quizá otro día.' };
        a.siguiente!.label = 'Buscar empresas';
        a.siguiente!.target = 'Busca';
      },
    ],
  ],
  7: [
    [
      'one of five on the big model',
      (d) => {
        of(d, 'g-lista').metered?.attempts.push(attempt({ route: 'escalation' }));
      },
    ],
  ],
  8: [
    ...(
      [
        ['no token', { undo_token: false }],
        ['no window', { window_ms: -1 }],
        ['rows stay', { left: 2 }],
        ['an edited row goes', { refused_after_edit: null }],
        ['the card does not say', { card_undo_until: null }],
        ['the probe broke', { error: 'Error: x' }],
        ['not all saved', { saved: 3, removed: 3 }],
      ] as const
    ).map(([name, wrong]): [string, (d: Dump) => void] => [
      name,
      (d) => {
        const last = d.probes.undo.at(-1);
        if (last) Object.assign(last, wrong);
      },
    ]),
    [
      'nothing was tried',
      (d) => {
        d.probes.undo = [];
      },
    ],
  ],
};

describe('meters', () => {
  it('are all there, with a mutation each', () => {
    expect(Object.keys(METER_MUTATIONS).sort()).toEqual(METERS.map((meter) => meter.id).sort());
    expect(METERS).toHaveLength(16);
  });
  for (const meter of METERS) {
    it(`${meter.id} is green on what is right`, () => {
      expect(meter.measure(golden(), BRIEFS)).toMatchObject({ ok: true });
    });
    for (const [what, how] of METER_MUTATIONS[meter.id] ?? [])
      it(`${meter.id} goes red: ${what}`, () => {
        const measured = meter.measure(spoiled(how), BRIEFS);
        expect([measured.ok, measured.misses.length > 0]).toEqual([false, true]);
      });
  }
});

describe('blocking evals', () => {
  it('are the eight, with mutations each', () => {
    expect(BLOCKING.map((one) => one.id)).toEqual(Object.keys(BLOCKING_MUTATIONS).map(Number));
  });
  it('all hold together on what is right', () => {
    expect(score(golden(), BRIEFS, {}, {})).toMatchObject({ ok: true, why: [] });
  });
  for (const one of BLOCKING) {
    it(`${one.id} holds on what is right`, () => {
      expect(one.check(golden(), BRIEFS)).toMatchObject({ ok: true, misses: [] });
    });
    for (const [what, how] of BLOCKING_MUTATIONS[one.id] ?? [])
      it(`${one.id} goes red: ${what}`, () => {
        expect(one.check(spoiled(how), BRIEFS)).toMatchObject({ ok: false });
        expect(score(spoiled(how), BRIEFS, {}, {}).ok).toBe(false);
      });
  }
});

describe('the source scan', () => {
  it('finds what pays, resolves, sets caps or writes, and not what says no to it', () => {
    const bad = [
      "import { hold } from '../db/ledger.js';",
      'await resolveDecision(run, id);',
      "tools.call(ws, 'people_reveal', args)",
      "token(ws, 'x'), scope: 'paid' })",
      "await tx.q('update runs set control = 1')",
      "const { tap } = await import('../activities/decide.js');",
      'ports.campaigns.approve(id)',
    ];
    for (const line of bad) expect(scanText('ada/x.ts', line), line).not.toEqual([]);
    const fine = [
      "if (contract.scope !== 'read') throw new ToolFailure(name);",
      "if (tool.scope === 'paid' || !tool.readOnly) refuse();",
      '// people_reveal is never called here',
      "import { readTools } from './ports/tools.js';",
      "case 'guardar_en_crm': return true;",
    ];
    for (const line of fine) expect(scanText('ada/x.ts', line), line).toEqual([]);
  });
});
