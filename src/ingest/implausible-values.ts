import { IANAZone } from 'luxon';
import { z } from 'zod';
import { UNNAMED_PROVIDER } from '../statistics/provider.js';
import type { DateSpan } from '../relations/conditions.js';
import { FACTS } from '../relations/facts.js';
import { raw, sql, type Statement } from '../sql.js';
import type { Store } from '../store/store.js';
import { DAILY_FEEDS, type DailyFeed, type StationFact, VALUE_FEEDS } from './feed/columns.js';
import { doubtfulDays, doubtfulHours, doubtfulNormals } from './doubtful-values.js';
import { isExchanged } from './exchanged.js';
import type { Doubtful } from './doubtful-rows.js';
import { spansOf } from './spans.js';
import { stagedBy } from './under-way.js';
import type { Reason } from './tally.js';

// What a feed may say and is hardly true. A reader of the report can check each rule by hand; where there is nothing to
// compare a value with, no rule applies.

/** No place lies farther from its zone: Xinjiang is 3 hours away, and a wrong sign moves America by 10 and more. */
const FARTHEST_FROM_ZONE_HOURS = 4;

/** Istanbul has 1 hour more as it is than with latitude and longitude exchanged, and no place has 2. */
const ZONE_SURE_HOURS = 2;

/** Seasonal forecasts reach 13 months ahead; a forecast of a day that is long over is in no pair (D40). */
const FARTHEST_TARGET_DAYS = 400;
const EARLIEST_TARGET_DAYS = 100;

/** No forecast is certain, and no climate has highs or lows of a day of the year that vary by more. */
const WIDEST_SPREAD_F = 20;

/** Staged values that one statement compares, by whole months: this bounds its memory. */
const IMPLAUSIBLE_VALUES_PER_STATEMENT = 2_000_000;

const UNNAMED = raw(UNNAMED_PROVIDER);

const implausibleRow = z.object({
  feed: z.enum(VALUE_FEEDS),
  reason: z.string(),
  rows: z.number(),
  first_row: z.number(),
  detail: z.string(),
});

const monthRow = z.object({
  feed: z.enum(VALUE_FEEDS),
  month: z.string(),
  row_count: z.number(),
  inverted_rows: z.number(),
  first_inverted: z.number(),
  inverted_detail: z.string(),
  far_rows: z.number(),
  first_far: z.number(),
  far_detail: z.string(),
});

type Month = z.infer<typeof monthRow>;

/** Rows of staging that look implausible for one reason; `first_row` is a row_number. */
type ImplausibleRows = z.infer<typeof implausibleRow>;

/** How many hours of the sun a longitude is from a zone, whose clocks leave it in one half of the year at most. */
function hoursApart(longitude: number, timezone: string): number {
  const zone = IANAZone.create(timezone);
  const offsets = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((instant) => zone.offset(instant) / 60);
  const apart = offsets.map((offset) => {
    const hours = Math.abs(offset - longitude / 15) % 24; // 14 hours ahead is 10 hours behind: Kiribati
    return Math.min(hours, 24 - hours);
  });
  return Math.min(...apart);
}

/**
 * A warning where a station is in its country only with latitude and longitude exchanged, or its longitude is far from its time
 * zone. @param known the station as it is stored; one at the same place is not looked up again
 */
export function placeWarning(station: StationFact, known: StationFact | undefined): Reason | undefined {
  const { country, latitude, longitude, timezone } = station;
  const apart = hoursApart(longitude, timezone);
  const isStored = known?.latitude === latitude && known.longitude === longitude;
  // Where the zone speaks for the place as it is, the outline of the country is not needed.
  if (!isStored && hoursApart(latitude, timezone) < apart + ZONE_SURE_HOURS && isExchanged(station)) {
    return {
      reason: 'latitude and longitude exchanged',
      detail: `latitude=${latitude}, longitude=${longitude} is not in ${country}; the other way round it is`,
    };
  }
  if (apart <= FARTHEST_FROM_ZONE_HOURS) return undefined;
  return {
    reason: 'longitude far from its time zone',
    detail: `longitude=${longitude}, timezone=${timezone}: ${Math.round(apart)} hours apart`,
  };
}

/** What a load has staged and looks implausible: rows counted by a statement, and values that are doubted one by one. */
export interface Implausible {
  rows: ImplausibleRows[];
  values: AsyncIterable<Doubtful[]>;
}

/** @param isCelsius whether a row, by its number, is of a file in °C */
export async function implausibleValues(
  store: Store,
  loadId: number,
  isCelsius: (rowNumber: number) => boolean,
): Promise<Implausible> {
  const months = await store.query(monthsOf(loadId), monthRow);
  const rows = DAILY_FEEDS.flatMap((feed) => {
    const ofFeed = months.filter((month) => month.feed === feed);
    return [
      ...firstOf(ofFeed, 'high below low', 'inverted'),
      ...firstOf(ofFeed, 'target date far from its issuance', 'far'),
    ];
  });
  if (months.some(({ feed }) => feed === 'forecasts'))
    rows.push(...(await store.query(oddForecasts(loadId), implausibleRow)));
  const spansOfMonths = (isOf: (feed: string) => boolean): DateSpan[] => {
    const sizes = new Map<string, number>();
    for (const { feed, month, row_count } of months)
      if (isOf(feed)) sizes.set(month, (sizes.get(month) ?? 0) + row_count);
    const inOrder = [...sizes].sort().map(([target_date, row_count]) => ({ target_date, row_count }));
    return spansOf(inOrder, IMPLAUSIBLE_VALUES_PER_STATEMENT);
  };
  async function* values(): AsyncGenerator<Doubtful[]> {
    for (const span of spansOfMonths((feed) => feed === 'forecasts' || feed === 'observations'))
      yield* doubtfulDays(store, loadId, span, isCelsius);
    for (const span of spansOfMonths((feed) => feed === 'hours'))
      yield await doubtfulHours(store, loadId, span);
    if (months.some(({ feed }) => feed === 'normals')) yield await doubtfulNormals(store, loadId);
  }
  return { rows, values: values() };
}

/**
 * Forecasts without a provider beside those of a named one, here or in the first load that brought any (D27): they make a
 * provider called `default`, which is hardly the default one. And spreads that no forecast has.
 */
const oddForecasts = (loadId: number): Statement => sql`
  WITH (
      SELECT argMin(forecast_providers, load_id) FROM loads WHERE event = 'finished' AND notEmpty(forecast_providers)
  ) AS first
  SELECT
      'forecasts' AS feed, 'no provider beside named ones' AS reason, uniqExact(row_number) AS rows,
      min(row_number) AS first_row, 'they go in as those of provider "${UNNAMED}"' AS detail
  FROM ${stagedBy(loadId, 'forecasts')}
  WHERE provider = '${UNNAMED}' AND NOT withdrawn AND NOT has(first, '${UNNAMED}')
    AND (notEmpty(first) OR (SELECT count() FROM ${stagedBy(loadId, 'forecasts')} WHERE provider != '${UNNAMED}') > 0)
  HAVING rows > 0
  UNION ALL
  SELECT
      'forecasts' AS feed, 'standard deviation of 0, or hardly possible' AS reason, uniqExact(row_number) AS rows,
      min(row_number) AS first_row,
      concat(toString(argMin(metric, row_number)), ' ', toString(argMin(spread, row_number)), ' °F') AS detail
  FROM ${stagedBy(loadId, 'spreads')}
  WHERE NOT withdrawn AND (spread = 0 OR spread > ${raw(`${WIDEST_SPREAD_F}`)})
  HAVING rows > 0`;

/** What the months say together of a feed's rows of one kind. */
function firstOf(months: readonly Month[], reason: string, kind: 'inverted' | 'far'): ImplausibleRows[] {
  const found = months.flatMap((month) => {
    const { feed, [`${kind}_rows` as const]: rows, [`${kind}_detail` as const]: detail } = month;
    return rows === 0 ? [] : [{ feed, reason, rows, first_row: month[`first_${kind}`], detail }];
  });
  const [first] = [...found].sort((a, b) => a.first_row - b.first_row);
  return first === undefined ? [] : [{ ...first, rows: found.reduce((sum, { rows }) => sum + rows, 0) }];
}

/** The staged values of a feed by month, the rows whose high is below their low, and forecasts of days far off. */
const monthsOfFeed = (loadId: number, feed: DailyFeed, month: Statement): Statement => {
  const days = feed === 'forecasts' ? sql`target_date - toDate(issued_at)` : sql`0`;
  const isFar = sql`days > ${raw(`${FARTHEST_TARGET_DAYS}`)} OR days < -${raw(`${EARLIEST_TARGET_DAYS}`)}`;
  const issued = feed === 'forecasts' ? sql`issued_at` : sql`''`;
  const target = feed === 'forecasts' ? sql`target_date` : sql`''`;
  return sql`
  SELECT
      '${raw(feed)}' AS feed, ${month} AS month, count() AS row_count,
      uniqExactIf(row_number, is_inverted) AS inverted_rows, minIf(row_number, is_inverted) AS first_inverted,
      concat(
          'high_f=', toString(argMinIf(${FACTS[feed].value}, row_number, is_inverted AND metric = 'high')),
          ', low_f=', toString(argMinIf(${FACTS[feed].value}, row_number, is_inverted AND metric = 'low'))
      ) AS inverted_detail,
      uniqExactIf(row_number, is_far) AS far_rows, minIf(row_number, is_far) AS first_far,
      concat(
          'target_date=', toString(argMinIf(${target}, row_number, is_far)),
          ', issued_at=', toString(argMinIf(${issued}, row_number, is_far))
      ) AS far_detail
  FROM (SELECT *, ${days} AS days, NOT withdrawn AND (${isFar}) AS is_far FROM ${stagedBy(loadId, feed)})
  GROUP BY month`;
};

const MONTH = sql`toString(toStartOfMonth(target_date))`;

/** Those of all feeds; normals have no months. */
const monthsOf = (loadId: number): Statement => sql`
  ${monthsOfFeed(loadId, 'forecasts', MONTH)} UNION ALL ${monthsOfFeed(loadId, 'observations', MONTH)} UNION ALL ${monthsOfFeed(loadId, 'normals', sql`''`)}
  UNION ALL
  SELECT 'hours' AS feed, toString(toStartOfMonth(at)) AS month, count(), 0, 0, '', 0, 0, '' FROM ${stagedBy(loadId, 'hours')} GROUP BY month`;
