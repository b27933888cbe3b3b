import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultInput } from '../../kitchen/faults.js';

export interface CallRow {
  tool: string;
  target: string | null;
  key: string | null;
  outcome: string;
  delivery: string;
  at: string;
}
export interface ChargeRow {
  kind: 'queries' | 'credits';
  tool: string;
  target: string;
  key: string | null;
  amount: number;
  at: string;
}
export interface KitchenRow {
  credits: number;
  queries: number;
  honours_keys: boolean;
}
export interface StoredSequence {
  sequence_id: string;
  client_key: string;
  replaced_by: string | null;
  drafts: Array<{ draft_id: string; person_id: string; subject: string; body: string }>;
}
interface Active {
  id: string;
  kind: string;
  fired: number;
  holding: unknown[];
}
/** A fault without the workspace: that is always the scenario's own. */
export type WorkspaceFault = FaultInput extends infer F ? (F extends unknown ? Omit<F, 'workspace'> : never) : never;

/** The provider's side of a scenario's workspace: its faults, balances, prices, and what it saw. */
export class Kitchen {
  constructor(
    private readonly base: string,
    private readonly token: string,
    private readonly workspace: string,
  ) {}

  private async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.base + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T;
    assert.ok(response.ok, `kitchen ${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Makes the workspace with its first balances. */
  reset(): Promise<unknown> {
    return this.control('POST', '/reset', { workspace: this.workspace, faults: false });
  }
  async fault(fault: WorkspaceFault): Promise<string> {
    const { ids } = await this.control<{ ids: string[] }>('POST', '/faults', { ...fault, workspace: this.workspace });
    return ids[0] ?? '';
  }
  /** Ends a fault, or all of them; held calls go on. */
  clear(id?: string): Promise<unknown> {
    return this.control('DELETE', `/faults${id ? `?id=${id}` : ''}`);
  }
  release(id: string): Promise<unknown> {
    return this.control('POST', '/release', { fault_id: id });
  }
  balance(credits: number): Promise<unknown> {
    return this.control('POST', '/balances', { workspace: this.workspace, credits });
  }
  topUp(credits: number): Promise<unknown> {
    return this.control('POST', '/balances', { workspace: this.workspace, add: { credits } });
  }
  price(min: number, max = min): Promise<unknown> {
    return this.control('POST', '/prices', { workspace: this.workspace, min, max });
  }
  honoursKeys(yes: boolean): Promise<unknown> {
    return this.control('POST', '/settings', { workspace: this.workspace, honours_idempotency_keys: yes });
  }
  mailbox(connected: boolean): Promise<unknown> {
    return this.control('POST', '/settings', { workspace: this.workspace, mailbox_connected: connected });
  }
  /** Every sequence it has, oldest first, with its texts. */
  async sequences(): Promise<StoredSequence[]> {
    return (await this.control<{ sequences: StoredSequence[] }>('GET', `/sequences?workspace=${this.workspace}`)).sequences;
  }
  row(): Promise<KitchenRow> {
    return this.control('GET', `/balances?workspace=${this.workspace}`);
  }
  log(): Promise<{ calls: CallRow[]; charges: ChargeRow[] }> {
    return this.control('GET', `/log?workspace=${this.workspace}`);
  }
  async calls(tool: string): Promise<CallRow[]> {
    return (await this.log()).calls.filter((c) => c.tool === tool);
  }
  async active(id: string): Promise<Active | undefined> {
    return (await this.control<{ faults: Active[] }>('GET', '/faults')).faults.find((f) => f.id === id);
  }

  /** Waits until a `hold` fault has so many calls in hand. */
  async holds(id: string, calls: number, ms = 120_000): Promise<void> {
    await eventually(`${calls} held calls`, async () => ((await this.active(id))?.holding.length ?? 0) >= calls, ms);
  }
}

/** Asks again and again until it is so: for conditions that nobody announces. */
export const eventually = async (what: string, ask: () => Promise<boolean>, ms = 120_000): Promise<void> => {
  const limit = Date.now() + ms;
  while (!(await ask().catch(() => false))) {
    if (Date.now() > limit) assert.fail(`"${what}" did not come within ${ms / 1000} s`);
    await sleep(25);
  }
};
