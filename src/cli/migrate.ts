import { Command } from 'commander';
import { readConfig } from '../config.js';
import { openStore } from '../store/engine/open.js';
import { runCommand } from '../operator-fault.js';

// npm run migrate

await runCommand(async () => {
  new Command('migrate').description('Bring the tables up to date').parse();
  const { migrated, close } = await openStore(readConfig(process.env), 'command');
  console.log(migrated.length === 0 ? 'the tables are up to date' : `applied ${migrated.join(', ')}`);
  await close();
});
