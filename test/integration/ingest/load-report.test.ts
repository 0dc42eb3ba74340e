import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import { getRequiredNames } from '../../../src/feeds/feeds.js';
import { reportText } from '../../../src/ingest/load-report.js';
import { load } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { LINE_COLUMNS, loadLines, writeFeeds } from '../../support/ingest/feeds.js';
import {
  CHICAGO,
  FEEDS,
  fileWith,
  FORECASTS,
  PRELIMINARY,
  feedRows,
  rows,
  sizes,
  unreadable,
} from '../../support/ingest/loads.js';
import { openTestStore } from '../../support/store.js';
import { itInCi } from '../../support/runner/range.js';

const NEW = feedRows([2, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]);

/** The pairs that stand, each as a line. */
async function standing(store: Store): Promise<string[]> {
  const pairs = await store.query(
    sql.rows(
      z.object({ pair: z.string() }),
    )`SELECT concat_ws(' ', metric, station_id, target_date, substring(toString(issued_at), 1, 16), lead_time_bucket,
        concat(toString(forecast), ' - ', toString(actual), ' = ', toString(error)), observation_status) AS pair
    FROM pairs
    GROUP BY ALL
    HAVING sum(sign) != 0
    ORDER BY pair`,
  );
  return pairs.map(({ pair }) => pair);
}

// One store lives through all of it.
describe('the report of a load, given an empty store', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  it('when nothing is given, then nothing happens, and that is complete', async () => {
    const report = await loadLines(store, {});
    expect(report).to.include({ outcome: 'complete', pairs_added: 0 });
    expect(report.feeds).to.deep.equal(feedRows());
  });

  it('when feeds have headers only, then that is complete, too, and the report says so of each file', async () => {
    const report = await loadLines(store, { stations: [], forecasts: [], observations: [] });
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

  it('when sound feeds are loaded, strictly, then all rows are new, and nothing is warned of', async () => {
    const report = await loadLines(store, FEEDS, { strict: true });
    expect(report).to.deep.include({
      load_id: 3,
      outcome: 'complete',
      store_was_empty: true,
      feeds: NEW,
      rejections: [],
      warnings: [],
      pairs_added: 4,
      pairs_withdrawn: 0,
      forecasts_without_observation: 0,
      forecasts_issued_after_day_ended: 0,
    });
    expect(report.seconds).to.be.above(0);
    expect(report.rows_per_second).to.be.above(0);
    expect(report.peak_memory_mb).to.be.above(10);
    expect(reportText(report, { into: '/data' })).to.contain('store: /data (empty before)\n');
    expect(await standing(store)).to.deep.equal([
      'high KORD 2026-01-05 2026-01-04 18:00 12-24h 31 - 30 = 1 preliminary',
      'high KORD 2026-01-05 2026-01-05 00:00 6-12h 32.5 - 30 = 2.5 preliminary',
      'low KORD 2026-01-05 2026-01-04 18:00 12-24h 18 - 17 = 1 preliminary',
      'low KORD 2026-01-05 2026-01-05 00:00 6-12h 19 - 17 = 2 preliminary',
    ]);
  });

  it('when they are loaded again, then all rows are unchanged, no table grows, and the report names it', async () => {
    const before = await sizes(store);
    const report = await loadLines(store, FEEDS);
    expect(report).to.deep.include({
      load_id: 4,
      outcome: 'complete',
      store_was_empty: false,
      feeds: feedRows([0, 0, 2, 0], [0, 0, 2, 0], [0, 0, 1, 0]),
      pairs_added: 0,
      pairs_withdrawn: 0,
    });
    expect(reportText(report, { into: '/data' })).to.contain('store: /data\n');
    expect(await sizes(store)).to.deep.equal(before);
  });

  it('when a file has columns that the feed does not have, then they are named with what they may mean', async () => {
    const header = `${getRequiredNames('forecasts').join()},provder,note`;
    const path = fileWith('forecasts.csv', `${header}\n${FORECASTS[0]},nws,x\n`);
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

  itInCi(
    'when a feed is gzip, or a file comes twice, then it loads the same, and nothing new the second time',
    async () => {
      const ofDenver = (lines: readonly string[]): string[] =>
        lines.map((line) => line.replace('KORD', 'KDEN'));
      const stations = [LINE_COLUMNS.stations.join(), ...ofDenver([CHICAGO])].join('\n');
      const { forecasts, observations } = writeFeeds({
        forecasts: ofDenver(FORECASTS),
        observations: ofDenver([PRELIMINARY]),
      });
      const report = await load(store, {
        stations: [fileWith('stations.csv.gz', gzipSync(stations))],
        forecasts: [...forecasts, ...forecasts],
        observations: [...observations, ...observations],
      });
      expect(report).to.deep.include({
        outcome: 'complete',
        pairs_added: 4,
        feeds: feedRows([1, 0, 0, 0], [2, 0, 2, 0], [1, 0, 1, 0]),
      });
    },
  );

  itInCi(
    'when forecasts have no observation yet, then each is listed; when it comes, they are pairs',
    async () => {
      const told: string[] = [];
      const onUnmatched = (forecast: object): Promise<void> => {
        told.push(Object.values(forecast).join());
        return Promise.resolve();
      };
      const ofSeattle = (lines: readonly string[]): string[] =>
        lines.map((line) => line.replace('KORD', 'KSEA'));
      const report = await loadLines(
        store,
        {
          stations: ofSeattle([CHICAGO]),
          forecasts: [
            ...ofSeattle(FORECASTS),
            'KSEA,2026-01-05T00:00:00Z,2026-01-06,33,',
            'EGLL,2026-01-04T18:00:00Z,2026-01-05,45,38',
          ],
          observations: ['KSEA,2026-01-05,30,,preliminary,2026-01-06T06:00:00Z'],
        },
        { onUnmatched },
      );
      expect(told).to.deep.equal([
        'EGLL,default,2026-01-05,2026-01-04T18:00:00.000Z,high',
        'EGLL,default,2026-01-05,2026-01-04T18:00:00.000Z,low',
        'KSEA,default,2026-01-05,2026-01-04T18:00:00.000Z,low',
        'KSEA,default,2026-01-05,2026-01-05T00:00:00.000Z,low',
        'KSEA,default,2026-01-06,2026-01-05T00:00:00.000Z,high',
      ]);
      expect(report).to.include({ pairs_added: 2, forecasts_without_observation: told.length });
      expect(reportText(report)).to.contain('without an observation yet: 5 (--unmatched FILE lists them)');
      expect(reportText(report, { unmatched: 'u.csv' })).to.contain(
        'without an observation yet: 5, listed in u.csv',
      );
      told.length = 0;
      const later = await loadLines(
        store,
        { observations: ['KSEA,2026-01-05,30,17,verified,2026-01-08T06:00:00Z'] },
        { onUnmatched },
      );
      expect(later).to.include({ pairs_added: 4, pairs_withdrawn: 2, forecasts_without_observation: 0 });
      expect(told, 'of the days that a load touches').to.deep.equal([]);
    },
  );

  itInCi(
    'when files contradict each other, over many days, then the first place is that of the first row',
    async () => {
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
      expect(reportText(report)).to.match(
        /contradicted in forecasts: 2 × a later row has other values, and counts, first at .*forecasts\.csv:2/,
      );
    },
  );

  it('when loads are listed, then each has its start, its end and its report', async () => {
    const { load_id: last } = await loadLines(store, { forecasts: ['KORD,x,y,1,2'] }, { strict: true });
    const bad = { stations: [fileWith('bad.csv', 'x\n')], forecasts: [], observations: [] };
    await unreadable(load(store, bad));
    const loads = await store.query(
      sql.rows(z.object({ load_id: z.number(), event: z.string(), report: z.string() }))`${raw(
        'SELECT load_id, event, report FROM loads WHERE load_id IN (3, {last: UInt32}, {last: UInt32} + 1) ORDER BY load_id, event',
        { last },
      )}`,
    );
    expect(loads.map(({ load_id, event }) => `${load_id} ${event}`)).to.deep.equal([
      '3 started',
      '3 finished',
      '3 settled', // the station
      '3 settled', // the day
      `${last} started`,
      `${last} failed`,
      `${last + 1} started`,
      `${last + 1} failed`,
    ]);
    expect(JSON.parse(loads[1]?.report ?? '')).to.include({
      load_id: 3,
      outcome: 'complete',
      pairs_added: 4,
    });
    expect(loads[7]?.report).to.contain('bad.csv');
    expect(await audit(store)).to.deep.equal([]);
  });
});
