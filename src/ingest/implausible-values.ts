import { IANAZone } from 'luxon';
import { z } from 'zod';
import { UNNAMED_PROVIDER } from '../statistics/provider.js';
import type { DateSpan } from '../relations/conditions.js';
import { FACTS } from '../relations/facts.js';
import { bind, raw, sql, type Statement } from '../sql.js';
import type { Store } from '../store/store.js';
import { DAILY_FEEDS, type DailyFeed, type StationFact } from './feed/columns.js';
import { spansOf } from './spans.js';
import { stagedBy } from './under-way.js';
import type { Reason } from './tally.js';

// What a feed may say and is hardly true. A reader of the report can check each rule by hand; where there is nothing to
// compare a value with, no rule applies.

/** No place lies farther from its zone: Xinjiang is 3 hours away, and a wrong sign moves America by 10 and more. */
const FARTHEST_FROM_ZONE_HOURS = 4;

/**
 * Two values of one station day that are farther apart than this are hardly of one scale: 12.4 °C is 54.3 °F. Of
 * 119,162 values that the National Weather Service observed in 2021, 39 are so far from all forecasts of their day; at
 * 20 °F it would be 207.
 */
const FAR_APART_F = 25;

/** Staged values that one statement compares, by whole months: this bounds its memory. */
const IMPLAUSIBLE_VALUES_PER_STATEMENT = 2_000_000;

const UNNAMED = raw(UNNAMED_PROVIDER);

const implausibleRow = z.object({
  feed: z.enum(DAILY_FEEDS),
  reason: z.string(),
  rows: z.number(),
  first_row: z.number(),
  detail: z.string(),
});

const monthRow = z.object({
  feed: z.enum(DAILY_FEEDS),
  month: z.string(),
  row_count: z.number(),
  inverted_rows: z.number(),
  first_inverted: z.number(),
  inverted_detail: z.string(),
});

type Month = z.infer<typeof monthRow>;

/** Rows of staging that look implausible for one reason; `first_row` is a row_number. */
type ImplausibleRows = z.infer<typeof implausibleRow>;

/** A warning where a station's longitude is far from its time zone. */
export function longitudeWarning({ longitude, timezone }: StationFact): Reason | undefined {
  const zone = IANAZone.create(timezone);
  // Summer time moves clocks away from the sun in one half of the year at most.
  const offsets = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((instant) => zone.offset(instant) / 60);
  const apart = offsets.map((offset) => {
    const hours = Math.abs(offset - longitude / 15) % 24; // 14 hours ahead is 10 hours behind: Kiribati
    return Math.min(hours, 24 - hours);
  });
  if (Math.min(...apart) <= FARTHEST_FROM_ZONE_HOURS) return undefined;
  return {
    reason: 'longitude far from its time zone',
    detail: `longitude=${longitude}, timezone=${timezone}: ${Math.round(Math.min(...apart))} hours apart`,
  };
}

/** The values that a load has staged and that look implausible. */
export async function implausibleValues(store: Store, loadId: number): Promise<ImplausibleRows[]> {
  const months = await store.query(monthsOf(loadId), monthRow);
  const found = DAILY_FEEDS.flatMap((feed) => inversions(months.filter((month) => month.feed === feed)));
  const sizes = new Map<string, number>();
  for (const { month, row_count } of months.filter(({ feed }) => feed !== 'normals'))
    sizes.set(month, (sizes.get(month) ?? 0) + row_count);
  const inOrder = [...sizes].sort().map(([target_date, row_count]) => ({ target_date, row_count }));
  for (const span of spansOf(inOrder, IMPLAUSIBLE_VALUES_PER_STATEMENT)) {
    const values = ofMonths(span);
    const { stations } = await store.queryOne(stationsFarApart(loadId, values), stationsRow);
    if (stations.length === 0) continue;
    const ofStations = sql`${values} AND station_id IN ${bind({ stations }, 'Array(String)')}`;
    for (const far of [farObservations(loadId, ofStations), farForecasts(loadId, ofStations)]) {
      found.push(...(await store.query(far, implausibleRow)));
    }
  }
  if (months.some(({ feed }) => feed === 'forecasts'))
    found.push(...(await store.query(unnamedBesideNamed(loadId), implausibleRow)));
  return found;
}

/**
 * Forecasts without a provider beside those of a named one, here or in the first load that brought any (D27): they make a
 * provider called `default`, which is hardly the default one.
 */
const unnamedBesideNamed = (loadId: number): Statement => sql`
  WITH (
      SELECT argMin(forecast_providers, load_id) FROM loads WHERE event = 'finished' AND notEmpty(forecast_providers)
  ) AS first
  SELECT
      'forecasts' AS feed, 'no provider beside named ones' AS reason, uniqExact(row_number) AS rows,
      min(row_number) AS first_row, 'they go in as those of provider "${UNNAMED}"' AS detail
  FROM ${stagedBy(loadId, 'forecasts')}
  WHERE provider = '${UNNAMED}' AND NOT withdrawn AND NOT has(first, '${UNNAMED}')
    AND (notEmpty(first) OR (SELECT count() FROM ${stagedBy(loadId, 'forecasts')} WHERE provider != '${UNNAMED}') > 0)
  HAVING rows > 0`;

/** What the months say together of a feed's rows whose high is below their low. */
function inversions(months: readonly Month[]): ImplausibleRows[] {
  const inverted = months.filter(({ inverted_rows }) => inverted_rows > 0);
  const [first] = [...inverted].sort((a, b) => a.first_inverted - b.first_inverted);
  if (first === undefined) return [];
  const { feed, first_inverted: first_row, inverted_detail: detail } = first;
  const rows = inverted.reduce((sum, { inverted_rows }) => sum + inverted_rows, 0);
  return [{ feed, reason: 'high below low', rows, first_row, detail }];
}

/** The staged values of a feed by month, and the rows whose high is below their low. */
const monthsOfFeed = (loadId: number, feed: DailyFeed, month: Statement): Statement => sql`
  SELECT
      '${raw(feed)}' AS feed, ${month} AS month, count() AS row_count,
      uniqExactIf(row_number, is_inverted) AS inverted_rows, minIf(row_number, is_inverted) AS first_inverted,
      concat(
          'high_f=', toString(argMinIf(${FACTS[feed].value}, row_number, is_inverted AND metric = 'high')),
          ', low_f=', toString(argMinIf(${FACTS[feed].value}, row_number, is_inverted AND metric = 'low'))
      ) AS inverted_detail
  FROM ${stagedBy(loadId, feed)}
  GROUP BY month`;

const MONTH = sql`toString(toStartOfMonth(target_date))`;

/** Those of all feeds; normals have no months. */
const monthsOf = (loadId: number): Statement => sql`
  ${monthsOfFeed(loadId, 'forecasts', MONTH)} UNION ALL ${monthsOfFeed(loadId, 'observations', MONTH)} UNION ALL ${monthsOfFeed(loadId, 'normals', sql`''`)}`;

/** The values of whole months, by the first day of the first and of the last one. */
const ofMonths = ({ first_date, last_date }: DateSpan): Statement =>
  sql`NOT withdrawn AND target_date
    BETWEEN ${bind({ first_month: first_date }, 'Date')} AND toLastDayOfMonth(${bind({ last_month: last_date }, 'Date')})`;

const FAR_F = bind({ far_f: FAR_APART_F }, 'Int32');

const stationsRow = z.object({ stations: z.array(z.string()) });

/**
 * The stations with a day whose values, staged and stored, lie far apart. No value of another station is far by the two
 * statements below, which need not look at it: a join of all staged values costs more than this sum of them.
 */
function stationsFarApart(loadId: number, values: Statement): Statement {
  const ofStagedDays = sql`${values} AND (
  (station_id, target_date) IN (SELECT station_id, target_date FROM ${stagedBy(loadId, 'forecasts')} WHERE ${values})
  OR (station_id, target_date) IN (SELECT station_id, target_date FROM ${stagedBy(loadId, 'observations')} WHERE ${values})
)`;
  return sql`
  SELECT groupUniqArray(station_id) AS stations
  FROM (
      SELECT station_id
      FROM (
          SELECT metric, station_id, target_date, forecast AS value_f FROM ${stagedBy(loadId, 'forecasts')} WHERE ${values}
          UNION ALL
          SELECT metric, station_id, target_date, actual AS value_f FROM ${stagedBy(loadId, 'observations')} WHERE ${values}
          UNION ALL
          SELECT metric, station_id, target_date, forecast AS value_f FROM forecasts WHERE ${ofStagedDays}
          UNION ALL
          SELECT metric, station_id, target_date, actual AS value_f FROM observations WHERE ${ofStagedDays}
      )
      GROUP BY metric, station_id, target_date
      HAVING max(value_f) - min(value_f) > ${FAR_F}
  )`;
}

/** An observation is far when all forecasts of its day, staged and stored, lie far on the same side of it. */
const farObservations = (loadId: number, values: Statement): Statement => sql`
  SELECT
      'observations' AS feed, 'far from all forecasts of its day; is it in Celsius?' AS reason,
      uniqExact(row_number) AS rows, min(row_number) AS first_row,
      argMin(
          concat(toString(metric), ' ', toString(actual), ' °F, forecast ', toString(lowest), ' to ', toString(highest)),
          row_number
      ) AS detail
  FROM (
      SELECT row_number, metric, station_id, target_date, actual FROM ${stagedBy(loadId, 'observations')} WHERE ${values}
  ) AS observed
  INNER JOIN (
      SELECT metric, station_id, target_date, min(forecast) AS lowest, max(forecast) AS highest
      FROM (
          SELECT metric, station_id, target_date, forecast FROM ${stagedBy(loadId, 'forecasts')} WHERE ${values}
          UNION ALL
          SELECT metric, station_id, target_date, forecast
          FROM forecasts
          WHERE ${values} AND (station_id, target_date) IN (
              SELECT station_id, target_date FROM ${stagedBy(loadId, 'observations')} WHERE ${values}
          )
      )
      GROUP BY metric, station_id, target_date
  ) AS forecast USING (metric, station_id, target_date)
  WHERE actual < lowest - ${FAR_F} OR actual > highest + ${FAR_F}
  HAVING rows > 0`;

/**
 * A single forecast may be wrong by as much, so the median of a month decides: a provider's forecasts of a month for a
 * station are far when on half of its days their mean is far from what was observed, or else from the stored forecasts.
 */
const farForecasts = (loadId: number, values: Statement): Statement => sql`
  SELECT
      'forecasts' AS feed, 'far from the other values of the station; are they in Celsius?' AS reason,
      uniqExact(row_number) AS rows, min(row_number) AS first_row,
      argMin(concat(toString(metric), ' ', toString(forecast), ' °F of ', station_id), row_number) AS detail
  FROM ${stagedBy(loadId, 'forecasts')}
  WHERE ${values} AND (provider, metric, station_id, toStartOfMonth(target_date)) IN (
      SELECT provider, metric, station_id, toStartOfMonth(target_date) AS month
      FROM (
          SELECT provider, metric, station_id, target_date, avg(toFloat64(forecast)) AS own_f
          FROM ${stagedBy(loadId, 'forecasts')}
          WHERE ${values}
          GROUP BY provider, metric, station_id, target_date
      ) AS own
      INNER JOIN (
          SELECT
              metric, station_id, target_date,
              if(countIf(is_observed) > 0, avgIf(value_f, is_observed), avg(value_f)) AS other_f
          FROM (
              SELECT metric, station_id, target_date, toFloat64(actual) AS value_f, true AS is_observed
              FROM ${stagedBy(loadId, 'observations')}
              WHERE ${values}
              UNION ALL
              SELECT metric, station_id, target_date, toFloat64(actual) AS value_f, true AS is_observed
              FROM observations
              WHERE ${values}
              UNION ALL
              SELECT metric, station_id, target_date, toFloat64(forecast) AS value_f, false AS is_observed
              FROM forecasts
              WHERE ${values} AND (station_id, target_date) IN (
                  SELECT station_id, target_date FROM ${stagedBy(loadId, 'forecasts')} WHERE ${values}
              )
          )
          GROUP BY metric, station_id, target_date
      ) AS other USING (metric, station_id, target_date)
      GROUP BY provider, metric, station_id, month
      HAVING abs(quantileExactInclusive(0.5)(own_f - other_f)) > ${FAR_F}
  )
  HAVING rows > 0`;
