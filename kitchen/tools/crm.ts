import { randomUUID } from 'node:crypto';
import { collectionQuery, crmSaveCompanies, crmUndo } from '../../contracts/tools/index.js';
import { pageMeta, readCursor } from '../cursor.js';
import { notFound, ToolFailure } from '../failure.js';
import { implement, type CallContext } from '../runtime.js';
import { fold } from '../text.js';

/** Collections that every workspace has, and their names for people. Saves may make others. */
const COLLECTIONS: Record<string, string> = { pipeline: 'Pipeline', prospectos: 'Prospectos' };
/** Fields that `aggregate` can group by. */
const GROUPS = ['stage', 'owner', 'state'] as const;

interface SaveRow {
  client_key: string;
  undo_token: string;
  saved: number;
  already_there: number;
  undo_until: Date;
  removed: number | null;
}
interface RecordRow {
  pos: string;
  company_id: string;
  name: string;
  rfc: string | null;
  domain: string | null;
  stage: string;
  fields: Record<string, unknown>;
  version: number;
  changed_at: Date;
}
const ONE = { shown: 1, total: 1, has_more: false, next_cursor: null } as const;
const toSave = (row: SaveRow) => ({
  saved: row.saved,
  already_there: row.already_there,
  undo_token: row.undo_token,
  undo_until: row.undo_until.toISOString(),
  client_key: row.client_key,
});
const recordId = (pos: string): string => `rec-${pos}`;
const toRow = (r: RecordRow): Record<string, unknown> => ({
  ref: `record:${recordId(r.pos)}`,
  record_id: recordId(r.pos),
  company_id: r.company_id,
  name: r.name,
  rfc: r.rfc,
  domain: r.domain,
  stage: r.stage,
  ...r.fields,
  version: r.version,
  changed_at: r.changed_at.toISOString(),
});

const findSave = async (context: CallContext, clientKey: string): Promise<SaveRow | undefined> =>
  (
    await context.store.rows<SaveRow>('save-get', 'SELECT * FROM crm_saves WHERE workspace = $1 AND client_key = $2', [
      context.workspace,
      clientKey,
    ])
  )[0];

export const crmSaveTool = implement(crmSaveCompanies, async (args, context) => {
  const collection = fold(args.collection).replace(/ /g, '_');
  if (collection === '') throw new ToolFailure('invalid_input', 'collection: needs letters or digits', { counted: false });
  const token = `undo-${randomUUID()}`;
  // The row of the key decides: a repeat of the key inserts nothing and reads the first result below. A company that comes
  // twice in one save counts once. Saves of one workspace take turns, so that the counts are what was really inserted.
  await context.store.locked(context.workspace, (query) =>
    query(
      `WITH given AS (
       SELECT DISTINCT ON (company_id) company_id, name, rfc, domain, place
       FROM unnest($5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS g (company_id, name, rfc, domain, place) ORDER BY company_id, place),
     save AS (
       INSERT INTO crm_saves (workspace, client_key, undo_token, collection, saved, already_there, undo_until)
       SELECT $1, $2, $3, $4, count(*) FILTER (WHERE r.company_id IS NULL), count(r.company_id), clock_timestamp() + $9 * interval '1 millisecond'
       FROM given g LEFT JOIN crm_records r ON r.workspace = $1 AND r.collection = $4 AND r.company_id = g.company_id
       ON CONFLICT (workspace, client_key) DO NOTHING RETURNING undo_token)
     INSERT INTO crm_records (workspace, collection, company_id, name, rfc, domain, stage, undo_token)
     SELECT $1, $4, g.company_id, g.name, g.rfc, g.domain, 'prospecto', save.undo_token FROM given g CROSS JOIN save ORDER BY g.place
     ON CONFLICT (workspace, collection, company_id) DO NOTHING`,
      [
        context.workspace,
        args.client_key,
        token,
        collection,
        args.companies.map((c) => c.company_id),
        args.companies.map((c) => c.name),
        args.companies.map((c) => c.rfc),
        args.companies.map((c) => c.domain),
        context.undoWindowMs,
      ],
    ),
  );
  const save = await findSave(context, args.client_key);
  if (!save) throw new Error('The save left no row');
  if (save.removed !== null) throw new ToolFailure('save_undone', 'The save of this key was undone. Use a new key.', { counted: false });
  return {
    ref: context.ref('cr'),
    shown: args.companies.length,
    total: args.companies.length,
    has_more: false,
    next_cursor: null,
    ...toSave(save),
    coverage: `Collection ${COLLECTIONS[collection] ?? collection}`,
  };
});

export const crmUndoTool = implement(crmUndo, async (args, context) => {
  const client = await context.store.pool.connect();
  try {
    await client.query('BEGIN');
    const found = await client.query<SaveRow & { expired: boolean }>(
      'SELECT *, undo_until < clock_timestamp() AS expired FROM crm_saves WHERE undo_token = $1 AND workspace = $2 FOR UPDATE',
      [args.undo_token, context.workspace],
    );
    const save = found.rows[0];
    if (!save) throw notFound('Save');
    let removed = save.removed;
    if (removed === null) {
      if (save.expired)
        throw new ToolFailure('undo_expired', 'The window to undo this save is over.', {
          counted: false,
          params: { undo_until: save.undo_until.toISOString() },
        });
      const rows = await client.query<{ pos: string; company_id: string; version: number }>(
        'SELECT pos, company_id, version FROM crm_records WHERE undo_token = $1 ORDER BY pos FOR UPDATE',
        [args.undo_token],
      );
      // A row that somebody edited or deleted since is somebody's work: nothing is removed then.
      const changed = rows.rows.filter((r) => r.version > 1).map((r) => ({ record_id: recordId(r.pos), company_id: r.company_id }));
      if (changed.length > 0 || rows.rows.length < save.saved) {
        throw new ToolFailure('rows_changed', 'Rows of this save changed since. Nothing was undone.', {
          counted: false,
          params: { rows: changed, missing: save.saved - rows.rows.length },
        });
      }
      await client.query('DELETE FROM crm_records WHERE undo_token = $1', [args.undo_token]);
      removed = rows.rows.length;
      await client.query('UPDATE crm_saves SET removed = $2 WHERE undo_token = $1', [args.undo_token, removed]);
    }
    await client.query('COMMIT');
    return { ref: context.ref('cu'), ...ONE, removed, coverage: 'One save' };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});

const collectionsOf = async (context: CallContext): Promise<Map<string, number>> => {
  const counts = new Map(Object.keys(COLLECTIONS).map((name) => [name, 0]));
  const rows = await context.store.rows<{ collection: string; n: number }>(
    'crm-collections',
    'SELECT collection, count(*)::int AS n FROM crm_records WHERE workspace = $1 GROUP BY collection ORDER BY collection',
    [context.workspace],
  );
  for (const row of rows) counts.set(row.collection, row.n);
  return counts;
};

const RECORDS = 'SELECT pos, company_id, name, rfc, domain, stage, fields, version, changed_at FROM crm_records WHERE workspace = $1';

const getRecord = async (context: CallContext, id: string): Promise<RecordRow> => {
  const pos = /^rec-(\d{1,18})$/.exec(id)?.[1];
  const rows = pos === undefined ? [] : await context.store.rows<RecordRow>('crm-get', `${RECORDS} AND pos = $2`, [context.workspace, pos]);
  if (!rows[0]) throw notFound('Record');
  return rows[0];
};

export const collectionQueryTool = implement(collectionQuery, async (args, context) => {
  const ref = context.ref('cq');
  const found = args.client_key === undefined ? undefined : await findSave(context, args.client_key);
  const save = found && found.removed === null ? toSave(found) : null;
  const collections = await collectionsOf(context);
  if (args.op === 'list') {
    const rows = [...collections].map(([name, records]) => ({
      ref: `record:col-${name}`,
      collection: name,
      label: COLLECTIONS[name] ?? name,
      records,
    }));
    return {
      ref,
      shown: rows.length,
      total: rows.length,
      has_more: false,
      next_cursor: null,
      rows,
      save,
      coverage: 'Collections of this workspace',
    };
  }
  if (args.op === 'get' && args.record_id !== undefined) {
    return { ref, ...ONE, rows: [toRow(await getRecord(context, args.record_id))], save, coverage: 'One record' };
  }
  // Reading back a save needs no collection: the key says which one it was.
  const collection = fold(args.collection ?? (args.client_key === undefined ? '' : 'prospectos')).replace(/ /g, '_');
  if (!collections.has(collection)) {
    throw new ToolFailure('collection_not_found', 'Collection not found', {
      counted: false,
      params: { collections: [...collections.keys()] },
    });
  }
  if (args.op === 'get') throw new ToolFailure('invalid_input', 'record_id: needed to get a record', { counted: false });
  const like = args.text === undefined ? null : `%${args.text.replace(/[\\%_]/g, '\\$&')}%`;
  const token = args.client_key === undefined ? null : (found?.undo_token ?? '');
  const where = `AND collection = $2 AND ($3::text IS NULL OR name ILIKE $3 OR rfc ILIKE $3 OR domain ILIKE $3 OR stage ILIKE $3) AND ($4::text IS NULL OR undo_token = $4)`;
  const values = [context.workspace, collection, like, token];
  const label = COLLECTIONS[collection] ?? collection;
  if (args.op === 'aggregate') {
    const by = GROUPS.find((g) => g === (args.group_by ?? 'stage'));
    if (!by) throw new ToolFailure('invalid_input', `group_by: one of ${GROUPS.join(', ')}`, { counted: false });
    const groups = await context.store.rows<{ value: string | null; records: number; amount: string; average: string }>(
      `crm-aggregate-${by}`,
      `SELECT ${by === 'stage' ? 'stage' : `fields ->> '${by}'`} AS value, count(*)::int AS records, coalesce(sum((fields ->> 'amount_mxn')::numeric), 0) AS amount,
         coalesce(round(avg((fields ->> 'amount_mxn')::numeric)), 0) AS average FROM crm_records WHERE workspace = $1 ${where} GROUP BY 1 ORDER BY 2 DESC, 1`,
      values,
    );
    const rows = groups.map((g, i) => ({
      ref: `${ref}-${i + 1}`,
      group: g.value ?? '',
      records: { ref: `${ref}-${i + 1}-n`, value: g.records },
      amount_mxn: { ref: `${ref}-${i + 1}-sum`, value: Number(g.amount) },
      average_mxn: { ref: `${ref}-${i + 1}-avg`, value: Number(g.average) },
    }));
    return {
      ref,
      shown: rows.length,
      total: rows.length,
      has_more: false,
      next_cursor: null,
      rows,
      save,
      coverage: `Collection ${label} by ${by}`,
    };
  }
  const query = ['collection_query', collection, args.text ?? null, token];
  const from = readCursor(args.cursor, query);
  const [rows, total] = await Promise.all([
    context.store.rows<RecordRow>('crm-query', `${RECORDS} ${where} ORDER BY pos LIMIT $5 OFFSET $6`, [...values, args.limit, from]),
    context.store.rows<{ n: number }>('crm-count', `SELECT count(*)::int AS n FROM crm_records WHERE workspace = $1 ${where}`, values),
  ]);
  return { ref, ...pageMeta(from, rows.length, total[0]?.n ?? 0, query), rows: rows.map(toRow), save, coverage: `Collection ${label}` };
});
