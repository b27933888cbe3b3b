import assert from 'node:assert/strict';
import type { RunEvent } from '../../contracts/progress.js';
import type { Api } from './api.js';

/** Reads a run's event stream from its first event on until told to stop. @returns the events in the order they came. */
export const listen = async (api: Api, run: string): Promise<{ events: RunEvent[]; stop(): Promise<void> }> => {
  const gone = new AbortController();
  const response = await fetch(`${api.base}/v1/events?run_id=${run}&last_event_id=${run}:0`, {
    headers: { authorization: `Bearer ${api.token}` },
    signal: gone.signal,
  });
  assert.equal(response.status, 200);
  const { body } = response;
  assert.ok(body);
  const events: RunEvent[] = [];
  const reading = (async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const event of whole) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        assert.ok(!/^event: reset$/m.test(event), 'the stream asked to start over');
        if (data) events.push(JSON.parse(data) as RunEvent);
      }
    }
  })().catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  return {
    events,
    stop: async () => {
      gone.abort();
      await reading;
    },
  };
};
