import { IntlMessageFormat } from 'intl-messageformat';
import { createContext, useContext, type ReactNode } from 'react';
import type { Language } from '../../contracts/catalog/index.js';
import { Words } from '../../view/words.js';

type Texts = Record<string, string>;
const load: Record<Language, () => Promise<Texts>> = {
  'es-MX': async () => (await import('virtual:catalog/es-MX')).default,
  en: async () => (await import('virtual:catalog/en')).default,
};

/** The texts of one language, ready to be said. */
export const loadWords = async (language: Language, zone?: string): Promise<Words> => {
  const texts = await load[language]();
  const compiled = new Map<string, IntlMessageFormat>();
  return new Words(
    language,
    {
      has: (code) => Object.hasOwn(texts, code),
      text: (code, params) => {
        const message = texts[code];
        // A code nobody translated is shown as itself; a test fails on it before anybody sees it.
        if (message === undefined) return code;
        let format = compiled.get(code);
        if (!format) compiled.set(code, (format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
        try {
          return String(format.format(params as Record<string, string | number>));
        } catch {
          return message;
        }
      },
    },
    zone,
  );
};

const Context = createContext<Words | null>(null);
export const WordsProvider = ({ words, children }: { words: Words; children: ReactNode }): ReactNode => (
  <Context value={words}>{children}</Context>
);

/** Says catalog codes in the person's language. */
export const useWords = (): Words => {
  const words = useContext(Context);
  if (!words) throw new Error('no words yet');
  return words;
};
