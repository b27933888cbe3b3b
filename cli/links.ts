import { api } from './api.js';
import type { Context } from './context.js';

/** Where a run can be looked at: the API, and its workflow in Temporal's UI when that runs. Never worth failing for. */
export const runLinks = async (ctx: Context, run: string): Promise<{ run?: string; temporal?: string | null }> => {
  try {
    const { url, temporalUi } = await ctx.client.where();
    const { workflow_id: workflow } = await api.run(ctx.client, run);
    const namespace = ctx.term.env['TEMPORAL_NAMESPACE'] || 'default';
    return {
      run: `${url}/v1/runs/${run}`,
      temporal: temporalUi ? `${temporalUi}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflow)}` : null,
    };
  } catch {
    return {};
  }
};
