import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  resolveState,
  SCOPES,
  SKILL_STATES,
  visibility,
  type Access,
  type Scope,
  type SkillState,
  type StateRow,
} from '../../../ada/library/choose/states.js';
import type { Skill } from '../../../ada/library/types.js';
import { accessOf, rowOf, SCOPE_IDS } from '../gate/support.js';

type Need = Pick<Skill, 'name' | 'integrations' | 'capabilities' | 'trust'>;
const skill = (over: Partial<Need> = {}): Need => ({ name: 'uno', integrations: [], capabilities: [], trust: 'plataforma', ...over });
const rows = (text: string): StateRow[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((one) => {
      const [scope, state] = one.split(':');
      return rowOf('uno', state as SkillState, scope as Scope);
    });

describe('what was said about a recipe', () => {
  it.each([
    ['', 'available', 'default'],
    ['account:always', 'always', 'account'],
    ['account:always thread:available', 'available', 'thread'],
    ['account:available turn:always', 'always', 'turn'],
    ['turn:always account:available', 'always', 'turn'],
    ['profile:always thread:available turn:always', 'always', 'turn'],
    ['account:never', 'never', 'account'],
    ['account:never turn:always', 'never', 'account'],
    ['turn:never account:always', 'never', 'turn'],
    ['profile:never thread:available turn:always', 'never', 'profile'],
    ['turn:always thread:never', 'never', 'thread'],
    ['account:never profile:never', 'never', 'account'],
  ])('%j is %s, said by %s', (text, state, from) =>
    expect(resolveState('uno', rows(text))).toEqual({ state, from, denied: state === 'never' }),
  );

  it('does not depend on the order of the rows, and a deny anywhere holds', () => {
    const one = fc.tuple(fc.constantFrom(...SCOPES), fc.constantFrom(...SKILL_STATES));
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ([scope]) => scope, maxLength: 4 }), fc.boolean(), (said, turn) => {
        const made = said.map(([scope, state]) => rowOf('uno', state, scope));
        const found = resolveState('uno', made);
        expect(resolveState('uno', turn ? [...made].reverse() : made)).toEqual(found);
        expect(found.denied).toBe(said.some(([, state]) => state === 'never'));
        const narrowest = [...SCOPES].reverse().find((scope) => said.some(([at]) => at === scope));
        if (!found.denied) expect(found.from).toBe(narrowest ?? 'default');
      }),
    );
  });

  it('of another recipe says nothing', () =>
    expect(resolveState('uno', [rowOf('dos', 'never')])).toMatchObject({ state: 'available', from: 'default' }));
});

describe('whether it is there', () => {
  it.each(SCOPES)("rows of another %s are nobody's", (scope) => {
    expect(visibility(skill(), accessOf([rowOf('uno', 'never', scope, 'de-otro')])).hidden).toBeNull();
    expect(visibility(skill(), accessOf([rowOf('uno', 'never', scope)])).hidden).toEqual({
      code: 'skill_denied',
      params: { skill: 'uno', scope },
    });
  });
  it('a row of a scope without an id here counts for nothing, an empty id too', () => {
    const access = (scopes: Access['scopes']): Access =>
      accessOf([rowOf('uno', 'never', 'thread', ''), rowOf('uno', 'never', 'turn', 'x'), rowOf('uno', 'never', 'profile', 'undefined')], {
        scopes,
      });
    expect(visibility(skill(), access({ account: 'c' })).hidden).toBeNull();
    expect(visibility(skill(), access({ account: 'c', thread: '' })).hidden).toBeNull();
  });
  it.each([[{}], [{ account: '' }], [{ profile: 'p', thread: 't', turn: 'u' }]])(
    'with %j for scopes nothing is, always or not',
    (scopes) => {
      expect(visibility(skill(), accessOf([rowOf('uno', 'always', 'turn')], { scopes })).hidden).toEqual({
        code: 'skill_no_scope',
        params: { skill: 'uno' },
      });
    },
  );

  it.each([
    [null, null, null],
    [[], null, 'skill_needs_integration'],
    [['crm'], null, 'skill_needs_integration'],
    [['buzon'], null, null],
    [['buzon'], [], 'skill_needs_capability'],
    [['buzon'], ['enviar'], null],
    [null, [], 'skill_needs_capability'],
    [[], [], 'skill_needs_integration'],
  ] as Array<[string[] | null, string[] | null, string | null]>)('with connections %j and capabilities %j: %j', (has, may, code) => {
    const { hidden } = visibility(
      skill({ integrations: ['buzon'], capabilities: ['enviar'] }),
      accessOf([], { integrations: has && new Set(has), capabilities: may && new Set(may) }),
    );
    expect(hidden?.code ?? null).toBe(code);
    if (code) expect(hidden?.params).toEqual({ skill: 'uno', missing: code === 'skill_needs_integration' ? 'buzon' : 'enviar' });
  });
  it('says denied before what is missing, and names the first that is missing', () => {
    expect(
      visibility(skill({ integrations: ['buzon'] }), accessOf([rowOf('uno', 'never')], { integrations: new Set() })).hidden?.code,
    ).toBe('skill_denied');
    expect(visibility(skill({ integrations: ['a', 'b', 'c'] }), accessOf([], { integrations: new Set(['a']) })).hidden?.params).toEqual({
      skill: 'uno',
      missing: 'b',
    });
  });
  it("always does not reach somebody else's recipe, nor past a missing connection", () => {
    expect(visibility(skill({ trust: 'tercero' }), accessOf([rowOf('uno', 'always')])).state).toBe('available');
    expect(visibility(skill({ trust: 'propia' }), accessOf([rowOf('uno', 'always')])).state).toBe('always');
    expect(visibility(skill({ integrations: ['x'] }), accessOf([rowOf('uno', 'always')], { integrations: new Set() })).state).toBe('never');
  });
  it('has ids for every scope in these tests', () => expect(Object.keys(SCOPE_IDS)).toEqual([...SCOPES]));
});
