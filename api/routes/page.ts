import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../../contracts/problem.js';
import { POLICY } from '../page-policy.js';
import type { App, ServerContext } from '../types.js';

/** Addresses of screens: all of them are the same document, which looks at the address itself. */
export const SCREENS = ['/', '/chat', '/chat/:thread_id', '/campanas', '/campanas/:run_id', '/decisiones', '/decisiones/:decision_id', '/secuencias/:sequence_id', '/operacion', '/configuracion', '/configuracion/:part', '/galeria'] as const;

const headed = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', 'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' }).type('text/html; charset=utf-8');

/** The page, where one was built (`CAMPANA_PAGE_DIR`); without it the API is an API alone and says so. */
export const pageRoutes = (app: App, ctx: ServerContext): void => {
  const folder = ctx.env.CAMPANA_PAGE_DIR;
  if (!folder || !existsSync(join(folder, 'index.html'))) {
    app.get('/', { config: { open: true }, schema: { hide: true } }, () => Promise.reject(new Refusal(404, 'page_not_built', {})));
    return;
  }
  const document = readFile(join(folder, 'index.html'));
  document.catch(() => undefined);
  for (const path of SCREENS) app.get(path, { config: { open: true, rateLimit: false }, schema: { hide: true } }, async (_request, reply) => headed(reply).send(await document));
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/assets/')) route.config = { ...route.config, open: true, rateLimit: false };
  });
  app.register(fastifyStatic, {
    root: join(folder, 'assets'), prefix: '/assets/', index: false, dotfiles: 'deny', decorateReply: false, schemaHide: true, preCompressed: true,
    // Their names carry a hash of what is in them.
    immutable: true, maxAge: '365d', wildcard: false,
  });
};
