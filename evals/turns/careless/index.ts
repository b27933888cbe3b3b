import { openaiModel } from '../../../ada/ports/openai.js';
import type { Model } from '../../../ada/ports/model.js';
import { scriptedModel, type Recorded } from '../../../test/support/scripted-model.js';
import type { Brief } from '../brief.js';
import { CARELESS, type Careless, type Moment } from './scripts.js';

export type { Careless } from './scripts.js';
export { CARELESS } from './scripts.js';
export const careless = (): Brief[] => CARELESS.map((one) => one.brief);

const momentOf = (request: Recorded, step: number): Moment => {
  const asked = request.items.map((item) => item.role).lastIndexOf('user');
  const since = request.items.slice(asked + 1);
  return {
    request,
    step,
    repair: since.some((item) => item.role === 'assistant'),
    results: since.flatMap((item) => {
      if (item.role !== 'tool_result') return [];
      try {
        return [JSON.parse(item.content) as unknown];
      } catch {
        return [];
      }
    }),
  };
};

/** The careless model behind the real port and a real HTTP server, with a price so that its cost is seen. */
export const openCareless = async (): Promise<{ model: Model; requests: Recorded[]; close(): Promise<void> }> => {
  const steps = new Map<string, number>();
  const server = await scriptedModel((request) => {
    const message = request.items.filter((item) => item.role === 'user').at(-1)?.content ?? '';
    const script: Careless | undefined = CARELESS.find((one) => one.brief.messages.at(-1) === message);
    if (!script)
      return {
        status: 400,
        error: { code: 'no_script', type: 'invalid_request_error', message: `No script for: ${message.slice(0, 80)}` },
      };
    const first = !request.items.some((item) => item.role === 'tool_request' || item.role === 'assistant');
    const step = first ? 0 : (steps.get(message) ?? 0) + 1;
    steps.set(message, step);
    return script.play(momentOf(request, step));
  });
  return {
    model: openaiModel({
      apiKey: 'none',
      baseUrl: server.url,
      model: 'descuidado',
      mode: 'responses',
      prices: { in: 250_000, out: 2_000_000 },
      kind: 'scripted',
    }),
    requests: server.requests,
    close: () => server.close(),
  };
};
