import { expect } from 'vitest';
import { rowsOf } from '../../../ada/rows.js';
import type { BoardRow, TurnAnswer } from '../../../contracts/turn.js';
import { Chat } from './chat.js';

/** What every answer of the model without a key holds, whatever was asked. */
export const sound = (answer: TurnAnswer, chat: Chat): void => {
  expect(answer.validation.flatMap((one) => one.problems)).toEqual([]);
  expect(answer.siguiente).not.toBeNull();
  expect(answer.usage.unresolved_refs).toBe(0);
  expect(answer.text).not.toMatch(/\[\[|\]\]|undefined|null|NaN|\{|\}|\bada\./);
  expect(answer.usage.steps).toBeLessThanOrEqual(8);
  expect(answer.usage.searches).toBeLessThanOrEqual(3);
  expect(chat.tools.calls.map((call) => call.name).filter((name) => /reveal|save_companies|create_draft|crm_undo/.test(name))).toEqual([]);
};
export const ask = async (message: string, chat = new Chat()): Promise<{ answer: TurnAnswer; chat: Chat }> => {
  const answer = await chat.say(message);
  sound(answer, chat);
  return { answer, chat };
};
export const skills = (answer: TurnAnswer): string[] => answer.skills_used.map((one) => one.name).sort();
/** A conversation in English. */
export const inEnglish = (): Chat => {
  const chat = new Chat();
  chat.language = 'en';
  return chat;
};
/** Companies of a trade, as a list shows them. */
export const companies = async (chat: Chat, activity: string, state: string, n: number): Promise<BoardRow[]> => {
  const signal = new AbortController().signal;
  const result = await chat.tools.port.call('ws_demo', 'company_search', { activity, state, limit: n }, {
    idempotencyKey: `rows-${activity}-${state}`,
    signal,
  } as never);
  chat.tools.calls.splice(0);
  return rowsOf({ name: 'company_search', ok: true, result }).slice(0, n);
};
/** A conversation with some companies chosen. */
export const chose = async (activity: string, state: string, n: number, chat = new Chat()): Promise<Chat> => {
  chat.select(await companies(chat, activity, state, n));
  return chat;
};
export const calls = (chat: Chat, name: string): Array<Record<string, unknown>> =>
  chat.tools.calls.filter((one) => one.name === name).map((one) => one.args);
