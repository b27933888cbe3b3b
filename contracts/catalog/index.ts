import { IntlMessageFormat } from 'intl-messageformat';
import es from './es-MX.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import adaEs from './ada.es-MX.json' with { type: 'json' };
import adaEn from './ada.en.json' with { type: 'json' };
import libraryEs from './library.es-MX.json' with { type: 'json' };
import libraryEn from './library.en.json' with { type: 'json' };
import webEs from './web.es-MX.json' with { type: 'json' };
import webEn from './web.en.json' with { type: 'json' };

export type Language = 'es-MX' | 'en';
const CATALOG: Record<Language, Record<string, string>> = {
  'es-MX': { ...es, ...adaEs, ...libraryEs, ...webEs },
  en: { ...en, ...adaEn, ...libraryEn, ...webEn },
};
const compiled = new Map<string, IntlMessageFormat>();

/** Every code that has a text, for the test that both languages hold the same ones. */
export const catalogCodes = (language: Language): string[] => Object.keys(CATALOG[language]);
export const hasText = (code: string): boolean => Object.hasOwn(CATALOG['es-MX'], code);

/**
 * The text for a code in ICU syntax. A code nobody translated is shown as itself, so that a person sees something true;
 * a test fails on it before that.
 */
export const text = (language: Language, code: string, params: Record<string, unknown> = {}): string => {
  const message = CATALOG[language][code] ?? CATALOG['es-MX'][code];
  if (message === undefined) return code;
  const key = `${language}\u0000${code}`;
  let format = compiled.get(key);
  if (!format) compiled.set(key, (format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
  try {
    return String(format.format(params as Record<string, string | number>));
  } catch {
    return message; // a parameter is missing: the pattern itself still tells more than nothing
  }
};
