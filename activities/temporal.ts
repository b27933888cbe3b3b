import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
  type DataConverter,
} from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { defineSearchAttributeKey } from '@temporalio/common';
import { dataConverterOf } from './codec/index.js';

/** Task queues and who polls them: `campana` workflows and bookkeeping, `herramientas` the tool server, `modelo` the model. */
export const QUEUES = { campana: 'campana', tools: 'herramientas', model: 'modelo' } as const;

/** Typed search attributes that a run carries in Temporal; the server has to know them (docs/running.md). */
export const ATTRIBUTES = {
  workspace: defineSearchAttributeKey('WorkspaceId', 'KEYWORD'),
  state: defineSearchAttributeKey('RunState', 'KEYWORD'),
  step: defineSearchAttributeKey('CurrentStep', 'KEYWORD'),
  planVersion: defineSearchAttributeKey('PlanVersion', 'INT'),
} as const;

/** The data converter of client and worker in this process, by `CAMPANA_CODEC_KEYS` (see `codec/`). */
export const dataConverter: DataConverter = dataConverterOf(process.env);

/** Address, namespace, TLS and API key as `@temporalio/envconfig` reads them (`TEMPORAL_*`, `temporal.toml`). */
export const temporalConfig = (): { connection: Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>; namespace: string } => {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const { address, tls, apiKey, metadata } = connectionOptions;
  return {
    connection: {
      address: address ?? '127.0.0.1:7233',
      ...(tls ? { tls } : {}),
      ...(apiKey ? { apiKey } : {}),
      ...(metadata ? { metadata } : {}),
    },
    namespace: namespace ?? 'default',
  };
};

/** A deadline-bound RPC that is tried again inside its deadline only twice: whoever calls has a net of its own. */
const RETRY = makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 3, initialIntervalMs: () => 50, maxIntervalMs: () => 500 }));

/**
 * A client that connects on its first call and comes back by itself (within about a second) after the server was away, so that
 * the API starts and takes taps without Temporal.
 * @param onCall told the RPC's name at each attempt
 */
export const createTemporal = (onCall?: (method: string) => void): Client => {
  const { connection, namespace } = temporalConfig();
  // Counted below the retries, so that every attempt on the wire is seen.
  const counted: NonNullable<ConnectionOptions['interceptors']>[number] = (options, nextCall) =>
    RETRY(options, (attempt) => {
      const { path } = attempt.method_definition;
      onCall?.(path.slice(path.lastIndexOf('/') + 1));
      return nextCall(attempt);
    });
  return new Client({
    connection: Connection.lazy({
      ...connection,
      interceptors: [counted],
      // The defaults back off to two minutes: a server that came back would be found that late.
      channelArgs: {
        'grpc.initial_reconnect_backoff_ms': 100,
        'grpc.min_reconnect_backoff_ms': 100,
        'grpc.max_reconnect_backoff_ms': 1_000,
        'grpc.keepalive_permit_without_calls': 1,
        'grpc.keepalive_time_ms': 10_000,
        'grpc.keepalive_timeout_ms': 3_000,
      },
    }),
    namespace,
    dataConverter,
  });
};
