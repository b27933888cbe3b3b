import { useId, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { clean } from '../../view/words.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { nameOf } from './list.js';
import { faults, MAX_BODY, MAX_SUBJECT, type Draft, type Local, type Standing, type Text } from './local.js';

export interface EditorProps {
  draft: Draft;
  /** 1-based place among all, and how many there are. */
  position: number;
  total: number;
  go(step: -1 | 1): void;
  local: Local | null;
  standing: Standing;
  saving: boolean;
  failure: unknown;
  /** Reviewed already: to be read only. */
  closed: boolean;
  edit(text: Text): void;
  save(): void;
  keepMine(): void;
  takeTheirs(): void;
}

/** "10:42" is a time of today, anything longer names its day. */
const savedCode = (at: string): string => (/^\d\d?:\d\d$/.test(at) ? 'web.sequence.saved_at' : 'web.sequence.saved_on');

/** How the text stands: said in words, always in the same place. */
const StandingLine = ({ draft, standing, saving, id }: Pick<EditorProps, 'draft' | 'standing' | 'saving'> & { id: string }): ReactNode => {
  const { say, moment } = useWords();
  const at = draft.edited_at === null ? null : moment(draft.edited_at);
  const text = saving
    ? say('web.sequence.saving')
    : standing === 'unsaved'
      ? say('web.sequence.unsaved')
      : standing === 'conflict'
        ? say('web.sequence.conflicts')
        : at === null
          ? say('web.sequence.unchanged')
          : say(savedCode(at), { at });
  return (
    <p
      id={id}
      className={`sequence-standing ${saving || standing === 'saved' ? 'quiet' : 'sequence-standing-open'}`}
      data-testid="standing"
    >
      <span aria-hidden="true">{saving ? '…' : standing === 'saved' ? '✓' : '●'} </span>
      {text}
    </p>
  );
};

/** Two texts of one draft, and which of them stays. */
const Conflict = ({
  draft,
  local,
  saving,
  keepMine,
  takeTheirs,
}: Pick<EditorProps, 'draft' | 'saving' | 'keepMine' | 'takeTheirs'> & { local: Local }): ReactNode => {
  const { say, moment } = useWords();
  const title = useId();
  const by = clean(draft.edited_by ?? '') || say('somebody');
  const texts = [
    { who: say('web.sequence.mine'), text: local },
    { who: say('web.sequence.theirs', { by, at: draft.edited_at === null ? '—' : moment(draft.edited_at) }), text: draft },
  ];
  return (
    <section className="notice warn sequence-conflict" aria-labelledby={title}>
      <h3 id={title}>{say('web.sequence.conflict', { by })}</h3>
      <p>{say('web.sequence.conflict.how')}</p>
      <div className="sequence-two">
        {texts.map(({ who, text }) => (
          <div key={who} className="sequence-text" role="group" aria-label={who} tabIndex={0}>
            <h4>{who}</h4>
            <p dir="auto">
              <strong>{text.subject}</strong>
            </p>
            <p dir="auto" className="sequence-body">
              {text.body}
            </p>
          </div>
        ))}
      </div>
      <div className="buttons">
        <button type="button" className="button" aria-disabled={saving} onClick={() => (saving ? undefined : keepMine())}>
          {say('web.sequence.keep_mine')}
        </button>
        <button type="button" className="button" aria-disabled={saving} onClick={() => (saving ? undefined : takeTheirs())}>
          {say('web.sequence.take_theirs')}
        </button>
      </div>
    </section>
  );
};

const Reader = ({ draft }: { draft: Draft }): ReactNode => (
  <div className="sequence-text">
    <h3 dir="auto">{draft.subject || '—'}</h3>
    <p dir="auto" className="sequence-body">
      {draft.body || '—'}
    </p>
  </div>
);

/** A text that was still being written when the review ended: not part of it, and not thrown away either. */
const LeftOut = ({ local, discard }: { local: Local; discard: () => void }): ReactNode => {
  const { say } = useWords();
  return (
    <div className="notice warn">
      <p>{say('web.sequence.left_out')}</p>
      <div className="sequence-text">
        <p dir="auto">
          <strong>{local.subject}</strong>
        </p>
        <p dir="auto" className="sequence-body">
          {local.body}
        </p>
      </div>
      <button type="button" className="button" onClick={discard}>
        {say('web.sequence.discard')}
      </button>
    </div>
  );
};

const Form = ({ draft, local, standing, saving, failure, edit, save, takeTheirs }: EditorProps): ReactNode => {
  const { say, count } = useWords();
  const id = useId();
  const [asked, setAsked] = useState(false);
  const text: Text = local ?? draft;
  const wrong = faults(text);
  const fault = (field: 'subject' | 'body', limit: number): ReactNode => {
    const code = wrong[field];
    // What is too long is said at once; that something is missing, when somebody wants to save.
    return code && (asked || text[field].length > limit) ? (
      <p id={`${id}-${field}-fault`} className="field-fault">
        <span aria-hidden="true">✗ </span>
        {say(code, { max: limit })}
      </p>
    ) : null;
  };
  const subjectFault = fault('subject', MAX_SUBJECT);
  const bodyFault = fault('body', MAX_BODY);
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    setAsked(true);
    if (wrong.subject) document.getElementById(`${id}-subject`)?.focus();
    else if (wrong.body) document.getElementById(`${id}-body`)?.focus();
    else if (!saving && standing === 'unsaved') save();
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className="sequence-form" onSubmit={submit} onKeyDown={keys} noValidate>
      <label htmlFor={`${id}-subject`}>{say('web.sequence.subject')}</label>
      <input
        id={`${id}-subject`}
        dir="auto"
        value={text.subject}
        autoComplete="off"
        aria-invalid={subjectFault !== null}
        aria-describedby={subjectFault ? `${id}-subject-fault` : `${id}-standing`}
        onChange={(event) => edit({ subject: event.target.value, body: text.body })}
      />
      {subjectFault}
      <label htmlFor={`${id}-body`}>{say('web.sequence.body')}</label>
      <textarea
        id={`${id}-body`}
        dir="auto"
        rows={12}
        value={text.body}
        aria-invalid={bodyFault !== null}
        aria-describedby={bodyFault ? `${id}-body-fault` : `${id}-length`}
        onChange={(event) => edit({ subject: text.subject, body: event.target.value })}
      />
      <p id={`${id}-length`} className="quiet sequence-length">
        {say('web.sequence.length', { n: count(text.body.length), max: count(MAX_BODY) })}
      </p>
      {bodyFault}
      {failure ? <Problem error={failure} retry={standing === 'unsaved' ? () => submit() : undefined} /> : null}
      <div className="sequence-save">
        <StandingLine draft={draft} standing={standing} saving={saving} id={`${id}-standing`} />
        <div className="buttons">
          {standing === 'unsaved' ? (
            <button type="button" className="button" aria-disabled={saving} onClick={() => (saving ? undefined : takeTheirs())}>
              {say('web.sequence.discard')}
            </button>
          ) : null}
          <button type="submit" className="button main" aria-disabled={saving || standing !== 'unsaved'}>
            {say(saving ? 'web.sequence.saving' : 'web.sequence.save')}
          </button>
        </div>
      </div>
    </form>
  );
};

/** One draft: whom it is for, who wrote it, its text, and the way to the ones beside it. */
export const DraftEditorView = (props: EditorProps): ReactNode => {
  const { draft, position, total, go, closed, standing, local, saving, keepMine, takeTheirs } = props;
  const { say, moment } = useWords();
  const title = useId();
  const where = [draft.title, draft.company]
    .map((part) => clean(part ?? ''))
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <section className="panel sequence-editor" aria-labelledby={title} data-draft={draft.draft_id}>
      <div className="sequence-pager">
        <button type="button" className="button" aria-disabled={position <= 1} onClick={() => (position > 1 ? go(-1) : undefined)}>
          <span aria-hidden="true">‹</span> <span className="sequence-word">{say('web.sequence.previous')}</span>
        </button>
        <span className="sequence-position">{say('web.sequence.position', { n: position, total })}</span>
        <button type="button" className="button" aria-disabled={position >= total} onClick={() => (position < total ? go(1) : undefined)}>
          <span className="sequence-word">{say('web.sequence.next')}</span> <span aria-hidden="true">›</span>
        </button>
      </div>
      <h2 id={title}>
        <bdi className="sequence-name clamp">{nameOf(draft, say('web.sequence.nobody'))}</bdi>
      </h2>
      <p className="quiet sequence-meta">
        {where ? (
          <>
            <bdi>{where}</bdi> ·{' '}
          </>
        ) : null}
        {say(`web.sequence.written_by.${draft.written_by}`)}
        {draft.edited_by !== null && draft.edited_at !== null ? (
          <> · {say('web.sequence.edited_by', { by: clean(draft.edited_by) || say('somebody'), at: moment(draft.edited_at) })}</>
        ) : null}
      </p>
      {closed ? (
        <>
          {local && standing !== 'saved' ? <LeftOut local={local} discard={takeTheirs} /> : null}
          <Reader draft={draft} />
        </>
      ) : (
        <>
          {standing === 'conflict' && local ? (
            <Conflict draft={draft} local={local} saving={saving} keepMine={keepMine} takeTheirs={takeTheirs} />
          ) : null}
          <Form key={draft.draft_id} {...props} />
        </>
      )}
    </section>
  );
};
