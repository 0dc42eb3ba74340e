import { sqlFile, statements } from '../../../src/store/schema/migrate.js';
import type { ClickHouseServerOptions } from './server.js';

export type ServiceUser = 'api' | 'loader' | 'owner';

/**
 * The users of clickhouse/server/users.sql with their grants and settings, for a server that takes none by statement.
 * @param hasKeeper whether locks are in Keeper, or in what stands in for it
 */
export async function serviceUsers(
  hasKeeper: boolean,
): Promise<Required<Pick<ClickHouseServerOptions, 'users' | 'profiles'>>> {
  const all = statements((await sqlFile('server/users.sql')).replace(/--.*$/gm, ''));
  const users = ['api', 'loader', 'owner'].map((user) => {
    const name = `forecast_accuracy_${user}`;
    const grant = new RegExp(`^(GRANT .+ ON .+) TO ${name}$`, 's');
    const grants = all.flatMap(
      (sql) => grant.exec(sql)?.[1]?.replace('KeeperMap', hasKeeper ? 'KeeperMap' : 'EmbeddedRocksDB') ?? [],
    );
    const profiles = all.flatMap((sql) => profileIn(sql, name) ?? []);
    return { name, grants, profile: profiles[0] };
  });
  return {
    users: Object.fromEntries(
      users.map(({ name, grants, profile }) => [
        name,
        { password: `of ${name}`, grants, ...(profile && { profile: name }) },
      ]),
    ),
    profiles: Object.fromEntries(users.flatMap(({ name, profile }) => (profile ? [[name, profile]] : []))),
  };
}

/** The profile that CREATE SETTINGS PROFILE gives this name, as users.xml has it. */
function profileIn(sql: string, name: string): object | undefined {
  const list = new RegExp(`^CREATE SETTINGS PROFILE IF NOT EXISTS ${name} SETTINGS\\s+(.+)$`, 's').exec(
    sql,
  )?.[1];
  if (list === undefined) return undefined;
  const settings = list.split(',').map((setting) => {
    const [, key = '', value = '', min, max, fixed] =
      /^\s*(\w+) = (\S+)(?: MIN (\S+) MAX (\S+))?( CONST)?\s*$/.exec(setting) ?? [];
    if (key === '') throw new Error(`users.sql has a setting of another form: ${setting}`);
    const constraint = fixed !== undefined ? { const: '' } : min !== undefined ? { min, max } : undefined;
    return { key, value, constraint };
  });
  return {
    ...Object.fromEntries(settings.map(({ key, value }) => [key, value])),
    constraints: Object.fromEntries(
      settings.flatMap(({ key, constraint }) => (constraint === undefined ? [] : [[key, constraint]])),
    ),
  };
}
