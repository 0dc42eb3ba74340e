import { z } from 'zod';
import { isOfHistograms } from '../queries/error-counts.js';
import { andOfStations, ofMetric, ofProviders, ofWindow, type PairQuery } from '../queries/conditions.js';
import { stationDays } from '../queries/station-days.js';
import { fromWhere } from '../queries/relation.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import type { ChosenStation } from '../stations/choice.js';
import type { Station } from '../stations/directory.js';
import type { Window } from '../statistics/time/window.js';
import type { Sources } from './endpoint.js';
import { count } from './fields.js';
import { oneParameter } from './groups.js';

// A constant sample: a trend of the network must not come from stations that join it or leave it. WMO's exchange of scores
// has an agreed list of stations for the same reason (WMO-No. 485).

const SHARE = 'must be a number above 0 and at most 1, such as 0.9';

/** The share of the window's days on which a station needs pairs to count; undefined for all stations. */
export const minCoverage = oneParameter(
  'min_coverage',
  z
    .string()
    .regex(/^(0?\.\d{1,4}|1(\.0{1,4})?)$/, SHARE)
    .transform(Number)
    .refine((share) => share > 0, SHARE)
    .optional()
    .meta({
      type: 'number',
      description:
        'Only stations with pairs on at least this share of the days of the window, of every provider that the request ' +
        'compares: a constant sample',
      example: 0.9,
    }),
);

export const COVERAGE_METADATA = {
  min_coverage: z
    .object({
      share: z.number().meta({ description: 'min_coverage of the request' }),
      stations_left_out: count('Stations with pairs on fewer days'),
    })
    .meta({ id: 'MinCoverage', description: 'With min_coverage: the stations that it leaves out' })
    .optional(),
};

type CoverageQuery = Omit<PairQuery, 'window' | 'station'> & {
  window: Window;
  station?: Station | readonly ChosenStation[] | undefined;
  minCoverage?: number | undefined;
};

/** The days of each station and provider that have a pair. */
function daysWithPairs(params: PairQuery): Statement {
  const { leads, buckets } = params.leadTimes;
  if (leads === 'all' && isOfHistograms(params)) {
    return sql`(
      SELECT station_id, provider, target_date
      FROM station_day_counts
      WHERE ${ofMetric(params)} AND ${ofProviders(params)} AND ${ofWindow(params.window)}${andOfStations(params.station)}
      GROUP BY station_id, provider, target_date
      HAVING sum(pair_count) != 0
    )`;
  }
  const isWanted =
    leads === 'all'
      ? raw(`bucket != 'same-day'`)
      : sql`has(${bind({ lead_time_buckets: buckets }, 'Array(String)')}, toString(bucket))`;
  return sql`(
      SELECT station_id, provider, target_date
      ${fromWhere(stationDays(params, ofProviders(params)), sql`arrayExists(bucket -> ${isWanted}, lead_time_buckets)`)}
      GROUP BY station_id, provider, target_date
      HAVING sum(toInt64(sign)) != 0
    )`;
}

const coverage = (params: PairQuery, min_days: number) => sql.rows(coverageRow)`
  SELECT station_id, min(days) >= ${bind({ min_days }, 'UInt32')} AND count() = ${providerCount(params)} AS is_covered
  FROM (
    SELECT station_id, provider, count() AS days
    FROM ${daysWithPairs(params)}
    GROUP BY station_id, provider
  )
  GROUP BY station_id`;

const coverageRow = z.object({ station_id: z.string(), is_covered: z.number() });

const providerCount = ({ provider }: PairQuery): Statement =>
  bind({ provider_count: provider.names?.length ?? 1 }, 'UInt32');

/** Binary fractions add as little: 0.07 times 100 is 7.000000000000001. */
const TINY = 1e-9;

/** The days of a window on which a station needs pairs. */
export const computeMinDays = (share: number, { days_analyzed }: Window): number =>
  Math.ceil(share * days_analyzed - TINY);

/**
 * Chooses the stations with pairs on enough days.
 * @returns the params with these stations, the number that the request names or chooses (Infinity: all), and metadata
 */
export async function chooseConstantSample<Own extends CoverageQuery>(
  params: Own,
  { query, directory }: Pick<Sources, 'query' | 'directory'>,
) {
  const { minCoverage: share, window, station } = params;
  if (share === undefined) return { params };
  const min_days = computeMinDays(share, window);
  const rows = await query(coverage(params, min_days), 'long');
  const covered = new Set(
    rows.filter(({ is_covered }) => is_covered === 1).map(({ station_id }) => station_id),
  );
  const isOne = station !== undefined && 'station_id' in station;
  const chosen: readonly ChosenStation[] = isOne
    ? [station]
    : (station ?? directory.stations.all.map(({ station_id, city_name }) => ({ station_id, city_name })));
  const kept = chosen.filter(({ station_id }) => covered.has(station_id));
  return {
    params: {
      ...params,
      station: isOne && kept.length === 1 ? station : kept,
      requestedStations: station === undefined ? Infinity : chosen.length,
    },
    metadata: { min_coverage: { share, stations_left_out: rows.length - covered.size } },
  };
}
