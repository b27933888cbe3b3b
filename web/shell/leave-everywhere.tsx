import { useState, type ReactNode } from 'react';
import { useWords } from '../words/words.js';
import { Dialog } from './dialog.js';
import { Problem } from './problem.js';
import { useAccess } from './session.js';

/** The way out of every device, and what else ends by it. @param ask opens the question */
export const LeaveEverywhereView = ({ ask }: { ask: () => void }): ReactNode => {
  const { say } = useWords();
  return (
    <section className="panel" aria-labelledby="leave-everywhere">
      <h2 id="leave-everywhere">{say('web.leave.devices')}</h2>
      <p className="quiet">{say('web.leave.devices.what')}</p>
      <button type="button" className="button" onClick={ask}>
        {say('web.leave.everywhere')}
      </button>
    </section>
  );
};

/** The question before it: whoever says yes has to enter anew everywhere, here too. */
export const LeaveEverywhereDialog = ({ leave, close }: { leave: () => Promise<void>; close: () => void }): ReactNode => {
  const { say } = useWords();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const go = (): void => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    leave().catch((error: unknown) => {
      setBusy(false);
      setFailure(error);
    });
  };
  return (
    <Dialog title={say('web.leave.everywhere.ask')} close={close}>
      <p>{say('web.leave.everywhere.what')}</p>
      {failure ? <Problem error={failure} /> : null}
      <div className="buttons">
        <button type="button" className="button danger" aria-disabled={busy} onClick={go}>
          {say(busy ? 'web.leave.everywhere.busy' : 'web.leave.everywhere')}
        </button>
        <button type="button" className="button" onClick={close}>
          {say('web.leave.stay')}
        </button>
      </div>
    </Dialog>
  );
};

export const LeaveEverywhere = (): ReactNode => {
  const { leaveEverywhere } = useAccess();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <LeaveEverywhereView ask={() => setAsked(true)} />
      {asked ? <LeaveEverywhereDialog leave={leaveEverywhere} close={() => setAsked(false)} /> : null}
    </>
  );
};
