import type { RejectedRow, RowLocation } from './feed/report.js';
import { setImmediate } from 'node:timers/promises';
import { raw, sql, type Statement } from '../sql.js';
import type { Store } from '../store/store.js';
import {
  columnsOf,
  type FeedName,
  type FileKind,
  type FeedRow,
  type StationFact,
  VALUE_FEEDS,
  type ValueFeed,
} from './feed/columns.js';
import { LoadClock } from './feed/load-clock.js';
import { type Observation, PlainLines } from './feed/plain-lines.js';
import { feedSize, type FeedRecord, lineEnd, readFeed, readFeedBlocks, readLine } from './feed/read.js';
import { RowWriter } from './feed/row-writer.js';
import { type Header, readHeader, UnreadableFeed } from './feed/header.js';
import { Members } from './feed/members.js';
import { CELLS, type Cells, type RowContext, type RowFacts, stationFact } from './feed/rows.js';
import { Rejection } from './feed/values.js';
import { checkStaged } from './check-staged.js';
import type { Doubtful } from './doubtful-rows.js';
import { moveNote, placeWarning } from './implausible-values.js';
import { ReportedDegrees } from './reported-degrees.js';
import { type FileTally, type Progress, LoadTally, type Reason } from './tally.js';

/** The files of each kind; one that is left out has none. */
export type FeedFiles = Partial<Record<FileKind, readonly string[]>>;

export interface StageOptions {
  /** The clock of the load, which no verified day and no issued forecast may be ahead of; now, unless given. */
  now?: Date;
  /** Ends the reading. */
  signal?: AbortSignal;
  onRejected?: (row: RejectedRow) => Promise<void>;
  /** Receives the rows whose quantiles are left out, and at the end those with a value that is far from others. */
  onImplausible?: (row: RejectedRow) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/** Lines that are judged between two pauses; each takes some µs. */
const LINES_AT_ONCE = 10_000;

/** The columns of staged_stations that come from a station. */
const STATION_COLUMNS = columnsOf('stations') as readonly (keyof StationFact)[];

/** The columns of a forecast that the engine takes: members become one before that. */
const FORECAST_COLUMNS = columnsOf('forecasts').filter((column) => column !== 'member');

/** The columns that a forecast may have and its members may not. */
const OF_DISTRIBUTION = /^(high|low)_(sd|p\d\d)_[cf]$/;

/** The tables that take rows in plain form; their views make values of them. */
const ROWS: Record<ValueFeed, string> = {
  forecasts: 'forecast_rows',
  observations: 'observation_rows',
  normals: 'normal_rows',
  hours: 'hour_rows',
};

/** The statement that takes the rows of a file: to fill columns that it lacks would take a sixth of the time of a load. */
function intake(feed: ValueFeed, { positions }: Header): Statement {
  const columns = columnsOf(feed).filter((_, at) => positions[at] !== -1);
  const table = ROWS[feed];
  return sql`INSERT INTO ${raw(table)} (row_number, load_id, ${raw(columns.join(', '))})`.with({
    input_format_csv_skip_first_lines: 1,
    input_format_with_names_use_header: 1,
    input_format_skip_unknown_fields: 1,
    input_format_csv_empty_as_default: 1,
    date_time_input_format: 'best_effort',
  });
}

/**
 * Reads and checks all rows of the feeds into staging.
 * @param known the stations of the store by id, withdrawn ones as well
 * @returns the rows by feed, in which `rows_new` and `rows_corrected` are those of stations alone: apply.ts finds out
 * which values are new
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

class Stager {
  readonly #tally: LoadTally;
  readonly #clock: LoadClock;
  readonly #degrees: ReportedDegrees;
  readonly #rowFacts: RowFacts;
  /** The stations of the store and of this load, as its latest row says. */
  readonly #stations: Map<string, StationFact>;
  /** The rows of this load for each station, in their order. */
  readonly #stationRows = new Map<string, (RowLocation & { station: StationFact })[]>();
  /** Members that are far from the others of their forecast. */
  readonly #farMembers: Doubtful[] = [];

  constructor(
    private readonly store: Store,
    private readonly known: ReadonlyMap<string, StationFact>,
    private readonly loadId: number,
    private readonly options: StageOptions,
  ) {
    this.#tally = new LoadTally(options.onProgress);
    this.#degrees = new ReportedDegrees(this.#tally);
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
    await checkStaged(this.store, this.loadId, this.#tally, this.#farMembers, this.options.onImplausible);
    this.#degrees.note();
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
    for await (const record of readFeed('stations', file, tally)) {
      await this.#judge('stations', file, record, judge);
      tally.countRow();
      tally.lines = record.line;
      if (record.line % LINES_AT_ONCE === 0) await this.#pause();
    }
    tally.reportProgress();
  }

  /** Stages the stations whose last row says something new, and counts their rows. */
  async #stageStations(): Promise<void> {
    const counts = this.#tally.feeds.stations;
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
      else {
        counts.rows_corrected += 1;
        const { file, line } = rows.at(-1)!;
        const note = station.withdrawn ? undefined : moveNote(station, before);
        if (note) this.#tally.note('stations', { file, line }, note);
      }
      news.push(station);
      this.#tally.facts.add('stations');
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
    const tally = await this.#beginFile(feed, file);
    // The engine takes in what is written while more is read.
    let inserting = Promise.resolve();
    let into: Statement | undefined;
    const flush = async (rows: string): Promise<void> => {
      await inserting;
      inserting = rows === '' ? inserting : this.store.insertText(into!, 'CSVWithNames', rows);
      inserting.catch(() => {}); // the next flush, or the end, throws it
    };
    try {
      let plain: PlainLines | undefined;
      let writer: RowWriter | undefined;
      for await (const { header, line: first, bytes } of readFeedBlocks(feed, file, tally)) {
        if (feed === 'forecasts' && header.names.includes('member'))
          throw new UnreadableFeed(`${file}: has a column member; load it with --members`);
        plain ??= new PlainLines(feed, header, this.#clock, this.#station);
        writer ??= new RowWriter(feed, header, this.loadId);
        into ??= intake(feed, header);
        const text = bytes.toString('latin1'); // a byte is a character, whatever it stands for
        let line = first;
        for (let at = 0; at < text.length; line += 1) {
          const station = plain.stationAt(text, at);
          if (station !== undefined) {
            const { end } = plain;
            if (!writer.hasRoomFor(end - at)) await flush(writer.take());
            writer.addLine(tally.base + line, bytes, at, end);
            if (feed === 'observations') {
              this.#degrees.take(station, { file, line }, plain.temperatures(text, at));
              const observation = plain.earlyObservation(text, at);
              if (observation !== undefined) this.#checkObserved({ file, line }, station, observation);
            }
            at = end;
          } else {
            const end = lineEnd(bytes, at);
            const record = readLine(feed, header, line, bytes.subarray(at, end));
            at = end;
            if (line % LINES_AT_ONCE === 0) await this.#pause();
            if (record === undefined) {
              tally.onBlank();
              continue;
            }
            const cells = await this.#judge(feed, file, record, judge);
            if (cells !== undefined) {
              if (!writer.hasRoomForCells()) await flush(writer.take());
              writer.addCells(tally.base + line, cells);
              this.#checkCells(feed, { file, line }, cells);
            }
          }
          tally.countRow();
        }
        tally.lines = line;
      }
      await flush(writer?.take() ?? '');
    } finally {
      await inserting; // also after an error: rows that arrive later would stay in staging, for the next load
    }
    tally.reportProgress();
  }

  /** Stages one forecast for its members, which counts as one row. */
  async #stageMembers(file: string): Promise<void> {
    const tally = await this.#beginFile('forecasts', file);
    const onHeader = (header: Header): void => {
      if (!header.names.includes('member'))
        throw new UnreadableFeed(`${file}: has no column member; load it with --forecasts`);
      tally.onHeader(header);
      const { columns_not_read } = tally.report;
      for (const name of header.names) if (OF_DISTRIBUTION.test(name)) columns_not_read.push({ name });
    };
    const members = new Members(this.#rowFacts);
    for await (const record of readFeed('forecasts', file, { ...tally, onHeader })) {
      const { line, text } = record;
      const added = await this.#judge('forecasts', file, record, (row) => members.add(row, { line, text }));
      if (added === undefined) tally.countRow();
      tally.lines = line;
      if (line % LINES_AT_ONCE === 0) await this.#pause();
    }
    const header = readHeader('forecasts', file, FORECAST_COLUMNS.join(','));
    const writer = new RowWriter('forecasts', header, this.loadId);
    const flush = async (): Promise<void> => {
      const rows = writer.take();
      if (rows !== '') await this.store.insertText(intake('forecasts', header), 'CSVWithNames', rows);
    };
    for (const { last, result, far } of members.forecasts()) {
      for (const { line, ...member } of far)
        this.#farMembers.push({ feed: 'forecasts', by: 'members', row_number: tally.base + line, ...member });
      const { line, text } = last;
      tally.countRow();
      if (tally.report.rows_read % LINES_AT_ONCE === 0) await this.#pause();
      if (result instanceof Rejection) {
        await this.#reject('forecasts', { file, line }, result, text);
        continue;
      }
      if (!writer.hasRoomForCells()) await flush();
      writer.addCells(tally.base + line, result);
      this.#checkCells('forecasts', { file, line }, result);
    }
    await flush();
    tally.reportProgress();
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
    if (feed !== 'observations' || cells.withdrawn !== undefined) return;
    this.#degrees.take(station, location, [cells.high_f ?? '', cells.low_f ?? '']);
    if (cells.status === 'verified') {
      const { date = '', observed_at = '' } = cells;
      this.#checkObserved(location, station, { date, observedAt: observed_at.replace(' ', 'T') });
    }
  }

  /**
   * Warns of a verified observation that was made before its day was over. A preliminary one often is: half of a year
   * of climate reports are those of the afternoon.
   */
  #checkObserved(location: RowLocation, station: StationFact, { date, observedAt }: Observation): void {
    const end = this.#clock.dayEnd(station, date);
    if (observedAt.slice(0, end.length) >= end) return;
    const detail = `${date} ends at ${end}Z in ${station.timezone}; observed_at is ${observedAt.slice(0, 19)}`;
    this.#tally.warn('observations', location, { reason: 'verified before its day is over', detail });
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
        await this.options.onImplausible?.({ feed, file, line, ...warning, text });
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
