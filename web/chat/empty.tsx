import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listRuns } from '../data/api.js';
import { keys } from '../data/queries.js';
import { useWords } from '../words/words.js';

const EXAMPLES = ['web.chat.example.count', 'web.chat.example.pipeline', 'web.chat.example.campaign'] as const;

/** What to say first: three examples, one tap each. None of them spends anything. */
export const EmptyView = ({ noRuns, start }: { noRuns: boolean; start: (text: string) => void }): ReactNode => {
  const { say } = useWords();
  return (
    <section className="chat-empty">
      <h2>{say('web.chat.empty.title')}</h2>
      <p>{say(noRuns ? 'web.chat.empty.no_runs' : 'web.chat.empty.lead')}</p>
      <ul className="chat-examples plain">
        {EXAMPLES.map((code) => (
          <li key={code}>
            <button type="button" className="button" onClick={() => start(say(code))}>
              {say(code)}
            </button>
          </li>
        ))}
      </ul>
      <p className="quiet">{say('web.chat.empty.note')}</p>
    </section>
  );
};

export const Empty = ({ start }: { start: (text: string) => void }): ReactNode => {
  const { data } = useQuery({ queryKey: [...keys.runs, 'any'], queryFn: () => listRuns({ limit: 1 }) });
  return <EmptyView noRuns={data?.runs.length === 0} start={start} />;
};
