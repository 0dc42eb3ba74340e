import type { RejectedRow, RowLocation } from '../load-report.js';
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../store/store.js';
import {
  getColumns,
  type FeedColumn,
  type FeedName,
  type FileKind,
  type FeedRow,
  type StationFact,
  VALUE_FEEDS,
  type ValueFeed,
} from '../read/columns.js';
import { LoadClock } from '../read/load-clock.js';
import { PlainMembers } from './plain-members.js';
import { type Lines, PlainRows, presentColumns } from './plain-rows.js';
import {
  countLines,
  type FeedObserver,
  feedSize,
  type FeedRecord,
  readFeed,
  readFeedBlocks,
  readLine,
} from '../read/read.js';
import { type Header, UnreadableFeed } from '../read/header.js';
import { Members } from '../read/members.js';
import { CELLS, type Cells, type RowContext, type RowFacts, stationFact } from '../read/feed-rows.js';
import { type Reason, Rejection } from '../read/values.js';
import { aliasNote, findHolders } from '../read/shared-aliases.js';
import { moveNote, placeWarning } from '../read/station-places.js';
import { type FileTally, type Progress, LoadTally } from '../load-tally.js';

/** The files of each kind; a kind that is left out brings no file. */
export type FeedFiles = Partial<Record<FileKind, readonly string[]>>;

export interface StageOptions {
  /** The clock of the load, which no verified day and no issued forecast may be ahead of; now, unless given. */
  now?: Date;
  /** Ends the reading. */
  signal?: AbortSignal;
  onRejected?: (row: RejectedRow) => Promise<void>;
  /** Receives the rows whose quantiles are left out, and at the end those with a value that is far from others. */
  onSuspect?: (row: RejectedRow) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

// The lines of a large file land in the store as they are. One statement stages those in plain form (plain-rows.ts); the
// others come back. They are judged here, as the lines of a small file are.

/** Lines that are judged between two pauses, come back at once, or are inserted at once; each takes some µs. */
const LINES_AT_ONCE = 10_000;

/** Characters of lines that are judged between two pauses: a line may have 64,000. */
const CHARACTERS_AT_ONCE = 4_000_000;

/** Bytes from which the lines of a file land: below, the statements for it take longer than to judge each line. */
const LARGE_BYTES = 100_000;

/** The columns of staged_stations that come from a station. */
const STATION_COLUMNS = getColumns('stations') as readonly (keyof StationFact)[];

/** The columns that a forecast may have and its members may not. */
const OF_DISTRIBUTION = /^(high|low)_(sd|p\d\d)_[cf]$/;

/** The tables that take rows in plain form; their views make values of them. */
const ROWS: Record<ValueFeed, string> = {
  forecasts: 'forecast_rows',
  observations: 'observation_rows',
  normals: 'normal_rows',
  hours: 'hour_rows',
};

/**
 * Reads and checks all rows of the feeds into staging.
 * @param known the stations of the store by id, withdrawn ones as well.
 * @returns the rows by feed, in which `rows_new` and `rows_corrected` are those of stations alone: apply/ finds out
 * which values are new.
 * @throws UnreadableFeed
 */
export async function stageFeeds(
  store: Store,
  files: FeedFiles,
  known: ReadonlyMap<string, StationFact>,
  loadId: number,
  options: StageOptions,
): Promise<LoadTally> {
  return new Stager(store, known, loadId, options).run(files);
}

/** Rows that are staged some at a time. */
interface Rows {
  add: (rowNumber: number, cells: Cells) => Promise<void>;
  flush: () => Promise<void>;
}

class Stager {
  readonly #tally: LoadTally;
  readonly #clock: LoadClock;
  readonly #rowFacts: RowFacts;
  /** The stations of the store and of this load, as its latest row says. */
  readonly #stations: Map<string, StationFact>;
  /** The rows of this load for each station, in their order. */
  readonly #stationRows = new Map<string, (RowLocation & { station: StationFact })[]>();

  constructor(
    private readonly store: Store,
    private readonly known: ReadonlyMap<string, StationFact>,
    private readonly loadId: number,
    private readonly options: StageOptions,
  ) {
    this.#tally = new LoadTally(options.onProgress);
    this.#clock = new LoadClock(options.now ?? new Date());
    this.#rowFacts = { station: this.#station, clock: this.#clock };
    this.#stations = new Map(known);
  }

  readonly #station = (id: string): StationFact | undefined => this.#stations.get(id);

  async run(files: FeedFiles): Promise<LoadTally> {
    // Stations first, whatever the order on the command line: the other feeds refer to them.
    for (const file of files.stations ?? []) await this.#readStations(file);
    await this.#stageStations();
    for (const feed of VALUE_FEEDS) {
      for (const file of files[feed] ?? []) await this.#stageValues(feed, file);
    }
    for (const file of files.members ?? []) await this.#stageMembers(file);
    return this.#tally;
  }

  async #readStations(file: string): Promise<void> {
    const tally = await this.#beginFile('stations', file);
    const judge = (row: FeedRow<'stations'>, location: RowLocation): void => {
      const station = stationFact(row, this.#station);
      if (station === undefined) return;
      let rows = this.#stationRows.get(station.station_id);
      if (rows === undefined) this.#stationRows.set(station.station_id, (rows = []));
      rows.push({ ...location, station });
      this.#stations.set(station.station_id, station);
      const warning = station.withdrawn
        ? undefined
        : placeWarning(station, this.known.get(station.station_id));
      if (warning) this.#tally.warn('stations', location, warning);
    };
    for await (const record of this.#read(readFeed('stations', file, tally), tally))
      await this.#judge('stations', file, record, judge);
    tally.reportProgress();
  }

  /** Stages the stations whose last row says something new, and counts their rows. */
  async #stageStations(): Promise<void> {
    const counts = this.#tally.feeds.stations;
    const news: StationFact[] = [];
    const holders = findHolders(this.#stations.values());
    for (const [id, rows] of this.#stationRows) {
      const last = JSON.stringify(rows.at(-1)?.station);
      const contradicted = rows.filter(({ station }) => JSON.stringify(station) !== last);
      counts.rows_contradicted += contradicted.length;
      const [first] = contradicted;
      if (first) counts.first_contradicted ??= { file: first.file, line: first.line };
      const before = this.known.get(id);
      const station = this.#station(id);
      if (station === undefined || JSON.stringify(before) === last) continue;
      const { file, line } = rows.at(-1)!;
      const note = (found: Reason | undefined): void => {
        if (found) this.#tally.note('stations', { file, line }, found);
      };
      if (before === undefined) counts.rows_new += 1;
      else {
        counts.rows_corrected += 1;
        if (!station.withdrawn) note(moveNote(station, before));
      }
      note(aliasNote(station, holders));
      news.push(station);
      this.#tally.filled.add('staged_stations');
    }
    await this.store.insert(
      'staged_stations',
      [...STATION_COLUMNS, 'load_id'],
      news.map((station) => [...STATION_COLUMNS.map((name) => station[name]), this.loadId]),
    );
  }

  async #stageValues<Name extends ValueFeed>(feed: Name, file: string): Promise<void> {
    const judge = (row: FeedRow<Name>, _: RowLocation, warn: RowContext['warn']): Cells =>
      CELLS[feed](row, { ...this.#rowFacts, warn });
    const size = await feedSize(file);
    const tally = this.#tally.beginFile(feed, file, size);
    let header: Header | undefined;
    const onHeader = (found: Header): void => {
      header = found;
      if (feed === 'forecasts' && found.names.includes('member'))
        throw new UnreadableFeed(`${file}: has a column member; load it with --members`);
      tally.onHeader(found);
    };
    const observer = { ...tally, onHeader };
    const records =
      size < LARGE_BYTES
        ? this.#read(readFeed(feed, file, observer), tally)
        : this.#otherRows(feed, tally, await this.#land(feed, file, tally, observer));
    let rows: Rows | undefined;
    for await (const record of records) {
      const cells = await this.#judge(feed, file, record, judge);
      if (cells === undefined) continue;
      rows ??= this.#openRows(feed, presentColumns(feed, header!.positions));
      await rows.add(tally.base + record.line, cells);
      this.#checkCells(feed, { file, line: record.line }, cells);
    }
    await rows?.flush();
    tally.reportProgress();
  }

  /** Counts the rows of a file as it is read. */
  async *#read<Name extends FeedName>(
    records: AsyncIterable<FeedRecord<Name>>,
    tally: FileTally,
  ): AsyncGenerator<FeedRecord<Name>> {
    let characters = 0;
    for await (const record of records) {
      yield record;
      tally.countRows(1);
      tally.lines = record.line;
      characters += record.text.length;
      if (record.line % LINES_AT_ONCE !== 0 && characters < CHARACTERS_AT_ONCE) continue;
      characters = 0;
      tally.reportProgress();
      await this.#pause();
    }
  }

  /** Sends the lines of a file to the store as they are. */
  async #land(feed: ValueFeed, file: string, tally: FileTally, observer: FeedObserver): Promise<Header> {
    this.#tally.filled.add('staged_lines');
    let header: Header | undefined;
    let landing = Promise.resolve(); // the engine takes in one block while the next is read
    try {
      for await (const block of readFeedBlocks(feed, file, observer)) {
        header = block.header;
        const text = block.bytes.toString();
        await landing;
        const row = [this.loadId, tally.base + block.line - 1, text];
        landing = this.store.insert('feed_blocks', ['load_id', 'rows_before', 'text'], [row]);
        landing.catch(() => {}); // the next block, or the end, throws it
        const { rows, blanks } = countLines(block.bytes);
        tally.countRows(rows);
        for (let blank = 0; blank < blanks; blank += 1) tally.onBlank();
        tally.lines = block.line + rows + blanks;
        tally.reportProgress();
        await this.#pause();
      }
    } finally {
      await landing; // also after an error: lines that arrive later would stay in staging, for the next load
    }
    return header!;
  }

  /** Stages the landed rows in plain form. @returns the others */
  async *#otherRows<Name extends ValueFeed>(
    feed: Name,
    tally: FileTally,
    header: Header,
  ): AsyncGenerator<FeedRecord<Name>> {
    const plain = new PlainRows(feed, header, this.#clock, this.loadId);
    await this.store.command(plain.stage(ROWS[feed], this.#linesOf(tally)));
    yield* this.#records(feed, tally, header, (lines) => plain.others(lines, LINES_AT_ONCE));
  }

  #linesOf({ base, lines }: FileTally): Lines {
    return { loadId: this.loadId, first: base + 1, last: base + lines };
  }

  /** Reads landed lines, some at a time. */
  async *#records<Name extends ValueFeed>(
    feed: Name,
    tally: FileTally,
    header: Header,
    select: (lines: Lines) => ReturnType<PlainRows['others']>,
  ): AsyncGenerator<FeedRecord<Name>> {
    let lines = this.#linesOf(tally);
    for (let isLast = false; !isLast;) {
      const others = await this.store.query(select(lines));
      isLast = others.length < LINES_AT_ONCE;
      for (const { row_number, line } of others) {
        const record = readLine(feed, header, row_number - tally.base, Buffer.from(`${line}\r\n`));
        if (record !== undefined) yield record;
        else {
          tally.countRows(-1);
          tally.onBlank();
        }
      }
      tally.reportProgress();
      lines = { ...lines, first: (others.at(-1)?.row_number ?? lines.last) + 1 };
      await this.#pause();
    }
  }

  /** Rows of cells on their way to staging. */
  #openRows(feed: ValueFeed, columns: readonly FeedColumn[]): Rows {
    let rows: unknown[][] = [];
    const flush = async (): Promise<void> => {
      await this.store.insert(ROWS[feed], ['row_number', 'load_id', ...columns], rows);
      rows = [];
    };
    const add = async (rowNumber: number, cells: Cells): Promise<void> => {
      rows.push([rowNumber, this.loadId, ...columns.map((column) => inJson(column, cells[column]))]);
      if (rows.length >= LINES_AT_ONCE) await flush();
    };
    return { add, flush };
  }

  /** Stages one forecast for its members, which counts as one row. */
  async #stageMembers(file: string): Promise<void> {
    const size = await feedSize(file);
    const tally = this.#tally.beginFile('forecasts', file, size);
    const onHeader = (header: Header): void => {
      if (!header.names.includes('member'))
        throw new UnreadableFeed(`${file}: has no column member; load it with --forecasts`);
      tally.onHeader(header);
      const { columns_not_read } = tally.report;
      for (const name of header.names) if (OF_DISTRIBUTION.test(name)) columns_not_read.push({ name });
    };
    const observer = { ...tally, onHeader };
    const records =
      size < LARGE_BYTES
        ? this.#read(readFeed('forecasts', file, observer), tally)
        : this.#otherMembers(file, tally, await this.#land('forecasts', file, tally, observer));
    const members = new Members(this.#rowFacts);
    for await (const record of records) {
      const { line, text } = record;
      const added = await this.#judge('forecasts', file, record, (row) => members.add(row, { line, text }));
      if (added !== undefined) tally.countRows(-1); // a member is no row of the report; its forecast is
    }
    const columns = getColumns('forecasts').filter((column) => column !== 'member');
    const rows = this.#openRows('forecasts', columns);
    for (const { last, result, outliers } of members.forecasts()) {
      for (const { line, ...member } of outliers)
        this.#tally.outlierMembers.push({ ...member, row_number: tally.base + line });
      const { line, text } = last;
      tally.countRows(1);
      if (tally.report.rows_read % LINES_AT_ONCE === 0) await this.#pause();
      if (result instanceof Rejection) {
        await this.#reject('forecasts', { file, line }, result, text);
        continue;
      }
      await rows.add(tally.base + line, result);
      this.#checkCells('forecasts', { file, line }, result);
    }
    for (const { line, forecasts, detail } of members.frozen())
      this.#tally.warn(
        'forecasts',
        { file, line },
        { reason: 'member that never changes', detail },
        forecasts,
      );
    await rows.flush();
    tally.reportProgress();
  }

  /** Stages the forecasts of landed members that SQL can make. @returns the members of the others */
  async *#otherMembers(
    file: string,
    tally: FileTally,
    header: Header,
  ): AsyncGenerator<FeedRecord<'forecasts'>> {
    const plain = new PlainMembers(header, this.#clock, this.loadId);
    const lines = this.#linesOf(tally);
    const { rows_read } = tally.report;
    const isOther =
      header.names.includes('withdrawn') || (await this.store.query(plain.others(lines, 1))).length > 0;
    if (isOther) {
      // A line in another form may be of any forecast.
      tally.countRows(-rows_read);
      yield* this.#read(readFeed('forecasts', file), tally);
      return;
    }
    await this.store.command(plain.stage(ROWS.forecasts, lines));
    const { forecasts } = await this.store.queryOne(plain.countStaged(lines));
    let others = 0;
    for await (const record of this.#records('forecasts', tally, header, (left) =>
      plain.notStaged(left, LINES_AT_ONCE),
    )) {
      others += 1;
      yield record;
    }
    tally.countRows(forecasts - (rows_read - others));
  }

  /** Lets signals and heartbeats in: lines of which nothing goes to the engine would be read without a pause. */
  async #pause(): Promise<void> {
    await setImmediate();
    this.options.signal?.throwIfAborted();
  }

  /** Warns of a row that was judged in JavaScript. */
  #checkCells(feed: ValueFeed, location: RowLocation, cells: Cells): void {
    const station = this.#station(cells.station_id ?? '');
    if (station === undefined) return;
    if (station.withdrawn) {
      this.#tally.warn(feed, location, { reason: 'station is withdrawn', detail: station.station_id });
    }
    if (cells.status !== 'verified' || cells.withdrawn !== undefined) return;
    // A preliminary one often is made before its day was over: half of a year of climate reports are those of the afternoon.
    const { date = '', observed_at = '' } = cells;
    const observedAt = observed_at.replace(' ', 'T');
    const end = this.#clock.dayEnd(station, date);
    if (observedAt.slice(0, end.length) >= end) return;
    const detail = `${date} ends at ${end}Z in ${station.timezone}; observed_at is ${observedAt.slice(0, 19)}`;
    this.#tally.warn(feed, location, { reason: 'verified before its day is over', detail });
  }

  async #beginFile(feed: FeedName, file: string): Promise<FileTally> {
    return this.#tally.beginFile(feed, file, await feedSize(file));
  }

  /** Uses a row, or rejects it. */
  async #judge<Name extends FeedName, Used>(
    feed: Name,
    file: string,
    record: FeedRecord<Name>,
    use: (row: FeedRow<Name>, location: RowLocation, warn: RowContext['warn']) => Used,
  ): Promise<Used | undefined> {
    const { line, text } = record;
    const warnings: Reason[] = [];
    try {
      if ('rejection' in record) throw record.rejection;
      const used = use(record.row, { file, line }, (reason, detail) => warnings.push({ reason, detail }));
      for (const warning of warnings) {
        this.#tally.warn(feed, { file, line }, warning);
        await this.options.onSuspect?.({ feed, file, line, ...warning, text });
      }
      return used;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      await this.#reject(feed, { file, line }, error, text);
      return undefined;
    }
  }

  async #reject(
    feed: FeedName,
    location: RowLocation,
    { reason, detail }: Rejection,
    text: string,
  ): Promise<void> {
    this.#tally.reject(feed, location, { reason, detail });
    await this.options.onRejected?.({ feed, ...location, reason, detail, text });
  }
}

/** A cell as JSON; a blank one is the default of its column. */
const inJson = (column: FeedColumn, cell: string | undefined): unknown =>
  column === 'withdrawn' ? cell === 'true' : cell === '' || cell === undefined ? null : cell;
