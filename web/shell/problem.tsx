import type { ReactNode } from 'react';
import type { Words } from '../../view/words.js';
import { ApiProblem, NoAnswer } from '../data/problem.js';
import { useWords } from '../words/words.js';

/** Any failure as one sentence for a person, in their language: never a stack, never "undefined". */
export const sayProblem = (words: Words, error: unknown): string => {
  if (error instanceof NoAnswer) return words.say('web.no_answer');
  if (error instanceof ApiProblem) {
    if (words.has(error.code)) return words.say(error.code, error.params);
    return error.detail || words.say(words.has(`problem.${error.status}`) ? `problem.${error.status}` : 'internal_error');
  }
  return words.say('web.page_fault');
};

/** A failure where it happened, with a way out when there is one. */
export const Problem = ({ error, retry }: { error: unknown; retry?: (() => void) | undefined }): ReactNode => {
  const words = useWords();
  return (
    <div className="notice bad" role="alert">
      <p>{sayProblem(words, error)}</p>
      {retry ? (
        <button type="button" className="button" onClick={retry}>
          {words.say('web.retry')}
        </button>
      ) : null}
    </div>
  );
};
