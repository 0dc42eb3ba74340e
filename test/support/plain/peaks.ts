import { beginsAt, dayHours, type HourRow, sixHoursIn } from './hours.js';
import { type Pair, percentage, plusDays, rate, roundedFraction, statisticsOf } from './oracle.js';

// When the high (low) of a day came, and what the weather was, worked out report by report.

const HOUR = 3_600_000;

/** A station of a test, and its reports that stand. */
export interface Reports {
  zone: string;
  boundary: 'civil' | 'standard';
  reports: readonly HourRow[];
}

/** A day by its reports; nothing of a day of which some reports may come after an instant. */
function dayOf({ zone, boundary, reports }: Reports, date: string, knownAt = Infinity) {
  const [begins, ends] = [
    beginsAt(date, zone, boundary),
    beginsAt(plusDays(date, 1), zone, boundary),
  ] as const;
  if (ends + 180_000 > knownAt) return undefined;
  const ofDay = reports.filter(({ at }) => at >= begins && at < ends).sort((a, b) => a.at - b.at);
  const withSixHours = sixHoursIn(reports, begins, ends).sort((a, b) => a.at - b.at);
  return { ofDay, withSixHours, ...dayHours(reports, begins, ends) };
}

/** The first of these reports with the highest of the temperatures that they have. */
function highest(reports: readonly HourRow[], temperatureOf: (row: HourRow) => number | undefined) {
  let found: { at: number; value: number } | undefined;
  for (const row of reports) {
    const value = temperatureOf(row);
    if (value !== undefined && (found === undefined || value > found.value)) found = { at: row.at, value };
  }
  return found;
}

/** The record of a station over some days. */
export function peakTimingOf(
  station: Reports,
  dates: readonly string[],
  metric: 'high' | 'low',
  knownAt?: number,
) {
  const sign = metric === 'high' ? 1 : -1;
  const signed = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : sign * value;
  const days = dates.flatMap((date) => {
    const found = dayOf(station, date, knownAt);
    if (found === undefined) return [];
    const { ofDay, withSixHours } = found;
    const byHour = (metric === 'high' ? found.highest : found.lowest).map((each) =>
      signed(each ?? undefined),
    );
    if (byHour[23] === undefined) return [];
    const report = highest(ofDay, ({ temp }) => signed(temp))!;
    const group = highest(withSixHours, (row) => signed(metric === 'high' ? row.max_6h : row.min_6h));
    const ofGroup =
      group !== undefined && group.value > report.value
        ? ofDay.filter(({ at }) => at > group.at - 6 * HOUR && at <= group.at)
        : ofDay;
    const { at } = highest(ofGroup, ({ temp }) => signed(temp))!;
    return [{ minute: Math.floor((at - beginsAt(date, station.zone, 'standard')) / 60_000), byHour }];
  });
  const minutes = days.map(({ minute }) => minute).sort((a, b) => a - b);
  const clock = (minute: number): string => new Date((minute + 1440) * 60_000).toISOString().slice(11, 16);
  const median = minutes.length === 0 ? null : clock(minutes[Math.ceil(minutes.length / 2) - 1]!);
  const hours = minutes.map((minute) => `${clock(minute).slice(0, 2)}:00`);
  return {
    sample_count: days.length,
    median_peak_hour: median === null ? null : Number(median.slice(0, 2)),
    median_peak_time_local: median,
    peak_time_distribution: Object.fromEntries(
      [...new Set(hours)]
        .sort()
        .map((hour) => [hour, percentage(hours.filter((each) => each === hour).length, hours.length)]),
    ),
    share_by_hour: Array.from({ length: 24 }, (_, at) => {
      const rises = days.flatMap(({ byHour }) =>
        byHour[at] === undefined ? [] : [byHour[23]! - byHour[at]],
      );
      const total = BigInt(sign * rises.reduce((sum, each) => sum + each, 0));
      return {
        hour: at + 1,
        days: rises.length,
        share_reached: rate(rises.filter((each) => each === 0).length, rises.length),
        mean_rise_f: rises.length === 0 ? null : roundedFraction(100n * total, BigInt(rises.length)),
      };
    }),
  };
}

/** The statistics of pairs by the weather of their days. */
export function byWeatherOf(
  pairs: readonly Pair[],
  stations: ReadonlyMap<string, Reports>,
  knownAt?: number,
): { weather_regime: string; stats: object }[] {
  const weathers = new Map<string, string>();
  const weatherOf = ({ station_id, target_date }: Pair): string => {
    const key = `${station_id} ${target_date}`;
    if (!weathers.has(key)) {
      const station = stations.get(station_id);
      weathers.set(key, (station && dayOf(station, target_date, knownAt)?.weather) ?? 'unknown');
    }
    return weathers.get(key)!;
  };
  return pairs.length === 0
    ? []
    : ['precipitation', 'cloudy', 'clear', 'unknown'].map((weather_regime) => ({
        weather_regime,
        stats: statisticsOf(pairs.filter((pair) => weatherOf(pair) === weather_regime)),
      }));
}
