import type { Balances, ControlAccepted, Item, ReplanImpact, Run, RunSummary, Sequence, Settings, Suppression } from '../../contracts/api.js';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import type { Receipt } from '../../contracts/receipt.js';
import type { Thread, Selection } from '../../contracts/turn.js';
import { newKey, request } from './http.js';

/** The calls of the page, one line each: what is asked, what comes back. Errors are those of `http.ts`. */

export interface Session { sub: string; workspace: string; roles: Array<'seller' | 'approver' | 'operator'>; agent: boolean; expires_at: string; csrf_token: string | null }
export interface Page<T> { items: T[]; next: string | null }

const at = (strings: TemplateStringsArray, ...ids: string[]): string => strings.reduce((path, part, i) => path + part + (i < ids.length ? encodeURIComponent(ids[i] ?? '') : ''), '');
const query = (params: Record<string, string | number | boolean | null | undefined>): string => {
  const set = Object.entries(params).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
};

export const getSession = (): Promise<Session> => request('/v1/session');
export const endSession = (): Promise<void> => request('/v1/session', { method: 'DELETE' });
/** Logs in with the one-time code of a link, or with a token. */
export const beginSession = (by: { code: string } | { token: string }): Promise<Session> =>
  'code' in by ? request('/v1/session', { method: 'POST', body: { code: by.code } }) : request('/v1/session', { method: 'POST', headers: { authorization: `Bearer ${by.token}` } });

export const getBalances = (): Promise<Balances> => request('/v1/balances');
export const getSettings = (): Promise<Settings> => request('/v1/settings');
export const putSettings = (body: Settings): Promise<Settings> => request('/v1/settings', { method: 'PUT', body, key: newKey() });
export const listSuppressions = (cursor?: string): Promise<{ suppressions: Suppression[]; next_cursor: string | null }> => request(`/v1/suppressions${query({ cursor })}`);

export const listRuns = (params: { cursor?: string; state?: string; limit?: number } = {}): Promise<{ runs: RunSummary[]; next_cursor: string | null }> => request(`/v1/runs${query(params)}`);
export const getRun = (run: string): Promise<Run> => request(at`/v1/runs/${run}`);
export const listItems = (run: string, params: { state?: string; cursor?: string; limit?: number } = {}): Promise<{ items: Item[]; next_cursor: string | null }> => request(at`/v1/runs/${run}/items` + query(params));
export const getReceipt = (run: string): Promise<Receipt> => request(at`/v1/runs/${run}/receipt`);
export const control = (run: string, what: 'pause' | 'resume' | 'cancel' | 'recheck-balance', key = newKey()): Promise<ControlAccepted> => request(at`/v1/runs/${run}/${what}`, { method: 'POST', key });
export const replan = (run: string, body: unknown, options: { dry: boolean; key?: string }): Promise<ReplanImpact> =>
  request(at`/v1/runs/${run}/replan` + query({ dry_run: options.dry || undefined }), { method: 'POST', body, ...(options.dry ? {} : { key: options.key ?? newKey() }) });

export const getDecision = (id: string, full = false): Promise<Decision> => request(at`/v1/decisions/${id}` + query({ full: full || undefined }));
export const resolveDecision = (id: string, body: ResolveDecision, key: string): Promise<Decision> => request(at`/v1/decisions/${id}/resolve`, { method: 'POST', body, key });
export const undoDecision = (id: string, key: string): Promise<Decision> => request(at`/v1/decisions/${id}/undo`, { method: 'POST', key });
export const reopenDecision = (id: string, key: string): Promise<Decision> => request(at`/v1/decisions/${id}/reopen`, { method: 'POST', key });

export const getSequence = (id: string): Promise<Sequence> => request(at`/v1/sequences/${id}`);

export const createThread = (key: string): Promise<Thread> => request('/v1/threads', { method: 'POST', body: {}, key });
export const getThread = (id: string): Promise<Thread> => request(at`/v1/threads/${id}`);
export const listThreads = (): Promise<{ threads: Array<{ thread_id: string; title: string | null; created_at: string; last_turn_at: string | null }>; next_cursor: string | null }> => request('/v1/threads?mine=true&limit=25');
export const putSelection = (thread: string, refs: string[]): Promise<Selection> => request(at`/v1/threads/${thread}/selection`, { method: 'PUT', body: { refs }, key: newKey() });

export { at, query };
