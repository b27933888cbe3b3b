import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { isFinal } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { ProcessCard } from '../card/process-card.js';
import { useProgress } from '../data/progress.js';
import { Boundary } from '../shell/boundary.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { AccountsSection } from './accounts.js';
import { MissingDrawer } from './missing-drawer.js';
import { ReceiptSection } from './receipt.js';
import { TimelineSection } from './timeline.js';

/** A campaign: its card, its receipt once it ended, how it came there, and its accounts. */
export const RunScreen = ({ run }: { run: string }): ReactNode => {
  const { say } = useWords();
  const { progress, connection } = useProgress(run);
  const [missing, setMissing] = useState(false);
  const part = (children: ReactNode): ReactNode => (
    <Boundary reset={run} fallback={(retry) => <Problem error={null} retry={retry} />}>
      {children}
    </Boundary>
  );
  return (
    <div className="runs-screen">
      <p className="runs-back">
        <Link href="/campanas">{say('web.run.back')}</Link>
      </p>
      <h1 className="unseen">{say('web.run.title', { objetivo: clean(progress?.objetivo ?? '') || run })}</h1>
      {part(<ProcessCard run={run} />)}
      {progress && connection !== 'gone' ? (
        <>
          {part(<TimelineSection run={run} version={progress.version} />)}
          {isFinal(progress.state) ? part(<ReceiptSection run={run} showMissing={() => setMissing(true)} />) : null}
          {part(<AccountsSection run={run} version={progress.version} />)}
          <MissingDrawer run={run} open={missing} onClose={() => setMissing(false)} />
        </>
      ) : null}
    </div>
  );
};
