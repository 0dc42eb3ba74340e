import { DAY_MS, HOUR_MS, isoInstant, MINUTE_MS } from '../statistics/time/calendar.js';
import { sum } from '../statistics/statistics.js';
import { HOURLY_STATIONS, writeAir } from './sample-air.js';
import { cloudsOf, hourlyAmount, writeWindowChance } from './sample-rain.js';
import { normal, type SampleStation, sampleDays, type SampleDay, uniform } from './weather.js';

// The sample's temperatures within the day, between the highs and lows of its days.

/** Days with reports before `today`. */
export const SAMPLE_HOURS_DAYS = 160;

/** When within the hour reports are made. */
const REPORT_MINUTE = 53;

/** A temperature at an instant. */
interface Anchor {
  ms: number;
  degrees: number;
}

/** The low of a day about sunrise, and its high in the afternoon, as the station's sun has them. */
function makeAnchors({ station_id, longitude }: SampleStation, day: SampleDay): Anchor[] {
  const noon = day.number * DAY_MS + 12 * HOUR_MS - (Number(longitude) / 15) * HOUR_MS;
  const shift = (purpose: string): number =>
    Math.max(-2, Math.min(2, normal(station_id, purpose, day.number))) * HOUR_MS;
  return [
    { ms: noon - 6.5 * HOUR_MS + 0.5 * shift('hour of low'), degrees: day.low },
    { ms: noon + 3 * HOUR_MS + shift('hour of high'), degrees: day.high },
  ];
}

/** The temperatures of a station, between its lows and highs in half a wave each, and never beyond those of the day. */
function temperatures(station: SampleStation, days: readonly SampleDay[]): (ms: number) => number {
  const anchors = days.flatMap((day) => makeAnchors(station, day));
  let [anchor, day] = [1, 0];
  return (ms) => {
    while (anchor + 1 < anchors.length && (anchors[anchor] as Anchor).ms < ms) anchor += 1;
    while (anchor > 1 && (anchors[anchor - 1] as Anchor).ms > ms) anchor -= 1;
    while (day + 1 < days.length && (days[day + 1] as SampleDay).startMs <= ms) day += 1;
    while (day > 0 && (days[day] as SampleDay).startMs > ms) day -= 1;
    const [from, to] = [anchors[anchor - 1] as Anchor, anchors[anchor] as Anchor];
    const wave = (1 - Math.cos((Math.PI * (ms - from.ms)) / (to.ms - from.ms))) / 2;
    const { high, low } = days[day] as SampleDay;
    return Math.min(high, Math.max(low, from.degrees + wave * (to.degrees - from.degrees)));
  };
}

/** The cover of the sky in an hour. */
function skyOf(id: string, day: SampleDay, hour: number): string {
  const here = cloudsOf(id, day) + 0.3 * uniform(id, 'cloud', day.number, hour);
  return ['CLR', 'FEW', 'SCT', 'BKN', 'OVC'][Math.min(4, Math.floor(here * 4))] ?? 'OVC';
}

const writeInches = (hundredths: number): string => (hundredths === 0 ? '0' : (hundredths / 100).toFixed(2));

/**
 * The feed of hours as CSV lines without line ends, the header first: `station_id,at,temp_f,max_6h_f,min_6h_f,precip_in,sky,dew_point_f,wind_kt,precip_6h_in`.
 * A report each hour at :53; now and then one is missing. Reports before 00, 06, 12 and 18 UTC have the extremes of six hours, and at six
 * stations their rain. All are of so many days up to an instant, Unix ms; inactive stations have none.
 */
export function* hourRows(
  stations: Iterable<SampleStation>,
  until_ms: number,
  daysBack = SAMPLE_HOURS_DAYS,
): Generator<string, void> {
  yield 'station_id,at,temp_f,max_6h_f,min_6h_f,precip_in,sky,dew_point_f,wind_kt,precip_6h_in';
  const last = Math.floor(until_ms / DAY_MS);
  const first = last - daysBack;
  const text = (degrees: number): string => (Math.round(degrees * 10) / 10 + 0).toFixed(1);
  for (const station of stations) {
    if (station.data_active !== 'true') continue;
    const id = station.station_id;
    const days = sampleDays(station, first - 2, last + 2);
    const at = temperatures(station, days);
    const dayOf = (hour: number): SampleDay | undefined => days[Math.floor(hour / 24) - first + 2];
    const fallIn = (hour: number): number => hourlyAmount(id, dayOf(hour) as SampleDay, hour % 24);
    for (let hour = first * 24; hour * HOUR_MS + REPORT_MINUTE * MINUTE_MS <= until_ms; hour += 1) {
      const day = dayOf(hour);
      if (day === undefined || uniform(id, 'no report', day.number, hour % 24) < 0.005) continue;
      const ms = hour * HOUR_MS + REPORT_MINUTE * MINUTE_MS;
      let extremes = ',';
      if (hour % 6 === 5) {
        const before = Array.from({ length: 37 }, (_, part) => at(ms - 6 * HOUR_MS + part * 10 * MINUTE_MS));
        extremes = `${text(Math.max(...before))},${text(Math.min(...before))}`;
      }
      const isHourly = HOURLY_STATIONS.includes(id);
      const air = isHourly ? writeAir(id, ms, at(ms), [0, 0]) : ',';
      const sixth = hour % 6 === 5 && isHourly ? writeInches(sum(hoursBefore(hour + 1, 6).map(fallIn))) : '';
      const weather = `${writeInches(fallIn(hour))},${skyOf(id, day, hour % 24)}`;
      yield `${id},${isoInstant(ms)},${text(at(ms))},${extremes},${weather},${air},${sixth}`;
    }
  }
}

/** The hours, since 1970, of a window that ends with one. */
const hoursBefore = (end: number, hours: number): number[] =>
  Array.from({ length: hours }, (_, at) => end - hours + at);

/** Days with forecasts of hours before `today`, of so few stations: the demo starts in hardly more time than without them. */
export const SAMPLE_HOURLY_DAYS = 75;

/** The longest lead time of a forecast of an hour. */
const LEAD_HOURS = 48;

/** A provider of the sample: its name, how often it issues, how far it misses, and the hours from one forecast to the next. */
export interface HourlyProvider {
  name: string;
  seed: string;
  everyMs: number;
  spread: number;
  stepHours: number;
}

/**
 * The feed of forecasts of hours as CSV lines without line ends, the header first: `station_id,issued_at,valid_at,temp_f,provider,dew_point_f,wind_kt,precip_chance_12h,precip_chance_6h,precip_chance_1h`, of
 * 6 stations, for 48 hours from each issuance. All are of so many days up to an instant, Unix ms.
 */
export function* hourlyForecastRows(
  stations: Iterable<SampleStation>,
  until_ms: number,
  providers: readonly HourlyProvider[],
  daysBack = SAMPLE_HOURLY_DAYS,
): Generator<string, void> {
  yield 'station_id,issued_at,valid_at,temp_f,provider,dew_point_f,wind_kt,precip_chance_12h,precip_chance_6h,precip_chance_1h';
  const last = Math.floor(until_ms / DAY_MS);
  const first = last - daysBack;
  for (const station of stations) {
    const id = station.station_id;
    if (!HOURLY_STATIONS.includes(id)) continue;
    const days = sampleDays(station, first - 2, last + 4);
    const at = temperatures(station, days);
    const bias = 2 * uniform(id, 'bias of hours', 0) - 1;
    const dayOf = (hour: number): SampleDay => days[Math.floor(hour / 24) - first + 2] as SampleDay;
    for (const { name, seed, everyMs, spread, stepHours } of providers)
      for (let issued = first * DAY_MS; issued <= until_ms; issued += everyMs) {
        const run = issued / HOUR_MS;
        for (let lead = stepHours; lead <= LEAD_HOURS; lead += stepHours) {
          const ms = issued + lead * HOUR_MS;
          const hour = ms / HOUR_MS;
          const { surprise } = dayOf(hour);
          // A run that is off stays off for some hours.
          const own =
            normal(id, `${seed}run`, run, Math.floor(lead / 6)) + 0.6 * normal(id, `${seed}hour`, run, lead);
          const error = bias + spread * (0.8 + lead / 24) * (0.6 * surprise + 0.6 * own);
          const forecast = Math.round(at(ms) + error) + 0;
          const off = ['dew', 'wind'].map(
            (part) => spread * (0.8 + lead / 24) * normal(id, `${seed}${part} at hour`, run, lead),
          ) as [number, number];
          // Every third hour, for a third of the pairs.
          const air = lead % 3 === 0 ? writeAir(id, ms, forecast, off) : ',';
          const probabilities = [12, 6, 1].map((hours) => {
            const isSaid = hour % Math.max(3, hours) === 0 && lead >= hours;
            const window = isSaid ? hoursBefore(hour, hours).map(dayOf) : [];
            return isSaid ? writeWindowChance(id, { seed, spread }, window, run, lead) : '';
          });
          yield `${id},${isoInstant(issued)},${isoInstant(ms)},${forecast},${name},${air},${probabilities.join()}`;
        }
      }
  }
}
