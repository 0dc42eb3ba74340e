import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Config, readConfig } from '../config.js';
import { createKey, readKeys, revokeKey } from '../access/keys.js';
import { load } from '../ingest/load.js';
import { reportText } from '../ingest/feed/report.js';
import { OperatorFault, runCommand } from '../operator-fault.js';
import { runServer } from '../server.js';
import { withLoadLock } from '../store/lock/lock.js';
import { openStore } from '../store/engine/open.js';
import { SAMPLE_DAYS, writeSample } from '../sample/generate.js';

// npm run demo: sample data, a key, a server and the dashboard. What is there already is kept.

const KEY_NAME = 'demo';

await runCommand(async () => {
  // Its own folder by default, so that the sample never mixes with real data.
  const config = readConfig({ DATA_DIR: './data/demo', LOG_LEVEL: 'warn', ...process.env });
  await loadSampleOnce(config);
  const key = await renewKey(config.apiKeysFile);
  const { url } = await runServer(config);
  // Behind the #, which is never sent, and the page removes it from its address.
  const page = `${url}/#key=${key}`;
  console.log(`\n${guide(url, page, key)}\n`);
  // Only for somebody who is there to see it.
  if (process.stdout.isTTY && process.env.BROWSER !== 'none') openPage(page);
});

/** Opens a page in the desktop's browser, where there is one; the link has been printed anyway. */
function openPage(page: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const opener = process.platform === 'darwin' ? 'open' : (DISPLAY ?? WAYLAND_DISPLAY) && 'xdg-open';
  if (opener === undefined) return;
  const opening = spawn(opener, [page], { stdio: 'ignore', detached: true });
  opening.on('error', () => {}); // no such program
  opening.unref();
}

async function loadSampleOnce(config: Config): Promise<void> {
  const { store, close } = await openStore(config, 'command');
  try {
    const [loads] = await store.query(
      `SELECT count() AS finished FROM loads WHERE event = 'finished' AND JSONExtractString(report, 'outcome') = 'complete'`,
      {},
      z.object({ finished: z.number() }),
    );
    if (loads?.finished !== 0) {
      console.log(`Keeping the data in ${config.clickhouse.url ?? config.dataDir}.`);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-sample-'));
    try {
      const today = new Date().toISOString().slice(0, 10);
      console.log(`Writing sample feeds: ${SAMPLE_DAYS} days of forecasts up to ${today} ...`);
      const { stations, forecasts, observations } = await writeSample(folder, today);
      console.log('Loading them ...');
      const files = { stations: [stations], forecasts: [forecasts], observations: [observations] };
      const report = await withLoadLock(store, (locked) => load(locked, files));
      console.log(reportText(report));
      if (report.outcome !== 'complete')
        throw new OperatorFault('the sample feeds have rows that cannot be used');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } finally {
    await close();
  }
}

/** A key is shown once and kept as a hash, so each demo makes a new one in place of the one before. */
async function renewKey(file: string): Promise<string> {
  for (const { id, name, revoked_at } of readKeys(file)) {
    if (name === KEY_NAME && revoked_at === undefined) await revokeKey(file, id);
  }
  return (await createKey(file, KEY_NAME)).key;
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
${curl('by-lead-time?city=Chicago')}

# Which cities are forecast best and worst? As a table for a spreadsheet.
${curl('by-city?sort_by=mae&format=csv')}`;
}
