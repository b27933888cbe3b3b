import { createContext, useContext, type ReactNode } from 'react';
import type { Language } from '../../contracts/catalog/index.js';
import type { Theme } from './preferences.js';

/** How the page looks and speaks on this device. */
export interface Look {
  language: Language;
  chooseLanguage(language: Language): void;
  theme: Theme;
  chooseTheme(theme: Theme): void;
  /** Zone of the workspace (IANA); the device's own until it is known. */
  zone: string | undefined;
  setZone(zone: string): void;
}
const Context = createContext<Look | null>(null);
export const LookProvider = ({ look, children }: { look: Look; children: ReactNode }): ReactNode => (
  <Context value={look}>{children}</Context>
);
export const useLook = (): Look => {
  const look = useContext(Context);
  if (!look) throw new Error('no look');
  return look;
};
