import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sequence } from '../../contracts/api.js';
import { patchDraft } from '../data/api.js';
import { newKey } from '../data/http.js';
import { ApiProblem, NoAnswer } from '../data/problem.js';
import { keys } from '../data/queries.js';
import { keep, readKept } from './kept.js';
import { edited, rebased, standing, type Draft, type Local, type Standing, type Text } from './local.js';

export interface Drafts {
  local(draft: Draft): Local | null;
  standing(draft: Draft): Standing;
  saving(draft: string): boolean;
  failure(draft: string): unknown;
  /** How many drafts have a text that is not saved. */
  unsaved: number;
  edit(draft: Draft, text: Text): void;
  /** @returns whether it is saved */
  save(draft: Draft): Promise<boolean>;
  /** Of two texts: this person's is saved over the other, or given up. */
  keepMine(draft: Draft): Promise<boolean>;
  takeTheirs(draft: Draft): void;
}

const without = <T>(map: ReadonlyMap<string, T>, id: string): Map<string, T> => new Map([...map].filter(([key]) => key !== id));

/** What a person changes in a sequence's drafts. Every keystroke is kept on the device until the server has it. */
export const useDrafts = (sequence: Sequence, owner: string): Drafts => {
  const cache = useQueryClient();
  const id = sequence.sequence_id;
  const [locals, setLocals] = useState<ReadonlyMap<string, Local>>(() => readKept(owner, id, sequence.drafts));
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<ReadonlyMap<string, unknown>>(new Map());

  const put = (draft: string, local: Local | null): void => {
    keep(owner, id, draft, local);
    setLocals((before) => (local ? new Map([...before, [draft, local]]) : without(before, draft)));
  };
  /** The text as somebody else left it, without waiting for the next reading. */
  const learn = (draft: string, now: Partial<Draft>): void => {
    cache.setQueryData<Sequence>(
      keys.sequence(id),
      (before) => before && { ...before, drafts: before.drafts.map((d) => (d.draft_id === draft ? { ...d, ...now } : d)) },
    );
  };
  const send = async (draft: Draft, local: Local): Promise<boolean> => {
    const name = draft.draft_id;
    if (busy.has(name)) return false;
    setBusy((before) => new Set([...before, name]));
    setFailures((before) => without(before, name));
    try {
      const fresh = await patchDraft(id, name, { version: local.version, subject: local.subject, body: local.body }, local.key);
      cache.setQueryData(keys.sequence(id), fresh);
      const saved = fresh.drafts.find((d) => d.draft_id === name);
      // Whoever wrote on while it was being saved goes on from there.
      setLocals((before) => {
        const now = before.get(name);
        const left = now && now.key !== local.key ? { ...now, version: saved?.version ?? now.version, sent: null } : null;
        keep(owner, id, name, left);
        return left ? new Map([...before, [name, left]]) : without(before, name);
      });
      return true;
    } catch (error) {
      const theirs =
        error instanceof ApiProblem && error.code === 'draft_changed' ? (error.params['draft'] as Partial<Draft> | undefined) : undefined;
      if (theirs) learn(name, theirs);
      else {
        if (error instanceof NoAnswer) {
          setLocals((before) => {
            const now = before.get(name);
            if (!now) return before;
            const noted = { ...now, sent: { subject: local.subject, body: local.body } };
            keep(owner, id, name, noted);
            return new Map([...before, [name, noted]]);
          });
        }
        setFailures((before) => new Map([...before, [name, error]]));
        void cache.invalidateQueries({ queryKey: keys.sequence(id) });
      }
      return false;
    } finally {
      setBusy((before) => new Set([...before].filter((other) => other !== name)));
    }
  };
  const localOf = (draft: Draft): Local | null => locals.get(draft.draft_id) ?? null;
  return {
    local: localOf,
    standing: (draft) => standing(draft, localOf(draft)),
    saving: (draft) => busy.has(draft),
    failure: (draft) => failures.get(draft) ?? null,
    unsaved: sequence.drafts.filter((draft) => standing(draft, localOf(draft)) !== 'saved').length,
    edit: (draft, text) => put(draft.draft_id, edited(draft, localOf(draft), text, newKey())),
    save: async (draft) => {
      const local = localOf(draft);
      if (!local || standing(draft, local) !== 'unsaved') return false;
      // Its earlier half was saved although nobody heard so.
      const current = draft.version > local.version ? rebased(draft, local, newKey()) : local;
      if (current !== local) put(draft.draft_id, current);
      return send(draft, current);
    },
    keepMine: async (draft) => {
      const local = localOf(draft);
      if (!local) return false;
      const mine = rebased(draft, local, newKey());
      put(draft.draft_id, mine);
      return send(draft, mine);
    },
    takeTheirs: (draft) => {
      put(draft.draft_id, null);
      setFailures((before) => without(before, draft.draft_id));
    },
  };
};
