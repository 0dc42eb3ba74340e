import { z } from 'zod';
import { bind, sql } from '../sql.js';
import { QueryTimeout, QueryTooLarge } from '../store/errors.js';
import type { QueryOptions, Store } from '../store/store.js';
import { type CollectedReport, eventsOf, type FinishedLoad, type LoadEvents, reportOf } from './events.js';

/** Loads whose events are read at once. */
const PAGE = 20;

/** A load of more values is not counted: 18 million take 4 s of a processor, and a feed of 16,000 forecasts 0.1. */
const MOST_VALUES = 1_000_000;

const count = z.number().default(0);
const size = z.object({
  feeds: z.object({ forecasts: z.object({ rows_new: count, rows_corrected: count }) }).optional(),
  pairs_added: z.number(),
  pairs_withdrawn: z.number(),
});

/** The values that a load has changed; Infinity where its report does not say. */
function valuesIn(text: string): number {
  const { success, data } = size.safeParse(JSON.parse(text));
  if (!success) return Infinity;
  const { rows_new = 0, rows_corrected = 0 } = data.feeds?.forecasts ?? {};
  return 2 * (rows_new + rows_corrected) + data.pairs_added + data.pairs_withdrawn;
}

const loadRow = z.object({
  load_id: z.number(),
  finished_ms: z.number(),
  providers: z.array(z.string()),
  report: z.string(),
  /** The version before the first of them. */
  before: z.number(),
});

const loadsSql = (after: number, upTo: number) => sql.rows(loadRow)`
  SELECT
    load_id, toUnixTimestamp64Milli(recorded_at) AS finished_ms, forecast_providers AS providers, report,
    assumeNotNull((SELECT max(load_id) FROM loads WHERE event = 'finished' AND load_id <= ${bind({ after }, 'UInt32')})) AS before
  FROM loads
  WHERE event = 'finished' AND load_id > ${bind({ after }, 'UInt32')} AND load_id <= ${bind({ upTo }, 'UInt32')}
  ORDER BY load_id
  LIMIT ${bind({ page: PAGE }, 'UInt32')}`;

const collectedSql = (after: number) => sql.rows(z.object({ report: z.string() }))`
  SELECT report
  FROM loads
  WHERE event = 'finished' AND JSONHas(report, 'collected') AND load_id <= ${bind({ after }, 'UInt32')}
  ORDER BY load_id DESC
  LIMIT 1`;

const touchedRow = z.object({
  version: z.number(),
  provider: z.string(),
  station_days: z.number(),
  stations: z.array(z.string()),
});

/** @param loads and, in the same order, the versions that show them */
const touchedSql = (loads: number[], versions: number[]) => sql.rows(touchedRow)`
  SELECT version, provider, sum(days) AS station_days, groupArray(station_id) AS stations
  FROM (
    SELECT
      transform(load_id, ${bind({ loads }, 'Array(Int64)')}, ${bind({ versions }, 'Array(Int64)')}, 0) AS version,
      provider, station_id, groupBitmap(toUInt16(target_date)) AS days
    FROM (
      SELECT load_id, provider, station_id, target_date FROM forecasts WHERE load_id IN ${bind({ loads }, 'Array(Int64)')}
      UNION ALL
      SELECT load_id, provider, station_id, target_date FROM station_days WHERE load_id IN ${bind({ loads }, 'Array(Int64)')}
    )
    GROUP BY version, provider, station_id
  )
  GROUP BY version, provider
  ORDER BY version, provider`;

/**
 * The events of the first finished loads after one, up to another.
 * @throws what the store throws
 */
export async function readEvents(
  store: Pick<Store, 'query'>,
  { lineage, after, upTo }: { lineage: string; after: number; upTo: number },
  options?: QueryOptions,
): Promise<LoadEvents[]> {
  const rows = await store.query(loadsSql(after, upTo), options);
  const loads = rows.map((row): FinishedLoad => ({ ...row, report: reportOf(row.report) }));
  let last: CollectedReport | undefined;
  if (loads.some(({ report }) => report.collected !== undefined)) {
    const [found] = await store.query(collectedSql(after), options);
    last = found && reportOf(found.report).collected;
  }
  // A load that was killed has written rows, and the next version shows them.
  const versions = rows.map(({ load_id, before }, at) => ({
    load_id,
    after: rows[at - 1]?.load_id ?? before,
  }));
  const counted = versions.filter((_, at) => valuesIn(rows[at]?.report ?? '') <= MOST_VALUES);
  const touched = await touchedBy(store, counted, options);
  return loads.map((load) => {
    const { load_id, report } = load;
    const isCounted = touched !== undefined && counted.some((version) => version.load_id === load_id);
    const ofLoad = isCounted ? touched.filter(({ version }) => version === load_id) : undefined;
    const told = eventsOf({ ...load, touched: ofLoad }, lineage, last);
    last = report.collected ?? last;
    return told;
  });
}

/** The station days that versions have touched; undefined where that is too much to count. */
async function touchedBy(
  store: Pick<Store, 'query'>,
  versions: readonly { load_id: number; after: number }[],
  options?: QueryOptions,
) {
  const all = versions.flatMap(({ load_id, after }) =>
    Array.from({ length: load_id - after }, (_, at) => ({ load: after + 1 + at, version: load_id })),
  );
  if (all.length === 0) return [];
  const statement = touchedSql(
    all.map(({ load }) => load),
    all.map(({ version }) => version),
  );
  try {
    const rows = await store.query(statement, options);
    return rows.map((row) => ({ ...row, stations: new Set(row.stations) }));
  } catch (error) {
    // Otherwise one load would hold up the events of all that follow.
    if (error instanceof QueryTimeout || error instanceof QueryTooLarge) return undefined;
    throw error;
  }
}
