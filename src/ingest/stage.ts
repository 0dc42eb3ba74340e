import type { Store } from '../store/store.js';
import {
  FEED_COLUMNS,
  FEED_NAMES,
  type FeedName,
  type FeedRow,
  forecastFacts,
  observationFacts,
  type StationFact,
  stationFact,
} from './feeds.js';
import { feedSize, readFeed } from './read-feed.js';
import type { FeedCounts, RejectionCount } from './report.js';
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

export interface StageOptions {
  onRejected?: (row: RejectedRow) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/** What has been read from the feeds into the staging tables. */
export interface Staged {
  /** Rows by feed; which forecasts and observations are new is not known yet, of stations it is. */
  feeds: Record<FeedName, FeedCounts>;
  /** Rejections by feed and reason, most frequent first. */
  rejections: RejectionCount[];
}

// Values of one insert: large enough for the engine, small enough that a load's memory does not grow with its files.
const STAGED_AT_ONCE = 20_000;

const STATION_COLUMNS = FEED_COLUMNS.stations; // the fact has the columns of the feed

const STAGING_COLUMNS = {
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

/**
 * Reads and checks all rows of the feeds into staging.
 * @param known the stations of the store, by id
 * @throws UnreadableFeed
 */
export async function stageFeeds(
  store: Store,
  files: FeedFiles,
  known: ReadonlyMap<string, StationFact>,
  loadId: number,
  options: StageOptions,
): Promise<Staged> {
  return new Stager(store, known, loadId, options).run(files);
}

/** Empties the staging tables. */
export async function clearStaging(store: Store): Promise<void> {
  await store.command('TRUNCATE TABLE staged_stations');
  await store.command('TRUNCATE TABLE staged_forecasts');
  await store.command('TRUNCATE TABLE staged_observations');
}

class Stager {
  readonly #feeds = Object.fromEntries(FEED_NAMES.map((feed) => [feed, noRows()])) as Record<
    FeedName,
    FeedCounts
  >;
  readonly #rejections = new Map<string, RejectionCount>();
  /** Stations that say something new. */
  readonly #stations = new Map<string, StationFact>();
  #rowNumber = 0;

  constructor(
    private readonly store: Store,
    private readonly known: ReadonlyMap<string, StationFact>,
    private readonly loadId: number,
    private readonly options: StageOptions,
  ) {}

  async run(files: FeedFiles): Promise<Staged> {
    // Stations first, whatever the order on the command line: the other feeds refer to them.
    for (const file of files.stations) await this.#readStations(file);
    await this.store.insert(
      'staged_stations',
      [...STATION_COLUMNS, 'load_id'],
      [...this.#stations.values()].map((station) => [
        ...STATION_COLUMNS.map((name) => station[name]),
        this.loadId,
      ]),
    );
    const isKnown = (id: string): boolean => this.#stations.has(id) || this.known.has(id);
    for (const file of files.forecasts) {
      await this.#stageValues('forecasts', file, (row: FeedRow<'forecasts'>) => forecastFacts(row, isKnown));
    }
    for (const file of files.observations) {
      await this.#stageValues('observations', file, (row: FeedRow<'observations'>) =>
        observationFacts(row, isKnown),
      );
    }
    return {
      feeds: this.#feeds,
      rejections: [...this.#rejections.values()].sort((a, b) => b.rows - a.rows),
    };
  }

  async #readStations(file: string): Promise<void> {
    const counts = this.#feeds.stations;
    await this.#readRows('stations', file, (row: FeedRow<'stations'>) => {
      const station = stationFact(row);
      const before = this.#stations.get(station.station_id) ?? this.known.get(station.station_id);
      if (JSON.stringify(before) !== JSON.stringify(station)) {
        if (before === undefined) counts.rows_new += 1;
        else counts.rows_corrected += 1;
        this.#stations.set(station.station_id, station);
      }
      return Promise.resolve();
    });
  }

  async #stageValues<Name extends 'forecasts' | 'observations'>(
    feed: Name,
    file: string,
    facts: (row: FeedRow<Name>) => unknown[][],
  ): Promise<void> {
    let batch: unknown[][] = [];
    // The engine takes in one batch while the next is read.
    let inserting = Promise.resolve();
    const flush = async (): Promise<void> => {
      const rows = batch;
      batch = [];
      await inserting;
      inserting = this.store.insert(`staged_${feed}`, STAGING_COLUMNS[feed], rows);
      inserting.catch(() => {}); // the next flush, or the end, meets the same failure
    };
    await this.#readRows(feed, file, async (row: FeedRow<Name>) => {
      const values = facts(row);
      this.#rowNumber += 1;
      for (const value of values) batch.push([...value, this.#rowNumber, this.loadId]);
      if (batch.length >= STAGED_AT_ONCE) await flush();
    });
    await flush();
    await inserting;
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
        const { reason, detail } = error;
        await this.#reject({ feed, file, line: record.line, reason, detail, text: record.text });
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
}

function noRows(): FeedCounts {
  return { rows_read: 0, rows_new: 0, rows_corrected: 0, rows_unchanged: 0, rows_rejected: 0 };
}
