import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY_ID } from '../../activities/codec/aes.js';
import { dataConverterOf } from '../../activities/codec/index.js';
import type { RunAccepted } from '../../contracts/api.js';
import { findTemporal } from '../../stack/temporal-binary.mjs';
import type { Stack } from '../../stack/up.js';
import { Api } from '../faults/api.js';
import { startTestStack } from '../support/stack.js';
import { openPayloads, rawHistory } from './raw.js';

const STEPS = ['', '/s1', '/s2', '/s3', '/s4', '/s5'];

let stack: Stack;
let connection: Connection;
let api: Api;
beforeAll(async () => {
  stack = await startTestStack({ encrypt: true });
  connection = await Connection.connect({ address: stack.urls.temporal });
  api = new Api(stack.urls.api, stack.token);
}, 300_000);
afterAll(async () => {
  await connection.close();
  await stack.stop();
});

/** Key ids that the payloads of a history were encrypted with. */
const keysIn = (events: unknown): Set<string> => {
  const found = new Set<string>();
  JSON.stringify(events, (name, value: unknown) => {
    if (name === KEY_ID && typeof value === 'string') found.add(Buffer.from(value, 'base64').toString());
    return value;
  });
  return found;
};

describe('a campaign whose payloads are encrypted', () => {
  it('runs to its end while keys rotate, and Temporal has nothing of it in the open', async () => {
    const order = {
      criteria: { giro: 'empaque', estado: 'Nuevo León', cargo: 'compras' },
      cuentas: 4,
      caps: { credits: 50, queries: 100, inference_micros: 5_000_000 },
    };
    const { run_id: run } = await api.send<RunAccepted>('POST', '/v1/runs', order);
    await api.approve(await api.card(run, 'guardar_en_crm'), { option: 'approve' });
    const reveal = await api.card(run, 'revelar_contactos');

    // A new key in front, the old one behind: what is under way was encrypted with the old one.
    const file = stack.env['CAMPANA_CODEC_KEYS_FILE'] ?? '';
    const old = (await readFile(file, 'utf8')).trim();
    await writeFile(file, `rotated:${randomBytes(32).toString('base64')}\n${old}\n`);
    await Promise.all([stack.restart('worker'), stack.restart('api')]);
    await api.approve(reveal, { option: 'all' });
    expect((await api.ended(run)).state).toBe('completed');

    const ids = STEPS.map((step) => `campana/ws_demo/${run}${step}`);
    const histories = await Promise.all(ids.map((id) => rawHistory(connection, 'default', id)));
    expect(histories.flatMap(({ events }, i) => openPayloads(events).map((open) => `${ids[i]}: ${open}`))).toEqual([]);
    expect([...new Set(histories.flatMap(({ events }) => [...keysIn(events)]))].sort()).toEqual([old.split(':')[0], 'rotated'].sort());
    // What a workflow was told of its run is in there, and found by nobody: the ids of the run stand in Temporal's own fields only.
    for (const { text } of histories)
      for (const word of ['payload_hash', 'decision_id', 'carril', 'objetivo']) expect(text.includes(word), word).toBe(false);

    const client = new Client({ connection, dataConverter: dataConverterOf(stack.env) });
    const handle = client.workflow.getHandle(ids[0] ?? '');
    expect(await handle.result()).toMatchObject({ run, state: 'completed' });
    const described = await handle.describe();
    expect(described.memo).toMatchObject({ cuentas: 4, counts: { total: 4 } });
    expect(await described.staticSummary()).toContain('4');
    // A client without keys is told what it lacks.
    await expect(new Client({ connection }).workflow.getHandle(ids[0] ?? '').result()).rejects.toThrow();
    await expect(new Client({ connection, dataConverter: dataConverterOf({}) }).workflow.getHandle(ids[0] ?? '').result()).rejects.toThrow(
      'needs codec key rotated; this process has no keys',
    );
  }, 300_000);

  it('is read with the temporal command by an operator, through the codec server', async () => {
    const { runs } = await api.get<{ runs: Array<{ run_id: string }> }>('/v1/runs');
    const run = runs[0]?.run_id ?? '';
    const { path } = await findTemporal('server', { say: () => undefined });
    const token = await stack.mintToken({ workspace: 'ws_demo', roles: ['operator'], sub: 'olga' });
    const args = [
      'workflow',
      'show',
      '--workflow-id',
      `campana/ws_demo/${run}`,
      '--address',
      stack.urls.temporal,
      '--output',
      'json',
      '--codec-endpoint',
      `${stack.urls.api}/v1/codec`,
      '--codec-auth',
      `Bearer ${token}`,
    ];
    const { stdout } = await promisify(execFile)(path, args, { maxBuffer: 1 << 26 });
    const { events } = JSON.parse(stdout) as { events: Array<Record<string, unknown>> };
    expect(openPayloads(events).join('\n')).toContain(`{"workspace":"ws_demo","run":"${run}"}`);
  });
});
