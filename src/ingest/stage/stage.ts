import type { Store } from '../../store/store.js';
import { ReportedDegrees } from './reported-degrees.js';
import { StagedSummary } from './staged-summary.js';
import { LoadTally } from '../load-tally.js';
import {
  type Distribution,
  FEEDS,
  type FileKind,
  getDistributions,
  VALUE_FEEDS,
  type ValueFeed,
} from '../../feeds/feeds.js';
import { getPresentColumns } from '../../feeds/file-columns.js';
import type { StationFact } from '../../feeds/stations.js';
import { Rejection } from '../../feeds/values.js';
import { type Cells, type FeedRow, makeReader, type RowContext } from '../read/feed-rows.js';
import { type Header, UnreadableFeed } from '../read/header.js';
import { LoadClock } from '../read/load-clock.js';
import { Members } from '../read/members.js';
import type { FeedRecord } from '../read/read.js';
import { stageStations } from './stage-stations.js';
import { StagedRows } from './staged-rows.js';
import { UnitCheck } from './unit-check.js';
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

async function stageValues(staging: Staging, source: ReadFile<ValueFeed>): Promise<void> {
  const { feed, file, tally } = source;
  let rows: StagedRows | undefined;
  let useRow: ((row: FeedRow, record: FeedRecord) => void) | undefined;
  const onHeader = (header: Header): void => {
    if (feed === 'forecasts' && header.names.includes('member'))
      throw new UnreadableFeed(`${file}: has a column member; load it with --members`);
    tally.onHeader(header);
    const columns = getPresentColumns(FEEDS[feed].columns, header.names).map(({ column }) => column);
    const names = columns.map(({ name }) => name);
    const staged = (rows = new StagedRows(staging.store, feed, names, staging.loadId));
    useRow = makeUse(staging, source, header, getDistributions(columns), staged);
  };
  const toSend = {
    isFull: () => rows?.isFull() === true,
    send: async () => rows?.send(),
  };
  try {
    const use = (row: FeedRow, record: FeedRecord): void => useRow?.(row, record);
    await useRows(staging, source, use, { ...tally, onHeader }, toSend);
    await rows?.send();
  } finally {
    await rows?.end();
  }
}

/** Makes what uses the rows of a file, by its columns. */
function makeUse(
  staging: Staging,
  source: ReadFile<ValueFeed>,
  { names }: Header,
  distributions: readonly Distribution[],
  rows: StagedRows,
): (row: FeedRow, record: FeedRecord) => void {
  const { feed, tally } = source;
  const read = makeReader(feed, names);
  const table = staging.units.getTable(feed, names);
  let judged: FeedRecord;
  const context: RowContext = {
    ...staging.facts,
    warn: (reason, detail) => leaveOut(staging, source, judged, { reason, detail }),
  };
  return (row, record) => {
    judged = record;
    const cells = read(row, context);
    rows.add(tally.base + record.line, cells);
    summarize(staging, source, record.line, cells, distributions);
    staging.units.add(table, tally.base + record.line, row, cells, staging.facts.station);
  };
}

/** Stages one forecast for its members, which counts as one row. */
async function stageMembers(staging: Staging, source: ReadFile<'forecasts'>): Promise<void> {
  const { file, tally } = source;
  let members: Members | undefined;
  const onHeader = (header: Header): void => {
    if (!header.names.includes('member'))
      throw new UnreadableFeed(`${file}: has no column member; load it with --forecasts`);
    tally.onHeader(header);
    members = new Members(staging.facts, header.names);
    const unread = getPresentColumns(FEEDS.forecasts.columns, header.names)
      .filter(({ column: { role } }) => role === 'stated' || role === 'distribution')
      .map(({ name }) => name);
    for (const name of header.names) if (unread.includes(name)) tally.report.columns_not_read.push({ name });
  };
  await useRows(
    staging,
    source,
    (row, { line, text }) => {
      members?.add(row, { line, text });
      tally.countRows(-1); // a member is no row of the report; its forecast is
    },
    { ...tally, onHeader },
  );
  const columns = FEEDS.forecasts.columns
    .filter(({ name, role }) => role !== 'stated' && name !== 'member')
    .map(({ name }) => name);
  const rows = new StagedRows(staging.store, 'forecasts', columns, staging.loadId);
  const table = staging.units.getTable('forecasts', columns);
  try {
    for (const { last, result, outliers } of members?.forecasts() ?? []) {
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
    for (const { line, forecasts, detail } of members?.frozen() ?? [])
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
  distributions?: readonly Distribution[],
): void {
  summary.add(feed, base + line, cells, distributions);
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
