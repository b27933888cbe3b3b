import { eventsOf, missedEvents, runVersions, type FeedEvent } from '../db/event-feed.js';
import { eventsAfter } from '../db/runs.js';
import type { Pool } from '../db/client.js';
import { formatEvent, type EventStream } from './sse.js';
import type { Hub } from './hub.js';

/** Events read at once; more of them follow in the next round. */
const ROUND = 500;
/** A stream that missed more than this is told to look at everything afresh. */
const MAX_MISSED = 2_000;

interface Reader {
  stream: EventStream;
  /** Only this run, or all of the workspace. */
  run: string | null;
  /** Versions sent while catching up, so that what arrives meanwhile is not sent twice. */
  sent: Map<string, number>;
  /** Live events wait here until the reader has caught up. */
  held: FeedEvent[] | null;
}

const idOf = (e: FeedEvent): string => `${e.run_id}:${e.version}`;
const asText = (e: FeedEvent): string =>
  formatEvent('run.progress', idOf(e), { run_id: e.run_id, version: e.version, kind: e.kind, params: e.params, patch: e.patch, at: e.at });

/** The live events of one workspace: each is read once, however many listen. */
class WorkspaceFeed {
  readonly readers = new Set<Reader>();
  private readonly last = new Map<string, number>();
  private readonly dirty = new Set<string>();
  private working = false;
  readonly ready: Promise<void>;

  constructor(
    private readonly pool: Pool,
    private readonly workspace: string,
  ) {
    this.ready = runVersions(pool, workspace).then((rows) => {
      for (const { run_id, version } of rows) if (!this.last.has(run_id)) this.last.set(run_id, version);
    });
  }

  moved(run: string, version: number): void {
    if (version <= (this.last.get(run) ?? 0)) return;
    this.dirty.add(run);
    void this.work();
  }

  /** Notifications were lost: every run that moved since is read again. */
  async resync(): Promise<void> {
    for (const { run_id, version } of await runVersions(this.pool, this.workspace)) this.moved(run_id, version);
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      await this.ready;
      while (this.dirty.size > 0) {
        const after = [...this.dirty].map((run) => ({ run, version: this.last.get(run) ?? 0 }));
        this.dirty.clear();
        const events = await eventsOf(this.pool, this.workspace, after, ROUND);
        for (const event of events) {
          if (event.version <= (this.last.get(event.run_id) ?? 0)) continue;
          this.last.set(event.run_id, event.version);
          this.send(event);
        }
        if (events.length === ROUND) for (const { run } of after) this.dirty.add(run);
      }
    } catch {
      // The database is away; the hub's reconnection brings a resync.
    } finally {
      this.working = false;
    }
  }

  private send(event: FeedEvent): void {
    const text = asText(event);
    for (const reader of this.readers) {
      if (reader.run !== null && reader.run !== event.run_id) continue;
      if (reader.held) reader.held.push(event);
      else if (event.version > (reader.sent.get(event.run_id) ?? 0)) reader.stream.write(text);
    }
  }
}

/** All event streams of this process. */
export class EventFeed {
  private readonly feeds = new Map<string, WorkspaceFeed>();
  private readonly streams = new Set<EventStream>();

  constructor(
    private readonly pool: Pool,
    hub: Hub,
  ) {
    hub.onMoved(({ workspace, run, version }) => this.feeds.get(workspace)?.moved(run, version));
    hub.onResync(() => {
      for (const feed of this.feeds.values()) void feed.resync().catch(() => undefined);
    });
  }

  count(workspace?: string): number {
    return workspace === undefined ? this.streams.size : (this.feeds.get(workspace)?.readers.size ?? 0);
  }

  /**
   * Adds a stream: first what it missed since `last`, then everything that happens, in order and without a gap between the two.
   * @param make opens the stream; called when the workspace's starting point is known
   */
  async add(
    workspace: string,
    run: string | null,
    last: { run: string; version: number } | null,
    make: (closed: () => void) => EventStream,
  ): Promise<void> {
    const feed = this.feeds.get(workspace) ?? new WorkspaceFeed(this.pool, workspace);
    this.feeds.set(workspace, feed);
    try {
      await feed.ready;
    } catch (error) {
      if (this.feeds.get(workspace) === feed) this.feeds.delete(workspace);
      throw error;
    }
    const stream = make(() => {
      feed.readers.delete(reader);
      this.streams.delete(stream);
      if (feed.readers.size === 0 && this.feeds.get(workspace) === feed) this.feeds.delete(workspace);
    });
    const reader: Reader = { stream, run, sent: new Map(), held: [] };
    // Another stream's end may have dropped the feed while this one waited.
    this.feeds.set(workspace, feed);
    feed.readers.add(reader);
    this.streams.add(stream);
    if (last) await this.catchUp(workspace, run, last, reader);
    const held = reader.held ?? [];
    reader.held = null;
    for (const event of held) if (event.version > (reader.sent.get(event.run_id) ?? 0)) stream.write(asText(event));
  }

  private async catchUp(workspace: string, run: string | null, last: { run: string; version: number }, reader: Reader): Promise<void> {
    try {
      const missed =
        run === null
          ? await missedEvents(this.pool, workspace, last, MAX_MISSED + 1)
          : (await eventsAfter(this.pool, workspace, run, last.run === run ? last.version : 0, MAX_MISSED + 1)).map((e) => ({
              ...e,
              run_id: run,
            }));
      if (missed === null || missed.length > MAX_MISSED) {
        reader.stream.write(formatEvent('reset', null, { reason: missed === null ? 'unknown_event' : 'too_many' }));
        return;
      }
      for (const event of missed) {
        reader.sent.set(event.run_id, Math.max(event.version, reader.sent.get(event.run_id) ?? 0));
        reader.stream.write(asText(event));
      }
    } catch {
      reader.stream.end();
    }
  }

  /** Ends every stream: the process is going. */
  end(): void {
    for (const stream of [...this.streams]) stream.end();
  }
}
