import { api } from '../api.js';
import { printJson, type Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';

/** A link that opens the page with the caller's session, once. The code is in the fragment: no server and no log sees it. */
export const page = async (ctx: Context): Promise<ExitCode> => {
  const { code: _code, path, expires_at } = await api.loginCode(ctx.client);
  const link = `${(await ctx.client.where()).url}${path}`;
  if (ctx.json) printJson(ctx, { link, expires_at });
  else {
    ctx.tell(ctx.words.say('cli.page.link'));
    ctx.out(link);
  }
  return EXIT.ok;
};
