import { PROFILES, SESSION_TOOLS } from '../../contracts/profiles/index.js';
import { SKILLS } from '../../contracts/states.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';

/** Words of the machinery. Texts they are looked for in are small letters without accents. */

export const TOOL_NAMES: readonly string[] = [...CATALOGUE.map((tool) => tool.name), ...SESSION_TOOLS];
/** Names of recipes and profiles that nobody says by chance: those with a dash. */
export const RECIPE_NAMES: readonly string[] = [...SKILLS, ...Object.keys(PROFILES)].filter((name) => name.includes('-'));

export const INTERNAL: readonly string[] = [
  'endpoint', 'endpoints', 'mcp', 'json', 'anchor', 'anchors', 'ancla', 'anclas', 'payload', 'backend', 'frontend', 'api', 'apis', 'prompt', 'prompts', 'prompt del sistema', 'system prompt', 'tokens', 'token', 'cursor', 'workflow',
  'workflows', 'temporal', 'harness', 'arnes', 'validador', 'validator', 'esquema', 'schema', 'intent', 'intents', 'skill', 'skills', 'tool call', 'tool calls', 'tool', 'tools', 'function call', 'llamada a funcion', 'stage', 'snapshot', 'llm', 'modelo de lenguaje',
  'language model', 'openai', 'gpt', 'sql', 'base64', 'stack trace', 'timeout', 'cinturon', 'tablero interno', 'uuid', 'webhook', 'debug', 'null', 'undefined', 'nan', 'herramienta', 'herramientas', 'query string', 'http', 'markdown', 'parametro', 'parametros', 'argumento json',
];
/** Also words of trades and of places; internal only when the turn's own data and the person do not say them. */
export const AMBIGUOUS: ReadonlySet<string> = new Set(['herramienta', 'herramientas', 'tool', 'tools', 'temporal', 'esquema', 'schema', 'stage', 'token', 'tokens', 'cursor', 'ancla', 'anclas', 'anchor', 'anchors', 'cinturon', 'api', 'apis', 'sql', 'skill', 'skills', 'intent', 'arnes', 'parametro', 'parametros', 'workflow', 'workflows', 'backend', 'frontend', 'webhook', 'json', 'markdown', 'http', 'timeout', 'gpt', 'openai', 'llm']);
