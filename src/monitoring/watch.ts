import { METRICS, VARIABLES } from '../variables/variables.js';
import { z } from 'zod';
import { OF_TEMPERATURES } from '../queries/conditions.js';
import { bind, raw, sql } from '../queries/sql.js';
import { formatDate, DAY_MS } from '../statistics/time/calendar.js';
import type { Store } from '../store/store.js';
import { type Alarm, alarmsOfReport, LATEST_ALARMS, type WatchReport } from './alarm.js';
import {
  computeCadence,
  CURRENT_MS,
  isNetworkStale,
  isStationStale,
  isStaleNetwork,
  LOOKED_AT_MS,
  MAX_SPANS,
  PAST_MS,
  spansToLookAt,
  isHeld,
  findFlatForecasts,
  flatStations,
  withoutExtraRepeats,
} from './stale-feed.js';
import { identicalAlarms } from './identical-providers.js';
import { type IssuanceRepeats, issuanceRepeats, latestMoves } from './issuance-repeats.js';
import { leakAlarms } from './leaks.js';
import { LATEST_DAYS, suspectsSince } from './judged-days.js';

// A load looks at the providers when its pairs are reconciled. It changes no number: its report has the alarms.

/** A past is looked at for so many stations of a network. */
const MAX_STATIONS = 200;

/**
 * The latest issuance of each provider in a load, and the first and the last day with a pair. The providers of the
 * latest days are empty if no pair of theirs has changed since the last look. `before` are the alarms that hold.
 */
const newsSql = (load_id: number) => sql.rows(
  z.object({
    providers: z.array(z.tuple([z.string(), z.number()])),
    first_day: z.number(),
    last_day: z.number(),
    changed: z.array(z.string()),
    before: alarmsOfReport,
  }),
)`
  SELECT
    (
      SELECT arraySort(groupArray((name, latest_ms)))
      FROM (
        SELECT provider AS name, toUnixTimestamp64Milli(max(issued_at)) AS latest_ms
        FROM forecasts
        WHERE ${OF_TEMPERATURES} AND provider IN (SELECT provider FROM staged_forecasts WHERE load_id = ${bind({ load_id }, 'UInt32')})
          AND target_date >= (SELECT toDate(fromUnixTimestamp64Milli(max(issued_ms), 'UTC')) FROM staged_forecasts WHERE load_id = ${bind({ load_id }, 'UInt32')})
        GROUP BY provider
      )
    ) AS providers,
    (
      SELECT if(
        max(load_id) > (SELECT max(load_id) FROM loads WHERE event = 'finished' AND JSONHas(report, 'watch')),
        arraySort(groupUniqArray(provider)), []
      )
      FROM station_days
      WHERE ${OF_TEMPERATURES} AND target_date > (SELECT max(target_date) FROM station_days WHERE ${OF_TEMPERATURES}) - ${raw(`${LATEST_DAYS}`)}
    ) AS changed,
    ifNull((${LATEST_ALARMS}), '[]') AS before,
    toUInt16(min(target_date)) AS first_day, toUInt16(max(target_date)) AS last_day
  FROM station_days
  WHERE ${OF_TEMPERATURES}`;

/** Alarms about observations, of a metric. */
const MAX_SUSPECTS = 20;

/** Without so many days there is nothing to compare with. */
const MIN_DAYS = 14;

/**
 * Looks at the providers after a load.
 * @returns undefined when the store has too few days to say anything
 */
export async function watchProviders(store: Store, loadId: number): Promise<WatchReport | undefined> {
  const { providers, changed, first_day, last_day, before } = await store.queryOne(newsSql(loadId));
  if (last_day - first_day < MIN_DAYS) return undefined;
  const alarms = before.filter(
    ({ kind, provider }) => kind === 'stale' && !providers.some(([name]) => name === provider),
  );
  for (const [provider, latest_ms] of providers) {
    const isStale = before.some((each) => each.kind === 'stale' && each.provider === provider);
    if (isStale || !(await haveAllMoved(store, provider, latest_ms)))
      alarms.push(...(await staleAlarms(store, provider, latest_ms, before)));
  }
  if (changed.length === 0) alarms.push(...before.filter(({ kind }) => kind !== 'stale'));
  else alarms.push(...(await suspectAlarms(store, formatDate(last_day), changed, loadId)));
  if (changed.length > 0) alarms.push(...(await leakAlarms(store, formatDate(last_day))));
  if (changed.length > 1) alarms.push(...(await identicalAlarms(store, formatDate(last_day))));
  const isOne = (list: readonly Alarm[]) => (each: Alarm) => list.some((other) => isSame(each, other));
  return {
    alarms,
    raised: alarms.filter((each) => !isOne(before)(each)),
    cleared: before.filter((each) => !isOne(alarms)(each)),
  };
}

/** Two alarms of one trouble; its day and figures may become clearer. */
const isSame = (a: Alarm, b: Alarm): boolean =>
  a.kind === b.kind && a.provider === b.provider && a.station_id === b.station_id && a.metric === b.metric;

/**
 * Whether the latest issuance of each current station of a provider moved. Then it has no alarm, whatever span is looked at,
 * and one short statement says so: the lists of issuances take five times as long.
 */
export async function haveAllMoved(
  store: Pick<Store, 'query' | 'queryOne'>,
  provider: string,
  latest_ms: number,
): Promise<boolean> {
  const after_ms = latest_ms - LOOKED_AT_MS;
  const longest_ms = latest_ms - MAX_SPANS * LOOKED_AT_MS;
  const { moved_ms, others } = await store.queryOne(
    latestMoves({ provider, after_ms, longest_ms, latest_ms }),
  );
  const current_ms = moved_ms - CURRENT_MS;
  if (current_ms <= after_ms) return false; // a station without an issuance in this span may be current
  const current = others.filter(([, issued_ms]) => issued_ms >= current_ms);
  if (current.length === 0) return true;
  if (current.length > MAX_STATIONS) return false;
  const stations = current.map(([station_id]) => station_id);
  const rows = await store.query(issuanceRepeats({ providers: [provider], after_ms, stations }));
  const moved = new Map(
    rows.map(({ station_id, issued, repeated }) => [station_id, repeated.at(-1) === 0 && issued.at(-1)]),
  );
  return current.every(([station_id, issued_ms]) => moved.get(station_id) === issued_ms);
}

/** The alarms of a provider that stands still: those that hold, and new ones. @param latest_ms its latest issuance */
export async function staleAlarms(
  store: Pick<Store, 'query'>,
  provider: string,
  latest_ms: number,
  before: readonly Alarm[],
): Promise<Alarm[]> {
  const providers = [provider];
  let after_ms = latest_ms - LOOKED_AT_MS;
  let rows = await store.query(issuanceRepeats({ providers, after_ms }));
  if (rows.length === 0) return [];
  const spans = spansToLookAt(rows);
  if (spans > 1) {
    after_ms = latest_ms - spans * LOOKED_AT_MS;
    rows = await store.query(issuanceRepeats({ providers, after_ms }));
  }
  const stations = findFlatForecasts(rows);
  const held = before.filter(
    (each) => each.kind === 'stale' && each.provider === provider && isHeld(each, stations),
  );
  if (held.some(({ station_id }) => station_id === null)) return held;
  const isNetwork = isStaleNetwork(stations);
  const suspect = (isNetwork ? stations : flatStations(stations))
    .map(({ station_id }) => station_id)
    .filter((id) => !held.some(({ station_id }) => station_id === id))
    .slice(0, MAX_STATIONS);
  if (suspect.length === 0) return held;
  const past = await store.query(
    issuanceRepeats({ providers, after_ms: after_ms - PAST_MS - 14 * DAY_MS, stations: suspect }),
  );
  const others = await store.query(issuanceRepeats({ providers, others: true, after_ms, stations: suspect }));
  const cadence_ms = computeCadence(past);
  const counted = (list: readonly IssuanceRepeats[]): IssuanceRepeats[] =>
    list.map((row) => withoutExtraRepeats(row, cadence_ms));
  const sample = { provider, stations: findFlatForecasts(counted(rows)), past: counted(past), others };
  if (isStaleNetwork(sample.stations)) {
    const found = isNetworkStale(sample);
    return found === undefined ? held : [found];
  }
  const found = flatStations(sample.stations).flatMap(
    ({ station_id }) => isStationStale(sample, station_id) ?? [],
  );
  return [...held, ...found];
}

/** The stations whose latest observations are in doubt, those with the most of them. */
async function suspectAlarms(
  store: Store,
  last: string,
  providers: readonly string[],
  version: number,
): Promise<Alarm[]> {
  const alarms: Alarm[] = [];
  for (const metric of METRICS) {
    const found = await store.query(suspectsSince(last, { metric, providers, version, station: undefined }));
    for (const { station_id, station_days, by_hours, first_date } of found.slice(0, MAX_SUSPECTS)) {
      const reasons = [
        ...(by_hours > 0 ? ['beyond what the hourly readings allow'] : []),
        ...(station_days > by_hours ? ['far from all forecasts'] : []),
      ];
      const [days, are, them] =
        station_days === 1 ? [metric, 'is', 'it'] : [VARIABLES[metric].plural, 'are', 'them'];
      alarms.push({
        kind: 'suspect',
        provider: null,
        station_id,
        metric,
        since: first_date,
        message: `${station_id}: ${station_days} ${days} of the last 7 days ${are} ${reasons.join(' or ')}; /data/suspects lists ${them}`,
      });
    }
  }
  return alarms;
}
