import { z } from 'zod';
import { type DateSpan, OF_HOURS, ofDates, ofDayScope } from '../../queries/conditions.js';
import { daysOfReports } from '../../queries/hourly-temperatures.js';
import { type FactName, FACTS, currentFacts, latestStations } from '../../queries/facts.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { ANY_PARTITIONS, type Store } from '../../store/store.js';
import type { ValueFeed } from '../../feeds/feeds.js';
import { stagedBy, stagedDays, stagedHours } from '../stage/staging-tables.js';

// From staged rows to facts. A load compares what it brings with what the store knows and adds only the difference, so
// loading a file again adds nothing. A withdrawal says something new only of a value that is there (D42). Every
// statement on forecasts and observations is bound to a span of dates, which bounds the memory.

const changedRow = z.object({
  rows_new: z.number(),
  rows_corrected: z.number(),
  twice: z.number(),
  facts: z.array(z.enum(Object.keys(FACTS) as [FactName])),
});
const contradictionRow = z.object({ rows_contradicted: z.number(), first_contradicted: z.number() });

/** Feed rows by what became of them; `first_contradicted` is a row_number, 0 for none. */
export type ChangedRows = Omit<z.infer<typeof changedRow>, 'twice' | 'facts'> &
  z.infer<typeof contradictionRow>;

const NO_CONTRADICTION = { rows_contradicted: 0, first_contradicted: 0 };

/** The values that one statement compares, as conditions: those staged, and those of the store that may be meant. */
interface Compared {
  staged: Statement;
  known: Statement;
}

/** All normals, as a station has 732 at most. */
export function allNormals(loadId: number): Compared {
  const ofStations = sql`station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'normals')})`;
  return { staged: ofStations, known: ofStations };
}

/** The forecasts or observations of a span of dates. */
export const getValues = (feed: 'forecasts' | 'observations', span: DateSpan, loadId: number): Compared => {
  return { staged: ofDates(span), known: ofDayScope({ span, days: stagedBy(loadId, feed) }) };
};

/** The facts that the staged rows of a feed say: beside a forecast, its distribution. The first is that of the feed. */
export const makeFacts = (feed: ValueFeed, staged: ReadonlySet<FactName>): Facts =>
  feed === 'forecasts' && staged.has('distributions') ? [feed, 'distributions'] : [feed];

type Facts = readonly [FactName, ...FactName[]];

const ofEach = (facts: readonly FactName[], rows: (fact: FactName) => Statement): Statement =>
  facts.map(rows).reduce((all, next) => sql`${all} UNION ALL ${next}`);

/**
 * The staged values beside the known ones, and whether they say something new; of several staged for one key, the later
 * row counts.
 */
function comparedWithKnown(loadId: number, fact: FactName, { staged, known }: Compared): Statement {
  const { key, value } = FACTS[fact];
  return sql`
  SELECT
      ${key}, staged_f, is_withdrawn, latest_row, is_twice, is_known,
      if(is_withdrawn, is_known, NOT is_known OR isDistinctFrom(known_f, staged_f)) AS is_new
  FROM (
      SELECT
          ${key}, argMax(${value}, row_number) AS staged_f,
          argMax(withdrawn, row_number) AS is_withdrawn, max(row_number) AS latest_row, count() > 1 AS is_twice
      FROM ${stagedBy(loadId, fact)}
      WHERE ${staged}
      GROUP BY ${key}
  ) AS staged
  LEFT JOIN (
      SELECT ${key}, ${value}_f AS known_f, true AS is_known
      FROM ${currentFacts(fact, known)}
  ) AS known USING (${key})`;
}

/** Feed rows behind the changed: a row that corrects or withdraws one value and adds another counts as corrected. */
const countChangedRows = (loadId: number, facts: readonly FactName[], compared: Compared) => sql.rows(
  changedRow,
)`
  SELECT
      countIf(has_changed AND NOT corrects) AS rows_new, countIf(corrects) AS rows_corrected,
      countIf(has_twice) AS twice, groupUniqArrayArray(facts) AS facts
  FROM (
      SELECT
          latest_row, max(is_new) AS has_changed, max(is_new AND is_known) AS corrects, max(is_twice) AS has_twice,
          groupUniqArrayIf(fact, is_new) AS facts
      FROM (${ofEach(
        facts,
        (fact) =>
          sql`SELECT '${raw(fact)}' AS fact, latest_row, is_new, is_known, is_twice FROM (${comparedWithKnown(loadId, fact, compared)})`,
      )})
      GROUP BY latest_row
  )`;

/**
 * Counts to compare: staged `values`, their different `keys`, feed `rows` that withdraw nothing, and `known` values of
 * these days. Hashes tell keys apart; where two hashes are equal by
 * chance, a key seems to be there twice, and the comparison with the known values decides.
 */
const comparison = (loadId: number, feed: FactName, { staged, known }: Compared) => sql.rows(comparisonRow)`
  SELECT
    count() AS values, uniqExact(cityHash64(${FACTS[feed].key})) AS keys, uniqExactIf(row_number, NOT withdrawn) AS rows,
    (SELECT count() FROM ${raw(feed)} WHERE ${known}) AS known
  FROM ${stagedBy(loadId, feed)}
  WHERE ${staged}`;

const comparisonRow = z.object({ values: z.number(), keys: z.number(), rows: z.number(), known: z.number() });

/** Feed rows with a value that a later row of the load replaces by another. */
const contradictions = (loadId: number, facts: readonly FactName[], rows: Statement) => sql.rows(
  contradictionRow,
)`
  SELECT uniqExact(row_number) AS rows_contradicted, min(row_number) AS first_contradicted
  FROM (${ofEach(
    facts,
    (fact) => sql`
      SELECT
          row_number, tuple(${FACTS[fact].value}, withdrawn) AS said,
          last_value(said) OVER (
              PARTITION BY ${FACTS[fact].key} ORDER BY row_number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
          ) AS counts
      FROM ${stagedBy(loadId, fact)}
      WHERE ${rows}`,
  )})
  WHERE isDistinctFrom(said, counts)`;

/** The changed of a feed; `allIsNew` where it need not be told apart from what is known. */
export interface FoundChanges extends ChangedRows {
  compared: Compared;
  allIsNew: boolean;
  /** The facts of the feed that have changed. */
  facts: readonly FactName[];
}

export const hasChanges = ({ rows_new, rows_corrected }: ChangedRows): boolean =>
  rows_new + rows_corrected > 0;

/**
 * Finds what a feed's staged values say that is new. Where no key is staged twice and no value of these days is known,
 * all of them do: a look that finds this spares the comparison of many.
 */
export async function findChangedRows(
  store: Store,
  facts: Facts,
  compared: Compared,
  loadId: number,
  isSmall: boolean,
): Promise<FoundChanges> {
  const found = isSmall ? undefined : await store.queryOne(comparison(loadId, facts[0], compared));
  const allIsNew = found !== undefined && found.known === 0 && found.keys === found.values;
  if (allIsNew)
    return {
      compared,
      allIsNew,
      facts,
      rows_new: found.rows,
      rows_corrected: 0,
      ...NO_CONTRADICTION,
    };
  const { twice, ...counted } = await store.queryOne(countChangedRows(loadId, facts, compared));
  const contradicted =
    twice > 0 ? await store.queryOne(contradictions(loadId, facts, compared.staged)) : NO_CONTRADICTION;
  // A distribution goes in after its forecast.
  const changed = facts.filter((fact) => counted.facts.includes(fact));
  return { compared, allIsNew, ...counted, facts: changed, ...contradicted };
}

/** Adds the staged values that say something new. A distribution comes in a row with its forecast and is kept after it. */
export async function addChangedRows(
  store: Store,
  { compared, allIsNew, facts }: FoundChanges,
  loadId: number,
): Promise<void> {
  const load_id = bind({ load_id: loadId }, 'UInt32');
  for (const fact of facts) {
    const { key, value } = FACTS[fact];
    const columns = sql`${key}, ${value}, withdrawn, load_id`;
    const added = allIsNew
      ? sql`SELECT ${key}, ${value}, withdrawn, ${load_id} FROM ${stagedBy(loadId, fact)} WHERE ${compared.staged} AND NOT withdrawn`
      : sql`SELECT ${key}, staged_f, is_withdrawn, ${load_id} FROM (${comparedWithKnown(loadId, fact, compared)}) WHERE is_new`;
    const insert = sql`INSERT INTO ${raw(fact)} (${columns}) ${added}`;
    await store.command(insert.with(ANY_PARTITIONS));
  }
}

/** Adds the staged stations, all of which say something new. */
export async function applyStations(store: Store, loadId: number): Promise<void> {
  await store.command(
    sql`INSERT INTO stations SELECT * EXCEPT (staged_at) FROM ${stagedBy(loadId, 'stations')}`,
  );
}

/**
 * The stations with other pairs by the staged rows. Another zone or day boundary changes the lead times of all
 * pairs. Other degrees change observations. A withdrawn station loses its pairs, one that comes back regains them.
 */
const movedStations = (loadId: number): Statement => sql`
      SELECT staged.station_id
      FROM ${stagedBy(loadId, 'stations')} AS staged
      INNER JOIN ${latestStations()} AS known ON known.station_id = staged.station_id
      WHERE (known.timezone, known.day_boundary, known.reported_in, known.withdrawn)
          != (staged.timezone, staged.day_boundary, staged.reported_in, staged.withdrawn)`;

/** The station days that the staged rows may change. */
export const touchedDays = (loadId: number): Statement => sql`
  ${stagedDays(loadId)}
  UNION ALL
  SELECT station_id, target_date FROM ${daysOfStagedHours(loadId)}
  UNION ALL
  ${daysOfMovedStations(loadId)}`;

/**
 * The station days in which staged reports and forecasts of hours may lie. A report makes those before it verified that were preliminary,
 * however long before.
 */
export const daysOfStagedHours = (loadId: number): Statement => sql`(
    ${daysOfReports(stagedBy(loadId, 'hours'))}
    UNION DISTINCT
    ${daysOfWindows(loadId)}
    UNION DISTINCT
    ${daysOfReports(stagedHours(loadId))}
    UNION DISTINCT
    SELECT station_id, target_date
    FROM station_day_counts
    WHERE ${OF_HOURS} AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'hours')})
    GROUP BY station_id, target_date
    HAVING sum(preliminary_pair_count) != 0
  )`;

/**
 * The station days, beside those of daysOfReports(), of windows with a staged report. A window ends up to eleven hours and a quarter after a
 * report of it, and has one on its last day: known, or staged as well. A day begins up to 14 hours before its UTC date.
 */
const daysOfWindows = (loadId: number): Statement => sql`
    SELECT station_id, addDays(toDate(at), 1) AS target_date
    FROM hours
    WHERE (station_id, toDate(at)) IN (
      SELECT station_id, addDays(toDate(at), 1) FROM ${stagedBy(loadId, 'hours')} WHERE toHour(at) >= 22
    )`;

/** The station days of the stations that the staged rows move, withdraw or bring back. */
export const daysOfMovedStations = (loadId: number): Statement => sql`
  SELECT station_id, target_date FROM forecasts WHERE station_id IN (${movedStations(loadId)})
  UNION ALL
  ${daysOfReports(sql`hours WHERE station_id IN (${movedStations(loadId)})`)}`;

/** The station days of a span that staged forecasts and observations may change. */
export const daysOfStagedValues = (span: DateSpan, loadId: number): Statement =>
  sql`SELECT * FROM (${stagedDays(loadId)}) WHERE ${ofDates(span)}`;
