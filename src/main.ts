import { serveCommand } from './cli/serve.js';
import { runCommand } from './operator-fault.js';

await runCommand(async () => {
  await serveCommand.parseAsync();
});
