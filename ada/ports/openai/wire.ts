import type { Lack, Prompt, TokenUse, ToolRequest } from '../model.js';

/** What this server said it cannot do; the body goes without. */
export type Lacks = ReadonlySet<Lack>;

/** How a reply ended, as far as the API tells. `cut`: not over, or shortened by its length. */
export type Ended =
  | { how: 'completed' }
  | { how: 'cut'; detail: string }
  | { how: 'refused'; detail: string }
  | { how: 'failed'; code: string; detail: string };

export interface Heard {
  ended: Ended;
  calls: ToolRequest[];
  text: string;
  usage: unknown;
}

/** Reads the reply of one request: its events, or its whole body where a server does not stream. */
export interface Reader {
  /** True when nothing more can come that matters. */
  event(data: unknown): boolean;
  whole(body: unknown): void;
  /** Null while it is not over. */
  heard(): Heard | null;
  /** Usage as far as it came, also when the reply was cut. */
  usage(): unknown;
}
export interface Live {
  text(delta: string): void;
  reasoning(delta: string): void;
  token(): void;
}

export interface Wire {
  body(request: Prompt, lacks: Lacks): Record<string, unknown>;
  reader(request: Prompt, live: Live): Reader;
  /** Tokens by the API's names; undefined where there are none. */
  tokens(usage: Record<string, unknown>): { in: unknown; out: unknown };
}

export const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const string = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Half a character pair, as a cut text has at its end, is refused by providers. */
export const wellFormed = (value: string): string => value.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** Arguments as a model wrote them; those that are no object are kept as text, for the executor to say so. */
export const toolRequest = (id: string, name: string, written: string): ToolRequest => {
  if (written.trim() === '') return { id, name, args: {} };
  try {
    const args: unknown = JSON.parse(written);
    if (args !== null && typeof args === 'object' && !Array.isArray(args)) return { id, name, args };
  } catch {
    /* below */
  }
  return { id, name, args: written, malformed: true };
};
/** The same on the way back: always JSON, since some servers parse it. */
export const writtenArgs = (call: ToolRequest): string =>
  wellFormed(JSON.stringify(call.malformed ? { malformed: String(call.args).slice(0, 500) } : (call.args ?? {})));

/** Tools that may be called, in the order of all. */
export const allowedNames = (request: Prompt): string[] => {
  const allowed = new Set(request.allowed);
  return request.tools.filter((t) => allowed.has(t.name)).map((t) => t.name);
};

/** For a model that is not held to the schema: it is told. Also, `json_object` is refused where nothing says "JSON". */
export const toldSchema = (request: Prompt): string | null =>
  request.output.mode === 'json_object'
    ? `Answer with one JSON object that follows this schema, and nothing else:\n${JSON.stringify(request.output.schema)}`
    : null;

const count = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null);
/** Tokens that a server puts around what it is sent: roles, marks, a prompt of its own. */
export const AROUND = 1_000;
/** What a provider says was used, if it can be true: a text has no more tokens than bytes, an answer none of nothing, and no more than allowed. */
export const believable = (said: { in: unknown; out: unknown }, sent: number, received: number, maxOut: number): TokenUse | null => {
  const used = { in: count(said.in), out: count(said.out) };
  if (used.in === null || used.out === null || used.in === 0) return null;
  if (used.in > sent + AROUND || used.out > maxOut * 2 || (used.out === 0 && received > 0)) return null;
  return { in: used.in, out: used.out };
};
/** On the high side: three bytes a token. */
export const estimated = (sent: number, received: number): TokenUse => ({
  in: Math.ceil(sent / 3),
  out: Math.ceil(received / 3),
  estimated: true,
});
