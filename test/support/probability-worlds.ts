import {
  forecastOf,
  type ForecastRow,
  type Load,
  type ObservationRow,
  plusDays,
  distributionsBeside,
  STATIONS,
  type StationRow,
  startOfDay,
} from './plain/oracle.js';
import { Random } from './random.js';

const HOUR = 3_600_000;

export const FIRST_DAY = '2025-01-20';
export const DAYS = 64;
export const LAST_DAY = plusDays(FIRST_DAY, DAYS - 1);

const LEADS = [2, 8, 15, 20, 30, 47, 60, 75, 90, 130];

/** A station of whole °F, whose observations come in tenths of °C; the second load says so. */
const IN_TENTHS: StationRow = { ...(STATIONS[0] as StationRow), reported_in: 'whole_fahrenheit' };

function printed({ station_id }: StationRow, hundredths: number): number {
  if (station_id !== IN_TENTHS.station_id) return hundredths;
  const fahrenheit = Math.round(hundredths / 100);
  return 3200 + 18 * Math.round(((fahrenheit - 32) * 50) / 9);
}

/**
 * Two loads of some months of ten stations around the world: forecasts of many leads, evening reports and verified ones,
 * some of them late or corrected, and in the second load corrections and withdrawals of the first.
 */
export function probabilityWorld(seed: number): [Load, Load] {
  const random = new Random(seed);
  const grain = random.of([100, 100, 25, 1]);
  const degrees = (mean: number, spread: number): number =>
    Math.round((mean + spread * random.gaussian()) / grain) * grain;
  const forecasts: ForecastRow[] = [];
  const observations: ObservationRow[] = [];
  for (const station of STATIONS) {
    const bias = degrees(0, 100);
    for (let nth = 0; nth < DAYS; nth += 1) {
      const date = plusDays(FIRST_DAY, nth);
      const begins = startOfDay(date, station.timezone);
      const [high, low] = [degrees(5000, 1000), degrees(2000, 1500)];
      for (const lead of LEADS) {
        if (random.next() < 0.25) continue;
        const row = forecastOf(
          station,
          date,
          lead * HOUR + random.below(HOUR),
          high + bias + degrees(0, 250),
        );
        const forecast = { ...row, low: low + bias + degrees(0, 300) };
        forecasts.push({
          ...forecast,
          ...distributionsBeside(forecast.high, forecast.low, begins - row.issued_at),
        });
      }
      const report = (status: 'preliminary' | 'verified', hours: number, off: number): ObservationRow => ({
        station_id: station.station_id,
        date,
        high: printed(station, high + off),
        low: printed(station, low + 2 * off),
        status,
        observed_at: begins + Math.round(hours * HOUR),
      });
      if (random.next() < 0.8)
        observations.push(report('preliminary', 19 + 6 * random.next(), degrees(0, 100)));
      if (random.next() < 0.9) observations.push(report('verified', 30 + 20 * random.next(), 0));
      if (random.next() < 0.05)
        observations.push(report('verified', 50 + 400 * random.next(), degrees(0, 200)));
    }
  }
  const corrected = observations
    .filter(() => random.next() < 0.05)
    .map((row) => ({ ...row, high: (row.high ?? 0) + 100, ...(random.next() < 0.4 && { withdrawn: true }) }));
  const withdrawn = forecasts
    .filter(() => random.next() < 0.03)
    .map((row) => ({ ...row, high: (row.high ?? 0) - 100, ...(random.next() < 0.5 && { withdrawn: true }) }));
  return [
    { stations: STATIONS, forecasts, observations },
    { stations: [IN_TENTHS], forecasts: withdrawn, observations: corrected },
  ];
}
