import { Command } from 'commander';
import { readConfig } from '../src/config.js';
import { openStore } from '../src/store/open.js';
import { runCommand } from '../src/operator-fault.js';

// npm run migrate

await runCommand(async () => {
  new Command('migrate').description('Bring the tables up to date').parse();
  const { migrated, close } = await openStore(readConfig(process.env), 'command');
  console.log(migrated.length === 0 ? 'the tables are up to date' : `applied ${migrated.join(', ')}`);
  await close();
});
