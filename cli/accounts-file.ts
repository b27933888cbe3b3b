import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { GivenAccount } from '../contracts/criteria.js';
import { parseCsv } from './csv.js';
import { CliExit, EXIT } from './exit.js';

/** Column names as people write them, without accents and in lower case. */
const COLUMNS: Record<string, keyof GivenAccount> = {
  ref: 'ref',
  id: 'ref',
  clave: 'ref',
  name: 'name',
  nombre: 'name',
  empresa: 'name',
  cuenta: 'name',
  company: 'name',
  account: 'name',
  rfc: 'rfc',
  domain: 'domain',
  dominio: 'domain',
  sitio: 'domain',
  website: 'domain',
};
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim();
const hostOf = (value: string): string =>
  value
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/.*$/, '')
    .toLowerCase();

const fromCsv = (text: string): unknown[] => {
  const [head = [], ...rows] = parseCsv(text);
  const columns = head.map((name) => COLUMNS[plain(name)]);
  return rows.map((row) => {
    const account: Record<string, string> = {};
    columns.forEach((column, i) => {
      const value = row[i];
      if (column && value) account[column] ??= column === 'domain' ? hostOf(value) : column === 'rfc' ? value.toUpperCase() : value;
    });
    // Any name that tells two rows apart will do as a reference.
    return { ref: account['rfc'] ?? account['domain'] ?? account['name'], ...account };
  });
};

/**
 * The accounts a seller already has, from a JSON array or a CSV with a header (nombre, rfc, dominio, ref).
 * @throws CliExit 2 when it cannot be read or a row has no name
 */
export const readAccounts = async (file: string): Promise<GivenAccount[]> => {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CliExit(EXIT.usage, 'cli.error.file_unreadable', { file });
  });
  let rows: unknown;
  try {
    rows = /^\s*[[{]/.test(text) ? (JSON.parse(text) as unknown) : fromCsv(text);
  } catch {
    throw new CliExit(EXIT.usage, 'cli.error.file_json', { file });
  }
  const parsed = z.array(GivenAccount).min(1).max(5000).safeParse(rows);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CliExit(EXIT.usage, 'cli.error.file_row', {
    file,
    row: typeof issue?.path[0] === 'number' ? issue.path[0] + 1 : 0,
    field: String(issue?.path[1] ?? ''),
  });
};
