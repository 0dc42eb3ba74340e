import { z } from 'zod';
import { latestStations } from '../../queries/facts.js';
import { raw, sql, type Statement } from '../../sql.js';
import { DEGREE_HUNDREDTHS, NEAR_HUNDREDTHS, REPORTED_IN } from '../../statistics/units.js';
import type { Store } from '../../store/store.js';
import { numberText } from '../../text.js';
import type { LoadTally } from '../load-tally.js';
import { stagedBy } from '../stage/staging-tables.js';

/**
 * A station without `reported_in` gets a warning from so many rows on: this share is near whole °F, and half of
 * them beside. By chance 20% of values in tenths of °C are near, and 30% in tenths of °F: 18 of 20 once in 26 million.
 */
const ENOUGH_ROWS = 20;
const NEARLY_ALL = 0.9;

/** How far a value of hundredths of a °F is from a whole degree. */
const fromWhole = (degree: keyof typeof DEGREE_HUNDREDTHS): Statement => {
  const size = raw(`${DEGREE_HUNDREDTHS[degree]}`);
  return sql`least(positiveModulo(value - 3200, ${size}), positiveModulo(3200 - value, ${size}))`;
};

/** The staged observations of each station: rows, those near a whole degree, those near and not whole, and finer ones. */
const degreesOfStations = (loadId: number) => sql.rows(stationRow)`
  SELECT
      station_id, any(degrees) AS reported_in, count() AS rows, min(row_number) AS first_row, countIf(NOT is_finer) AS near,
      countIf(NOT is_finer AND NOT is_whole) AS beside, countIf(is_finer) AS finer,
      minIf(row_number, is_finer) AS first_finer, argMinIf(finer_value, row_number, is_finer) AS finer_hundredths
  FROM (
      SELECT
          station_id, row_number, any(reported_in) AS degrees, max(is_far) AS is_finer, min(value % 100 = 0) AS is_whole,
          argMinIf(value, metric, is_far) AS finer_value
      FROM (
          SELECT
              station_id, row_number, metric, reported_in, toInt32(actual * 100) AS value,
              if(reported_in = 'whole_celsius', ${fromWhole('whole_celsius')}, ${fromWhole('whole_fahrenheit')}) > ${raw(`${NEAR_HUNDREDTHS}`)} AS is_far
          FROM ${stagedBy(loadId, 'observations')} AS observed
          INNER JOIN (
              SELECT station_id, reported_in FROM ${latestStations()}
              WHERE station_id NOT IN (SELECT station_id FROM ${stagedBy(loadId, 'stations')})
              UNION ALL SELECT station_id, reported_in FROM ${stagedBy(loadId, 'stations')}
          ) AS stations USING station_id
          WHERE NOT withdrawn
      )
      GROUP BY station_id, row_number
  )
  GROUP BY station_id
  ORDER BY first_row`;

const stationRow = z.object({
  station_id: z.string(),
  reported_in: z.enum(REPORTED_IN),
  rows: z.number(),
  first_row: z.number(),
  near: z.number(),
  beside: z.number(),
  finer: z.number(),
  first_finer: z.number(),
  finer_hundredths: z.number(),
});

/** Whether the observations of a load come in the degrees in which their stations report them (D63). */
export async function checkReportedDegrees(store: Store, loadId: number, tally: LoadTally): Promise<void> {
  const stations = await store.query(degreesOfStations(loadId));
  for (const { station_id, reported_in, finer, first_finer, finer_hundredths } of stations) {
    if (reported_in === '' || finer === 0) continue;
    const shown = `${finer_hundredths / 100} °F (${Math.round((finer_hundredths - 3200) / 1.8) / 100} °C) of ${station_id}`;
    const detail = `${shown}, which has reported_in ${reported_in}`;
    tally.warn(
      'observations',
      tally.locationOf(first_finer),
      { reason: 'finer than the degrees of its station', detail },
      finer,
    );
  }
  const unsaid = stations.filter(
    ({ reported_in, rows, near, beside }) =>
      reported_in === '' && rows >= ENOUGH_ROWS && near >= NEARLY_ALL * rows && beside >= rows / 2,
  );
  for (const { station_id, first_row, rows, near } of unsaid.slice(0, 1)) {
    const detail = `${near} of ${rows} rows of ${station_id}; stations in all: ${numberText(unsaid.length)}`;
    const reason =
      'whole °F in tenths of °C, read as finer: set reported_in of the station to whole_fahrenheit';
    const all = unsaid.reduce((sum, of) => sum + of.rows, 0);
    tally.note('observations', tally.locationOf(first_row), { reason, detail }, all);
  }
}
