import { readConfig } from './config.js';
import { runCommand } from './operator-fault.js';
import { startServer } from './server.js';

await runCommand(async () => {
  const server = await startServer(readConfig(process.env));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Once: a second signal finds no listener, and ends the process at once.
    process.once(signal, () => {
      void runCommand(async () => {
        await server.stop();
        process.exit(0);
      });
    });
  }
});
