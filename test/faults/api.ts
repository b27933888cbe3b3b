import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Balances, Item } from '../../contracts/api.js';
import type { OpsRun } from '../../contracts/operations.js';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import type { Problem } from '../../contracts/problem.js';
import type { Progress } from '../../contracts/progress.js';
import type { Receipt } from '../../contracts/receipt.js';
import { isFinal, type DecisionKind } from '../../contracts/states.js';

export interface Answer<T> {
  status: number;
  body: T;
  headers: Headers;
}
export interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
export type TapBody = Partial<ResolveDecision> & Pick<ResolveDecision, 'option'>;
const REFUSED = 400;

export const sumOf = (c: Progress['counts']): number => c.done + c.running + c.pending + c.not_found + c.suppressed + c.skipped + c.failed;
export const over = (p: Progress): boolean => isFinal(p.state);
/** Accounts whose search has ended, one way or the other. */
export const searched = (p: Progress): number => p.counts.done + p.counts.not_found + p.counts.failed;

/** The HTTP API as one workspace's person uses it. Every progress body that passes is held against I8. */
export class Api {
  /** Bodies of every refusal seen; I15 is checked over them. */
  readonly refusals: string[] = [];
  private readonly seen = new Map<string, Progress>();

  constructor(
    readonly base: string,
    readonly token: string,
  ) {}

  async call<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
    const changes = method !== 'GET';
    const response = await fetch(this.base + path, {
      method,
      signal: options.signal ?? AbortSignal.timeout(120_000),
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(changes ? { 'content-type': 'application/json', 'idempotency-key': options.key ?? randomUUID() } : {}),
        ...options.headers,
      },
      ...(changes ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const text = await response.text();
    if (response.status >= REFUSED) this.refusals.push(text);
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T, headers: response.headers };
  }

  /** The body of an answer that has to be a success. */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.call<T>('GET', path);
    assert.ok(status < REFUSED, `GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
  async send<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
    const answer = await this.call<T>(method, path, body, options);
    assert.ok(answer.status < REFUSED, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  balances(): Promise<Balances> {
    return this.get('/v1/balances');
  }
  receipt(run: string): Promise<Receipt> {
    return this.get(`/v1/runs/${run}/receipt`);
  }
  decision(id: string): Promise<Decision> {
    return this.get(`/v1/decisions/${id}?full=true`);
  }
  async items(run: string): Promise<Item[]> {
    return (await this.get<{ items: Item[] }>(`/v1/runs/${run}/items?limit=500`)).items;
  }
  async ops(run: string): Promise<OpsRun> {
    const found = (await this.get<{ runs: OpsRun[] }>('/v1/ops/runs?limit=100')).runs.find((r) => r.run_id === run);
    assert.ok(found, `run ${run} is not on the operators' list`);
    return found;
  }

  async progress(run: string): Promise<Progress> {
    return this.note(await this.get<Progress>(`/v1/runs/${run}/progress`));
  }

  /** I8 as a client sees it: versions never fall, counts sum to the total, and nothing done comes undone within a plan version. */
  private note(p: Progress): Progress {
    assert.equal(
      sumOf(p.counts),
      p.counts.total,
      `counts of ${p.run_id} v${p.version} do not sum to the total: ${JSON.stringify(p.counts)}`,
    );
    const before = this.seen.get(p.run_id);
    if (before) {
      assert.ok(p.version >= before.version, `version of ${p.run_id} fell from ${before.version} to ${p.version}`);
      if (p.plan_version === before.plan_version)
        assert.ok(p.counts.done >= before.counts.done, `done of ${p.run_id} fell from ${before.counts.done} to ${p.counts.done}`);
    }
    this.seen.set(p.run_id, p);
    return p;
  }

  /**
   * Follows a run by long polling until it is as wanted; an API that is away for a moment is asked again.
   * @throws AssertionError with the last body when it does not come to that in time, or ends first.
   */
  async until(run: string, what: string, wanted: (p: Progress) => boolean, ms = 120_000): Promise<Progress> {
    const limit = Date.now() + ms;
    let last: Progress | undefined;
    let tag = '';
    while (Date.now() < limit) {
      const answer = await this.call<Progress>('GET', `/v1/runs/${run}/progress?wait=2s`, undefined, {
        headers: tag ? { 'if-none-match': tag } : {},
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null);
      if (answer === null || (answer.status !== 200 && answer.status !== 304)) {
        await sleep(50);
        continue;
      }
      if (answer.status === 304) continue;
      tag = answer.headers.get('etag') ?? '';
      last = this.note(answer.body);
      if (wanted(last)) return last;
      assert.ok(!over(last), `run ended as ${last.state} before "${what}": ${JSON.stringify(last)}`);
    }
    assert.fail(`"${what}" did not come within ${ms / 1000} s: ${JSON.stringify(last)}`);
  }
  ended(run: string, ms = 240_000): Promise<Progress> {
    return this.until(run, 'the end', over, ms);
  }
  /** Waits until nothing of a run moves any more: what the last thing that happened sets off comes a moment after it. */
  async rest(run: string): Promise<Progress> {
    for (let i = 0; i < 60; i += 1) {
      const p = await this.progress(run);
      const { status } = await this.call('GET', `/v1/runs/${run}/progress?wait=2s`, undefined, {
        headers: { 'if-none-match': `W/"${p.version}-es-MX"` },
      });
      if (status === 304) return p;
    }
    assert.fail(`run ${run} does not come to rest`);
  }

  /** The open card of a kind, once it is shown; `except` is one that was there before. */
  async card(run: string, kind: DecisionKind, except?: string): Promise<Decision> {
    let found: Decision | undefined;
    for (;;) {
      const p = await this.until(
        run,
        `a card ${kind}`,
        (b) => b.decisions.some((d) => d !== except) && (b.state === 'waiting_decision' || b.state === 'ready'),
      );
      for (const id of p.decisions)
        if (id !== except) {
          const d = await this.decision(id);
          if (d.kind === kind && d.state === 'open') found = d;
        }
      if (found) return found;
      await this.until(run, 'the next step', (b) => b.version > p.version);
    }
  }

  /** Taps an option with exactly what the card shows, unless told otherwise. */
  tap(card: Decision, body: TapBody, options: CallOptions = {}): Promise<Answer<Decision & Problem>> {
    const shown = card.options.find((o) => o.id === body.option)?.totals.credits ?? 0;
    return this.call(
      'POST',
      `/v1/decisions/${card.id}/resolve`,
      { plan_version: card.plan_version, payload_hash: card.payload_hash, shown_total: shown, ...body },
      // A review is answered on the page.
      card.kind === 'revisar_secuencia' ? { ...options, headers: { 'x-campana-channel': 'web', ...options.headers } } : options,
    );
  }
  async approve(card: Decision, body: TapBody): Promise<Decision> {
    const answer = await this.tap(card, body);
    assert.equal(answer.status, 200, `${body.option} on ${card.kind}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** The card that a refusal brings along in the place of the one that was tapped. */
export const freshCard = (answer: Answer<Problem>, status: number, code: string): Decision => {
  assert.equal(answer.status, status, `expected ${status} ${code}: ${JSON.stringify(answer.body)}`);
  assert.equal(answer.body.code, code);
  const fresh = answer.body.decision as Decision | undefined;
  assert.ok(fresh && answer.body.fresh_decision_id === fresh.id, 'the refusal brings the fresh card');
  assert.equal(fresh.state, 'open');
  return fresh;
};
export const option = (card: Decision, id: Decision['options'][number]['id']): Decision['options'][number] => {
  const found = card.options.find((o) => o.id === id);
  assert.ok(found, `card ${card.kind} offers ${card.options.map((o) => o.id).join(', ')}, not ${id}`);
  return found;
};
