import { Command } from 'commander';
import { readConfig } from '../config.js';
import { openStore } from '../store/engine/open.js';

// npm run migrate

export default new Command('migrate').description('Bring the tables up to date').action(async () => {
  const { migrated, close } = await openStore(readConfig(process.env), 'command');
  console.log(migrated.length === 0 ? 'the tables are up to date' : `applied ${migrated.join(', ')}`);
  await close();
});
