import type { Sequence } from '../../contracts/api.js';

export type Draft = Sequence['drafts'][number];
export interface Text {
  subject: string;
  body: string;
}

/** A text that was changed here and is not saved yet, with the version it was made from. */
export interface Local extends Text {
  version: number;
  /** Of the saving of exactly this text: a lost answer is asked for again under the same one. */
  key: string;
  /** The text that was sent last and whose answer never came. */
  sent: Text | null;
}

export const MAX_SUBJECT = 300;
export const MAX_BODY = 10_000;

/** `conflict`: somebody else changed the draft since the version that this text was made from. */
export type Standing = 'saved' | 'unsaved' | 'conflict';

export const sameText = (a: Text, b: Text): boolean => a.subject === b.subject && a.body === b.body;

/** How a text that was changed here stands beside the draft as the server has it. */
export const standing = (draft: Text & { version: number }, local: Local | null): Standing => {
  if (!local || sameText(draft, local)) return 'saved';
  if (draft.version <= local.version) return 'unsaved';
  // What the server has is what we sent: the answer was lost, and the person wrote on.
  return local.sent && sameText(draft, local.sent) ? 'unsaved' : 'conflict';
};

/** After a change by the person; null when it says again what the server has. */
export const edited = (draft: Text & { version: number }, local: Local | null, text: Text, key: string): Local | null => {
  const version = local?.version ?? draft.version;
  if (sameText(draft, text) && version === draft.version) return null;
  return { ...text, version, key, sent: local?.sent ?? null };
};

/** Made from the draft as it is now: for "keep mine", and for a text whose earlier half was saved after all. */
export const rebased = (draft: { version: number }, local: Local, key: string): Local => ({
  ...local,
  version: draft.version,
  key,
  sent: null,
});

/** Why a text cannot be saved, per field, as catalog codes. */
export const faults = ({ subject, body }: Text): { subject?: string; body?: string } => ({
  ...(subject.trim() === ''
    ? { subject: 'web.sequence.fault.subject_empty' }
    : subject.length > MAX_SUBJECT
      ? { subject: 'web.sequence.fault.subject_long' }
      : {}),
  ...(body.trim() === ''
    ? { body: 'web.sequence.fault.body_empty' }
    : body.length > MAX_BODY
      ? { body: 'web.sequence.fault.body_long' }
      : {}),
});
