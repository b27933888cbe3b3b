import swagger from '@fastify/swagger';
import type { FastifyContextConfig, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from './types.js';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const DONE: Record<string, string> = {
  200: 'Done',
  201: 'Made',
  202: 'Durable; it will be done',
  204: 'Done, nothing to say',
  304: 'Nothing moved since the version in If-None-Match',
};
/** Problems that any route may answer with. */
const COMMON = [400, 429, 500, 503];
const GUARDED = [401, 403];
const REASONS: Record<number, string> = {
  400: 'The request is not valid',
  401: 'No token, or not a valid one',
  403: 'Not with this role or token',
  404: 'Not there, or of another workspace',
  409: 'Not in this state; the fresh card or state is in the body',
  410: 'Too late',
  412: 'The plan has changed',
  413: 'Body too large',
  415: 'Only application/json',
  422: 'Understood, but it cannot be done as asked',
  429: 'Too many requests',
  500: 'An error of ours',
  503: 'Not now; try again',
};

const HEADERS: Record<string, string> = {
  'Idempotency-Key': 'Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer.',
  'X-Campana-Channel': 'Where the person is: api (default), cli or web.',
  'Accept-Language': 'es-MX (default) or en; the language of problems.',
  'If-None-Match': 'The ETag of the last answer.',
  'Last-Event-ID': 'The id of the last event that was received, `<run_id>:<version>`.',
};

/** Request headers that the validator does not look at (hooks do), as JSON schema. */
const headersOf = (config: FastifyContextConfig): Json | undefined => {
  const names = [
    ...(config.changes ? ['Idempotency-Key'] : []),
    ...(config.open ? [] : ['X-Campana-Channel', 'Accept-Language']),
    ...Object.keys(config.documentedHeaders ?? {}),
  ];
  if (names.length === 0) return undefined;
  return {
    type: 'object',
    ...(config.changes === true ? { required: ['Idempotency-Key'] } : {}),
    properties: Object.fromEntries(
      names.map((n) => [
        n,
        {
          type: 'string',
          description: config.documentedHeaders?.[n] || HEADERS[n],
          ...(n === 'X-Campana-Channel' ? { enum: ['api', 'cli', 'web'] } : {}),
          ...(n === 'Idempotency-Key' ? { minLength: 1, maxLength: 200, pattern: '^[!-~]+$' } : {}),
        },
      ]),
    ),
  };
};

/** Leaves out components that nothing refers to; the rest in order of name, so that the document is the same every time. */
const prune = (document: Json): void => {
  const components = document['components'];
  if (!isObject(components) || !isObject(components['schemas'])) return;
  const schemas = components['schemas'];
  const used = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (key === '$ref' && typeof inner === 'string' && inner.startsWith('#/components/schemas/')) {
          const name = inner.slice('#/components/schemas/'.length);
          if (!used.has(name)) {
            used.add(name);
            walk(schemas[name]);
          }
        } else walk(inner);
      }
    }
  };
  walk(document['paths']);
  components['schemas'] = Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => used.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};

/** A body that may be null may be left out. */
const relaxBody = (operation: Json): void => {
  const body = operation['requestBody'];
  if (!isObject(body) || !isObject(body['content'])) return;
  for (const media of Object.values(body['content'])) {
    if (!isObject(media) || !isObject(media['schema']) || !Array.isArray(media['schema']['anyOf'])) continue;
    const [only, ...others] = media['schema']['anyOf'].filter(
      (option: unknown) => !(isObject(option) && option['type'] === 'null'),
    ) as unknown[];
    if (others.length > 0 || only === undefined) continue;
    media['schema'] = only;
    delete body['required'];
  }
};

/** Adds every problem a route may answer with. */
const addProblems = (document: Json, configs: Map<string, FastifyContextConfig>): void => {
  const paths = isObject(document['paths']) ? document['paths'] : {};
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (!isObject(operation)) continue;
      relaxBody(operation);
      const config = configs.get(`${method.toUpperCase()} ${path}`) ?? {};
      const responses = isObject(operation['responses']) ? operation['responses'] : {};
      const statuses = [
        ...COMMON,
        ...(config.open ? [] : GUARDED),
        ...(operation['requestBody'] ? [413, 415] : []),
        ...(path.includes('{') ? [404] : []),
        ...(config.changes ? [422] : []),
        ...(config.problems ?? []),
      ];
      for (const status of statuses) {
        responses[status] ??= {
          description: REASONS[status] ?? 'Problem',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        };
      }
      for (const [status, response] of Object.entries(responses)) {
        if (!isObject(response)) continue;
        if (response['description'] === 'Default Response') response['description'] = DONE[status] ?? REASONS[Number(status)] ?? '';
        // An answer without a body has no content to describe.
        if (status === '204' || status === '304') delete response['content'];
      }
      operation['responses'] = responses;
      if (!config.open) operation['security'] = [{ bearer: [] }, { session: [] }];
    }
  }
};

/** OpenAPI 3.1 of everything registered after this, at `/openapi.json`. */
export const registerOpenApi = async (app: App): Promise<void> => {
  const configs = new Map<string, FastifyContextConfig>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Campana',
        version: '1',
        description:
          'Durable prospecting campaigns: start, follow, decide. Every error is an application/problem+json with a code; money and counts are integers.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'campana_session',
            description: 'Set by POST /v1/session; changes then need X-CSRF-Token.',
          },
        },
      },
    },
    transform: (input) => {
      const route: RouteOptions = input.route;
      const config = route.config ?? {};
      const out = jsonSchemaTransform(input);
      const path = input.url.replaceAll(/:([A-Za-z_]+)/g, '{$1}');
      for (const method of [route.method].flat()) configs.set(`${method.toUpperCase()} ${path}`, config);
      const headers = headersOf(config);
      return headers && isObject(out.schema) ? { ...out, schema: { ...out.schema, headers } } : out;
    },
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input) as unknown as Json;
      addProblems(document, configs);
      prune(document);
      return document;
    },
  });
  let text: string | undefined;
  app.get('/openapi.json', { config: { open: true }, schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.type('application/json').send(text);
  });
};
