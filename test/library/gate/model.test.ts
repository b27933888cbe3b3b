import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../../ada/library/choose/states.js';
import { LibraryRefusal } from '../../../ada/library/refusal.js';
import { accessOf, libraryOf, rigOf, rowOf, SCOPE_IDS, TOOLS } from './support.js';

/** What each recipe may open, told by hand: the model does not ask the code that it judges. */
const ALLOWED: Record<string, readonly string[]> = {
  p: ['libre_a', 'externa'],
  w: ['libre_b', 'externa'],
  t: ['libre_b', 'libre_c'],
  n: [],
};
const NAMES = [...Object.keys(ALLOWED), 'nadie', 'P', '__proto__'];
const CALLS = [...TOOLS.map(({ name }) => name), 'LIBRE_A', 'libre_a ', 'constructor', 'skill_open'];

type Step =
  | { do: 'open'; name: string }
  | { do: 'close'; name: string }
  | { do: 'deny'; name: string; scope: Scope; other: boolean }
  | { do: 'allow' }
  | { do: 'execute'; tool: string; bad: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), name: fc.constantFrom(...NAMES) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), name: fc.constantFrom(...NAMES) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deny' as const),
      name: fc.constantFrom(...NAMES),
      scope: fc.constantFrom(...SCOPES),
      other: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('allow' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('execute' as const), tool: fc.constantFrom(...CALLS), bad: fc.boolean() }) },
);

it('whatever is opened, closed, denied and called in whatever order, the port sees only tools that an open, visible recipe allows', async () => {
  const all = TOOLS.map(({ name }) => name).join(' ');
  const snapshot = await libraryOf({
    plataforma: { p: { tools: 'libre_a externa pagada casi_pagada', background_tools: 'libre_c escribe' }, n: { background_tools: all } },
    propia: { w: { tools: 'libre_b externa escribe casi_lectura' } },
    tercero: { t: { tools: 'externa libre_b libre_c pagada' } },
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, concurrent) => {
      const { belt, call, access } = rigOf(snapshot, accessOf());
      let open: string[] = [];
      const denied = new Set<string>();
      let expected = 0;
      const running: Array<Promise<unknown>> = [];
      for (const one of steps) {
        if (one.do === 'open') {
          const may = one.name in ALLOWED && Object.hasOwn(ALLOWED, one.name) && !denied.has(one.name);
          try {
            belt.open(one.name, 'model');
            expect(may && (open.includes(one.name) || open.length < 2)).toBe(true);
            if (!open.includes(one.name)) open.push(one.name);
          } catch (error) {
            expect(error).toBeInstanceOf(LibraryRefusal);
            expect(may && (open.includes(one.name) || open.length < 2)).toBe(false);
          }
        } else if (one.do === 'close') {
          belt.close(one.name);
          open = open.filter((name) => name !== one.name);
        } else if (one.do === 'deny') {
          access.rows.push(rowOf(one.name, 'never', one.scope, one.other ? 'de-otro' : SCOPE_IDS[one.scope]));
          if (!one.other) {
            denied.add(one.name);
            open = open.filter((name) => name !== one.name);
            belt.callable();
          }
        } else if (one.do === 'allow') {
          access.rows.length = 0;
          denied.clear();
        } else {
          const may = !one.bad && open.some((name) => ALLOWED[name]?.includes(one.tool));
          if (may) expected++;
          const run = belt.execute(one.tool, one.bad ? { limit: 'muchos' } : {}).then(
            () => expect(may).toBe(true),
            (error: unknown) => {
              expect(error).toBeInstanceOf(LibraryRefusal);
              expect(may).toBe(false);
            },
          );
          if (concurrent) running.push(run);
          else await run;
          expect(call).toHaveBeenCalledTimes(expected);
          if (may) expect(call.mock.lastCall?.[0]).toBe(one.tool);
        }
        expect(belt.loaded().map(({ skill }) => skill.name)).toEqual(open);
      }
      await Promise.all(running);
    }),
    { numRuns: 300 },
  );
});
