import { z } from 'zod';
import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import { type FactName, FACTS } from '../../queries/facts.js';
import { raw, sql, type Statement } from '../../sql.js';
import type { Store } from '../../store/store.js';
import { type FeedColumn, QUANTILE_COLUMNS, VALUE_FEEDS, type ValueFeed } from '../read/columns.js';
import { type SizedSpan, splitSpans } from '../spans.js';
import { stagedBy } from '../stage/staging-tables.js';

// A summary of staged rows: facts, providers and months, which the later steps need. It also counts the rows that fail a check of
// single rows; a reader of the report can check each rule by hand.

/** Seasonal forecasts reach 13 months ahead; a forecast of a day that is long over is in no pair (D40). */
const FARTHEST_TARGET_DAYS = 400;
const EARLIEST_TARGET_DAYS = 100;

/** No forecast is certain, and no climate has highs or lows of a day of the year that vary by more. */
const WIDEST_SD_F = 20;

/** Nor are neighbouring quantiles, with the forecast itself among them, so far from each other. */
const WIDEST_GAP_F = 30;

/** Staged values that one statement compares, by whole months: this bounds its memory. */
const CHECKED_VALUES_PER_STATEMENT = 2_000_000;

const UNNAMED = raw(UNNAMED_PROVIDER);

/** The words of a report for rows that have no cell to quote. */
export const AS_UNNAMED = `they are loaded as those of provider "${UNNAMED_PROVIDER}"`;

/** Checks of single rows (internal consistency), and the cells of the first row that a report quotes. */
export const ROW_CHECKS = {
  'high below low': ['high_f', 'low_f'],
  'target date far from its issuance': ['target_date', 'issued_at'],
  'standard deviation of 0, or hardly possible': ['high_sd_f', 'low_sd_f'],
  'quantiles hardly possible': QUANTILE_COLUMNS,
  'no provider beside named ones': ['provider'],
} as const satisfies Record<string, readonly FeedColumn[]>;

export const NO_PROVIDER = 'no provider beside named ones' satisfies keyof typeof ROW_CHECKS;

const partRow = z.object({
  feed: z.enum(VALUE_FEEDS),
  month: z.string(),
  row_count: z.number(),
  fact: z.enum(Object.keys(FACTS) as [FactName]),
  told: z.array(
    z.tuple([z.enum(Object.keys(ROW_CHECKS) as [keyof typeof ROW_CHECKS]), z.number(), z.number()]),
  ),
  /** The providers of its forecasts, with the first row of each. */
  providers: z.array(z.tuple([z.string(), z.number()])),
  /** The providers of the first load that brought forecasts (D27). */
  first_providers: z.array(z.string()),
});

type Part = z.infer<typeof partRow>;

/** Rows of staging that are suspect for one reason; `first_row` is a row_number. */
interface FlaggedRows {
  feed: ValueFeed;
  reason: keyof typeof ROW_CHECKS;
  rows: number;
  first_row: number;
}

/** The staged rows of a load, in summary. */
export interface StagedSummary {
  facts: FactName[];
  /** The providers of its forecasts, in the order of their rows. */
  providers: string[];
  /** Spans of whole months, by the first day of the first and of the last, each for one statement of quality control. */
  spans: { days: SizedSpan[]; hours: SizedSpan[] };
  flagged: FlaggedRows[];
}

/** The staging tables with values; that of forecasts has the distributions. */
export const filledBy = ({ facts }: StagedSummary): string[] =>
  facts.filter((fact) => fact !== 'distributions').map((fact) => `staged_${fact}`);

/** Summarizes the staged rows of these feeds, and counts those that fail a check of single rows, in one statement. */
export async function summarizeStaged(
  store: Store,
  loadId: number,
  feeds: readonly ValueFeed[],
): Promise<StagedSummary> {
  const parts = feeds.length === 0 ? [] : await store.query(summaryParts(loadId, feeds));
  const providers = providersIn(parts);
  const flagged = countedIn(parts);
  const isNamed = !isUnnamed(parts, providers);
  return {
    facts: [...new Set(parts.map(({ fact }) => fact))],
    providers,
    spans: { days: spansOf(parts, ['forecasts', 'observations']), hours: spansOf(parts, ['hours']) },
    flagged: isNamed ? flagged.filter(({ reason }) => reason !== NO_PROVIDER) : flagged,
  };
}

/** The months of some feeds, in spans that one statement can compare. */
function spansOf(parts: readonly Part[], feeds: readonly ValueFeed[]): SizedSpan[] {
  const sizes = new Map<string, number>();
  for (const { feed, month, row_count } of parts)
    if (feeds.includes(feed) && month !== '') sizes.set(month, (sizes.get(month) ?? 0) + row_count);
  const inOrder = [...sizes].sort().map(([target_date, row_count]) => ({ target_date, row_count }));
  return splitSpans(inOrder, CHECKED_VALUES_PER_STATEMENT);
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
function countedIn(parts: readonly Part[]): FlaggedRows[] {
  const all = parts.flatMap(({ feed, told: reported }) =>
    reported.map(([reason, rows, first_row]) => ({ feed, reason, rows, first_row })),
  );
  const found = new Map<string, FlaggedRows>();
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
  reported: readonly [reason: keyof typeof ROW_CHECKS, condition: Statement][],
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

const INVERTED: [keyof typeof ROW_CHECKS, Statement] = ['high below low', sql`is_inverted`];

const MONTH = sql`toString(toStartOfMonth(target_date))`;

/** The parts of these feeds. Normals have no months; the months of distributions are those of their forecasts. */
function summaryParts(loadId: number, feeds: readonly ValueFeed[]) {
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
  const all = feeds
    .flatMap((feed) => parts[feed]())
    .reduce((before, next) => sql`${before} UNION ALL ${next}`);
  return sql.rows(partRow)`SELECT * FROM (${all}) ORDER BY feed, fact, month`;
}
