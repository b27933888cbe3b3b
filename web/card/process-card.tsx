import type { ReactNode } from 'react';
import { useProgress } from '../data/progress.js';

/** The process card of a run. */
export const ProcessCard = ({ run }: { run: string }): ReactNode => {
  const { progress } = useProgress(run);
  return <section className="panel">{progress?.objetivo}</section>;
};
