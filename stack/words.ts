import { text, type Language } from '../contracts/catalog/index.js';

// Whoever uses the stack as a library reads its lines in English, as the rest of its own; a command for people speaks theirs.
let language: Language = 'en';

/** From here on the stack's lines are in this language; a process has one. */
export const speak = (wanted: Language): void => void (language = wanted);

/** What a person asked for in this environment. */
export const languageOfEnv = (env: NodeJS.ProcessEnv = process.env): Language => (env['CAMPANA_IDIOMA'] === 'en' ? 'en' : 'es-MX');

/** A line of the stack for people, from the catalog (`stack.` and the code). */
export const said = (code: string, params: Record<string, unknown> = {}): string => text(language, `stack.${code}`, params);

/** The option that Node's parser of arguments did not want; null when `error` is another one. */
export const unknownOption = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('ERR_PARSE_ARGS')) return null;
  return /'([^']+)'/.exec(error.message)?.[1] ?? '';
};
