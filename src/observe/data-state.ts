import { LEDGER_NAMES } from '../variables/variables.js';
import { z } from 'zod';
import type { SourceState } from '../stations/source-state.js';
import { collectedStates } from '../stations/collected.js';
import type { DirectoryReader } from '../stations/directory.js';
import { bind, sql, type Statement } from '../queries/sql.js';
import { type Alarm, readAlarms } from '../monitoring/alarm.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { Store } from '../store/store.js';

/** How far the data of a provider reach, for a metric that it has pairs of. */
const reachRow = z.object({
  metric: z.enum(LEDGER_NAMES),
  provider: z.string(),
  /** YYYY-MM-DD, the last day with a pair. */
  latest_target_date: z.string(),
  verified_pairs: z.number(),
  preliminary_pairs: z.number(),
});

// A day whose pairs were all withdrawn still has rows.
const REACH = sql.rows(reachRow)`
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

/** The most that metrics name, the first by name: a feed with nonsense in that column would make a series a row. */
const MAX_PROVIDERS = 100;

const BROUGHT = sql.rows(z.object({ provider: z.string(), last_loaded_ms: z.number() }))`
  SELECT provider, toUnixTimestamp64Milli(max(recorded_at)) AS last_loaded_ms
  FROM loads
  ARRAY JOIN forecast_providers AS provider
  WHERE event = 'finished'
  GROUP BY provider`;

const loadsRow = z.object({
  finished: z.number(),
  failed: z.number(),
  /** Finished, and without a seal in their report. */
  unsealed: z.number(),
  /** When one last did, Unix ms; 0 if none ever has. */
  last_finished_ms: z.number(),
  last_failed_ms: z.number(),
  rows_read: z.number(),
  rows_rejected: z.number(),
  last_load_id: z.number(),
});

const NO_LOADS: z.infer<typeof loadsRow> = {
  finished: 0,
  failed: 0,
  unsealed: 0,
  last_finished_ms: 0,
  last_failed_ms: 0,
  rows_read: 0,
  rows_rejected: 0,
  last_load_id: 0,
};

/** The rows of all feeds in a load's report: those read, or those rejected. */
const rowsOfReport = (count: 'rows_read' | 'rows_rejected'): Statement => sql`arraySum(
      feed -> JSONExtractUInt(report, 'feeds', feed, ${bind({ [count]: count }, 'String')}),
      ['stations', 'forecasts', 'observations', 'normals', 'hours', 'hourly_forecasts']
    )`;

/** Reports are long, so each is read once: what the loads have done that ended after `last_load_id`. */
const loadsSince = ({ last_load_id }: DataState['loads']) => sql.rows(loadsRow)`
  SELECT
    countIf(event = 'finished') AS finished,
    countIf(event = 'failed') AS failed,
    countIf(event = 'finished' AND NOT JSONHas(report, 'seal')) AS unsealed,
    toUnixTimestamp64Milli(maxIf(recorded_at, event = 'finished')) AS last_finished_ms,
    toUnixTimestamp64Milli(maxIf(recorded_at, event = 'failed')) AS last_failed_ms,
    sum(${rowsOfReport('rows_read')}) AS rows_read,
    sum(${rowsOfReport('rows_rejected')}) AS rows_rejected,
    max(load_id) AS last_load_id
  FROM loads
  WHERE event IN ('finished', 'failed') AND load_id > ${bind({ last_load_id }, 'UInt32')}`;

function withLater(before: DataState['loads'], since: DataState['loads']): DataState['loads'] {
  return {
    finished: before.finished + since.finished,
    failed: before.failed + since.failed,
    unsealed: before.unsealed + since.unsealed,
    last_finished_ms: Math.max(before.last_finished_ms, since.last_finished_ms),
    last_failed_ms: Math.max(before.last_failed_ms, since.last_failed_ms),
    rows_read: before.rows_read + since.rows_read,
    rows_rejected: before.rows_rejected + since.rows_rejected,
    last_load_id: Math.max(before.last_load_id, since.last_load_id),
  };
}

const EVENTS = sql.rows(z.object({ last_reconciled_ms: z.number(), sealed_late: z.number() }))`
  SELECT
    toUnixTimestamp64Milli(maxIf(recorded_at, event = 'settled')) AS last_reconciled_ms,
    countIf(event = 'sealed') AS sealed_late
  FROM loads
  WHERE event IN ('settled', 'sealed')`;

/** The last day of any, YYYY-MM-DD; undefined without any. */
export const latestDay = (reach: DataState['reach']): string | undefined =>
  reach
    .map(({ latest_target_date }) => latest_target_date)
    .toSorted()
    .at(-1);

export interface DataState {
  reach: z.infer<typeof reachRow>[];
  /** Providers of the directory, by name, without those whose forecasts are all withdrawn. */
  providers: {
    provider: string;
    /** The last day with a pair, YYYY-MM-DD; undefined without pairs. */
    latest_target_date: string | undefined;
    /** When a load last brought forecasts of it, Unix ms; undefined if none ever has. */
    last_loaded_ms: number | undefined;
  }[];
  /** The sums of all loads that have ended. */
  loads: z.infer<typeof loadsRow>;
  /** When a load last changed the data, Unix ms; 0 if none ever has. */
  last_reconciled_ms: number;
  /** Versions of an older service that the next load seals. */
  unsealed: number;
  /** None without a collector. */
  sources: SourceState[];
  alarms: readonly Alarm[];
}

/**
 * The state of the data, read again only after a load has changed them: between loads a read is one small query. After one
 * it takes 70 ms over 35 million pairs and 10,000 loads, and the first read of a process 250 more, for their reports.
 */
export class DataStateReader {
  #version: string | undefined;
  #known: DataState | undefined;
  #reading: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<Store, 'query'>,
    private readonly dataVersion: Pick<DataVersion, 'current'>,
    private readonly directory: Pick<DirectoryReader, 'at'>,
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
    const version = await this.dataVersion.current();
    if (version.key === this.#version) return;
    const reach = await this.store.query(REACH);
    const [events] = await this.store.query(EVENTS);
    const before = this.#known?.loads ?? NO_LOADS;
    const [since = NO_LOADS] = await this.store.query(loadsSince(before));
    const loads = withLater(before, since);
    this.#known = {
      reach,
      providers: await this.#providers(version, reach),
      loads,
      last_reconciled_ms: events?.last_reconciled_ms ?? 0,
      unsealed: loads.unsealed - (events?.sealed_late ?? 0),
      sources: await collectedStates(this.store),
      alarms: await readAlarms((alarms) => this.store.query(alarms)),
    };
    this.#version = version.key;
  }

  async #providers(version: Version, reach: DataState['reach']): Promise<DataState['providers']> {
    const brought = await this.store.query(BROUGHT);
    const { providers } = await this.directory.at(version);
    return providers.all.slice(0, MAX_PROVIDERS).map(({ name }) => ({
      provider: name,
      latest_target_date: latestDay(reach.filter(({ provider }) => provider === name)),
      last_loaded_ms: brought.find(({ provider }) => provider === name)?.last_loaded_ms,
    }));
  }
}
