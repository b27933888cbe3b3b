import type { ReactNode } from 'react';
import { ProcessCard } from '../card/process-card.js';

export const RunScreen = ({ run }: { run: string }): ReactNode => <ProcessCard run={run} />;
