import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/problem.js';
import { POLICY } from '../page-policy.js';
import type { App, ServerContext } from '../types.js';

/** Addresses of screens: all of them are the same document, which looks at the address itself. */
export const SCREENS = [
  '/',
  '/chat',
  '/chat/:thread_id',
  '/campanas',
  '/campanas/:run_id',
  '/decisiones',
  '/decisiones/:decision_id',
  '/secuencias/:sequence_id',
  '/operacion',
  '/configuracion',
  '/configuracion/:part',
  '/galeria',
] as const;

const headed = (reply: FastifyReply): FastifyReply =>
  reply
    .headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    })
    .type('text/html; charset=utf-8');

/** Where programs ask; whoever asks there gets a problem, whatever they say they accept. */
const PROGRAMS = /^\/(v1|mcp|assets|healthz|metrics|openapi\.json)(\/|\?|$)/;

/**
 * An address that is none, typed or followed in a browser: the page says so and shows the way back, still as a 404.
 * @returns null where no page was built
 */
export const lostPage = (
  env: ServerContext['env'],
): { asks(request: FastifyRequest): boolean; answer(reply: FastifyReply): Promise<FastifyReply> } | null => {
  const folder = env.CAMPANA_PAGE_DIR;
  if (!folder || !existsSync(join(folder, 'index.html'))) return null;
  return {
    asks: ({ method, url, headers }) => method === 'GET' && headers.accept?.includes('text/html') === true && !PROGRAMS.test(url),
    answer: async (reply) => headed(reply.code(404)).send(await readFile(join(folder, 'index.html'))),
  };
};

/** The page, where one was built (`CAMPANA_PAGE_DIR`); without it the API is an API alone and says so. */
export const pageRoutes = (app: App, ctx: ServerContext): void => {
  const folder = ctx.env.CAMPANA_PAGE_DIR;
  if (!folder || !existsSync(join(folder, 'index.html'))) {
    app.get('/', { config: { open: true }, schema: { hide: true } }, () => Promise.reject(new Refusal(404, 'page_not_built', {})));
    return;
  }
  const document = readFile(join(folder, 'index.html'));
  document.catch(() => undefined);
  // Whoever types an address may end it with a slash.
  for (const path of SCREENS.flatMap((one) => (one === '/' ? [one] : [one, `${one}/`])))
    app.get(path, { config: { open: true, rateLimit: false }, schema: { hide: true } }, async (_request, reply) =>
      headed(reply).send(await document),
    );
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/assets/')) route.config = { ...route.config, open: true, rateLimit: false };
  });
  app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    index: false,
    dotfiles: 'deny',
    decorateReply: false,
    schemaHide: true,
    preCompressed: true,
    // Their names carry a hash of what is in them.
    immutable: true,
    maxAge: '365d',
    wildcard: false,
  });
};
