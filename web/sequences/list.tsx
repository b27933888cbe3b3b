import { useEffect, useRef, type ReactNode } from 'react';
import { clean } from '../../view/words.js';
import { useWords } from '../words/words.js';
import type { Draft, Standing } from './local.js';

export const nameOf = (draft: Pick<Draft, 'to_name'>, nobody: string): string =>
  (draft.to_name === null ? '' : clean(draft.to_name)) || nobody;

const Mark = ({ draft, standing }: { draft: Draft; standing: Standing }): ReactNode => {
  const { say } = useWords();
  if (standing === 'conflict')
    return (
      <span className="sequence-mark bad">
        <span aria-hidden="true">!</span> {say('web.sequence.mark.conflict')}
      </span>
    );
  if (standing === 'unsaved')
    return (
      <span className="sequence-mark warn">
        <span aria-hidden="true">●</span> {say('web.sequence.mark.unsaved')}
      </span>
    );
  return draft.edited_by === null ? null : (
    <span className="sequence-mark">
      <span aria-hidden="true">✎</span> {say('web.sequence.mark.edited')}
    </span>
  );
};

/** Whom the drafts are for, in the order in which they were chosen. */
export const DraftListView = ({
  drafts,
  current,
  standing,
  open,
}: {
  drafts: readonly Draft[];
  current: string;
  standing: (draft: Draft) => Standing;
  open: (draft: string) => void;
}): ReactNode => {
  const { say } = useWords();
  const list = useRef<HTMLOListElement>(null);
  // Within the list alone: scrolling into view would take the page along.
  useEffect(() => {
    const box = list.current;
    const here = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !here) return;
    const top = here.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + here.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + here.offsetHeight - box.clientHeight;
  }, [current]);
  return (
    <nav className="sequence-list" aria-label={say('web.sequence.list')}>
      <ol ref={list}>
        {drafts.map((draft) => (
          <li key={draft.draft_id}>
            <button type="button" aria-current={draft.draft_id === current ? 'true' : undefined} onClick={() => open(draft.draft_id)}>
              <bdi className="sequence-name">{nameOf(draft, say('web.sequence.nobody'))}</bdi>
              <bdi className="sequence-where quiet">
                {[draft.title, draft.company]
                  .map((part) => clean(part ?? ''))
                  .filter((part) => part !== '')
                  .join(' · ') || '—'}
              </bdi>
              <Mark draft={draft} standing={standing(draft)} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
};
