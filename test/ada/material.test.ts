import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deterministicModel } from '../../ada/deterministic/index.js';
import type { ChatItem, Model, ModelRequest, ToolRequest } from '../../ada/ports/model.js';
import type { TurnOutput } from '../../contracts/turn.js';
import { Chat, type Said } from './rig.js';

/** Recipes that declare material: what a model is shown before it says its first word, over the real library and the real tools. */

let chat: Chat;
beforeAll(async () => {
  chat = await Chat.start();
});
afterAll(() => chat.stop());
afterEach(() => {
  chat.fresh();
  chat.model = deterministicModel();
});

const DONE: TurnOutput = {
  intent: { kind: 'responder' },
  narration: 'Esto es lo que hay.',
  pregunta: null,
  siguiente: { kind: 'mensaje', label: 'Ver lo abierto', target: '¿Qué licitaciones hay?', cost: null },
};
/** A model that asks for its calls, a step each, and then answers. */
const asking = (...steps: ToolRequest[][]): { model: Model; seen: ModelRequest[] } => {
  const seen: ModelRequest[] = [];
  const model: Model = {
    name: 'lector',
    kind: 'scripted',
    cost: () => 1,
    complete: async (request) => {
      const calls = steps[seen.push(request) - 1];
      const said = { usage: { in: 1, out: 1 }, ttftMs: 1 };
      return calls ? { kind: 'tools', calls, ...said } : { kind: 'answer', text: JSON.stringify(DONE), ...said };
    },
  };
  return { model, seen };
};
const hear = async (message: string, ...steps: ToolRequest[][]): Promise<{ said: Said; seen: ModelRequest[] }> => {
  const { model, seen } = asking(...steps);
  chat.model = model;
  return { said: await chat.say(message), seen };
};
const results = (request: ModelRequest | undefined): Array<Extract<ChatItem, { role: 'tool_result' }>> =>
  (request?.items ?? []).flatMap((item) => (item.role === 'tool_result' ? [item] : []));
/** Calls of the turn with what they asked, as they were told to the person. */
const told = ({ events }: Said): Array<[string, Record<string, unknown>, boolean]> =>
  events.flatMap((event) =>
    event.type === 'tool.finished' && event.tool !== 'router' && event.call > 0
      ? [[event.tool, event.args, event.ok] as [string, Record<string, unknown>, boolean]]
      : [],
  );

describe('a recipe that wants material', () => {
  it('has its search on the table before the model begins: asked for in pairs, with anchors, and told to the person', async () => {
    const { said, seen } = await hear('¿Quién le ha vendido uniformes al IMSS?');
    const [first] = seen;
    expect(results(first).map((one) => one.name)).toEqual(['market_search_awards']);
    expect(first?.items.flatMap((item) => (item.role === 'tool_request' ? item.calls.map((call) => call.id) : []))).toEqual(
      results(first).map((one) => one.id),
    );
    expect(results(first)[0]?.content).toMatch(/"ref":/);
    expect(told(said)).toEqual([['market_search_awards', { buyer: 'IMSS', product: 'uniformes' }, true]]);
    expect(said.answer?.text).toContain('Esto es lo que hay.');
  });

  it('is asked wider while nothing is found, and what was looked for in vain is there to be said', async () => {
    const { said, seen } = await hear('¿Quién le ha vendido uniformes al IMSS en Colima?');
    const asked = told(said).map(([, args]) => args);
    expect(asked).toEqual([
      { buyer: 'IMSS', product: 'uniformes', state: 'Colima' },
      { buyer: 'IMSS', product: 'uniformes' },
    ]);
    expect(results(seen[0])).toHaveLength(2);
  });

  it('leaves the model searches of its own, within the three of a turn', async () => {
    const search = (n: number, product: string): ToolRequest[] => [
      { id: `own_${n}`, name: 'market_search_awards', args: { buyer: 'IMSS', product } },
    ];
    const { said } = await hear('¿Quién le ha vendido uniformes al IMSS?', search(1, 'batas'), search(2, 'calzado'), search(3, 'guantes'));
    expect(told(said).map(([, args, ok]) => [args['product'], ok])).toEqual([
      ['uniformes', true],
      ['batas', true],
      ['calzado', true],
      ['guantes', false],
    ]);
  });

  it.each([
    ['nothing is known that its tools can be asked with', 'quién ganó ese contrato'],
    ['the recipe declares none', '¿Cuántos proveedores de limpieza hay en Jalisco?'],
  ])('is no search where %s', async (_why, message) => {
    const { said, seen } = await hear(message);
    expect(seen.length).toBeGreaterThan(0);
    expect([results(seen[0]), told(said)]).toEqual([[], []]);
  });

  it('that fails is told to the model, which goes on', async () => {
    await chat.kitchen.fault({ kind: 'http_5xx', tool: 'market_search_awards', workspace: 'ws_demo', status: 503 });
    try {
      const { said, seen } = await hear('¿Quién le ha vendido uniformes al IMSS?');
      expect(told(said).every(([, , ok]) => !ok)).toBe(true);
      expect(results(seen[0])[0]?.content).toMatch(/error/);
      expect(said.answer?.text).toContain('Esto es lo que hay.');
    } finally {
      await chat.kitchen.control('DELETE', '/faults');
    }
  });

  it('is left to the model without a key, which searches as its recipe says', async () => {
    const said = await chat.say('¿Quién le ha vendido uniformes al IMSS?');
    expect(told(said)[0]?.[1]).toMatchObject({ buyer: 'IMSS', product: 'uniformes', sort: 'amount' });
  });
});
