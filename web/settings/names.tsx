import { useId, useState, type ReactNode } from 'react';
import { clean } from '../../view/words.js';
import { useWords } from '../words/words.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export interface NamesProps {
  part: 'integrations' | 'capabilities';
  /** Names that skills are known to ask for; others may be added. */
  known: readonly string[];
  /** null: nobody has said which there are, so nothing is taken to be missing. */
  value: string[] | null;
  set(value: string[] | null): void;
  /** Why this person may not change them; null when they may. */
  denied: string | null;
}

/** Which of some named things a workspace has, as toggles. */
export const NamesView = ({ part, known, value, set, denied }: NamesProps): ReactNode => {
  const { say, has } = useWords();
  const id = useId();
  const [added, setAdded] = useState('');
  const [wrong, setWrong] = useState(false);
  const [offered, setOffered] = useState<readonly string[]>([...new Set([...known, ...(value ?? [])])]);
  // One that is taken off stays to be put back; one that somebody else added shows up.
  const names = [...new Set([...offered, ...(value ?? [])])];
  const label = (name: string): string => (has(`web.settings.name.${name}`) ? say(`web.settings.name.${name}`) : clean(name));
  const may = denied === null;
  const toggle = (name: string): void =>
    set(value?.includes(name) ? value.filter((other) => other !== name) : [...(value ?? []), name].sort());
  const add = (): void => {
    const name = added.trim().toLowerCase();
    setWrong(!NAME.test(name));
    if (!NAME.test(name)) return;
    setOffered([...new Set([...names, name])]);
    set([...new Set([...(value ?? []), name])].sort());
    setAdded('');
  };
  return (
    <fieldset className="choices settings-names" data-field={part}>
      <legend>{say(`web.settings.${part}`)}</legend>
      <p className="quiet" id={`${id}-what`}>
        {say(`web.settings.${part}.what`)}
      </p>
      {may ? null : (
        <p className="quiet settings-denied" id={`${id}-denied`}>
          <span aria-hidden="true">– </span>
          {denied}
        </p>
      )}
      <label>
        <input
          type="checkbox"
          id={`settings-${part}`}
          checked={value !== null}
          aria-disabled={!may}
          aria-describedby={may ? `${id}-what` : `${id}-denied`}
          onChange={() => (may ? set(value === null ? [...known] : null) : undefined)}
        />
        {say(`web.settings.${part}.check`)}
      </label>
      {value === null ? null : (
        <div className="settings-list">
          {names.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={value.includes(name)}
                aria-disabled={!may}
                onChange={() => (may ? toggle(name) : undefined)}
              />
              <span>
                {label(name)}
                {has(`web.settings.name.${name}.what`) ? (
                  <span className="quiet settings-what">{say(`web.settings.name.${name}.what`)}</span>
                ) : null}
              </span>
            </label>
          ))}
          {may ? (
            <div className="settings-add">
              <label htmlFor={`${id}-add`}>{say(`web.settings.${part}.add`)}</label>
              <span className="settings-row">
                <input
                  id={`${id}-add`}
                  value={added}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  aria-invalid={wrong}
                  aria-describedby={wrong ? `${id}-wrong` : undefined}
                  onChange={(event) => setAdded(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return;
                    event.preventDefault();
                    add();
                  }}
                />
                <button type="button" className="button" onClick={add}>
                  {say('web.settings.add')}
                </button>
              </span>
              {wrong ? (
                <p id={`${id}-wrong`} className="field-fault">
                  <span aria-hidden="true">✗ </span>
                  {say('web.settings.fault.name')}
                </p>
              ) : null}
            </div>
          ) : null}
        </div>
      )}
    </fieldset>
  );
};
