import { z } from 'zod';
import {
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
import { defineEndpoint, type Queries } from '../api/endpoint.js';
import type { Station, Stations } from '../stations/directory.js';
import { integer } from '../api/parameters.js';
import {
  checkWindow,
  COMMON_METADATA,
  csvOf,
  type Question,
  QUESTION_PARAMETERS,
  readQuestion,
  STATION_PARAMETERS,
  TOTAL_RECORDS,
  windowMetadata,
} from '../api/question.js';
import { summaryRow, summarySql } from './summary.js';

/** What `sort_by` means (D14), at full precision; equal ones are in order of station_id. */
const ORDER = {
  mae: (city: City) => city.full.mae ?? 0,
  count: (city: City) => -city.full.verification_pairs,
  mean_error: (city: City) => city.full.mean_error ?? 0,
  city: (city: City) => city.city_name.toLowerCase(),
  rmse: (city: City) => city.full.rmse ?? 0,
} as const;

type SortBy = keyof typeof ORDER;
const SORT_BY = Object.keys(ORDER) as [SortBy, ...SortBy[]];

interface City {
  station_id: string;
  city_name: string;
  preliminary_pairs: number;
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

const parameters = {
  ...QUESTION_PARAMETERS,
  ...STATION_PARAMETERS,
  min_samples: integer(0, 1_000_000_000, 0, 'Leave out cities with fewer verification pairs'),
  sort_by: z
    .enum(SORT_BY, `must be one of ${SORT_BY.join(', ')}`)
    .default('city')
    .meta({ description: 'mae, rmse, mean_error and city ascend, count descends; equal ones by station_id' }),
};

/** GET /api/v1/accuracy/by-city (section 4.5 of the interface, D14). */
export const byCity = defineEndpoint({
  paths: ['/accuracy/by-city'],
  operationId: 'getAccuracyByCity',
  summary: 'Accuracy by city',
  description: 'One record per station that has a pair in the window.',
  parameters,
  check: checkWindow,
  record: z
    .object({
      station_id: z.string().meta({ example: 'KORD' }),
      city_name: z.string().meta({ example: 'Chicago' }),
      sample_size: z.int().min(1).meta({ description: 'Verification pairs of this city' }),
      stats,
    })
    .meta({ id: 'CityAccuracy' }),
  many: true,
  metadata: z.object({ ...COMMON_METADATA, total_records: TOTAL_RECORDS }),

  question: (values, context) => ({ ...readQuestion(values, context), stations: context.stations }),

  async answer(question, { sort_by, min_samples }, store) {
    const cities = await (question.station === undefined
      ? eachCity(question, min_samples, store)
      : oneCity(question, question.station, min_samples, store));
    const rank = ORDER[sort_by];
    // Each rank is worked out once: of 2,000 stations, names put in lower case at every comparison took 3 ms.
    const ranked = cities
      .map((city) => ({ city, rank: rank(city) }))
      .sort((a, b) => compare(a.rank, b.rank) || compare(a.city.station_id, b.city.station_id));
    return {
      data: ranked.map(({ city: { station_id, city_name, full } }) => ({
        station_id,
        city_name,
        sample_size: full.verification_pairs,
        stats: toStats(full),
      })),
      metadata: {
        ...windowMetadata(question),
        total_records: cities.reduce((total, { full }) => total + full.verification_pairs, 0),
      },
      verified: cities.length > 0 && cities.every(({ preliminary_pairs }) => preliminary_pairs === 0),
      csv: csvOf(question),
    };
  },
});

async function eachCity(
  { bindings, stations }: Question & { stations: Stations },
  minSamples: number,
  store: Queries,
): Promise<City[]> {
  const rows = await store.query(byCitySql(), { ...bindings, min_samples: Math.max(1, minSamples) }, row);
  const names = new Map(stations.all.map(({ station_id, city_name }) => [station_id, city_name]));
  return rows.map(({ station_id, unique_days, ...sums }) => ({
    station_id,
    city_name: names.get(station_id) ?? station_id,
    preliminary_pairs: sums.preliminary_pairs,
    full: statisticsOf(sums, unique_days),
  }));
}

/** One station is a summary: its own histogram holds it in one place. */
async function oneCity(
  { bindings }: Question,
  { station_id, city_name }: Station,
  minSamples: number,
  store: Queries,
): Promise<City[]> {
  const [found] = await store.query(summarySql('station'), bindings, summaryRow);
  if (found === undefined || found.verification_pairs < Math.max(1, minSamples)) return [];
  const full = statisticsOf(found, daysWithPairs(found.pairs_by_day));
  return [{ station_id, city_name, preliminary_pairs: found.preliminary_pairs, full }];
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
