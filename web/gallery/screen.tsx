import { useEffect, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { Boundary } from '../shell/boundary.js';
import { applyTheme } from '../shell/preferences.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { CASES } from './cases.js';
import { GROUPS } from './groups.js';

/** Every state of every component, from fixtures: for whoever changes them, for tests and for pictures. `?grupo=` shows one part, `?caso=` one state of it. */
export const GalleryScreen = (): ReactNode => {
  const { say } = useWords();
  const params = new URLSearchParams(useSearch());
  const group = GROUPS.find((name) => name === params.get('grupo')) ?? null;
  const wanted = params.get('caso');
  const theme = params.get('tema');
  useEffect(() => {
    if (theme === 'light' || theme === 'dark') applyTheme(theme);
  }, [theme]);
  const cases = group === null ? null : CASES[group].filter(({ id }) => wanted === null || id === wanted);
  return (
    <main id="contenido">
      <h1>{say('web.gallery.title')}</h1>
      <nav aria-label={say('web.gallery.parts')}>
        <ul className="gallery-parts plain">
          {GROUPS.map((name) => (
            <li key={name}>
              <Link href={`/galeria?grupo=${name}`} aria-current={name === group ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {cases?.map(({ id, show }) => (
        <section key={id} className="gallery-case" data-case={id} aria-label={`${group} ${id}`}>
          <p className="gallery-id">
            <code>{id}</code>
          </p>
          <Boundary
            fallback={() => (
              <div data-testid="broken">
                <Problem error={null} />
              </div>
            )}
          >
            <Show show={show} />
          </Boundary>
        </section>
      ))}
    </main>
  );
};

/** Rendered by a component of its own: a fixture that breaks breaks its own case. */
const Show = ({ show }: { show: () => ReactNode }): ReactNode => show();
