import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { PlanEstimate } from '../../contracts/api.js';
import { HASTA, MODES, type Hasta } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { createRun, estimateRun, type CreateRunBody } from '../data/api.js';
import { keys, queries } from '../data/queries.js';
import { useGuard } from '../decisions/use-guard.js';
import { Problem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { useUnanswered } from './keyed.js';
import type { Prefill } from './prefill.js';
import { bodyOf, capsFor, capsGiven, SIZES, type Fields, type Given } from './new-run-fields.js';
import { EstimateView } from './estimate.js';

/** The form of a new campaign: fields, mode, caps, and the one button that asks for the price and then creates. */

const Field = ({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string | undefined;
  children: (ids: { id: string; hint: string | undefined }) => ReactNode;
}): ReactNode => {
  const id = useId();
  return (
    <div className="runs-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, hint: hint ? `${id}-hint` : undefined })}
      {hint ? (
        <p id={`${id}-hint`} className="quiet">
          {hint}
        </p>
      ) : null}
    </div>
  );
};

/** Where the accounts come from when they are those that another campaign missed. */
const Origin = ({ prefill }: { prefill: Prefill }): ReactNode => {
  const words = useWords();
  const { accounts, from } = prefill;
  if (!from) return null;
  const params = { objetivo: clean(from.objetivo), reason: words.missing(from.reason) };
  return (
    <div className="notice">
      <p>
        {accounts
          ? words.say('web.run.new.same_accounts', { n: accounts.length, ...params })
          : words.say('web.run.new.search_again', params)}
      </p>
      {accounts ? (
        <p className="quiet">
          {accounts.slice(0, 5).map((a, i) => (
            <span key={a.ref}>
              {i > 0 ? ', ' : ''}
              <bdi>{clean(a.name)}</bdi>
            </span>
          ))}
          {accounts.length > 5 ? ` ${words.say('view.decision.more', { n: accounts.length - 5 })}` : ''}
        </p>
      ) : null}
    </div>
  );
};

/** Asks for the price of what is filled in, then creates exactly that. */
export const Form = ({ prefill, close }: { prefill: Prefill; close: () => void }): ReactNode => {
  const words = useWords();
  const { say, amount } = words;
  const [, go] = useLocation();
  const approver = useWho().roles.includes('approver');
  const { sending, answered } = useUnanswered<CreateRunBody>('new-run');
  const { accounts } = prefill;
  const [fields, setFields] = useState<Fields>({
    giro: prefill.giro,
    estado: prefill.estado,
    cargo: prefill.cargo,
    tamano: prefill.tamano,
    cuentas: String(prefill.cuentas),
    hasta: prefill.hasta,
    modo: 'manual',
    caps: { credits: '', queries: '', inference: '' },
  });
  const [plan, setPlan] = useState<{ of: string; estimate: PlanEstimate } | null>(null);
  const [busy, setBusy] = useState<'estimate' | 'create' | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const guard = useGuard(`${plan?.of ?? ''} ${busy ?? ''}`);

  const body = bodyOf(
    fields,
    accounts,
    say('cli.title', {
      n: Number(fields.cuentas) || 1,
      cargo: fields.cargo.trim(),
      giro: fields.giro.trim(),
      estado: fields.estado.trim() || 'none',
    }).slice(0, 300),
  );
  const asked = JSON.stringify([body, capsGiven(fields)]);
  /** A price is of exactly what was asked: a changed field needs a new one. */
  const current = plan?.of === asked ? plan.estimate : null;
  const set = (change: Partial<Fields>): void => {
    setFields((before) => ({ ...before, ...change }));
    setFailure(null);
  };
  const setCap = (change: Partial<Given>): void => set({ caps: { ...fields.caps, ...change } });

  const estimate = (): void => {
    const given = capsGiven(fields);
    setBusy('estimate');
    estimateRun(Object.keys(given).length > 0 ? { ...body, caps: given } : body)
      .then((estimated) => setPlan({ of: asked, estimate: estimated }), setFailure)
      .finally(() => setBusy(null));
  };
  const create = (estimated: PlanEstimate): void => {
    const caps = capsFor(fields, estimated);
    const sent = sending(asked, caps ? { ...body, caps } : body);
    setBusy('create');
    createRun(sent.body, sent.key).then(
      ({ run_id }) => {
        answered();
        void queries.invalidateQueries({ queryKey: keys.runs });
        void queries.invalidateQueries({ queryKey: keys.balances });
        go(`/campanas/${run_id}`);
      },
      (error: unknown) => {
        answered(error);
        setFailure(error);
        setBusy(null);
      },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    setFailure(null);
    if (!current) estimate();
    else if (guard()) create(current);
  };

  const caps = current ? capsFor(fields, current) : undefined;
  const most = caps
    ? [
        amount('credits', caps.credits ?? 0),
        amount('queries', caps.queries ?? 0),
        ...(caps.inference_micros ? [amount('inference', caps.inference_micros)] : []),
      ].join(' · ')
    : '';
  const label =
    busy === 'create'
      ? say('web.run.new.creating')
      : busy === 'estimate'
        ? say('web.run.new.estimating')
        : !current
          ? say('web.run.new.estimate')
          : caps
            ? say('web.run.new.create_capped', { parts: most })
            : say('web.run.new.create');
  return (
    <form className="runs-form" onSubmit={submit} aria-label={say('web.runs.new')}>
      <Origin prefill={prefill} />
      <div className="runs-fields">
        {accounts ? null : (
          <Field label={say('web.run.new.giro')} hint={say('web.run.new.giro.hint')}>
            {({ id, hint }) => (
              <input
                id={id}
                aria-describedby={hint}
                value={fields.giro}
                maxLength={120}
                required
                onChange={(e) => set({ giro: e.target.value })}
              />
            )}
          </Field>
        )}
        {accounts ? null : (
          <Field label={say('web.run.new.estado')} hint={say('web.run.new.estado.hint')}>
            {({ id, hint }) => (
              <input
                id={id}
                aria-describedby={hint}
                value={fields.estado}
                maxLength={60}
                onChange={(e) => set({ estado: e.target.value })}
              />
            )}
          </Field>
        )}
        <Field
          label={say('web.run.new.cargo')}
          hint={say(prefill.from?.how === 'role' ? 'web.run.new.cargo.other' : 'web.run.new.cargo.hint')}
        >
          {({ id, hint }) => (
            <input
              id={id}
              aria-describedby={hint}
              value={fields.cargo}
              maxLength={120}
              required
              onChange={(e) => set({ cargo: e.target.value })}
            />
          )}
        </Field>
        <Field label={say('web.run.new.cuentas')} hint={say('web.run.new.cuentas.hint', { max: accounts?.length ?? 5000 })}>
          {({ id, hint }) => (
            <input
              id={id}
              aria-describedby={hint}
              type="number"
              inputMode="numeric"
              min={1}
              max={accounts?.length ?? 5000}
              step={1}
              value={fields.cuentas}
              required
              onChange={(e) => set({ cuentas: e.target.value })}
            />
          )}
        </Field>
        {accounts ? null : (
          <Field label={say('web.run.new.tamano')}>
            {({ id }) => (
              <select id={id} value={fields.tamano} onChange={(e) => set({ tamano: e.target.value })}>
                <option value="">{say('web.run.new.tamano.any')}</option>
                {SIZES.map((size) => (
                  <option key={size} value={size}>
                    {say(`web.run.new.tamano.${size}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label={say('web.run.new.hasta')}>
          {({ id }) => (
            <select id={id} value={fields.hasta} onChange={(e) => set({ hasta: e.target.value as Hasta })}>
              {HASTA.filter((end) => !accounts || end !== 'cuentas').map((end) => (
                <option key={end} value={end}>
                  {say(`web.run.new.hasta.${end}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <fieldset className="runs-modes">
        <legend>{say('web.run.new.modo')}</legend>
        {MODES.map((modo) => {
          const barred = modo === 'automatico' && !approver;
          return (
            <label key={modo} className="runs-mode">
              <input
                type="radio"
                name="modo"
                value={modo}
                checked={fields.modo === modo}
                aria-disabled={barred}
                onChange={() => !barred && set({ modo })}
              />
              <span>
                <b>{say(`web.run.new.modo.${modo}`)}</b>
                <span className="quiet">{say(barred ? 'web.run.new.modo.barred' : `web.run.new.modo.${modo}.hint`)}</span>
              </span>
            </label>
          );
        })}
      </fieldset>
      {fields.modo === 'automatico' ? (
        <fieldset className="runs-caps">
          <legend>{say('web.run.new.caps')}</legend>
          <p className="quiet">{say('web.run.new.caps.hint')}</p>
          <div className="runs-fields">
            <Field label={say('money.credits')}>
              {({ id }) => (
                <input
                  id={id}
                  type="number"
                  inputMode="numeric"
                  min={0}
                  step={1}
                  value={fields.caps.credits}
                  placeholder={current ? String(current.max.credits) : ''}
                  onChange={(e) => setCap({ credits: e.target.value })}
                />
              )}
            </Field>
            <Field label={say('money.queries')}>
              {({ id }) => (
                <input
                  id={id}
                  type="number"
                  inputMode="numeric"
                  min={0}
                  step={1}
                  value={fields.caps.queries}
                  placeholder={current ? String(current.max.queries) : ''}
                  onChange={(e) => setCap({ queries: e.target.value })}
                />
              )}
            </Field>
            <Field label={say('web.run.new.caps.inference')}>
              {({ id }) => (
                <input
                  id={id}
                  type="number"
                  inputMode="decimal"
                  min={0}
                  step={0.0001}
                  value={fields.caps.inference}
                  placeholder={current ? String(current.max.inference / 1_000_000) : ''}
                  onChange={(e) => setCap({ inference: e.target.value })}
                />
              )}
            </Field>
          </div>
        </fieldset>
      ) : null}
      <div className="runs-form-end">
        {current ? <EstimateView plan={current} /> : <p className="quiet">{say('web.run.new.free')}</p>}
        {current ? <p className="quiet">{say(caps ? 'web.run.new.capped' : 'web.run.new.then')}</p> : null}
        {failure ? <Problem error={failure} /> : null}
        <div className="buttons">
          <button type="submit" className="button main" aria-disabled={busy !== null}>
            {label}
          </button>
          <button type="button" className="button" onClick={close}>
            {say('web.run.new.leave')}
          </button>
        </div>
      </div>
    </form>
  );
};
