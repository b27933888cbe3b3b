import { openLab, type Lab } from '../support/runs.js';
import { startApi, token, type Called, type TestApi } from './support.js';

/** Rows as the product's own functions write them, and the API over the same database. */
export interface Rig {
  lab: Lab;
  api: TestApi;
  /** A call as somebody of a workspace; by default with every role. */
  as(workspace: string, claims?: { roles?: string[]; sub?: string; typ?: string }): Promise<Asker>;
  close(): Promise<void>;
}
export interface Asker {
  get<T>(path: string, headers?: Record<string, string>): Promise<Answer<T>>;
  post<T>(path: string, body?: unknown, options?: { key?: string; headers?: Record<string, string> }): Promise<Answer<T>>;
  patch<T>(path: string, body: unknown, options?: { key?: string; headers?: Record<string, string> }): Promise<Answer<T>>;
}
export interface Answer<T> {
  status: number;
  body: T & { code?: string; params?: Record<string, unknown> };
  text: string;
  headers: Headers;
}

export const openRig = async (options: Parameters<typeof startApi>[0] = {}): Promise<Rig> => {
  const lab = await openLab();
  const api = await startApi({ databaseUrl: lab.ctx.env.DATABASE_URL, tools: lab.ctx.tools, ...options });
  const answer = <T>({ status, body, text, headers }: Called): Answer<T> => ({
    status,
    body: body as unknown as Answer<T>['body'],
    text,
    headers,
  });
  return {
    lab,
    api,
    as: async (workspace, claims = {}) => {
      const bearer = await token({ ws: workspace, ...claims });
      return {
        get: async (path, headers = {}) => answer(await api.call('GET', path, { token: bearer, headers })),
        post: async (path, body, more = {}) =>
          answer(await api.call('POST', path, { token: bearer, ...(body === undefined ? {} : { body }), ...more })),
        patch: async (path, body, more = {}) => answer(await api.call('PATCH', path, { token: bearer, body, ...more })),
      };
    },
    close: async () => {
      await api.stop();
      await lab.close();
    },
  };
};
