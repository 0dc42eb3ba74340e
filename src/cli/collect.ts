import { Command } from 'commander';
import type { LoadRows } from '../collect/pass/batch.js';
import { CLOCK } from '../collect/clock.js';
import { dryRun, dryRunText } from '../collect/pass/dry-run.js';
import { Host } from '../collect/host/host.js';
import type { Collector } from '../collect/collector.js';
import { runOnce } from '../collect/pass.js';
import { wantedDays } from '../collect/pass/plan.js';
import { moment, type RunReport, formatRun } from '../collect/pass/run-report.js';
import type { PublicSource } from '../collect/source.js';
import type { SourceFile } from '../collect/files/source-file.js';
import { findSourceFiles, isPath, readSourceKeys } from '../collect/files/find-files.js';
import { toSource } from '../collect/files/file-source.js';
import { CODE_SOURCES } from '../collect/sources/index.js';
import { computeJitter, watch } from '../collect/schedule.js';
import { type Config, readConfig, SETTINGS } from '../config.js';
import { load } from '../ingest/load.js';
import { UserError } from '../lib/user-error.js';
import { stopSignal } from './stop-signal.js';
import { withStore } from '../store/engine/open.js';
import { withLoadLock } from '../store/lock/lock.js';
import { splitWords } from '../lib/text.js';
import { tryCommand } from './collect-try.js';
import { getUserAgent, makeFileHosts } from './file-hosts.js';
import { storeLocation } from './load-command.js';
import { type ProgressLog, showProgress } from './progress.js';

// npm run collect -- --stations KNYC,KORD --contact me@example.org [--from DATE] [--watch]

interface Options {
  stations: string[];
  state: string[];
  country: string[];
  from?: string;
  to?: string;
  sources?: string[];
  providers?: string[];
  contact?: string;
  nonCommercial: boolean;
  dryRun: boolean;
  watch: boolean;
  json: boolean;
}

const EXIT_CODE = { complete: 0, gaps: 3 } as const;

/** The distances between requests for which waits are made. */
const USUAL_GAP_MS = { iem: 4000, noaa: 10_000 };

const more = (text: string, before: readonly string[] = []): string[] => [...before, ...splitWords(text)];

export default new Command('collect')
  .description(
    'Collect forecasts and observations from public sources and load them. Run it again to fetch what is missing. ' +
      'Exit code 0: everything came, 3: gaps or rejected rows, 1: failed.',
  )
  .option('--stations <ids>', 'ICAO identifiers, separated by commas (repeatable)', more, [])
  .option('--state <state>', 'all stations with climate reports in a US state (repeatable)', more, [])
  .option('--country <country>', 'all stations of a country, two letters (repeatable)', more, [])
  .option('--from <date>', 'first day (default: a year ago)')
  .option('--to <date>', 'last day (default: until now)')
  .option('--sources <names...>', 'sources to collect: their names, or files such as ./sources/*.yaml', more)
  .option('--providers <names>', 'providers to collect, such as nbm,nws', more)
  .option('--contact <address>', 'your e-mail address or web page, sent to the hosts (required)')
  .option('--non-commercial', 'state that your use of the sources is not commercial', false)
  .option('--dry-run', 'show what would be requested; request only the list of stations', false)
  .option('--watch', 'keep running, and keep everything current', false)
  .option('--json', 'print reports as JSON, one object per line', false)
  .addCommand(tryCommand)
  .action(collect);

async function collect(options: Options, program: Command): Promise<void> {
  if (options.stations.length + options.state.length + options.country.length === 0)
    program.error('nothing to collect: give --stations, --state or --country (see --help)');
  if (options.contact === undefined) program.error('--contact: is required, and is sent to the hosts');
  if (options.watch && (options.to !== undefined || options.dryRun))
    program.error('--watch: collects from now on; leave out --to and --dry-run');
  const config = readConfig(process.env);
  // Until a report has been shown, all else is a failure: also a loop of events that runs dry.
  process.exitCode = 1;
  const log = showProgress();
  process.exitCode = await collectWith(options, config, log).finally(log.close);
}

async function collectWith(options: Options, config: Config, log: ProgressLog): Promise<number> {
  const collector = makeCollector(readOrder(options, config, log), config, log, stopSignal());
  const into = storeLocation(config);
  const show = (report: RunReport): void => {
    log.end();
    console.log(options.json ? JSON.stringify({ ...report, store: into }) : formatRun(report, into));
  };
  if (options.dryRun) {
    const run = await dryRun(collector);
    log.end();
    console.log(options.json ? JSON.stringify(run) : dryRunText(run));
  } else if (options.watch) {
    await watch(collector, {
      jitter_ms: computeJitter(config.dataDir, options.contact ?? ''),
      onRun: show,
      onWait(until_ms) {
        log.end();
        console.error(`next pass at ${moment(until_ms)}`);
      },
      onError(error) {
        log.end();
        const reason = error instanceof UserError ? error.message : error;
        console.error('this pass has failed and will be tried again:', reason);
      },
    });
  } else {
    const report = await runOnce(collector);
    show(report);
    return EXIT_CODE[report.outcome];
  }
  return 0;
}

/** An order to collect, and who asks. */
export interface Order extends Pick<Collector, 'wanted' | 'days' | 'sources'> {
  /** The files of sources, and others. */
  files: readonly SourceFile[];
  contact: string;
}

function readOrder(options: Options, { dataDir }: Config, log: (line: string) => void): Order {
  const days = wantedDays(options, CLOCK.now());
  const contact = options.contact ?? '';
  getUserAgent(contact);
  const { files, named } = findSourceFiles(dataDir, options.sources?.filter(isPath));
  const names = options.sources && [...options.sources.filter((word) => !isPath(word)), ...named];
  const all = [...CODE_SOURCES, ...files.map(toSource)];
  const sources = chooseSources(all, { ...options, sources: names }, log);
  const { stations, state: states, country: countries } = options;
  return { wanted: { stations, states, countries }, days, sources, files, contact };
}

/** @throws UserError */
export function makeCollector(
  { wanted, days, sources, files, contact }: Order,
  config: Config,
  log: (line: string) => void,
  signal: AbortSignal,
): Collector {
  const { noaa, dataDir, clickhouse } = config;
  const user_agent = getUserAgent(contact);
  const used = files.filter(({ name }) => sources.some((source) => source.name === name));
  const keys = readSourceKeys(used, dataDir, process.env, SETTINGS);
  return {
    wanted,
    days,
    sources,
    dataDir,
    // The state is in the folder of the store that it speaks of, wherever that goes.
    store: clickhouse.url === undefined ? 'of DATA_DIR' : storeLocation(config),
    hosts: {
      ...makeFileHosts(used, user_agent, keys),
      iem: makeIemHost(config, contact),
      noaa: new Host({ ...noaa, user_agent, pace: paceOf(noaa.gap_ms, USUAL_GAP_MS.noaa) }, CLOCK),
    },
    load: loadInto(config, signal, log),
    clock: CLOCK,
    signal,
    log,
  };
}

const paceOf = (gap_ms: number, usual_ms: number): number => Math.min(1, gap_ms / usual_ms);

/** @throws UserError */
export const makeIemHost = ({ iem }: Pick<Config, 'iem'>, contact: string): Host =>
  new Host({ ...iem, user_agent: getUserAgent(contact), pace: paceOf(iem.gap_ms, USUAL_GAP_MS.iem) }, CLOCK);

/** @throws UserError for names that there are not, and sources that may not be used */
function chooseSources(
  all: readonly PublicSource[],
  {
    sources: names,
    providers: wanted,
    nonCommercial,
  }: Omit<Options, 'sources'> & { sources: string[] | undefined },
  log: (line: string) => void,
): PublicSource[] {
  const unknown = (option: string, given: readonly string[] | undefined, known: readonly string[]): void => {
    const wrong = given?.find((name) => !known.includes(name));
    if (wrong !== undefined)
      throw new UserError(`--${option}: unknown "${wrong}". Available: ${known.join(', ')}`);
  };
  unknown(
    'sources',
    names,
    all.map(({ name }) => name),
  );
  unknown(
    'providers',
    wanted,
    all.flatMap(({ provider }) => provider ?? []),
  );
  const chosen = all.filter(
    ({ name, provider, isOff }) =>
      (names?.includes(name) ?? true) &&
      (provider === undefined || (wanted?.includes(provider) ?? true)) &&
      (isOff !== true || names !== undefined || (provider !== undefined && wanted !== undefined)),
  );
  return leaveOutCommercial(chosen, nonCommercial, log);
}

/** @throws UserError where nothing is left */
export function leaveOutCommercial(
  chosen: readonly PublicSource[],
  isNonCommercial: boolean,
  log: (line: string) => void,
): PublicSource[] {
  const free = chosen.filter((source) => source.isNonCommercial !== true || isNonCommercial);
  const off = chosen.filter((source) => !free.includes(source)).map(({ name }) => name);
  const why =
    'They are free only for non-commercial use; give --non-commercial, or files of your own with a key';
  if (free.length === 0) throw new UserError(`--sources: all chosen sources are off. ${why}`);
  if (off.length > 0) log(`off: ${off.join(', ')}. ${why}`);
  return free;
}

function loadInto(config: Config, signal: AbortSignal, log: (line: string) => void): LoadRows {
  return async (files, collected) =>
    withStore(config, async (store) =>
      withLoadLock(store, (locked) => load(locked, files, { collected, signal }), { signal, onWait: log }),
    );
}
