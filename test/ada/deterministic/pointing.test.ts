import { describe, expect, it } from 'vitest';
import { Chat } from './chat.js';
import { ask, calls, chose, inEnglish, skills } from './talk.js';

const names = (chat: Chat): string[] => chat.state.board.selection.map((row) => row.id);

describe('what was chosen on the board is meant by it, and is nobody’s name', () => {
  it.each([
    'consígueme contactos de la que marqué',
    '¿quién decide en la que seleccioné?',
    'quién ve compras en la empresa elegida',
    'get me the contact at the company I picked',
  ])('people at it: %s', async (message) => {
    const chat = await chose('limpieza', 'Puebla', 1, /^get/.test(message) ? inEnglish() : new Chat());
    const { answer } = await ask(message, chat);
    expect(calls(chat, 'people_search').map((args) => args['company_id'])).toEqual(names(chat));
    expect(skills(answer)).toEqual(['conseguir-contactos']);
    expect(answer.siguiente?.kind).toBe('decision');
  });
  it.each(['guarda las que palomeé', 'mete al CRM las seleccionadas', 'guarda mi selección', 'save the ones I ticked'])(
    'kept: %s',
    async (message) => {
      const chat = await chose('muebles', 'Jalisco', 3, /^save/.test(message) ? inEnglish() : new Chat());
      await ask(message, chat);
      expect(chat.started).toMatchObject([{ cuentas: 3, hasta: 'cuentas' }]);
    },
  );
  it.each([
    'prepárales un correo a las que escogí',
    'ármales una secuencia a las seleccionadas',
    'no quiero la campaña completa, nomás el correo de arranque para estas cuatro',
  ])('written to, where nobody is known yet: the card that finds their people, %s', async (message) => {
    const chat = await chose('limpieza', 'Puebla', 4);
    const { answer } = await ask(message, chat);
    expect(chat.started).toMatchObject([{ cuentas: 4, desde: 's3', hasta: 'borradores' }]);
    expect(chat.started[0]?.accounts?.map((one) => one.ref)).toEqual(names(chat));
    expect(skills(answer)).toEqual(['armar-secuencia']);
  });
  it.each(['¿qué sabemos de la que marqué?', 'cuéntame de la empresa seleccionada', 'what do we know about the one I picked?'])(
    'worked as an account: %s',
    async (message) => {
      const chat = await chose('acero', 'Nuevo León', 1, /^what/.test(message) ? inEnglish() : new Chat());
      const { answer } = await ask(message, chat);
      expect(skills(answer)).toEqual(['trabajar-una-cuenta']);
      expect(answer.text).toContain(chat.state.board.selection[0]?.name.split(',')[0]);
      expect(answer.siguiente).not.toBeNull();
    },
  );
  it('one account of several that are chosen is asked for, never guessed', async () => {
    const chat = await chose('acero', 'Nuevo León', 4);
    const { answer } = await ask('cuéntame de esta cuenta, qué me conviene hacer', chat);
    expect(answer.pregunta?.campo).toBe('cuenta');
    expect(calls(chat, 'collection_query')).toEqual([]);
  });
  it('what they have won, by their tax ids', async () => {
    const chat = await chose('acero', 'Nuevo León', 3);
    const rfcs = chat.state.board.selection.map((row) => row.rfc);
    const { answer } = await ask('¿y a las marcadas qué les han adjudicado?', chat);
    expect(calls(chat, 'market_get_supplier_history').map((args) => args['rfc'])).toEqual(rfcs);
    expect(skills(answer)).toEqual(['quien-le-ha-vendido']);
  });
});

describe('rows are meant by their place', () => {
  it.each([
    ['guarda la segunda y la cuarta', [1, 3]],
    ['guarda las filas 2, 4 y 5', [1, 3, 4]],
    ['guarda los tres primeros', [0, 1, 2]],
    ['guarda todas menos la primera', [1, 2, 3, 4, 5, 6, 7]],
  ])('%s', async (message, places) => {
    const chat = new Chat();
    await ask('busca proveedores de limpieza en Puebla', chat);
    const list = chat.state.board.list.map((row) => row.id);
    await ask(message, chat);
    expect(chat.started[0]?.accounts?.map((one) => one.ref)).toEqual(places.map((i) => list[i]));
  });
  it.each([
    ['¿qué han ganado la primera y la tercera?', [0, 2]],
    ['¿cuánto le han adjudicado a la segunda?', [1]],
  ])('their contracts: %s', async (message, places) => {
    const chat = new Chat();
    await ask('busca proveedores de limpieza en Puebla', chat);
    const list = chat.state.board.list.map((row) => row.id);
    chat.tools.calls.splice(0);
    const { answer } = await ask(message, chat);
    expect(calls(chat, 'market_get_supplier_history').map((args) => args['supplier_id'])).toEqual(places.map((i) => list[i]));
    expect(answer.text).toMatch(/\$/);
    // Their contracts stand on the card.
    expect(chat.state.board.list.length).toBeGreaterThan(0);
  });
  it.each(['consigue contactos de las dos primeras', 'contactos de esas'])(
    'of the register nobody is known: said, with the source that knows, %s',
    async (message) => {
      const chat = new Chat();
      await ask('busca proveedores de limpieza en Puebla', chat);
      const { answer } = await ask(message, chat);
      expect(calls(chat, 'people_search')).toEqual([]);
      expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
      expect(answer.siguiente).toMatchObject({ kind: 'mensaje', cost: { kind: 'queries', price: 1 } });
      expect(answer.siguiente?.target).toMatch(/limpieza.*Puebla/);
    },
  );
});

describe('the page after a list', () => {
  it.each(['las siguientes 25', 'otras 25', 'dame más', 'muéstrame las que siguen', 'show me the next ones'])(
    'goes on from where it ended: %s',
    async (message) => {
      const chat = new Chat();
      await ask('búscame empresas de empaque en Jalisco', chat);
      const first = new Set(chat.state.board.list.map((row) => row.id));
      const { answer } = await ask(message, chat);
      const [, second] = calls(chat, 'company_search');
      expect(second).toMatchObject({ activity: 'empaque', state: 'Jalisco' });
      expect(second?.['cursor']).toEqual(expect.any(String));
      expect(chat.state.board.list).toHaveLength(25);
      expect(chat.state.board.list.filter((row) => first.has(row.id))).toEqual([]);
      expect(answer.siguiente?.cost).toMatchObject({ kind: 'queries', price: 1 });
    },
  );
  it('of public suppliers too, for nothing', async () => {
    const chat = new Chat();
    await ask('busca proveedores de empaque en Jalisco', chat);
    const first = new Set(chat.state.board.list.map((row) => row.id));
    await ask('los que siguen', chat);
    expect(calls(chat, 'market_search_suppliers')).toHaveLength(2);
    expect(chat.state.board.list.filter((row) => first.has(row.id))).toEqual([]);
    expect(chat.tools.balances.queries).toBe(1_000);
  });
});

describe('a list of tax ids is checked in one go', () => {
  const rfcs = (n: number): string[] => Array.from({ length: n }, (_, i) => `ABC${String(100_101 + i).slice(-6)}A${String(10 + (i % 90))}`);
  it.each([
    [3, 3],
    [50, 50],
    [64, 50],
  ])('%i of them: %i at once, the others are the next step', async (n, checked) => {
    const chat = new Chat();
    const { answer } = await ask(`revisa estos RFC: ${rfcs(n).join(', ')}`, chat);
    expect((calls(chat, 'market_screen')[0]?.['rfcs'] as string[]).length).toBe(checked);
    if (n > checked) {
      expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
      expect(answer.siguiente?.target).toContain(rfcs(n)[checked]);
    } else expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'completo' });
  });
  it('whose verdicts are asked for in other words', async () => {
    const { answer, chat } = await ask('de estos cuáles están sancionados: ABC100101AB1; XYZ100202XY2');
    expect(calls(chat, 'market_screen')).toHaveLength(1);
    expect(skills(answer)).toEqual(['buscar-empresas-y-proveedores']);
  });
});

describe('nearby errands that a router may not know', () => {
  it.each(['deshaz lo que guardé ayer', 'quita lo que guardaste hace rato', 'undo what I saved last week', 'revierte lo guardado'])(
    'undo: where it is done, and until when: %s',
    async (message) => {
      const { answer, chat } = await ask(message, /^undo/.test(message) ? inEnglish() : new Chat());
      expect(skills(answer)).toEqual(['guardar-en-crm']);
      expect(answer.text).toMatch(/diez minutos|ten minutes/);
      expect(chat.started).toEqual([]);
    },
  );
  it.each([
    '¿con qué tono pide el playbook que redactemos los mensajes?',
    '¿cómo quiere el equipo que escribamos los correos?',
    'how does our team want us to write emails?',
    '¿qué estilo de correos usamos según el equipo?',
  ])('how the team writes is what it wrote down: %s', async (message) => {
    const { answer } = await ask(message, /^how/.test(message) ? inEnglish() : new Chat());
    expect(skills(answer)).toEqual(['que-sabe-el-equipo']);
    expect(answer.text).toContain('Tono de los correos');
  });
  it('an objection ends with how to answer it, not with a way of writing', async () => {
    const { answer } = await ask('¿qué dice el equipo de las objeciones de precio?');
    expect(answer.text).toContain('Objeciones de precio');
    expect(answer.text).not.toMatch(/\s,|\.\./);
  });
  it.each([
    '¿quién ganó los contratos de mobiliario escolar?',
    'quién se llevó las adjudicaciones de papelería',
    '¿quiénes han ganado licitaciones de medicamentos?',
    'who won the contracts for school uniforms?',
    '¿cuánto se ha gastado en mobiliario?',
  ])('who won, of no buyer in particular: %s', async (message) => {
    const { answer, chat } = await ask(message, /^who/.test(message) ? inEnglish() : new Chat());
    expect(skills(answer)).toEqual(['quien-le-ha-vendido']);
    const [args] = calls(chat, 'market_search_awards');
    expect(args?.['buyer']).toBeUndefined();
    expect(args?.['product']).toEqual(expect.any(String));
  });
  it.each([
    ['quién le ha vendido uniformes al IMSS', 'IMSS'],
    ['quién le ha vendido uniformes al IMSS-Bienestar', 'IMSS-Bienestar'],
    ['quién le vende uniformes al IMSS Bienestar', 'IMSS-Bienestar'],
  ])('a buyer whose name begins another is itself: %s', async (message, buyer) => {
    const { chat } = await ask(message);
    expect(calls(chat, 'market_search_awards')[0]?.['buyer']).toBe(buyer);
    const rows = chat.state.board.list.filter((row) => row.kind === 'award');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.detail?.startsWith(`${buyer} ·`))).toBe(true);
  });
  it.each([
    'arma una secuencia de cuatro correos para los directores de operaciones',
    'ármame una secuencia',
    'necesito una cadencia para los de compras',
    'I need a sequence for the buyers',
  ])('a sequence for nobody yet asks who it is for, with the way to them: %s', async (message) => {
    const { answer, chat } = await ask(message, /^I /.test(message) ? inEnglish() : new Chat());
    expect(skills(answer)).toEqual(['armar-secuencia']);
    expect(answer.pregunta?.campo).toBe('contactos');
    expect(answer.pregunta?.supuesto).toEqual(expect.any(String));
    // Its button puts the card that gets them.
    const next = await ask(answer.siguiente?.target ?? '', chat);
    expect(next.answer.siguiente?.kind).toBe('decision');
    expect(chat.started).toMatchObject([{ desde: 's3', cuentas: 40 }]);
  });
  it('the recipe’s name, where it was asked which of two, does what was asked before it', async () => {
    const chat = new Chat();
    chat.state.asked = 'tema';
    chat.past.push({
      message: 'cuántos proveedores de limpieza hay en Sonora, o búscame algunos',
      narration: 'Puedo leerlo de más de una forma.',
    });
    const { answer } = await ask('Cuántos hay', chat);
    expect(calls(chat, 'market_count_suppliers')).toMatchObject([{ activity: 'limpieza', state: 'Sonora' }]);
    expect(skills(answer)).toContain('cuantos-hay');
  });
  it.each([
    'enséñame también las refaccionarias de Mazatlán',
    'dame los proveedores de papelería de Tlaxcala',
    '¿cuántos proveedores de alimentos hay en Sonora?',
  ])('another question of the market is no word to the open campaign: %s', async (message) => {
    const chat = new Chat();
    chat.addRun('60 · compras · acero · Puebla', 'running', 20, 60, false);
    const { answer } = await ask(message, chat);
    expect(skills(answer)).not.toContain('campana');
    expect(chat.controls).toEqual([]);
  });
  it.each([
    'siguiente paso con Papelera Wirikal Prima',
    'notas y antecedentes de Papelera Wirikal Prima',
    '¿en qué etapa está Papelera Wirikal Prima?',
    'expediente de Papelera Wirikal Prima',
  ])('where an account stands: %s', async (message) => {
    const { answer } = await ask(message);
    expect(skills(answer)).toEqual(['trabajar-una-cuenta']);
    expect(answer.text).toContain('Papelera Wirikal Prima');
  });
  it('an account that is nowhere is offered by its trade, never by its name', async () => {
    const { answer } = await ask('¿en qué etapa está Empaques Rivera?');
    expect(answer.text).toContain('Empaques Rivera');
    expect(answer.siguiente?.target).not.toContain('Rivera');
  });
});

describe('suppliers by their own name', () => {
  it.each([
    ['¿Cuánto le ha comprado el ISSSTE a Bordados Yermosa?', 'ISSSTE', 'Bordados Yermosa Nacional'],
    ['¿cuánto le ha adjudicado el IMSS-Bienestar a Confecciones Ulmera del Centro?', 'IMSS-Bienestar', 'Confecciones Ulmera del Centro'],
  ])('what one buyer bought of one of them: %s', async (message, buyer, name) => {
    const { answer, chat } = await ask(message);
    const [args] = calls(chat, 'market_aggregate_awards');
    expect(args).toMatchObject({ buyer });
    expect(chat.tools.library.supplierById.get(String(args?.['supplier_id']))?.name).toContain(name);
    expect(answer.text).toMatch(/1 contrato con .* por \$/);
  });
  it('what a buyer bought of a product is no supplier', async () => {
    const { chat } = await ask('¿cuánto ha comprado el IMSS de uniformes?');
    expect(calls(chat, 'market_search_awards')).toMatchObject([{ buyer: 'IMSS', product: 'uniformes' }]);
  });
  it.each(['revisa si Bordados Quiroña está sancionada', '¿Bordados Quiroña está en la lista negra?', 'is Bordados Quiroña sanctioned?'])(
    'checked by name, and nobody of the same trade with it: %s',
    async (message) => {
      const { answer, chat } = await ask(message, /^is/.test(message) ? inEnglish() : new Chat());
      const [args] = calls(chat, 'market_screen');
      expect((args?.['rfcs'] as string[]).map((rfc) => chat.tools.library.supplierByRfc.get(rfc)?.name.split(',')[0])).toEqual([
        'Bordados Quiroña del Sur',
      ]);
      expect(answer.text).toContain('Bordados Quiroña');
    },
  );
  it('one that nobody is called is said to be unknown, not the first that comes up', async () => {
    const { answer, chat } = await ask('revisa si Uniformes Inexistenza está sancionada');
    expect(calls(chat, 'market_screen')).toEqual([]);
    expect(answer.text).toContain('Inexistenza');
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
  });
  it('those that were chosen, by their tax ids', async () => {
    const chat = await chose('acero', 'Nuevo León', 3);
    await ask('¿alguna de las seleccionadas está sancionada?', chat);
    expect(calls(chat, 'market_screen')).toEqual([{ rfcs: chat.state.board.selection.map((row) => row.rfc) }]);
  });
});

describe('who buys, and how many are wanted', () => {
  it.each([
    ['¿Qué dependencias compran más papelería?', 'papelería'],
    ['which agencies buy the most furniture?', 'muebles'],
    ['¿quién compra medicamentos en el sector público?', 'medicamentos'],
  ])('buyers by amount: %s', async (message, product) => {
    const { answer, chat } = await ask(message, /^which/.test(message) ? inEnglish() : new Chat());
    expect(calls(chat, 'market_aggregate_awards').at(-1)).toMatchObject({ product, group_by: 'buyer' });
    expect(answer.siguiente?.target).toMatch(/licitaciones abiertas|open tenders/);
  });
  it.each([
    ['find me 20 food companies in Jalisco and save them', 20, [20]],
    ['dame 8 empresas de empaque de Jalisco y guárdalas', 8, [8]],
  ])('as many as were asked for, and no more are kept: %s', async (message, n, limits) => {
    const { chat } = await ask(message, /^find/.test(message) ? inEnglish() : new Chat());
    expect(calls(chat, 'company_search').map((args) => args['limit'])).toEqual(limits);
    expect(chat.started).toMatchObject([{ cuentas: n }]);
  });
  it('more than one page holds: page after page, within three searches', async () => {
    const { answer, chat } = await ask('búscame 60 empresas de empaque en Jalisco');
    expect(calls(chat, 'company_search').map((args) => args['limit'])).toEqual([25, 25, 10]);
    expect(new Set(chat.state.board.list.map((row) => row.id)).size).toBe(60);
    expect(answer.text).toContain('tres consultas');
  });
});

describe('a button does what it says', () => {
  // Each answer's next step is a message that is sent as it is: it is followed, with its filters, and leads on.
  const STARTS = [
    '¿cuántos proveedores de limpieza hay en Jalisco?',
    'busca proveedores de muebles en Puebla',
    '¿quién le ha vendido papelería a la SEP?',
    '¿qué licitaciones abiertas hay de uniformes?',
    '¿cómo va mi pipeline?',
    'compara acero contra textil en Nuevo León',
    'hola',
    '¿qué dice el playbook de objeciones?',
    'ármame una secuencia',
    'revisa el RFC ABC100101AB1',
    'empresas de empaque en Costa Rica',
    'cambia la etapa de Papelera Wirikal Prima a propuesta',
    'pásame las bases de la licitación de limpieza',
    '¿cuántas notarías hay en Morelos?',
    'qué sé de Rotoplas',
    'contactos de Bimbo',
    'deshaz lo que guardé',
    'agrega al playbook que damos crédito',
    'how many food suppliers are there in Sonora?',
    'who sold furniture to SEP?',
    'find me packaging companies in Jalisco',
    'how is my pipeline doing?',
  ];
  it.each(STARTS)('%s', async (message) => {
    const chat = /^(?:how|who|find)/.test(message) ? inEnglish() : new Chat();
    let { answer } = await ask(message, chat);
    for (let pressed = 0; pressed < 4 && answer.siguiente?.kind === 'mensaje'; pressed++) {
      const { label, target } = answer.siguiente;
      ({ answer } = await ask(target, chat));
      expect(`${label} → ${target} → ${answer.text}`).not.toMatch(
        /no lo puedo resolver|cannot resolve that|de más de una forma|more than one way/,
      );
      expect(answer.skills_used, `${label} → ${target}`).not.toEqual([]);
    }
  });
});
