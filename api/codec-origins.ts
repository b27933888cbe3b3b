import type { Env } from '../contracts/env.js';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** True for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean => LOOPBACK.includes(host) || host === '::1';

const originOf = (url: string): string | null =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : null;

/** On loopback the same page has several names, and people open it by any of them. */
const namesOf = (origin: string): string[] => {
  const url = new URL(origin);
  if (!isLoopback(url.hostname)) return [origin];
  return LOOPBACK.map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`);
};

/**
 * Origins whose pages may have payloads decoded: `CAMPANA_CODEC_ORIGINS`, else the Temporal UI's own.
 * @throws Error when an entry is no http or https address
 */
export const codecOrigins = (env: Pick<Env, 'CAMPANA_CODEC_ORIGINS' | 'CAMPANA_TEMPORAL_UI'>): ReadonlySet<string> => {
  const given = (env.CAMPANA_CODEC_ORIGINS || env.CAMPANA_TEMPORAL_UI)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return new Set(
    given.flatMap((entry) => {
      const origin = originOf(entry);
      if (origin === null) throw new Error(`CAMPANA_CODEC_ORIGINS: ${entry} is no address of a page, like https://temporal.example.com.`);
      return namesOf(origin);
    }),
  );
};
