import { Command } from 'commander';
import { readConfig } from '../config.js';
import { openStore } from '../store/engine/open.js';
import { runWhenStarted } from './run.js';

// npm run migrate

export const migrateCommand = new Command('migrate')
  .description('Bring the tables up to date')
  .action(async () => {
    const { migrated, close } = await openStore(readConfig(process.env), 'command');
    console.log(migrated.length === 0 ? 'the tables are up to date' : `applied ${migrated.join(', ')}`);
    await close();
  });

await runWhenStarted(import.meta.url, migrateCommand);
