import { z } from 'zod';
import { andOfStations, ofProviders, ofVersion, type PairQuery } from '../../queries/conditions.js';
import { forecastFacts } from '../../queries/derived-days.js';
import { localDays, stationsOfVersion } from '../../queries/facts.js';
import { bind, sql } from '../../queries/sql.js';
import { addDays, dateAt } from '../../statistics/time/calendar.js';
import { medianWithout } from '../../queries/sums.js';
import { minDeparture, type DivergenceParams } from './diverging-cases.js';

// The departures among the latest forecasts of days that have not ended.

/** Days to come at a moment, and the rows of a page of them. */
interface ToCome
  extends
    Pick<PairQuery, 'metric' | 'choices' | 'provider' | 'station'>,
    Pick<DivergenceParams, 'threshold'> {
  /** Unix ms. */
  moment_ms: number;
  page: { limit: number; skip: number };
}

/**
 * One row a departure, the largest first, and one more than the page has, if there is one. Its forecast is hundredths of a °F,
 * those of the others and the departure are halves of one. `said` has the latest of every provider.
 */
export const departuresToCome = (params: ToCome, version: number) => sql.rows(row)`
  SELECT
    station_id, target_date, begins_ms, said, said[place].1 AS provider, said[place].2 AS forecast_hundredths,
    said[place].3 AS issued_ms, others, departure
  FROM (
    SELECT
      station_id, target_date, begins_ms, said, place,
      arraySort(said.2) AS sorted,
      ${medianWithout(sql`said[place].2`)} AS others, 2 * said[place].2 - others AS departure
    FROM (
      SELECT
        f.station_id AS station_id, f.target_date AS target_date, toUnixTimestamp64Milli(d.day_begins) AS begins_ms,
        arraySort(groupArray((f.provider, f.forecast_hundredths, f.latest_issued_ms))) AS said
      FROM (
        SELECT
          station_id, provider, target_date, argMax(toInt64(forecast_f * 100), issued_at) AS forecast_hundredths,
          toUnixTimestamp64Milli(max(issued_at)) AS latest_issued_ms
        FROM ${forecastFacts(
          params.metric,
          params.choices,
          sql`${ofProviders(params)} AND ${toCome(params)} AND ${ofVersion(version)}${andOfStations(params.station)}`,
        )}
        GROUP BY station_id, provider, target_date
      ) AS f
      INNER JOIN ${stationsOfVersion(version)} AS s ON s.station_id = f.station_id
      INNER JOIN ${localDays(sql`${toCome(params)} AND ${ofVersion(version)}`)} AS d
        ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary AND d.target_date = f.target_date
      WHERE toUnixTimestamp64Milli(d.day_ends) > ${bind({ moment_ms: params.moment_ms }, 'Int64')}
      GROUP BY station_id, target_date, begins_ms
      HAVING length(said) >= 2
    )
    ARRAY JOIN arrayEnumerate(said) AS place
  )
  WHERE abs(departure) >= ${minDeparture(params)}
  ORDER BY abs(departure) DESC, target_date, station_id, provider
  LIMIT ${bind({ limit: params.page.limit + 1 }, 'UInt32')} OFFSET ${bind({ offset: params.page.skip }, 'UInt64')}`;

/** Days that may not have ended anywhere: somewhere it is still the day before that of UTC. */
const toCome = ({ moment_ms }: Pick<ToCome, 'moment_ms'>) =>
  sql`target_date >= ${bind({ first_to_come: addDays(dateAt(moment_ms), -1) }, 'Date')}`;

const row = z.object({
  station_id: z.string(),
  target_date: z.iso.date(),
  begins_ms: z.number(),
  said: z.array(z.tuple([z.string(), z.number(), z.number()])),
  provider: z.string(),
  forecast_hundredths: z.number(),
  issued_ms: z.number(),
  others: z.number(),
  departure: z.number(),
});

export type DepartureToCome = z.infer<typeof row>;
