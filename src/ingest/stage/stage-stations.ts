import type { RowLocation } from '../load-report.js';
import { getColumnNames } from '../../feeds/feeds.js';
import type { StationFact } from '../../feeds/stations.js';
import type { Reason } from '../../feeds/values.js';
import { stationFact } from '../read/feed-rows.js';
import { aliasNote, findHolders } from '../read/shared-aliases.js';
import { moveNote, placeWarning } from '../read/station-places.js';
import { openFile, useRows, type Staging } from './staging.js';

/** The columns of staged_stations that come from a station. */
const STATION_COLUMNS = getColumnNames('stations') as (keyof StationFact)[];

type StationRow = RowLocation & { station: StationFact };

/** The rows of a load for each station, in their order. */
type StationRows = Map<string, StationRow[]>;

/** Stages the stations whose last row says something new, and counts their rows. */
export async function stageStations(staging: Staging, files: readonly string[]): Promise<void> {
  const rowsOf: StationRows = new Map();
  for (const file of files) await readStations(staging, file, rowsOf);
  const holders = findHolders(staging.stations.values());
  const news = [...rowsOf].flatMap(([id, rows]) => findNews(staging, id, rows, holders));
  if (news.length > 0) staging.tally.filled.add('staged_stations');
  await staging.store.insert(
    'staged_stations',
    [...STATION_COLUMNS, 'load_id'],
    news.map((station) => [...STATION_COLUMNS.map((name) => station[name]), staging.loadId]),
  );
}

async function readStations(staging: Staging, file: string, rowsOf: StationRows): Promise<void> {
  const { stations, known, tally } = staging;
  await useRows(staging, await openFile(staging, 'stations', file), (row, { line }) => {
    const station = stationFact(row, (id) => stations.get(id));
    if (station === undefined) return;
    const { station_id, withdrawn } = station;
    let rows = rowsOf.get(station_id);
    if (rows === undefined) rowsOf.set(station_id, (rows = []));
    rows.push({ file, line, station });
    stations.set(station_id, station);
    const warning = withdrawn ? undefined : placeWarning(station, known.get(station_id));
    if (warning) tally.warn('stations', { file, line }, warning);
  });
}

/** The station if its rows say something new. */
function findNews(
  { tally, known }: Staging,
  id: string,
  rows: readonly StationRow[],
  holders: ReturnType<typeof findHolders>,
): StationFact[] {
  const counts = tally.feeds.stations;
  const { station, file, line } = rows.at(-1)!;
  const last = JSON.stringify(station);
  const contradicted = rows.filter((row) => JSON.stringify(row.station) !== last);
  counts.rows_contradicted += contradicted.length;
  const [first] = contradicted;
  if (first) counts.first_contradicted ??= { file: first.file, line: first.line };
  const before = known.get(id);
  if (JSON.stringify(before) === last) return [];
  const note = (found: Reason | undefined): void => {
    if (found) tally.note('stations', { file, line }, found);
  };
  if (before === undefined) counts.rows_new += 1;
  else {
    counts.rows_corrected += 1;
    if (!station.withdrawn) note(moveNote(station, before));
  }
  note(aliasNote(station, holders));
  return [station];
}
