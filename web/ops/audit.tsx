import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../contracts/operations.js';
import type { Words } from '../../view/words.js';
import { clean } from '../../view/words.js';
import { listAudit } from '../data/api.js';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { Scroll } from './part.js';

const EVERY_MS = 15_000;
const ICON: Record<AuditEntry['result'], string> = { done: '✓', unchanged: '–', refused: '✗' };
const TONE: Record<AuditEntry['result'], string> = { done: 'good', unchanged: '', refused: 'bad' };

const actionText = (action: string, words: Words): string => {
  const code = action.startsWith('ops.') ? `web.ops.action.${action.slice(4)}` : `web.ops.audit.${action}`;
  return words.has(code) ? words.say(code) : action;
};
/** Why it was refused, where the row says so. */
const refusal = ({ result, detail }: AuditEntry, words: Words): string | null => {
  const code = detail['code'];
  return result === 'refused' && typeof code === 'string' ? (words.has(code) ? words.say(code, detail) : code) : null;
};

export const AuditView = ({ entries }: { entries: AuditEntry[] }): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  if (entries.length === 0) return <p className="quiet">{say('web.ops.audit.none')}</p>;
  return (
    <Scroll label={say('web.ops.audit')}>
      <table className="table ops-audit">
        <thead>
          <tr>
            {(['when', 'who', 'action', 'run', 'reason', 'result'] as const).map((c) => (
              <th key={c} scope="col">
                {say(`web.ops.audit.col.${c}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((e) => {
            const why = refusal(e, words);
            return (
              <tr key={e.id}>
                <td className="ops-when">{moment(e.at)}</td>
                <td>
                  <bdi className="ops-clip clamp">{clean(e.actor)}</bdi> <span className="quiet">{clean(e.channel)}</span>
                </td>
                <td>{actionText(e.action, words)}</td>
                <td>
                  {e.run_id ? (
                    <Link href={`/campanas/${e.run_id}`}>
                      <code translate="no" title={e.run_id}>
                        …{e.run_id.slice(-8)}
                      </code>
                    </Link>
                  ) : (
                    '–'
                  )}
                </td>
                <td className="ops-reason">
                  <bdi className="clamp" title={e.reason ?? undefined}>
                    {e.reason ? clean(e.reason) : '–'}
                  </bdi>
                </td>
                <td>
                  <span className={`chip ${TONE[e.result]}`}>
                    <span aria-hidden="true">{ICON[e.result]}</span>
                    {say(`web.ops.audit.result.${e.result}`)}
                  </span>
                  {why ? <span className="quiet"> {why}</span> : null}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
};

/** Who did what, why, and with what result; the newest first. */
export const Audit = (): ReactNode => {
  const { say } = useWords();
  const [ops, setOps] = useState(true);
  const first = useQuery({
    queryKey: [...keys.ops, 'audit', ops],
    queryFn: () => listAudit({ ops, limit: 25 }),
    refetchInterval: EVERY_MS,
  });
  const [older, setOlder] = useState<{ of: boolean; entries: AuditEntry[]; next: string | null } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const kept = older?.of === ops ? older : null;
  const next = kept ? kept.next : (first.data?.next_cursor ?? null);
  const more = (): void => {
    setFailure(null);
    listAudit({ ops, limit: 50, cursor: next }).then(
      (page) => setOlder({ of: ops, entries: [...(kept?.entries ?? []), ...page.entries], next: page.next_cursor }),
      setFailure,
    );
  };
  const seen = new Set<number>();
  // What slid from the first page while it was read again is in both.
  const entries = [...(first.data?.entries ?? []), ...(kept?.entries ?? [])].filter(({ id }) => !seen.has(id) && seen.add(id));
  return (
    <>
      <label className="ops-check">
        <input type="checkbox" checked={ops} onChange={(event) => setOps(event.target.checked)} /> {say('web.ops.audit.only_ops')}
      </label>
      {first.data ? (
        <AuditView entries={entries} />
      ) : first.error ? (
        <Problem error={first.error} retry={() => void first.refetch()} />
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
      {failure ? <Problem error={failure} retry={more} /> : null}
      {next ? (
        <button type="button" className="button" onClick={more}>
          {say('web.runs.more')}
        </button>
      ) : null}
    </>
  );
};
