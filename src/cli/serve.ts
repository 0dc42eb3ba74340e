import { Command } from 'commander';
import { readConfig } from '../config.js';
import { runServer } from '../server.js';

// npm start

export default new Command('serve')
  .description('Start the server on DATA_DIR or CLICKHOUSE_URL; SIGTERM drains it')
  .action(async () => {
    await runServer(readConfig(process.env));
  });
