import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import { getRequiredNames } from '../../../src/feeds/feeds.js';
import { load } from '../../../src/ingest/load.js';
import type { Progress } from '../../../src/ingest/load-tally.js';
import type { Store } from '../../../src/store/store.js';
import { sql } from '../../../src/queries/sql.js';
import { LINE_COLUMNS, loadLines, writeFeeds } from '../../support/ingest/feeds.js';
import { CHICAGO, FEEDS, fileWith, feedRows, rows, sizes, unreadable } from '../../support/ingest/loads.js';
import { itInCi, range } from '../../support/runner/range.js';
import { WORKING } from '../../../src/store/engine/open.js';
import { openTestStore, temporaryFolder, withMethod } from '../../support/store.js';

describe('load', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore(WORKING);
  });
  after(() => store.close());

  const lastFailure = async (): Promise<unknown> => {
    const { report } = await store.queryOne(
      sql.rows(
        z.object({ report: z.string() }),
      )`SELECT argMax(report, load_id) AS report FROM loads WHERE event = 'failed'`,
    );
    return JSON.parse(report);
  };
  const failedLoads = async (): Promise<number> => {
    const counted = sql`SELECT count() AS loads FROM loads WHERE event = 'failed'`;
    return (await store.queryOne(sql.rows(z.object({ loads: z.number() }))`${counted}`)).loads;
  };

  describe('given a file that cannot be read', () => {
    // Longer than one insert into staging, so that the fault is met when some rows are staged already.
    const many = Array.from(
      { length: 110_000 }, // more than one insert of 4 MB
      (_, index) => `KORD,${new Date(index * 60_000).toISOString().slice(0, 16)}Z,2026-01-05,31,18`,
    );
    const packed = gzipSync([getRequiredNames('forecasts').join(), ...many].join('\n'));

    it('when its gzip data ends half way, then nothing of the load goes in, stations included', async () => {
      const { stations, observations } = writeFeeds(FEEDS);
      const before = await sizes(store);
      const cut = fileWith('forecasts.csv.gz', packed.subarray(0, packed.length - 100));
      const message = await unreadable(load(store, { stations, forecasts: [cut], observations }));
      expect(message).to.contain('ends in the middle of its gzip data');
      expect(await sizes(store)).to.deep.equal(before);
    });

    it('when it is the last of many and lacks a column, then nothing of the others goes in', async () => {
      const { stations, forecasts } = writeFeeds(FEEDS);
      const before = await sizes(store);
      const bad = fileWith('observations.csv', 'station_id,date,high_f,status,observed_at\n');
      expect(await unreadable(load(store, { stations, forecasts, observations: [bad] }))).to.match(
        /missing: low_f$/,
      );
      expect(await sizes(store)).to.deep.equal(before);
    });

    // Its rows before that line are still on their way into staging when the line is read: the load that comes next would
    // take them for its own, and so it did.
    itInCi(
      'when a line far behind is not UTF-8, then nothing of the load goes in, not later either',
      async () => {
        const before = await sizes(store);
        let inserted = Promise.resolve();
        const slowToInsert = withMethod(
          store,
          'insertText',
          (...given) => (inserted = delay(200).then(() => store.insertText(...given))),
        );
        const latin1 = fileWith(
          'forecasts.csv',
          Buffer.from(
            `${getRequiredNames('forecasts').join()},name\n${many.map((row) => `${row},x\n`).join('')}${many[0]},M\u00fcnchen\n`,
            'latin1',
          ),
        );
        const { stations, observations } = writeFeeds(FEEDS);
        const loading = load(slowToInsert, { stations, forecasts: [latin1], observations });
        expect(await unreadable(loading)).to.contain(': line 110002 is not UTF-8');
        await inserted;
        expect(await sizes(store)).to.deep.equal(before);
      },
    );

    // The blank lines of read-feed.test.ts stand for it in `make test`.
    itInCi(
      'when it is blank lines almost alone, then nobody waits for the rest, and nothing goes in',
      async () => {
        const before = await sizes(store);
        const header = getRequiredNames('forecasts').join();
        const blank = '\n'.repeat(150_000);
        for (const text of [blank + header, `${header}\n${blank}`, `${header}\n${' \r\n'.repeat(150_000)}`]) {
          for (const file of [fileWith('blank.csv.gz', gzipSync(text)), fileWith('blank.csv', text)]) {
            expect(await unreadable(load(store, { forecasts: [file] }))).to.match(
              /: has 100000 more blank lines than rows/,
            );
          }
        }
        const stations = [fileWith('blank.csv', LINE_COLUMNS.stations.join() + blank)];
        expect(await unreadable(load(store, { stations }))).to.contain('blank lines');
        expect(await sizes(store)).to.deep.equal(before);
        const spaced = fileWith('spaced.csv', `${header}\n${'KXXX,,,,\n\n'.repeat(110_000)}`);
        const { feeds } = await load(store, { forecasts: [spaced] });
        expect(feeds.forecasts.rows_rejected).to.equal(110_000);
      },
    );

    itInCi(
      'when a signal comes while its rows are rejected, then the load ends, and nothing goes in',
      async () => {
        const { stations } = writeFeeds(FEEDS);
        const before = await sizes(store);
        for (const feed of ['forecasts', 'stations'] as const) {
          const bad = fileWith(`${feed}.csv`, `${getRequiredNames(feed).join()}\n${'x\n'.repeat(100_000)}`);
          const stop = new AbortController();
          let rejected = 0;
          const onRejected = (): Promise<void> => {
            // As a signal reaches a process: not before the loop of events turns.
            if (rejected === 0) setImmediate(() => stop.abort(new Error('stopped')));
            rejected += 1;
            return Promise.resolve();
          };
          const error: unknown = await load(
            store,
            { stations, [feed]: [bad] },
            { signal: stop.signal, onRejected },
          ).catch((reason: unknown) => reason);
          expect(String(error), feed).to.equal('Error: stopped');
          expect(rejected).to.be.below(100_000);
        }
        expect(await sizes(store)).to.deep.equal(before);
      },
    );

    it('when a file is missing, or none at all, then the load is kept as failed, with a reason and no path', async () => {
      const { stations, forecasts } = writeFeeds(FEEDS);
      const before = await sizes(store);
      const missing = join(temporaryFolder(), 'observations.csv');
      for (const [file, why] of [
        [missing, 'no such file'],
        [temporaryFolder(), 'is not a file'],
      ] as const) {
        const loads = await failedLoads();
        expect(await unreadable(load(store, { stations, forecasts, observations: [file] }))).to.equal(
          `${file}: ${why}`,
        );
        expect(await failedLoads()).to.equal(loads + 1);
        expect(await lastFailure()).to.deep.equal({
          error: `${file}: ${why}`,
          reason: `observations: ${why}`,
        });
      }
      expect(await sizes(store)).to.deep.equal(before);
    });

    itInCi(
      'when files are put together, then further header lines are rejected; of other columns, the load',
      async () => {
        const before = await sizes(store);
        const columns = getRequiredNames('forecasts').join();
        const [row = ''] = many;
        const parts = [columns, row, columns.toUpperCase(), row, `\uFEFF${columns}`, row].join('\n');
        const stations = fileWith(
          'stations.csv',
          'x,station_id,city_name,country,latitude,longitude,timezone\n'.repeat(2),
        );
        const report = await load(
          store,
          { stations: [stations], forecasts: [fileWith('parts.csv', parts)] },
          { strict: true },
        );
        expect(
          report.rejections
            .filter(({ reason }) => reason !== 'unknown station')
            .map(({ feed, reason, rows, first }) => [feed, reason, rows, first.line]),
        ).to.deep.equal([
          ['forecasts', 'repeated header line', 2, 3],
          ['stations', 'repeated header line', 1, 2],
        ]);
        const other = fileWith(
          'other.csv',
          `${columns}\n${row}\n${[...getRequiredNames('forecasts')].reverse().join()}\n${row}`,
        );
        expect(await unreadable(load(store, { forecasts: [other] }))).to.equal(
          `${other}: line 3 names other columns than its first line; load its parts as files of their own`,
        );
        expect(await sizes(store)).to.deep.equal(before);
      },
    );

    itInCi('when the files are mended, then all of them goes in', async () => {
      expect(await loadLines(store, FEEDS)).to.deep.include({
        pairs_added: 4,
        feeds: feedRows([2, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]),
      });
      expect(await audit(store)).to.deep.equal([]);
    });
  });

  describe('given a large file', () => {
    const large = (rowCount: number): string => {
      const lines = [getRequiredNames('forecasts').join()];
      for (let row = 0; row < rowCount; row += 1) {
        const day = Date.UTC(2025, 0, 1) + Math.floor(row / 400) * 86_400_000;
        const issued = new Date(day - (row % 400) * 600_000).toISOString();
        lines.push(`KORD,${issued},${new Date(day).toISOString().slice(0, 10)},${row % 90},${row % 50}.25`);
      }
      return fileWith('forecasts.csv', lines.join('\n'));
    };

    // staged-rows.test.ts, with several inserts, stands for it in make ci.
    itInCi(
      'when it has four times the rows of another, then memory does not grow with it, and progress is told',
      async function () {
        await loadLines(store, { stations: [CHICAGO] });
        const smaller = range({ test: 0, ci: 5000, stress: 50_000 });
        const grown: number[] = [];
        const files = new Map([smaller, 4 * smaller].map((rowCount) => [rowCount, large(rowCount)]));
        for (const [rowCount, path] of files) {
          const before = process.memoryUsage().rss;
          let peak = before;
          const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
          const told: Progress[] = [];
          const report = await load(
            store,
            { stations: [], forecasts: [path], observations: [] },
            { onProgress: (progress) => told.push(progress) },
          );
          clearInterval(sampling);
          grown.push(Math.round((peak - before) / 2 ** 20));
          expect(report.feeds.forecasts.rows_read).to.equal(rowCount);
          expect(report.feeds.forecasts).to.deep.equal(
            rows(
              report.feeds.forecasts.rows_new,
              report.feeds.forecasts.rows_corrected,
              report.feeds.forecasts.rows_unchanged,
              0,
            ),
          );
          expect(told.length).to.be.at.least(rowCount / 100_000 + 1); // of each 4 MB
          const shares = told.filter(({ step }) => step === path).map(({ share }) => share);
          expect(shares).to.deep.equal([...shares].sort((a, b) => a - b));
          expect(told).to.deep.include({ step: path, rows: rowCount, share: 1 });
          expect(told.at(-1)?.step).to.match(/^pairs of \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/);
        }
        // Loosely: the engine merges what has come in at times of its own.
        const [quarter = 0, whole = 0] = grown;
        expect(whole, `MB for ${smaller} and four times as many rows: ${grown.join(', ')}`).to.be.below(
          quarter + 400,
        );
        expect(await audit(store)).to.deep.equal([]);
      },
    );
  });
});
