import type { Caller, Settings } from '../contracts/api.js';
import { auditRow } from './events.js';
import { one, type Tx } from './client.js';

const DEFAULTS: Settings = {
  zone: 'America/Mexico_City',
  language: 'es-MX',
  concurrency: 10,
  second_approver_above: null,
  calls_per_second: null,
  integrations: null,
  capabilities: null,
};

const COLUMNS = 'zone, language, concurrency, second_approver_above, calls_per_second, integrations, capabilities';

/** A workspace's settings; the usual ones where it has not been seen yet. */
export const readSettings = async (tx: Tx, workspace: string): Promise<Settings> =>
  (await tx.q<Settings>(`select ${COLUMNS} from workspaces where id = $1`, [workspace]))[0] ?? DEFAULTS;

/** Replaces the settings; connections and capabilities that are left out stay. Who and what is kept in the audit. */
export const writeSettings = async (tx: Tx, caller: Caller, settings: Settings): Promise<Settings> => {
  const before = await readSettings(tx, caller.workspace);
  const after = one(
    await tx.q<Settings>(
      `update workspaces set zone = $2, language = $3, concurrency = $4, second_approver_above = $5, calls_per_second = $6, integrations = $7, capabilities = $8 where id = $1 returning ${COLUMNS}`,
      [
        caller.workspace,
        settings.zone,
        settings.language,
        settings.concurrency,
        settings.second_approver_above,
        settings.calls_per_second,
        settings.integrations === undefined ? before.integrations : settings.integrations,
        settings.capabilities === undefined ? before.capabilities : settings.capabilities,
      ],
    ),
    'settings',
  );
  await auditRow(tx, {
    workspace: caller.workspace,
    actor: caller.sub,
    channel: caller.channel,
    action: 'settings.changed',
    detail: { before, after },
  });
  return after;
};
