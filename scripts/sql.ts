import { existsSync } from 'node:fs';
import { readConfig } from '../src/config.js';
import { withStore } from '../src/store/engine/open.js';
import { runCommand, UserError } from '../src/lib/user-error.js';
import { traceRequest } from './sql/trace.js';

// npm run sql -- '/api/v1/accuracy/summary?city=Chicago': prints the SQL of a request with its bound values, as
// clickhouse-client takes it. Reads the data of DATA_DIR or CLICKHOUSE_URL, else those of the demo.

await runCommand(async () => {
  const [, , given = ''] = process.argv;
  const path = given.replace(/^https?:\/\/[^/]*/, '');
  if (!path.startsWith('/'))
    throw new UserError("give a URL: npm run sql -- '/api/v1/accuracy/summary?days=30'");
  const config = readConfig({ DATA_DIR: './data/demo', ...process.env });
  if (config.clickhouse.url === undefined && !existsSync(config.dataDir))
    throw new UserError(
      `DATA_DIR: ${config.dataDir} is missing; run make demo once, or name your data folder`,
    );
  const { status, body, statements } = await withStore(config, (store) => traceRequest(store, path));
  for (const { text, isShared } of statements) {
    console.log(`-- ${isShared ? 'version and directory, shared by requests' : path}`);
    console.log(`${text}\n`);
  }
  if (status >= 400) throw new UserError(`status ${status}: ${body}`);
});
