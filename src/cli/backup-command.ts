import { join, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { backup, type StateFiles } from '../backup/backup.js';
import { type Config, readConfig } from '../config.js';
import { UserError } from '../lib/user-error.js';
import { stopSignal } from './stop-signal.js';
import { withStore } from '../store/engine/open.js';

// npm run backup -- --to DIR [--base DIR] [--with-keys]

export const KEYS_FILE = 'api-keys.json';

export default new Command('backup')
  .description('Back up all data into a new folder, beside a running server or without one')
  .requiredOption('--to <folder>', 'new or empty folder for the backup')
  .option('--base <folder>', 'full backup, whose contents are left out')
  .option('--with-keys', 'back up API_KEYS_FILE, too', false)
  .action(async ({ to, base, withKeys }: { to: string; base?: string; withKeys: boolean }) => {
    const config = readConfig(process.env);
    rejectCluster(config);
    const engine = join(config.dataDir, 'clickhouse');
    if (`${resolve(to)}${sep}`.startsWith(`${engine}${sep}`))
      throw new UserError(`--to: ${to} is in the engine's folder, ${engine}; name a folder outside`);
    await withStore(config, async (store) => {
      const { data_version, tables } = await backup(store, resolve(to), {
        ...(base !== undefined && { base: resolve(base) }),
        stateFiles: { ...dataFiles(config), ...(withKeys && { [KEYS_FILE]: config.apiKeysFile }) },
        signal: stopSignal(),
        onWait: console.error,
      });
      const rows = Object.values(tables).reduce<number>((sum, count) => sum + (count ?? 0), 0);
      console.log(
        `${resolve(to)}: data version ${data_version}, ${Object.keys(tables).length} tables, ${rows} rows`,
      );
    });
  });

/** The files of the data beside the engine's folder: they show how far the data have been collected. */
export function dataFiles({ dataDir }: Pick<Config, 'dataDir'>): StateFiles {
  return { 'collect.json': join(dataDir, 'collect.json') };
}

/** @throws UserError on a cluster, whose servers write files of their own */
export function rejectCluster({ clickhouse }: Pick<Config, 'clickhouse'>): void {
  if (clickhouse.cluster === undefined) return;
  throw new UserError(
    'CLICKHOUSE_CLUSTER: backup and restore are for a data folder or one server; docs/operating.md has the statements for a cluster',
  );
}
