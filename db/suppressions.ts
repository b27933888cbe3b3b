import type { Caller } from '../contracts/api.js';
import { newId, suppressionHash } from './ids.js';
import type { Tx } from './client.js';
import { checkValueOf, holdToKey, SuppressionKeyDiffers } from './suppression-key.js';

export type SuppressionKind = 'rfc' | 'domain' | 'person' | 'email';
export interface Identity {
  kind: SuppressionKind;
  value: string;
}

/** What can be looked up about an address: the address itself and its domain. */
export const emailIdentities = (email: string | null): Identity[] =>
  email
    ? [
        { kind: 'email', value: email },
        ...(email.includes('@') ? [{ kind: 'domain' as const, value: email.slice(email.lastIndexOf('@') + 1) }] : []),
      ]
    : [];

/**
 * For each entry (a company, a person), whether any of its identities is on the workspace's list. The list holds keyed hashes only.
 * @throws SuppressionKeyDiffers when the list came to be of another key while this process ran: with this one nobody would be found
 */
export const suppressedAmong = async (tx: Tx, workspace: string, key: string, entries: Identity[][]): Promise<boolean[]> => {
  const hashed = entries.map((ids) =>
    ids.filter((i) => i.value).map((i) => ({ kind: i.kind, hash: suppressionHash(key, workspace, i.kind, i.value).toString('hex') })),
  );
  const all = hashed.flat();
  if (all.length === 0) return entries.map(() => false);
  const rows = await tx.q<{ kind: string; hash: string; others: number | null }>(
    `select s.kind, encode(s.hash, 'hex') as hash, null::bigint as others from suppressions s
     join (select distinct k, decode(h, 'hex') as h from unnest($2::text[], $3::text[]) as x (k, h)) x on s.kind = x.k and s.hash = x.h where s.workspace_id = $1
     union all select '', '', (select count(*) from suppressions) from suppression_key where check_value <> decode($4, 'hex')`,
    [workspace, all.map((a) => a.kind), all.map((a) => a.hash), checkValueOf(key)],
  );
  const others = rows.find((r) => r.others !== null)?.others ?? 0;
  if (others > 0) throw new SuppressionKeyDiffers(others);
  const listed = new Set(rows.map((r) => `${r.kind} ${r.hash}`));
  return hashed.map((ids) => ids.some((i) => listed.has(`${i.kind} ${i.hash}`)));
};

/** Adds identities to the list; a repeat changes nothing. @returns the ids, old ones included. @throws SuppressionKeyDiffers */
export const addSuppressions = async (
  tx: Tx,
  caller: Caller,
  key: string,
  entries: Identity[],
): Promise<Array<{ id: string; kind: SuppressionKind; created_at: string }>> => {
  await holdToKey(tx, key);
  const hashed = entries.map((e) => ({
    id: newId('sup'),
    kind: e.kind,
    hash: suppressionHash(key, caller.workspace, e.kind, e.value).toString('hex'),
  }));
  // A list that somebody pasted names the same one twice, in two spellings.
  const rows = [...new Map(hashed.map((h) => [`${h.kind} ${h.hash}`, h])).values()];
  return tx.q(
    `insert into suppressions (id, workspace_id, kind, hash, created_by)
     select x.id, $1, x.kind, decode(x.hash, 'hex'), $2 from jsonb_to_recordset($3::jsonb) as x (id text, kind text, hash text)
     on conflict (workspace_id, kind, hash) do update set kind = excluded.kind returning id, kind, created_at`,
    [caller.workspace, caller.sub, JSON.stringify(rows)],
  );
};
