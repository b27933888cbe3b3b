import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { NativeConnection, Worker, type ReplayHistoriesIterable } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleMismatch, dataConverterOf } from '../../activities/codec/index.js';
import { QUEUES } from '../../activities/temporal.js';
import { bundleWorkflows } from '../../stack/build.js';
import { SEARCH_ATTRIBUTES } from '../../stack/temporal.js';
import { readHistories } from '../histories/files.js';
import { silence } from '../workflows/world.js';
import { openPayloads, rawHistory } from './raw.js';

const keyText = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [A, B] = [keyText('key-a'), keyText('key-b')];
const settings = (...keys: string[]): { CAMPANA_CODEC_KEYS: string } => ({ CAMPANA_CODEC_KEYS: keys.join(',') });
const SECRET = 'Ana Torres <ana@example.com>';
const INDEXED = { Keyword: 2, Int: 3, Bool: 5, Datetime: 6 } as const;

let bundle = '';
beforeAll(async () => {
  silence();
  bundle = (await bundleWorkflows({ sealed: true })).path;
});

describe('failures, when payloads are encrypted', () => {
  const { failureConverter } = loadDataConverter(dataConverterOf(settings(A)));
  const written = (error: Error): string =>
    JSON.stringify(failureConverter.errorToFailure(error, defaultPayloadConverter), (name, value: unknown) =>
      name === 'encodedAttributes' ? 'sealed' : value,
    );

  it('say nothing in the open, nor do their causes', () => {
    const cause = new Error(`asked for ${SECRET}`);
    for (const error of [
      cause,
      ApplicationFailure.create({ message: SECRET, type: 'step_failed', cause }),
      new TypeError(SECRET, { cause }),
    ]) {
      expect(written(error)).not.toContain('Torres');
      expect(written(error)).toContain('Encoded failure');
    }
  });

  it('come back whole', () => {
    const failure = failureConverter.errorToFailure(ApplicationFailure.nonRetryable(SECRET, 'step_failed'), defaultPayloadConverter);
    expect(failureConverter.failureToError(failure, defaultPayloadConverter)).toMatchObject({
      message: SECRET,
      type: 'step_failed',
      nonRetryable: true,
    });
  });

  it('stay readable where they are fixed texts for operators, without stack and with their cause sealed', () => {
    for (const type of ['bad_request', 'refused', 'codec_key_unknown', 'codec_payload_invalid']) {
      const text = written(ApplicationFailure.create({ message: 'expected { reason }', type, cause: new Error(SECRET) }));
      expect(text).toContain('expected { reason }');
      expect(text).not.toContain('Torres');
      expect(text).not.toContain('sealed.test');
    }
  });
});

describe('the workflow bundle that goes with keys', () => {
  it('is told from the usual one, both ways', async () => {
    const [sealed, usual] = await Promise.all([readFile(bundle, 'utf8'), bundleWorkflows().then(({ path }) => readFile(path, 'utf8'))]);
    expect(bundleMismatch(sealed, settings(A))).toBeNull();
    expect(bundleMismatch(usual, {})).toBeNull();
    expect(bundleMismatch(usual, settings(A))).toContain('writes failures in the open');
    expect(bundleMismatch(sealed, {})).toContain('no codec keys');
  });

  it('replays the histories of before encryption', async () => {
    const saved = readHistories().filter((h) => ['automatic', 'operator', 'unconfirmed', 'undo'].includes(h.scenario));
    expect(saved.length).toBeGreaterThan(15);
    const given = (function* () {
      for (const h of saved) yield { workflowId: `${h.scenario}/${h.name}`, history: h.history };
    })() as unknown as ReplayHistoriesIterable;
    const failed: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories(
      { workflowBundle: { codePath: bundle }, dataConverter: dataConverterOf(settings(A, B)) },
      given,
    )) {
      if (error) failed.push(`${workflowId}: ${error.message}`);
    }
    expect(failed).toEqual([]);
  });
});

describe('workers and clients with keys, on a real server', () => {
  const namespace = `codec-${randomUUID()}`;
  let connection: Connection;
  let native: NativeConnection;
  beforeAll(async () => {
    const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
    [connection, native] = await Promise.all([Connection.connect({ address }), NativeConnection.connect({ address })]);
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } });
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED[type]])),
    });
  });
  afterAll(async () => {
    await connection.close();
    await native.close();
  });

  const client = (...keys: string[]): Client => new Client({ connection, namespace, dataConverter: dataConverterOf(settings(...keys)) });
  /** The campaign's workflow and its activities, of which the first fails for good and so does the one that would close the run. */
  const fail = (): Promise<never> => Promise.reject(ApplicationFailure.nonRetryable(SECRET, 'provider_refused'));
  const worker = (taskQueue: string, keys: string[], openRun: () => Promise<never> = fail): Promise<Worker> => {
    return Worker.create({
      connection: native,
      namespace,
      taskQueue,
      // As workers/main.ts has it.
      dataConverter: dataConverterOf(settings(...keys), { patient: true }),
      shutdownGraceTime: '1s',
      activities: { openRun, closeRun: fail },
      ...(taskQueue === QUEUES.campana ? { workflowBundle: { codePath: bundle }, stickyQueueScheduleToStartTimeout: '1s' } : {}),
    });
  };
  const start = (from: Client, workflowId = `campana/ws_codec/${randomUUID()}`) =>
    from.workflow.start('campana', {
      workflowId,
      taskQueue: QUEUES.campana,
      args: [{ workspace: 'ws_codec', run: 'run_codec' }],
      staticSummary: 'a summary',
      memo: { cuentas: 3 },
      workflowTaskTimeout: '2s',
    });

  /** Runs workers while something happens. */
  const during = async <T>(workers: Array<Promise<Worker>>, work: () => Promise<T>): Promise<T> => {
    const made = await Promise.all(workers);
    const running = Promise.all(made.map((w) => w.run()));
    try {
      return await work();
    } finally {
      for (const w of made) w.shutdown();
      await running;
    }
  };
  /** What a call failed with, and everything behind it. */
  const failure = async (call: Promise<unknown>): Promise<string> => {
    const texts: string[] = [];
    for (
      let error: unknown = await call.then(
        () => null,
        (e: unknown) => e,
      );
      error instanceof Error;
      error = error.cause
    )
      texts.push(error.message);
    return texts.join(' < ');
  };

  it('a workflow that fails keeps what it says inside the codec, and who has the key reads it', async () => {
    await during([worker(QUEUES.campana, [A]), worker(QUEUES.tools, [A])], async () => {
      const handle = await start(client(A));
      expect(await failure(handle.result())).toContain(SECRET);
      const history = await rawHistory(connection, namespace, handle.workflowId);
      expect(history.text).not.toContain('Torres');
      expect(history.text).toContain('Encoded failure');
      expect(openPayloads(history.events)).toEqual([]);
      expect((await handle.describe()).memo).toEqual({ cuentas: 3 });
    });
  });

  it('a worker without the key says which one is missing and fails nothing; with it, the workflow goes on', async () => {
    const handle = await start(client(A, B));
    const status = async (): Promise<string> => (await handle.describe()).status.name;
    await during([worker(QUEUES.campana, [B])], async () => {
      const said = async (): Promise<string> => (await rawHistory(connection, namespace, handle.workflowId)).text;
      await expect
        .poll(said, { timeout: 90_000, interval: 200 })
        .toContain('A payload needs codec key key-a; this process has only key-b.');
      expect(await status()).toBe('RUNNING');
    });
    const pending = async (): Promise<string> => JSON.stringify((await handle.describe()).raw.pendingActivities?.[0] ?? {});
    // Its tools' worker is the one that lacks the key now: the activity is tried again, the workflow does not end.
    await during([worker(QUEUES.campana, [A, B]), worker(QUEUES.tools, [B])], async () => {
      await expect.poll(pending, { timeout: 90_000, interval: 200 }).toContain('needs codec key key-a');
      expect(await status()).toBe('RUNNING');
    });
    // Nor where only what an earlier attempt left behind needs another key.
    const beats = (): Promise<never> => {
      Context.current().heartbeat({ done: 1 });
      return Promise.reject(ApplicationFailure.retryable('again', 'again'));
    };
    await during([worker(QUEUES.tools, [B, A], beats)], async () => {
      await expect.poll(pending, { timeout: 90_000, interval: 200 }).toContain('heartbeatDetails":{"payloads"');
    });
    await during([worker(QUEUES.tools, [A])], async () => {
      await expect.poll(pending, { timeout: 90_000, interval: 200 }).toContain('needs codec key key-b');
      expect(await status()).toBe('RUNNING');
    });
    // Rotated by then. It fails by its own activities, and no longer for want of a key.
    await during([worker(QUEUES.campana, [B, A]), worker(QUEUES.tools, [B, A])], async () => {
      expect(await failure(handle.result())).toContain(SECRET);
    });
  }, 600_000);
});
