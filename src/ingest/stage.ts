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
} from './feed/columns.js';
import {
  type PlainCells,
  plainForecast,
  plainLine,
  plainObservation,
  RowWriter,
  type ValueFeed,
} from './feed/plain-row.js';
import {
  feedSize,
  type FeedRecord,
  lineEnd,
  LONGEST_LINE,
  readFeed,
  readFeedBlocks,
  readLine,
} from './feed/read.js';
import type { FeedCounts, RejectionCount } from './feed/report.js';
import { Rejection } from './feed/values.js';

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

const STATION_COLUMNS = FEED_COLUMNS.stations; // the fact has the columns of the feed

/** Take plain rows of a feed; the views of the tables make values of them. */
const INTAKE: Record<ValueFeed, string> = {
  forecasts: intake('forecast_rows', FEED_COLUMNS.forecasts),
  observations: intake('observation_rows', FEED_COLUMNS.observations),
};

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
      await this.#stageValues('forecasts', file, isKnown, (row: FeedRow<'forecasts'>) =>
        plainForecast(forecastFacts(row, isKnown)),
      );
    }
    for (const file of files.observations) {
      await this.#stageValues('observations', file, isKnown, (row: FeedRow<'observations'>) =>
        plainObservation(observationFacts(row, isKnown)),
      );
    }
    return {
      feeds: this.#feeds,
      rejections: [...this.#rejections.values()].sort((a, b) => b.rows - a.rows),
    };
  }

  async #readStations(file: string): Promise<void> {
    const counts = this.#feeds.stations;
    const reading = await this.#reading('stations', file);
    const take = (row: FeedRow<'stations'>): void => {
      const station = stationFact(row);
      const before = this.#stations.get(station.station_id) ?? this.known.get(station.station_id);
      if (JSON.stringify(before) !== JSON.stringify(station)) {
        if (before === undefined) counts.rows_new += 1;
        else counts.rows_corrected += 1;
        this.#stations.set(station.station_id, station);
      }
    };
    for await (const record of readFeed('stations', file, reading.onBytes)) {
      await this.#judge('stations', file, record, take);
      reading.onRow();
    }
    reading.onEnd();
  }

  /** @param write makes a plain row of one that is written in another way */
  async #stageValues<Name extends ValueFeed>(
    feed: Name,
    file: string,
    isKnown: (stationId: string) => boolean,
    write: (row: FeedRow<Name>) => PlainCells,
  ): Promise<void> {
    const reading = await this.#reading(feed, file);
    // The engine takes in what is written while more is read.
    let inserting = Promise.resolve();
    const flush = async (rows: string): Promise<void> => {
      await inserting;
      inserting = rows === '' ? inserting : this.store.insertText(INTAKE[feed], rows);
      inserting.catch(() => {}); // the next flush, or the end, meets the same failure
    };
    let plain: RegExp | undefined;
    let writer: RowWriter | undefined;
    for await (const { header, line, bytes } of readFeedBlocks(feed, file, reading.onBytes)) {
      plain ??= plainLine(feed, header);
      writer ??= new RowWriter(feed, header, this.loadId);
      const position = header.positions[0] ?? 0;
      const text = bytes.toString('latin1'); // a byte is a character, whatever it stands for
      for (let at = 0, number = line; at < text.length; number += 1) {
        plain.lastIndex = at;
        if (
          plain.test(text) &&
          plain.lastIndex - at <= LONGEST_LINE &&
          isKnown(stationAt(text, at, position))
        ) {
          const end = plain.lastIndex;
          if (!writer.hasRoomFor(end - at)) await flush(writer.take());
          writer.addLine((this.#rowNumber += 1), bytes, at, end);
          at = end;
        } else {
          const end = lineEnd(bytes, at);
          const record = readLine(feed, header, number, bytes.subarray(at, end));
          at = end;
          if (record === undefined) continue;
          const cells = await this.#judge(feed, file, record, write);
          if (cells?.station_id !== undefined) {
            if (!writer.hasRoomFor(header.names.length + 256)) await flush(writer.take());
            writer.addCells((this.#rowNumber += 1), feed, cells);
          }
        }
        reading.onRow();
      }
    }
    await flush(writer?.take() ?? '');
    await inserting;
    reading.onEnd();
  }

  /** What to tell of the reading of a file: bytes, rows and its end. */
  async #reading(feed: FeedName, file: string) {
    const size = await feedSize(file);
    let bytesRead = 0;
    let rows = 0;
    const onEnd = (): void =>
      this.options.onProgress?.({ file, rows, share: size === 0 ? 1 : bytesRead / size });
    return {
      onBytes: (bytes: number): void => void (bytesRead = bytes),
      onRow: (): void => {
        rows += 1;
        this.#feeds[feed].rows_read += 1;
        if (rows % 10_000 === 0) onEnd();
      },
      onEnd,
    };
  }

  /** Uses a row, or rejects it. */
  async #judge<Name extends FeedName, Used>(
    feed: Name,
    file: string,
    record: FeedRecord<Name>,
    use: (row: FeedRow<Name>) => Used,
  ): Promise<Used | undefined> {
    try {
      if ('rejection' in record) throw record.rejection;
      return use(record.row);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { reason, detail } = error;
      await this.#reject({ feed, file, line: record.line, reason, detail, text: record.text });
      return undefined;
    }
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

function intake(table: string, columns: readonly string[]): string {
  return `
    INSERT INTO ${table} (row_number, load_id, ${columns.join(', ')})
    SETTINGS input_format_csv_skip_first_lines = 1, input_format_with_names_use_header = 1,
      input_format_skip_unknown_fields = 1, input_format_csv_empty_as_default = 1,
      date_time_input_format = 'best_effort'
    FORMAT CSVWithNames`;
}

/** The station of the plain line that begins at a place. */
function stationAt(text: string, at: number, position: number): string {
  let begin = at;
  for (let cell = 0; cell < position; cell += 1) begin = text.indexOf(',', begin) + 1;
  let end = begin;
  while (text.charCodeAt(end) >= 48) end += 1; // letters and digits; what separates cells and lines is below
  return text.slice(begin, end);
}
