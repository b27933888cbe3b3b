import { api } from './api.js';
import type { Context } from './context.js';
import { Words } from './words.js';

/** From here on times are said in the workspace's zone, as the page and Ada say them; a terminal may stand in another one. */
export const inWorkspaceZone = async (ctx: Context, known?: { zone: string }): Promise<void> => {
  if (ctx.json) return;
  const { zone } = known ?? (await api.session(ctx.client));
  ctx.words = new Words(ctx.language, zone);
};
