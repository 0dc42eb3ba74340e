import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { CLOCK } from '../collect/clock.js';
import { readSourceKeys, readSourceFile } from '../collect/files/find-files.js';
import { toSource } from '../collect/files/file-source.js';
import type { SourceFile } from '../collect/files/source-file.js';
import type { HostResponse } from '../collect/host/host.js';
import type { Outcome } from '../collect/pass/outcome.js';
import { requestAll } from '../collect/pass/request-all.js';
import { type FeedLine, makeOwnPlace, type StationPlace } from '../collect/source.js';
import { readConfig, SETTINGS } from '../config.js';
import { parsePoint } from '../here/place.js';
import { UserError } from '../lib/user-error.js';
import { getUserAgent, makeFileHosts } from './file-hosts.js';
import { isZone } from '../statistics/time/zone-name.js';
import { stopSignal } from './stop-signal.js';

// npm run collect -- try sources/metno.yaml --at 41.98,-87.9 --contact me@example.org

interface Options {
  at: string;
  zone: string;
  time?: string;
  contact?: string;
}

/** The newest request of this time is sent. */
const SPAN_MS = 3 * 24 * 3_600_000;

export const tryCommand = new Command('try')
  .description('Show the rows of one response of a source file, and keep nothing.')
  .argument('<file>', 'the source file')
  .requiredOption('--at <latitude,longitude>', 'the place')
  .option('--answer <file>', 'a saved response to read: nothing is requested')
  .option('--zone <zone>', 'the time zone of the place', 'UTC')
  .option('--time <instant>', 'the time of the request, such as 2026-01-31T12:00Z (default: now)')
  .option('--contact <address>', 'your e-mail address or web page, sent to the host')
  .action(async (path: string, options: Options, command: Command) => {
    const file = readSourceFile(path);
    const outcome = await requestOne(
      file,
      { ...command.parent?.opts<Options>(), ...options },
      command.getOptionValue('answer') as string | undefined,
    );
    console.log(formatOutcome(file, outcome));
    process.exitCode = outcome.gap === undefined ? 0 : 3;
  });

/** @throws UserError */
async function requestOne(
  file: SourceFile,
  { at, zone, time, contact }: Options,
  savedFile?: string,
): Promise<Outcome> {
  const source = toSource(file);
  const to_ms = time === undefined ? CLOCK.now() : Date.parse(time);
  if (Number.isNaN(to_ms)) throw new UserError('--time: must be an instant, such as 2026-01-31T12:00Z');
  const need = { place: parsePlace(at, zone, file), span: { from_ms: to_ms - SPAN_MS, to_ms } };
  const [request] = source.plan([need], to_ms);
  if (request === undefined) throw new UserError(`${file.name}: has no request of the last three days`);
  if (savedFile !== undefined) {
    const body = await readFile(savedFile, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
      throw new UserError(`--answer: cannot read ${savedFile} (${code})`);
    });
    const saved: HostResponse = {
      outcome: 'ok',
      body,
      headers: { 'last-modified': new Date(to_ms).toUTCString() },
    };
    return requestAll(source, { ...request, paths: ['a saved response'] }, () => Promise.resolve(saved));
  }
  if (contact === undefined) throw new UserError('--contact: is required, and is sent to the host');
  const { dataDir } = readConfig(process.env);
  const keys = readSourceKeys([file], dataDir, process.env, SETTINGS);
  const host = makeFileHosts([file], getUserAgent(contact), keys)[source.host];
  const log = (line: string): void => console.error(line);
  return requestAll(source, request, (requested) => {
    log(`requesting ${source.host}${requested}`);
    return host!.get(requested, stopSignal(), log, { headers: source.headers, body: request.body });
  });
}

function parsePlace(
  at: string,
  timezone: string,
  { countries: [country = 'ZZ'] = [], stations = {} }: SourceFile,
): StationPlace {
  if (!isZone(timezone)) throw new UserError('--zone: must be an IANA zone, such as America/Chicago');
  const [station_id = 'HERE'] = Object.keys(stations);
  return makeOwnPlace({ station_id, city_name: 'Here', country, ...parsePoint(at), timezone });
}

/** Rows as CSV, then a line for each reason why others are not read. */
function formatOutcome({ kind }: SourceFile, { reading, gap }: Outcome): string {
  if (reading === undefined) return `no rows: ${gap?.reason}`;
  const reasons = [...reading.unusable.map(({ unit, reason }) => `${unit}: ${reason}`)];
  return [
    ...table(kind === 'hourly_forecasts' && reading.hourly_forecasts ? 'forecasts' : kind, reading.rows),
    ...table('observations', reading.observations ?? []),
    ...table('hourly_forecasts', reading.hourly_forecasts ?? []),
    ...reasons.slice(0, 20).map((line) => `unusable: ${line}`),
    ...(reasons.length > 20 ? [`unusable: ${reasons.length - 20} more`] : []),
    ...reading.gaps.map(({ reason }) => `gap: ${reason}`),
  ].join('\n');
}

function table(feed: string, rows: readonly FeedLine[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  return [
    `${feed}: ${rows.length} rows`,
    columns.join(),
    ...rows.map((row) => columns.map((column) => row[column]).join()),
  ];
}
