import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deterministicModel } from '../../ada/deterministic/index.js';
import { BUDGET } from '../../ada/library/disclose/budget.js';
import { characters, escapeText } from '../../ada/library/disclose/escape.js';
import { MANUAL } from '../../ada/manual.js';
import type { Model, ModelRequest } from '../../ada/ports/model.js';
import { SKILLS } from '../../contracts/states.js';
import { platform, setUp } from '../../evals/turns/arms.js';
import { readBriefs } from '../../evals/turns/brief.js';
import type { TurnRecord } from '../../evals/turns/dump.js';
import { runBrief } from '../../evals/turns/rig.js';
import { openWorld } from '../../evals/turns/world.js';
import type { TestKitchen } from '../kitchen/harness.js';
import { adminUrl } from '../support/database.js';
import { answer, calls, scriptedModel, type Recorded, type ScriptedModel } from '../support/scripted-model.js';
import { openTalk, startTools, type Talk } from './turns-rig.js';

/** What a prompt may take, what of it never changes in a conversation, and what is said of what was saved. */

const TOTAL = 15_000;
/** Manual, index, thread, state and open recipes of a request: everything that is told to the model but what was said and read in this turn. */
const promptOf = (prefix: string, items: ReadonlyArray<{ role: string; content?: string }>): string[] => {
  const repair = items.findIndex((item) => item.role === 'assistant');
  const system = items.flatMap((item, i) =>
    item.role === 'system' && (repair < 0 || i < repair || item.content?.startsWith('<loaded_skills>')) ? [item.content ?? ''] : [],
  );
  return [prefix, ...system];
};
const sizeOf = (parts: readonly string[]): number => characters(parts.join('\n\n'));

describe('every brief without a key', () => {
  interface Seen {
    brief: string;
    turn: number;
    prefix: string;
    tools: string;
    size: number;
  }
  const seen: Seen[] = [];
  const turns: Array<{ brief: string; record: TurnRecord; last: number; open: string[] }> = [];
  beforeAll(async () => {
    const [world, setup] = await Promise.all([openWorld(adminUrl()), setUp('con_receta', await platform())]);
    try {
      for (const brief of readBriefs()) {
        const plain = deterministicModel();
        const requests: ModelRequest[] = [];
        const model: Model = {
          name: plain.name,
          kind: plain.kind,
          cost: (usage) => plain.cost(usage),
          complete: (request) => {
            requests.push(request);
            return plain.complete(request);
          },
        };
        const run = await runBrief(brief, { world, model, arm: 'con_receta', setup, k: 0, signal: new AbortController().signal });
        const messages = brief.messages.map((message) => message);
        for (const [i, record] of run.turns.entries()) {
          const mine = requests.filter((request) =>
            request.items.some((item) => item.role === 'user' && (item.content === messages[i] || messages[i]?.includes(item.content))),
          );
          const sizes = mine.map((request) => sizeOf(promptOf(request.prefix, request.items as Array<{ role: string; content?: string }>)));
          for (const [n, request] of mine.entries())
            seen.push({ brief: brief.id, turn: i, prefix: request.prefix, tools: JSON.stringify(request.tools), size: sizes[n] ?? 0 });
          turns.push({ brief: brief.id, record, last: sizes.at(-1) ?? 0, open: mine.at(-1)?.view.open.map((skill) => skill.name) ?? [] });
        }
      }
    } finally {
      await world.close();
    }
  });

  it('is asked of in prompts within the budget', () => {
    expect(seen.length).toBeGreaterThan(readBriefs().length);
    expect(turns.every((turn) => turn.last > 0)).toBe(true);
    expect(seen.filter((one) => one.size > TOTAL).map((one) => `${one.brief} ${one.size}`)).toEqual([]);
    // What is measured is what is sent: a bound that holds because nothing was counted would hold nothing.
    expect(Math.max(...seen.map((one) => one.size))).toBeGreaterThan(7_000);
  });
  it('has the same first bytes and the same tools in every turn', () => {
    const prefixes = new Map<string, Set<string>>();
    for (const { brief, prefix } of seen) prefixes.set(brief, (prefixes.get(brief) ?? new Set()).add(prefix));
    expect([...prefixes].filter(([, found]) => found.size > 1).map(([brief]) => brief)).toEqual([]);
    // Among all of them: with a mailbox, and without one, where what needs it is not listed.
    expect(new Set(seen.map((one) => one.prefix)).size).toBeLessThanOrEqual(2);
    expect(seen.some((one) => one.turn > 0)).toBe(true);
    expect(new Set(seen.map((one) => one.tools)).size).toBe(1);
    expect(seen[0]?.prefix.startsWith(MANUAL)).toBe(true);
  });
  it('says what its prompt took and what was saved against everything always in it', async () => {
    const { skills } = await platform();
    const all = [...skills.values()].reduce((sum, skill) => sum + characters(skill.body) + characters(skill.description), 0);
    const finished = turns.filter((turn) => turn.record.answer);
    expect(finished.length).toBeGreaterThan(100);
    for (const { brief, record, last } of finished) {
      const { prompt } = record.answer?.usage ?? { prompt: { characters: 0, saved_characters: 0, saved_tokens: 0 } };
      expect(prompt.characters, brief).toBe(last);
      // Everything always would have been all bodies instead of the index and what is open.
      expect(prompt.saved_characters, brief).toBeGreaterThan(all - (BUDGET.index + BUDGET.bodies + 2_000));
      expect(prompt.saved_characters, brief).toBeLessThan(all);
      expect(Math.abs(prompt.saved_tokens - prompt.saved_characters / 3.8), brief).toBeLessThanOrEqual(1);
    }
    const mean = (of: (turn: (typeof finished)[number]) => number): number =>
      Math.round(finished.reduce((sum, turn) => sum + of(turn), 0) / finished.length);
    const shown = mean((turn) => turn.record.answer?.usage.prompt.characters ?? 0);
    const saved = mean((turn) => turn.record.answer?.usage.prompt.saved_characters ?? 0);
    expect(shown / (shown + saved)).toBeLessThan(0.5);
  });
});

describe('a long conversation over the API', () => {
  let kitchen: TestKitchen;
  let model: ScriptedModel;
  let talk: Talk;
  let thread: string;
  const TALKATIVE = answer({
    intent: { kind: 'responder' },
    narration: 'Con mucho gusto te acompaño en esto. '.repeat(12).trim(),
    pregunta: null,
    siguiente: { kind: 'mensaje', label: 'Ver licitaciones', target: '¿Qué licitaciones hay?', cost: null },
  });
  const LONG = `esto es lo que te cuento ${'con muchas palabras de relleno '.repeat(10)}`;
  beforeAll(async () => {
    [kitchen, model] = await Promise.all([startTools(), scriptedModel(() => TALKATIVE)]);
    talk = await openTalk(kitchen, { scripted: model });
    thread = await talk.begin();
    for (let i = 0; i < 12; i += 1) expect((await talk.say(thread, `${LONG} ${i}`)).answer).not.toBeNull();
  });
  afterAll(async () => {
    await talk?.stop();
    await model?.close();
    await kitchen?.stop();
  });

  /** What goes over the wire before the recipes: instructions, tools, then thread, state, message and results, in their order. */
  const before = (request: Recorded): string => {
    const input = (request.body['input'] as Array<Record<string, unknown>>).filter(
      (item) => !JSON.stringify(item).includes('<loaded_skills>'),
    );
    return JSON.stringify([request.body['instructions'], request.body['tools'], input]);
  };
  /** Recipes that together take most of the room there is for two. */
  const biggestPairs = async (n: number): Promise<string[][]> => {
    const bodies = [...(await platform()).skills.values()].map((skill) => ({
      name: skill.name,
      size: characters(escapeText(skill.body.trim())),
    }));
    const pairs = bodies.flatMap((a, i) => bodies.slice(i + 1).map((b) => ({ names: [a.name, b.name], size: a.size + b.size })));
    return pairs
      .filter((pair) => pair.size <= BUDGET.bodies - 100)
      .sort((a, b) => b.size - a.size)
      .slice(0, n)
      .map((pair) => pair.names);
  };
  const opening = async (names: readonly string[]): Promise<{ requests: Recorded[]; blocks: string[] }> => {
    model.play((_, n) => (n < names.length ? calls(['skill_open', { name: names[n] }]) : TALKATIVE));
    const told = await talk.say(thread, 'hola, dime más');
    expect(told.answer).not.toBeNull();
    expect(told.tools.map((one) => one.error)).toEqual(names.map(() => null));
    const requests = [...model.requests];
    expect(told.answer?.usage.prompt.characters).toBe(sizeOf(promptOf(requests.at(-1)?.prefix ?? '', requests.at(-1)?.items ?? [])));
    return {
      requests,
      blocks: requests.map((request) => request.items.find((item) => item.content.startsWith('<loaded_skills>'))?.content ?? ''),
    };
  };

  it('keeps every prompt within the budget, whatever is opened on the way', async () => {
    for (const names of [[], ['campana'], ...(await biggestPairs(3))]) {
      const { requests, blocks } = await opening(names);
      const sizes = requests.map((request) => sizeOf(promptOf(request.prefix, request.items)));
      expect(
        sizes.filter((size) => size > TOTAL),
        names.join(),
      ).toEqual([]);
      expect(characters(blocks.at(-1) ?? '') > 2_000 * names.length, names.join()).toBe(names.length > 0);
      // The thread is there, and the conversation is long enough to press against the bound.
      expect(requests[0]?.items.find((item) => item.role === 'system')?.content).toContain('con muchas palabras');
      if (names.length === 2) expect(Math.max(...sizes)).toBeGreaterThan(13_000);
    }
  });

  it('changes nothing before the recipes when one is opened, and nothing at all in front from turn to turn', async () => {
    const [pair = []] = await biggestPairs(1);
    const { requests } = await opening(pair);
    for (const [i, request] of requests.entries()) {
      const earlier = requests[i - 1];
      // Each request of a turn begins with the whole of the one before it.
      if (earlier) expect(before(request).startsWith(before(earlier).slice(0, -2))).toBe(true);
    }
    const { requests: later } = await opening(['cuantos-hay']);
    const head = (request: Recorded | undefined): string =>
      JSON.stringify([request?.body['instructions'], request?.body['tools'], request?.body['text']]);
    expect(new Set([...requests, ...later].map(head)).size).toBe(1);
    for (const name of SKILLS) expect(requests[0]?.prefix).toContain(escapeText(name));
  });
});
