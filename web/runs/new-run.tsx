import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { readPrefill } from './prefill.js';
import { Form } from './new-run-form.js';

/** The panel of a new campaign: what it is filled in with is read first, then the form comes. */

/** The form of a new campaign: says what it costs at most before it exists, and starts nothing that a tap has not allowed. */
export const NewRun = ({ search, close }: { search: URLSearchParams; close: () => void }): ReactNode => {
  const { say } = useWords();
  const prefill = useQuery({
    queryKey: [...keys.runs, 'prefill', search.toString()],
    queryFn: () => readPrefill(search),
    staleTime: 60_000,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // Opening it is a person's own doing, and what they tapped is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="panel runs-new" aria-labelledby="runs-new">
      <h2 id="runs-new" tabIndex={-1} ref={heading}>
        {say('web.runs.new')}
      </h2>
      {prefill.data ? (
        <Form prefill={prefill.data} close={close} />
      ) : prefill.error ? (
        <Problem error={prefill.error} retry={() => void prefill.refetch()} />
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
    </section>
  );
};
