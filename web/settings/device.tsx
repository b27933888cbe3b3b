import type { ReactNode } from 'react';
import type { Language } from '../../contracts/catalog/index.js';
import type { Theme } from '../shell/preferences.js';
import { useWords } from '../words/words.js';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
/** Each language by its own name: whoever ended up in the wrong one has to find theirs. */
export const LANGUAGES: ReadonlyArray<{ code: Language; name: string }> = [
  { code: 'es-MX', name: 'Español (México)' },
  { code: 'en', name: 'English' },
];

/** How the page looks and speaks here; takes effect at once and concerns nobody else. */
export const DeviceView = ({
  language,
  chooseLanguage,
  theme,
  chooseTheme,
}: {
  language: Language;
  chooseLanguage: (language: Language) => void;
  theme: Theme;
  chooseTheme: (theme: Theme) => void;
}): ReactNode => {
  const { say } = useWords();
  return (
    <section className="panel settings-part" aria-labelledby="settings-device">
      <h2 id="settings-device">{say('web.settings.device')}</h2>
      <p className="quiet">{say('web.settings.device.what')}</p>
      <div className="settings-pair">
        <fieldset className="choices">
          <legend>{say('web.settings.language')}</legend>
          {LANGUAGES.map(({ code, name }) => (
            <label key={code}>
              <input type="radio" name="device-language" checked={language === code} onChange={() => chooseLanguage(code)} />{' '}
              <span lang={code}>{name}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className="choices">
          <legend>{say('web.settings.theme')}</legend>
          {THEMES.map((one) => (
            <label key={one}>
              <input type="radio" name="theme" checked={theme === one} onChange={() => chooseTheme(one)} />{' '}
              {say(`web.settings.theme.${one}`)}
            </label>
          ))}
        </fieldset>
      </div>
    </section>
  );
};
