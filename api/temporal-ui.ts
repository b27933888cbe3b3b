import type { Env } from '../contracts/env.js';
import type { ApiContext } from './types.js';

/** Where Temporal's web UI is, when it is configured (`CAMPANA_TEMPORAL_UI`) and an address that a link may have; else null. */
export const temporalUi = (env: Pick<Env, 'CAMPANA_TEMPORAL_UI'>): string | null => {
  if (!env.CAMPANA_TEMPORAL_UI || !URL.canParse(env.CAMPANA_TEMPORAL_UI)) return null;
  const url = new URL(env.CAMPANA_TEMPORAL_UI);
  return url.protocol === 'http:' || url.protocol === 'https:' ? env.CAMPANA_TEMPORAL_UI.replace(/\/+$/, '') : null;
};

/** A link to a workflow there, by its id; null where no UI is configured. */
export const workflowLinks = (ctx: Pick<ApiContext, 'env' | 'temporal'>): ((workflowId: string) => string | null) => {
  const ui = temporalUi(ctx.env);
  const namespace = encodeURIComponent(ctx.temporal?.options.namespace ?? 'default');
  return (workflowId) => (ui === null ? null : `${ui}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`);
};
