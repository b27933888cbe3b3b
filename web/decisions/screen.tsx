import type { ReactNode } from 'react';
import { DecisionCard } from './decision-card.js';

export const DecisionScreen = ({ id }: { id: string }): ReactNode => <DecisionCard id={id} />;
