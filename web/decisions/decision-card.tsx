import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getDecision } from '../data/api.js';
import { keys } from '../data/queries.js';

/** A decision with its price and its buttons; the only place of the page that can spend. */
export const DecisionCard = ({ id }: { id: string }): ReactNode => {
  const { data } = useQuery({ queryKey: keys.decision(id), queryFn: () => getDecision(id) });
  return <section className="panel">{data?.id}</section>;
};
