import type { Local } from './local.js';

const place = (owner: string, sequence: string, draft: string): string => `campana.draft.${owner}.${sequence}.${draft}`;

const isLocal = (value: unknown): value is Local => {
  const l = value as Partial<Local> | null;
  return (
    typeof l === 'object' &&
    l !== null &&
    typeof l.subject === 'string' &&
    typeof l.body === 'string' &&
    Number.isInteger(l.version) &&
    typeof l.key === 'string'
  );
};

/** What this person left unsaved on this device. @param owner workspace and person: somebody else's texts are not shown to whoever logs in next */
export const readKept = (owner: string, sequence: string, drafts: ReadonlyArray<{ draft_id: string }>): Map<string, Local> => {
  const kept = new Map<string, Local>();
  for (const { draft_id } of drafts) {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(place(owner, sequence, draft_id)) ?? 'null');
      if (isLocal(value)) kept.set(draft_id, { ...value, sent: value.sent ?? null });
    } catch {
      /* unreadable: nothing was kept */
    }
  }
  return kept;
};
export const keep = (owner: string, sequence: string, draft: string, local: Local | null): void => {
  try {
    if (local) localStorage.setItem(place(owner, sequence, draft), JSON.stringify(local));
    else localStorage.removeItem(place(owner, sequence, draft));
  } catch {
    /* a browser that keeps nothing still edits */
  }
};
