import { z } from 'zod';
import type { SourceState } from '../source-state.js';
import { collectedStates } from '../stations/collected.js';
import { bind, sql, type Statement } from '../sql.js';
import type { DataVersion } from '../store/data-version.js';
import type { Store } from '../store/store.js';

/** How far the data of a provider reach, for a metric that it has pairs of. */
const reachRow = z.object({
  metric: z.enum(['high', 'low']),
  provider: z.string(),
  /** YYYY-MM-DD, the last day with a pair. */
  latest_target_date: z.string(),
  verified_pairs: z.number(),
  preliminary_pairs: z.number(),
});

const settledRow = z.object({ last_settled_ms: z.number() });

// A day whose pairs were all withdrawn still has rows.
const REACH = sql`
  SELECT
    metric, provider, max(target_date) AS latest_target_date, sum(pairs - preliminary) AS verified_pairs,
    sum(preliminary) AS preliminary_pairs
  FROM (
    SELECT metric, provider, target_date, sum(pair_count) AS pairs, sum(preliminary_pair_count) AS preliminary
    FROM station_day_counts
    GROUP BY metric, provider, target_date
    HAVING pairs != 0
  )
  GROUP BY metric, provider
  ORDER BY metric, provider`;

const loadsRow = z.object({
  finished: z.number(),
  failed: z.number(),
  rows_rejected: z.number(),
  last_load_id: z.number(),
});

// Reports are long, so each is read once: these are the loads that have ended since a look.
function loadsSince({ finished, failed, rows_rejected, last_load_id }: DataState['loads']): Statement {
  const last = bind({ last_load_id }, 'UInt32');
  return sql`
  SELECT
    ${bind({ finished }, 'UInt32')} + countIf(event = 'finished') AS finished,
    ${bind({ failed }, 'UInt32')} + countIf(event = 'failed') AS failed,
    ${bind({ rows_rejected }, 'UInt64')} + sum(arraySum(
      feed -> JSONExtractUInt(report, 'feeds', feed, 'rows_rejected'), ['stations', 'forecasts', 'observations', 'normals']
    )) AS rows_rejected,
    greatest(${last}, max(load_id)) AS last_load_id
  FROM loads
  WHERE event IN ('finished', 'failed') AND load_id > ${last}`;
}

const LAST_SETTLED = sql`
  SELECT toUnixTimestamp64Milli(max(recorded_at)) AS last_settled_ms
  FROM loads
  WHERE event = 'settled'`;

export interface DataState {
  reach: z.infer<typeof reachRow>[];
  /** Of all loads that have ended. */
  loads: z.infer<typeof loadsRow>;
  /** When a load last changed the data, Unix ms; 0 if none ever has. */
  last_settled_ms: number;
  /** None without a collector. */
  sources: SourceState[];
}

/** The state of the data, read again only after a load has changed them: between loads a read is one small query. */
export class DataStateReader {
  #version: string | undefined;
  #known: DataState | undefined;
  #reading: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<Store, 'query'>,
    private readonly dataVersion: Pick<DataVersion, 'current'>,
  ) {}

  /** The state at the last read; undefined before the first. */
  get known(): DataState | undefined {
    return this.#known;
  }

  /** At most one reading is under way. @throws what the store throws */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { key: version } = await this.dataVersion.current();
    if (version === this.#version) return;
    const reach = await this.store.query(REACH, reachRow);
    const [settled] = await this.store.query(LAST_SETTLED, settledRow);
    const before = this.#known?.loads ?? { finished: 0, failed: 0, rows_rejected: 0, last_load_id: 0 };
    const [loads = before] = await this.store.query(loadsSince(before), loadsRow);
    this.#known = {
      reach,
      loads,
      last_settled_ms: settled?.last_settled_ms ?? 0,
      sources: await collectedStates(this.store),
    };
    this.#version = version;
  }
}
