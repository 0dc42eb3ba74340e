import { sum } from '../statistics/statistics.js';
import { DAY_MS, dateAt, HOUR_MS } from '../statistics/time/calendar.js';
import type { Alarm } from './alarm.js';
import type { IssuanceRepeats } from './issuance-repeats.js';

// A provider that stands still: its new issuances repeat the values of the one before. Whole degrees often stay, so its own
// past is the yardstick, and the other providers have to move.

/** Issuances that are looked at after each load: six of a provider that issues twice a day, more days of one that issues less. */
export const LOOKED_AT_MS = 84 * HOUR_MS;

/** The past that is the yardstick. */
export const PAST_MS = 60 * DAY_MS;

/** A station without a newer issuance does not say whether its provider stands still. */
export const CURRENT_MS = 36 * HOUR_MS;

/** A network stands still if so many of its stations repeat so many issuances in a row; a smaller one is watched by station. */
const NETWORK = { stations: 5, share: 0.95, issuances: 2 };

/** A station stands still after so many issuances in a row, or more: as many as chance hardly gives. */
const STATION_ISSUANCES = 5;
const CHANCE = 0.01;

/** A provider has its next issuance after so much of its cadence; it repeats one before if it is requested more often. */
const CADENCE_SHARE = 0.75;

/** Days, and issuances of a station, without which a past is no yardstick. */
const MIN_PAST = { days: 14, issuances: 20 };

/** The issuances in a row, up to the latest, by which a station repeats itself. */
export interface FlatForecasts {
  station_id: string;
  issuances: number;
  /** The first of them; of the latest issuance if it moved. */
  since_ms: number;
}

const toFlatForecasts = ({ station_id, issued, repeated }: IssuanceRepeats): FlatForecasts => {
  const moved = repeated.lastIndexOf(0);
  const issuances = repeated.length - 1 - moved;
  return { station_id, issuances, since_ms: issued[moved + 1] ?? issued.at(-1)! };
};

/** How many times LOOKED_AT_MS has the issuances by which a station stands still. */
export const spansToLookAt = (rows: readonly IssuanceRepeats[]): number =>
  Math.ceil((STATION_ISSUANCES + 2) / (middle(rows.map(({ issued }) => issued.length)) + 1));

/** The most of them: those of a station with one issuance in LOOKED_AT_MS. */
export const MAX_SPANS = Math.ceil((STATION_ISSUANCES + 2) / 2);

/** The time between two issuances of a provider: three in four take as long. */
export function computeCadence(past: readonly IssuanceRepeats[]): number {
  const gaps = past.flatMap(({ issued }) => issued.slice(1).map((instant, at) => instant - issued[at]!));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 4)] ?? 0;
}

/** A station without the repeats that come sooner than its provider issues. */
export function withoutExtraRepeats(row: IssuanceRepeats, cadence_ms: number): IssuanceRepeats {
  let last = -Infinity;
  const kept = row.issued.flatMap((instant, at) => {
    if (row.repeated[at] === 1 && instant - last < CADENCE_SHARE * cadence_ms) return [];
    last = instant;
    return [at];
  });
  const { issued, repeated } = row;
  return { ...row, issued: kept.map((at) => issued[at]!), repeated: kept.map((at) => repeated[at]!) };
}

/** How still the stations of a provider are whose issuances are current. */
export function findFlatForecasts(rows: readonly IssuanceRepeats[]): FlatForecasts[] {
  const latest = Math.max(...rows.map(({ issued }) => issued.at(-1)!));
  return rows.filter(({ issued }) => latest - issued.at(-1)! <= CURRENT_MS).map(toFlatForecasts);
}

const shareFlat = (stations: readonly FlatForecasts[], issuances: number): number =>
  stations.filter((each) => each.issuances >= issuances).length / stations.length;

/** Whether the network of a provider looks stale. */
export const isStaleNetwork = (stations: readonly FlatForecasts[]): boolean =>
  stations.length >= NETWORK.stations && shareFlat(stations, NETWORK.issuances) >= NETWORK.share;

/** The stations that look stale. */
export const flatStations = (stations: readonly FlatForecasts[]): FlatForecasts[] =>
  stations.filter(({ issuances }) => issuances >= STATION_ISSUANCES);

/** Whether an alarm that was raised before still holds: most of its stations repeat themselves. */
export function isHeld({ station_id }: Alarm, stations: readonly FlatForecasts[]): boolean {
  const meant = stations.filter((each) => station_id === null || each.station_id === station_id);
  return meant.length > 0 && shareFlat(meant, 1) >= 0.5;
}

/** Whether other providers moved after an instant, at half of their stations; also true without other providers. */
const othersMoved = (others: readonly IssuanceRepeats[], since_ms: number): boolean => {
  if (others.length === 0) return true;
  const current = others.filter(({ issued }) => issued.at(-1)! >= since_ms);
  const moved = current.filter(({ issued, repeated }) =>
    issued.some((instant, at) => instant >= since_ms && repeated[at] === 0),
  );
  return moved.length > 0 && 2 * moved.length >= current.length;
};

/** The facts about a provider that looks stale. */
export interface Suspicion {
  provider: string;
  /** The current stations of the provider. */
  stations: readonly FlatForecasts[];
  /** Issuances of the past, and those since it is still, of the stations that look stale. */
  past: readonly IssuanceRepeats[];
  /** Issuances of the other providers. */
  others: readonly IssuanceRepeats[];
}

/** The alarm of a network that looks stale, if its past never was like that. */
export function isNetworkStale({ provider, stations, past, others }: Suspicion): Alarm | undefined {
  const isFlat = stations.filter(({ issuances }) => issuances >= NETWORK.issuances);
  const since_ms = middle(past.map((row) => toFlatForecasts(row).since_ms));
  const days = new Map<number, { stations: number; isFlat: number }>();
  for (const { issued, repeated } of past) {
    const ofStation = new Map<number, boolean>();
    let inRow = 0;
    issued.forEach((instant, at) => {
      inRow = repeated[at] === 1 ? inRow + 1 : 0;
      if (instant >= since_ms || instant < since_ms - PAST_MS) return;
      const day = Math.floor(instant / DAY_MS);
      ofStation.set(day, ofStation.get(day) === true || inRow >= NETWORK.issuances);
    });
    for (const [day, isStill] of ofStation) {
      const counts = days.get(day) ?? { stations: 0, isFlat: 0 };
      days.set(day, { stations: counts.stations + 1, isFlat: counts.isFlat + Number(isStill) });
    }
  }
  const usual = Math.max(0, ...Array.from(days.values(), (day) => day.isFlat / day.stations));
  if (days.size < MIN_PAST.days || 2 * usual >= isFlat.length / stations.length) return undefined;
  if (!othersMoved(others, since_ms)) return undefined;
  return makeAlarm(
    provider,
    null,
    since_ms,
    `${provider}: ${isFlat.length} of ${stations.length} stations repeat the values of the issuance before, ` +
      `${NETWORK.issuances} times or more; in the 60 days before at most ${Math.round(100 * usual)}% did`,
  );
}

/** The alarm of a station that looks stale, if chance does not explain it. */
export function isStationStale(
  { provider, stations, past, others }: Suspicion,
  station_id: string,
): Alarm | undefined {
  const row = past.find((each) => each.station_id === station_id);
  if (row === undefined) return undefined;
  const { issuances, since_ms } = toFlatForecasts(row);
  const before = row.repeated.filter(
    (_, at) => row.issued[at]! < since_ms && row.issued[at]! >= since_ms - PAST_MS,
  );
  if (before.length < MIN_PAST.issuances) return undefined;
  const longest = Math.max(
    0,
    ...before
      .join('')
      .split('0')
      .map(({ length }) => length),
  );
  // How many such rows chance would give all stations in 60 days.
  const expected = ((sum(before) + 1) / (before.length + 2)) ** issuances * stations.length * before.length;
  if (2 * longest >= issuances || expected >= CHANCE) return undefined;
  if (
    !othersMoved(
      others.filter((each) => each.station_id === station_id),
      since_ms,
    )
  )
    return undefined;
  return makeAlarm(
    provider,
    station_id,
    since_ms,
    `${provider}: ${station_id} repeats the values of the issuance before, ${issuances} times in a row; ` +
      `in the 60 days before at most ${longest} times`,
  );
}

const makeAlarm = (
  provider: string,
  station_id: string | null,
  since_ms: number,
  message: string,
): Alarm => ({
  kind: 'stale',
  provider,
  station_id,
  metric: null,
  since: dateAt(since_ms),
  message,
});

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
