import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { Suppression } from '../../contracts/api.js';
import { clean } from '../../view/words.js';
import { addSuppressions, listSuppressions, removeSuppression } from '../data/api.js';
import { newKey } from '../data/http.js';
import { keys } from '../data/queries.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { KINDS, MOST_LINES, parseLines, type Kind, type Line } from './exclusions.js';

const SHOWN_FAULTS = 5;

/** Adds entries, one per line. What is not accepted stays in the field, and is named. */
export const AddExclusionsView = ({
  add,
}: {
  add: (kind: Kind, entries: Array<{ kind: Kind; value: string }>) => Promise<number>;
}): ReactNode => {
  const { say, count } = useWords();
  const [kind, setKind] = useState<Kind>('domain');
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<readonly Line[]>([]);
  const [fault, setFault] = useState<'none' | 'many' | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [done, setDone] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const change = (next: { kind?: Kind; text?: string }): void => {
    if (next.kind) setKind(next.kind);
    if (next.text !== undefined) setText(next.text);
    setWrong([]);
    setFault(null);
    setDone(null);
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    const parsed = parseLines(kind, text);
    setDone(null);
    setFailure(null);
    setWrong(parsed.wrong);
    const no = parsed.wrong.length > 0 ? null : parsed.entries.length === 0 ? 'none' : parsed.entries.length > MOST_LINES ? 'many' : null;
    setFault(no);
    if (no || parsed.wrong.length > 0) return field.current?.focus();
    setBusy(true);
    try {
      setDone(await add(kind, parsed.entries));
      setText('');
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const invalid = wrong.length > 0 || fault !== null;
  return (
    <form
      className="settings-exclude"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="settings-field">
        <label htmlFor="exclude-kind">{say('web.settings.exclude.kind')}</label>
        <select id="exclude-kind" value={kind} onChange={(event) => change({ kind: event.target.value as Kind })}>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {say(`web.settings.exclude.kind.${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div className="settings-field">
        <label htmlFor="exclude-lines">{say('web.settings.exclude.lines')}</label>
        <textarea
          id="exclude-lines"
          ref={field}
          rows={4}
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={say(`web.settings.exclude.example.${kind}`)}
          aria-invalid={invalid}
          aria-describedby={invalid ? 'exclude-fault' : 'exclude-what'}
          onChange={(event) => change({ text: event.target.value })}
        />
        <p id="exclude-what" className="quiet">
          {say(`web.settings.exclude.what.${kind}`)}
        </p>
        {invalid ? (
          <div id="exclude-fault" className="field-fault">
            {fault ? (
              <p>
                <span aria-hidden="true">✗ </span>
                {say(`web.settings.exclude.fault.${fault}`, { max: MOST_LINES })}
              </p>
            ) : null}
            {wrong.slice(0, SHOWN_FAULTS).map(({ line, value }) => (
              <p key={line}>
                <span aria-hidden="true">✗ </span>
                {say(`web.settings.exclude.fault.${kind}`, { line: count(line), value: clean(value).slice(0, 80) })}
              </p>
            ))}
            {wrong.length > SHOWN_FAULTS ? <p>{say('web.settings.exclude.fault.more', { n: wrong.length - SHOWN_FAULTS })}</p> : null}
          </div>
        ) : null}
      </div>
      {failure ? <Problem error={failure} retry={() => void submit()} /> : null}
      <div className="settings-save">
        <p className="settings-standing" data-testid="exclude-standing">
          {done === null ? null : (
            <>
              <span aria-hidden="true">✓ </span>
              {say('web.settings.exclude.added', { n: done })}
            </>
          )}
        </p>
        <button type="submit" className="button main" aria-disabled={busy}>
          {say(busy ? 'web.settings.saving' : 'web.settings.exclude.add')}
        </button>
      </div>
    </form>
  );
};

/** What can be seen of the list: kinds and dates. The values themselves are kept nowhere. */
export const ExclusionTableView = ({
  entries,
  denied,
  remove,
}: {
  entries: readonly Suppression[];
  denied: string | null;
  remove: (entry: Suppression) => void;
}): ReactNode => {
  const { say, moment } = useWords();
  return (
    <div className="scroll" role="region" aria-label={say('web.settings.exclude')} tabIndex={0}>
      <table className="table settings-table">
        <thead>
          <tr>
            <th scope="col">{say('web.settings.exclude.kind')}</th>
            <th scope="col">{say('web.settings.exclude.since')}</th>
            <th scope="col">
              <span className="unseen">{say('web.settings.exclude.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>{say(`web.settings.exclude.kind.${entry.kind}`)}</td>
              <td>
                <time dateTime={entry.created_at}>{moment(entry.created_at)}</time>
              </td>
              <td className="settings-remove">
                <button
                  type="button"
                  className="button slim"
                  aria-disabled={denied !== null}
                  title={denied ?? undefined}
                  aria-label={say('web.settings.exclude.remove_one', {
                    kind: say(`web.settings.exclude.kind.${entry.kind}`),
                    at: moment(entry.created_at),
                  })}
                  onClick={() => (denied === null ? remove(entry) : undefined)}
                >
                  {say('web.settings.exclude.remove')}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const RemoveDialog = ({ entry, removed, close }: { entry: Suppression; removed: () => void; close: () => void }): ReactNode => {
  const { say, moment } = useWords();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const key = useRef(newKey());
  const remove = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await removeSuppression(entry.id, key.current);
      removed();
      close();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={say('web.settings.exclude.remove.title')} close={close}>
      <p>
        {say('web.settings.exclude.remove.what', { kind: say(`web.settings.exclude.kind.${entry.kind}`), at: moment(entry.created_at) })}
      </p>
      {failure ? <Problem error={failure} /> : null}
      <div className="buttons">
        <button type="button" className="button danger" aria-disabled={busy} onClick={() => void remove()}>
          {say(busy ? 'web.settings.exclude.removing' : failure ? 'web.retry' : 'web.settings.exclude.remove.confirm')}
        </button>
        <button type="button" className="button" onClick={close}>
          {say('web.back')}
        </button>
      </div>
    </Dialog>
  );
};

/** Who is never looked for, revealed or written to. */
export const Exclusions = (): ReactNode => {
  const { say } = useWords();
  const who = useWho();
  const cache = useQueryClient();
  const announcer = useAnnouncer();
  const [removing, setRemoving] = useState<Suppression | null>(null);
  // Of the last attempt: the same lines sent again are the same act.
  const attempt = useRef<{ of: string; key: string } | null>(null);
  const list = useInfiniteQuery({
    queryKey: keys.suppressions,
    queryFn: ({ pageParam }) => listSuppressions(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const entries = list.data?.pages.flatMap((page) => page.suppressions) ?? [];
  const again = (): void => void cache.invalidateQueries({ queryKey: keys.suppressions });
  const add = async (_kind: Kind, lines: Array<{ kind: Kind; value: string }>): Promise<number> => {
    const of = JSON.stringify(lines);
    if (attempt.current?.of !== of) attempt.current = { of, key: newKey() };
    const { suppressions } = await addSuppressions(lines, attempt.current.key);
    attempt.current = null;
    announcer.say('exclusions', say('web.settings.exclude.added', { n: suppressions.length }));
    again();
    return suppressions.length;
  };
  const denied = who.roles.includes('approver') || who.roles.includes('operator') ? null : say('web.settings.denied');
  return (
    <section className="panel settings-part" aria-labelledby="settings-exclude">
      <h2 id="settings-exclude">{say('web.settings.exclude')}</h2>
      <p>{say('web.settings.exclude.about')}</p>
      <p className="quiet">{say('web.settings.exclude.hashes')}</p>
      <AddExclusionsView add={add} />
      {list.data ? (
        <>
          <h3 className="settings-count" data-testid="exclude-count">
            {say(list.hasNextPage ? 'web.settings.exclude.count_more' : 'web.settings.exclude.count', { n: entries.length })}
          </h3>
          {entries.length > 0 ? (
            <ExclusionTableView entries={entries} denied={denied} remove={setRemoving} />
          ) : (
            <p className="quiet">{say('web.settings.exclude.empty')}</p>
          )}
          {list.hasNextPage ? (
            <button type="button" className="button" aria-disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {say(list.isFetchingNextPage ? 'web.loading' : 'web.inbox.more')}
            </button>
          ) : null}
        </>
      ) : list.error ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
      {removing ? (
        <RemoveDialog
          entry={removing}
          close={() => setRemoving(null)}
          removed={() => {
            announcer.say('exclusions', say('web.settings.exclude.removed'));
            again();
          }}
        />
      ) : null}
    </section>
  );
};
