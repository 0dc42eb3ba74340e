import type { Store } from '../../store/store.js';
import { ReportedDegrees } from './reported-degrees.js';
import { StagedSummary } from './staged-summary.js';
import { LoadTally } from '../load-tally.js';
import {
  DAILY_COLUMNS,
  getColumns,
  type FileKind,
  type StationFact,
  VALUE_FEEDS,
  type ValueFeed,
} from '../../feeds/columns.js';
import { CELLS, type Cells, DISTRIBUTIONS, distributionsIn, type RowContext } from '../read/feed-rows.js';
import { type Header, UnreadableFeed } from '../read/header.js';
import { LoadClock } from '../read/load-clock.js';
import { Members } from '../read/members.js';
import type { FeedRecord } from '../read/read.js';
import { Rejection } from '../read/values.js';
import { stageStations } from './stage-stations.js';
import { StagedRows } from './staged-rows.js';
import { type ColumnTable, UnitCheck } from './unit-check.js';
import {
  LINES_AT_ONCE,
  leaveOut,
  openFile,
  pause,
  type ReadFile,
  useRows,
  reject,
  type Staged,
  type StageOptions,
  type Staging,
  tell,
} from './staging.js';

/** The files of each kind; a kind that is left out brings no file. */
export type FeedFiles = Partial<Record<FileKind, readonly string[]>>;

/** The columns that a forecast may have and its members may not. */
const OF_FORECAST = /^(high|low)_(sd|p\d\d)_[cf]$|^precip_(chance|probability)$/;

/**
 * Reads and checks all rows of the feeds into staging.
 * @param known the stations of the store by id, withdrawn ones as well.
 * @throws UnreadableFeed
 */
export async function stageFeeds(
  store: Store,
  files: FeedFiles,
  known: ReadonlyMap<string, StationFact>,
  loadId: number,
  options: StageOptions,
): Promise<Staged> {
  const stations = new Map(known);
  const staging: Staging = {
    store,
    loadId,
    options,
    known,
    stations,
    facts: { station: (id) => stations.get(id), clock: new LoadClock(options.now ?? new Date()) },
    untold: [],
    tally: new LoadTally(options.onProgress),
    summary: new StagedSummary(),
    degrees: new ReportedDegrees(),
    units: new UnitCheck(),
  };
  // Stations first, whatever the order on the command line: the other feeds refer to them.
  await stageStations(staging, files.stations ?? []);
  for (const feed of VALUE_FEEDS) {
    for (const file of files[feed] ?? []) await stageValues(staging, await openFile(staging, feed, file));
  }
  for (const file of files.members ?? [])
    await stageMembers(staging, await openFile(staging, 'forecasts', file));
  return staging;
}

async function stageValues<Name extends ValueFeed>(staging: Staging, source: ReadFile<Name>): Promise<void> {
  const { feed, file, tally } = source;
  let rows: StagedRows | undefined;
  let table: ColumnTable | undefined;
  let judged: FeedRecord<Name>;
  const context: RowContext = {
    ...staging.facts,
    warn: (reason, detail) => leaveOut(staging, source, judged, { reason, detail }),
  };
  const onHeader = (header: Header): void => {
    if (feed === 'forecasts' && header.names.includes('member'))
      throw new UnreadableFeed(`${file}: has a column member; load it with --members`);
    tally.onHeader(header);
    context.distributions = distributionsIn(header);
    table = staging.units.getTable(feed, header.names);
    const present = getColumns(feed).filter((_, at) => header.positions[at] !== -1);
    rows = new StagedRows(staging.store, feed, present, staging.loadId);
  };
  const toSend = {
    isFull: () => rows?.isFull() === true,
    send: async () => rows?.send(),
  };
  try {
    await useRows(
      staging,
      source,
      (row, record) => {
        judged = record;
        const cells = CELLS[feed](row, context);
        rows?.add(tally.base + record.line, cells);
        summarize(staging, source, record.line, cells, context.distributions);
        if (table !== undefined)
          staging.units.add(table, tally.base + record.line, row, cells, staging.facts.station);
      },
      { ...tally, onHeader },
      toSend,
    );
    await rows?.send();
  } finally {
    await rows?.end();
  }
}

/** Stages one forecast for its members, which counts as one row. */
async function stageMembers(staging: Staging, source: ReadFile<'forecasts'>): Promise<void> {
  const { file, tally } = source;
  const onHeader = (header: Header): void => {
    if (!header.names.includes('member'))
      throw new UnreadableFeed(`${file}: has no column member; load it with --forecasts`);
    tally.onHeader(header);
    const { columns_not_read } = tally.report;
    for (const name of header.names) if (OF_FORECAST.test(name)) columns_not_read.push({ name });
  };
  const members = new Members(staging.facts);
  await useRows(
    staging,
    source,
    (row, { line, text }) => {
      members.add(row, { line, text });
      tally.countRows(-1); // a member is no row of the report; its forecast is
    },
    { ...tally, onHeader },
  );
  const columns = getColumns('forecasts').filter(
    (column) => column !== 'member' && column !== 'precip_chance',
  );
  const rows = new StagedRows(staging.store, 'forecasts', columns, staging.loadId);
  const table = staging.units.getTable('forecasts', DAILY_COLUMNS);
  try {
    for (const { last, result, outliers } of members.forecasts()) {
      for (const { line, ...member } of outliers)
        staging.tally.outlierMembers.push({ ...member, row_number: tally.base + line });
      tally.countRows(1);
      if (tally.report.rows_read % LINES_AT_ONCE === 0) await pause(staging);
      if (result instanceof Rejection) {
        reject(staging, source, last, result);
        await tell(staging);
        continue;
      }
      if (rows.isFull()) await rows.send();
      rows.add(tally.base + last.line, result);
      summarize(staging, source, last.line, result);
      staging.units.add(table, tally.base + last.line, result, result, staging.facts.station);
    }
    for (const { line, forecasts, detail } of members.frozen())
      staging.tally.warn(
        'forecasts',
        { file, line },
        { reason: 'member that never changes', detail },
        forecasts,
      );
    await rows.send();
  } finally {
    await rows.end();
  }
  tally.reportProgress();
}

/** Counts a row that is staged, and warns of it. */
function summarize(
  { stations, facts: { clock }, tally, summary, degrees }: Staging,
  { feed, file, tally: { base } }: ReadFile<ValueFeed>,
  line: number,
  cells: Cells,
  distributions = DISTRIBUTIONS,
): void {
  if (feed === 'forecasts') summary.addForecast(base + line, cells, distributions);
  else if (feed === 'observations') summary.addObservation(base + line, cells);
  else if (feed === 'normals') summary.addNormal(base + line, cells);
  else if (feed === 'hours') summary.addHour(cells);
  else summary.addHourlyForecast(base + line, cells);
  const station = stations.get(cells.station_id ?? '');
  if (station === undefined) return;
  if (feed === 'observations') degrees.add(base + line, station, cells);
  if (station.withdrawn)
    tally.warn(feed, { file, line }, { reason: 'station is withdrawn', detail: station.station_id });
  if (feed !== 'observations' || cells.status !== 'verified' || cells.withdrawn !== undefined) return;
  // A preliminary one often is made before its day was over: half of a year of climate reports are those of the afternoon.
  const { date = '', observed_at = '' } = cells;
  const observedAt = observed_at.replace(' ', 'T');
  const end = clock.dayEnd(station, date);
  if (observedAt.slice(0, end.length) >= end) return;
  const detail = `${date} ends at ${end}Z in ${station.timezone}; observed_at is ${observedAt.slice(0, 19)}`;
  tally.warn(feed, { file, line }, { reason: 'verified before its day is over', detail });
}
