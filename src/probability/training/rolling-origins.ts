import type { Reports } from '../../queries/report-rows.js';

// Rolling origin: every past day of a station beside its settled value and the moment when it is predicted. Other days train it
// as they were known by then, and nothing later.

/** The past days to go through. */
export interface OriginRange {
  /** Both included, from 1970-01-01. */
  first: number;
  last: number;
  /** Only this station's days. */
  station_id?: string | undefined;
  /** The instant by which everything is known, Unix ms; all that there is, if not given. */
  known_ms?: number | undefined;
}

/** A past day of a station. */
export interface Origin<Station> {
  station: Station;
  day: number;
  /** Its settled value, hundredths of a °F. */
  actual: number;
  /** When it is predicted, Unix ms. */
  moment_ms: number;
}

/** How the days of a kind of station are read. */
export interface OriginReader<Station> {
  /** The moment at which a day is predicted, Unix ms; undefined if it cannot be. */
  getMoment: (station: Station, day: number) => number | undefined;
  getReports: (station: Station) => Pick<Reports, 'known'>;
}

/** The origins of stations: all of one station after the other, or all of one day after the other. */
export function* listOrigins<Station extends { station_id: string }>(
  stations: readonly Station[],
  { first, last, station_id: only, known_ms = Infinity }: OriginRange,
  order: 'by station' | 'by day',
  { getMoment, getReports }: OriginReader<Station>,
): Generator<Origin<Station>> {
  const chosen = stations.filter(({ station_id }) => (only ?? station_id) === station_id);
  const [outer, inner] =
    order === 'by station' ? [chosen.length, last - first + 1] : [last - first + 1, chosen.length];
  for (let a = 0; a < outer; a += 1) {
    for (let b = 0; b < inner; b += 1) {
      const [place, at] = order === 'by station' ? [a, b] : [b, a];
      const station = chosen[place]!;
      const day = first + at;
      const moment_ms = getMoment(station, day);
      if (moment_ms === undefined) continue;
      const actual = getReports(station).known(day, known_ms);
      if (actual !== undefined) yield { station, day, actual, moment_ms };
    }
  }
}
