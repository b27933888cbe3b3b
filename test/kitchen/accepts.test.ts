import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTools, type ToolFailure, type Tools } from '../../activities/mcp.js';
import { sequenceCheck, sequenceCreateDraft } from '../../contracts/tools/sequences.js';
import { OTHER, TestKitchen } from './harness.js';

let kitchen: TestKitchen;
let tools: Tools;
beforeAll(async () => {
  kitchen = await TestKitchen.start();
  tools = createTools({ url: kitchen.running.url, token: (workspace) => (workspace === 'ws_other' ? OTHER : null), timeoutMs: 20_000 });
});
afterAll(async () => {
  await tools.close();
  await kitchen.stop();
});
const failure = (call: Promise<unknown>): Promise<ToolFailure> =>
  call.then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error as ToolFailure,
  );

describe('what a tool server lists', () => {
  it('tells which inputs a tool takes', async () => {
    expect(await tools.accepts('ws_other', sequenceCreateDraft, 'replaces')).toBe(true);
    expect(await tools.accepts('ws_other', sequenceCreateDraft, 'in_place_of')).toBe(false);
    expect(await tools.accepts('ws_other', sequenceCheck, 'replaces')).toBe(false);
    expect(await tools.accepts('ws_other', sequenceCheck, 'toString')).toBe(false);
  });

  it('does not turn the typed errors of later calls into something else', async () => {
    await kitchen.control('POST', '/settings', { workspace: 'ws_other', mailbox_connected: false });
    const refused = await failure(
      tools.call('ws_other', sequenceCreateDraft, {
        client_key: 'k',
        name: 'Prueba',
        drafts: [{ person_id: 'per-000001', subject: 'Hola', body: 'Una idea' }],
      }),
    );
    expect(refused).toMatchObject({ effect: 'refused', code: 'mailbox_missing' });
  });

  it('without the tool is a refusal, and without a token or a server nothing was sent', async () => {
    const id = await kitchen.fault({ kind: 'tool_missing', tool: 'sequence_create_draft', workspace: 'ws_other' });
    expect(await failure(tools.accepts('ws_other', sequenceCreateDraft, 'replaces'))).toMatchObject({
      effect: 'refused',
      code: 'tool_missing',
    });
    await kitchen.control('DELETE', `/faults?id=${id}`);
    expect(await failure(tools.accepts('ws_nobody', sequenceCreateDraft, 'replaces'))).toMatchObject({
      effect: 'not_sent',
      code: 'no_token',
    });
    const nowhere = createTools({ url: 'http://127.0.0.1:1/mcp', token: () => 'token', timeoutMs: 1_000 });
    expect(await failure(nowhere.accepts('ws_other', sequenceCreateDraft, 'replaces'))).toMatchObject({ effect: 'not_sent' });
    await nowhere.close();
  });
});
