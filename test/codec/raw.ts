import type { Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ENCRYPTED } from '../../activities/codec/aes.js';

export interface RawHistory {
  events: Array<Record<string, unknown>>;
  /** Everything in it as text, payloads as the bytes they are. */
  text: string;
}

const decoded = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'data' && typeof inner === 'string' ? Buffer.from(inner, 'base64').toString('latin1') : decoded(inner),
    ]),
  );
};

/** A history as the server has it, through no codec. */
export const rawHistory = async (connection: Connection, namespace: string, workflowId: string): Promise<RawHistory> => {
  const events: RawHistory['events'] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await connection.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId },
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    events.push(...(JSON.parse(historyToJSON(page.history ?? {})) as { events: RawHistory['events'] }).events);
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return { events, text: JSON.stringify(decoded(events)) };
};

/** Never encoded, by Temporal's own rules: what is searched by, and the bookkeeping that the SDK keeps in markers of local activities. */
const OPEN_BY_RULE = [/\.searchAttributes\./, /^markerRecordedEventAttributes\.details\.(data|patch-data)\.payloads\./];

/** Where payloads are in the open that should not be: paths inside their events, with what is in them. */
export const openPayloads = (events: RawHistory['events']): string[] => {
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { metadata, data } = value as { metadata?: Record<string, string>; data?: unknown };
    if (metadata && typeof metadata['encoding'] === 'string') {
      const encoding = Buffer.from(metadata['encoding'], 'base64').toString();
      if (encoding !== ENCRYPTED && !OPEN_BY_RULE.some((rule) => rule.test(path)))
        found.push(`${path}: ${encoding} ${Buffer.from(typeof data === 'string' ? data : '', 'base64').toString()}`);
      return;
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, path ? `${path}.${name}` : name);
  };
  for (const event of events) walk(event, '');
  return found;
};
