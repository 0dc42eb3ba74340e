import { type AskProbability, sealProbabilities } from '../../../src/ingest/odds-load.js';
import type { Store } from '../../../src/store/store.js';
import type { FeedLines } from '../ingest/feeds.js';

// Loads that bring facts of every table, some thousands, and correct and withdraw some of them.

const STATIONS = `station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata,day_boundary`;
const IDS = ['KORD', 'KJFK', 'ZBAA'];

const stations = [
  STATIONS,
  `KORD,"Chicago ""O'Hare"" \\ west",US,41.960001,-87.93,America/Chicago,Dfa,true,Chi-town|Zürich's,ORD,standard`,
  'KJFK,New York,US,40.64,-73.78,America/New_York,,true,,JFK,civil',
  'ZBAA,北京,CN,40,116.6,Asia/Shanghai,Dwa,false,,,civil',
];

const date = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
const hour = (day: number, hours: number): string =>
  new Date(Date.UTC(2026, 0, 1 + day, hours)).toISOString();
const degrees = (...seeds: number[]): string =>
  ((seeds.reduce((sum, seed) => (sum * 31 + seed) % 9973, 7) % 9000) / 100 - 20).toFixed(2);

const FORECAST_HEADER =
  'station_id,issued_at,target_date,high_f,low_f,provider,withdrawn,high_sd_f,high_p10_f,high_p90_f,precip_chance,precip_in';
const HOUR_HEADER = 'station_id,at,temp_f,precip_in,sky,dew_point_f,humidity_pct,wind_kt,gust_kt,status';

function forecasts(from: number, to: number, change = 0): string[] {
  const lines = [FORECAST_HEADER];
  for (let day = from; day < to; day++) {
    for (const [place, id] of IDS.entries()) {
      for (let issued = 1; issued <= 6; issued++) {
        const low = Number(degrees(day, place, issued)) + change;
        const high = (low + 10).toFixed(2);
        const stated = issued === 1 ? `2.5,${(low + 7).toFixed(2)},${(low + 13).toFixed(2)}` : ',,';
        lines.push(
          `${id},${hour(day, -12 * issued)},${date(day)},${high},${low.toFixed(2)},${issued % 2 === 0 ? 'nws' : 'model-b'},,${stated},${(day * issued) % 101},0.${issued}5`,
        );
      }
    }
  }
  return lines;
}

const observations = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => from + at).flatMap((day) =>
    IDS.map((id, place) => {
      const low = Number(degrees(day, place));
      return `${id},${date(day)},${(low + 9).toFixed(2)},${low.toFixed(2)},preliminary,${hour(day + 1, 12)}`;
    }),
  );

const hours = (from: number, to: number): string[] => [
  HOUR_HEADER,
  ...Array.from(
    { length: (to - from) * 24 },
    (_, at) => `KORD,${hour(from, at).replace(':00:', ':51:')}`,
  ).map(
    (begin, at) =>
      `${begin},${degrees(from, at)},${at % 5 === 0 ? '0.02' : ''},${at % 3 === 0 ? 'CLR' : ''},20.5,${30 + (at % 60)},${at % 20},,preliminary`,
  ),
];

const hourlyForecasts = (from: number, to: number): string[] => [
  'station_id,issued_at,valid_at,temp_f,provider,withdrawn,wind_kt',
  ...Array.from(
    { length: (to - from) * 24 },
    (_, at) => `KJFK,${hour(from, -6)},${hour(from, at)},${degrees(from, at)},nws,,${at % 30}`,
  ),
];

/** Three loads; the second corrects and withdraws facts of the first, and the third is of other months. */
export const SEALED_LOADS: readonly FeedLines[] = [
  {
    stations,
    forecasts: forecasts(0, 40),
    observations: observations(0, 40),
    normals: ['KORD,01-01,31.5,18', 'KJFK,02-29,41,29'],
    hours: hours(0, 20),
    hourly_forecasts: hourlyForecasts(0, 20),
  },
  {
    stations: [STATIONS, 'KJFK,New York,US,40.64,-73.78,America/New_York,Cfa,true,,JFK,standard'],
    forecasts: [...forecasts(5, 8, 1), `KORD,${hour(2, -12)},${date(2)},,,model-b,true,,,,,`],
    observations: IDS.map((id) => `${id},${date(3)},40,20,verified,${hour(9, 0)}`),
    normals: ['KORD,01-01,32,18'],
    hours: [HOUR_HEADER, `KORD,${hour(1, 5).replace(':00:', ':51:')},-3.1,,OVC,,,,,verified`],
    hourly_forecasts: [
      'station_id,issued_at,valid_at,temp_f,provider',
      `KJFK,${hour(0, -6)},${hour(0, 7)},11.5,nws`,
    ],
  },
  {
    forecasts: forecasts(70, 80),
    observations: observations(70, 80),
    hours: hours(70, 72),
    hourly_forecasts: hourlyForecasts(70, 73),
  },
];

/** A response of /probability with made-up odds, in °C or °F. */
const sayOdds: AskProbability = ({ metric = '', temp_unit = 'fahrenheit', target_date = '' }) => {
  const [end, day] = [temp_unit === 'celsius' ? 'c' : 'f', Number(target_date.slice(8))];
  const split = metric === 'high' ? 40 + day : -day;
  const brackets = [
    { [`from_${end}`]: null, [`to_${end}`]: split, probability: day / 1000 },
    { [`from_${end}`]: split + 1, [`to_${end}`]: null, probability: 1 - day / 1000 },
  ];
  const issued_at = `${target_date.slice(0, 8)}01T00:00:00.000Z`;
  const data = { issued_at, lead_time_bucket: '12-24h', reason: null, brackets };
  const metadata = {
    data_version: 3,
    provider: 'nws,model-b',
    ...(temp_unit === 'celsius' && { temp_unit }),
  };
  return Promise.resolve({ status: 200, body: { data, metadata } });
};

/** Seals such odds of the active stations of SEALED_LOADS, for thirty days. */
export async function sealMadeUpOdds(store: Store, temp_unit: string): Promise<void> {
  const clock = (): Date => new Date('2026-02-12T12:00:00Z');
  const options = { variables: ['high', 'low'], days: 30, parameters: { temp_unit }, clock };
  await sealProbabilities(store, sayOdds, options);
}
