import type { ChatItem } from '../model.js';
import {
  allowedNames,
  list,
  record,
  string,
  toldSchema,
  toolRequest,
  wellFormed,
  writtenArgs,
  type Ended,
  type Heard,
  type Wire,
} from './wire.js';

const messageOf = (item: ChatItem): Record<string, unknown> => {
  switch (item.role) {
    case 'tool_request':
      return {
        role: 'assistant',
        content: null,
        tool_calls: item.calls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: writtenArgs(call) },
        })),
      };
    case 'tool_result':
      return { role: 'tool', tool_call_id: item.id, content: wellFormed(item.content) };
    case 'system':
    case 'user':
    case 'assistant':
      return { role: item.role, content: wellFormed(item.content) };
  }
};

const OPEN = '<think>';
const CLOSE = '</think>';
/** Some servers write a model's reasoning before its answer, in one text. Parts it, however it is cut in pieces. */
const thinkSplitter = (text: (delta: string) => void, reasoning: (delta: string) => void) => {
  let state: 'start' | 'thinking' | 'text' = 'start';
  let held = '';
  const tell = (to: (delta: string) => void, delta: string): void => {
    if (delta !== '') to(delta);
  };
  return {
    push(delta: string): void {
      held += delta;
      if (state === 'start') {
        const begun = held.trimStart();
        if (begun.startsWith(OPEN)) {
          state = 'thinking';
          held = begun.slice(OPEN.length);
        } else if (OPEN.startsWith(begun)) return;
        else state = 'text';
      }
      if (state === 'thinking') {
        const end = held.indexOf(CLOSE);
        if (end >= 0) {
          tell(reasoning, held.slice(0, end));
          held = held.slice(end + CLOSE.length);
          state = 'text';
        } else {
          // The end of what came may be the beginning of the mark.
          const safe = Math.max(0, held.length - CLOSE.length + 1);
          tell(reasoning, held.slice(0, safe));
          held = held.slice(safe);
          return;
        }
      }
      tell(text, held);
      held = '';
    },
    end(): void {
      tell(state === 'thinking' ? reasoning : text, held);
      held = '';
    },
  };
};

/** Chat completions, for servers that lack Responses. `openai`: the provider itself, which knows more than servers that are like it. */
export const chatWire = (openai: boolean): Wire => ({
  body(request, lacks) {
    const told = toldSchema(request);
    const allowed = allowedNames(request);
    const { name, schema } = request.output;
    // Few compatible servers know allowed_tools; there the executor alone holds the belt.
    const choice =
      allowed.length === 0
        ? 'none'
        : openai && !lacks.has('tool_choice')
          ? {
              type: 'allowed_tools',
              allowed_tools: { mode: 'auto', tools: allowed.map((n) => ({ type: 'function', function: { name: n } })) },
            }
          : 'auto';
    return {
      ...(request.tools.length > 0
        ? {
            tools: request.tools.map((t) => ({
              type: 'function',
              function: { name: t.name, description: t.description, parameters: t.parameters },
            })),
          }
        : {}),
      stream: true,
      messages: [{ role: 'system', content: wellFormed(request.prefix) + (told ? `\n\n${told}` : '') }, ...request.items.map(messageOf)],
      ...(lacks.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
      response_format:
        request.output.mode === 'json_schema'
          ? { type: 'json_schema', json_schema: { name, strict: true, schema } }
          : { type: 'json_object' },
      ...(lacks.has('reasoning') ? {} : { reasoning_effort: request.reasoning }),
      [openai !== lacks.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens,
      ...(request.tools.length > 0 ? { tool_choice: choice } : {}),
    };
  },

  reader(request, live) {
    const calls: Array<{ key: unknown; id: string; name: string; written: string }> = [];
    let said = '';
    let refusal = '';
    let finish: string | null = null;
    let usage: unknown;
    let error: Ended | null = null;
    const split = thinkSplitter(
      (delta) => {
        said += delta;
        live.text(delta);
      },
      (delta) => {
        live.reasoning(delta);
      },
    );

    const call = (value: unknown): void => {
      const part = record(value);
      const does = record(part['function']);
      const id = string(part['id']);
      // Pieces of one call share an index; some servers give all the same, or none, and a new id each.
      let open = calls.findLast((c) => c.key === part['index']);
      if (open && id && open.id && open.id !== id) open = undefined;
      if (!open) {
        open = { key: part['index'], id, name: '', written: '' };
        calls.push(open);
      }
      open.name ||= string(does['name']);
      open.written +=
        typeof does['arguments'] === 'object' && does['arguments'] !== null ? JSON.stringify(does['arguments']) : string(does['arguments']);
    };
    const take = (message: Record<string, unknown>): void => {
      const reasoning = string(message['reasoning_content']) || string(message['reasoning']);
      if (reasoning) {
        live.token();
        live.reasoning(reasoning);
      }
      if (string(message['content'])) {
        live.token();
        split.push(string(message['content']));
      }
      if (string(message['refusal'])) {
        live.token();
        refusal += string(message['refusal']);
      }
      for (const part of list(message['tool_calls'])) {
        live.token();
        call(part);
      }
    };
    const end = (): Ended => {
      if (error) return error;
      if (finish === 'length') return { how: 'cut', detail: 'max_output_tokens' };
      if (finish === 'content_filter') return { how: 'refused', detail: finish };
      if (finish === 'error') return { how: 'failed', code: 'server_error', detail: finish };
      return refusal && calls.length === 0 ? { how: 'refused', detail: refusal } : { how: 'completed' };
    };

    return {
      event(data) {
        const chunk = record(data);
        if (chunk['usage'] !== undefined && chunk['usage'] !== null) usage = chunk['usage'];
        const choice = record(list(chunk['choices'])[0]);
        take(record(choice['delta']));
        if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '') {
          finish = choice['finish_reason'];
          split.end();
        }
        return false;
      },
      whole(body) {
        const reply = record(body);
        usage = reply['usage'];
        const choice = record(list(reply['choices'])[0]);
        const failed = record(reply['error']);
        if (reply['error'] !== undefined && reply['error'] !== null) {
          error = { how: 'failed', code: string(failed['code']), detail: string(failed['message']) };
          finish = 'error';
          return;
        }
        take(record(choice['message']));
        split.end();
        finish = string(choice['finish_reason']) || null;
      },
      heard: (): Heard | null =>
        finish === null
          ? null
          : {
              ended: end(),
              text: said,
              usage,
              calls: calls.map((c, n) => toolRequest(c.id || `call_${request.items.length}_${n}`, c.name, c.written)),
            },
      usage: () => usage,
    };
  },

  tokens: (usage) => ({ in: usage['prompt_tokens'], out: usage['completion_tokens'] }),
});
