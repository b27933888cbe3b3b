import type { Env } from '../contracts/env.js';

/** Where people see a run on our page (`CAMPANA_PAGE_URL`); undefined when it is not known, or no address that a link may have. */
export const runPage = (env: Pick<Env, 'CAMPANA_PAGE_URL'>, run: string): string | undefined => {
  if (!URL.canParse(env.CAMPANA_PAGE_URL)) return undefined;
  const base = new URL(env.CAMPANA_PAGE_URL);
  if (base.protocol !== 'http:' && base.protocol !== 'https:') return undefined;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/campanas/${encodeURIComponent(run)}`;
};
