import { z } from 'zod';
import type { Store } from '../store/store.js';
import { applyForecasts, applyObservations, countForecasts, noteUnsettled } from './apply.js';
import {
  FEED_NAMES,
  type FeedName,
  type FeedRow,
  forecastFacts,
  observationFacts,
  type StationFact,
  stationFact,
} from './feeds.js';
import { feedSize, readFeed } from './read-feed.js';
import type { FeedCounts, LoadReport, RejectionCount } from './report.js';
import { settle, settleLeftovers, unsettledSpans } from './settle.js';
import { Rejection } from './values.js';

export type FeedFiles = Record<FeedName, readonly string[]>;

export interface RejectedRow {
  feed: FeedName;
  file: string;
  line: number;
  reason: string;
  detail: string;
  text: string;
}

export interface Progress {
  file: string;
  rows: number;
  /** Share of the file that has been read, 0..1. */
  share: number;
}

export interface LoadOptions {
  /** Any rejected row fails the load, and nothing of it goes in. */
  strict?: boolean;
  onRejected?: (row: RejectedRow) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

// Rows of one insert: large enough for the engine, small enough that a load's memory does not grow with its files.
const STAGED_AT_ONCE = 20_000;

const STAGING = {
  forecasts: ['metric', 'station_id', 'target_date', 'issued_at', 'forecast', 'row_number', 'load_id'],
  observations: [
    'metric',
    'station_id',
    'target_date',
    'observation_status',
    'observed_at',
    'actual',
    'row_number',
    'load_id',
  ],
} as const;

const stationRow = z.object({
  station_id: z.string(),
  city_name: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  climate_zone: z.string(),
  data_active: z.boolean(),
  aliases: z.array(z.string()),
  iata: z.string(),
}) satisfies z.ZodType<StationFact>;

/**
 * Loads feed files: reads and checks everything into staging first, then adds what is new to the facts and settles
 * the station days that it touches (D24..D26). Until everything has been read nothing is applied; a load that dies
 * later is completed by the next one. Loads run one at a time.
 * @returns the report; `outcome` is `failed` when `strict` and a row was rejected, and then nothing went in
 * @throws UnreadableFeed, StoreUnavailable; nothing went in then either
 */
export async function load(store: Store, files: FeedFiles, options: LoadOptions = {}): Promise<LoadReport> {
  return new Load(store, options).run(files);
}

/** Takes the next load_id, and notes that the load has started. */
export async function beginLoad(store: Store): Promise<number> {
  const [latest] = await store.query(
    'SELECT max(load_id) AS load_id FROM loads',
    {},
    z.object({ load_id: z.number() }),
  );
  const loadId = (latest?.load_id ?? 0) + 1;
  await store.insert('loads', ['load_id', 'event', 'report'], [[loadId, 'started', '']]);
  return loadId;
}

class Load {
  readonly #started = performance.now();
  readonly #feeds = Object.fromEntries(FEED_NAMES.map((feed) => [feed, noRows()])) as Record<
    FeedName,
    FeedCounts
  >;
  readonly #rejections = new Map<string, RejectionCount>();
  readonly #stations = new Map<string, StationFact>();
  readonly #newStations = new Map<string, StationFact>();
  #loadId = 0;
  #rowNumber = 0;

  constructor(
    private readonly store: Store,
    private readonly options: LoadOptions,
  ) {}

  async run(files: FeedFiles): Promise<LoadReport> {
    for (const feed of FEED_NAMES) for (const file of files[feed]) await feedSize(file);
    await this.#begin();
    try {
      // Stations first, whatever the order on the command line: the other feeds refer to them.
      for (const file of files.stations) await this.#stageStations(file);
      const isKnown = (id: string): boolean => this.#stations.has(id);
      for (const file of files.forecasts) {
        await this.#stage('forecasts', file, (row: FeedRow<'forecasts'>) => forecastFacts(row, isKnown));
      }
      for (const file of files.observations) {
        await this.#stage('observations', file, (row: FeedRow<'observations'>) =>
          observationFacts(row, isKnown),
        );
      }
    } catch (error) {
      await this.#end('failed', { error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    const rejected = FEED_NAMES.some((feed) => this.#feeds[feed].rows_rejected > 0);
    if (rejected && this.options.strict === true) {
      const report = await this.#report('failed', { without_observation: 0, issued_after_day_began: 0 });
      await this.#end('failed', report);
      return report;
    }
    const counts = await this.#apply();
    const report = await this.#report(rejected ? 'some_rows_rejected' : 'complete', counts);
    await this.#end('finished', report);
    return report;
  }

  async #begin(): Promise<void> {
    this.#loadId = await beginLoad(this.store);
    await this.#clearStaging();
    await settleLeftovers(this.store, this.#loadId);
    for (const station of await this.store.query('SELECT * FROM current_stations', {}, stationRow)) {
      this.#stations.set(station.station_id, station);
    }
  }

  async #stageStations(file: string): Promise<void> {
    await this.#readRows('stations', file, (row: FeedRow<'stations'>) => {
      const station = stationFact(row);
      const known = this.#stations.get(station.station_id);
      const counts = this.#feeds.stations;
      if (known === undefined) counts.rows_new += 1;
      else if (JSON.stringify(known) === JSON.stringify(station)) counts.rows_unchanged += 1;
      else counts.rows_corrected += 1;
      if (known === undefined || JSON.stringify(known) !== JSON.stringify(station)) {
        this.#newStations.set(station.station_id, station);
        this.#stations.set(station.station_id, station);
      }
      return Promise.resolve();
    });
  }

  async #stage<Name extends 'forecasts' | 'observations'>(
    feed: Name,
    file: string,
    facts: (row: FeedRow<Name>) => unknown[][],
  ): Promise<void> {
    let batch: unknown[][] = [];
    const flush = async (): Promise<void> => {
      const rows = batch;
      batch = [];
      await this.store.insert(`staged_${feed}`, STAGING[feed], rows);
    };
    await this.#readRows(feed, file, async (row: FeedRow<Name>) => {
      const values = facts(row);
      this.#rowNumber += 1;
      for (const value of values) batch.push([...value, this.#rowNumber, this.#loadId]);
      if (batch.length >= STAGED_AT_ONCE) await flush();
    });
    await flush();
  }

  async #readRows<Name extends FeedName>(
    feed: Name,
    file: string,
    use: (row: FeedRow<Name>) => Promise<void>,
  ): Promise<void> {
    const counts = this.#feeds[feed];
    const size = await feedSize(file);
    let bytesRead = 0;
    let rows = 0;
    const progress = (): void =>
      this.options.onProgress?.({ file, rows, share: size === 0 ? 1 : bytesRead / size });
    for await (const record of readFeed(feed, file, (bytes) => (bytesRead = bytes))) {
      rows += 1;
      counts.rows_read += 1;
      try {
        if ('rejection' in record) throw record.rejection;
        await use(record.row);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        await this.#reject({
          feed,
          file,
          line: record.line,
          reason: error.reason,
          detail: error.detail,
          text: record.text,
        });
      }
      if (rows % 10_000 === 0) progress();
    }
    progress();
  }

  async #reject(row: RejectedRow): Promise<void> {
    const { feed, file, line, reason, detail } = row;
    this.#feeds[feed].rows_rejected += 1;
    const key = `${feed} ${reason}`;
    const count = this.#rejections.get(key) ?? { feed, reason, rows: 0, first: { file, line, detail } };
    count.rows += 1;
    this.#rejections.set(key, count);
    await this.options.onRejected?.(row);
  }

  async #apply(): Promise<ForecastCounts> {
    const rezoned = await this.#rezonedStations();
    await noteUnsettled(this.store, rezoned, this.#loadId);
    await this.store.insert(
      'stations',
      [...Object.keys(stationRow.shape), 'load_id'],
      [...this.#newStations.values()].map((station) => [
        ...(Object.values(station) as unknown[]),
        this.#loadId,
      ]),
    );
    const counts = { without_observation: 0, issued_after_day_began: 0 };
    for (const span of await unsettledSpans(this.store)) {
      add(this.#feeds.forecasts, await applyForecasts(this.store, span, this.#loadId));
      add(this.#feeds.observations, await applyObservations(this.store, span, this.#loadId));
      await settle(this.store, span, this.#loadId);
      const found = await countForecasts(this.store, span);
      counts.without_observation += found.without_observation;
      counts.issued_after_day_began += found.issued_after_day_began;
    }
    await this.store.command('TRUNCATE TABLE unsettled');
    return counts;
  }

  /** Stations that this load moves to another zone: the lead times of all their pairs change. */
  async #rezonedStations(): Promise<string[]> {
    const before = await this.store.query(
      'SELECT station_id, timezone FROM current_stations',
      {},
      z.object({ station_id: z.string(), timezone: z.string() }),
    );
    return before
      .filter(
        ({ station_id, timezone }) => (this.#newStations.get(station_id)?.timezone ?? timezone) !== timezone,
      )
      .map(({ station_id }) => station_id);
  }

  async #report(outcome: LoadReport['outcome'], counts: ForecastCounts): Promise<LoadReport> {
    const [pairs] = await this.store.query(
      `SELECT sumIf(sign, sign > 0) AS pairs_added, -sumIf(sign, sign < 0) AS pairs_withdrawn
      FROM pairs
      WHERE load_id = {load_id: UInt32}`,
      { load_id: this.#loadId },
      z.object({ pairs_added: z.number(), pairs_withdrawn: z.number() }),
    );
    for (const feed of ['forecasts', 'observations'] as const) {
      const { rows_read, rows_new, rows_corrected, rows_rejected } = this.#feeds[feed];
      if (outcome !== 'failed') {
        this.#feeds[feed].rows_unchanged = rows_read - rows_new - rows_corrected - rows_rejected;
      }
    }
    const seconds = (performance.now() - this.#started) / 1000;
    const rows = FEED_NAMES.reduce((sum, feed) => sum + this.#feeds[feed].rows_read, 0);
    return {
      load_id: this.#loadId,
      outcome,
      feeds: this.#feeds,
      rejections: [...this.#rejections.values()].sort((a, b) => b.rows - a.rows),
      pairs_added: pairs?.pairs_added ?? 0,
      pairs_withdrawn: pairs?.pairs_withdrawn ?? 0,
      forecasts_without_observation: counts.without_observation,
      forecasts_issued_after_day_began: counts.issued_after_day_began,
      seconds: Math.round(seconds * 100) / 100,
      rows_per_second: Math.round(rows / seconds),
      peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    };
  }

  async #end(event: 'finished' | 'failed', report: object): Promise<void> {
    await this.store.insert(
      'loads',
      ['load_id', 'event', 'report'],
      [[this.#loadId, event, JSON.stringify(report)]],
    );
    await this.#clearStaging();
  }

  async #clearStaging(): Promise<void> {
    await this.store.command('TRUNCATE TABLE staged_forecasts');
    await this.store.command('TRUNCATE TABLE staged_observations');
  }
}

interface ForecastCounts {
  without_observation: number;
  issued_after_day_began: number;
}

function noRows(): FeedCounts {
  return { rows_read: 0, rows_new: 0, rows_corrected: 0, rows_unchanged: 0, rows_rejected: 0 };
}

function add(counts: FeedCounts, more: { rows_new: number; rows_corrected: number }): void {
  counts.rows_new += more.rows_new;
  counts.rows_corrected += more.rows_corrected;
}
