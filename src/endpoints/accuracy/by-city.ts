import { z } from 'zod';
import {
  byWeek,
  byWeekRow,
  type ByWeekRow,
  daysWithPairs,
  sumsByWeek,
  uncertaintyByWeek,
  UNIQUE_DAYS,
} from '../../accuracy/by-day.js';
import {
  type Bindings,
  COUNTED_DAYS,
  errorsOf,
  type Leads,
  type Source,
  WEEKS_AND_DAYS,
} from '../../accuracy/histograms.js';
import { uncertainty } from '../../accuracy/uncertainty/intervals.js';
import type { Window } from '../../accuracy/time/window.js';
import {
  STATISTICS,
  type Stats,
  stats,
  statisticsOf,
  statisticsRow,
  type Sums,
  SUMS,
  sumsRow,
  toStats,
} from '../../accuracy/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  sourceOf,
  TOTAL_RECORDS,
  totalPairs,
} from '../../api/accuracy.js';
import type { Sources } from '../../api/endpoint.js';
import { ownParameters } from '../../api/groups.js';
import { integer, word } from '../../api/parameters.js';
import { ci } from '../../api/question.js';
import { stationsOfCity } from '../../api/stations.js';
import type { Station } from '../../stations/directory.js';
import { summaryRow, summarySql } from './summary.js';

/** The ranks that `sort_by` names (D14), at full precision. */
const ORDER = {
  mae: (city: City) => city.full.mae ?? 0,
  count: (city: City) => -city.verification_pairs,
  mean_error: (city: City) => city.full.mean_error ?? 0,
  city: (city: City) => city.city_name.toLowerCase(),
  rmse: (city: City) => city.full.rmse ?? 0,
} as const;

type SortBy = keyof typeof ORDER;
const SORT_BY = Object.keys(ORDER) as [SortBy, ...SortBy[]];

interface City {
  station_id: string;
  city_name: string;
  verification_pairs: number;
  preliminary_pairs: number;
  /** At full precision. */
  full: Stats;
  weeks: ByWeekRow;
}

/** Each station that has pairs. It reads one table, so all of it is of one moment. */
export const byCitySql = (source?: Source, leads?: Leads, level?: number): string => `
  SELECT station_id, ${STATISTICS}, ${UNIQUE_DAYS}${sumsByWeek(level, 'target_date')}
  FROM ${errorsOf('each_station', source, leads)}
  GROUP BY station_id
  HAVING verification_pairs != 0`;

/**
 * The same for all lead times in half the time, from three tables: whole weeks, the days beside them, and the number of
 * pairs on each day. While a load settles, one may have what another does not have yet (isOfOneMoment()).
 */
export const byCityOfWeeksSql = (level?: number): string => `
  SELECT station_id, accuracy.*, unique_days, counted_pairs
  FROM (
    SELECT station_id, ${STATISTICS}${sumsByWeek(level, 'from_date')}
    FROM ${WEEKS_AND_DAYS}
    GROUP BY station_id
    HAVING verification_pairs != 0
  ) AS accuracy
  LEFT JOIN (
    SELECT station_id, ${UNIQUE_DAYS}, sum(pair_count) AS counted_pairs
    FROM ${COUNTED_DAYS}
    GROUP BY station_id
  ) AS days USING (station_id)`;

const row = statisticsRow.extend({ station_id: z.string(), unique_days: z.number(), ...byWeekRow.shape });
const rowOfWeeks = row.extend({ counted_pairs: z.number() });

const networkSql = `SELECT ${SUMS} FROM ${errorsOf('network')}`;

/** GET /api/v1/accuracy/by-city (section 4.5 of the interface, D14). */
export const byCity = defineAccuracy({
  paths: ['/accuracy/by-city'],
  operationId: 'getAccuracyByCity',
  summary: 'Accuracy by city',
  description: 'One record per station that has a pair in the window.',
  groups: {
    station: stationsOfCity,
    ci,
    own: ownParameters({
      min_samples: integer(0, 1_000_000_000, 0, 'Leave out cities with fewer verification pairs'),
      sort_by: word(
        SORT_BY,
        'mae, rmse, mean_error and city ascend, count descends; equal ones by station_id',
      ).default('city'),
    }),
  },
  record: z
    .object({
      station_id: z.string().meta({ example: 'KORD' }),
      city_name: z.string().meta({ example: 'Chicago' }),
      sample_size: z.int().min(1).meta({ description: 'Verification pairs of this city' }),
      stats,
      uncertainty: uncertainty.optional(),
    })
    .meta({ id: 'CityAccuracy' }),
  many: true,
  asked: ({ ci }) => ({ uncertainty: ci !== undefined }),
  metadata: { total_records: TOTAL_RECORDS },

  async answer({ station, own, ...question }, sources) {
    const { ci, window } = question;
    const bound = bindings(question);
    const asked = { bound, source: sourceOf(question), leads: question.leadTimes.leads, window, ci };
    const all =
      station === undefined
        ? await eachCity(asked, sources)
        : (await Promise.all(station.map((each) => oneCity(each, asked, sources)))).flat();
    const cities = all.filter(({ verification_pairs }) => verification_pairs >= own.min_samples);
    const rank = ORDER[own.sort_by];
    // Ranks first: with 2,000 stations, lower-casing names in every comparison took 3 ms.
    const ranked = cities
      .map((city) => ({ city, rank: rank(city) }))
      .sort((a, b) => compare(a.rank, b.rank) || compare(a.city.station_id, b.city.station_id));
    return {
      data: ranked.map(({ city: { station_id, city_name, verification_pairs, full, weeks } }) => ({
        station_id,
        city_name,
        sample_size: verification_pairs,
        stats: toStats(full),
        ...(ci !== undefined && { uncertainty: uncertaintyByWeek(weeks, full.unique_days, ci) }),
      })),
      metadata: { total_records: totalPairs(cities) },
      verified: allVerified(cities),
    };
  },
});

/** A question about all stations or one, with the values that it binds. */
interface Asked {
  bound: Bindings;
  source: Source;
  leads: Leads;
  window: Window;
  ci: number | undefined;
}

async function eachCity(asked: Asked, { query, directory }: Sources): Promise<City[]> {
  const { bound, source, leads, ci } = asked;
  const rows =
    leads === 'some' || source !== 'histogram'
      ? // Of a past version the ledger, which for all stations takes no longer than a histogram less what came later
        await query(byCitySql(source === 'rewound' ? 'ledger' : source, leads, ci), bound, row, 'long')
      : await ofWeeks(asked, query);
  return rows.map(({ station_id, unique_days, ...sums }) => ({
    station_id,
    city_name: directory.stations.cityName(station_id),
    verification_pairs: sums.verification_pairs,
    preliminary_pairs: sums.preliminary_pairs,
    full: statisticsOf(sums, unique_days),
    weeks: sums,
  }));
}

async function ofWeeks({ bound, ci }: Asked, query: Sources['query']): Promise<z.infer<typeof row>[]> {
  const [rows, [network]] = await Promise.all([
    query(byCityOfWeeksSql(ci), bound, rowOfWeeks, 'long'),
    query(networkSql, bound, sumsRow),
  ]);
  return network !== undefined && isOfOneMoment(rows, network)
    ? rows
    : query(byCitySql('histogram', 'all', ci), bound, row, 'long');
}

/** Whether the three tables, and a fourth, hold the same pairs: each sum of all stations is that of the network. */
function isOfOneMoment(rows: readonly z.infer<typeof rowOfWeeks>[], network: Sums): boolean {
  const names = Object.keys(sumsRow.shape) as (keyof Sums)[];
  return (
    rows.every(({ counted_pairs, verification_pairs }) => counted_pairs === verification_pairs) &&
    names.every((name) => rows.reduce((sum, row) => sum + BigInt(row[name]), 0n) === BigInt(network[name]))
  );
}

/** One station is a summary: the histogram of stations holds its rows in one place. */
async function oneCity(
  { station_id, city_name }: Station,
  { bound, source, leads, window, ci }: Asked,
  { query }: Sources,
): Promise<City[]> {
  const sql = summarySql('station', source, leads, ci);
  const [found] = await query(sql, { ...bound, station_id }, summaryRow);
  if (found === undefined || found.verification_pairs === 0) return [];
  const { verification_pairs, preliminary_pairs, pairs_by_day } = found;
  const full = statisticsOf(found, daysWithPairs(pairs_by_day));
  const weeks = byWeek(found, window);
  return [{ station_id, city_name, verification_pairs, preliminary_pairs, full, weeks }];
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
