import type { Env } from '../contracts/env.js';

/** Where people open our page (`CAMPANA_PAGE_URL`), without a slash at its end; undefined when it is not known, or no address that a link may have. */
export const pageBase = (env: Pick<Env, 'CAMPANA_PAGE_URL'>): string | undefined => {
  if (!URL.canParse(env.CAMPANA_PAGE_URL)) return undefined;
  const base = new URL(env.CAMPANA_PAGE_URL);
  if (base.protocol !== 'http:' && base.protocol !== 'https:') return undefined;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}`;
};

/** Where people see a run on our page; undefined as above. */
export const runPage = (env: Pick<Env, 'CAMPANA_PAGE_URL'>, run: string): string | undefined => {
  const base = pageBase(env);
  return base === undefined ? undefined : `${base}/campanas/${encodeURIComponent(run)}`;
};
