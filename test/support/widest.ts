import { LAST_DAY } from '../../scripts/bench/data.js';
import { addDays } from '../../src/statistics/time/calendar.js';

// The widest requests of each endpoint and tool, on the data of the bench with a second provider and hours.

const STATION = 'K00077';
const YEAR = `date_from=${addDays(LAST_DAY, -364)}&date_to=${LAST_DAY}`;
const BOTH = 'providers=default,other';
const MOST = 'limit=50000';
/** All stations, by their ids. */
const CHOSEN = 'country=US';
const KNOWN = `date_from=${addDays(LAST_DAY, -29)}&date_to=${LAST_DAY}&known_at=${addDays(LAST_DAY, 1)}`;

/** The queries of each path below /api/v1. */
const QUERIES: Record<string, string[]> = {
  '/accuracy/by-date': [YEAR, `${YEAR}&include_preliminary=true&temp_unit=celsius`],
  '/accuracy/by-date/:station_id': [YEAR],
  '/accuracy/by-hour': [`${YEAR}&ci=0.95`],
  '/accuracy/by-station/:station_id': [`${YEAR}&include_raw=true&ci=0.95`],
  '/accuracy/summary': [`${YEAR}&ci=0.95`],
  '/accuracy/by-lead-time': [`${YEAR}&ci=0.95`, `${YEAR}&ci=0.95&align=matched`],
  '/accuracy/by-city': [YEAR, `${YEAR}&ci=0.95`, `${YEAR}&ci=0.95&${CHOSEN}`, KNOWN],
  '/accuracy/by-weather-regime': [`${YEAR}&ci=0.95`],
  '/accuracy/hit-rate': [`${YEAR}&ci=0.95`, `${YEAR}&${CHOSEN}&temp_unit=celsius`],
  '/accuracy/by-bucket/:station_id': [`${YEAR}&range_width=1`],
  '/accuracy/by-bucket': [YEAR],
  '/accuracy/revision-stats': [YEAR],
  '/accuracy/exceedance': [YEAR],
  '/accuracy/exceedance-summary': [YEAR],
  '/accuracy/events': [`${YEAR}&thresholds=32`, `${YEAR}&thresholds=32,50,90&group_by=station`],
  '/accuracy/error-distribution': [`${YEAR}&bin_width=0.5`],
  '/accuracy/distribution': [YEAR, `${YEAR}&${BOTH}&group_by=station`],
  '/accuracy/peak-timing/:station_id': [`${YEAR}&group_by=month`],
  '/accuracy/bias-correction': [YEAR, `${YEAR}&window=365&station_id=${STATION}`],
  '/accuracy/sample-size': [YEAR, `${YEAR}&${CHOSEN}`],
  '/accuracy/update-frequency': [YEAR],
  '/accuracy/freshness': [''],
  '/accuracy/compare': [`${YEAR}&${BOTH}`, `${YEAR}&${BOTH}&group_by=station,lead_time_bucket`],
  '/accuracy/divergence': [`${YEAR}&${BOTH}`, `${YEAR}&${BOTH}&group_by=station,lead_time_bucket`],
  '/accuracy/skill': [
    `${YEAR}&reference=climatology`,
    `${YEAR}&reference=climatology&station_id=${STATION}`,
    `${YEAR}&reference=persistence&group_by=station`,
  ],
  '/probability': [
    `forecast=70&target_date=${LAST_DAY}&window=365&station_id=${STATION}&lead_hours=20`,
    `${BOTH}&target_date=${LAST_DAY}&window=365&station_id=${STATION}&lead_hours=20`,
  ],
  '/probability/reliability': [
    `${YEAR}&window=365`,
    `${YEAR}&window=365&station_id=${STATION}`,
    `${YEAR}&${BOTH}`,
    `date_from=${addDays(LAST_DAY, -59)}&date_to=${LAST_DAY}&hour=9`,
  ],
  '/data/forecast-actual': [`${YEAR}&${MOST}`, `${YEAR}&${MOST}&temp_unit=celsius`],
  '/data/forecasts': [`forecast_for_date=${LAST_DAY}&versions=all&${MOST}`],
  '/data/observations': [`${YEAR}&versions=all&${MOST}`],
  '/data/hours': [`start_time=${addDays(LAST_DAY, -60)}&end_time=${LAST_DAY}&${MOST}`],
  '/data/departures': [`${BOTH}&threshold=0.5&${MOST}`],
  '/data/suspects': [`${YEAR}&${MOST}`],
  '/data/run-stats': [`start_time=${addDays(LAST_DAY, -60)}&end_time=${LAST_DAY}`],
  '/stations/metadata': ['', CHOSEN],
  '/providers': [''],
  '/loads': ['limit=500'],
  '/usage': [''],
  '': [''],
  '/export/pairs': [YEAR],
  '/export/facts': [''],
};

/** The arguments of each tool of POST /mcp. */
const WINDOW = { date_from: addDays(LAST_DAY, -364), date_to: LAST_DAY };
export const CALLS: [tool: string, given: Record<string, unknown>][] = [
  ['find_stations', { query: 'City', limit: 200 }],
  ['forecast_accuracy', { by: 'station', ...WINDOW, limit: 200 }],
  ['compare', { of: 'providers', by: 'station', ...WINDOW, limit: 200 }],
  ['odds', { place: STATION, target_date: LAST_DAY }],
  ['forecasts_for_day', { place: STATION, target_date: LAST_DAY }],
  ['forecast_pairs', { ...WINDOW, worst_first: true, limit: 200 }],
  ['data_status', {}],
];

/** The requests of an endpoint at a path below /api/v1. */
export const urlsOf = (path: string): string[] =>
  (QUERIES[path] ?? []).map((query) => `/api/v1${path.replace(':station_id', STATION)}?${query}`);

/** The same with fewer days. */
export const narrowed = (url: string, days: number): string =>
  url.replace(/date_from=[\d-]+/, `date_from=${addDays(LAST_DAY, 1 - days)}`);
