import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REFUSALS, TurnRefusal } from '../../ada/preflight.js';
import type { TurnsOptions } from '../../api/turns.js';
import { answerLines } from '../../cli/chat/show.js';
import type { Prompter } from '../../cli/prompt.js';
import { Words } from '../../cli/words.js';
import en from '../../contracts/catalog/ada.en.json' with { type: 'json' };
import es from '../../contracts/catalog/ada.es-MX.json' with { type: 'json' };
import { hasText } from '../../contracts/catalog/index.js';
import { SESSION_TOOLS } from '../../contracts/profiles/index.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import { NO_MODEL, type BoardRow, type TurnAnswer, type TurnEvent } from '../../contracts/turn.js';
import { findDecision, decisionView } from '../../db/decisions/decision.js';
import { read } from '../../db/client.js';
import { readProgress } from '../../db/runs.js';
import { proxyTo, seedRun, startApi, token, until, type Proxy, type TestApi } from '../api/support.js';
import { answers, campana, type Running } from './run.js';

type Run = NonNullable<TurnsOptions['run']>;

const rows: BoardRow[] = Array.from({ length: 13 }, (_, i) => ({
  ref: `company:${i + 1}`,
  name: `Empaques ${i + 1}, S.A.`,
  kind: 'company',
  id: String(i + 1),
  detail: i === 0 ? 'Jalisco · grande' : null,
}));
const answerOf = (turn: string, thread: string, text: string, more: Partial<TurnAnswer> = {}): TurnAnswer => ({
  turn_id: turn,
  thread_id: thread,
  intent: { kind: 'responder' },
  text,
  narration: text,
  anchors: [],
  pregunta: null,
  siguiente: null,
  card: null,
  decision: null,
  progress: null,
  stage: 'con_lista',
  skills_used: [],
  skill_omitida: [],
  usage: {
    steps: 1,
    tool_calls: 0,
    searches: 0,
    repairs: 0,
    model_calls: 1,
    tokens_in: 1,
    tokens_out: 1,
    cost_micros: 0,
    ttft_ms: null,
    duration_ms: 1,
    prompt: { characters: 1, saved_characters: 0, saved_tokens: 0 },
    unresolved_refs: 0,
    refs_available: 0,
  },
  attempts: [],
  validation: [],
  model: { name: 'prueba', kind: 'scripted' },
  ...more,
});

let api: TestApi;
let proxy: Proxy;
let state: string;
const gates = new Map<string, () => void>();
const begun: string[] = [];
let card: { run: string; decision: string };

/** Turns whose answer is decided by the message. */
const run: Run = async (ports, speaker, { turnId, message }, emit, { signal }) => {
  begun.push(message);
  const say = (event: TurnEvent): void => emit(event);
  say({
    type: 'turn.accepted',
    turn_id: turnId,
    thread_id: speaker.thread,
    stage: 'sin_criterio',
    model: message.includes('sin modelo') ? NO_MODEL : 'prueba',
  });
  const refuse = async (refusal: TurnRefusal): Promise<void> => {
    await ports.threads.refuse(speaker, turnId, { status: refusal.status, code: refusal.code, params: refusal.params }, 0);
    say({ type: 'turn.refused', turn_id: turnId, status: refusal.status, code: refusal.code, params: refusal.params, cost_micros: 0 });
  };
  if (message === 'sin saldo') return refuse(new TurnRefusal('inference_exhausted'));
  if (message === 'inválida') return refuse(new TurnRefusal('answer_invalid'));
  say({ type: 'tool.started', call: 1, tool: 'market_count_suppliers', label: 'Contando el mercado' });
  say({
    type: 'tool.finished',
    call: 1,
    tool: 'market_count_suppliers',
    label: 'Contando el mercado',
    args: {},
    ok: true,
    summary: '{"ref":"run:1","shown":10,"total":39,"rows":[{"na',
    refs: [],
    ms: 3,
    error: null,
  });
  say({ type: 'narration.delta', text: 'Encontré ' });
  const waits = /^espera (\S+)/.exec(message)?.[1];
  try {
    if (waits)
      await new Promise<void>((resolve, reject) => {
        gates.set(waits, resolve);
        signal.addEventListener('abort', () => reject(new TurnRefusal('interrupted')), { once: true });
      });
  } catch (error) {
    return refuse(error as TurnRefusal);
  }
  const hostile = message === 'hostil';
  const rest = hostile ? 'a\u001b[2J\u202Eb\nc.' : `para ${message}.`;
  say({ type: 'narration.delta', text: rest });
  const more: Partial<TurnAnswer> = hostile
    ? { card: { kind: 'lista', rows: [{ ...rows[0], name: 'Mala\u001b[31m\nrow' } as BoardRow], total: 1, filters: {}, footer: [] } }
    : message === 'tarjeta'
      ? {
          decision: decisionView(await findDecision(read(api.pool), 'ws_a', card.decision), false),
          progress: (await readProgress(api.pool, [{ workspace: 'ws_a', run: card.run }]))[0] ?? null,
        }
      : {
          card: {
            kind: 'lista',
            rows,
            total: 39,
            filters: { op: 'query', giro: 'empaque', from: '2025-01-01' },
            footer: ['De la muestra'],
          },
          pregunta: { campo: 'estado', texto: '¿En qué estado?', supuesto: 'Jalisco' },
          siguiente: {
            kind: 'campana',
            label: 'Revisar y tocar',
            target: 'run_1',
            cost: { kind: 'credits', price: 32, balance: 40, left: 8 },
          },
        };
  const answer = answerOf(turnId, speaker.thread, `Encontré ${rest}`, more);
  await ports.threads.fold(speaker, turnId, {
    state: await ports.threads.state(speaker),
    answer,
    usage: [],
    together: [],
    runs: answer.progress ? [answer.progress.run_id] : [],
  });
  say({ type: 'turn.finished', answer });
};

let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  api = await startApi({ open: { turns: { run } } });
  proxy = await proxyTo(new URL(api.url));
});
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'campana-chat-'));
  env = { CAMPANA_API_URL: api.url, CAMPANA_TOKEN: api.token, NO_COLOR: '1', CAMPANA_STATE_DIR: state, TERM_SESSION_ID: 'one' };
  return () => rm(state, { recursive: true });
});
afterAll(async () => {
  await proxy.cut();
  await api.stop();
});

const chat = (args: string[], options: { lines?: string[]; prompt?: Prompter; stdin?: Readable; env?: NodeJS.ProcessEnv } = {}): Running =>
  campana({ env: { ...env, ...options.env } }, ['chat', ...args], {
    ...(options.prompt ? { prompt: options.prompt } : {}),
    ...(options.stdin ? { stdin: options.stdin } : options.lines ? { stdin: Readable.from(options.lines.map((line) => `${line}\n`)) } : {}),
  });
const threadIn = (text: string): string => /thr_\w+/.exec(text)?.[0] ?? '';

describe('one message', () => {
  it('shows the text and what comes with it on stdout, what was done on stderr', async () => {
    const ran = await chat(['cuántos', 'hay']);
    expect(ran.exit).toBe(0);
    expect(ran.lines[0]).toBe('Encontré para cuántos hay.');
    expect(ran.out).toContain('1   Empaques 1, S.A.   Jalisco · grande');
    expect(ran.lines.filter((line) => line.includes('Empaques'))).toHaveLength(10);
    for (const line of [
      '  y 3 más',
      '  13 de 39',
      '  Filtros: desde 1 ene 2025 · empaque',
      '  De la muestra',
      '¿En qué estado?',
      'Si no dices otra cosa: Jalisco',
      '→ Siguiente: Revisar y tocar · cuesta 32 créditos · saldo 40 créditos · quedan 8 créditos',
    ])
      expect(ran.lines).toContain(line);
    expect(ran.err).toMatch(/Conversación nueva: thr_/);
    expect(ran.err).toContain('✓ Contando el mercado: 10 de 39');
    expect(ran.err).not.toMatch(/modelo conectado/);
  });

  it('goes on with the last conversation of this terminal, or the one that is named', async () => {
    const first = await chat(['uno']);
    const again = await chat(['dos']);
    expect(again.err).toContain(`Sigues en la conversación ${threadIn(first.err)}`);
    const fresh = await chat(['--nuevo', 'tres']);
    expect(threadIn(fresh.err)).not.toBe(threadIn(first.err));
    expect((await chat(['--hilo', threadIn(first.err), 'cuatro'])).err).toContain(`Sigues en la conversación ${threadIn(first.err)}`);
    expect((await chat(['cinco'], { env: { TERM_SESSION_ID: 'two' } })).err).toMatch(/Conversación nueva/);
    expect((await api.call('GET', `/v1/threads/${threadIn(first.err)}`)).body).toMatchObject({
      turns: [{ message: 'uno' }, { message: 'dos' }, { message: 'cuatro' }],
    });
    expect((await stat(join(state, 'chat.json'))).mode & 0o777).toBe(0o600);
    const none = await chat(['--hilo', 'thr_none', 'x']);
    expect([none.exit, none.err]).toEqual([2, expect.stringContaining('thr_none')]);
    // A terminal's own, gone with its database, is replaced and said.
    await rm(join(state, 'chat.json'));
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(state, 'chat.json'), JSON.stringify({ [`${api.url} one`]: 'thr_lost' }));
    expect((await chat(['seis'])).err).toMatch(/thr_lost ya no está aquí[\s\S]*Conversación nueva/);
  });

  it('keeps nothing where there is no place for it, and works', async () => {
    expect((await chat(['hola'], { env: { CAMPANA_STATE_DIR: '/nonexistent/campana' } })).exit).toBe(0);
  });

  it('prints the events as they are with --json, and nothing else', async () => {
    const ran = await chat(['--json', 'hola']);
    const events = ran.lines.map((line) => JSON.parse(line) as TurnEvent);
    expect(events.map((event) => event.type)).toEqual([
      'turn.accepted',
      'tool.started',
      'tool.finished',
      'narration.delta',
      'narration.delta',
      'turn.finished',
    ]);
    expect(ran.err).toBe('');
    const refused = await chat(['--json', 'sin saldo']);
    expect([refused.exit, JSON.parse(refused.lines.at(-1) ?? '')]).toEqual([
      5,
      expect.objectContaining({ type: 'turn.refused', code: 'inference_exhausted', status: 402 }),
    ]);
  });

  it('says why there is no answer, with an exit code of its own', async () => {
    const broke = await chat(['sin saldo']);
    expect([broke.exit, broke.out]).toEqual([5, '']);
    expect(broke.err).toContain('Se acabó el uso de modelo de tu plan.');
    expect((await chat(['inválida'])).exit).toBe(8);
    expect((await chat(['x'], { env: { CAMPANA_TOKEN: await token({ roles: [] }) } })).exit).toBe(2);
    expect((await chat(['x', '--espera', '1s'], { env: { CAMPANA_API_URL: 'http://127.0.0.1:9' } })).exit).toBe(7);
  });

  it('lets no text move the cursor or break out of its row', async () => {
    const ran = await chat(['hostil']);
    expect(ran.out).not.toMatch(/[\u001b\u202E]/); // eslint-disable-line no-control-regex
    expect(ran.lines.slice(0, 2)).toEqual(['Encontré a [2J b', 'c.']);
    expect(ran.out).toContain('Mala [31m row');
  });
});

describe('lines from a pipe', () => {
  it('are messages, one after the other, and commands', async () => {
    begun.length = 0;
    const ran = await chat([], { lines: ['uno sin modelo', '', '/tarjeta', 'dos sin modelo', '/nuevo', 'tres', '/salir', 'nunca'] });
    expect(ran.exit).toBe(0);
    expect(begun).toEqual(['uno sin modelo', 'dos sin modelo', 'tres']);
    expect(ran.err.match(/No hay un modelo conectado/g)).toHaveLength(1);
    expect(ran.err).toContain('tú › uno sin modelo');
    expect(ran.err).toContain('Esta conversación no tiene campañas todavía.');
    expect(ran.err.match(/Conversación nueva/g)).toHaveLength(2);
    expect(ran.err).toMatch(/campana chat --hilo thr_/);
  });
  it('go on after one without an answer, and the exit code tells', async () => {
    const ran = await chat([], { lines: ['sin saldo', 'sigue'] });
    expect([ran.exit, ran.out]).toEqual([5, expect.stringContaining('Encontré para sigue.')]);
  });
});

describe('a turn', () => {
  it('is heard to its end when the line is cut in the middle', async () => {
    const ran = chat(['espera corte'], { env: { CAMPANA_API_URL: `http://127.0.0.1:${proxy.port}` } });
    await until(() => gates.has('corte'));
    await proxy.cut();
    await until(() => ran.so.err.includes('Se perdió la conexión'));
    gates.get('corte')?.();
    await proxy.heal();
    const { exit, lines, err } = await ran;
    expect(exit).toBe(0);
    expect(lines[0]).toBe('Encontré para espera corte.');
    expect(err).toContain('Se perdió la conexión');
    expect(begun.filter((message) => message === 'espera corte')).toHaveLength(1);
  });

  it('is stopped by Ctrl-C, and the command goes on with the next line', async () => {
    const ran = chat([], { lines: ['espera alto', 'después'] });
    await until(() => gates.has('alto'));
    process.emit('SIGINT');
    const { exit, out, err } = await ran;
    expect(err).toContain('Interrumpiendo el turno');
    expect(err).toContain('Este turno se interrumpió antes de terminar.');
    expect([exit, out]).toEqual([130, expect.stringContaining('Encontré para después.')]);
  });

  it('is left by a second Ctrl-C', async () => {
    const ran = chat(['espera dejar']);
    await until(() => gates.has('dejar'));
    process.emit('SIGINT');
    process.emit('SIGINT');
    expect((await ran).exit).toBe(130);
  });
});

describe('a card', () => {
  it('is shown with the commands that answer it where nobody sits', async () => {
    card = await seedRun(api);
    const ran = await chat(['tarjeta']);
    expect(ran.exit).toBe(0);
    expect(ran.out).toContain('Lista para empezar');
    expect(ran.err).toContain(`npx campana decisiones aprobar ${card.decision} --confirmo-total 10 --plan-version 1`);
    expect(ran.err).toContain('escribir «sí» no aprueba nada');
    // Text approves nothing, whatever it says.
    await chat([], { lines: ['sí, dale', '/tarjeta', 'apruébala'] });
    expect((await api.call('GET', `/v1/decisions/${card.decision}`)).body).toMatchObject({ state: 'open' });
  });

  it('is tapped where a person sits, with its amount typed', async () => {
    card = await seedRun(api);
    const later = answers('later');
    expect((await chat(['tarjeta'], { prompt: later })).exit).toBe(0);
    expect((await api.call('GET', `/v1/decisions/${card.decision}`)).body).toMatchObject({ state: 'open' });
    const tap = answers('all', '10');
    const ran = await chat(['/tarjeta'], { prompt: tap });
    expect(tap.asked[0]).toContain('a lo más 10 créditos');
    expect([ran.exit, tap.left]).toEqual([0, 0]);
    expect((await api.call('GET', `/v1/decisions/${card.decision}`)).body).toMatchObject({
      state: 'approved',
      resolved: { channel: 'cli' },
    });
  });
});

describe('a conversation in a terminal', () => {
  it('takes lines, tells of campaigns that move, remembers what was typed, and ends', async () => {
    card = await seedRun(api);
    const keys = new PassThrough();
    const ran = chat([], { prompt: answers('later'), stdin: keys });
    keys.write('tarjeta\r');
    const thread = await until(() => threadIn(ran.so.err) || false);
    await until(async () => ((await api.call('GET', `/v1/threads/${thread}`)).body as unknown as { runs: string[] }).runs.length > 0);
    // How it stood when the terminal began to listen is no news: it moves until one of its moves is.
    let paused = false;
    await until(async () => {
      paused = !paused;
      await api.call('POST', `/v1/runs/${card?.run}/${paused ? 'pause' : 'resume'}`, { body: {} });
      return ran.so.err.includes('En pausa');
    });
    keys.write('otra cosa\r');
    await until(() => ran.so.out.includes('Encontré para otra cosa.'));
    keys.write('\u0003');
    const { exit, out, err } = await ran;
    expect(exit).toBe(0);
    expect(out).toContain('Encontré para otra cosa.');
    expect(err).toMatch(/En pausa/);
    expect(err).toMatch(/campana chat --hilo thr_/);
    expect(await readFile(join(state, 'chat-history'), 'utf8')).toBe('tarjeta\notra cosa\n');
  });
});

describe('with the real turn and no model', () => {
  it('answers, and says once that no model is connected', async () => {
    const real = await startApi();
    try {
      const ran = await chat([], { lines: ['hola', 'gracias'], env: { CAMPANA_API_URL: real.url } });
      expect(ran.exit).toBe(0);
      expect(ran.err.match(/No hay un modelo conectado/g)).toHaveLength(1);
      expect(ran.lines.length).toBeGreaterThan(1);
    } finally {
      await real.stop();
    }
  });
});

describe('the texts', () => {
  it('name every tool and every refusal, in both languages, with the same parameters', () => {
    const wanted = [...CATALOGUE.map((tool) => tool.name), ...SESSION_TOOLS, 'router']
      .map((name) => `ada.tool.${name}`)
      .concat(
        Object.keys(REFUSALS).map((code) => `ada.refused.${code}`),
        'ada.refused.internal_error',
      );
    expect(wanted.filter((code) => !hasText(code))).toEqual([]);
    const mine = Object.keys(es).filter((code) => /^(cli\.chat|cli\.help|ada\.tool|ada\.refused)\./.test(code));
    const names = (message: string, language: string): string[] =>
      [
        ...new Set(
          [
            ...JSON.stringify(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst()).matchAll(
              /"type":[1-6],"value":"(\w+)"/g,
            ),
          ].map((m) => m[1] ?? ''),
        ),
      ].sort();
    for (const code of mine)
      expect([code, names(en[code as keyof typeof en] ?? '', 'en')]).toEqual([code, names(es[code as keyof typeof es], 'es-MX')]);
  });
  it('are all said by something', () => {
    const source = ['commands/chat.ts', 'chat/show.ts', 'chat/moves.ts', 'chat/lines.ts']
      .map((file) => readFileSync(new URL(`../../cli/${file}`, import.meta.url), 'utf8'))
      .join('\n');
    expect(
      Object.keys(es).filter(
        (code) => code.startsWith('cli.chat.') && !code.startsWith('cli.chat.filter.') && !source.includes(`'${code}'`),
      ),
    ).toEqual([]);
  });
  it('fit a narrow terminal and have English', () => {
    const answer = answerOf('t', 'h', 'x', {
      card: { kind: 'lista', rows, total: 39, filters: {}, footer: [] },
      siguiente: { kind: 'enlace', label: 'Open', target: '/decisiones/dec_1', cost: { kind: 'queries', price: 1, balance: 2, left: 1 } },
    });
    const lines = answerLines(answer, new Words('en'), 60);
    expect(lines).toContain('  and 3 more');
    expect(lines.slice(-2)).toEqual(['→ Next: Open (/decisiones/dec_1) · costs 1 query · balance 2', '  queries · left 1 query']);
  });
});
