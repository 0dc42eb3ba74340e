import { z } from 'zod';
import type { DateSpan } from '../relations/conditions.js';
import type { FactName } from '../relations/facts.js';
import { bind, raw, sql, type Statement } from '../sql.js';
import type { Store } from '../store/store.js';
import type { Doubtful } from './doubtful-rows.js';
import {
  APART_F,
  DAYS_AROUND,
  type DayValue,
  doubts,
  FAR_APART_F,
  type ValuesOfDay,
} from './plausible-day.js';
import { stagedBy } from './under-way.js';

// Which staged values are doubted. One cheap statement finds the station days at which anything can be; only these are
// read, with the days around them, and judged in plausible-day.ts and plausible-hours.ts.

/** Station days that one statement reads, with those around them: this bounds the memory. */
const DAYS_PER_STATEMENT = 5000;

const AROUND = raw(`${DAYS_AROUND}`);

const suspectRow = z.object({
  metric: z.enum(['high', 'low']),
  station_id: z.string(),
  day: z.number(),
  before_f: z.array(z.number()),
  after_f: z.array(z.number()),
});

/** The feeds of daily values. */
type Daily = 'forecasts' | 'observations';

type Suspect = z.infer<typeof suspectRow>;

/** Values in bins of 5 °F, a bit each. Two empty bins between others are a gap: where values are 15 °F apart they are there. */
const BIN = raw('bitShiftLeft(toUInt64(1), toUInt8((toFloat32(value_f) + 150) / 5))');
const HAS_GAP = raw('bitAnd(filled + bitAnd(filled, bitNot(filled) + 1), filled) != 0');

/** The kinds of the values of a day, as bits. */
const [FORECAST, OBSERVED, STAGED] = [raw('1'), raw('2'), raw('4')];

/** The dates of whole months, by the first day of the first and of the last one, and so many more on each side. */
const ofMonths = ({ first_date, last_date }: DateSpan, more = 0): Statement =>
  sql`target_date BETWEEN ${bind({ first_month: first_date }, 'Date')} - ${raw(`${more}`)}
    AND toLastDayOfMonth(${bind({ last_month: last_date }, 'Date')}) + ${raw(`${more}`)}`;

/**
 * The station days with a staged value, where values are far from each other, or from the days around. These are told by the middle of
 * each, unless its own values are far from each other.
 */
function suspectDays(loadId: number, span: DateSpan, staged: readonly Daily[]) {
  const [days, more] = [ofMonths(span), ofMonths(span, DAYS_AROUND)];
  // A cluster takes one table in what follows IN.
  const isStaged = (columns: string): Statement =>
    staged
      .map(
        (feed) =>
          sql`(${raw(columns)}) IN (SELECT ${raw(columns)} FROM ${stagedBy(loadId, feed)} WHERE ${days})`,
      )
      .reduce((all, next) => sql`${all} OR ${next}`);
  const [forecast, observation] = [
    raw('metric, station_id, target_date, forecast AS value_f'),
    raw('metric, station_id, target_date, actual AS value_f'),
  ];
  const ofLoad: Record<Daily, Statement> = {
    forecasts: sql`
              SELECT ${forecast}, toUInt8(${STAGED} + ${FORECAST}) AS kind FROM ${stagedBy(loadId, 'forecasts')}
              WHERE NOT withdrawn AND ${days}`,
    observations: sql`
              SELECT ${observation}, toUInt8(if(${days}, ${STAGED}, 0) + ${OBSERVED}) AS kind FROM ${stagedBy(loadId, 'observations')}
              WHERE NOT withdrawn AND ${more}`,
  };
  const apart = raw(`${APART_F}`);
  return sql.rows(suspectRow)`
  SELECT
      toString(metric) AS metric, station_id, toInt32(target_date) AS day, before_f, after_f,
      (arraySum(before_f) + arraySum(after_f)) / (length(before_f) + length(after_f)) AS usual_f
  FROM (
      SELECT *, groupArray(middle_f) OVER before AS before_f, groupArray(middle_f) OVER after AS after_f
      FROM (
          SELECT
              metric, station_id, target_date, kinds, lowest, highest, highest - lowest < ${apart} AS is_one,
              if(is_one, toNullable((lowest + highest) / 2), NULL) AS middle_f, bitOr(bins, bitShiftLeft(bins, 1)) AS filled
          FROM (
              SELECT
                  metric, station_id, target_date, groupBitOr(kind) AS kinds,
                  toFloat32(min(value_f)) AS lowest, toFloat32(max(value_f)) AS highest, groupBitOr(${BIN}) AS bins
              FROM (
              SELECT ${forecast}, toUInt8(${FORECAST}) AS kind FROM forecasts
              WHERE NOT withdrawn AND ${days} AND (${isStaged('station_id, target_date')})
              UNION ALL
              SELECT ${observation}, toUInt8(${OBSERVED}) AS kind FROM observations
              WHERE NOT withdrawn AND ${more} AND (${isStaged('station_id')})
              ${staged.map((feed) => sql`UNION ALL ${ofLoad[feed]}`).reduce((all, next) => sql`${all} ${next}`)}
              )
              GROUP BY metric, station_id, target_date
          )
      )
      WINDOW
          before AS (PARTITION BY metric, station_id ORDER BY target_date RANGE BETWEEN ${AROUND} PRECEDING AND 1 PRECEDING),
          after AS (PARTITION BY metric, station_id ORDER BY target_date RANGE BETWEEN 1 FOLLOWING AND ${AROUND} FOLLOWING)
  )
  WHERE bitAnd(kinds, ${STAGED}) != 0 AND (
      NOT is_one AND ${HAS_GAP}
      OR NOT (bitAnd(kinds, ${FORECAST} + ${OBSERVED}) = ${FORECAST} + ${OBSERVED} AND is_one) AND greatest(highest - usual_f, usual_f - lowest) >= ${raw(`${FAR_APART_F - 2}`)}
  )
  ORDER BY day, station_id, metric`;
}

const dayRow = z.object({
  metric: z.enum(['high', 'low']),
  station_id: z.string(),
  day: z.number(),
  // By value, in four lists: a schema of tuples takes longer than the statement.
  values_f: z.array(z.number()),
  providers: z.array(z.string()),
  lead_days: z.array(z.number()),
  row_numbers: z.array(z.number()),
});

/** The values of station days and of those beside them: °F, provider, days of lead, and the row, which is 0 of those stored. */
function valuesAround(loadId: number, suspects: readonly Suspect[]) {
  const days = suspects.map(({ day }) => day);
  const ofDays = sql`NOT withdrawn
        AND target_date BETWEEN toDate(${bind({ first_day: Math.min(...days) - 1 }, 'Int32')})
          AND toDate(${bind({ last_day: Math.max(...days) + 1 }, 'Int32')})
        AND (metric, station_id, target_date) IN (
          SELECT suspect.1, suspect.2, toDate(suspect.3 + arrayJoin([-1, 0, 1]))
          FROM (SELECT arrayJoin(arrayZip(
              CAST(${bind({ metrics: suspects.map(({ metric }) => metric) }, 'Array(String)')}, 'Array(Enum8(\\'high\\' = 1, \\'low\\' = 2))'),
              ${bind({ stations: suspects.map(({ station_id }) => station_id) }, 'Array(String)')}, ${bind({ days }, 'Array(Int32)')}
          )) AS suspect)
      )`;
  const forecast = raw(
    'metric, station_id, target_date, toFloat64(forecast) AS value_f, toString(provider) AS by, target_date - toDate(issued_at) AS days',
  );
  const observation = raw(
    "metric, station_id, target_date, toFloat64(actual) AS value_f, '' AS by, 0 AS days",
  );
  return sql.rows(dayRow)`
  SELECT
      toString(metric) AS metric, station_id, toInt32(target_date) AS day,
      groupArray(value_f) AS values_f, groupArray(by) AS providers, groupArray(days) AS lead_days, groupArray(row_number) AS row_numbers
  FROM (
      SELECT ${forecast}, row_number FROM ${stagedBy(loadId, 'forecasts')} WHERE ${ofDays}
      UNION ALL SELECT ${forecast}, 0 FROM forecasts WHERE ${ofDays}
      UNION ALL SELECT ${observation}, row_number FROM ${stagedBy(loadId, 'observations')} WHERE ${ofDays}
      UNION ALL SELECT ${observation}, 0 FROM observations WHERE ${ofDays}
  )
  GROUP BY metric, station_id, target_date
  ORDER BY metric, station_id, target_date`;
}

/** The staged forecasts and observations of a span that are doubted, some station days at a time. */
export async function* doubtfulDays(
  store: Store,
  loadId: number,
  span: DateSpan,
  facts: readonly FactName[],
  isCelsius: (rowNumber: number) => boolean,
): AsyncGenerator<Doubtful[]> {
  const staged = (['forecasts', 'observations'] as const).filter((feed) => facts.includes(feed));
  const suspects = await store.query(suspectDays(loadId, span, staged));
  for (const some of pieces(suspects)) {
    const around = new Map(some.map((each) => [`${each.metric} ${each.station_id} ${each.day}`, each]));
    const series = new Map<string, ValuesOfDay[]>();
    for (const row of await store.query(valuesAround(loadId, some))) {
      const name = `${row.metric} ${row.station_id}`;
      const days = series.get(name) ?? [];
      series.set(name, days);
      const values = row.values_f.map((value_f, at): DayValue => {
        const row_number = row.row_numbers[at] ?? 0;
        return {
          value_f,
          provider: row.providers[at] ?? '',
          lead_days: row.lead_days[at] ?? 0,
          row_number,
          is_celsius: row_number > 0 && isCelsius(row_number),
        };
      });
      days.push({ day: row.day, values, around: around.get(`${name} ${row.day}`) });
    }
    yield [...series].flatMap(([name, days]) =>
      doubts(days).map(({ value, ...doubt }): Doubtful => ({
        feed: value.provider === '' ? 'observations' : 'forecasts',
        column: name.startsWith('high') ? 'high_f' : 'low_f',
        ...value,
        ...doubt,
      })),
    );
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

/** A temperature is hardly so far from the reports before and after it: in New York by 10 °F. At an end, from one of them. */
const HOUR_APART_F = 18;
const HOUR_APART_AT_END_F = 30;

/** Nor is it from the median of the three hours before and after it, of five reports or more: in New York by 14 °F. */
const CLOSE_APART_F = 20;
const LEAST_CLOSE = 5;

/** Nor is it from the mean of two days: in New York by 26 °F; nor a maximum or minimum of six hours from the reports within them. */
const HOUR_FAR_F = 36;
const EXTREME_APART_F = 25;
const LEAST_REPORTS = 12;

/** Nor is it beyond the lows and highs of its date and those beside it, observed or forecast: in New York by 13 °F. */
const BEYOND_DAY_F = 18;

const hourRow = z.object({
  feed: z.literal('hours'),
  column: z.enum(['temp_f', 'max_6h_f', 'min_6h_f']),
  row_number: z.number(),
  value_f: z.number(),
  by: z.enum(['day', 'hours around']),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/**
 * The staged reports of a span that are far from those around them, or from the lows and highs of their days. Extremes of six
 * hours may come in a report without a temperature of its own.
 */
export function doubtfulHours(store: Store, loadId: number, span: DateSpan): Promise<Doubtful[]> {
  const hours = stagedBy(loadId, 'hours');
  const near = (date: string): Statement =>
    sql`NOT withdrawn AND station_id IN (SELECT station_id FROM ${hours})
          AND ${raw(date)} BETWEEN toDate(${bind({ first_month: span.first_date }, 'Date')}) - 2
            AND toLastDayOfMonth(${bind({ last_month: span.last_date }, 'Date')}) + 2`;
  const daily = (from: Statement, value: string): Statement =>
    sql`SELECT station_id, target_date, metric, ${raw(value)} AS value_f FROM ${from} WHERE ${near('target_date')}`;
  const report = raw(
    'station_id, at, toFloat64(reading.temp_f) AS temp_f, reading.max_6h_f AS most, reading.min_6h_f AS least',
  );
  const [apart, apartAtEnd, extremeApart, far, beyond, least] = [
    HOUR_APART_F,
    HOUR_APART_AT_END_F,
    EXTREME_APART_F,
    HOUR_FAR_F,
    BEYOND_DAY_F,
    LEAST_REPORTS,
  ].map((bound) => raw(`${bound}`)) as [Statement, Statement, Statement, Statement, Statement, Statement];
  return store.query(
    sql.rows(hourRow)`
    SELECT
        'hours' AS feed, read.1 AS column, row_number, toFloat64(read.2) AS value_f,
        multiIf(
            value_f < low_f - ${beyond} OR value_f > high_f + ${beyond}, ('day', low_f, high_f),
            value_f < read.3 - read.5 OR value_f > read.4 + read.5, ('hours around', read.3, read.4),
            close >= ${raw(`${LEAST_CLOSE}`)} AND read.1 = 'temp_f' AND abs(temp_f - close_f) > ${raw(`${CLOSE_APART_F}`)}, ('hours around', close_f, close_f),
            reports >= ${least} AND abs(value_f - mean_f) > ${far}, ('hours around', mean_f, mean_f),
            ('', NULL, NULL)
        ) AS told, told.1 AS by, told.2 AS lowest_f, told.3 AS highest_f
    FROM (
        SELECT
            *, toDate(at) AS target_date,
            if(abs(at_s - lagInFrame(at_s) OVER beside) <= 10800, lagInFrame(temp_f) OVER beside, NULL) AS before_f,
            if(abs(leadInFrame(at_s) OVER beside - at_s) <= 10800, leadInFrame(temp_f) OVER beside, NULL) AS after_f,
            isNull(before_f) OR isNull(after_f) AS is_end, coalesce(before_f, after_f, temp_f) AS one_f, coalesce(after_f, one_f) AS other_f,
            max(temp_f) OVER within AS highest_6h_f, min(temp_f) OVER within AS lowest_6h_f,
            count() OVER hours AS close, quantileExact(temp_f) OVER hours AS close_f,
            avg(temp_f) OVER around AS mean_f, count() OVER around AS reports
        FROM (
            SELECT *, toUnixTimestamp(at) AS at_s
            FROM (
                SELECT ${report}, row_number FROM ${hours} WHERE ${near('toDate(at)')}
                UNION ALL
                SELECT ${report}, 0 FROM hours
                WHERE ${near('toDate(at)')} AND (station_id, at) NOT IN (SELECT station_id, at FROM ${hours})
            )
        )
        WINDOW
            beside AS (PARTITION BY station_id, isNull(temp_f) ORDER BY at_s ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING),
            hours AS (PARTITION BY station_id, isNull(temp_f) ORDER BY at_s RANGE BETWEEN 10800 PRECEDING AND 10800 FOLLOWING),
            within AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN 25200 PRECEDING AND 3600 FOLLOWING),
            around AS (PARTITION BY station_id, isNull(temp_f) ORDER BY at_s RANGE BETWEEN 86400 PRECEDING AND 86400 FOLLOWING)
    ) AS reports
    LEFT JOIN (
        SELECT
            station_id, target_date, toNullable(min(low) OVER beside) AS low_f, toNullable(max(high) OVER beside) AS high_f
        FROM (
            SELECT
                station_id, target_date, toFloat64(quantileExactHighIf(value_f, metric = 'low')) AS low,
                toFloat64(quantileExactLowIf(value_f, metric = 'high')) AS high
            FROM (
                ${daily(sql`forecasts`, 'forecast')} UNION ALL ${daily(sql`observations`, 'actual')}
                UNION ALL ${daily(stagedBy(loadId, 'forecasts'), 'forecast')}
                UNION ALL ${daily(stagedBy(loadId, 'observations'), 'actual')}
            )
            GROUP BY station_id, target_date
            HAVING countIf(metric = 'low') > 0 AND countIf(metric = 'high') > 0
        )
        WINDOW beside AS (PARTITION BY station_id ORDER BY target_date RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)
    ) AS days USING (station_id, target_date)
    ARRAY JOIN [
        ('temp_f', temp_f, least(one_f, other_f), greatest(one_f, other_f), if(is_end, ${apartAtEnd}, ${apart})),
        ('max_6h_f', toFloat64(most), highest_6h_f, highest_6h_f, ${extremeApart}),
        ('min_6h_f', toFloat64(least), lowest_6h_f, lowest_6h_f, ${extremeApart})
    ] AS read
    WHERE row_number > 0 AND read.2 IS NOT NULL AND by != ''`,
  );
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
    sql.rows(normalRow)`
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
  );
};
