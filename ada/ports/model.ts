import type { TurnView } from '../turn-view.js';

/** A tool as a model is told of it. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}
/** `malformed`: what the model wrote is not a JSON object; `args` is the text it wrote. */
export interface ToolRequest {
  id: string;
  name: string;
  args: unknown;
  malformed?: true;
}
export type ChatItem =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { role: 'tool_request'; calls: ToolRequest[] }
  | { role: 'tool_result'; id: string; name: string; content: string };

/** What a model is asked, by whoever asks. */
export interface Prompt {
  /** Manual and index: the same bytes in every turn of a thread. First, so that a provider's cache holds them. */
  prefix: string;
  /** Thread, message, state, what tools answered, and last the open recipes. */
  items: ChatItem[];
  /** All tools, always in the same order; `allowed` says which may be called now. The executor checks again. */
  tools: readonly ToolSpec[];
  allowed: readonly string[];
  /** `json_schema`: the answer follows `schema` strictly. `json_object`: any object (for models that cannot). */
  output: { mode: 'json_schema' | 'json_object'; name: string; schema: Record<string, unknown> };
  reasoning: 'low' | 'medium';
  maxOutputTokens: number;
  /** Time left, ms. */
  deadlineMs: number;
  signal: AbortSignal;
  /** Text of the answer as it comes; shown live, never stored. */
  onText?: (delta: string) => void;
  onReasoning?: (delta: string) => void;
}
/** What a turn asks. */
export interface ModelRequest extends Prompt {
  /** What a model in process works with instead of text. Others ignore it. */
  view: TurnView;
}
/** `estimated`: the provider did not say, or nothing that can be true. */
export interface TokenUse {
  in: number;
  out: number;
  estimated?: true;
}
export type ModelReply =
  | { kind: 'tools'; calls: ToolRequest[]; usage: TokenUse; ttftMs: number | null }
  | { kind: 'answer'; text: string; usage: TokenUse; ttftMs: number | null };

/** `refused`: the model, or a filter before it, does not answer this text. `rejected`: the server takes no request like this one. */
export type FailureCode =
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'unreachable'
  | 'cut'
  | 'quota'
  | 'refused'
  | 'rejected'
  | 'not_capable'
  | 'unauthorized'
  | 'bad_reply'
  | 'aborted';
/** What a model or its server cannot do. What is not `output`, `context` or `api` the port leaves out of its next request by itself. */
export type Lack = 'output' | 'context' | 'api' | 'reasoning' | 'summary' | 'tool_choice' | 'max_tokens' | 'stream_options';
/**
 * What went wrong at a model. `usage` is what was used all the same: null when nobody knows, zeros when surely nothing was. `lacks` goes with
 * `not_capable`. Whoever asks decides on another try.
 */
export class ModelFailure extends Error {
  constructor(
    readonly code: FailureCode,
    readonly usage: TokenUse | null = null,
    readonly retryAfterMs: number | null = null,
    detail = '',
    readonly lacks: Lack | null = null,
  ) {
    super(detail ? `${code}: ${detail}` : code);
    this.name = 'ModelFailure';
  }
  /** Another try, or another model, may help. */
  get passing(): boolean {
    return ['rate_limited', 'server_error', 'timeout', 'unreachable', 'cut', 'bad_reply'].includes(this.code);
  }
  /** The port has learned to leave out what was refused: the same request is worth sending once more, in the same mode. */
  get adapted(): boolean {
    return this.lacks !== null && this.lacks !== 'output' && this.lacks !== 'context' && this.lacks !== 'api';
  }
}

export interface Model {
  readonly name: string;
  readonly kind: 'deterministic' | 'openai' | 'scripted';
  /** micro-USD for what was used; null when the price is not known. 0 where nothing is paid. */
  cost(usage: TokenUse): number | null;
  /** One request, no retries. @throws ModelFailure */
  complete(request: ModelRequest): Promise<ModelReply>;
}

/** A model that works with text alone, so that it can be asked outside of turns too. */
export interface TextModel extends Model {
  complete(request: Prompt): Promise<ModelReply>;
  /**
   * The most tokens that one such request can be billed, in either output mode: no text has more tokens than bytes, and a server that keeps the
   * limit it is sent gives no more than that.
   */
  most(request: Prompt): TokenUse;
}
