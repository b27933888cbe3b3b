import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import type { Settings } from '../../contracts/api.js';
import { useServerNow } from '../data/clock.js';
import { ApiProblem } from '../data/problem.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { LANGUAGES } from './device.js';
import {
  changedFields,
  faultsOf,
  fieldOfRefusal,
  fieldsOf,
  limitsOf,
  type Fault,
  type Faults,
  type Field,
  type Fields,
  type NumberField,
} from './form.js';
import { NamesView } from './names.js';

/** What the skills of the library ask for today. */
const KNOWN = { integrations: ['buzon'], capabilities: [] as string[] };

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
};
const idOf = (field: Field): string => `settings-${field}`;

const Fault = ({ field, fault }: { field: Field; fault: Fault | undefined }): ReactNode => {
  const { say } = useWords();
  return fault ? (
    <p id={`${idOf(field)}-fault`} className="field-fault">
      <span aria-hidden="true">✗ </span>
      {say(fault.code, fault.params)}
    </p>
  ) : null;
};

interface FieldProps {
  value: string;
  set(value: string): void;
  fault: Fault | undefined;
  denied: string | null;
}

const Zone = ({ value, set, fault, denied }: FieldProps): ReactNode => {
  const { say, language } = useWords();
  const now = useServerNow();
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const there = isZone(value.trim())
    ? new Intl.DateTimeFormat(language, {
        timeZone: value.trim(),
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }).format(now)
    : null;
  return (
    <div className="settings-field">
      <label htmlFor="settings-zone">{say('web.settings.zone')}</label>
      <input
        id="settings-zone"
        list="settings-zones"
        value={value}
        autoComplete="off"
        spellCheck={false}
        readOnly={denied !== null}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? 'settings-zone-fault' : 'settings-zone-what'}
        onChange={(event) => set(event.target.value)}
      />
      <datalist id="settings-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <p id="settings-zone-what" className="quiet">
        {there ? say('web.settings.zone.now', { at: there }) : say('web.settings.zone.what')}
      </p>
      <Fault field="zone" fault={fault} />
    </div>
  );
};

const NumberInput = ({ field, value, set, fault, denied }: FieldProps & { field: NumberField }): ReactNode => {
  const { say } = useWords();
  const { min, max } = limitsOf(field);
  const id = idOf(field);
  return (
    <div className="settings-field">
      <label htmlFor={id}>{say(`web.settings.${field}`)}</label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        value={value}
        readOnly={denied !== null}
        aria-invalid={fault !== undefined}
        aria-describedby={[fault ? `${id}-fault` : '', `${id}-what`].filter((one) => one !== '').join(' ')}
        onChange={(event) => set(event.target.value)}
      />
      <p id={`${id}-what`} className="quiet">
        {say(`web.settings.${field}.what`, { min, max })}
        {denied === null ? '' : ` ${denied}`}
      </p>
      <Fault field={field} fault={fault} />
    </div>
  );
};

export interface WorkspaceProps {
  settings: Settings;
  /** May change settings; may change what only an operator changes. */
  may: boolean;
  operator: boolean;
  /** Stores the changed fields. @throws what the API refuses */
  save(fields: Fields, read: Settings): Promise<void>;
  /** When it was last saved here, as a time in words; null before that. */
  savedAt: string | null;
}

/** The workspace's settings as one form: what is wrong is said at its field, and nothing that was typed is lost. */
export const WorkspaceView = ({ settings, may, operator, save, savedAt }: WorkspaceProps): ReactNode => {
  const { say } = useWords();
  const [touched, setTouched] = useState<Partial<Fields>>({});
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [saving, setSaving] = useState(false);
  // Fields that nobody touched follow what somebody else saves.
  const fields: Fields = { ...fieldsOf(settings), ...touched };
  const changed = changedFields(settings, fields);
  const set =
    <F extends Field>(field: F) =>
    (value: Fields[F]): void => {
      setTouched((before) => ({ ...before, [field]: value }));
      setFaults((before) => ({ ...before, [field]: undefined }));
    };
  const point = (found: Faults): void => {
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) document.getElementById(idOf(first as Field))?.focus();
  };
  const submit = async (): Promise<void> => {
    if (saving || !may || changed.length === 0) return;
    setFailure(null);
    const found = faultsOf(fields, isZone);
    if (Object.keys(found).length > 0) return point(found);
    setSaving(true);
    try {
      await save(fields, settings);
      setTouched({});
      setFaults({});
    } catch (error) {
      const field = error instanceof ApiProblem ? fieldOfRefusal(error.code, error.params, changed) : null;
      if (field && error instanceof ApiProblem) point({ [field]: { code: error.code, params: error.params } });
      else setFailure(error);
    } finally {
      setSaving(false);
    }
  };
  const denied = may ? null : say('web.settings.denied');
  const deniedOperator = operator ? null : say('web.settings.denied_operator');
  const field = (name: Exclude<Field, 'integrations' | 'capabilities' | 'language'>, no = denied): FieldProps => ({
    value: fields[name],
    set: set(name),
    fault: faults[name],
    denied: no,
  });
  const line = saving
    ? say('web.settings.saving')
    : changed.length > 0
      ? say('web.settings.unsaved', { n: changed.length })
      : savedAt === null
        ? say('web.settings.no_changes')
        : say('web.settings.saved', { at: savedAt });
  return (
    <section className="panel settings-part" aria-labelledby="settings-workspace">
      <h2 id="settings-workspace">{say('web.settings.workspace')}</h2>
      <p className="quiet">{say('web.settings.workspace.what')}</p>
      {denied ? <p className="notice">{denied}</p> : null}
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="settings-pair">
          <Zone {...field('zone')} />
          <div className="settings-field">
            <label htmlFor="settings-language">{say('web.settings.workspace_language')}</label>
            <select
              id="settings-language"
              value={fields.language}
              aria-disabled={!may}
              aria-describedby="settings-language-what"
              onChange={(event) => (may ? set('language')(event.target.value as Fields['language']) : undefined)}
            >
              {LANGUAGES.map(({ code, name }) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
            <p id="settings-language-what" className="quiet">
              {say('web.settings.workspace_language.what')}
            </p>
          </div>
          <NumberInput field="concurrency" {...field('concurrency')} />
          <NumberInput field="calls_per_second" {...field('calls_per_second')} />
          <NumberInput field="second_approver_above" {...field('second_approver_above', denied ?? deniedOperator)} />
        </div>
        <NamesView part="integrations" known={KNOWN.integrations} value={fields.integrations} set={set('integrations')} denied={denied} />
        <NamesView
          part="capabilities"
          known={KNOWN.capabilities}
          value={fields.capabilities}
          set={set('capabilities')}
          denied={denied ?? deniedOperator}
        />
        <Fault field="capabilities" fault={faults.capabilities} />
        <Fault field="integrations" fault={faults.integrations} />
        {failure ? <Problem error={failure} retry={() => void submit()} /> : null}
        <div className="settings-save">
          <p className="settings-standing" data-testid="settings-standing">
            <span aria-hidden="true">{changed.length > 0 ? '● ' : '✓ '}</span>
            {line}
          </p>
          <div className="buttons">
            {changed.length > 0 && !saving ? (
              <button
                type="button"
                className="button"
                onClick={() => {
                  setTouched({});
                  setFaults({});
                  setFailure(null);
                }}
              >
                {say('web.settings.discard')}
              </button>
            ) : null}
            <button type="submit" className="button main" aria-disabled={saving || !may || changed.length === 0}>
              {say(saving ? 'web.settings.saving' : 'web.settings.save')}
            </button>
          </div>
        </div>
      </form>
    </section>
  );
};
