import { z } from 'zod';
import type { DateSpan } from '../relations/conditions.js';
import { bind, raw, sql, type Statement } from '../sql.js';
import type { Store } from '../store/store.js';
import type { Doubtful } from './doubtful-rows.js';
import {
  APART_F,
  DAYS_AROUND,
  type DayValue,
  doubts,
  FAR_APART_F,
  type StationDay,
} from './plausible-day.js';
import { BEYOND_DAY_F, type DayRange, hourDoubts, type Reading } from './plausible-hours.js';
import { stagedBy } from './under-way.js';

// Which staged values are doubted. One cheap statement finds the station days at which anything can be; only these are
// read, with the days around them, and judged in plausible-day.ts and plausible-hours.ts.

/** Station days that one statement reads, with those around them: this bounds the memory. */
const DAYS_PER_STATEMENT = 2000;

const AROUND = raw(`${DAYS_AROUND}`);

/** The days around those of a station that are beside one. */
const DAYS_BESIDE = 2;

const suspectRow = z.object({ metric: z.string(), station_id: z.string(), day: z.number() });

type Suspect = z.infer<typeof suspectRow>;

/**
 * Values in bins of 5 °F, a bit each. An empty bin between two others is a gap: of values more than 10 °F apart there is one.
 */
const BIN = raw('bitShiftLeft(toUInt64(1), toUInt8((toFloat32(value_f) + 150) / 5))');
const HAS_GAP = raw('bitAnd(bins + bitAnd(bins, bitNot(bins) + 1), bins) != 0');

/** The values of whole months, by the first day of the first and of the last one. */
const ofMonths = ({ first_date, last_date }: DateSpan, more = 0): Statement =>
  sql`NOT withdrawn AND target_date BETWEEN ${bind({ first_month: first_date }, 'Date')} - ${raw(`${more}`)}
    AND toLastDayOfMonth(${bind({ last_month: last_date }, 'Date')}) + ${raw(`${more}`)}`;

/** The station days with a staged value, where values are far from each other, or from what the days around have on average. */
function suspectDays(loadId: number, span: DateSpan): Statement {
  const values = ofMonths(span);
  const [forecasts, observations] = [stagedBy(loadId, 'forecasts'), stagedBy(loadId, 'observations')];
  const ofDays = sql`(station_id, target_date) IN (
              SELECT station_id, target_date FROM ${forecasts} WHERE ${values}
              UNION DISTINCT SELECT station_id, target_date FROM ${observations} WHERE ${values}
          )`;
  const ofStations = sql`station_id IN (
              SELECT station_id FROM ${forecasts} WHERE ${values}
              UNION DISTINCT SELECT station_id FROM ${observations} WHERE ${values}
          )`;
  return sql`
  SELECT toString(metric) AS metric, station_id, toInt32(target_date) AS day
  FROM (
      SELECT
          *, avg((lowest + highest) / 2) OVER (
              PARTITION BY metric, station_id ORDER BY target_date RANGE BETWEEN ${AROUND} PRECEDING AND ${AROUND} FOLLOWING
          ) AS usual
      FROM (
          SELECT
              metric, station_id, target_date, max(is_staged) AS has_staged, max(is_observed) > min(is_observed) AS has_both,
              toFloat32(min(value_f)) AS lowest, toFloat32(max(value_f)) AS highest, groupBitOr(${BIN}) AS bins
          FROM (
              SELECT metric, station_id, target_date, forecast AS value_f, 0 AS is_observed, 1 AS is_staged FROM ${forecasts} WHERE ${values}
              UNION ALL
              SELECT metric, station_id, target_date, actual AS value_f, 1 AS is_observed, 1 AS is_staged FROM ${observations} WHERE ${values}
              UNION ALL
              SELECT metric, station_id, target_date, forecast AS value_f, 0 AS is_observed, 0 AS is_staged FROM forecasts WHERE ${values} AND ${ofDays}
              UNION ALL
              SELECT metric, station_id, target_date, actual AS value_f, 1 AS is_observed, 0 AS is_staged FROM observations WHERE ${ofMonths(span, DAYS_AROUND)} AND ${ofStations}
          )
          GROUP BY metric, station_id, target_date
      )
  )
  WHERE has_staged AND (
      highest - lowest >= ${raw(`${APART_F}`)} AND ${HAS_GAP}
      OR NOT (has_both AND highest - lowest < ${raw(`${APART_F}`)})
          AND greatest(highest - usual, usual - lowest) >= ${raw(`${FAR_APART_F - 2}`)}
  )
  ORDER BY station_id, day, metric`;
}

const valueRow = z.object({
  metric: z.string(),
  station_id: z.string(),
  day: z.number(),
  value_f: z.number(),
  provider: z.string(),
  lead_days: z.number(),
  row_number: z.number(),
  key: z.string(),
});

/** The values of station days and of those around them, staged and stored; row_number is 0 of those stored. */
function valuesAround(loadId: number, stations: string[], days: number[]): Statement {
  const around = sql`NOT withdrawn
          AND target_date BETWEEN toDate(${bind({ first_day: Math.min(...days) - DAYS_AROUND }, 'Int32')})
            AND toDate(${bind({ last_day: Math.max(...days) + DAYS_AROUND }, 'Int32')})
          AND (station_id, toInt32(target_date)) IN (
              SELECT of_day.1, of_day.2 + arrayJoin(range(2 * ${AROUND} + 1)) - ${AROUND}
              FROM (SELECT arrayJoin(arrayZip(${bind({ stations }, 'Array(String)')}, ${bind({ days }, 'Array(Int32)')})) AS of_day)
          )`;
  const forecast =
    raw(`metric, station_id, target_date, toFloat64(forecast) AS value_f, toString(provider) AS by,
              target_date - toDate(issued_at) AS lead_days, toString(issued_at) AS key`);
  const observation = raw(`metric, station_id, target_date, toFloat64(actual) AS value_f, '' AS by,
              0 AS lead_days, concat(toString(observation_status), toString(observed_at)) AS key`);
  return sql`
  SELECT
      toString(metric) AS metric, station_id, toInt32(target_date) AS day, value_f, by AS provider, lead_days, row_number, key
  FROM (
      SELECT ${forecast}, row_number, 0 AS load FROM ${stagedBy(loadId, 'forecasts')} WHERE ${around}
      UNION ALL
      SELECT ${observation}, row_number, 0 AS load FROM ${stagedBy(loadId, 'observations')} WHERE ${around}
      UNION ALL
      SELECT ${forecast}, 0 AS row_number, load_id AS load FROM forecasts WHERE ${around}
      UNION ALL
      SELECT ${observation}, 0 AS row_number, load_id AS load FROM observations WHERE ${around}
  )
  ORDER BY metric, station_id, target_date, row_number DESC, load DESC`;
}

/** The staged forecasts and observations of a span that are doubted, some station days at a time. */
export async function* doubtfulDays(
  store: Store,
  loadId: number,
  span: DateSpan,
  isCelsius: (rowNumber: number) => boolean,
): AsyncGenerator<Doubtful[]> {
  const suspects = await store.query(suspectDays(loadId, span), suspectRow);
  for (const some of pieces(suspects)) {
    const isSuspect = new Set(some.map(({ metric, station_id, day }) => `${metric} ${station_id} ${day}`));
    const stations = some.map(({ station_id }) => station_id);
    const days = some.map(({ day }) => day);
    const series = new Map<string, Map<number, DayValue[]>>();
    const keys = new Set<string>();
    for (const row of await store.query(valuesAround(loadId, stations, days), valueRow)) {
      const { metric, station_id, day, provider, row_number } = row;
      // A stored value counts unless a row of this load, or of a later one, has its key.
      const key = [metric, station_id, day, provider, row.key].join();
      if (row_number === 0 && keys.has(key)) continue;
      keys.add(key);
      const name = `${metric} ${station_id}`;
      let ofName = series.get(name);
      if (ofName === undefined) series.set(name, (ofName = new Map<number, DayValue[]>()));
      let values = ofName.get(day);
      if (values === undefined) ofName.set(day, (values = []));
      values.push({ ...row, is_celsius: row_number > 0 && isCelsius(row_number) });
    }
    yield [...series].flatMap(([name, ofName]) => {
      const ofDays: StationDay[] = [...ofName].map(([day, values]) => ({ day, values }));
      return doubts(
        ofDays.sort((a, b) => a.day - b.day),
        (day) => isSuspect.has(`${name} ${day}`),
      ).map(({ value, by, lowest_f, highest_f }): Doubtful => ({
        feed: value.provider === '' ? 'observations' : 'forecasts',
        column: name.startsWith('high') ? 'high_f' : 'low_f',
        row_number: value.row_number,
        value_f: value.value_f,
        by,
        lowest_f,
        highest_f,
      }));
    });
  }
}

/** Runs of suspects; those of one station day, with their rows in common, are in one. */
function* pieces(suspects: readonly Suspect[]): Generator<Suspect[]> {
  let piece: Suspect[] = [];
  for (const suspect of suspects) {
    const last = piece.at(-1);
    if (
      piece.length >= DAYS_PER_STATEMENT &&
      !(last?.station_id === suspect.station_id && last.day === suspect.day)
    ) {
      yield piece;
      piece = [];
    }
    piece.push(suspect);
  }
  if (piece.length > 0) yield piece;
}

/** The readings of reports, staged and stored, each in a row of its own. */
const readings = (loadId: number, condition: Statement): Statement => sql`(
      SELECT station_id, at, toDate(at) AS target_date, read.1 AS column, assumeNotNull(read.2) AS value_f, row_number
      FROM (
          SELECT station_id, at, reading, row_number FROM ${stagedBy(loadId, 'hours')} WHERE NOT withdrawn AND ${condition}
          UNION ALL
          SELECT station_id, at, argMax(reading, load_id) AS reading, 0 AS row_number
          FROM hours
          WHERE NOT withdrawn AND ${condition}
            AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'hours')})
            AND (station_id, at) NOT IN (SELECT station_id, at FROM ${stagedBy(loadId, 'hours')} WHERE ${condition})
          GROUP BY station_id, at
      )
      ARRAY JOIN [('temp_f', reading.temp_f), ('max_6h_f', reading.max_6h_f), ('min_6h_f', reading.min_6h_f)] AS read
      WHERE read.2 IS NOT NULL
  )`;

/** The low and the high that were forecast or observed of each station day; of several the middle ones, as one may be wrong itself. */
const dayRanges = (loadId: number, condition: Statement): Statement => {
  const of = (from: Statement, value: string): Statement => sql`
      SELECT station_id, target_date, metric, ${raw(value)} AS value_f
      FROM ${from}
      WHERE NOT withdrawn AND ${condition} AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'hours')})`;
  return sql`(
      SELECT station_id, target_date, quantileExactHighIf(value_f, metric = 'low') AS low, quantileExactLowIf(value_f, metric = 'high') AS high
      FROM (
          ${of(sql`forecasts`, 'forecast')} UNION ALL ${of(sql`observations`, 'actual')}
          UNION ALL ${of(stagedBy(loadId, 'forecasts'), 'forecast')} UNION ALL ${of(stagedBy(loadId, 'observations'), 'actual')}
      )
      GROUP BY station_id, target_date
      HAVING countIf(metric = 'low') > 0 AND countIf(metric = 'high') > 0
  )`;
};

const near = (column: string, { first_date, last_date }: DateSpan): Statement =>
  sql`${raw(column)} BETWEEN toDate(${bind({ first_date }, 'Date')}) - ${raw(`${DAYS_BESIDE}`)}
    AND toLastDayOfMonth(${bind({ last_date }, 'Date')}) + ${raw(`${DAYS_BESIDE}`)}`;

/** The UTC dates with a staged report that jumps, has a gap, or is not between the lows and highs of these days. */
const suspectHours = (loadId: number, span: DateSpan): Statement => sql`
  SELECT 'hour' AS metric, station_id, toInt32(target_date) AS day
  FROM (
      SELECT *, avg((lowest + highest) / 2) OVER beside AS usual, min(low) OVER next AS lowest_low, max(high) OVER next AS highest_high
      FROM (
          SELECT
              station_id, target_date, max(row_number) > 0 AS has_staged, max(abs(step)) AS most,
              toFloat32(min(value_f)) AS lowest, toFloat32(max(value_f)) AS highest, groupBitOr(${BIN}) AS bins
          FROM (
              SELECT
                  *, if(column = 'temp_f', value_f - lagInFrame(value_f, 1, value_f) OVER (PARTITION BY station_id, column ORDER BY at), 0) AS step
              FROM ${readings(loadId, near('toDate(at)', span))}
          )
          GROUP BY station_id, target_date
      ) AS reported
      LEFT JOIN ${dayRanges(loadId, near('target_date', span))} AS of_day USING (station_id, target_date)
      WINDOW
          beside AS (PARTITION BY station_id ORDER BY target_date RANGE BETWEEN 2 PRECEDING AND 2 FOLLOWING),
          next AS (PARTITION BY station_id ORDER BY target_date RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)
  )
  WHERE has_staged AND (
      most >= ${raw(`${APART_F}`)} OR highest - lowest >= ${raw(`${APART_F}`)} AND ${HAS_GAP}
      OR greatest(highest - usual, usual - lowest) >= ${raw(`${FAR_APART_F}`)}
      OR lowest < lowest_low - ${raw(`${BEYOND_DAY_F}`)} OR highest > highest_high + ${raw(`${BEYOND_DAY_F}`)}
  )
  ORDER BY station_id, day`;

const readingRow = z.object({
  station_id: z.string(),
  column: z.enum(['temp_f', 'max_6h_f', 'min_6h_f']),
  value_f: z.number(),
  at_h: z.number(),
  row_number: z.number(),
});

const rangeRow = z.object({
  station_id: z.string(),
  day: z.number(),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/** The staged reports of a span that are doubted. */
export async function* doubtfulHours(
  store: Store,
  loadId: number,
  span: DateSpan,
): AsyncGenerator<Doubtful[]> {
  const suspects = await store.query(suspectHours(loadId, span), suspectRow);
  for (const some of pieces(suspects)) {
    const isSuspect = new Set(some.map(({ station_id, day }) => `${station_id} ${day}`));
    const days = some.map(({ day }) => day);
    const around = (column: string): Statement => sql`${raw(column)}
        BETWEEN toDate(${bind({ first_day: Math.min(...days) - DAYS_BESIDE }, 'Int32')})
          AND toDate(${bind({ last_day: Math.max(...days) + DAYS_BESIDE }, 'Int32')})
        AND (station_id, toInt32(${raw(column)})) IN (
            SELECT of_day.1, of_day.2 + arrayJoin(range(2 * ${raw(`${DAYS_BESIDE}`)} + 1)) - ${raw(`${DAYS_BESIDE}`)}
            FROM (SELECT arrayJoin(arrayZip(
                ${bind({ stations: some.map(({ station_id }) => station_id) }, 'Array(String)')}, ${bind({ days }, 'Array(Int32)')}
            )) AS of_day)
        )`;
    const ofStations = new Map<string, { readings: Reading[]; ranges: Map<number, DayRange> }>();
    const of = (station_id: string) => {
      const known = ofStations.get(station_id) ?? { readings: [], ranges: new Map<number, DayRange>() };
      ofStations.set(station_id, known);
      return known;
    };
    const ranges = sql`
        SELECT station_id, toInt32(target_date) AS day, toFloat64(low) AS lowest_f, toFloat64(high) AS highest_f
        FROM ${dayRanges(loadId, around('target_date'))}`;
    for (const row of await store.query(ranges, rangeRow)) of(row.station_id).ranges.set(row.day, row);
    const reports = sql`
        SELECT station_id, column, toFloat64(value_f) AS value_f, toUnixTimestamp(at) / 3600 AS at_h, row_number
        FROM ${readings(loadId, around('toDate(at)'))}
        ORDER BY station_id, at`;
    for (const row of await store.query(reports, readingRow)) of(row.station_id).readings.push(row);
    yield [...ofStations].flatMap(([station_id, { readings, ranges: ofDays }]) =>
      hourDoubts(readings, ofDays)
        .filter(({ reading }) => isSuspect.has(`${station_id} ${Math.floor(reading.at_h / 24)}`))
        .map(({ reading, ...doubt }): Doubtful => ({ feed: 'hours', ...reading, ...doubt })),
    );
  }
}

/** Normals change by less than this in 20 days, and no month of 10 observed days or more is so far from them. */
const NORMALS_APART_F = 15;
const OBSERVED_APART_F = 25;
const LEAST_OBSERVED = 10;

const normalRow = z.object({
  feed: z.literal('normals'),
  column: z.enum(['high_f', 'low_f']),
  row_number: z.number(),
  value_f: z.number(),
  by: z.enum(['calendar', 'month']),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/** The staged normals that are far from those around them in the calendar, or from all that is observed in their month. */
export const doubtfulNormals = (store: Store, loadId: number): Promise<Doubtful[]> => {
  const ofStations = sql`NOT withdrawn AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'normals')})`;
  return store.query(
    sql`
    SELECT
        'normals' AS feed, concat(toString(metric), '_f') AS column, row_number, toFloat64(normal) AS value_f,
        if(is_far_from_normals, 'calendar', 'month') AS by,
        if(is_far_from_normals, usual, observed) AS lowest_f, lowest_f AS highest_f,
        normals >= 5 AND abs(value_f - usual) > ${raw(`${NORMALS_APART_F}`)} AS is_far_from_normals
    FROM (
        SELECT
            metric, station_id, toMonth(toDate(concat('2000-', CAST(month_day, 'String')))) AS month, normal, row_number,
            toFloat64(quantileExact(normal) OVER around) AS usual, count() OVER around AS normals
        FROM (
            SELECT metric, station_id, month_day, normal, row_number FROM ${stagedBy(loadId, 'normals')} WHERE NOT withdrawn
            UNION ALL
            SELECT metric, station_id, month_day, argMax(normal, load_id), 0
            FROM normals
            WHERE ${ofStations}
              AND (metric, station_id, month_day) NOT IN (SELECT metric, station_id, month_day FROM ${stagedBy(loadId, 'normals')})
            GROUP BY metric, station_id, month_day
        )
        WINDOW around AS (
            PARTITION BY metric, station_id ORDER BY toDate(concat('2000-', CAST(month_day, 'String'))) RANGE BETWEEN ${AROUND} PRECEDING AND ${AROUND} FOLLOWING
        )
    ) AS said
    LEFT JOIN (
        SELECT metric, station_id, toMonth(target_date) AS month, toFloat64(quantileExact(actual)) AS observed, count() AS days
        FROM (
            SELECT metric, station_id, target_date, actual FROM observations WHERE ${ofStations}
            UNION ALL
            SELECT metric, station_id, target_date, actual FROM ${stagedBy(loadId, 'observations')} WHERE ${ofStations}
        )
        GROUP BY metric, station_id, month
    ) AS of_month USING (metric, station_id, month)
    WHERE row_number > 0
      AND (is_far_from_normals OR days >= ${raw(`${LEAST_OBSERVED}`)} AND abs(value_f - observed) > ${raw(`${OBSERVED_APART_F}`)})`,
    normalRow,
  );
};
