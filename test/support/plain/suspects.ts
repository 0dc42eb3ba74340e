import { type HourRow, dayHours } from './hours.js';
import { dayStart, plusDays } from './oracle.js';

// Observations in doubt worked out a second time, straight from what the rules say: loops over single days.

export interface PlainStation {
  id: string;
  lat: number;
  lon: number;
  timezone: string;
  day_boundary: 'civil' | 'standard';
}

/** An observed value; whole hundredths of a °F. */
export interface PlainObservation {
  station: string;
  date: string;
  metric: 'high' | 'low';
  value: number;
  status: 'preliminary' | 'verified';
  observed_at: string;
}

/** The last forecast of a provider before a day; whole hundredths of a °F. */
export interface PlainForecastOfDay {
  station: string;
  date: string;
  metric: 'high' | 'low';
  provider: string;
  value: number;
}

export interface PlainWorld {
  stations: readonly PlainStation[];
  /** One a day and metric. */
  observations: readonly PlainObservation[];
  forecasts: readonly PlainForecastOfDay[];
  hours: readonly HourRow[];
}

const middle = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

/** Hundredths as degrees with two decimals, half away from zero. */
const degrees = (hundredths: number): number =>
  (Math.sign(hundredths) * Math.floor(Math.abs(hundredths) + 0.5)) / 100 + 0;

/** By the chord of two places on a sphere. */
function kmBetween(a: PlainStation, b: PlainStation): number {
  const at = ({ lat, lon }: PlainStation): number[] => {
    const [north, east] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  };
  const [one, other] = [at(a), at(b)];
  const chord = Math.hypot(...one.map((each, axis) => each - other[axis]!));
  return 2 * 6371.0088 * Math.asin(chord / 2);
}

/** The records of a metric in a window, by date and station. */
export function plainSuspects(
  { stations, observations, forecasts, hours }: PlainWorld,
  metric: 'high' | 'low',
  window: { first: string; last: string },
): Record<string, unknown>[] {
  const key = (station: string, date: string): string => `${station} ${date}`;
  const forecastsOf = new Map<string, number[]>();
  for (const each of forecasts) {
    if (each.metric !== metric) continue;
    const at = key(each.station, each.date);
    forecastsOf.set(at, [...(forecastsOf.get(at) ?? []), each.value]);
  }
  /** Only days that have a forecast. */
  const observed = new Map(
    observations
      .filter((each) => each.metric === metric && forecastsOf.has(key(each.station, each.date)))
      .map((each) => [key(each.station, each.date), each]),
  );
  const off = (station: string, date: string): number | undefined => {
    const found = observed.get(key(station, date));
    return found && found.value - middle(forecastsOf.get(key(station, date))!);
  };
  const around = (date: string): string[] => Array.from({ length: 31 }, (_, at) => plusDays(date, at - 15));
  const present = (values: (number | undefined)[]): number[] =>
    values.filter((value): value is number => value !== undefined);
  const jumps = new Map<string, number | undefined>();
  const jump = (station: string, date: string): number | undefined => {
    const at = key(station, date);
    if (!jumps.has(at)) {
      const own = off(station, date);
      const usual = present(around(date).map((each) => off(station, each)));
      jumps.set(at, own === undefined || usual.length < 11 ? undefined : own - middle(usual));
    }
    return jumps.get(at);
  };
  const spread = (date: string, of: (date: string) => number | undefined): number =>
    1.4826 * middle(present(around(date).map(of)).map(Math.abs));
  const neighboursOf = (station: PlainStation) =>
    stations
      .filter(({ id }) => id !== station.id)
      .map((each) => ({ id: each.id, km: kmBetween(station, each) }))
      .filter(({ km }) => km <= 100)
      .sort((a, b) => a.km - b.km)
      .slice(0, 8);
  const found: Record<string, unknown>[] = [];
  for (const station of stations) {
    const { id } = station;
    const near = neighboursOf(station);
    const apart = (date: string): number | undefined => {
      const [own, theirs] = [jump(id, date), present(near.map((each) => jump(each.id, date)))];
      return own === undefined || theirs.length === 0 ? undefined : own - middle(theirs);
    };
    for (let date = window.first; date <= window.last; date = plusDays(date, 1)) {
      const today = observed.get(key(id, date));
      if (today === undefined) continue;
      const valueOn = (days: number): number | undefined =>
        observed.get(key(id, plusDays(date, days)))?.value;

      let run = 1;
      while (valueOn(-run) === today.value) run += 1;
      const runs: { from: number; to: number }[] = [];
      /** Days before today that stay, by the length of their whole run; 1 of a day that moves, undefined of one that tells nothing. */
      const lengths = new Map<number, number | undefined>();
      for (let days = -426; days <= -run; days += 1) {
        const [value, before] = [valueOn(days), valueOn(days - 1)];
        let [from, to] = [days, days];
        while (value !== undefined && valueOn(from - 1) === value) from -= 1;
        while (value !== undefined && valueOn(to + 1) === value && to + 1 <= -run) to += 1;
        lengths.set(
          days,
          value === undefined || before === undefined ? undefined : from === days ? 1 : to - from + 1,
        );
        if (to === days && to > -365 && from < to) runs.push({ from, to });
      }
      // The longest runs first: one that the rest make unlikely is in doubt itself, and says nothing of others.
      runs.sort((a, b) => b.to - b.from - (a.to - a.from) || b.to - a.to);
      let trusted = runs;
      const shareOf = (first: number, last: number, among: typeof runs): number | undefined => {
        const isOut = (days: number): boolean =>
          runs.some((each) => !among.includes(each) && days >= each.from && days <= each.to);
        const told = [...lengths].filter(
          ([days, kind]) =>
            days >= Math.max(first, -424) && days <= last && kind !== undefined && !isOut(days),
        );
        const stays = told.filter(([, kind]) => kind! > 1).length;
        return told.length < 20 ? undefined : (stays + 1) / (told.length + 2);
      };
      const sharesOfToday = (among: typeof runs) =>
        [
          [-run - 59, -run],
          [-424, -365],
          [-364, -305],
        ].map(([first = 0, last = 0]) => shareOf(first, last, among));
      const isUnlikely = (length: number, shares: (number | undefined)[]): boolean => {
        const stay = present(shares).length === 0 ? 0.5 : Math.max(...present(shares));
        return 365 * (1 - stay) * stay ** (length - 1) < 0.05;
      };
      while (run >= 5 && trusted.length > 0) {
        const [{ from, to }, ...rest] = trusted as [(typeof runs)[0]];
        const after = shareOf(to + 1, Math.min(to + 60, -run), rest);
        const ofToday = sharesOfToday(rest);
        const isKnown = after !== undefined || (-run - to < 60 && ofToday[2] !== undefined);
        const isOut = isUnlikely(to - from + 1, [...ofToday, shareOf(from - 60, from - 1, rest), after]);
        if (to - from < 4 || !isKnown || !isOut) break;
        trusted = rest;
      }
      const longest = trusted[0] === undefined ? 1 : trusted[0].to - trusted[0].from + 1;
      const isRun = run >= 5 && run > longest && isUnlikely(run, sharesOfToday(trusted));

      const begins = dayStart(date, station);
      const ends = dayStart(plusDays(date, 1), station);
      const day = dayHours(
        hours.filter((each) => each.station_id === id),
        begins,
        ends,
      );
      const extreme = (metric === 'high' ? day.highest : day.lowest)[23] ?? null;
      const beyond = extreme === null ? 0 : (metric === 'high' ? 1 : -1) * (100 * extreme - today.value);
      const isExcluded = beyond < -500 || (beyond > 200 && today.status === 'verified');

      const errors = forecastsOf.get(key(id, date))!.map((value) => today.value - value);
      const nearest = errors.reduce((best, each) => (Math.abs(each) < Math.abs(best) ? each : best));
      const isOneSide = errors.every((each) => each > 0) || errors.every((each) => each < 0);
      const ownSpread = spread(date, (each) => jump(id, each));
      const isFar = isOneSide && Math.abs(nearest) > 1500 && Math.abs(nearest) > 4 * ownSpread;

      const [own, from] = [jump(id, date), apart(date)];
      const usual = spread(date, apart);
      const isJump =
        own !== undefined &&
        from !== undefined &&
        own * from > 0 &&
        Math.abs(own) >= 600 &&
        Math.abs(own) >= 2 * ownSpread &&
        Math.abs(from) >= 700 &&
        Math.abs(from) >= 1.5 * usual;

      const reasons = [
        ...(isRun ? ['repeated'] : []),
        ...(isExcluded ? ['hours'] : []),
        ...(isFar ? ['all_providers'] : []),
        ...(isJump ? ['neighbours'] : []),
      ];
      if (reasons.length === 0) continue;
      found.push({
        station_id: id,
        city_name: `City ${id}`,
        date,
        metric,
        actual_f: today.value / 100,
        status: today.status,
        observed_at: today.observed_at,
        reasons,
        run_days: isRun ? run : null,
        run_since: isRun ? plusDays(date, 1 - run) : null,
        longest_run_before: isRun ? longest : null,
        hours_extreme_f: isExcluded ? extreme : null,
        off_all_providers: isFar ? degrees(nearest) : null,
        error_std_dev: isFar ? degrees(ownSpread) : null,
        jump: isJump ? degrees(from) : null,
        usual_jump: isJump ? degrees(usual) : null,
        ...((theirs) => ({
          neighbours: theirs.map((each) => each.id),
          neighbours_km: theirs.map(({ km }) => Math.round(km * 10) / 10),
        }))(isJump ? near.filter((each) => jump(each.id, date) !== undefined) : []),
      });
    }
  }
  const order = ({ date, station_id }: Record<string, unknown>): string =>
    `${date as string} ${station_id as string}`;
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
