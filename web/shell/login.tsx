import { useState, type FormEvent, type ReactNode } from 'react';
import { useWords } from '../words/words.js';
import { useAccess } from './session.js';
import { Problem } from './problem.js';

/** For whoever comes without a session: the link that was printed, or a token. */
export const LoginScreen = (): ReactNode => {
  const { say } = useWords();
  const { login, enter } = useAccess();
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(null);
    enter({ token: token.trim() })
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  const problem = failure ?? (login.state === 'out' ? login.problem : null);
  return (
    <main className="narrow">
      <h1>{say('web.login.title')}</h1>
      <p>{say('web.login.link')}</p>
      <form onSubmit={submit}>
        <label htmlFor="token">{say('web.login.token')}</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.target.value)}
          required
        />
        <button className="button main" type="submit" aria-disabled={busy}>
          {say(busy ? 'web.login.entering' : 'web.login.enter')}
        </button>
      </form>
      {problem ? <Problem error={problem} /> : null}
    </main>
  );
};
