import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { FeedName } from '../../src/feeds/feeds.js';
import { load } from '../../src/ingest/load.js';
import { UnreadableFeed } from '../../src/ingest/read/header.js';
import type { RejectedRow } from '../../src/ingest/load-report.js';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import type { Store } from '../../src/store/store.js';
import { raw, sql } from '../../src/queries/sql.js';
import { writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms } from '../support/process.js';
import { openTestStore, temporaryFolder } from '../support/store.js';
import { Random } from '../support/random.js';
import { scaled, SEED, tell } from '../support/stress/stress.js';
import { dateOf } from '../support/stress/feeds.js';
import { mutated } from '../support/stress/mutations.js';
import { readPlainly, type ReadLine } from '../support/stress/reader.js';
import {
  type Bed,
  endOf,
  expectClearFailure,
  expectNoDifference,
  newBed,
  startLoad,
} from '../support/stress/programs.js';

interface FeedFile {
  feed: FeedName;
  file: string;
  mutation: string;
  /** Undefined when the file cannot be read. */
  lines: ReadLine[] | undefined;
}

const ROWS = 20;
const FILES_AT_ONCE = 40;
const FILES_OF_TEST = 1000;

/** Feed files with all kinds of faults: good rows go in, bad ones are named with their line, and nothing else happens. */
export function mutatedFeeds(): void {
  const files = scaled({ few: 40, full: 10_000 });
  const programs = scaled({ few: 1, full: 300 });
  describe(`given ${files} mutated feed files (seed ${SEED})`, function () {
    this.timeout(60_000 + files * 1000 + programs * 20_000);
    const random = new Random(SEED);
    const tally = {
      files: 0,
      unreadable: 0,
      rows_good: 0,
      rows_bad: 0,
      rows_undecided: 0,
      programs: 0,
    };
    let store: Store;

    before(async () => {
      store = await openTestStore();
    });
    after(() => store.close());
    after(killPrograms);
    after(() => tell('mutated feeds', tally));

    /** Stations of a batch, with names that no other batch gets by a slip. */
    const newStations = (): string[] => {
      const prefix = Array.from({ length: 6 }, () => String.fromCharCode(65 + random.below(26))).join('');
      return ['1', '2', '3'].map((digit) => prefix + digit);
    };
    const stationLine = (id: string): string =>
      `${id},"Town, ${id}",US,41.96,-87.93,America/Chicago,Dfa,true,A|B,ORD`;

    const makeFile = (stations: string[]): FeedFile => {
      const feed = random.of([
        'forecasts',
        'forecasts',
        'forecasts',
        'observations',
        'observations',
        'stations',
      ] as const);
      const own = feed === 'stations' ? newStations() : [];
      const lines = Array.from({ length: feed === 'stations' ? own.length : ROWS }, (_, at) => {
        const values = `${random.below(9000) / 100},${-random.below(6000) / 100}`;
        const date = dateOf(random.below(28));
        const instant = new Date(Date.UTC(2026, 0, 1) + random.below(40_000_000) * 60)
          .toISOString()
          .slice(0, 19);
        if (feed === 'stations') return stationLine(own[at] ?? '');
        if (feed === 'forecasts') return `${random.of(stations)},${instant}Z,${date},${values}`;
        // No day is reported before it begins, or as verified before it ends.
        const observed = new Date(Date.parse(date) + 2 * 86_400_000 + random.below(40_000) * 60_000);
        const status = random.of(['verified', 'preliminary']);
        return `${random.of(stations)},${date},${values},${status},${observed.toISOString().slice(0, 19)}Z`;
      });
      const { bytes, extension, mutation } = mutated(feed, lines, random);
      const file = join(temporaryFolder(), `${feed}${extension}`);
      writeFileSync(file, bytes);
      const read = readPlainly(feed, bytes, extension === '.csv.gz', new Set(stations), new Set(lines));
      return { feed, file, mutation, lines: read };
    };

    const together = (stationFile: FeedFiles, all: FeedFile[]): FeedFiles => {
      const of = (feed: FeedName): string[] => all.filter((one) => one.feed === feed).map(({ file }) => file);
      return {
        stations: [...(stationFile.stations ?? []), ...of('stations')],
        forecasts: of('forecasts'),
        observations: of('observations'),
      };
    };

    /** The facts of a load, or of the latest, in the words of the plain reader. */
    const factsOf = async (
      feed: 'forecasts' | 'observations',
      loadId?: number,
    ): Promise<Map<string, number>> => {
      const [key, value] =
        feed === 'forecasts'
          ? ['metric, station_id, target_date, issued_at', 'forecast']
          : ['metric, station_id, target_date, observation_status, observed_at', 'actual'];
      const rows = await store.query(
        sql.rows(z.object({ key: z.string(), value: z.number() }))`${raw(
          `SELECT concat_ws(' ', ${key}) AS key, ${value} AS value FROM ${feed}
        WHERE load_id = ${loadId === undefined ? '(SELECT max(load_id) FROM loads)' : '{load_id: UInt32}'}`,
          loadId === undefined ? {} : { load_id: loadId },
        )}`,
      );
      return new Map(rows.map((row) => [row.key, row.value]));
    };

    const expectRejected = ({ file, mutation, lines = [] }: FeedFile, rejected: number[]): void => {
      const named = new Set(rejected);
      expect(named.size, `${file} (${mutation}): lines named twice`).to.equal(rejected.length);
      for (const { line, verdict } of lines) {
        if (verdict === 'bad')
          expect(named.has(line), `${file}:${line} (${mutation}) is rejected`).to.equal(true);
        if (verdict === 'good')
          expect(named.has(line), `${file}:${line} (${mutation}) is rejected`).to.equal(false);
        named.delete(line);
      }
      expect([...named], `${file} (${mutation}): rejected lines that are none`).to.deep.equal([]);
    };

    /** Loads readable files together; the good rows are in, and no others but undecided ones. */
    const loadReadable = async (stationFile: FeedFiles, all: FeedFile[]): Promise<void> => {
      const rejected: RejectedRow[] = [];
      const report = await load(store, together(stationFile, all), {
        onRejected: (row) => {
          expect(row.reason, `${row.file}:${row.line}`).not.to.equal('');
          rejected.push(row);
          return Promise.resolve();
        },
      });
      for (const one of all) {
        expectRejected(
          one,
          rejected.flatMap(({ file, line }) => (file === one.file ? [line] : [])),
        );
      }
      const isRejected = new Set(rejected.map(({ file, line }) => `${file}:${line}`));
      for (const feed of ['forecasts', 'observations'] as const) {
        const mine = all.filter((one) => one.feed === feed);
        const lines = mine.flatMap(({ file, lines = [] }) => lines.map((line) => ({ file, ...line })));
        expect(report.feeds[feed].rows_read, `rows of ${feed}`).to.equal(lines.length);
        // An undecided row that went in has up to two facts, and can replace two of good rows.
        let undecided =
          2 *
          lines.filter(
            ({ file, line, verdict }) => verdict === 'either' && !isRejected.has(`${file}:${line}`),
          ).length;
        const found = await factsOf(feed, report.load_id);
        for (const [key, value] of new Map(lines.flatMap(({ facts }) => facts))) {
          if (found.get(key) !== value) undecided -= 1;
          if (undecided < 0) expect(found.get(key), `${feed} ${key}`).to.equal(value);
          found.delete(key);
        }
        expect(
          found.size,
          `facts of ${feed} that no good row says: ${[...found].slice(0, 3).join('; ')}`,
        ).to.be.at.most(undecided);
      }
      expect(report.outcome).to.equal(rejected.length > 0 ? 'some_rows_rejected' : 'complete');
    };

    /** A file that cannot be read fails the load, is named, and nothing of the others goes in. */
    const failUnreadable = async (
      stationFile: FeedFiles,
      unreadable: FeedFile,
      beside: FeedFile[],
    ): Promise<void> => {
      const error: unknown = await load(store, together(stationFile, [...beside, unreadable])).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const { file, mutation } = unreadable;
      expect(error, `${file} (${mutation})`).to.be.instanceOf(UnreadableFeed);
      expect(
        (error as Error).message.startsWith(`${file}: `),
        `${file} (${mutation}): ${(error as Error).message}`,
      ).to.equal(true);
      for (const feed of ['forecasts', 'observations'] as const) {
        expect((await factsOf(feed)).size, `facts of a load that failed, ${mutation}`).to.equal(0);
      }
    };

    const count = (all: FeedFile[]): void => {
      tally.files += all.length;
      tally.unreadable += all.filter(({ lines }) => lines === undefined).length;
      for (const { verdict } of all.flatMap(({ lines = [] }) => lines)) {
        tally[({ good: 'rows_good', bad: 'rows_bad', either: 'rows_undecided' } as const)[verdict]] += 1;
      }
    };

    for (let first = 0; first < files; first += FILES_OF_TEST) {
      const last = Math.min(first + FILES_OF_TEST, files);
      it(`when ${first + 1} to ${last} are loaded, then good rows are in, and bad ones are named`, async () => {
        for (let done = first; done < last; done += FILES_AT_ONCE) {
          const stations = newStations();
          const stationFile = writeFeeds({ stations: stations.map(stationLine) });
          const all = Array.from({ length: Math.min(FILES_AT_ONCE, last - done) }, () => makeFile(stations));
          const readable = all.filter(({ lines }) => lines !== undefined);
          for (const one of all) {
            if (one.lines === undefined) await failUnreadable(stationFile, one, readable.slice(0, 2));
          }
          await loadReadable(stationFile, readable);
          count(all);
        }
      });
    }

    it(`when ${programs} of them are loaded by npm run load, then the exit code tells, and --rejects names the lines`, async () => {
      const bed: Bed = await newBed();
      for (; tally.programs < programs; tally.programs += 1) {
        const stations = newStations();
        const one = makeFile(stations);
        const { lines, mutation, file } = one;
        const rejects = join(temporaryFolder(), 'rejects.csv');
        const program = startLoad(
          bed,
          together(writeFeeds({ stations: stations.map(stationLine) }), [one]),
          '--rejects',
          rejects,
        );
        const ended = await endOf(program);
        const about = `${file} (${mutation}): ${ended.stdout}${ended.stderr}`;
        if (lines === undefined) {
          expectClearFailure(ended);
          expect(ended.stderr, about).to.contain(file);
          continue;
        }
        const rejected = parse<{ line: string }>(readFileSync(rejects), { columns: true }).map(({ line }) =>
          Number(line),
        );
        expectRejected(one, rejected);
        expect({ code: ended.code, signal: ended.signal }, about).to.deep.equal({
          code: rejected.length > 0 ? 3 : 0,
          signal: null,
        });
      }
      await expectNoDifference(bed);
    });
  });
}
