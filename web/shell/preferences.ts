import type { Language } from '../../contracts/catalog/index.js';

export type Theme = 'system' | 'light' | 'dark';
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* a browser that keeps nothing still works */
  }
};

/** What a person chose on this device; their browser's language until then. */
export const storedLanguage = (): Language => {
  const stored = read('campana.language');
  if (stored === 'es-MX' || stored === 'en') return stored;
  return navigator.language.toLowerCase().startsWith('en') ? 'en' : 'es-MX';
};
export const storeLanguage = (language: Language): void => write('campana.language', language);
export const storedTheme = (): Theme => {
  const stored = read('campana.theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};
export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};
export const storeTheme = (theme: Theme): void => {
  write('campana.theme', theme);
  applyTheme(theme);
};
