import { getColumnNames, type FeedName, FEEDS, type ValueFeed } from '../../../src/feeds/feeds.js';
import type { StationFact } from '../../../src/feeds/stations.js';
import { getPresentColumns } from '../../../src/feeds/file-columns.js';
import { LoadClock } from '../../../src/ingest/read/load-clock.js';
import { type Cells, makeReader, type RowContext, stationFact } from '../../../src/ingest/read/feed-rows.js';
import { Rejection } from '../../../src/feeds/values.js';

/** A row of a feed from its cells, in the order of its columns; those that are not given are blank. */
const rowOf = (feed: FeedName, cells: string): Record<string, string> => {
  const texts = cells.split(',');
  return Object.fromEntries(getColumnNames(feed).map((column, at) => [column, texts[at] ?? '']));
};

/** A good row of each feed, as text. */
export const GOOD_ROWS = {
  stations: rowOf('stations', "KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Chi-Town|O'Hare,ORD"),
  forecasts: rowOf('forecasts', 'KORD,2026-01-04T18:00:00Z,2026-01-05,31.5,18'),
  observations: rowOf('observations', 'KORD,2026-01-05,30,17.25,verified,2026-01-06T12:00:00-06:00'),
  normals: rowOf('normals', 'KORD,02-29,38.2,17'),
  hours: { ...rowOf('hours', 'KORD,2026-01-05T17:53:00Z,30.2,31,24.1,OVC'), precip_in: '0.02' },
  hourly_forecasts: rowOf('hourly_forecasts', 'KORD,2026-01-05T06:00:00Z,2026-01-05T18:00:00Z,31.4'),
};

/** The station of those rows. */
export const CHICAGO_STATION: StationFact = {
  station_id: 'KORD',
  city_name: 'Chicago',
  country: 'US',
  latitude: 41.96,
  longitude: -87.93,
  timezone: 'America/Chicago',
  climate_zone: 'Dfa',
  data_active: true,
  aliases: ['Chi-Town', "O'Hare"],
  iata: 'ORD',
  day_boundary: 'civil',
  reported_in: '',
  withdrawn: false,
};

/** A store that knows Chicago, at noon of 2026-02-01. */
export const CONTEXT: RowContext = {
  station: (id) => (id === 'KORD' ? CHICAGO_STATION : undefined),
  clock: new LoadClock(new Date('2026-02-01T12:00:00Z')),
  warn: () => {},
};

/** The values of the good row of a feed when these cells are others; a station is one that nobody knows yet. */
export function said(
  feed: FeedName,
  cells: Readonly<Record<string, string>>,
): Record<string, string | number | boolean | string[] | undefined> {
  if (feed === 'stations') return { ...stationFact({ ...GOOD_ROWS.stations, ...cells }, () => undefined) };
  return readCells(feed, { ...GOOD_ROWS[feed], ...cells });
}

/** Reads a cell under this name of a file; blank where it is. */
export function readCell(feed: ValueFeed, name: string, text: string): string {
  const [column] = getPresentColumns(FEEDS[feed].columns, [name]);
  return column!.read(text, name);
}

/** Reads a row of a file with its columns. @throws Rejection */
export const readCells = (
  feed: ValueFeed,
  row: Readonly<Record<string, string>>,
  context: RowContext = CONTEXT,
): Cells => makeReader(feed, Object.keys(row))(row, context);

/** The rejection that reading a value or a row ends in. */
export function rejectionOf(read: () => unknown): Rejection {
  try {
    read();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}
