import pg from 'pg';

/** Runs `work` with one connection, which is closed afterwards. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Creates a role that owns one database of the same name and can enter no other; sets its password when both exist already. */
export const ensureDatabase = (adminUrl: string, name: string, password: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    const role = client.escapeIdentifier(name);
    const secret = client.escapeLiteral(password);
    const roles = await client.query('select 1 from pg_roles where rolname = $1', [name]);
    await client.query(`${roles.rowCount ? 'alter' : 'create'} role ${role} login password ${secret}`);
    const databases = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (databases.rowCount) return;
    await client.query(`create database ${role} owner ${role}`);
    await client.query(`revoke all on database ${role} from public`);
  });

/** The role of Ada's turns (db/migrations/0003), which the owner of the database may not make, and the login of the development stack that has it. */
const ADA = { role: 'campana_ada', login: 'campana_ada_dev' };

/** Makes Ada's role and a login that has nothing else, with this password. @returns the login's name */
export const ensureAdaLogin = (adminUrl: string, password: string): Promise<string> =>
  withClient(adminUrl, async (client) => {
    const exists = async (name: string): Promise<boolean> =>
      Boolean((await client.query('select 1 from pg_roles where rolname = $1', [name])).rowCount);
    if (!(await exists(ADA.role))) await client.query(`create role ${ADA.role} nologin`);
    await client.query(
      `${(await exists(ADA.login)) ? 'alter' : 'create'} role ${ADA.login} login inherit password ${client.escapeLiteral(password)}`,
    );
    await client.query(`grant ${ADA.role} to ${ADA.login}`);
    return ADA.login;
  });
