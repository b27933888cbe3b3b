import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { characters } from '../../ada/library/disclose/escape.js';
import { deterministicModel } from '../../ada/deterministic/index.js';
import { ModelFailure, type Model, type ModelRequest, type ToolRequest } from '../../ada/ports/model.js';
import type { TurnEvent, TurnOutput } from '../../contracts/turn.js';
import { runTurn } from '../../ada/turn.js';
import { Chat, type Said } from './rig.js';

let chat: Chat;
beforeAll(async () => {
  chat = await Chat.start();
});
afterAll(() => chat.stop());
beforeEach(() => {
  chat.fresh();
});
afterEach(() => {
  chat.model = deterministicModel();
  chat.balances = { credits: 32, queries: 1_000, inference: 5_000_000 };
});

const tools = ({ events }: Said): string[] =>
  events.flatMap((event) => (event.type === 'tool.finished' && event.tool !== 'router' ? [event.tool] : []));
const said = async (message: string): Promise<Said & { answer: NonNullable<Said['answer']> }> => {
  const result = await chat.say(message);
  if (!result.answer) throw new Error(`refused: ${JSON.stringify(result.refused)}`);
  return { ...result, answer: result.answer };
};

describe('a turn without a key', () => {
  it('says who has sold, with anchored amounts', async () => {
    const { answer } = await said('¿Quién le ha vendido uniformes al IMSS en los últimos dos años?');
    expect(answer.intent.kind).toBe('cierre');
    expect(answer.anchors.length).toBeGreaterThan(0);
    expect(answer.card).toMatchObject({ kind: 'lista' });
    expect(answer.usage.unresolved_refs).toBe(0);
    expect(answer.skills_used.map((one) => [one.name, one.by])).toEqual([['quien-le-ha-vendido', 'router']]);
  });

  it('analyses the CRM: it is there, by stage, and one thing is recommended', async () => {
    const result = await said('Dame un análisis de mi CRM');
    expect(tools(result).every((name) => name === 'collection_query')).toBe(true);
    expect(result.answer.text).toContain('40');
    expect(result.answer.text).not.toMatch(/no existe|no hay CRM/i);
    expect(result.answer.siguiente).not.toBeNull();
  });

  it('counts, and shows with the same filters when asked to', async () => {
    const count = await said('¿Cuántos proveedores de limpieza hay en Jalisco?');
    expect(count.answer.card?.kind).toBe('conteo');
    const counted = chat.state.board.runs.at(-1)?.args ?? {};
    const shown = await said('Muéstramelos');
    const listed = chat.state.board.runs.at(-1)?.args ?? {};
    for (const key of ['activity', 'state', 'text', 'size'].filter((one) => one in counted)) expect(listed[key], key).toBe(counted[key]);
    expect(shown.answer.card?.rows.length).toBeGreaterThan(0);
    expect(shown.answer.card?.filters).toMatchObject({ state: 'Jalisco' });
  });

  it('starts a campaign that waits for its card, with price, balance and what is left, and steers it later; a typed yes spends nothing', async () => {
    const start = await said('quiero llegar a 50 personas de compras de empresas de empaque en Jalisco');
    expect(chat.started).toHaveLength(1);
    expect(chat.started[0]).toMatchObject({ modo: 'manual', cuentas: 50 });
    expect(start.answer.decision?.kind).toBe('ajustar_presupuesto');
    expect(start.answer.siguiente?.cost).toMatchObject({ kind: 'credits', price: 32, balance: 32, left: 0 });
    expect(chat.state.stage).toBe('decision_pendiente');
    await said('sí, dale');
    expect([chat.started.length, chat.decisions.map((one) => one.state)]).toEqual([1, ['open']]);
    await said('mejor solo 30');
    await said('pausa');
    expect(chat.controls).toEqual(['replan run_1 30', 'pause run_1']);
    expect(chat.state.board.plan?.run_id).toBe('run_1');
  });

  it('a yes after a pause resumes nothing, and is answered with where the campaign stands; a word for it does', async () => {
    await said('quiero llegar a 50 personas de compras de empresas de empaque en Jalisco');
    chat.decisions = [];
    await said('pausa');
    for (const yes of ['sí, dale', 'dale', 'ok, va', 'sí, adelante por favor', 'go ahead']) {
      const { answer } = await said(yes);
      expect(chat.controls, yes).toEqual(['pause run_1']);
      if (yes !== 'ok, va') expect(answer.text, yes).toContain('está en pausa');
    }
    await said('reanuda la campaña');
    expect(chat.controls).toEqual(['pause run_1', 'resume run_1']);
  });

  it.each([
    'mándales un correo a los de compras',
    'arma una secuencia para estos contactos',
    '/armar-secuencia',
    'haz una cadencia de correos',
  ])('names the connection that is missing and where it is made: %s', async (message) => {
    chat.integrations = new Set<string>();
    const result = await said(message);
    expect(result.answer.intent).toMatchObject({ kind: 'limite', falta: 'conector' });
    expect(result.answer.text).toMatch(/buzón/);
    expect(result.answer.text).toMatch(/Configuración → Conexiones/);
    expect(result.answer.siguiente).toMatchObject({ kind: 'enlace', target: '/configuracion/conexiones' });
    expect(tools(result).filter((name) => name !== 'skill_open')).toEqual([]);
    expect(result.answer.validation.at(-1)?.tags).toEqual([]);
  });

  it('knows its plan as the campaign stands now, whoever changed it since', async () => {
    await said('quiero llegar a 50 personas de compras de empresas de empaque en Jalisco');
    const [run] = chat.runs;
    if (!run) throw new Error('no campaign');
    run.objetivo = '30 cuentas de empaque';
    await said('hola');
    expect(chat.state.board.plan?.objetivo).toBe('30 cuentas de empaque');
    chat.runs = [];
    await said('hola');
    expect(chat.state.board.plan).toBeNull();
  });

  it('keeps a list with one card, free, that waits for its tap', async () => {
    await said('búscame empresas de empaque en Jalisco');
    const { answer } = await said('guárdalas en el CRM');
    expect(chat.started).toEqual([
      expect.objectContaining({ desde: 's2', hasta: 'cuentas', modo: 'manual', objetivo: 'Guardar 25 empresas en el CRM' }),
    ]);
    expect(answer.decision?.kind).toBe('guardar_en_crm');
    expect(answer.siguiente).toMatchObject({ kind: 'decision', target: 'dec_run_1', cost: { price: 0 } });
    expect(chat.state.board.pending).toEqual([{ decision_id: 'dec_run_1', kind: 'guardar_en_crm', run_id: 'run_1' }]);
  });

  it('has events in their order, and narrates only what was checked', async () => {
    const { events } = await said('búscame empresas de empaque en Jalisco');
    const order = (type: TurnEvent['type']): number =>
      ['turn.accepted', 'tool.started', 'tool.finished', 'narration.delta', 'decision.proposed', 'turn.finished'].indexOf(type);
    const kinds = events.map((event) => event.type);
    expect(kinds[0]).toBe('turn.accepted');
    expect(kinds.at(-1)).toBe('turn.finished');
    const late = kinds.map(order).filter((place) => place >= 3);
    expect(late).toEqual([...late].sort((a, b) => a - b));
    const finished = events.at(-1);
    expect(events.flatMap((event) => (event.type === 'narration.delta' ? [event.text] : [])).join('')).toBe(
      finished?.type === 'turn.finished' ? finished.answer.text : '',
    );
  });

  it("tells of every call in words for people, in the reader's language, and of what the card covers", async () => {
    for (const message of [
      'búscame empresas de empaque en Jalisco',
      '¿quién le ha vendido uniformes al IMSS?',
      'cómo va mi pipeline',
      'cuántos proveedores de limpieza hay en Jalisco',
      'quiero llegar a 20 personas de compras de empresas de alimentos',
    ]) {
      const result = await chat.fresh().say(message);
      const summaries = result.events.flatMap((event) => (event.type === 'tool.finished' ? [event.summary] : []));
      expect(
        summaries.some((one) => one !== ''),
        message,
      ).toBe(true);
      for (const summary of summaries) expect(summary, message).not.toMatch(/[{}[\]_"]|\b(?:run|record|decision):|\d\.\d{3}|quien-le/);
      for (const footer of result.answer?.card?.footer ?? [])
        expect(footer, message).not.toMatch(/\b(?:of|the|sample|every|Public|Private)\b/);
    }
    const english = await chat.fresh().say('find packaging companies in Jalisco', { language: 'en' });
    expect(english.answer?.card?.footer.join()).toMatch(/companies/i);
  });

  it('closes every recipe with one next step as an object, and nothing it says breaks a rule', async () => {
    for (const message of [
      'cuántas empresas de plástico hay',
      'proveedores de papelería en Puebla',
      'quién le vende medicamentos al ISSSTE',
      'licitaciones de mobiliario',
      'cómo va mi pipeline',
      'qué dice el playbook de precios',
      'quiero llegar a 20 personas de calidad de empresas de alimentos en Puebla',
    ]) {
      const { answer } = await chat.fresh().say(message);
      expect(answer?.validation.at(-1)?.tags, message).toEqual([]);
      expect(answer?.siguiente, message).not.toBeNull();
    }
  });
});

/** A model that does what it is told, whatever the rules say. */
const scripted = (steps: Array<ToolRequest[] | Partial<TurnOutput> | string | ModelFailure>, seen: ModelRequest[] = []): Model => {
  let n = 0;
  return {
    name: 'careless',
    kind: 'scripted',
    cost: ({ in: i, out }) => i + out,
    complete: async (request) => {
      seen.push(request);
      const step = steps[Math.min(n++, steps.length - 1)];
      if (step instanceof ModelFailure) throw step;
      const usage = { in: 100, out: 10 };
      if (Array.isArray(step)) return { kind: 'tools', calls: step, usage, ttftMs: 5 };
      const base: TurnOutput = {
        intent: { kind: 'responder' },
        narration: 'Listo.',
        pregunta: null,
        siguiente: { kind: 'mensaje', label: 'Seguir', target: 'sigue', cost: null },
      };
      return { kind: 'answer', text: typeof step === 'string' ? step : JSON.stringify({ ...base, ...step }), usage, ttftMs: 5 };
    },
  };
};

describe('a careless model', () => {
  it('is told of a connection that is missing; whatever it answers, the limit is said', async () => {
    chat.integrations = new Set<string>();
    const seen: ModelRequest[] = [];
    chat.model = scripted([{ narration: 'Ahorita no te puedo ayudar con eso.' }], seen);
    const { answer } = await said('mándales un correo a los de compras');
    expect(seen[0]?.items.map((item) => ('content' in item ? item.content : '')).join('\n')).toContain(
      'Falta una conexión: tu buzón de correo.',
    );
    expect(answer.validation.map((one) => one.tags)).toEqual([['limite'], ['limite']]);
    expect(answer).toMatchObject({
      intent: { kind: 'limite', falta: 'conector' },
      siguiente: { kind: 'enlace', target: '/configuracion/conexiones' },
    });
    expect(answer.text).toBe(
      'Para eso falta conectar tu buzón de correo. Se conecta en Configuración → Conexiones; después pídemelo otra vez.',
    );
    // One that says it in its own words is kept as it is.
    chat.model = scripted([
      {
        intent: { kind: 'limite', falta: 'conector', salida: 'Conéctalo en Configuración → Conexiones.' },
        narration: 'Sin buzón conectado no guardo borradores.',
      },
    ]);
    expect((await said('mándales un correo a los de compras')).answer.text).toBe('Sin buzón conectado no guardo borradores.');
    // What has nothing to do with it is answered as ever.
    chat.model = scripted([{ narration: 'Aquí estoy.' }]);
    expect((await said('hola')).answer.text).toBe('Aquí estoy.');
  });

  const SEARCH: ToolRequest[] = [
    { id: '1', name: 'skill_open', args: { name: 'buscar-empresas-y-proveedores' } },
    { id: '2', name: 'company_search', args: { activity: 'empaque', state: 'Jalisco', limit: 25 } },
  ];
  const held = async (message: string, ...steps: Parameters<typeof scripted>[0]): Promise<NonNullable<Said['answer']>> => {
    chat.model = scripted(steps);
    const { answer } = await said(message);
    expect(answer.validation).toHaveLength(2);
    return answer;
  };

  it('that asks for the same list again when told "dame más" gets its next page, then the one after; other filters are a new list', async () => {
    const search = (args: object): ToolRequest[] => [
      { id: '1', name: 'skill_open', args: { name: 'buscar-empresas-y-proveedores' } },
      { id: '2', name: 'market_search_suppliers', args: { state: 'Jalisco', limit: 10, ...args } },
    ];
    const rows = async (message: string, args: object): Promise<string[]> => {
      chat.model = scripted([search(args), { narration: 'Aquí van.' }]);
      return (await said(message)).answer.card?.rows.map((row) => row.id) ?? [];
    };
    const first = await rows('proveedores de Jalisco', {});
    const second = await rows('dame más', {});
    const third = await rows('los siguientes 10', { state: 'jalisco' });
    expect(new Set([...first, ...second, ...third]).size).toBe(30);
    const { runs } = chat.state.board;
    expect(runs.map((run) => run.seen)).toEqual([10, 20, 30]);
    expect(runs[1]?.args['cursor']).toBe(runs[0]?.next_cursor);
    expect(await rows('y más de Puebla', { state: 'Puebla' })).not.toEqual(third);
    expect(chat.state.board.runs.at(-1)).toMatchObject({ seen: 10, args: { state: 'Puebla' } });
    // Asked for anew, it begins anew.
    expect(await rows('proveedores de Jalisco', {})).toEqual(first);
  });

  it('proposes contacts of the companies that people, records and companies belong to, each once, and of nobody else', async () => {
    const opened: ToolRequest[] = [
      { id: '1', name: 'skill_open', args: { name: 'conseguir-contactos' } },
      { id: '2', name: 'company_search', args: { activity: 'empaque', state: 'Jalisco', limit: 2 } },
    ];
    const find: ToolRequest[] = [
      { id: '1', name: 'people_search', args: { company_id: 'emp-000231', role: 'compras', limit: 2 } },
      { id: '2', name: 'collection_query', args: { op: 'query', collection: 'pipeline', limit: 1 } },
    ];
    const person = await (
      await chat.kitchen.connect()
    ).get<{ people: Array<{ ref: string }> }>('people_search', { company_id: 'emp-000231', role: 'compras', limit: 1 });
    const record = await (
      await chat.kitchen.connect()
    ).get<{ rows: Array<{ ref: string; company_id: string; name: string }> }>('collection_query', {
      op: 'query',
      collection: 'pipeline',
      limit: 1,
    });
    const [who, row] = [person.people[0], record.rows[0]];
    if (!who || !row) throw new Error('the sample changed');
    chat.model = scripted([
      opened,
      find,
      [{ id: '1', name: 'proponer_decision', args: { kind: 'revelar_contactos', refs: [who.ref, row.ref] } }],
      { narration: 'Te dejé la tarjeta.' },
    ]);
    const { answer } = await said('consígueme los contactos de compras');
    for (const key of Object.keys(answer.card?.filters ?? {})) expect(key).not.toMatch(/(?:^|_)ids?$|^op$/);
    expect(chat.started).toEqual([
      expect.objectContaining({ desde: 's3', hasta: 'contactos', cuentas: 2, objetivo: 'Contactos de compras en 2 cuentas' }),
    ]);
    expect(chat.started[0]?.accounts?.map((one) => one.ref)).toEqual(['emp-000231', row.company_id]);
    expect(chat.started[0]?.accounts?.[1]?.name).toBe(row.name);
    // Suppliers of public bodies are known under another id: nobody can be looked for there.
    chat.fresh();
    chat.model = scripted([
      [
        { id: '1', name: 'skill_open', args: { name: 'buscar-empresas-y-proveedores' } },
        { id: '2', name: 'market_search_suppliers', args: { state: 'Jalisco', limit: 2 } },
      ],
      [{ id: '1', name: 'proponer_decision', args: { kind: 'revelar_contactos' } }],
      { narration: 'No hay empresas elegidas.' },
    ]);
    const none = await said('consígueme los contactos de esos');
    expect(
      none.events.flatMap((event) => (event.type === 'tool.finished' && event.tool === 'proponer_decision' ? [event.error] : [])),
    ).toEqual(['selection_empty']);
  });

  it('that takes its time is said to be at it, and nothing of its answer is shown before it was checked', async () => {
    const events: TurnEvent[] = [];
    let told: () => void = () => undefined;
    const heard = (): Promise<void> =>
      new Promise((resolve) => {
        told = resolve;
      });
    const quick = scripted([{ narration: 'Hay 4,812 proveedores.' }, { narration: 'No lo conté todavía.' }]);
    chat.model = {
      ...quick,
      complete: async (request) => {
        await heard();
        return quick.complete(request);
      },
    };
    await runTurn(
      chat.ports(),
      { workspace: 'ws_demo', user: 'ana', thread: 'thr_1', profile: null, language: 'es-MX' },
      { turnId: 'turn_slow', message: 'hola' },
      (event) => {
        events.push(event);
        if (event.type === 'tool.started') told();
      },
      { signal: new AbortController().signal, silenceMs: 1 },
    );
    const kinds = events.map((event) =>
      event.type === 'tool.started' || event.type === 'tool.finished' ? `${event.type} ${event.call} ${event.label}` : event.type,
    );
    expect(kinds).toEqual([
      'turn.accepted',
      'tool.started 0 Pensando la respuesta',
      'tool.finished 0 Pensando la respuesta',
      'tool.started 0 Revisando lo que voy a decir',
      'tool.finished 0 Revisando lo que voy a decir',
      'narration.delta',
      'turn.finished',
    ]);
    expect(JSON.stringify(events.slice(0, -1))).not.toContain('4,812');
  });

  it('that leaves its next step out twice is not refused: code knows one', async () => {
    const answer = await held('búscame empresas de empaque en Jalisco', SEARCH, {
      narration: 'Te dejo la lista de empaque en Jalisco.',
      siguiente: null,
    });
    expect(answer.text).toBe('Te dejo la lista de empaque en Jalisco.');
    expect(answer.siguiente).toMatchObject({ kind: 'mensaje', cost: null });
    expect(answer.card?.rows.length).toBeGreaterThan(0);
    const start: ToolRequest[] = [
      {
        id: '1',
        name: 'campana_start',
        args: { criteria: { giro: 'empaque', cargo: 'compras' }, cuentas: 50, hasta: 'contactos', desde: 's1' },
      },
    ];
    const card = await held('quiero llegar a 50 personas de compras de empresas de empaque', start, {
      narration: 'Te dejé la campaña lista para empezar.',
      siguiente: null,
    });
    expect(card.siguiente).toMatchObject({
      kind: 'decision',
      target: 'dec_run_1',
      cost: { kind: 'credits', price: 32, balance: 32, left: 0 },
    });
  });

  it('that gets price, balance and rest wrong twice is put right by the books', async () => {
    const skill = { kind: 'skill' as const, label: 'Buscar a compras', target: 'conseguir-contactos', cost: null };
    const queries = await held('búscame empresas de empaque en Jalisco', SEARCH, { narration: 'Te dejo la lista.', siguiente: skill });
    // One of the thousand went with the search of this very turn.
    expect(queries.siguiente).toEqual({ ...skill, cost: { kind: 'queries', price: 1, balance: 999, left: 998 } });
    const wrong = await held('búscame empresas de empaque en Jalisco', SEARCH, {
      narration: 'Te dejo la lista.',
      siguiente: { ...skill, cost: { kind: 'queries', price: 1, balance: 1_000, left: 4 } },
    });
    expect(wrong.siguiente?.cost).toEqual({ kind: 'queries', price: 1, balance: 999, left: 998 });
    // Nobody has asked for the price of a reveal: the step is to see it.
    const unknown = await held('búscame empresas de empaque en Jalisco', SEARCH, {
      narration: 'Te dejo la lista.',
      siguiente: { kind: 'mensaje', label: 'Revelar a la de compras', target: 'revélala', cost: null },
    });
    expect(unknown.siguiente).toMatchObject({ kind: 'mensaje', label: 'Ver cuánto costaría', cost: null });
  });

  it('that tells a price alone gets the line with balance and rest', async () => {
    const quote: ToolRequest[] = [{ id: '1', name: 'skill_open', args: { name: 'conseguir-contactos' } }];
    const found = await (
      await chat.kitchen.connect()
    ).get<{ people: Array<{ person_id: string }> }>('people_search', { company_id: 'emp-000231', role: 'compras', limit: 1 });
    const [person] = found.people;
    if (!person) throw new Error('nobody there');
    const answer = await held(
      'cuánto cuesta revelar al de compras',
      [...quote, { id: '2', name: 'people_quote', args: { person_ids: [person.person_id] } }],
      { narration: 'Ya tengo a la persona indicada. Revelarla cuesta lo de siempre en créditos.' },
    );
    expect(answer.text).toMatch(/Cuesta \d+ créditos?: tienes 32 y te quedarían \d+\.$/);
  });

  it('whose every sentence is wrong leaves what was found, and claims nothing', async () => {
    const answer = await held('búscame empresas de empaque en Jalisco', SEARCH, {
      narration: 'Hay 4,812 empresas. Además, 77 son nuevas.',
    });
    expect(answer).toMatchObject({ intent: { kind: 'cierre', variante: 'parcial' }, usage: { unresolved_refs: 0 } });
    expect(answer.text).toBe('Lo que encontré está en la tarjeta. Lo demás que iba a decirte no lo pude comprobar, así que no lo digo.');
    expect(answer.card?.rows.length).toBeGreaterThan(0);
    // Nothing was found, nothing is shown: that stays a refusal.
    chat.model = scripted([{ narration: 'Hay 4,812 empresas. Además, 77 son nuevas.' }]);
    expect((await chat.say('hola')).refused?.code).toBe('answer_invalid');
  });

  it('that breaks off after its work leaves what it found and what it started; one that did nothing is refused', async () => {
    const start: ToolRequest[] = [
      {
        id: '1',
        name: 'campana_start',
        args: { criteria: { giro: 'empaque', cargo: 'compras' }, cuentas: 50, hasta: 'contactos', desde: 's1' },
      },
    ];
    chat.model = scripted([start, new ModelFailure('cut', { in: 50, out: 5 })]);
    const started = await said('quiero llegar a 50 personas de compras de empresas de empaque');
    expect(started.answer).toMatchObject({
      decision: { id: 'dec_run_1' },
      siguiente: { kind: 'decision', target: 'dec_run_1', cost: { price: 32 } },
    });
    expect(started.answer.text).toMatch(/^Esto espera tu toque; nada se gasta hasta entonces\. Me quedé a medias/);
    expect(chat.state.board.pending).toEqual([expect.objectContaining({ decision_id: 'dec_run_1' })]);
    chat.fresh();
    chat.model = scripted([SEARCH, new ModelFailure('unreachable', null)]);
    const found = await said('búscame empresas de empaque en Jalisco');
    expect(found.answer.card?.rows.length).toBeGreaterThan(0);
    expect(found.answer.card?.filters).toEqual({ activity: 'empaque', state: 'Jalisco' });
    chat.model = scripted([new ModelFailure('unreachable', null)]);
    expect((await chat.say('hola')).refused?.code).toBe('model_unavailable');
  });

  it('whose repair never comes is shown as far as its first attempt stands', async () => {
    chat.model = scripted([
      SEARCH,
      { narration: 'Te dejo la lista de empaque en Jalisco. Hay 4,812 empresas.' },
      new ModelFailure('cut', { in: 50, out: 5 }),
    ]);
    const { answer } = await said('búscame empresas de empaque en Jalisco');
    expect(answer.text).toBe('Te dejo la lista de empaque en Jalisco.');
    expect(answer.usage.repairs).toBe(0);
  });

  it.each(['Además. Hay 4,812 empresas.', 'En total: 4,812.', 'Bueno, claro. Son 77 nuevas.'])(
    'of which only a scrap is left is not shown as an answer: %s',
    async (narration) => {
      const answer = await held('búscame empresas de empaque en Jalisco', SEARCH, { narration });
      expect(answer.text).toMatch(/^Lo que encontré está en la tarjeta\./);
    },
  );

  it('that takes a yes for a control is refused, and the campaign as it stands is on the table', async () => {
    await said('quiero llegar a 50 personas de compras de empresas de empaque en Jalisco');
    chat.decisions = [];
    await said('pausa');
    for (const action of ['resume', 'cancel'] as const) {
      chat.model = scripted([
        [{ id: '1', name: 'campana_control', args: { action, run_id: 'run_1' } }],
        { narration: 'La campaña sigue en pausa.' },
      ]);
      const result = await said('sí, dale');
      expect(result.events.flatMap((event) => (event.type === 'tool.finished' && event.tool !== 'router' ? [event.error] : []))).toEqual([
        'control_not_named',
      ]);
      expect(result.answer.progress).toMatchObject({ run_id: 'run_1', state: 'paused' });
    }
    expect(chat.controls).toEqual(['pause run_1']);
  });

  it('cannot call what no open recipe brings, nor anything paid, and learns why', async () => {
    const seen: ModelRequest[] = [];
    chat.model = scripted(
      [
        [
          { id: '1', name: 'people_reveal', args: { person_id: 'p' } },
          { id: '2', name: 'market_search_awards', args: {} },
          { id: '3', name: 'rm -rf', args: {} },
        ],
        { narration: 'No pude hacerlo desde aquí.' },
      ],
      seen,
    );
    const result = await said('hola');
    expect(
      result.events.flatMap((event) => (event.type === 'tool.finished' && event.tool !== 'router' ? [[event.tool, event.error]] : [])),
    ).toEqual([
      ['people_reveal', 'solo_con_toque'],
      ['market_search_awards', 'fuera_de_cinturon'],
      ['rm -rf', 'fuera_de_cinturon'],
    ]);
    expect(await chat.kitchen.log('ws_demo', 'people_reveal')).toMatchObject({ calls: [], charges: [] });
  });

  it('that loops is stopped within its steps and tools, and refused with what it cost', async () => {
    const seen: ModelRequest[] = [];
    chat.model = scripted(
      [
        [
          { id: '1', name: 'board_read', args: {} },
          { id: '2', name: 'board_read', args: {} },
        ],
      ],
      seen,
    );
    const { refused } = await chat.say('hola');
    expect(refused).toMatchObject({ status: 422, code: 'answer_invalid', cost_micros: 110 * seen.length });
    expect(seen.length).toBeLessThanOrEqual(9);
    expect(chat.metered.at(-1)?.micros).toBe(110 * seen.length);
  });

  it('is told once what is wrong; the better of two answers stands', async () => {
    const seen: ModelRequest[] = [];
    chat.model = scripted([{ narration: 'Hay 4,812 proveedores.' }, { narration: 'No lo conté todavía.' }], seen);
    const { answer } = await said('hola');
    expect(answer.validation.map((one) => one.tags.includes('cifra'))).toEqual([true, false]);
    expect(answer.text).not.toContain('4,812');
    expect(seen).toHaveLength(2);
  });

  it('that talks prose, or breaks off, ends in a typed refusal after bounded calls', async () => {
    const seen: ModelRequest[] = [];
    chat.model = scripted(['Claro que sí, con gusto.'], seen);
    expect((await chat.say('hola')).refused?.code).toBe('answer_invalid');
    expect(seen).toHaveLength(2);
    const cut: ModelRequest[] = [];
    chat.model = scripted([new ModelFailure('cut', { in: 50, out: 5 })], cut);
    expect((await chat.say('hola')).refused).toMatchObject({ code: 'model_unavailable', status: 503, cost_micros: 110 });
    expect(cut).toHaveLength(2);
    const quota: ModelRequest[] = [];
    chat.model = scripted([new ModelFailure('quota', { in: 0, out: 0 })], quota);
    expect((await chat.say('hola')).refused?.code).toBe('model_quota');
    expect(quota).toHaveLength(1);
  });

  it('sees the same first bytes in every turn, the same tools, and never more than 15,000 characters', async () => {
    const seen: ModelRequest[] = [];
    chat.model = scripted([{ narration: 'Dime más.' }], seen);
    for (const message of ['hola', 'cuántas empresas de empaque hay', 'quiero llegar a 50 personas de compras', '/prospeccion empaque'])
      await chat.say(message);
    expect(new Set(seen.map((request) => request.prefix)).size).toBe(1);
    expect(new Set(seen.map((request) => JSON.stringify(request.tools))).size).toBe(1);
    for (const request of seen)
      expect(
        characters(request.prefix) + request.items.reduce((sum, item) => sum + (item.role === 'system' ? characters(item.content) : 0), 0),
      ).toBeLessThanOrEqual(15_000);
  });
});
