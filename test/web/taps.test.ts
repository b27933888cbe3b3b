import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import { ApiProblem, NoAnswer, problemOf } from '../../web/data/problem.js';
import { deliver } from '../../web/decisions/deliver.js';
import { forgetTap, pendingTap, pendingTaps, rememberTap, type PendingTap } from '../../web/decisions/tap-store.js';

const ana = { workspace: 'ws_a', sub: 'ana' };
const luis = { workspace: 'ws_a', sub: 'luis' };
const BODY: ResolveDecision = { option: 'all', plan_version: 1, payload_hash: 'h1', shown_total: 32 };
const tap = (at = Date.now()): PendingTap => ({ key: 'k1', body: BODY, at });
const MINUTE = 60_000;

/** A browser's storage. */
const storage = (broken = false): Storage => {
  const held: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => held[name] ?? null,
    setItem: (name: string, value: string) => {
      if (broken) throw new DOMException('full', 'QuotaExceededError');
      held[name] = value;
    },
    removeItem: (name: string) => void delete held[name],
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(held, name, { value, enumerable: false });
  return held as unknown as Storage;
};

describe('a tap under way', () => {
  beforeEach(() => vi.stubGlobal('localStorage', storage()));

  it("is its own person's: whoever logs in next on the device neither sends nor drops it", () => {
    rememberTap(ana, 'dec_1', tap());
    expect([pendingTap(luis, 'dec_1'), pendingTap({ ...ana, workspace: 'ws_b' }, 'dec_1')]).toEqual([null, null]);
    expect(pendingTaps(luis)).toEqual([]);
    forgetTap(luis, 'dec_1');
    expect(pendingTap(ana, 'dec_1')?.key).toBe('k1');
    expect(pendingTaps(ana)).toEqual(['dec_1']);
  });
  it("cannot be made another person's by a name with a separator in it", () => {
    rememberTap({ workspace: 'ws', sub: 'a/b' }, 'dec_1', tap());
    expect(pendingTaps({ workspace: 'ws', sub: 'a' })).toEqual([]);
  });
  it('is not meant any more after ten minutes, nor after the clock was set back, and nothing of it stays', () => {
    const now = Date.now();
    rememberTap(ana, 'dec_1', tap(now - 11 * MINUTE));
    rememberTap(ana, 'dec_2', tap(now + 48 * 60 * MINUTE));
    expect([pendingTap(ana, 'dec_1', now), pendingTap(ana, 'dec_2', now)]).toEqual([null, null]);
    rememberTap(ana, 'dec_1', tap(now - 11 * MINUTE));
    localStorage.setItem('campana.tap.dec_0', JSON.stringify(tap(now - 11 * MINUTE)));
    pendingTaps(luis, now);
    expect(Object.keys(localStorage)).toEqual([]);
  });
  it('outlives the card also where the browser keeps nothing', () => {
    vi.stubGlobal('localStorage', storage(true));
    rememberTap(ana, 'dec_9', tap());
    expect([pendingTap(ana, 'dec_9')?.key, pendingTaps(ana)]).toEqual(['k1', ['dec_9']]);
    forgetTap(ana, 'dec_9');
    expect(pendingTap(ana, 'dec_9')).toBeNull();
  });
});

describe('what the sending of a tap came to', () => {
  const approved = { id: 'dec_1', state: 'approved' } as Decision;
  const ended = new ApiProblem(401, 'token_expired', {}, '', false, null, null);

  it('is done only by an answer about this very decision', async () => {
    expect(await deliver('dec_1', tap(), false, () => Promise.resolve(approved))).toEqual({ is: 'done', decision: approved });
    for (const other of [{ ...approved, id: 'dec_2' }, {}, null])
      expect(await deliver('dec_1', tap(), false, () => Promise.resolve(other as Decision))).toEqual({ is: 'unknown' });
  });
  it('is unknown without an answer, and is not sent again once nobody means it', async () => {
    const lost = vi.fn(() => Promise.reject(new NoAnswer()));
    expect(await deliver('dec_1', tap(), true, lost)).toEqual({ is: 'unknown' });
    expect(await deliver('dec_1', tap(Date.now() - 11 * MINUTE), true, lost)).toMatchObject({ is: 'given_up' });
    expect(lost).toHaveBeenCalledTimes(1);
  });
  it('stays unknown over the end of the session when an earlier sending may have arrived, and is nothing when none did', async () => {
    expect(await deliver('dec_1', tap(), true, () => Promise.reject(ended))).toMatchObject({ is: 'logged_out', kept: true });
    expect(await deliver('dec_1', tap(), false, () => Promise.reject(ended))).toMatchObject({ is: 'logged_out', kept: false });
  });
  it('is not refused by a proxy: only a problem of the API is one', () => {
    for (const status of [401, 403, 404, 500, 503, 511])
      expect([problemOf(status, null), problemOf(status, { error: 'nope' })]).toEqual([null, null]);
    expect(problemOf(409, { code: 'already_resolved', params: { by: 'Ana' } })).toMatchObject({
      status: 409,
      code: 'already_resolved',
      retryable: false,
    });
  });
});
