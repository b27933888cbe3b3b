import type { ReactNode } from 'react';
import type { Age } from '../../contracts/operations.js';
import { safeLink } from '../decisions/safe-link.js';
import { useWords } from '../words/words.js';

/** What the sections of the operator's page share: their frame, their tables, marks and ages. */

/** Written out: the contract's own list would bring its checker with it. */
export const AGES = Object.keys({ under_1h: 0, h1_to_24: 0, d1_to_3: 0, over_3d: 0 } satisfies Record<Age, number>) as Age[];

/** A table that may be wider than the screen: it moves inside its own region. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <div className="scroll" role="region" aria-label={useWords().say('web.ops.table', { name: label })} tabIndex={0}>
    {children}
  </div>
);

/** A section of the operator's page. */
export const Part = ({ id, title, tools, children }: { id: string; title: string; tools?: ReactNode; children: ReactNode }): ReactNode => (
  <section className="panel ops-part" id={id} aria-labelledby={`${id}-title`}>
    <div className="ops-part-head">
      <h2 id={`${id}-title`}>{title}</h2>
      {tools}
    </div>
    {children}
  </section>
);

/** A link into Temporal's own page, where there is one. */
export const TemporalLink = ({ url, label }: { url: string | null; label: string }): ReactNode => {
  const link = safeLink(url);
  return link ? (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {label} <span aria-hidden="true">↗</span>
    </a>
  ) : null;
};

export type Tone = 'good' | 'warn' | 'bad';
export const MARK: Record<Tone, string> = { good: '✓', warn: '!', bad: '✗' };
