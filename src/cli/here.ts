import { resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { CLOCK } from '../collect/clock.js';
import type { Host } from '../collect/host/host.js';
import { runOnce } from '../collect/pass.js';
import type { RunReport } from '../collect/pass/run-report.js';
import { type Config, readConfig } from '../config.js';
import { chooseHereSources, formatHere } from '../here/choose-sources.js';
import { formatDaily } from '../here/daily.js';
import { findHere, findHereFiles, type Here, type HereOptions } from '../here/place.js';
import { UserError } from '../lib/user-error.js';
import { bind, sql } from '../queries/sql.js';
import { confirmBuilt, runServer } from '../server.js';
import { withStore } from '../store/engine/open.js';
import { leaveOutCommercial, makeCollector, makeIemHost } from './collect.js';
import { keepLocalKey, openPage } from './local-page.js';
import { type ProgressLog, showProgress } from './progress.js';
import { stopSignal } from './stop-signal.js';

// forecast-accuracy here --at 41.98,-87.9 --name Home --contact me@example.org: from nothing to the page of a place.

interface Options extends HereOptions {
  serve: boolean;
  daily: boolean;
}

/** A server beside the work has longer to end, because requests in flight end first. */
const DRAIN_MS = 30_000;

const PAIRS = z.object({ provider: z.string(), metric: z.string() });
type Pairs = z.infer<typeof PAIRS>;

export default new Command('here')
  .description(
    'Show which forecasts to trust at your place: find it, collect from the free sources, load, and serve its page. ' +
      'Run it again, without arguments, to go on.',
  )
  .argument('[city]', 'a city with an airport, or the ICAO identifier of an airport')
  .option('--at <latitude,longitude>', 'the place, such as 41.98,-87.9')
  .option('--name <name>', 'your name of it; with observations of your own also its station: Home is HOME')
  .option('--contact <address>', 'your e-mail address or web page, sent to the hosts (required at first)')
  .option('--non-commercial', 'state that your use is not commercial: more sources are free then')
  .option('--no-serve', 'collect, load, and end')
  .option('--daily', 'print the lines for cron or systemd that collect each day, and end', false)
  .action(async (city: string | undefined, options: Options) => {
    confirmBuilt();
    const config = readConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' });
    const log = showProgress();
    await goHere({ ...options, city }, config, log).finally(log.close);
  });

/** Serves at once where the place has pairs, and collects beside; else it collects first. */
async function goHere(options: Options, config: Config, log: ProgressLog): Promise<void> {
  const signal = stopSignal(DRAIN_MS);
  const makeHost = (contact: string): Host => makeIemHost(config, contact);
  const around = { dataDir: config.dataDir, now_ms: CLOCK.now(), makeHost, log, signal };
  const here = await findHere(options, around);
  log.end();
  if (options.daily)
    return console.log(formatDaily(config.dataDir, [process.execPath, resolve(process.argv[1] ?? '')]));
  console.log(here.note);
  const { station_id } = here.place;
  const pairs = options.serve ? await findPairs(config, station_id) : undefined;
  if (pairs !== undefined) await servePage(config, station_id, pairs);
  try {
    const report = await collectHere(here, config, log, signal);
    log.end();
    console.log(formatHere(report));
  } catch (error) {
    if (pairs === undefined || !(error instanceof UserError)) throw error;
    log.end();
    console.error(error.message);
  }
  if (options.serve && pairs === undefined)
    await servePage(config, station_id, await findPairs(config, station_id));
}

async function collectHere(
  here: Here,
  config: Config,
  log: ProgressLog,
  signal: AbortSignal,
): Promise<RunReport> {
  const { files, own } = findHereFiles(config.dataDir);
  const { sources, from } = chooseHereSources(here, { files, own });
  const say = (line: string): void => {
    log.end();
    console.log(line);
  };
  const order = {
    wanted: { stations: [], states: [], countries: [], places: [here.place] },
    days: { from },
    sources: leaveOutCommercial(sources, here.is_non_commercial, say),
    ...{ files, contact: here.contact },
  };
  return runOnce(makeCollector(order, config, log, signal));
}

/** The first variable of a station that has pairs, and the provider with most of them: the page opens with these. */
async function findPairs(config: Config, station_id: string): Promise<Pairs | undefined> {
  const [row] = await withStore(config, (store) =>
    store.query(
      sql.rows(PAIRS)`
        SELECT provider, toString(metric) AS metric
        FROM pairs
        WHERE station_id = ${bind({ station_id }, 'String')}
        GROUP BY provider, pairs.metric
        HAVING sum(sign) > 0
        ORDER BY pairs.metric, sum(sign) DESC
        LIMIT 1`,
    ),
  );
  return row;
}

async function servePage(config: Config, station_id: string, pairs: Pairs | undefined): Promise<void> {
  // A name that no operator gives: a key that has it is made anew where its file is lost.
  const key = await keepLocalKey(config, 'page-of-here');
  const { url } = await runServer(config);
  const query = new URLSearchParams({ station_id, ...pairs }).toString();
  // Behind the #, which is never sent, and the page removes it from its address.
  const page = `${url.replace('0.0.0.0', '127.0.0.1')}/?${query}#key=${key}`;
  const what = pairs === undefined ? 'Your place has no pairs yet' : 'The page of your place';
  console.log(`\n${what}; Ctrl-C stops the server:\n\n${page}\n`);
  openPage(page);
}
