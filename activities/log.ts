import pino, { type Logger } from 'pino';

/**
 * Secrets and people's data, at the top of a line and one level down. `name` at the top is an error's class; further down it is somebody's.
 */
const NEVER = ['authorization', 'cookie', 'token', 'email', 'phone', 'rfc'];
const REDACTED = [...NEVER, ...NEVER.map((field) => `*.${field}`), '*.name'];

/** The log of a process: JSON lines on stdout, without what must never be in one. */
export const createLog = (level: string, name: 'api' | 'worker', to?: { write(line: string): void }): Logger =>
  pino({ level, base: { process: name }, redact: { paths: REDACTED, censor: '[redacted]' } }, ...(to ? [to] : []));
