import type { Store } from '../store/store.js';
import {
  columnsOf,
  FEED_NAMES,
  type FeedName,
  type FeedRow,
  type StationFact,
  unreadColumns,
  type ValueFeed,
} from './feed/columns.js';
import { LoadClock } from './feed/load-clock.js';
import { cellAt, plainCell, plainLine, RowWriter } from './feed/plain-row.js';
import {
  feedSize,
  type FeedRecord,
  type Header,
  lineEnd,
  LONGEST_LINE,
  readFeed,
  readFeedBlocks,
  readLine,
} from './feed/read.js';
import type { FeedCounts, FileReport, Place, ReasonCount } from './feed/report.js';
import { type Cells, forecastCells, observationCells, type RowContext, stationFact } from './feed/rows.js';
import { Rejection } from './feed/values.js';
import { implausibleValues, longitudeDoubt } from './implausible-values.js';

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
  /** The clock of the load, which no verified day and no issued forecast may be ahead of; now, unless given. */
  now?: Date;
  onRejected?: (row: RejectedRow) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/** What has been read from the feeds into the staging tables. */
export interface Staged {
  /** Rows by feed; which forecasts and observations are new is not known yet, of stations it is. */
  feeds: Record<FeedName, FeedCounts>;
  files: FileReport[];
  /** Rejections by feed and reason, most frequent first. */
  rejections: ReasonCount[];
  /** Rows that look implausible, by feed and reason, most frequent first. */
  warnings: ReasonCount[];
  /** The line of a feed file that a `row_number` in staging stands for. */
  placeOf: (rowNumber: number) => Place;
}

/** The columns of staged_stations that come from a station. */
const STATION_COLUMNS = columnsOf('stations') as readonly (keyof StationFact)[];

/** The statements that take rows in plain form; views of the tables make values of them. */
const INTAKE: Record<ValueFeed, string> = {
  forecasts: intake('forecast_rows', columnsOf('forecasts')),
  observations: intake('observation_rows', columnsOf('observations')),
};

/**
 * Reads and checks all rows of the feeds into staging.
 * @param known the stations of the store by id, withdrawn ones as well
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

const STAGING = ['staged_stations', 'staged_forecasts', 'staged_observations'];

/** Empties the staging tables. */
export async function clearStaging(store: Store): Promise<void> {
  for (const table of STAGING) await store.command(`TRUNCATE TABLE ${table}`);
}

class Stager {
  readonly #feeds = Object.fromEntries(FEED_NAMES.map((feed) => [feed, noRows()])) as Record<
    FeedName,
    FeedCounts
  >;
  readonly #files: (FileReport & { base: number })[] = [];
  readonly #rejections = new Map<string, ReasonCount>();
  readonly #warnings = new Map<string, ReasonCount>();
  /** The stations of the store and of this load, as its latest row says. */
  readonly #stations: Map<string, StationFact>;
  /** What the rows of this load say of each station, in their order. */
  readonly #stationRows = new Map<string, (Place & { station: StationFact })[]>();
  readonly #clock: LoadClock;
  /** The lines of the files read so far: line 7 of the next one has row_number `base + 7`. */
  #base = 0;

  constructor(
    private readonly store: Store,
    private readonly known: ReadonlyMap<string, StationFact>,
    private readonly loadId: number,
    private readonly options: StageOptions,
  ) {
    this.#clock = new LoadClock(options.now ?? new Date());
    this.#stations = new Map(known);
  }

  async run(files: FeedFiles): Promise<Staged> {
    // Stations first, whatever the order on the command line: the other feeds refer to them.
    for (const file of files.stations) await this.#readStations(file);
    await this.#stageStations();
    const context: RowContext = { station: this.#station, clock: this.#clock };
    for (const file of files.forecasts) {
      await this.#stageValues('forecasts', file, (row: FeedRow<'forecasts'>) => forecastCells(row, context));
    }
    for (const file of files.observations) {
      await this.#stageValues('observations', file, (row: FeedRow<'observations'>) =>
        observationCells(row, context),
      );
    }
    for (const { feed, reason, rows, first_row, detail } of await implausibleValues(this.store)) {
      this.#count(this.#warnings, feed, { reason, detail, place: this.#placeOf(first_row) }, rows);
    }
    const byRows = (counts: Map<string, ReasonCount>): ReasonCount[] =>
      [...counts.values()].sort((a, b) => b.rows - a.rows);
    return {
      feeds: this.#feeds,
      files: this.#files.map(({ feed, file, rows_read, columns_not_read }) => ({
        feed,
        file,
        rows_read,
        columns_not_read,
      })),
      rejections: byRows(this.#rejections),
      warnings: byRows(this.#warnings),
      placeOf: this.#placeOf,
    };
  }

  readonly #station = (id: string): StationFact | undefined => this.#stations.get(id);

  readonly #placeOf = (rowNumber: number): Place => {
    const { file = '', base = 0 } = this.#files.findLast((one) => one.base < rowNumber) ?? {};
    return { file, line: rowNumber - base };
  };

  async #readStations(file: string): Promise<void> {
    const progress = await this.#beginFile('stations', file);
    const judge = (row: FeedRow<'stations'>, line: number): void => {
      const station = stationFact(row, this.#station);
      if (station === undefined) return;
      let rows = this.#stationRows.get(station.station_id);
      if (rows === undefined) this.#stationRows.set(station.station_id, (rows = []));
      rows.push({ file, line, station });
      this.#stations.set(station.station_id, station);
      const doubt = station.withdrawn ? undefined : longitudeDoubt(station);
      if (doubt) this.#count(this.#warnings, 'stations', { ...doubt, place: { file, line } });
    };
    let lines = 1;
    for await (const record of readFeed('stations', file, progress)) {
      await this.#judge('stations', file, record, judge);
      progress.onRow();
      lines = record.line;
    }
    this.#endFile(progress, lines);
  }

  /** Stages the stations of which the last row says something new, and counts their rows. */
  async #stageStations(): Promise<void> {
    const counts = this.#feeds.stations;
    const news: StationFact[] = [];
    for (const [id, rows] of this.#stationRows) {
      const last = JSON.stringify(rows.at(-1)?.station);
      const contradicted = rows.filter(({ station }) => JSON.stringify(station) !== last);
      counts.rows_contradicted += contradicted.length;
      const [first] = contradicted;
      if (first) counts.first_contradicted ??= { file: first.file, line: first.line };
      const before = this.known.get(id);
      const station = this.#station(id);
      if (station === undefined || JSON.stringify(before) === last) continue;
      if (before === undefined) counts.rows_new += 1;
      else counts.rows_corrected += 1;
      news.push(station);
    }
    await this.store.insert(
      'staged_stations',
      [...STATION_COLUMNS, 'load_id'],
      news.map((station) => [...STATION_COLUMNS.map((name) => station[name]), this.loadId]),
    );
  }

  /** @param judge makes a row in plain form of one in another form */
  async #stageValues<Name extends ValueFeed>(
    feed: Name,
    file: string,
    judge: (row: FeedRow<Name>) => Cells,
  ): Promise<void> {
    const progress = await this.#beginFile(feed, file);
    // The engine takes in what is written while more is read.
    let inserting = Promise.resolve();
    const flush = async (rows: string): Promise<void> => {
      await inserting;
      inserting = rows === '' ? inserting : this.store.insertText(INTAKE[feed], rows);
      inserting.catch(() => {}); // the next flush, or the end, meets the same failure
    };
    let plain: PlainLines | undefined;
    let writer: RowWriter | undefined;
    let lines = 1;
    for await (const { header, line, bytes } of readFeedBlocks(feed, file, progress)) {
      plain ??= new PlainLines(feed, header, this.#clock, this.#station);
      writer ??= new RowWriter(feed, header, this.loadId);
      const text = bytes.toString('latin1'); // a byte is a character, whatever it stands for
      lines = line;
      for (let at = 0; at < text.length; lines += 1) {
        const rowNumber = this.#base + lines;
        const station = plain.stationAt(text, at);
        if (station !== undefined) {
          const { end } = plain;
          if (!writer.hasRoomFor(end - at)) await flush(writer.take());
          writer.addLine(rowNumber, bytes, at, end);
          const observation = feed === 'observations' ? plain.earlyObservation(text, at) : undefined;
          if (observation !== undefined) this.#checkObserved({ file, line: lines }, station, observation);
          at = end;
        } else {
          const end = lineEnd(bytes, at);
          const record = readLine(feed, header, lines, bytes.subarray(at, end));
          at = end;
          if (record === undefined) continue;
          const cells = await this.#judge(feed, file, record, judge);
          if (cells !== undefined) {
            if (!writer.hasRoomFor(header.names.length + 256)) await flush(writer.take());
            writer.addCells(rowNumber, feed, cells);
            this.#checkCells(feed, { file, line: lines }, cells);
          }
        }
        progress.onRow();
      }
    }
    await flush(writer?.take() ?? '');
    await inserting;
    this.#endFile(progress, lines);
  }

  /** Warns of a row that was judged in JavaScript. */
  #checkCells(feed: ValueFeed, place: Place, cells: Cells): void {
    const station = this.#station(cells.station_id ?? '');
    if (station === undefined) return;
    if (station.withdrawn) {
      const doubt = { reason: 'station is withdrawn', detail: station.station_id };
      this.#count(this.#warnings, feed, { ...doubt, place });
    }
    if (feed === 'observations' && cells.withdrawn === undefined && cells.status === 'verified') {
      const { date = '', observed_at = '' } = cells;
      this.#checkObserved(place, station, { date, observedAt: observed_at.replace(' ', 'T') });
    }
  }

  /**
   * Warns of a verified observation that was made before its day was over. A preliminary one is by its nature: half of
   * a year of climate reports are those of the afternoon.
   */
  #checkObserved(place: Place, station: StationFact, { date, observedAt }: Observation): void {
    const end = this.#clock.dayEnd(station, date);
    if (observedAt.slice(0, end.length) >= end) return;
    const detail = `${date} ends at ${end}Z in ${station.timezone}; observed_at is ${observedAt.slice(0, 19)}`;
    this.#count(this.#warnings, 'observations', { reason: 'verified before its day is over', detail, place });
  }

  /** Begins a file: where to count its rows, and what to tell of it on the way. */
  async #beginFile(feed: FeedName, file: string): Promise<FileProgress> {
    const size = await feedSize(file);
    const report = { feed, file, rows_read: 0, columns_not_read: [], base: this.#base };
    this.#files.push(report);
    const counts = this.#feeds[feed];
    return new FileProgress(report, counts, size, this.options.onProgress);
  }

  #endFile(progress: FileProgress, lines: number): void {
    this.#base += lines;
    progress.tell();
  }

  /** Uses a row, or rejects it. */
  async #judge<Name extends FeedName, Used>(
    feed: Name,
    file: string,
    record: FeedRecord<Name>,
    use: (row: FeedRow<Name>, line: number) => Used,
  ): Promise<Used | undefined> {
    const { line, text } = record;
    try {
      if ('rejection' in record) throw record.rejection;
      return use(record.row, line);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { reason, detail } = error;
      this.#feeds[feed].rows_rejected += 1;
      this.#count(this.#rejections, feed, { reason, detail, place: { file, line } });
      await this.options.onRejected?.({ feed, file, line, reason, detail, text });
      return undefined;
    }
  }

  #count(
    counts: Map<string, ReasonCount>,
    feed: FeedName,
    { reason, detail, place }: { reason: string; detail: string; place: Place },
    rows = 1,
  ): void {
    const key = `${feed} ${reason}`;
    const count = counts.get(key) ?? { feed, reason, rows: 0, first: { ...place, detail } };
    count.rows += rows;
    counts.set(key, count);
  }
}

interface Observation {
  date: string;
  /** UTC, `YYYY-MM-DDThh:mm` and more. */
  observedAt: string;
}

/** The first letter of `verified`; plain lines write it so. */
const V = 118;

/** Recognizes the lines of a file that are in plain form. */
class PlainLines {
  readonly #line: RegExp;
  readonly #stationPosition: number;
  readonly #datePosition: number;
  readonly #observedPosition: number;
  readonly #statusPosition: number;

  /** The end of the line that was recognized last. */
  end = 0;

  constructor(
    feed: ValueFeed,
    { names, positions }: Header,
    clock: LoadClock,
    private readonly station: (id: string) => StationFact | undefined,
  ) {
    this.#line = plainLine(feed, { names, positions }, clock);
    this.#stationPosition = names.indexOf('station_id');
    this.#datePosition = names.indexOf('date');
    this.#observedPosition = names.indexOf('observed_at');
    this.#statusPosition = names.indexOf('status');
  }

  /** The station of the plain line that begins at a place; undefined when JavaScript is to judge the line. */
  stationAt(text: string, at: number): StationFact | undefined {
    this.#line.lastIndex = at;
    if (!this.#line.test(text)) return undefined;
    this.end = this.#line.lastIndex;
    if (this.end - at > LONGEST_LINE) return undefined;
    const station = this.station(plainCell(text, cellAt(text, at, this.#stationPosition)));
    return station?.withdrawn === true ? undefined : station;
  }

  /**
   * The verified observation of the plain line that begins at a place, if it may have been made before its day was
   * over. Most have not, and show it by their dates alone: from 16:00 UTC of the next day on, a day is over everywhere.
   */
  earlyObservation(text: string, at: number): Observation | undefined {
    if (text.charCodeAt(cellAt(text, at, this.#statusPosition)) !== V) return undefined;
    const date = cellAt(text, at, this.#datePosition);
    const observed = cellAt(text, at, this.#observedPosition);
    const days = twoDigits(text, observed + 8) - twoDigits(text, date + 8);
    if (days > 1 || (days === 1 && twoDigits(text, observed + 11) >= 16)) {
      let same = 0; // year and month
      while (same < 7 && text.charCodeAt(date + same) === text.charCodeAt(observed + same)) same += 1;
      if (same === 7) return undefined;
    }
    return { date: plainCell(text, date), observedAt: plainCell(text, observed) };
  }
}

/** The number that two digits at a place write. */
function twoDigits(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * 48;
}

/** Counts the rows of a file and tells of them on the way. */
class FileProgress {
  #bytes = 0;

  constructor(
    private readonly report: FileReport,
    private readonly counts: FeedCounts,
    private readonly size: number,
    private readonly onProgress: StageOptions['onProgress'],
  ) {}

  readonly onHeader = ({ names }: Header): void => {
    this.report.columns_not_read = unreadColumns(this.report.feed, names);
  };

  readonly onBytes = (bytes: number): void => {
    this.#bytes = bytes;
  };

  onRow(): void {
    this.report.rows_read += 1;
    this.counts.rows_read += 1;
    if (this.report.rows_read % 10_000 === 0) this.tell();
  }

  tell(): void {
    const share = this.size === 0 ? 1 : this.#bytes / this.size;
    this.onProgress?.({ file: this.report.file, rows: this.report.rows_read, share });
  }
}

function noRows(): FeedCounts {
  return {
    rows_read: 0,
    rows_new: 0,
    rows_corrected: 0,
    rows_unchanged: 0,
    rows_rejected: 0,
    rows_contradicted: 0,
    first_contradicted: null,
  };
}

function intake(table: string, columns: readonly string[]): string {
  return `
    INSERT INTO ${table} (row_number, load_id, ${columns.join(', ')})
    SETTINGS input_format_csv_skip_first_lines = 1, input_format_with_names_use_header = 1,
      input_format_skip_unknown_fields = 1, input_format_csv_empty_as_default = 1,
      date_time_input_format = 'best_effort'
    FORMAT CSVWithNames`;
}
