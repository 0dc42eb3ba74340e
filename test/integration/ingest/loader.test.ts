import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { FEED_COLUMNS } from '../../../src/ingest/feed/columns.js';
import { load, type LoadOptions } from '../../../src/ingest/load.js';
import { UnreadableFeed } from '../../../src/ingest/feed/read.js';
import { type FeedCounts, type LoadReport, reportText } from '../../../src/ingest/feed/report.js';
import { audit } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines, writeFeeds } from '../../support/feeds.js';
import { emptyStore } from '../../support/oracle.js';
import { range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

type RejectedRow = Parameters<NonNullable<LoadOptions['onRejected']>>[0];

const CHICAGO = 'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD';
const LONDON = 'EGLL,London,GB,51.47,-0.45,Europe/London,Cfb,true,,LHR';

// 5 January begins at 06:00 UTC in Chicago.
const FORECASTS = [
  'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18',
  'KORD,2026-01-05T00:00:00Z,2026-01-05,32.5,19',
];
const PRELIMINARY = 'KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z';
const VERIFIED = 'KORD,2026-01-05,30.25,16,verified,2026-01-08T06:00:00Z';
const FEEDS = { stations: [CHICAGO, LONDON], forecasts: FORECASTS, observations: [PRELIMINARY] };

const pairRow = z.object({
  metric: z.string(),
  station_id: z.string(),
  target_date: z.string(),
  issued_at: z.string(),
  lead_time_bucket: z.string(),
  forecast: z.number(),
  actual: z.number(),
  error: z.number(),
  observation_status: z.string(),
});

/** The pairs that stand, each as a line. */
async function standing(store: Store): Promise<string[]> {
  const pairs = await store.query(
    `SELECT metric, station_id, target_date, issued_at, lead_time_bucket, forecast, actual, error, observation_status
    FROM pairs
    GROUP BY metric, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error, observation_status
    HAVING sum(sign) != 0
    ORDER BY metric, station_id, target_date, issued_at`,
    {},
    pairRow,
  );
  return pairs.map((pair) =>
    [
      pair.metric,
      pair.station_id,
      pair.target_date,
      pair.issued_at.slice(0, 16),
      pair.lead_time_bucket,
      `${pair.forecast} - ${pair.actual} = ${pair.error}`,
      pair.observation_status,
    ].join(' '),
  );
}

const TABLES = [
  'loads',
  'stations',
  'forecasts',
  'observations',
  'pairs',
  'local_midnights',
  'station_day_errors',
  'network_day_errors',
  'station_week_errors',
  'station_day_counts',
  'staged_forecasts',
  'staged_observations',
  'unsettled',
];

/** Rows of each table, but of the list of loads. */
async function sizes(store: Store): Promise<Record<string, number>> {
  const counts = TABLES.slice(1).map((table) => `(SELECT count() FROM ${table}) AS ${table}_rows`);
  const [row] = await store.query(`SELECT ${counts.join(', ')}`, {}, z.record(z.string(), z.number()));
  return row ?? {};
}

/** Rows of a feed by what became of them; none of them is contradicted. */
const rows = (rows_new: number, rows_corrected: number, rows_unchanged: number, rows_rejected: number) => ({
  rows_read: rows_new + rows_corrected + rows_unchanged + rows_rejected,
  rows_new,
  rows_corrected,
  rows_unchanged,
  rows_rejected,
  rows_contradicted: 0,
  first_contradicted: null,
});
const NOTHING = rows(0, 0, 0, 0);

/** Counts with the place of the first contradicted row as text, its file without the folder. */
const placed = ({ first_contradicted: first, ...counts }: FeedCounts) => ({
  ...counts,
  first_contradicted: first && `${basename(first.file)}:${first.line}`,
});

function expectRowsToAddUp({ feeds }: LoadReport): void {
  for (const [feed, counts] of Object.entries<FeedCounts>(feeds)) {
    const { rows_read, rows_new, rows_corrected, rows_unchanged, rows_rejected } = counts;
    expect(rows_new + rows_corrected + rows_unchanged + rows_rejected, feed).to.equal(rows_read);
  }
}

describe('load', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(async () => {
    await store.close();
  });
  beforeEach(() => emptyStore(store));

  /** Loads lines, and checks what holds after every load. */
  const loaded = async (lines: FeedLines, options: LoadOptions = {}): Promise<LoadReport> => {
    const report = await loadLines(store, lines, options);
    expectRowsToAddUp(report);
    await expectTidy();
    return report;
  };
  const expectTidy = async (): Promise<void> => {
    expect(await sizes(store)).to.include({
      staged_forecasts_rows: 0,
      staged_observations_rows: 0,
      unsettled_rows: 0,
    });
    expect(await audit(store)).to.deep.equal([]);
  };
  const failure = async (loading: Promise<unknown>): Promise<string> => {
    const error = await loading.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof UnreadableFeed) return error.message;
    throw new Error('it is not unreadable', { cause: error });
  };
  const file = (name: string, content: string | Buffer): string => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, content);
    return path;
  };

  describe('given an empty store', () => {
    it('when feeds are loaded, then all rows are new, and each forecast value with an observation makes a pair', async () => {
      const report = await loaded(FEEDS);
      expect(report).to.deep.include({
        load_id: 1,
        outcome: 'complete',
        feeds: { stations: rows(2, 0, 0, 0), forecasts: rows(2, 0, 0, 0), observations: rows(1, 0, 0, 0) },
        rejections: [],
        pairs_added: 4,
        pairs_withdrawn: 0,
        forecasts_without_observation: 0,
        forecasts_issued_after_day_ended: 0,
      });
      expect(report.seconds).to.be.above(0);
      expect(report.rows_per_second).to.be.above(0);
      expect(report.peak_memory_mb).to.be.above(10);
      expect(await standing(store)).to.deep.equal([
        'high KORD 2026-01-05 2026-01-04 18:00 12-24h 31 - 30 = 1 preliminary',
        'high KORD 2026-01-05 2026-01-05 00:00 6-12h 32.5 - 30 = 2.5 preliminary',
        'low KORD 2026-01-05 2026-01-04 18:00 12-24h 18 - 17 = 1 preliminary',
        'low KORD 2026-01-05 2026-01-05 00:00 6-12h 19 - 17 = 2 preliminary',
      ]);
    });

    it('when nothing is given, then nothing happens, and that is complete', async () => {
      const report = await loaded({});
      expect(report).to.include({ outcome: 'complete', pairs_added: 0 });
      expect(report.feeds).to.deep.equal({ stations: NOTHING, forecasts: NOTHING, observations: NOTHING });
    });

    it('when feeds have headers only, then that is complete, too, and the report says so of each file', async () => {
      const report = await loaded({ stations: [], forecasts: [], observations: [] });
      expect(report).to.include({ outcome: 'complete', store_was_empty: true });
      expect(
        report.files.map(({ feed, file: path, rows_read }) => [feed, basename(path), rows_read]),
      ).to.deep.equal([
        ['stations', 'stations.csv', 0],
        ['forecasts', 'forecasts.csv', 0],
        ['observations', 'observations.csv', 0],
      ]);
      for (const { feed, file: path } of report.files) {
        expect(reportText(report)).to.contain(`${feed}: no rows in ${path}`);
      }
    });

    it('when the report is printed, then it names the store, and says that it was empty, the first time only', async () => {
      const first = await loaded(FEEDS);
      expect(first.store_was_empty).to.equal(true);
      expect(reportText(first, { into: '/data' })).to.contain('store: /data (empty before)\n');
      const second = await loaded(FEEDS);
      expect(second.store_was_empty).to.equal(false);
      expect(reportText(second, { into: '/data' })).to.contain('store: /data\n');
    });

    it('when a file has columns that the feed does not have, then they are named with what they may mean', async () => {
      const path = file(
        'forecasts.csv',
        `${FEED_COLUMNS.forecasts.join()},provder,note\n${FORECASTS[0]},nws,x\n`,
      );
      await loaded({ stations: [CHICAGO] });
      const report = await load(store, { stations: [], forecasts: [path], observations: [] });
      expect(report.outcome).to.equal('complete');
      expect(report.files[0]?.columns_not_read).to.deep.equal([
        { name: 'provder', nearest: 'provider' },
        { name: 'note' },
      ]);
      expect(reportText(report)).to.contain(
        `forecasts: columns not read in ${path}: provder (did you mean provider?), note`,
      );
    });

    it('when forecasts come without their station, then they are rejected; after it has come they go in', async () => {
      const first = await loaded({ forecasts: FORECASTS, observations: [PRELIMINARY] });
      expect(first.outcome).to.equal('some_rows_rejected');
      expect(first.feeds.forecasts).to.deep.equal(rows(0, 0, 0, 2));
      expect(first.rejections.map(({ feed, reason, rows }) => [feed, reason, rows])).to.deep.equal([
        ['forecasts', 'unknown station', 2],
        ['observations', 'unknown station', 1],
      ]);
      expect((await loaded(FEEDS)).pairs_added).to.equal(4);
    });

    it('when a forecast is issued at the very start of its day it counts, and a moment later it is a same-day pair', async () => {
      const report = await loaded({
        ...FEEDS,
        forecasts: [
          'KORD,2026-01-05T06:00:00Z,2026-01-05,31,',
          'KORD,2026-01-05T06:00:00.001Z,2026-01-05,31,',
          'KORD,2026-01-05T00:00:00.001Z,2026-01-05,31,',
          'KORD,2026-01-02T06:00:00Z,2026-01-05,31,18',
        ],
      });
      expect(report).to.include({ pairs_added: 5, forecasts_issued_after_day_ended: 0 });
      expect((await standing(store)).map((pair) => pair.split(' ')[5])).to.deep.equal([
        '72h+',
        '0-6h',
        '0-6h',
        'same-day',
        '72h+',
      ]);
    });

    it('when forecasts have no observation yet, then their values are counted as such and make no pair', async () => {
      const report = await loaded({
        stations: [CHICAGO],
        forecasts: [...FORECASTS, 'KORD,2026-01-05T00:00:00Z,2026-01-06,33,'],
        observations: ['KORD,2026-01-05,30,,preliminary,2026-01-06T06:00:00Z'],
      });
      expect(report).to.include({ pairs_added: 2, forecasts_without_observation: 3 });
      const later = await loaded({ observations: ['KORD,2026-01-05,30,17,verified,2026-01-08T06:00:00Z'] });
      expect(later).to.include({ pairs_added: 4, pairs_withdrawn: 2, forecasts_without_observation: 0 });
    });

    it('when observations come before forecasts, then the pairs are the same', async () => {
      await loaded({ stations: [CHICAGO], observations: [PRELIMINARY] });
      const report = await loaded({ forecasts: FORECASTS });
      expect(report).to.include({ pairs_added: 4, forecasts_without_observation: 0 });
    });

    it('when it is a gzip feed, then it loads the same', async () => {
      const text = [FEED_COLUMNS.stations.join(), CHICAGO].join('\n');
      const report = await load(store, {
        stations: [file('stations.csv.gz', gzipSync(text))],
        forecasts: [],
        observations: [],
      });
      expect(report.feeds.stations).to.deep.equal(rows(1, 0, 0, 0));
    });

    it('when several files of a feed are given, and one of them twice, then the second time says nothing new', async () => {
      const { stations, forecasts, observations } = writeFeeds(FEEDS);
      const report = await load(store, {
        stations,
        forecasts: [...forecasts, ...forecasts],
        observations: [...observations, ...observations],
      });
      expect(report).to.include({ outcome: 'complete', pairs_added: 4 });
      expect(report.feeds.forecasts).to.deep.equal(rows(2, 0, 2, 0));
      expect(report.feeds.observations).to.deep.equal(rows(1, 0, 1, 0));
      await expectTidy();
    });
  });

  describe('given feeds that were loaded', () => {
    beforeEach(async () => {
      await loaded(FEEDS);
    });

    it('when they are loaded again, then all rows are unchanged, and no table grows', async () => {
      const before = await sizes(store);
      const report = await loaded(FEEDS);
      expect(report).to.deep.include({
        load_id: 2,
        outcome: 'complete',
        feeds: { stations: rows(0, 0, 2, 0), forecasts: rows(0, 0, 2, 0), observations: rows(0, 0, 1, 0) },
        pairs_added: 0,
        pairs_withdrawn: 0,
      });
      expect(await sizes(store)).to.deep.equal(before);
    });

    it('when the same instant is written in another offset, then it is the same forecast', async () => {
      const report = await loaded({ forecasts: ['kord,2026-01-04T12:00:00-06:00,2026-01-05,31.00,+18'] });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 0, 1, 0));
    });

    it('when a forecast is corrected, then its pair is replaced', async () => {
      const report = await loaded({ forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,35,18'] });
      expect(report).to.include({ pairs_added: 1, pairs_withdrawn: 1 });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 1, 0, 0));
      expect((await standing(store))[0]).to.equal(
        'high KORD 2026-01-05 2026-01-04 18:00 12-24h 35 - 30 = 5 preliminary',
      );
    });

    it('when a row corrects one value and adds another, then it counts once, as corrected', async () => {
      await loaded({ forecasts: ['KORD,2026-01-03T18:00:00Z,2026-01-05,31,'] });
      const report = await loaded({ forecasts: ['KORD,2026-01-03T18:00:00Z,2026-01-05,32,20'] });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 1, 0, 0));
      expect(report).to.include({ pairs_added: 2, pairs_withdrawn: 1 });
    });

    it('when a value is corrected and then corrected back, then the latest load counts', async () => {
      await loaded({ forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,35,18'] });
      const report = await loaded({ forecasts: [FORECASTS[0] ?? ''] });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 1, 0, 0));
      expect((await standing(store))[0]).to.contain('31 - 30 = 1');
    });

    it('when a row has blanks, then no value is replaced, and the row is unchanged', async () => {
      const before = await standing(store);
      const report = await loaded({
        forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,,'],
        observations: [
          'KORD,2026-01-05,,,preliminary,2026-01-06T06:00:00Z',
          'KORD,2026-01-05,,,verified,2026-01-09T06:00:00Z',
        ],
      });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 0, 1, 0));
      expect(report.feeds.observations).to.deep.equal(rows(0, 0, 2, 0));
      expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
      expect(await standing(store)).to.deep.equal(before);
    });

    it('when a verified row has a blank low, then the preliminary low stands beside the verified high', async () => {
      await loaded({ observations: ['KORD,2026-01-05,30.25,,verified,2026-01-08T06:00:00Z'] });
      expect((await standing(store)).map((pair) => pair.split(' ').slice(-3).join(' '))).to.deep.equal([
        '= 0.75 verified',
        '= 2.25 verified',
        '= 1 preliminary',
        '= 2 preliminary',
      ]);
    });

    it('when a value becomes verified, then each pair is replaced by a verified one', async () => {
      const report = await loaded({ observations: [VERIFIED] });
      expect(report).to.include({ pairs_added: 4, pairs_withdrawn: 4 });
      expect(report.feeds.observations).to.deep.equal(rows(1, 0, 0, 0));
      expect(await standing(store)).to.have.lengthOf(4);
      for (const pair of await standing(store)) expect(pair).to.match(/ verified$/);
    });

    it('when a preliminary value comes after the verified one, then nothing changes, however late it is', async () => {
      await loaded({ observations: [VERIFIED] });
      const report = await loaded({
        observations: ['KORD,2026-01-05,99,98,preliminary,2026-02-01T06:00:00Z'],
      });
      expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    });

    it('when a preliminary value was observed earlier than the known one, then the later observation stands', async () => {
      const report = await loaded({
        observations: ['KORD,2026-01-05,29,16,preliminary,2026-01-05T23:00:00Z'],
      });
      expect(report.feeds.observations).to.deep.equal(rows(1, 0, 0, 0));
      expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    });

    it('when one row is repeated in a file with another value, then the later row wins', async () => {
      const report = await loaded({
        forecasts: [
          'KORD,2026-01-03T18:00:00Z,2026-01-05,40,20',
          'KORD,2026-01-03T18:00:00Z,2026-01-05,41,20',
          'KORD,2026-01-03T18:00:00Z,2026-01-05,42,20',
        ],
        observations: [
          'KORD,2026-01-05,30,16,verified,2026-01-08T06:00:00Z',
          'KORD,2026-01-05,31,16,verified,2026-01-08T06:00:00Z',
        ],
      });
      expect(placed(report.feeds.forecasts)).to.deep.equal({
        ...rows(1, 0, 2, 0),
        rows_contradicted: 2,
        first_contradicted: 'forecasts.csv:2',
      });
      expect(placed(report.feeds.observations)).to.deep.equal({
        ...rows(1, 0, 1, 0),
        rows_contradicted: 1,
        first_contradicted: 'observations.csv:2',
      });
      expect(reportText(report)).to.match(
        /contradicted in forecasts: 2 × a later row has other values, and counts, first at .*forecasts\.csv:2/,
      );
      expect((await standing(store))[0]).to.equal(
        'high KORD 2026-01-05 2026-01-03 18:00 24-48h 42 - 31 = 11 verified',
      );
    });

    it('when rows of one key have the same value, or another key between, then none is contradicted', async () => {
      const report = await loaded({
        forecasts: [
          'KORD,2026-01-03T18:00:00Z,2026-01-05,40,20',
          'KORD,2026-01-03T18:00:00Z,2026-01-05,40.00,',
          'KORD,2026-01-03T18:00:00Z,2026-01-06,41,20',
        ],
      });
      expect(report.feeds.forecasts).to.deep.equal(rows(3, 0, 0, 0));
    });

    it('when one value of a row is contradicted and the other counts, then the row is new and contradicted', async () => {
      const report = await loaded({
        forecasts: ['KORD,2026-01-03T18:00:00Z,2026-01-05,40,20', 'KORD,2026-01-03T18:00:00Z,2026-01-05,41,'],
      });
      expect(placed(report.feeds.forecasts)).to.deep.equal({
        ...rows(2, 0, 0, 0),
        rows_contradicted: 1,
        first_contradicted: 'forecasts.csv:2',
      });
    });

    it('when files contradict each other, over many days, then the first place is that of the first row', async () => {
      const forecasts = ['2026-01-07', '2026-01-06'].map((date) => `KORD,2026-01-03T18:00:00Z,${date},40,20`);
      const [first, second] = [
        writeFeeds({ forecasts }),
        writeFeeds({ forecasts: forecasts.map((row) => `${row}.5`) }),
      ];
      const report = await load(store, {
        stations: [],
        forecasts: [...first.forecasts, ...second.forecasts],
        observations: [],
      });
      expect(report.feeds.forecasts).to.deep.equal({
        ...rows(2, 0, 2, 0),
        rows_contradicted: 2,
        first_contradicted: { file: first.forecasts[0], line: 2 },
      });
    });

    it('when the later row of a file is blank, then the earlier value stays', async () => {
      const report = await loaded({
        forecasts: ['KORD,2026-01-03T18:00:00Z,2026-01-05,40,20', 'KORD,2026-01-03T18:00:00Z,2026-01-05,,'],
      });
      expect(report.feeds.forecasts).to.deep.equal(rows(1, 0, 1, 0));
      expect(report.pairs_added).to.equal(2);
    });

    it('when a station is corrected, then its row counts as corrected and the pairs stay', async () => {
      const report = await loaded({ stations: [CHICAGO.replace('Chicago,', 'Chicago O’Hare,')] });
      expect(report.feeds.stations).to.deep.equal(rows(0, 1, 0, 0));
      expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
      const [station] = await store.query(
        `SELECT city_name FROM current_stations WHERE station_id = 'KORD'`,
        {},
        z.object({ city_name: z.string() }),
      );
      expect(station?.city_name).to.equal('Chicago O’Hare');
    });

    it('when a station moves to another zone, then the lead times of all its pairs change', async () => {
      const report = await loaded({ stations: [CHICAGO.replace('America/Chicago', 'America/New_York')] });
      expect(report).to.include({ pairs_added: 4, pairs_withdrawn: 4 });
      expect((await standing(store)).map((pair) => pair.split(' ')[5])).to.deep.equal([
        '6-12h',
        '0-6h',
        '6-12h',
        '0-6h',
      ]);
      const back = await loaded({ stations: [CHICAGO] });
      expect(back).to.include({ pairs_added: 4, pairs_withdrawn: 4 });
    });

    it('when a station comes twice in a file, then the later row wins', async () => {
      const report = await loaded({
        stations: [CHICAGO.replace('Chicago', 'One'), CHICAGO.replace('Chicago', 'Two'), CHICAGO],
      });
      expect(placed(report.feeds.stations)).to.deep.equal({
        ...rows(0, 0, 3, 0),
        rows_contradicted: 2,
        first_contradicted: 'stations.csv:2',
      });
      expect((await loaded({ stations: [CHICAGO] })).feeds.stations).to.deep.equal(rows(0, 0, 1, 0));
    });

    it('when loads are listed, then each has its start, its end and its report', async () => {
      await loadLines(store, { forecasts: ['KORD,x,y,1,2'] }, { strict: true });
      await failure(load(store, { stations: [file('bad.csv', 'x\n')], forecasts: [], observations: [] }));
      const loads = await store.query(
        'SELECT load_id, event, report FROM loads ORDER BY load_id, event',
        {},
        z.object({ load_id: z.number(), event: z.string(), report: z.string() }),
      );
      expect(loads.map(({ load_id, event }) => `${load_id} ${event}`)).to.deep.equal([
        '1 started',
        '1 finished',
        '1 settled', // the station
        '1 settled', // the day
        '2 started',
        '2 failed',
        '3 started',
        '3 failed',
      ]);
      expect(JSON.parse(loads[1]?.report ?? '')).to.include({
        load_id: 1,
        outcome: 'complete',
        pairs_added: 4,
      });
      expect(loads[7]?.report).to.contain('bad.csv');
    });
  });

  describe('given feeds with the columns that they may have', () => {
    const FORECAST_HEADER = `${FEED_COLUMNS.forecasts.join()},provider,withdrawn`;
    const OBSERVATION_HEADER = `${FEED_COLUMNS.observations.join()},withdrawn`;
    const STATION_HEADER = `${FEED_COLUMNS.stations.join()},day_boundary,withdrawn`;
    const load1 = (lines: FeedLines): Promise<LoadReport> => {
      const written = (name: string, header: string, rows?: readonly string[]): string[] =>
        rows === undefined ? [] : [file(`${name}.csv`, [header, ...rows, ''].join('\n'))];
      return load(store, {
        stations: written('stations', STATION_HEADER, lines.stations),
        forecasts: written('forecasts', FORECAST_HEADER, lines.forecasts),
        observations: written('observations', OBSERVATION_HEADER, lines.observations),
      });
    };
    const providers = async (): Promise<string[]> => {
      const found = await store.query(
        `SELECT concat_ws(' ', provider, metric, forecast, actual) AS pair FROM pairs
        GROUP BY provider, metric, station_id, target_date, issued_at, forecast, actual
        HAVING sum(sign) > 0 ORDER BY provider, metric`,
        {},
        z.object({ pair: z.string() }),
      );
      return found.map(({ pair }) => pair);
    };

    it('when forecasts name providers, then each has its own pairs, and a blank one is the default', async () => {
      const row = 'KORD,2026-01-04T18:00:00Z,2026-01-05';
      await loaded({ stations: [CHICAGO], observations: [PRELIMINARY] });
      const report = await load1({
        forecasts: [`${row},31,18,nws,`, `${row},32,,,`, `"${row.replace(',', '",')},33,,gfs,false`],
      });
      expect(report.feeds.forecasts).to.deep.equal(rows(3, 0, 0, 0));
      expect(await providers()).to.deep.equal([
        'default high 32 30',
        'gfs high 33 30',
        'nws high 31 30',
        'nws low 18 17',
      ]);
      const again = await loaded({ forecasts: [`${row},32,`] });
      expect(again.feeds.forecasts, 'a feed without the column').to.deep.equal(rows(0, 0, 1, 0));
    });

    it('when a forecast is withdrawn by its key alone, then its pairs go, and come back when it is loaded again', async () => {
      await loaded(FEEDS);
      const before = await standing(store);
      const report = await load1({ forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,,,,true'] });
      expect(report).to.include({ outcome: 'complete', pairs_added: 0, pairs_withdrawn: 2 });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 1, 0, 0));
      await expectTidy();
      expect(await loaded({ forecasts: FORECASTS })).to.include({ pairs_added: 2, pairs_withdrawn: 0 });
      expect(await standing(store)).to.deep.equal(before);
    });

    it('when a verified observation is withdrawn, then the preliminary one stands again', async () => {
      await loaded({ ...FEEDS, observations: [PRELIMINARY, VERIFIED] });
      const report = await load1({ observations: ['KORD,2026-01-05,,,verified,2026-01-08T06:00:00Z,true'] });
      expect(report).to.include({ pairs_added: 4, pairs_withdrawn: 4 });
      for (const pair of await standing(store)) expect(pair).to.match(/ preliminary$/);
      await expectTidy();
    });

    it('when one row withdraws a value and a later one of the load gives it again, then it stands, and that is told', async () => {
      await loaded(FEEDS);
      const report = await load1({
        forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,,,,true', `${FORECASTS[0]},,`],
      });
      expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
      expect(report.feeds.forecasts).to.include({ rows_unchanged: 2, rows_contradicted: 1 });
    });

    it('when a station is withdrawn by its id alone, then its pairs go, and come back with its row', async () => {
      await loaded(FEEDS);
      const before = await standing(store);
      const report = await load1({ stations: ['KORD,,,,,,,,,,,true', 'KZZZ,,,,,,,,,,,true'] });
      expect(report.feeds.stations).to.deep.equal(rows(0, 1, 1, 0));
      expect(report).to.include({ outcome: 'complete', pairs_withdrawn: 4 });
      expect(await standing(store)).to.deep.equal([]);
      const again = await load1({ stations: ['KORD,,,,,,,,,,,true'] });
      expect(again.feeds.stations).to.deep.equal(rows(0, 0, 1, 0));
      const beside = await loaded({ forecasts: ['KORD,2026-01-05T00:00:00Z,2026-01-06,33,'] });
      expect(beside.warnings.map(({ feed, reason, rows: count }) => [feed, reason, count])).to.deep.equal([
        ['forecasts', 'station is withdrawn', 1],
      ]);
      const back = await loaded({ stations: [CHICAGO] });
      expect(back.feeds.stations).to.deep.equal(rows(0, 1, 0, 0));
      expect(await standing(store)).to.deep.equal(before);
    });

    it('when a station counts its days in standard time, then its lead times change in summer', async () => {
      const forecasts = [
        'KORD,2026-07-04T05:30:00Z,2026-07-05,90,70,,',
        'KORD,2026-07-04T23:30:00Z,2026-07-05,90,70,,',
      ];
      await load1({
        stations: [`${CHICAGO},,`],
        forecasts,
        observations: ['KORD,2026-07-05,88,71,verified,2026-07-06T12:00:00Z,'],
      });
      const buckets = async () => (await standing(store)).map((pair) => pair.split(' ')[5]);
      expect(await buckets()).to.deep.equal(['12-24h', '0-6h', '12-24h', '0-6h']);
      const report = await load1({ stations: [`${CHICAGO},standard,`] });
      expect(report.feeds.stations).to.deep.equal(rows(0, 1, 0, 0));
      expect(await buckets()).to.deep.equal(['24-48h', '6-12h', '24-48h', '6-12h']);
    });
  });

  describe('given rows that are possible and hardly true', () => {
    const warned = ({ warnings }: LoadReport) =>
      warnings.map(({ feed, reason, rows: count, first }) => [feed, reason, count, first.line]);
    const DAY = '2026-01-05,30,17';

    it('when feeds are sound, then nothing is warned of', async () => {
      expect((await loaded(FEEDS, { strict: true })).warnings).to.deep.equal([]);
    });

    it('when a verified day is not over, or a forecast is issued in the future, then the row is rejected', async () => {
      const lines = {
        stations: [CHICAGO],
        forecasts: [
          'KORD,2026-01-06T00:30:00Z,2026-01-07,31,18',
          'KORD,2026-01-06T00:31:00Z,2026-01-07,31,18',
          '"KORD",2026-01-06T00:31:00Z,2026-01-07,31,18',
        ],
        observations: [
          'KORD,2026-01-04,30,17,verified,2026-01-05T23:00:00Z',
          'KORD,2026-01-05,30,17,verified,2026-01-05T23:00:00Z',
          'KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z',
        ],
      };
      const report = await loaded(lines, { now: new Date('2026-01-05T23:30:00Z') });
      expect(
        report.rejections.map(({ feed, reason, rows: count, first }) => [feed, reason, count, first.line]),
      ).to.deep.equal([
        ['forecasts', 'forecast issued in the future', 2, 3],
        ['observations', 'verified before its day is over', 1, 3],
      ]);
      const later = await loaded(lines, { now: new Date('2026-01-06T06:00:00Z') });
      expect(later).to.include({ outcome: 'complete' });
    });

    it('when a high is below its low, then the rows are counted with the first, in either form, and go in', async () => {
      const report = await loaded({
        ...FEEDS,
        forecasts: [
          ...FORECASTS,
          'KORD,2026-01-03T18:00:00Z,2026-01-05,18,31',
          '"KORD",2026-01-03T12:00:00Z,2026-01-05,18,31',
        ],
        observations: [PRELIMINARY, 'KORD,2026-01-06,17,30.5,preliminary,2026-01-07T06:00:00Z'],
      });
      expect(report.outcome).to.equal('complete');
      expect(warned(report)).to.deep.equal([
        ['forecasts', 'high below low', 2, 4],
        ['observations', 'high below low', 1, 3],
      ]);
      expect(report.warnings[1]?.first.detail).to.equal('high_f=17, low_f=30.5');
      expect(reportText(report)).to.match(
        /warning in forecasts: 2 × high below low, first at .*forecasts\.csv:4 \(high_f=18, low_f=31\)/,
      );
    });

    it('when a value is verified before its day is over, then that is counted with the first, in either form; a preliminary one may be', async () => {
      const report = await loaded({
        stations: [CHICAGO, LONDON],
        observations: [
          `KORD,${DAY},verified,2026-01-06T06:00:00Z`,
          `KORD,${DAY},verified,2026-01-06T05:59:59Z`,
          `EGLL,${DAY},verified,2026-01-06T00:00:00Z`,
          `"EGLL",${DAY},verified,2026-01-05T23:59:59Z`,
          `KORD,${DAY},preliminary,2026-01-05T21:00:00Z`,
          `"EGLL",${DAY},preliminary,2026-01-05T18:00:00Z`,
        ],
      });
      expect(warned(report)).to.deep.equal([['observations', 'verified before its day is over', 2, 3]]);
      expect(report.warnings[0]?.first.detail).to.equal(
        '2026-01-05 ends at 2026-01-06T06:00Z in America/Chicago; observed_at is 2026-01-06T05:59:59',
      );
    });

    it('when a longitude is far from its zone, then the station is named, and goes in', async () => {
      const report = await loaded({ stations: [LONDON, CHICAGO.replace('-87.93', '87.93')] });
      expect(warned(report)).to.deep.equal([['stations', 'longitude far from its time zone', 1, 3]]);
      expect(report.feeds.stations).to.deep.equal(rows(2, 0, 0, 0));
    });

    const CELSIUS_DAY = 'far from all forecasts of its day; is it in Celsius?';
    const CELSIUS_FORECASTS = 'far from the other values of the station; are they in Celsius?';

    it('when one observation is in Celsius, then it is far from all forecasts of its day, of this load or known', async () => {
      const forecasts = ['2026-05-05', '2026-05-06'].flatMap((date) =>
        [50, 55, 60].map((high, index) => `KORD,2026-05-0${index + 1}T18:00:00Z,${date},${high},40`),
      );
      const celsius = 'KORD,2026-05-06,12.4,,preliminary,2026-05-07T06:00:00Z';
      const lines = {
        stations: [CHICAGO],
        forecasts,
        observations: ['KORD,2026-05-05,57,41,preliminary,2026-05-06T06:00:00Z', celsius],
      };
      const report = await loaded(lines);
      expect(warned(report)).to.deep.equal([['observations', CELSIUS_DAY, 1, 3]]);
      expect(report.warnings[0]?.first.detail).to.equal('high 12.4 °F, forecast 50 to 60');
      const later = await loaded({ observations: [celsius.replace('07T06', '07T12')] });
      expect(warned(later)).to.deep.equal([['observations', CELSIUS_DAY, 1, 2]]);
    });

    it('when forecasts are in Celsius, then they are far from what was observed, or else from the forecasts known', async () => {
      const days = [5, 6, 7].map((day) => `2026-05-0${day}`);
      const celsius = days.map((date) => `KORD,2026-05-02T18:00:00Z,${date},12,5`);
      await loaded({
        stations: [CHICAGO],
        forecasts: days.map((date) => `KORD,2026-05-01T18:00:00Z,${date},55,40`),
      });
      expect(warned(await loaded({ forecasts: celsius }))).to.deep.equal([
        ['forecasts', CELSIUS_FORECASTS, 3, 2],
      ]);
      await emptyStore(store);
      const report = await loaded({
        stations: [CHICAGO],
        forecasts: celsius,
        observations: days.map((date) => `KORD,${date},56,41,preliminary,2026-05-20T06:00:00Z`),
      });
      expect(warned(report)).to.deep.include(['forecasts', CELSIUS_FORECASTS, 3, 2]);
    });

    it('when one forecast of many is wrong by as much, then that is weather', async () => {
      const days = [5, 6, 7].map((day) => `2026-05-0${day}`);
      const report = await loaded({
        stations: [CHICAGO],
        forecasts: days.map((date, index) => `KORD,2026-05-01T18:00:00Z,${date},${index === 0 ? 90 : 55},40`),
        observations: days.map((date) => `KORD,${date},60,41,preliminary,2026-05-20T06:00:00Z`),
      });
      expect(warned(report).filter(([feed]) => feed === 'forecasts')).to.deep.equal([]);
    });

    it('when the load is strict, then a warning fails it, and nothing of it goes in', async () => {
      const before = await sizes(store);
      const report = await loaded(
        { ...FEEDS, forecasts: [...FORECASTS, 'KORD,2026-01-03T18:00:00Z,2026-01-05,18,31'] },
        { strict: true },
      );
      expect(report).to.deep.include({ outcome: 'failed', rejections: [], pairs_added: 0 });
      expect(warned(report)).to.have.lengthOf(1);
      expect(await sizes(store)).to.deep.equal(before);
    });
  });

  describe('given forecasts without an observation', () => {
    it('when they are asked for, then each value is listed, as many as the report counts, and no other', async () => {
      const told: string[] = [];
      const onUnmatched = (forecast: object): Promise<void> => {
        told.push(Object.values(forecast).join());
        return Promise.resolve();
      };
      const report = await loaded(
        {
          stations: [CHICAGO, LONDON],
          forecasts: [
            ...FORECASTS,
            'KORD,2026-01-05T00:00:00Z,2026-01-06,33,',
            'EGLL,2026-01-04T18:00:00Z,2026-01-05,45,38',
          ],
          observations: ['KORD,2026-01-05,30,,preliminary,2026-01-06T06:00:00Z'],
        },
        { onUnmatched },
      );
      expect(told).to.deep.equal([
        'EGLL,default,2026-01-05,2026-01-04T18:00:00.000Z,high',
        'EGLL,default,2026-01-05,2026-01-04T18:00:00.000Z,low',
        'KORD,default,2026-01-05,2026-01-04T18:00:00.000Z,low',
        'KORD,default,2026-01-05,2026-01-05T00:00:00.000Z,low',
        'KORD,default,2026-01-06,2026-01-05T00:00:00.000Z,high',
      ]);
      expect(told).to.have.lengthOf(report.forecasts_without_observation);
      expect(reportText(report)).to.contain('without an observation yet: 5 (--unmatched FILE lists them)');
      expect(reportText(report, { unmatched: 'u.csv' })).to.contain(
        'without an observation yet: 5, listed in u.csv',
      );
      told.length = 0;
      await loaded(
        { observations: ['KORD,2026-01-05,30,17,verified,2026-01-08T06:00:00Z'] },
        { onUnmatched },
      );
      expect(told, 'of the days that a load touches').to.deep.equal([]);
    });
  });

  describe('given rows that cannot be used', () => {
    const BAD = {
      stations: [
        CHICAGO,
        'K!,Nowhere,US,0,0,UTC,,true,,',
        'KAAA,Nowhere,US,0,0,Mars/Base,,true,,',
        'KBBB,Nowhere,US,91,0,UTC,,true,,',
        'KCCC,Nowhere,US,0,0,UTC,,maybe,,',
      ],
      forecasts: [
        FORECASTS[0] ?? '',
        'KZZZ,2026-01-04T18:00:00Z,2026-01-05,31,18',
        'KORD,2026-01-04T18:00:00,2026-01-05,31,18',
        'KORD,2026-01-04T18:00:00Z,2026-02-30,31,18',
        'KORD,2026-01-04T18:00:00Z,2026-01-05,warm,18',
        'KORD,2026-01-04T18:00:00Z,2026-01-05,31,-200',
        'KORD,2026-01-04T18:00:00Z,2026-01-05,31',
        'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18,7',
        '"KORD,2026-01-04T18:00:00Z,2026-01-05,31,18',
        'KAAA,2026-01-04T18:00:00Z,2026-01-05,31,18',
        '',
        FORECASTS[1] ?? '',
      ],
      observations: ['KORD,2026-01-05,30,17,final,2026-01-06T06:00:00Z', PRELIMINARY],
    };
    const FOUND = [
      ['stations', 3, 'bad station_id', '"K!" is not an ICAO identifier'],
      ['stations', 4, 'unknown time zone', '"Mars/Base"'],
      ['stations', 5, 'bad coordinate', 'latitude="91" is not within -90..90 degrees'],
      ['stations', 6, 'bad data_active', '"maybe" is not true or false'],
      ['forecasts', 3, 'unknown station', 'KZZZ'],
      ['forecasts', 4, 'bad time', '"2026-01-04T18:00:00" is not ISO 8601 with an offset or Z'],
      ['forecasts', 5, 'bad date', '"2026-02-30"'],
      ['forecasts', 6, 'temperature is not a number', 'high_f="warm"'],
      ['forecasts', 7, 'temperature outside -150..150 °F', 'low_f="-200"'],
      ['forecasts', 8, 'missing column', 'low_f'],
      ['forecasts', 9, 'too many cells', '6, the header has 5'],
      ['forecasts', 10, 'malformed CSV', 'CSV_QUOTE_NOT_CLOSED'],
      ['forecasts', 11, 'unknown station', 'KAAA'],
      ['observations', 2, 'bad status', '"final" is not preliminary or verified'],
    ] as const;

    it('when they are loaded, then each is told with file, line, reason and text, and the others go in', async () => {
      const told: RejectedRow[] = [];
      const report = await loaded(BAD, {
        onRejected: (row) => {
          told.push(row);
          return Promise.resolve();
        },
      });
      expect(told.map(({ feed, line, reason, detail }) => [feed, line, reason, detail])).to.deep.equal(FOUND);
      for (const { feed, file: path, line, text } of told) {
        expect(basename(path)).to.equal(`${feed}.csv`);
        expect(text).to.equal(readFileSync(path, 'utf8').split('\n')[line - 1]);
      }
      expect(report.outcome).to.equal('some_rows_rejected');
      expect(report.feeds).to.deep.equal({
        stations: rows(1, 0, 0, 4),
        forecasts: rows(2, 0, 0, 9),
        observations: rows(1, 0, 0, 1),
      });
      expect(report.pairs_added).to.equal(4);
    });

    it('when the report is read, then rows are counted by feed and reason, with the first of each', async () => {
      const { rejections } = await loaded(BAD);
      const unknown = rejections.find(({ reason }) => reason === 'unknown station');
      expect(unknown).to.include({ feed: 'forecasts', rows: 2 });
      expect(unknown?.first).to.include({ line: 3, detail: 'KZZZ' });
      expect(rejections.reduce((sum, { rows: count }) => sum + count, 0)).to.equal(FOUND.length);
      expect(rejections.map(({ rows: count }) => count)).to.deep.equal(
        rejections.map(({ rows: count }) => count).sort((a, b) => b - a),
      );
    });

    it('when the report is printed, then every reason has a line with the place of the first row', async () => {
      const report = await loaded(BAD);
      const text = reportText(report);
      expect(text).to.contain('stations: 5 rows read: 1 new, 0 corrected, 0 unchanged, 4 rejected');
      expect(text).to.match(/2 × unknown station, first at .*forecasts\.csv:3 \(KZZZ\)/);
      expect(text).to.contain('pairs: 4 added, 0 withdrawn');
      expect(text).to.contain('some rows rejected');
    });

    it('when the load is strict, then it fails and nothing of it goes in', async () => {
      const before = await sizes(store);
      const report = await loadLines(store, BAD, { strict: true });
      expect(report).to.include({ outcome: 'failed', pairs_added: 0, pairs_withdrawn: 0 });
      expect(report.rejections.reduce((sum, { rows: count }) => sum + count, 0)).to.equal(FOUND.length);
      expect(await sizes(store)).to.deep.equal(before);
      await expectTidy();
    });

    it('when the load is strict and fails, then its report does not claim rows, and its rows add up', async () => {
      const report = await loadLines(store, BAD, { strict: true });
      for (const { rows_new, rows_corrected } of Object.values(report.feeds)) {
        expect(rows_new + rows_corrected).to.equal(0);
      }
      expectRowsToAddUp(report);
    });

    it('when the load is strict and no row is bad, then it goes in', async () => {
      expect(await loaded(FEEDS, { strict: true })).to.include({ outcome: 'complete', pairs_added: 4 });
    });

    it('when a forecast names a station whose row was rejected, then it is rejected, too', async () => {
      const report = await loaded({
        stations: ['KORD,Chicago,US,0,0,Nowhere,,true,,'],
        forecasts: FORECASTS,
      });
      expect(report.feeds.forecasts).to.deep.equal(rows(0, 0, 0, 2));
    });

    it('when a known station comes with a bad row, then it stays as it was and its forecasts go in', async () => {
      await loaded({ stations: [CHICAGO] });
      const report = await loaded({ ...FEEDS, stations: ['KORD,Chicago,US,0,0,Nowhere,,true,,'] });
      expect(report.feeds.stations).to.deep.equal(rows(0, 0, 0, 1));
      expect(report.pairs_added).to.equal(4);
    });
  });

  describe('given a file that cannot be read', () => {
    // Longer than one insert into staging, so that the fault is met when some rows are staged already.
    const many = Array.from(
      { length: 200_000 },
      (_, index) => `KORD,${new Date(index * 60_000).toISOString().slice(0, 16)}Z,2026-01-05,31,18`,
    );
    const packed = gzipSync([FEED_COLUMNS.forecasts.join(), ...many].join('\n'));

    it('when its gzip data ends half way, then nothing of the load goes in, stations included', async () => {
      const { stations, observations } = writeFeeds(FEEDS);
      const before = await sizes(store);
      const cut = file('forecasts.csv.gz', packed.subarray(0, packed.length - 100));
      const message = await failure(load(store, { stations, forecasts: [cut], observations }));
      expect(message).to.contain('ends in the middle of its gzip data');
      expect(await sizes(store)).to.deep.equal(before);
      await expectTidy();
      const report = await loaded(FEEDS);
      expect(report).to.deep.include({
        pairs_added: 4,
        feeds: { stations: rows(2, 0, 0, 0), forecasts: rows(2, 0, 0, 0), observations: rows(1, 0, 0, 0) },
      });
    });

    it('when it is the last of many and lacks a column, then nothing of the others goes in', async () => {
      const { stations, forecasts } = writeFeeds(FEEDS);
      const before = await sizes(store);
      const bad = file('observations.csv', 'station_id,date,high_f,status,observed_at\n');
      expect(await failure(load(store, { stations, forecasts, observations: [bad] }))).to.match(
        /missing: low_f$/,
      );
      expect(await sizes(store)).to.deep.equal(before);
      await expectTidy();
    });

    it('when a line far behind is not UTF-8, then nothing of the load goes in', async () => {
      const before = await sizes(store);
      const latin1 = file(
        'forecasts.csv',
        Buffer.from(
          `${FEED_COLUMNS.forecasts.join()},name\n${many.map((row) => `${row},x\n`).join('')}${many[0]},M\u00fcnchen\n`,
          'latin1',
        ),
      );
      const { stations, observations } = writeFeeds(FEEDS);
      expect(await failure(load(store, { stations, forecasts: [latin1], observations }))).to.contain(
        ': line 200002 is not UTF-8',
      );
      expect(await sizes(store)).to.deep.equal(before);
      await expectTidy();
    });

    it('when it is missing, then the load does not even begin', async () => {
      const { stations, forecasts } = writeFeeds(FEEDS);
      const missing = join(temporaryFolder(), 'observations.csv');
      expect(await failure(load(store, { stations, forecasts, observations: [missing] }))).to.equal(
        `${missing}: no such file`,
      );
      const loads = await store.query('SELECT load_id FROM loads', {}, z.unknown());
      expect(loads).to.deep.equal([]);
    });
  });

  describe('given a load that died', () => {
    const begun = async (load_id: number): Promise<void> =>
      store.insert('loads', ['load_id', 'event', 'report'], [[load_id, 'started', '']]);

    it('when it died while it was reading, then what it staged is dropped by the next load', async () => {
      await loaded({ stations: [CHICAGO], observations: [PRELIMINARY] });
      await begun(2);
      await store.insert(
        'staged_forecasts',
        ['metric', 'station_id', 'target_date', 'issued_at', 'forecast', 'row_number', 'load_id'],
        [['high', 'KORD', '2026-01-05', '2026-01-04 18:00:00.000', 99, 1, 2]],
      );
      const report = await loaded({});
      expect(report).to.include({ load_id: 3, pairs_added: 0 });
      expect(await standing(store)).to.deep.equal([]);
    });

    it('when it died between facts and ledger, then the next load settles what it left', async () => {
      await loaded({ stations: [CHICAGO], observations: [PRELIMINARY] });
      await begun(2);
      await store.insert('unsettled', ['station_id', 'target_date', 'load_id'], [['KORD', '2026-01-05', 2]]);
      await store.insert(
        'forecasts',
        ['metric', 'provider', 'station_id', 'target_date', 'issued_at', 'forecast', 'load_id'],
        [['high', 'default', 'KORD', '2026-01-05', '2026-01-04 18:00:00.000', 31, 2]],
      );
      await loaded({});
      expect(await standing(store)).to.deep.equal([
        'high KORD 2026-01-05 2026-01-04 18:00 12-24h 31 - 30 = 1 preliminary',
      ]);
    });

    it('when it died between ledger and histograms, then the next load mends them', async () => {
      await loaded(FEEDS);
      await begun(2);
      await store.insert('unsettled', ['station_id', 'target_date', 'load_id'], [['KORD', '2026-01-05', 2]]);
      for (const table of [
        'network_day_errors',
        'station_day_errors',
        'station_week_errors',
        'station_day_counts',
      ]) {
        await store.command(`TRUNCATE TABLE ${table}`);
      }
      await loaded({});
    });
  });

  describe('given loads in any order', () => {
    // Each observation and each forecast has one value, so that no load can be a correction of another.
    const dates = ['2026-01-05', '2026-01-06'];
    const forecasts = dates.flatMap((date, day) =>
      [0, 6, 30, 80].map((hours, index) => {
        const issued = new Date(Date.parse(`${date}T06:00:00Z`) - hours * 3_600_000).toISOString();
        return `KORD,${issued},${date},${30 + index + day}.${index}5,${20 - index}`;
      }),
    );
    const observations = dates.flatMap((date, day) => [
      `KORD,${date},${31 + day},18,preliminary,2026-01-08T06:00:00Z`,
      `KORD,${date},${32 + day},,preliminary,2026-01-08T12:00:00Z`,
      `KORD,${date},,17.5,verified,2026-01-10T06:00:00Z`,
    ]);

    it('when the rows are dealt to loads at random, some of them twice, then the pairs are the same', async function () {
      this.timeout(60_000);
      await loaded({ stations: [CHICAGO], forecasts, observations });
      const expected = await standing(store);
      expect(expected).to.have.lengthOf(16);
      const all = forecasts.length + observations.length;
      const deal = fc.array(fc.nat(2), { minLength: all, maxLength: all });
      const again = fc.array(fc.boolean(), { minLength: all, maxLength: all });
      await fc.assert(
        fc.asyncProperty(deal, again, async (loads, repeated) => {
          await emptyStore(store);
          for (const number of [0, 1, 2]) {
            const chosen = (index: number): boolean =>
              loads[index] === number || (number === 2 && repeated[index] === true);
            await loadLines(store, {
              stations: [CHICAGO],
              forecasts: forecasts.filter((_, index) => chosen(index)),
              observations: observations.filter((_, index) => chosen(forecasts.length + index)),
            });
          }
          expect(await standing(store)).to.deep.equal(expected);
          await expectTidy();
        }),
        { numRuns: range({ test: 2, ci: 10 }) },
      );
    });
  });

  describe('given a large file', () => {
    const large = (rowCount: number): string => {
      const lines = [FEED_COLUMNS.forecasts.join()];
      for (let row = 0; row < rowCount; row += 1) {
        const day = Date.UTC(2025, 0, 1) + Math.floor(row / 400) * 86_400_000;
        const issued = new Date(day - (row % 400) * 600_000).toISOString();
        lines.push(`KORD,${issued},${new Date(day).toISOString().slice(0, 10)},${row % 90},${row % 50}.25`);
      }
      return file('forecasts.csv', lines.join('\n'));
    };

    it('when it has 200,000 rows, then memory does not grow with it, and progress is told', async function () {
      this.timeout(60_000);
      await loaded({ stations: [CHICAGO] });
      const grown: number[] = [];
      const files = new Map([50_000, 200_000].map((rowCount) => [rowCount, large(rowCount)]));
      for (const [rowCount, path] of files) {
        const before = process.memoryUsage().rss;
        let peak = before;
        const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
        const told: { file: string; rows: number; share: number }[] = [];
        const report = await load(
          store,
          { stations: [], forecasts: [path], observations: [] },
          { onProgress: (progress) => told.push(progress) },
        );
        clearInterval(sampling);
        grown.push(Math.round((peak - before) / 2 ** 20));
        expect(report.feeds.forecasts.rows_read).to.equal(rowCount);
        expectRowsToAddUp(report);
        expect(told.length).to.be.at.least(rowCount / 10_000);
        expect(told.at(-1)).to.deep.equal({ file: path, rows: rowCount, share: 1 });
        expect(told.map(({ share }) => share)).to.deep.equal(
          told.map(({ share }) => share).sort((a, b) => a - b),
        );
      }
      // Loosely: the engine merges what has come in at times of its own.
      const [quarter = 0, whole = 0] = grown;
      expect(whole, `MB for 50,000 and 200,000 rows: ${grown.join(', ')}`).to.be.below(quarter + 400);
      await expectTidy();
    });
  });
});
