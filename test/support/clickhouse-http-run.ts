import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StandIn } from './clickhouse-http.js';

// npm run test:http -- [--short | FILE...]: integration suites over ClickHouse's HTTP interface: at TEST_CLICKHOUSE_URL,
// or where that is not set, of a stand-in that it starts.

const suite = (name: string): string => `test/integration/${name}.test.ts`;

/** Of each kind one: answers, loads, what is kept, bound values. */
const SHORT = ['contract/summary', 'contract/by-station', 'cache', 'loader', 'oracle', 'store'].map(suite);

/** The suites whose stores are opened by test/support/store.ts; the others bring an engine of their own. */
const ALL = [
  'contract/*',
  'cache',
  'directory',
  'ledger',
  'limits',
  'loader',
  'migrate',
  'one-truth',
  'oracle',
  'plain-rows',
  'store',
].map(suite);

const user = { name: 'service', password: "p@ss:w/ö'rd" };
const folder = mkdtempSync(join(tmpdir(), 'forecast-accuracy-http-'));
let standIn: StandIn | undefined;
let address: Record<string, string> = {};
try {
  if (process.env.TEST_CLICKHOUSE_URL === undefined) {
    standIn = await StandIn.start(join(folder, 'clickhouse'), { [user.name]: { password: user.password } });
    address = {
      TEST_CLICKHOUSE_URL: standIn.url,
      TEST_CLICKHOUSE_USER: user.name,
      TEST_CLICKHOUSE_PASSWORD: user.password,
    };
    console.log(`a stand-in for a ClickHouse server speaks HTTP at ${standIn.url}`);
  }
  const given = process.argv.slice(2);
  const suites = given[0] === '--short' ? SHORT : given.length > 0 ? given : ALL;
  const mocha = spawn('npx', ['--no-install', 'mocha', ...suites], {
    stdio: 'inherit',
    env: { ...process.env, ...address },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => mocha.kill(signal));
  const [code] = (await once(mocha, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await standIn?.kill();
  rmSync(folder, { recursive: true, force: true });
}
