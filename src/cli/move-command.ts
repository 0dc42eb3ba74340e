import { Command } from 'commander';
import { readConfig } from '../config.js';
import { move } from '../ingest/move.js';
import { commandText, UserError } from '../lib/user-error.js';
import { stopSignal } from './stop-signal.js';
import { withStore } from '../store/engine/open.js';

// npm run move

export default new Command('move')
  .description('Copy all data of the embedded engine in DATA_DIR to the empty database at CLICKHOUSE_URL')
  .action(moveData);

async function moveData(): Promise<void> {
  const target = readConfig(process.env);
  if (target.clickhouse.url === undefined) {
    throw new UserError('CLICKHOUSE_URL: must name the server to copy the data to');
  }
  const embedded = { ...target.clickhouse, url: undefined, cluster: undefined };
  await withStore({ ...target, clickhouse: embedded }, async (from) =>
    withStore(target, async (to) => {
      await move(from, to, console.log, { signal: stopSignal(), onWait: console.error });
      console.log(
        `all rows are there; ${commandText('verify')} with the same CLICKHOUSE_URL checks the copy`,
      );
    }),
  );
}
