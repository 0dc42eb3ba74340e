import { readConfig } from './config.js';
import { runCommand } from './operator-fault.js';
import { runServer } from './server.js';

await runCommand(async () => {
  await runServer(readConfig(process.env));
});
