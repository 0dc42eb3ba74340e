import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { restore } from '../backup/restore.js';
import { readConfig } from '../config.js';
import { stopSignal } from './stop-signal.js';
import { withStore } from '../store/engine/open.js';
import { commandText } from '../lib/user-error.js';
import { dataFiles, KEYS_FILE, rejectCluster } from './backup-command.js';

// npm run restore -- --from DIR

export default new Command('restore')
  .description('Restore a backup into an empty data folder or database, all or nothing')
  .requiredOption(
    '--from <folder>',
    'backup folder; an incremental one needs its base at the same relative path',
  )
  .action(async ({ from }: { from: string }) => {
    const config = readConfig(process.env);
    rejectCluster(config);
    const hasKeys = existsSync(config.apiKeysFile);
    await withStore(config, async (store) => {
      const { data_version, created_at, files } = await restore(store, resolve(from), {
        stateFiles: { ...dataFiles(config), ...(!hasKeys && { [KEYS_FILE]: config.apiKeysFile }) },
        signal: stopSignal(),
        onWait: console.error,
      });
      console.log(
        `restored data version ${data_version}, backed up at ${created_at}; ${commandText('verify')} audits it`,
      );
      if (hasKeys && files[KEYS_FILE] !== undefined) {
        console.log(`API_KEYS_FILE: ${config.apiKeysFile} is there already and stays as it is`);
      }
    });
  });
