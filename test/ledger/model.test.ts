import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/problem.js';
import { MONEY_KINDS, type MoneyKind } from '../../contracts/states.js';
import { transaction } from '../../db/client.js';
import { capture, ensureLedger, grant, hold, voidHolds } from '../../db/ledger.js';
import { ledgerOf, openLab, sql, type Lab } from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

interface Hold {
  kind: MoneyKind;
  amount: number;
  state: 'live' | 'captured' | 'voided';
}
/** The ledger as arithmetic: what the database must agree with after every command. */
interface Model {
  granted: Record<MoneyKind, number>;
  spent: Record<MoneyKind, number>;
  holds: Map<string, Hold>;
  keys: Set<string>;
}
interface Real {
  workspace: string;
}

const held = (m: Readonly<Model>, kind: MoneyKind): number =>
  [...m.holds.values()].filter((h) => h.kind === kind && h.state === 'live').reduce((s, h) => s + h.amount, 0);
const available = (m: Readonly<Model>, kind: MoneyKind): number => m.granted[kind] - m.spent[kind] - held(m, kind);
const nth = (m: Readonly<Model>, i: number): [string, Hold] | undefined =>
  [...m.holds.entries()][m.holds.size === 0 ? 0 : i % m.holds.size];

const agrees = async (m: Readonly<Model>, { workspace }: Real): Promise<void> => {
  const ledger = await ledgerOf(lab, workspace);
  for (const kind of MONEY_KINDS) {
    expect({ ...ledger[kind], version: 0 }).toEqual({
      kind,
      granted: m.granted[kind],
      spent: m.spent[kind],
      held: held(m, kind),
      available: available(m, kind),
      expired: 0,
      version: 0,
    });
  }
  expect(await sql(lab, `select * from ledger_violations($1)`, [workspace])).toEqual([]);
};
const holdAll = (workspace: string, kind: MoneyKind, amounts: number[], ids: string[]): Promise<string[]> =>
  transaction(lab.pool, (tx) =>
    hold(
      tx,
      workspace,
      kind,
      'run_x',
      'dec_x',
      amounts.map((amount, i) => ({ id: ids[i] ?? '', amount, step: 's4', item: String(i) })),
    ),
  );
const isShort = (e: unknown): boolean => e instanceof Refusal && e.code === 'insufficient_balance';

let serial = 0;
const fresh = (n: number): string[] => Array.from({ length: n }, () => `h${++serial}`);
type Command = fc.AsyncCommand<Model, Real>;

class Grant implements Command {
  constructor(
    readonly kind: MoneyKind,
    readonly amount: number,
    readonly key: string,
  ) {}
  check = (): boolean => true;
  async run(m: Model, r: Real): Promise<void> {
    const news = !m.keys.has(`${this.kind} ${this.key}`) && this.amount !== 0;
    expect(await transaction(lab.pool, (tx) => grant(tx, r.workspace, this.kind, this.amount, this.key, 'test'))).toBe(news);
    if (news) {
      m.keys.add(`${this.kind} ${this.key}`);
      m.granted[this.kind] += this.amount;
    }
    await agrees(m, r);
  }
  toString = (): string => `grant(${this.kind}, ${this.amount}, ${this.key})`;
}

class HoldLot implements Command {
  constructor(
    readonly kind: MoneyKind,
    readonly amounts: number[],
  ) {}
  check = (): boolean => true;
  async run(m: Model, r: Real): Promise<void> {
    const ids = fresh(this.amounts.length);
    const total = this.amounts.reduce((s, a) => s + a, 0);
    if (total <= available(m, this.kind)) {
      expect(await holdAll(r.workspace, this.kind, this.amounts, ids)).toEqual(ids);
      ids.forEach((id, i) => m.holds.set(id, { kind: this.kind, amount: this.amounts[i] ?? 0, state: 'live' }));
    } else {
      await expect(holdAll(r.workspace, this.kind, this.amounts, ids)).rejects.toMatchObject({
        status: 409,
        code: 'insufficient_balance',
        params: { needed: total, available: available(m, this.kind) },
      });
    }
    await agrees(m, r);
  }
  toString = (): string => `hold(${this.kind}, [${this.amounts.join(', ')}])`;
}

class ConcurrentHolds implements Command {
  constructor(
    readonly kind: MoneyKind,
    readonly amount: number,
    readonly n: number,
  ) {}
  check = (): boolean => true;
  async run(m: Model, r: Real): Promise<void> {
    const ids = fresh(this.n);
    const before = available(m, this.kind);
    const done = await Promise.allSettled(ids.map((id) => holdAll(r.workspace, this.kind, [this.amount], [id])));
    const won = ids.filter((_, i) => done[i]?.status === 'fulfilled');
    expect(done.every((d) => d.status === 'fulfilled' || isShort(d.reason))).toBe(true);
    expect(won).toHaveLength(this.amount === 0 ? this.n : Math.min(this.n, Math.floor(before / this.amount)));
    for (const id of won) m.holds.set(id, { kind: this.kind, amount: this.amount, state: 'live' });
    await agrees(m, r);
  }
  toString = (): string => `${this.n} × hold(${this.kind}, ${this.amount}) at once`;
}

class Settle implements Command {
  constructor(
    readonly as: 'capture' | 'void',
    readonly which: number,
    readonly part: number,
    readonly repeat: boolean,
  ) {}
  check = (m: Readonly<Model>): boolean => m.holds.size > 0;
  async run(m: Model, r: Real): Promise<void> {
    const [id, h] = nth(m, this.which) ?? ['', undefined];
    if (!h) return;
    const amount = this.as === 'capture' ? Math.floor((h.amount * this.part) / 100) : 0;
    const act = () => transaction(lab.pool, (tx) => (this.as === 'capture' ? capture(tx, [{ id, amount }]) : voidHolds(tx, [id])));
    const settled = await act();
    if (h.state === 'live') {
      expect(settled).toMatchObject([{ id, kind: h.kind, amount: h.amount, captured: amount }]);
      h.state = this.as === 'capture' ? 'captured' : 'voided';
      m.spent[h.kind] += amount;
    } else expect(settled).toEqual([]);
    if (this.repeat) expect(await act()).toEqual([]);
    await agrees(m, r);
  }
  toString = (): string => `${this.as}(#${this.which}, ${this.part} %)${this.repeat ? ' twice' : ''}`;
}

class CaptureTooMuch implements Command {
  constructor(
    readonly which: number,
    readonly over: number,
  ) {}
  check = (m: Readonly<Model>): boolean => nth(m, this.which)?.[1].state === 'live';
  async run(m: Model, r: Real): Promise<void> {
    const [id, h] = nth(m, this.which) ?? ['', undefined];
    await expect(transaction(lab.pool, (tx) => capture(tx, [{ id, amount: (h?.amount ?? 0) + this.over }]))).rejects.toThrow(
      'exceeds hold',
    );
    await agrees(m, r);
  }
  toString = (): string => `capture(#${this.which}, hold + ${this.over})`;
}

const kind = fc.constantFrom(...MONEY_KINDS);
const commands = [
  fc.tuple(kind, fc.nat({ max: 60 }), fc.constantFrom('a', 'b', 'c', 'd')).map(([k, a, key]) => new Grant(k, a, key)),
  fc.tuple(kind, fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 6 })).map(([k, a]) => new HoldLot(k, a)),
  fc.tuple(kind, fc.nat({ max: 12 }), fc.integer({ min: 2, max: 6 })).map(([k, a, n]) => new ConcurrentHolds(k, a, n)),
  fc
    .tuple(fc.constantFrom('capture' as const, 'void' as const), fc.nat(), fc.integer({ min: 0, max: 100 }), fc.boolean())
    .map(([as, i, part, twice]) => new Settle(as, i, part, twice)),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 5 })).map(([i, over]) => new CaptureTooMuch(i, over)),
];

let worlds = 0;
describe('the ledger', () => {
  it('agrees with its model after any sequence of grants, holds, captures and voids, repeated and at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 25 }), async (cmds) => {
        const workspace = `ws_model_${++worlds}`;
        await transaction(lab.pool, async (tx) => {
          await tx.q(`insert into workspaces (id) values ($1)`, [workspace]);
          await ensureLedger(tx, workspace);
        });
        const none = (): Record<MoneyKind, number> => ({ credits: 0, inference: 0, queries: 0 });
        await fc.asyncModelRun(
          () => ({
            model: { granted: none(), spent: none(), holds: new Map<string, Hold>(), keys: new Set<string>() },
            real: { workspace },
          }),
          cmds,
        );
      }),
      { numRuns: 40 },
    );
  });
});
