import { pollRuns, type Poll, type PolledRun } from '../db/poll.js';
import type { Pool } from '../db/client.js';

interface Asked extends Poll {
  resolve(row: PolledRun | null): void;
  reject(error: unknown): void;
}

/** A batch never asks for more runs than this in one statement. */
const MAX_BATCH = 1_000;

/**
 * Reads progress rows for everybody at once: at most one statement is under way and one batch waits behind it. A request only
 * joins a batch that has not started, so that nobody is answered from a snapshot older than their question.
 */
export class ProgressReader {
  private queued: Asked[] = [];
  private reading = false;
  /** Statements and answers so far, for the metrics. */
  readonly counts = { statements: 0, answers: 0 };

  constructor(private readonly pool: Pool) {}

  /** The run's row; `body` is null when `known` is its version. Null for a run that is not there. */
  read(run: string, known: number | null): Promise<PolledRun | null> {
    return new Promise((resolve, reject) => {
      this.queued.push({ run, known, resolve, reject });
      if (!this.reading) {
        this.reading = true;
        // Everything that arrived in the same turn of the event loop shares the first statement.
        setImmediate(() => void this.work());
      }
    });
  }

  private async work(): Promise<void> {
    while (this.queued.length > 0) {
      const batch = this.queued.splice(0, MAX_BATCH);
      const asked = new Map<string, Poll>();
      for (const { run, known } of batch) asked.set(`${run} ${known}`, { run, known });
      this.counts.statements += 1;
      this.counts.answers += batch.length;
      try {
        const rows = new Map<string, PolledRun>();
        const polls = [...asked.values()];
        for (const row of await pollRuns(this.pool, polls)) {
          // The same run may have been asked with several known versions; a row with a body answers all but the current one.
          const seen = rows.get(row.run_id);
          if (!seen || seen.body === null) rows.set(row.run_id, row);
        }
        for (const { run, known, resolve } of batch) {
          const row = rows.get(run) ?? null;
          resolve(row && row.version === known ? { ...row, body: null } : row);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.reading = false;
  }
}
