import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InstallRefusal } from './refusal.js';

export type Source =
  | { kind: 'folder'; text: string; path: string }
  | { kind: 'archive'; text: string; path: string }
  | { kind: 'download'; text: string; url: string }
  | { kind: 'git'; text: string; url: string; ref: string | null };

const ARCHIVE = /\.(?:tar\.gz|tgz)$/i;
const REF = /^(?!-)(?!.*(?:\.\.|@\{|\/\/|\.lock$|\/$))[A-Za-z0-9._/-]{1,200}$/;
// As git tells a host from a folder: user@host:path, and nothing that looks like an option on either side.
const SCP = /^[A-Za-z0-9_][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!-)[^\s:]+$/;

const invalid = (text: string): InstallRefusal => new InstallRefusal('source_invalid', { source: text.slice(0, 200) });

/** What a person gave as a source. Nothing is contacted; only a local path is looked at. */
export const readSource = async (given: string, cwd = process.cwd()): Promise<Source> => {
  const text = given.trim();
  if (text === '' || text.length > 2_000 || text.startsWith('-') || [...text].some((c) => c < ' ' || c === '\u007f')) throw invalid(text);
  // `ext::sh -c …` and its like: a transport that runs what it is told.
  if (/^[A-Za-z0-9+.-]+::/.test(text)) throw invalid(text);

  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined && !text.includes('@')) return local(text, resolve(cwd, text));
  const hash = text.indexOf('#');
  const [address, ref] = hash < 0 ? [text, null] : [text.slice(0, hash), text.slice(hash + 1)];
  if (scheme === undefined) {
    if (!SCP.test(address)) return local(text, resolve(cwd, text));
    return git(text, address, ref);
  }
  if (scheme === 'http' || scheme === 'git' || scheme === 'ftp')
    throw new InstallRefusal('source_insecure', { source: text.slice(0, 200) });
  if (!['https', 'ssh', 'file'].includes(scheme) || !URL.canParse(address)) throw invalid(text);
  const url = new URL(address);
  const path = decoded(url.pathname);
  if (path === null || path.includes('\0') || url.hostname.startsWith('-') || url.username.startsWith('-') || path.startsWith('/-'))
    throw invalid(text);
  // It would be kept in the lock file and shown in lists.
  if (url.password !== '' || (scheme === 'https' && url.username !== '')) throw new InstallRefusal('source_credentials', {});
  if (ARCHIVE.test(url.pathname) && ref === null) {
    if (scheme === 'https') return { kind: 'download', text, url: url.href };
    // Another machine's file, or a name with a slash in it, is no path here.
    if (url.hostname !== '' || /%(?:2f|5c)/i.test(url.pathname)) throw invalid(text);
    return local(text, fileURLToPath(url));
  }
  return git(text, address, ref);
};

const decoded = (path: string): string | null => {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
};

const git = (text: string, url: string, ref: string | null): Source => {
  if (ref !== null && !REF.test(ref)) throw invalid(text);
  return { kind: 'git', text, url, ref };
};

/** A path is kept absolute: an update may be asked for from elsewhere. */
const local = async (text: string, path: string): Promise<Source> => {
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory()) return { kind: 'folder', text: path, path };
  if (info?.isFile() && ARCHIVE.test(basename(path))) return { kind: 'archive', text: path, path };
  throw new InstallRefusal(info ? 'source_invalid' : 'source_missing', { source: text.slice(0, 200) });
};

/** What a single skill at the source's root is called when it does not say. */
export const nameOfSource = (source: Source): string =>
  basename((source.kind === 'git' || source.kind === 'download' ? source.url : source.path).replace(/[/\\]+$/, ''))
    .replace(ARCHIVE, '')
    .replace(/\.git$/, '');
