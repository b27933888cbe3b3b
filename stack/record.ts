import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, isSame, type ProcessIdentity } from './identity.js';
import { PART_NAMES, type PartName } from './part.js';
import type { Say } from './screen.js';
import type { Sample, StackUrls } from './types.js';
import { said } from './words.js';

/** What `.campana/stack.json` says about a running stack. No secrets: the token is in its own file. */
export interface StackRecord {
  format: 1;
  startedAt: string;
  supervisor: ProcessIdentity;
  sample: Sample;
  urls: StackUrls;
  /** Checked by a second start: the stack is usable when this answers. */
  healthUrl: string;
  parts: Partial<Record<PartName, ProcessIdentity>>;
  tokenFile: string;
  logs: string;
  versions: Record<string, string>;
}

const fileOf = (stateDir: string): string => join(stateDir, 'stack.json');

/** The record of a state folder; undefined when there is none or it cannot be read. */
export const readRecord = async (stateDir: string): Promise<StackRecord | undefined> => {
  try {
    const record = JSON.parse(await readFile(fileOf(stateDir), 'utf8')) as StackRecord;
    return record.format === 1 ? record : undefined;
  } catch {
    return undefined;
  }
};

/** Replaces the record in one step: a reader never sees half of it. */
export const writeRecord = async (stateDir: string, record: StackRecord): Promise<void> => {
  const fresh = `${fileOf(stateDir)}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(record, null, 2)}\n`);
  await rename(fresh, fileOf(stateDir));
};

export const dropRecord = (stateDir: string): Promise<void> => rm(fileOf(stateDir), { force: true });

/** True when the supervisor that wrote the record still runs. */
export const isSupervised = (record: StackRecord): boolean => isSame(record.supervisor);

/** Stops what a killed supervisor left running, newest part first, and removes its record. */
export const endLeftovers = async (stateDir: string, record: StackRecord, say: Say): Promise<void> => {
  for (const name of [...PART_NAMES].reverse()) {
    const part = record.parts[name];
    if (!part || !isSame(part)) continue;
    say(said('leftover', { part: name.padEnd(11), pid: part.pid }));
    await endProcess(part.pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM', name === 'postgres' ? 15_000 : 3_000);
  }
  await dropRecord(stateDir);
};
