import { type FeedName, type FeedRow, type StationFact } from '../../../src/ingest/feed/columns.js';
import { LoadClock } from '../../../src/ingest/feed/load-clock.js';
import { CELLS, type RowContext, stationFact } from '../../../src/ingest/feed/rows.js';
import { Rejection } from '../../../src/ingest/feed/values.js';

/** A good row of each feed, as text. */
export const GOOD_ROWS = {
  stations: {
    station_id: 'KORD',
    city_name: 'Chicago',
    country: 'US',
    latitude: '41.96',
    longitude: '-87.93',
    timezone: 'America/Chicago',
    climate_zone: 'Dfa',
    data_active: 'true',
    aliases: "Chi-Town|O'Hare",
    iata: 'ORD',
    day_boundary: '',
    reported_in: '',
    withdrawn: '',
  },
  forecasts: {
    station_id: 'KORD',
    issued_at: '2026-01-04T18:00:00Z',
    target_date: '2026-01-05',
    high_f: '31.5',
    low_f: '18',
    provider: '',
    withdrawn: '',
    high_sd_f: '',
    low_sd_f: '',
  },
  observations: {
    station_id: 'KORD',
    date: '2026-01-05',
    high_f: '30',
    low_f: '17.25',
    status: 'verified',
    observed_at: '2026-01-06T12:00:00-06:00',
    withdrawn: '',
  },
  normals: { station_id: 'KORD', month_day: '02-29', high_f: '38.2', low_f: '17', withdrawn: '' },
  hours: {
    station_id: 'KORD',
    at: '2026-01-05T17:53:00Z',
    temp_f: '30.2',
    max_6h_f: '31',
    min_6h_f: '24.1',
    precip_in: '0.02',
    sky: 'OVC',
    withdrawn: '',
  },
} as const satisfies { [Name in FeedName]: FeedRow<Name> };

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
};

/** What the good row of a feed says when these cells are others; of a station that nobody knows yet. */
export function said(
  feed: FeedName,
  cells: Readonly<Record<string, string>>,
): Record<string, string | number | boolean | string[] | undefined> {
  if (feed === 'stations') return { ...stationFact({ ...GOOD_ROWS.stations, ...cells }, () => undefined) };
  if (feed === 'forecasts') return CELLS.forecasts({ ...GOOD_ROWS.forecasts, ...cells }, CONTEXT);
  if (feed === 'observations') return CELLS.observations({ ...GOOD_ROWS.observations, ...cells }, CONTEXT);
  if (feed === 'hours') return CELLS.hours({ ...GOOD_ROWS.hours, ...cells }, CONTEXT);
  return CELLS.normals({ ...GOOD_ROWS.normals, ...cells }, CONTEXT);
}

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
