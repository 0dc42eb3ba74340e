import { z } from 'zod';
import {
  type Bindings,
  daysOf,
  daysWithPairs,
  errorsOf,
  type Leads,
  type Source,
  UNIQUE_DAYS,
} from '../accuracy/histograms.js';
import {
  STATISTICS,
  type Stats,
  stats,
  statisticsOf,
  statisticsRow,
  toStats,
} from '../accuracy/statistics.js';
import { allVerified, bindings, defineAccuracy, TOTAL_RECORDS, totalPairs } from '../api/accuracy.js';
import type { Sources } from '../api/endpoint.js';
import { ownParameters } from '../api/groups.js';
import { integer, word } from '../api/parameters.js';
import { stationsOfCity } from '../api/stations.js';
import type { Station } from '../stations/directory.js';
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
}

export const byCitySql = (source?: Source, leads?: Leads): string => `
  SELECT station_id, accuracy.*, unique_days
  FROM (
    SELECT station_id, ${STATISTICS}
    FROM ${errorsOf('each_station', source, leads)}
    GROUP BY station_id
    HAVING verification_pairs >= {min_samples: UInt64}
  ) AS accuracy
  INNER JOIN (
    SELECT station_id, ${UNIQUE_DAYS}
    FROM ${daysOf(source, leads)}
    GROUP BY station_id
  ) AS days USING (station_id)`;

const row = statisticsRow.extend({ station_id: z.string(), unique_days: z.number() });

/** GET /api/v1/accuracy/by-city (section 4.5 of the interface, D14). */
export const byCity = defineAccuracy({
  paths: ['/accuracy/by-city'],
  operationId: 'getAccuracyByCity',
  summary: 'Accuracy by city',
  description: 'One record per station that has a pair in the window.',
  groups: {
    station: stationsOfCity,
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
    })
    .meta({ id: 'CityAccuracy' }),
  many: true,
  metadata: { total_records: TOTAL_RECORDS },

  async answer({ station, own, ...question }, sources) {
    const { leads } = question.leadTimes;
    const bound = { ...bindings(question), min_samples: Math.max(1, own.min_samples) };
    const cities =
      station === undefined
        ? await eachCity(bound, leads, sources)
        : (await Promise.all(station.map((each) => oneCity(each, bound, leads, sources)))).flat();
    const rank = ORDER[own.sort_by];
    // Ranks first: with 2,000 stations, lower-casing names in every comparison took 3 ms.
    const ranked = cities
      .map((city) => ({ city, rank: rank(city) }))
      .sort((a, b) => compare(a.rank, b.rank) || compare(a.city.station_id, b.city.station_id));
    return {
      data: ranked.map(({ city: { station_id, city_name, verification_pairs, full } }) => ({
        station_id,
        city_name,
        sample_size: verification_pairs,
        stats: toStats(full),
      })),
      metadata: { total_records: totalPairs(cities) },
      verified: allVerified(cities),
    };
  },
});

type Bound = Bindings & { min_samples: number };

async function eachCity(bound: Bound, leads: Leads, { query, directory }: Sources): Promise<City[]> {
  const rows = await query(byCitySql('histogram', leads), bound, row);
  return rows.map(({ station_id, unique_days, ...sums }) => ({
    station_id,
    city_name: directory.stations.cityName(station_id),
    verification_pairs: sums.verification_pairs,
    preliminary_pairs: sums.preliminary_pairs,
    full: statisticsOf(sums, unique_days),
  }));
}

/** One station is a summary: the histogram of stations holds its rows in one place. */
async function oneCity(
  { station_id, city_name }: Station,
  bound: Bound,
  leads: Leads,
  { query }: Sources,
): Promise<City[]> {
  const [found] = await query(
    summarySql('station', 'histogram', leads),
    { ...bound, station_id },
    summaryRow,
  );
  if (found === undefined || found.verification_pairs < bound.min_samples) return [];
  const { verification_pairs, preliminary_pairs, pairs_by_day } = found;
  const full = statisticsOf(found, daysWithPairs(pairs_by_day));
  return [{ station_id, city_name, verification_pairs, preliminary_pairs, full }];
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
