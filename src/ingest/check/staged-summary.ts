import { IANAZone } from 'luxon';
import { z } from 'zod';
import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import type { DateSpan } from '../../queries/conditions.js';
import { type FactName, FACTS } from '../../queries/facts.js';
import { raw, sql, type Statement } from '../../sql.js';
import type { Store } from '../../store/store.js';
import {
  type FeedColumn,
  QUANTILE_COLUMNS,
  type StationFact,
  VALUE_FEEDS,
  type ValueFeed,
} from '../read/columns.js';
import { checkDays, checkHours, checkNormals } from './quality-control.js';
import { isExchanged } from '../read/exchanged.js';
import type { SuspectRow } from './suspect-rows.js';
import { splitSpans } from '../spans.js';
import { stagedBy } from '../stage/staging-tables.js';
import type { Reason } from '../load-tally.js';

// Values of a feed that are hardly true. A reader of the report can check each rule by hand. No rule applies where there
// is nothing to compare a value with.

/** No place lies farther from its zone: Xinjiang is 3 hours away, and a wrong sign moves America by 10 and more. */
const FARTHEST_FROM_ZONE_HOURS = 4;

const MOVED_DEGREES = 0.05;

/** Istanbul has 1 hour more as it is than with latitude and longitude exchanged, and no place has 2. */
const ZONE_SURE_HOURS = 2;

/** Seasonal forecasts reach 13 months ahead; a forecast of a day that is long over is in no pair (D40). */
const FARTHEST_TARGET_DAYS = 400;
const EARLIEST_TARGET_DAYS = 100;

/** No forecast is certain, and no climate has highs or lows of a day of the year that vary by more. */
const WIDEST_SD_F = 20;

/** Nor are neighbouring quantiles, with the forecast itself among them, so far from each other. */
const WIDEST_GAP_F = 30;

/** Staged values that one statement compares, by whole months: this bounds its memory. */
const IMPLAUSIBLE_VALUES_PER_STATEMENT = 2_000_000;

const UNNAMED = raw(UNNAMED_PROVIDER);

/** The words of a report for rows that have no cell to quote. */
export const AS_UNNAMED = `they are loaded as those of provider "${UNNAMED_PROVIDER}"`;

/** Reasons for which the report quotes cells of the first row. */
export const QUOTED = {
  'high below low': ['high_f', 'low_f'],
  'target date far from its issuance': ['target_date', 'issued_at'],
  'standard deviation of 0, or hardly possible': ['high_sd_f', 'low_sd_f'],
  'quantiles hardly possible': QUANTILE_COLUMNS,
  'no provider beside named ones': ['provider'],
} as const satisfies Record<string, readonly FeedColumn[]>;

export const NO_PROVIDER = 'no provider beside named ones' satisfies keyof typeof QUOTED;

const partRow = z.object({
  feed: z.enum(VALUE_FEEDS),
  month: z.string(),
  row_count: z.number(),
  fact: z.enum(Object.keys(FACTS) as [FactName]),
  told: z.array(z.tuple([z.enum(Object.keys(QUOTED) as [keyof typeof QUOTED]), z.number(), z.number()])),
  /** The providers of its forecasts, with the first row of each. */
  providers: z.array(z.tuple([z.string(), z.number()])),
  /** The providers of the first load that brought forecasts (D27). */
  first_providers: z.array(z.string()),
});

type Part = z.infer<typeof partRow>;

/** Rows of staging that look implausible for one reason; `first_row` is a row_number. */
interface ImplausibleRows {
  feed: ValueFeed;
  reason: keyof typeof QUOTED;
  rows: number;
  first_row: number;
}

/** How many hours of the sun a longitude is from a zone, whose clocks leave it in one half of the year at most. */
function hoursBetween(longitude: number, timezone: string): number {
  const zone = IANAZone.create(timezone);
  const offsets = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((instant) => zone.offset(instant) / 60);
  const distance = offsets.map((offset) => {
    const hours = Math.abs(offset - longitude / 15) % 24; // 14 hours ahead is 10 hours behind: Kiribati
    return Math.min(hours, 24 - hours);
  });
  return Math.min(...distance);
}

/**
 * A warning where a station is in its country only with latitude and longitude exchanged, or its longitude is far from its time
 * zone. @param known the station as it is stored; one at the same place is not looked up again
 */
export function placeWarning(station: StationFact, known: StationFact | undefined): Reason | undefined {
  const { country, latitude, longitude, timezone } = station;
  const distance = hoursBetween(longitude, timezone);
  const isStored = known?.latitude === latitude && known.longitude === longitude;
  // Where the zone speaks for the place as it is, the outline of the country is not needed.
  if (!isStored && hoursBetween(latitude, timezone) < distance + ZONE_SURE_HOURS && isExchanged(station)) {
    return {
      reason: 'latitude and longitude exchanged',
      detail: `latitude=${latitude}, longitude=${longitude} is not in ${country}; the other way round it is`,
    };
  }
  if (distance <= FARTHEST_FROM_ZONE_HOURS) return undefined;
  return {
    reason: 'longitude far from its time zone',
    detail: `longitude=${longitude}, timezone=${timezone}: ${Math.round(distance)} hours apart`,
  };
}

/** A note where a station is some km from where it was: that is no better reading of the same place. */
export function moveNote(station: StationFact, before: StationFact): Reason | undefined {
  const { latitude, longitude } = station;
  const degrees = Math.hypot(latitude - before.latitude, longitude - before.longitude);
  if (degrees < MOVED_DEGREES - 1e-9) return undefined; // 87.98 - 87.93 is 0.04999999999999716
  return {
    reason: 'moved: observations of both places count as those of one station',
    detail: `${station.station_id} to ${latitude}, ${longitude}, before at ${before.latitude}, ${before.longitude}`,
  };
}

/**
 * The facts that a load has staged and the providers of its forecasts in the order of
 * their rows. Implausible rows are those that a statement counts, and values that are doubted one by one.
 */
export interface Implausible {
  facts: FactName[];
  providers: string[];
  rows: ImplausibleRows[];
  values: AsyncIterable<SuspectRow[]>;
}

export async function implausibleValues(
  store: Store,
  loadId: number,
  feeds: readonly ValueFeed[],
): Promise<Implausible> {
  const parts = feeds.length === 0 ? [] : await store.query(implausibleParts(loadId, feeds));
  const facts = [...new Set(parts.map(({ fact }) => fact))];
  const providers = providersIn(parts);
  const rows = countedIn(parts);
  const isNamed = !isUnnamed(parts, providers);
  const spansOfMonths = (isProvider: (feed: string) => boolean): DateSpan[] => {
    const sizes = new Map<string, number>();
    for (const { feed, month, row_count } of parts)
      if (isProvider(feed) && month !== '') sizes.set(month, (sizes.get(month) ?? 0) + row_count);
    const inOrder = [...sizes].sort().map(([target_date, row_count]) => ({ target_date, row_count }));
    return splitSpans(inOrder, IMPLAUSIBLE_VALUES_PER_STATEMENT);
  };
  async function* values(): AsyncGenerator<SuspectRow[]> {
    for (const span of spansOfMonths((feed) => feed === 'forecasts' || feed === 'observations'))
      yield await checkDays(store, loadId, span, facts);
    for (const span of spansOfMonths((feed) => feed === 'hours')) yield await checkHours(store, loadId, span);
    if (parts.some(({ feed }) => feed === 'normals')) yield await checkNormals(store, loadId);
  }
  return {
    facts,
    providers,
    rows: isNamed ? rows.filter(({ reason }) => reason !== NO_PROVIDER) : rows,
    values: values(),
  };
}

/**
 * Whether forecasts without a provider stand beside those of a named one, here or in the first load that brought any: they
 * make a provider called `default`, hardly the default one.
 */
function isUnnamed(parts: readonly Part[], staged: readonly string[]): boolean {
  const first = parts.find(({ fact }) => fact === 'forecasts')?.first_providers ?? [];
  return first.length === 0 ? staged.length > 1 : !first.includes(UNNAMED_PROVIDER);
}

/** The providers of all parts, in the order of their rows. */
function providersIn(parts: readonly Part[]): string[] {
  const firsts = new Map<string, number>();
  for (const { providers } of parts)
    for (const [provider, row] of providers) firsts.set(provider, Math.min(row, firsts.get(provider) ?? row));
  return [...firsts].sort(([, a], [, b]) => a - b).map(([provider]) => provider);
}

/** The rows of all parts for each feed and reason. */
function countedIn(parts: readonly Part[]): ImplausibleRows[] {
  const all = parts.flatMap(({ feed, told: reported }) =>
    reported.map(([reason, rows, first_row]) => ({ feed, reason, rows, first_row })),
  );
  const found = new Map<string, ImplausibleRows>();
  for (const each of all.sort((a, b) => a.first_row - b.first_row)) {
    const key = `${each.feed} ${each.reason}`;
    const known = found.get(key);
    found.set(key, known === undefined ? each : { ...known, rows: known.rows + each.rows });
  }
  return [...found.values()];
}

/** A part of what is staged: its rows by month, and those of a reason among them. */
function part(
  loadId: number,
  feed: ValueFeed,
  fact: FactName,
  month: Statement,
  reported: readonly [reason: keyof typeof QUOTED, condition: Statement][],
): Statement {
  const counts = reported
    .map(
      ([reason, condition]) =>
        sql`('${raw(reason)}', uniqExactIf(row_number, ${condition}), minIf(row_number, ${condition}))`,
    )
    .reduce((all, next) => sql`${all}, ${next}`, sql`('', 0, 0)`);
  return sql`
  SELECT
    '${raw(feed)}' AS feed, '${raw(fact)}' AS fact, ${month} AS month, count() AS row_count,
    arrayFilter(each -> each.2 > 0, [${counts}]) AS told,
    ${fact === 'forecasts' ? PROVIDERS : NO_PROVIDERS}
  FROM ${stagedBy(loadId, fact)}
  GROUP BY month`;
}

/** One that only withdraws forecasts brings none. */
const PROVIDERS = sql`arrayZip((minMapIf([toString(provider)], [row_number], NOT withdrawn) AS firsts).1, firsts.2) AS providers,
    (SELECT argMinIf(forecast_providers, load_id, event = 'finished' AND notEmpty(forecast_providers)) FROM loads) AS first_providers`;
const NO_PROVIDERS = raw('[] AS providers, [] AS first_providers');

const INVERTED: [keyof typeof QUOTED, Statement] = ['high below low', sql`is_inverted`];

const MONTH = sql`toString(toStartOfMonth(target_date))`;

/** The parts of these feeds. Normals have no months; the months of distributions are those of their forecasts. */
function implausibleParts(loadId: number, feeds: readonly ValueFeed[]) {
  const days = sql`target_date - toDate(issued_at)`;
  const isOutlier = sql`NOT withdrawn AND (${days} > ${raw(`${FARTHEST_TARGET_DAYS}`)} OR ${days} < -${raw(`${EARLIEST_TARGET_DAYS}`)})`;
  const ofLevels = sql`arrayFilter(each -> each.level != 0, distribution)`;
  const sd = sql`arrayFirst(each -> each.level = 0, distribution)`;
  const widest = raw(`${WIDEST_SD_F}`);
  const isOdd = sql`has(distribution.level, 0) AND (${sd}.value = 0 OR ${sd}.value > ${widest})`;
  // A sentinel at one level is far from the next one; the forecast stands for the middle where few levels are given.
  const gap_f = sql`arrayMax(arrayDifference(arraySort(arrayPushBack(arrayMap(each -> toFloat64(each.value), ${ofLevels}), toFloat64(forecast)))))`;
  const isWide = sql`notEmpty(${ofLevels}) AND (${ofLevels}[-1].value - ${ofLevels}[1].value > 4 * ${widest} OR ${gap_f} > ${raw(`${WIDEST_GAP_F}`)})`;
  const parts: Record<ValueFeed, () => Statement[]> = {
    forecasts: () => [
      part(loadId, 'forecasts', 'forecasts', MONTH, [
        INVERTED,
        ['target date far from its issuance', isOutlier],
        [NO_PROVIDER, sql`provider = '${UNNAMED}' AND NOT withdrawn`],
      ]),
      part(loadId, 'forecasts', 'distributions', sql`''`, [
        ['standard deviation of 0, or hardly possible', isOdd],
        ['quantiles hardly possible', isWide],
      ]),
    ],
    observations: () => [part(loadId, 'observations', 'observations', MONTH, [INVERTED])],
    normals: () => [part(loadId, 'normals', 'normals', sql`''`, [INVERTED])],
    hours: () => [part(loadId, 'hours', 'hours', sql`toString(toStartOfMonth(at))`, [])],
  };
  return sql.rows(partRow)`${feeds
    .flatMap((feed) => parts[feed]())
    .reduce((all, next) => sql`${all} UNION ALL ${next}`)}`;
}
