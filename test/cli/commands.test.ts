import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Balances, DecisionPage, ItemPage, ReplanImpact } from '../../contracts/api.js';
import { Decision } from '../../contracts/decision.js';
import { Progress } from '../../contracts/progress.js';
import { Receipt } from '../../contracts/receipt.js';
import { identify } from '../../stack/identity.js';
import { ROOT } from '../../stack/paths.js';
import type { StackRecord } from '../../stack/record.js';
import { NOBODY } from '../support/listen.js';
import { until } from '../support/until.js';
import { askDecision } from '../../cli/ask.js';
import { makeContext } from '../../cli/context-make.js';
import { EXIT } from '../../cli/exit.js';
import { FakeApi } from './fake-api.js';
import { AT, paso } from './fixtures.js';
import { answers, campana } from './run.js';

const CREATE = ['crear', '--cuentas', '50', '--giro', 'empaque', '--estado', 'Jalisco', '--cargo', 'compras'];
/** The command as a process of its own. */
const spawned = (args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; err: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'cli/bin.mjs'), ...args], {
      env: { PATH: process.env['PATH'], CAMPANA_STATE_DIR: '/nonexistent/campana', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, err }));
  });
let api: FakeApi;
beforeEach(async () => {
  api = await new FakeApi().start();
});
afterEach(() => api.stop());

describe('crear', () => {
  it('in automatic mode prints one receipt and nothing else on stdout, having said the maximum before', async () => {
    const { exit, lines, err } = await campana(api, [...CREATE, '--modo', 'automatico', '--json']);
    expect(exit).toBe(EXIT.ok);
    expect(lines).toHaveLength(1);
    expect(Receipt.parse(JSON.parse(lines[0] ?? '')).state).toBe('completed');
    expect(err).toMatch(/Cuesta a lo más: 50 créditos · 53 consultas/);
    expect(err.indexOf('Cuesta a lo más')).toBeLessThan(err.indexOf('creada'));
    expect(api.created).toMatchObject([
      { modo: 'automatico', caps: { credits: 50, queries: 53, inference_micros: 500_000 }, hasta: 'borradores' },
    ]);
  });

  it('sends no cap in manual mode, and the given one with the rest at the plan’s maximum when there is one', async () => {
    await campana(api, [...CREATE, '--json']);
    expect(api.created[0]?.caps).toBeUndefined();
    await campana(api, [...CREATE, '--tope', '32', '--json', '--no-esperar']);
    expect(api.created[1]?.caps).toEqual({ credits: 32, queries: 53, inference_micros: 320_000 });
  });

  it('without a terminal ends with 3 at the first card and prints the command that answers it', async () => {
    const { exit, err, lines } = await campana(api, CREATE.concat('--json'));
    expect(exit).toBe(EXIT.waiting);
    expect(err).toContain('campana decisiones aprobar dec_1 --confirmo-total 50 --plan-version 3');
    expect(lines.map((l) => Progress.parse(JSON.parse(l)).state)).toEqual(['ready']);
  });

  it('ends with 5 and the offer when the start card is short of balance', async () => {
    api.balanceCredits = 32;
    const { exit, err } = await campana(api, CREATE);
    expect(exit).toBe(EXIT.balance);
    expect(err).toContain('Alcanza para 32 de 50');
    expect(err).toContain('campana decisiones aprobar dec_1 --confirmo-total 32 --plan-version 3');
  });

  it('with --no-esperar ends after the 202', async () => {
    const { exit, out } = await campana(api, [...CREATE, '--no-esperar']);
    expect([exit, out]).toEqual([EXIT.ok, 'run_01\n']);
  });

  it('in a terminal asks for every tap; what costs only with its amount typed', async () => {
    const prompt = answers('all', '50', 'approve', 'all', '31', 'all', '32');
    const { exit, err } = await campana(api, CREATE, { prompt });
    expect(exit).toBe(EXIT.ok);
    expect(prompt.left).toBe(0);
    expect(api.taps.map((t) => [t.option, t.shown_total])).toEqual([
      ['all', 50],
      ['approve', 0],
      ['all', 32],
    ]);
    expect(prompt.asked[0]).toContain('[Empezar con 50 · a lo más 50 créditos]');
    expect(prompt.asked.at(-1)).toContain('Escribe 32 para confirmarlo');
    expect(err).toContain('No es la cantidad del botón. No se gastó nada.');
  });

  it('shows a card that moved again and never sends what was not on the screen', async () => {
    const given = answers('all', '50', 'approve', 'all', '32', 'fit_n', '20');
    // While the third card is on the screen, the balance falls.
    const prompt: typeof given = {
      ...given,
      typed: (question) => {
        if (api.taps.length === 2) api.balanceCredits = 20;
        return given.typed(question);
      },
    };
    const { exit, err } = await campana(api, CREATE, { prompt });
    expect(exit).toBe(EXIT.ok);
    expect(err).toContain('Tu saldo cambió de 32 a 20 créditos. No se gastó nada');
    expect(api.taps.at(-1)).toMatchObject({ option: 'fit_n', shown_total: 20 });
  });

  it('ends with 4 for a run with gaps, 8 for a failed and 9 for a canceled one', async () => {
    for (const [state, code] of [
      ['completed_partial', 4],
      ['failed', 8],
      ['canceled', 9],
    ] as const) {
      api.endState = state;
      const { exit, out } = await campana(api, [...CREATE, '--modo', 'automatico']);
      expect(exit).toBe(code);
      expect(out).toContain('11 · El proveedor no conoce a nadie en esa cuenta → Cambia el cargo que buscas');
    }
  });

  it('takes the accounts from a CSV as a person saves it', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'campana-cli-')), 'cuentas.csv');
    await writeFile(file, '\uFEFFNombre;RFC;Sitio\r\n"Cajas ""La Única"", SA";cun010101ab1;https://www.launica.example/x\r\nOtra;;\r\n');
    const { exit } = await campana(api, ['crear', '--cuentas-archivo', file, '--giro', 'empaque', '--cargo', 'compras', '--no-esperar']);
    expect(exit).toBe(EXIT.ok);
    expect(api.created[0]).toMatchObject({
      desde: 's3',
      cuentas: 2,
      accounts: [
        { ref: 'CUN010101AB1', name: 'Cajas "La Única", SA', rfc: 'CUN010101AB1', domain: 'launica.example' },
        { ref: 'Otra', name: 'Otra' },
      ],
    });
  });
});

describe('keys and retries', () => {
  it('a lost reply is asked for again with the same key: one run, one tap', async () => {
    api.loseReplies = 2;
    const { exit } = await campana(api, [...CREATE, '--no-esperar']);
    expect(exit).toBe(EXIT.ok);
    expect(api.created).toHaveLength(1);
    const d = api.open('revelar_contactos');
    api.loseReplies = 1;
    const tapped = await campana(api, ['decisiones', 'aprobar', d.id, '--confirmo-total', '32', '--plan-version', '3', '--json']);
    expect(Decision.parse(JSON.parse(tapped.out)).state).toBe('approved');
    expect(api.taps).toHaveLength(1);
    expect(api.keys.at(-1)).toBe(api.keys.at(-2));
  });

  it('waits as told when the API is busy, and gives up with 7 when its patience ends', async () => {
    api.busy = 3;
    expect((await campana(api, ['saldo'])).exit).toBe(EXIT.ok);
    api.busy = 1000;
    const { exit, err } = await campana(api, ['saldo', '--espera', '200ms']);
    expect(exit).toBe(EXIT.unavailable);
    expect(err).toContain('no contesta');
  });

  it('a token that is refused is a usage error that says where tokens come from', async () => {
    const { exit, err } = await campana({ env: { ...api.env, CAMPANA_TOKEN: 'other' } }, ['saldo']);
    expect(exit).toBe(EXIT.usage);
    expect(err).toContain('no acepta tu token');
  });

  it('sends no token over http to another machine', async () => {
    const { exit, err } = await campana(api, ['saldo', '--api', 'http://example.com']);
    expect(exit).toBe(EXIT.usage);
    expect(err).toContain('Usa https');
  });
});

describe('seguir', () => {
  it('prints each version once, as the API’s body with --json, across a restart of the API', async () => {
    api.move({ state: 'running' });
    const run = campana(api, ['seguir', 'run_01', '--json']);
    await until(() => run.so.out !== '');
    api.move({ pasos: [paso('s3', 'running', { conteo: { done: 40, total: 50, unit: 'account' } })] });
    await until(() => run.so.out.includes('"done":40'));
    await api.restart();
    api.move({ state: 'completed' });
    const { exit, lines, err } = await run;
    expect(exit).toBe(EXIT.ok);
    const versions = lines.map((l) => Progress.parse(JSON.parse(l)).version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(api.progress);
    expect(err).toContain('sin conexión desde');
  });

  it('on a terminal repaints the card in place and gives the cursor back', async () => {
    api.move({ state: 'running' });
    const run = campana(api, ['seguir', 'run_01'], { tty: true });
    await until(() => run.so.out !== '');
    api.move({ state: 'completed' });
    const { out } = await run;
    expect(out).toContain('\u001b[?25l');
    expect(out.lastIndexOf('\u001b[?25h')).toBeGreaterThan(out.lastIndexOf('\u001b[?25l'));

    expect(out).toMatch(/\[\d+A\r/);
    expect(out).not.toContain('\u001b[2J');
  });

  it('ends with 124 when the wait is over; the run goes on', async () => {
    api.move({ state: 'running' });
    const { exit, err } = await campana(api, ['seguir', 'run_01', '--espera', '1s']);
    expect(exit).toBe(EXIT.timeUp);
    expect(err).toContain('campana seguir run_01');
    expect(api.controls).toEqual([]);
  });
});

describe('money', () => {
  it('--si never spends', async () => {
    const d = api.open('revelar_contactos');
    const { exit, err } = await campana(api, ['decisiones', 'aprobar', d.id, '--si']);
    expect(exit).toBe(EXIT.usage);
    expect(err).toContain('--confirmo-total 32 --plan-version 3');
    expect(api.taps).toEqual([]);
  });

  it('takes neither flag alone, and neither a total nor a plan version that is not the card’s', async () => {
    const d = api.open('revelar_contactos');
    const approve = (...flags: string[]) => campana(api, ['decisiones', 'aprobar', d.id, ...flags]).then((r) => r.exit);
    expect(await approve('--confirmo-total', '32')).toBe(EXIT.usage);
    expect(await approve('--plan-version', '3')).toBe(EXIT.usage);
    expect(await approve('--confirmo-total', '31', '--plan-version', '3')).toBe(EXIT.conflict);
    expect(await approve('--confirmo-total', '32', '--plan-version', '2')).toBe(EXIT.conflict);
    expect(api.taps).toEqual([]);
    expect(await approve('--confirmo-total', '32', '--plan-version', '3')).toBe(EXIT.ok);
    expect(api.taps).toHaveLength(1);
  });

  it('a free one needs a yes, or --si', async () => {
    const d = api.open('guardar_en_crm');
    expect((await campana(api, ['decisiones', 'aprobar'])).exit).toBe(EXIT.usage);
    expect((await campana(api, ['decisiones', 'aprobar'], { prompt: answers(false) })).exit).toBe(EXIT.waiting);
    expect(api.taps).toEqual([]);
    expect((await campana(api, ['decisiones', 'aprobar', d.id, '--si'])).exit).toBe(EXIT.ok);
  });

  it('a choice costs what was chosen, and that is what is confirmed', async () => {
    const d = api.open('revelar_contactos');
    const { exit } = await campana(api, ['decisiones', 'aprobar', d.id, '--n', '10', '--confirmo-total', '10', '--plan-version', '3']);
    expect(exit).toBe(EXIT.ok);
    expect(api.taps[0]).toMatchObject({ option: 'choose', shown_total: 10, items: Array.from({ length: 10 }, (_, i) => `per_${i + 1}`) });
  });

  it('in a terminal a choice is asked for with its own number and price', async () => {
    const d = api.open('revelar_contactos');
    const prompt = answers('choose', '2-4', '3');
    const ctx = makeContext(
      { stdout: process.stdout, stderr: process.stderr, env: api.env, interactive: true },
      { idioma: 'es-MX' },
      new AbortController().signal,
      prompt,
    );
    expect(await askDecision({ ...ctx, tell: () => undefined }, d)).toBe('done');
    expect(prompt.asked.at(-1)).toBe('Revelar 3 · 3 créditos. Escribe 3 para confirmarlo');
    expect(api.taps).toMatchObject([{ option: 'choose', shown_total: 3, items: ['per_2', 'per_3', 'per_4'] }]);
  });

  it('a sequence is not approved here', async () => {
    const d = api.open('revisar_secuencia');
    const { exit, err } = await campana(api, ['decisiones', 'aprobar', d.id, '--si']);
    expect([exit, api.taps]).toEqual([EXIT.usage, []]);
    expect(err).toContain('tablero');
  });

  it('expired, replaced and already answered ones end with 6', async () => {
    for (const state of ['expired', 'superseded', 'approved'] as const) {
      const d = api.open('revelar_contactos', { state });
      expect((await campana(api, ['decisiones', 'aprobar', d.id, '--confirmo-total', '32', '--plan-version', '3'])).exit).toBe(
        EXIT.conflict,
      );
    }
  });

  it('a balance that moved spends nothing and shows the new card with its command', async () => {
    const d = api.open('revelar_contactos');
    api.balanceCredits = 20;
    const { exit, err } = await campana(api, ['decisiones', 'aprobar', d.id, '--confirmo-total', '32', '--plan-version', '3', '--json']);
    expect(exit).toBe(EXIT.conflict);
    expect(err).toContain('--confirmo-total 20 --plan-version 3');
    expect(err).toContain('"code":"balance_changed"');
    expect(api.taps).toEqual([]);
  });
});

describe('the rest', () => {
  it('prints the API’s bodies with --json', async () => {
    api.open('revelar_contactos');
    api.items = [
      {
        item_id: 'i1',
        position: 1,
        state: 'not_found',
        reason: { code: 'no_role_match', params: {} },
        company: { ref: 'c1', name: '=HYPERLINK("x")' },
        choice: null,
        contact: null,
        exit: 'exit.change_role',
      },
    ];
    const json = async (...args: string[]): Promise<unknown> => JSON.parse((await campana(api, [...args, '--json'])).out);
    expect(Balances.parse(await json('saldo')).credits.available).toBe(50);
    expect(DecisionPage.parse(await json('decisiones')).decisions).toHaveLength(1);
    expect(ItemPage.parse(await json('faltantes')).items).toHaveLength(1);
    expect(Progress.parse(await json('ver')).run_id).toBe('run_01');
    expect(ReplanImpact.parse(await json('cambiar', '--cuentas', '40', '--si')).plan_version).toBe(4);
    expect((await campana(api, ['faltantes', '--csv'])).lines[1]).toBe('1,"\'=HYPERLINK(""x"")",not_found,no_role_match,exit.change_role');
    expect((await campana(api, ['faltantes'])).out).toContain('Hay personas, pero ninguna con ese cargo');
  });

  it('says the impact of a change first and changes nothing without a yes', async () => {
    api.open('revelar_contactos');
    const asked = await campana(api, ['cambiar', 'run_01', '--cuentas', '40']);
    expect(asked.exit).toBe(EXIT.usage);
    expect(asked.err).toContain('Quedan fuera 5 cuentas; se liberan 0 créditos y 5 consultas.');
    expect((await campana(api, ['cambiar', 'run_01', '--cuentas', '60', '--si'])).exit).toBe(EXIT.usage);
  });

  it('English names do the same', async () => {
    api.move({ state: 'running' });
    for (const args of [
      ['pause', 'run_01'],
      ['resume', 'run_01'],
      ['cancel', 'run_01', '--si'],
    ])
      expect((await campana(api, [...args, '--idioma', 'en'])).exit).toBe(EXIT.ok);
    expect(api.controls).toEqual(['pause', 'resume', 'cancel']);
    expect((await campana(api, ['balance', '--idioma', 'en'])).out).toContain('Credits: available 50 credits');
  });

  it('operators see runs, unknown outcomes and broken invariants', async () => {
    api.move({ state: 'running' });
    expect((await campana(api, ['ops', 'por-confirmar'])).out).toContain('eff_1');
    expect((await campana(api, ['ops', 'sin-avance'])).out).toContain('campana/ws_demo/run_01');
    expect((await campana(api, ['ops', 'invariantes'])).exit).toBe(EXIT.failed);
    expect((await campana(api, ['ops', 'resolver', 'run_01', '--motivo', 'lo leí en el tablero'])).exit).toBe(EXIT.usage);
    expect(
      (await campana(api, ['ops', 'resolver', 'run_01', '--motivo', 'lo leí', '--efecto', 'eff_1', '--resultado', 'hecho'])).exit,
    ).toBe(EXIT.ok);
  });

  it('doctor says what is wrong and what to do', async () => {
    const fine = await campana(api, ['doctor', '--json']);
    expect(fine.exit).toBe(EXIT.ok);
    api.healthy = false;
    const { exit, out } = await campana(api, ['doctor']);
    expect(exit).toBe(EXIT.problems);
    expect(out).toMatch(/✗ Temporal y trabajador +no worker\n {2}→ .*worker\.log/);
    const elsewhere = await campana({ env: { ...api.env, CAMPANA_STATE_DIR: '/somewhere/else' } }, ['doctor']);
    expect(elsewhere.out).toContain('/somewhere/else/logs/temporal.log');
  });

  it('a stack that was killed is named at once, with what it left and the command that mends it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'campana-cli-'));
    const dead = { pid: 2 ** 22 + 1, startedAt: '1' };
    const alive = identify(process.pid);
    const record: StackRecord = {
      format: 1,
      startedAt: AT,
      supervisor: dead,
      sample: 'demo',
      urls: { api: 'http://127.0.0.1:1', tools: 'http://127.0.0.1:1/mcp', temporal: '127.0.0.1:1' },
      healthUrl: 'http://127.0.0.1:1/healthz',
      parts: { api: dead, temporal: alive },
      tokenFile: '',
      logs: join(folder, 'logs'),
      versions: {},
    };
    await writeFile(join(folder, 'stack.json'), JSON.stringify(record));
    const env = { CAMPANA_STATE_DIR: folder };
    for (const words of [['pagina'], ['ver'], ['chat', 'hola']]) {
      const { exit, err } = await campana({ env }, words);
      expect(exit).toBe(EXIT.unavailable);
      expect(err).toContain(`ya no existe (quedó corriendo temporal (${process.pid}))`);
      expect(err).toContain('npm run dev');
    }
    const { exit, out } = await campana({ env }, ['doctor']);
    expect(exit).toBe(EXIT.problems);
    expect(out).toMatch(/✗ Campana +Campana se apagó sin despedirse.*\n {2}→ `npm run dev`/);
    // With its API still there it is used, and only the doctor minds.
    await writeFile(
      join(folder, 'stack.json'),
      JSON.stringify({ ...record, urls: { ...record.urls, api: api.env['CAMPANA_API_URL'] ?? '' }, parts: { api: alive } }),
    );
    expect((await campana({ env: { ...api.env, CAMPANA_API_URL: '', CAMPANA_STATE_DIR: folder } }, ['saldo'])).exit).toBe(EXIT.ok);
  });

  it('an API that does not answer is waited for, not silently', async () => {
    const { exit, err } = await campana({ env: { ...api.env, CAMPANA_API_URL: NOBODY } }, ['saldo', '--espera', '2s']);
    expect(exit).toBe(EXIT.unavailable);
    expect(err).toMatch(/no contesta \(ECONNREFUSED\); sigo intentando\..*\n.*La API no contesta/);
  });

  it('help says of an id that it may be left out only where it may', async () => {
    for (const words of [['pausar'], ['cancelar'], ['decisiones', 'aprobar']])
      expect((await campana(api, [...words, '--help'])).out, words.join(' ')).toContain('; sin él');
    const required = [
      ...['pausar', 'reanudar', 'cancelar', 'reintentar', 'resolver', 'reparar'].map((name) => ['ops', name]),
      ['decisiones', 'reabrir'],
      ['decisiones', 'deshacer'],
    ];
    for (const words of required) expect((await campana(api, [...words, '--help'])).out, words.join(' ')).not.toContain('sin él');
  });

  it('a number that could be read in two ways is not guessed at', async () => {
    for (const [flag, value] of [
      ['--cuentas', '1.000'],
      ['--cuentas', '1,5'],
      ['--cuentas', '1e3'],
      ['--tope', '0x10'],
      ['--tope', ''],
      ['--tope', '-1'],
    ] as const) {
      expect((await campana(api, ['crear', '--giro', 'empaque', '--cargo', 'compras', '--cuentas', '5', flag, value])).exit).toBe(
        EXIT.usage,
      );
    }
    expect(api.created).toHaveLength(0);
    expect(
      (await campana(api, ['crear', '--giro', 'empaque', '--cargo', 'compras', '--cuentas', '1,000', '--no-esperar', '--json'])).exit,
    ).not.toBe(EXIT.usage);
  });

  it('usage errors are said in the person’s language and end with 2', async () => {
    expect(await campana(api, ['crear', '--giro', 'x'])).toMatchObject({ exit: 2, out: '' });
    expect((await campana(api, ['crear', '--giro', 'x', '--cargo', 'y', '--modo', 'z'])).err).toContain('«z» no sirve');
    expect((await campana(api, ['nada', '--idioma', 'en'])).err).toContain('Unknown command');
    expect((await campana(api, ['--help'])).out).toContain('Órdenes:');
  });

  it('as a process: says how to start when nothing runs; ends at once when it has said that it waits', async () => {
    const none = await spawned(['saldo'], {});
    expect([none.code, none.err]).toEqual([EXIT.unavailable, expect.stringContaining('npm run dev')]);
    const waiting = await spawned(CREATE, api.env);
    expect(waiting.code).toBe(EXIT.waiting);
  });

  it('a decision is shown whole by `decisiones ver`', async () => {
    const d = api.open('revelar_contactos', { created_at: AT });
    const { out } = await campana(api, ['decisiones', 'ver', d.id]);
    expect(out).toContain('Empresa 32');
  });

  it('a card that stands alone says which campaign it is of', async () => {
    api.move({ objetivo: 'Empaque en Jalisco' });
    const d = api.open('revelar_contactos', { created_at: AT });
    for (const words of [['decisiones'], ['decisiones', 'ver', d.id]])
      expect((await campana(api, words)).out).toContain(`De la campaña «Empaque en Jalisco» · ${d.run_id}`);
    api.open('guardar_en_crm', { created_at: AT });
    expect((await campana(api, ['decisiones', 'aprobar'])).err).toMatch(/dec_\d+ · .+ · Empaque en Jalisco/);
  });

  it('times are said in the workspace’s zone, wherever the terminal stands', async () => {
    const said = async (zone: string): Promise<string> => {
      api.zone = zone;
      return (await campana(api, ['decisiones'])).out;
    };
    api.open('revelar_contactos', { created_at: AT, expires_at: '2026-12-24T18:30:00.000Z' });
    expect(await said('America/Mexico_City')).toContain('12:30');
    expect(await said('America/Tijuana')).toContain('10:30');
    // Also of a card within a campaign's.
    api.move({ state: 'waiting_decision', decisions: ['dec_1'] });
    for (const words of [['ver'], ['decisiones', 'ver', 'dec_1']])
      expect((await campana(api, words)).out, words.join(' ')).toContain('10:30');
  });

  it('what is missing of a campaign that is not over is so far only', async () => {
    api.move({ state: 'running' });
    expect((await campana(api, ['faltantes'])).out).toMatch(/^Hasta ahora no falta nada\. v\d+ /);
    api.move({ state: 'completed' });
    expect((await campana(api, ['faltantes'])).out).toBe('No falta nada.\n');
  });
});
