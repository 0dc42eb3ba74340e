import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { type Config, readConfig, SETTINGS } from '../config.js';
import { load } from '../ingest/load.js';
import { reportText } from '../ingest/load-report.js';
import { commandText, UserError } from '../lib/user-error.js';
import { confirmBuilt, runServer } from '../server.js';
import { sql } from '../queries/sql.js';
import { withLoadLock } from '../store/lock/lock.js';
import { withStore } from '../store/engine/open.js';
import type { Store } from '../store/store.js';
import { keepLocalKey, openPage } from './local-page.js';
import { SAMPLE_DAYS, writeSample } from '../sample/generate.js';

// npm run demo: sample data, a key, a server and the dashboard; with --live, data of public sources for three cities.
// Data and keys that exist already are kept.

const LIVE_STATIONS = 'KNYC,KORD,KDEN';
const LIVE_DAYS = 60;

/** How often the sample goes on, and for how long reports of a day may come after it. */
const LOAD_EVERY_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const LATEST_REPORT_DAYS = 14;

/** How the collector ends when it has everything, or all but a part. */
const EXIT_COMPLETE = 0;
const EXIT_IN_PART = 3;

export default new Command('demo')
  .description(
    'Start a server on sample data in ./data/demo, or on collected data in ./data/demo-live, with a key of its own and the embedded engine',
  )
  .option('--live', `collect the last ${LIVE_DAYS} days of ${LIVE_STATIONS} from public sources`, false)
  .option('--contact <address>', 'with --live: a mail address or URL at which these sources can reach you')
  .action(async ({ live, contact = '' }: { live: boolean; contact?: string }, program: Command) => {
    if (live && contact.trim() === '') {
      program.error(
        'error: --contact: missing, but public sources need a mail address or a URL; run make demo-live CONTACT=you@example.org',
      );
    }
    confirmBuilt();
    const config = demoConfig(process.env, live ? './data/demo-live' : './data/demo');
    const ignored = listIgnored(process.env);
    if (ignored.length > 0)
      console.log(
        `${ignored.join(', ')}: not used by the demo, which has its data in ${config.dataDir}; for a server of your own, ${commandText('serve')}`,
      );
    if (live) await collectLive(config, contact);
    else {
      await withStore(config, (store) =>
        loadSample(store, new Date(), (isThere) =>
          console.log(
            isThere
              ? `Keeping the data in ${config.dataDir}, and loading what has come since ...`
              : `Writing and loading sample feeds: ${SAMPLE_DAYS} days of forecasts up to today ...`,
          ),
        ),
      );
    }
    const key = await keepLocalKey(config, 'demo');
    const { url: listening } = await runServer(config);
    const url = listening.replace('0.0.0.0', '127.0.0.1'); // of a container, where its port is published
    if (!live) goOn(config);
    // Odds are about one place. Behind the #, which is never sent, and the page removes it from its address.
    const page = `${url}/${live ? `?station_id=${LIVE_STATIONS.slice(0, 4)}` : ''}#key=${key}`;
    console.log(`\n${guide(url, page, key)}\n`);
    openPage(page);
  });

/** The settings of the environment that the demo takes, and those of the collector that `--live` runs. */
const OWN_SETTINGS = /^(HOST|PORT|LOG_LEVEL|(IEM|NOAA)_.*)$/;

/** The names of the settings that are given and that the demo does not use. */
export const listIgnored = (env: NodeJS.ProcessEnv): string[] =>
  SETTINGS.filter((name) => (env[name] ?? '') !== '' && !OWN_SETTINGS.test(name));

/**
 * The settings of the demo: the address to listen on and the log level are the environment's, everything else its own.
 * An exported DATA_DIR, CLICKHOUSE_URL or API_KEYS_FILE would put sample data and a key into production.
 */
export function demoConfig(
  { HOST, PORT, LOG_LEVEL = 'warn' }: NodeJS.ProcessEnv,
  DATA_DIR = './data/demo',
): Config {
  return readConfig({ HOST, PORT, LOG_LEVEL, DATA_DIR });
}

/** Runs the collector as an operator does, in a process of its own: its settings are the demo's, and its exit is not. */
async function collectLive({ dataDir }: Config, contact: string): Promise<void> {
  const from = new Date();
  from.setUTCDate(from.getUTCDate() - LIVE_DAYS);
  const days = ['--from', from.toISOString().slice(0, 10)];
  const options = ['--stations', LIVE_STATIONS, ...days, '--contact', contact];
  const [, program = ''] = process.argv;
  const collecting = spawn(process.execPath, [program, 'collect', ...options], {
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: dataDir, API_KEYS_FILE: '', CLICKHOUSE_URL: '', CLICKHOUSE_CLUSTER: '' },
  });
  const [code] = (await once(collecting, 'exit')) as [number | null];
  // The collector's report names missing data, and the rest can be looked at.
  if (code !== EXIT_COMPLETE && code !== EXIT_IN_PART) throw new UserError('nothing could be collected');
}

/**
 * Loads what the sample says up to now; where its data are there already, what has come of it since.
 * @param onStart receives whether they are there, before anything is loaded
 * @returns whether they were
 */
export async function loadSample(
  store: Store,
  now = new Date(),
  onStart: (isThere: boolean) => void = () => {},
): Promise<boolean> {
  const { newest_ms } = await store.queryOne(
    sql.rows(
      z.object({ newest_ms: z.number() }),
    )`SELECT toUnixTimestamp64Milli(max(at)) AS newest_ms FROM hours`,
  );
  const days = Math.min(SAMPLE_DAYS, Math.ceil((now.getTime() - newest_ms) / DAY_MS) + LATEST_REPORT_DAYS);
  const isThere = days < SAMPLE_DAYS;
  onStart(isThere);
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-sample-'));
  try {
    const feeds = await writeSample(folder, now.toISOString(), days);
    const files = Object.fromEntries(Object.entries(feeds).map(([feed, file]) => [feed, [file]]));
    const report = await withLoadLock(store, (locked) => load(locked, files, { now }));
    if (!isThere) console.log(reportText(report));
    if (report.outcome !== 'complete') throw new UserError('the sample feeds have rows that cannot be used');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return isThere;
}

/** Loads what comes of the sample as time goes on, beside the running server, so that a day that has begun stays known. */
function goOn(config: Config): void {
  const next = (): void => {
    withStore(config, (store) => loadSample(store))
      .catch((error: unknown) => console.error('The sample data could not be continued:', error))
      .finally(() => setTimeout(next, LOAD_EVERY_MS).unref());
  };
  setTimeout(next, LOAD_EVERY_MS).unref();
}

function guide(url: string, page: string, key: string): string {
  const curl = (path: string): string =>
    `curl -s -H 'Authorization: Bearer ${key}' '${url}/api/v1/accuracy/${path}'`;
  return `The service is running at ${url}; Ctrl-C stops it. The dashboard, with this demo's key:

${page}

Or paste into another terminal:

# How good were the forecasts of the last 90 days, over all stations?
${curl('summary')}

# How does the error of the daily high in Chicago grow with lead time?
${curl('by-lead-time?station_id=KORD')}

# Which cities are forecast best and worst? As a table for a spreadsheet.
${curl('by-city?sort_by=mae&format=csv')}

# Is that so? Compute it yourself with DuckDB, from the pairs (docs/recompute.md).
${curl('summary/recompute.sql')} > recompute.sql
sed -n 's/^-- 1\\. //p' recompute.sql | API_KEY=${key} BASE_URL=${url} sh && duckdb -json -f recompute.sql`;
}
