import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../api/accuracy-metadata.js';
import type { Sources } from '../api/endpoint.js';
import { STATION } from '../api/fields.js';
import { defineGroup } from '../api/groups.js';
import { integer, word } from '../api/parameters.js';
import { ci } from '../api/params/common.js';
import { distanceField, isByDistance, separateStations } from '../api/params/station-params.js';
import { stats, uncertainty } from '../api/records/stats.js';
import type { PairQuery } from '../queries/conditions.js';
import { countedDays, errors, errorsOfWeeksAndDays, isOfHistograms } from '../queries/error-counts.js';
import {
  clusteredRow,
  STATISTICS,
  statisticsOf,
  statisticsRow,
  SUMS,
  sumsByDay,
  sumsByWeek,
  sumsRow,
  uniqueDays,
} from '../queries/sums.js';
import { fromWhere } from '../queries/relation.js';
import { sql, type Statement } from '../queries/sql.js';
import type { ChosenStation } from '../stations/choice.js';
import { UNCERTAINTY_MS, uncertaintyOfRow } from '../statistics/by-day.js';
import { type Stats, computeStatistics, type Sums } from '../statistics/statistics.js';
import { VARIABLES } from '../variables/variables.js';

/** The ranks that `sort_by` names, at full precision. */
const ORDER = {
  mae: ({ full }: City) => full.mae ?? 0,
  count: ({ row }: City) => -row.verification_pairs,
  mean_error: ({ full }: City) => full.mean_error ?? 0,
  city: ({ place }: City) => place.city_name.toLowerCase(),
  rmse: ({ full }: City) => full.rmse ?? 0,
  distance: ({ place }: City) => place.distance_km ?? 0,
} as const;

type SortBy = keyof typeof ORDER;
const SORT_BY = Object.keys(ORDER) as [SortBy, ...SortBy[]];

interface City {
  place: ChosenStation;
  row: Row;
  /** At full precision. */
  full: Stats;
}

/** Up to so many stations named have the intervals of by-station. Sums by day of 2,000 would be 720,000 numbers for 90 days. */
const MAX_CITIES_BY_DAY = 50;

/** A constant sample is no reason for another method: a script of it does not know how many stations stay. */
const isByDay = ({
  station,
  requestedStations = station?.length ?? Infinity,
}: Pick<CityParams, 'station' | 'requestedStations'>): boolean => requestedStations <= MAX_CITIES_BY_DAY;

/** Each station that has pairs. It reads one table, so all of it is of one moment. @param clusters what intervals need */
const byCities = (params: PairQuery, clusters: Statement) => sql.rows(row)`
  SELECT station_id, ${statisticsOf(params)}, ${uniqueDays(params.window)}${clusters}
  ${fromWhere(errors(params, 'each_station'))}
  GROUP BY station_id
  HAVING verification_pairs != 0`;

/**
 * Reads all stations and lead times in half the time of byCities(), from three tables: whole weeks, the days beside them, and
 * the number of pairs on each day. While a load reconciles, one may have what another does not have yet (isOfOneMoment()).
 */
export const byCitiesOfWeeks = (params: PairQuery, level: number | undefined) => sql.rows(rowOfWeeks)`
  SELECT station_id, accuracy.*, unique_days, counted_pairs
  FROM (
    SELECT station_id, ${STATISTICS}${sumsByWeek(params.window, level, sql`from_date`)}
    FROM ${errorsOfWeeksAndDays(params)}
    GROUP BY station_id
    HAVING verification_pairs != 0
  ) AS accuracy
  LEFT JOIN (
    SELECT station_id, ${uniqueDays(params.window)}, sum(pair_count) AS counted_pairs
    ${fromWhere(countedDays(params))}
    GROUP BY station_id
  ) AS days USING (station_id)`;

const row = statisticsRow.extend({ station_id: z.string(), unique_days: z.number(), ...clusteredRow.shape });
const rowOfWeeks = row.extend({ counted_pairs: z.number() });

/** Which stations have a record, and in which order. */
const order = defineGroup({
  parameters: {
    min_samples: integer(0, 1_000_000_000, 0, 'Leave out cities with fewer verification pairs than this'),
    sort_by: word(
      SORT_BY,
      'mae, rmse, mean_error, city and distance (with near) sort ascending, count descending; ties by station_id; ' +
        'default: city, or with near distance',
    ).optional(),
    near: separateStations.parameters.near,
  },
  read(given) {
    const { min_samples, sort_by, near } = given;
    // A bad point is missing from `given`, and is told by itself.
    if (sort_by === 'distance' && near === undefined && 'near' in given)
      return [{ parameter: 'sort_by', message: 'distance needs near=latitude,longitude' }];
    const found = { min_samples, sort_by: sort_by ?? (near === undefined ? 'city' : 'distance') } as const;
    return () => found;
  },
});

/** GET /api/v1/accuracy/by-city (section 4.5 of the interface). */
export const byCity = accuracyEndpoint({
  paths: ['/accuracy/by-city'],
  operationId: 'getAccuracyByCity',
  summary: 'Accuracy by city',
  description: 'One record per station with a pair in the window, for all stations or those named.',
  example: { query: 'sort_by=mae&date_from=2026-09-01&date_to=2026-09-30', keep: 3 },
  groups: {
    station: separateStations,
    ci,
    own: order,
  },
  record: z
    .object({
      ...STATION,
      distance_km: distanceField,
      sample_size: z.int().min(1).meta({ description: 'Verification pairs of this city' }),
      stats,
      uncertainty: uncertainty.optional(),
    })
    .meta({ id: 'CityAccuracy' }),
  requested: ({ ci, station }) => ({ uncertainty: ci !== undefined, distance_km: isByDistance(station) }),
  totalRecords: TOTAL_RECORDS,

  estimatedCpuMs: ({ window, station, ci }, { stations }) =>
    ci === undefined ? 0 : (station?.length ?? stations.all.length) * window.days_analyzed * UNCERTAINTY_MS,

  recompute: {
    sql: new URL('by-city.recompute.sql', import.meta.url),
    needsStations: true,
    values: ({ own, station }) => ({
      ...own,
      near: isByDistance(station),
      separate: 'station',
      by_week: !isByDay({ station }),
    }),
  },

  async handle({ own, ...params }, { query, directory }) {
    const { ci } = params;
    const rows = await readRows(params, query);
    const places = new Map(params.station?.map((each) => [each.station_id, each]));
    const cities = rows
      .filter(({ verification_pairs }) => verification_pairs >= own.min_samples)
      .map((row): City => {
        const { station_id } = row;
        const place = places.get(station_id) ?? {
          station_id,
          city_name: directory.stations.cityName(station_id),
        };
        return { place, row, full: computeStatistics(row, row.unique_days, params.metric) };
      });
    const rank = ORDER[own.sort_by];
    // Ranks first: with 2,000 stations, lower-casing names in every comparison took 3 ms.
    const ranked = cities
      .map((city) => ({ city, rank: rank(city) }))
      .sort((a, b) => compare(a.rank, b.rank) || compare(a.city.row.station_id, b.city.row.station_id));
    return {
      data: ranked.map(({ city: { place, row, full } }) => ({
        ...place,
        sample_size: row.verification_pairs,
        stats: full,
        ...(ci !== undefined && { uncertainty: uncertaintyOfRow(row, full.unique_days, ci) }),
      })),
      basis: basisOfPairs(cities.map(({ row }) => row)),
    };
  },
});

type Row = z.infer<typeof row>;

type Query = Sources['query'];
type CityParams = PairQuery & {
  station: readonly ChosenStation[] | undefined;
  requestedStations?: number;
  ci: number | undefined;
};

/** One statement for the stations named, whose rows lie together, or for all. */
async function readRows(params: CityParams, query: Query): Promise<Row[]> {
  const { station, ci, window, leadTimes } = params;
  if (station !== undefined) {
    const clusters = isByDay(params) ? sumsByDay(window, ci) : sumsByWeek(window, ci);
    return query(byCities(params, clusters), station.length === 1 ? undefined : 'long');
  }
  const isOfWeeks =
    isOfHistograms(params) && VARIABLES[params.metric].period !== 'hour' && leadTimes.leads === 'all';
  const ofWeeks = isOfWeeks ? await rowsOfWeeks(params, query) : undefined;
  return ofWeeks ?? query(byCities(params, sumsByWeek(window, ci)), 'long');
}

/** @returns undefined while a load reconciles */
async function rowsOfWeeks(params: CityParams, query: Query): Promise<Row[] | undefined> {
  const [rows, [network]] = await Promise.all([
    query(byCitiesOfWeeks(params, params.ci), 'long'),
    query(sql.rows(sumsRow)`SELECT ${SUMS} ${fromWhere(errors(params))}`),
  ]);
  return network !== undefined && isOfOneMoment(rows, network) ? rows : undefined;
}

/** Whether the three tables, and a fourth, hold the same pairs: each sum of all stations is that of the network. */
function isOfOneMoment(rows: readonly z.infer<typeof rowOfWeeks>[], network: Sums): boolean {
  const names = Object.keys(sumsRow.shape) as (keyof Sums)[];
  return (
    rows.every(({ counted_pairs, verification_pairs }) => counted_pairs === verification_pairs) &&
    names.every((name) => rows.reduce((sum, row) => sum + BigInt(row[name]), 0n) === BigInt(network[name]))
  );
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
