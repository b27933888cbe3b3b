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

const inputOf = (item: ChatItem): Array<Record<string, unknown>> => {
  switch (item.role) {
    case 'tool_request':
      return item.calls.map((call) => ({ type: 'function_call', call_id: call.id, name: call.name, arguments: writtenArgs(call) }));
    case 'tool_result':
      return [{ type: 'function_call_output', call_id: item.id, output: wellFormed(item.content) }];
    case 'system':
    case 'user':
    case 'assistant':
      return [{ role: item.role, content: wellFormed(item.content) }];
  }
};

const endOf = (response: Record<string, unknown>): Ended => {
  if (response['status'] === 'completed') return { how: 'completed' };
  const reason = string(record(response['incomplete_details'])['reason']);
  if (response['status'] === 'incomplete')
    return reason === 'content_filter' ? { how: 'refused', detail: reason } : { how: 'cut', detail: reason };
  const error = record(response['error']);
  if (response['status'] === 'failed') return { how: 'failed', code: string(error['code']), detail: string(error['message']) };
  return { how: 'cut', detail: string(response['status']) };
};

/** The Responses API. What is the same in every request of a thread comes first in the body. */
export const responsesWire: Wire = {
  body(request, lacks) {
    const told = toldSchema(request);
    const allowed = allowedNames(request);
    const reasoning = lacks.has('reasoning')
      ? null
      : { effort: request.reasoning, ...(request.onReasoning && !lacks.has('summary') ? { summary: 'auto' } : {}) };
    return {
      instructions: wellFormed(request.prefix),
      ...(request.tools.length > 0
        ? {
            // Not strict: optional arguments stay optional, and the executor checks every call.
            tools: request.tools.map((t) => ({
              type: 'function',
              name: t.name,
              description: t.description,
              parameters: t.parameters,
              strict: false,
            })),
          }
        : {}),
      store: false,
      stream: true,
      input: [...(told ? [{ role: 'system', content: told }] : []), ...request.items.flatMap(inputOf)],
      text: {
        format:
          request.output.mode === 'json_schema'
            ? { type: 'json_schema', name: request.output.name, strict: true, schema: request.output.schema }
            : { type: 'json_object' },
      },
      ...(reasoning ? { reasoning } : {}),
      max_output_tokens: request.maxOutputTokens,
      ...(request.tools.length > 0
        ? {
            tool_choice:
              allowed.length === 0
                ? 'none'
                : lacks.has('tool_choice')
                  ? 'auto'
                  : { type: 'allowed_tools', mode: 'auto', tools: allowed.map((name) => ({ type: 'function', name })) },
          }
        : {}),
    };
  },

  reader(request, live) {
    const items = new Map<number, Record<string, unknown>>();
    const asides = new Set<number>();
    let said = '';
    let refusal = '';
    let final: Record<string, unknown> | null = null;
    let failed: Ended | null = null;

    const heard = (): Heard | null => {
      if (!final) return failed ? { ended: failed, calls: [], text: said, usage: null } : null;
      let output = list(final['output']).map(record);
      // Some servers leave the final output empty and have told its items one by one.
      if (output.length === 0) output = [...items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item);
      const calls = output
        .filter((i) => i['type'] === 'function_call')
        .map((i, n) => toolRequest(string(i['call_id']) || `call_${request.items.length}_${n}`, string(i['name']), string(i['arguments'])));
      const messages = output
        .filter((i) => i['type'] === 'message' && i['phase'] !== 'commentary')
        .map((i) => list(i['content']).map(record));
      const parts = messages.flat();
      const text =
        messages
          .map((content) =>
            content
              .filter((c) => c['type'] === 'output_text')
              .map((c) => string(c['text']))
              .join(''),
          )
          .findLast((t) => t !== '') ?? '';
      const refused =
        parts
          .filter((c) => c['type'] === 'refusal')
          .map((c) => string(c['refusal']))
          .join('') || refusal;
      const ended = endOf(final);
      return {
        ended: ended.how === 'completed' && refused && calls.length === 0 ? { how: 'refused', detail: refused } : ended,
        calls,
        text: text || said,
        usage: final['usage'],
      };
    };

    return {
      event(data) {
        const event = record(data);
        const index = typeof event['output_index'] === 'number' ? event['output_index'] : 0;
        switch (event['type']) {
          case 'response.output_item.added':
            if (record(event['item'])['phase'] === 'commentary') asides.add(index);
            return false;
          case 'response.output_item.done':
            items.set(index, record(event['item']));
            return false;
          case 'response.output_text.delta':
            live.token();
            if (asides.has(index)) return false;
            said += string(event['delta']);
            live.text(string(event['delta']));
            return false;
          case 'response.refusal.delta':
            live.token();
            refusal += string(event['delta']);
            return false;
          case 'response.function_call_arguments.delta':
            live.token();
            return false;
          case 'response.reasoning_summary_text.delta':
          case 'response.reasoning_text.delta':
            live.token();
            live.reasoning(string(event['delta']));
            return false;
          case 'response.completed':
          case 'response.incomplete':
          case 'response.failed':
            final = record(event['response']);
            return true;
          case 'error':
            failed = { how: 'failed', code: string(event['code']), detail: string(event['message']) };
            return true;
          default:
            return false;
        }
      },
      whole(body) {
        final = record(body);
        const { text } = heard() ?? { text: '' };
        if (text) live.text(text);
      },
      heard,
      usage: () => final?.['usage'],
    };
  },

  tokens: (usage) => ({ in: usage['input_tokens'], out: usage['output_tokens'] }),
};
