import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { audit } from '../../../src/ingest/audit.js';
import { type LoadReport, reportText } from '../../../src/ingest/load-report.js';
import type { LoadOptions } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  CHICAGO,
  FORECASTS,
  LONDON,
  PRELIMINARY,
  feedRows,
  rows,
  sizes,
} from '../../support/ingest/loads.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

type RejectedRow = Parameters<NonNullable<LoadOptions['onRejected']>>[0];

describe('given rows that cannot be used', function () {
  let store: Store;
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
    'stations:3 bad station_id: "K!" is not 3 to 24 of A-Z, 0-9 and -, beginning with a letter or digit',
    'stations:4 unknown time zone: "Mars/Base"',
    'stations:5 bad coordinate: latitude="91" is not within -90..90 degrees',
    'stations:6 bad data_active: "maybe" is not true, false or blank',
    'forecasts:3 unknown station: KZZZ',
    'forecasts:4 bad time: "2026-01-04T18:00:00" is not ISO 8601 with an offset or Z',
    'forecasts:5 bad date: "2026-02-30"',
    'forecasts:6 temperature is not a number: high_f="warm"',
    'forecasts:7 temperature outside -130..140 °F: low_f="-200"',
    'forecasts:8 missing column: low_f',
    'forecasts:9 too many cells: 6, the header has 5',
    'forecasts:10 malformed CSV: CSV_QUOTE_NOT_CLOSED',
    'forecasts:11 unknown station: KAAA',
    'observations:2 bad status: "final" is not preliminary or verified',
  ];

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  it('when the load is strict, then it fails, nothing goes in, and its report claims no rows', async () => {
    const before = await sizes(store);
    const report = await loadLines(store, BAD, { strict: true });
    expect(report).to.include({ outcome: 'failed', pairs_added: 0, pairs_withdrawn: 0 });
    expect(reportText(report).split('\n')).to.include(report.reason);
    expect(report.rejections.reduce((sum, { rows: count }) => sum + count, 0)).to.equal(FOUND.length);
    expect(report.feeds).to.deep.equal(feedRows([0, 0, 1, 4], [0, 0, 2, 9], [0, 0, 1, 1]));
    expect(await sizes(store)).to.deep.equal(before);
  });

  describe('when they are loaded', () => {
    const told: RejectedRow[] = [];
    let report: LoadReport;

    before(async () => {
      report = await loadLines(store, BAD, {
        onRejected: (row) => {
          told.push(row);
          return Promise.resolve();
        },
      });
    });

    it('then each is told with file, line, reason and text, and the others go in', () => {
      expect(
        told.map(({ feed, line, reason, detail }) => `${feed}:${line} ${reason}: ${detail}`),
      ).to.deep.equal(FOUND);
      for (const { feed, file: path, line, text } of told) {
        expect(basename(path)).to.equal(`${feed}.csv`);
        expect(text).to.equal(readFileSync(path, 'utf8').split('\n')[line - 1]);
      }
      expect(report.outcome).to.equal('some_rows_rejected');
      expect(report.feeds).to.deep.equal(feedRows([1, 0, 0, 4], [2, 0, 0, 9], [1, 0, 0, 1]));
      expect(report.pairs_added).to.equal(4);
    });

    it('then the report counts rows by feed and reason, the most first, with the first of each', () => {
      const { rejections } = report;
      const unknown = rejections.find(({ reason }) => reason === 'unknown station');
      expect(unknown).to.include({ feed: 'forecasts', rows: 2 });
      expect(unknown?.first).to.include({ line: 3, detail: 'KZZZ' });
      const counts = rejections.map(({ rows: count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(FOUND.length);
      expect(counts).to.deep.equal([...counts].sort((a, b) => b - a));
    });

    it('then a known station that comes with a bad row stays as it was, and its forecasts go in', async () => {
      const report = await loadLines(store, {
        stations: ['KORD,Chicago,US,0,0,Nowhere,,true,,'],
        forecasts: ['KORD,2026-01-04T12:00:00Z,2026-01-05,31,18'],
      });
      expect(report.feeds.stations).to.deep.equal(rows(0, 0, 0, 1));
      expect(report.pairs_added).to.equal(2);
      expect(await audit(store)).to.deep.equal([]);
    });
  });
});

describeInCi('given rows that are possible and hardly true', function () {
  let store: Store;
  const counted = (counts: LoadReport['warnings']): string[] =>
    counts.map(({ feed, reason, rows: count, first }) => `${feed}:${first.line} ${count} × ${reason}`);
  const DAY = '2026-01-05,30,17';

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  beforeEach(() => emptyStore(store));

  it('when a verified day is not over, or a row is of the future, then the row is rejected', async () => {
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
        'KORD,2026-01-05,30,17,preliminary,2026-01-06T00:30:00Z',
        'KORD,2026-01-03,30,17,preliminary,2026-01-06T00:31:00Z',
        '"KORD",2026-01-05,30,17,preliminary,2062-01-05T21:00:00Z',
        // The day of Chicago begins at 06:00 UTC, in summer at 05:00.
        'KORD,2026-01-05,30,17,preliminary,2026-01-05T06:00:00Z',
        'KORD,2026-01-05,30,17,preliminary,2026-01-05T05:59:59Z',
        '"KORD",2026-01-05,30,17,verified,2026-01-03T12:00:00Z',
        'KORD,2025-07-01,90,70,preliminary,2025-07-01T05:00:00Z',
        'KORD,2025-07-01,90,70,preliminary,2025-06-28T23:00:00Z',
        'KORD,2025-12-31,30,17,preliminary,2026-01-01T00:50:00Z',
      ],
    };
    const report = await loadLines(store, lines, { now: new Date('2026-01-05T23:30:00Z') });
    expect(counted(report.rejections)).to.have.deep.members([
      'observations:8 2 × observation reported before its day',
      'forecasts:3 2 × forecast issued in the future',
      'observations:3 2 × verified before its day is over',
      'observations:5 2 × observation reported in the future',
    ]);
    expect(report.rejections.map(({ first }) => first.detail)).to.include.members([
      '2026-01-05 begins at 2026-01-05T06:00Z in America/Chicago; observed_at is 2026-01-05T05:59:59Z',
      '2026-01-06T00:31:00Z is more than an hour ahead of 2026-01-05T23:30Z',
    ]);
    const later = await loadLines(store, lines, { now: new Date('2026-01-06T06:00:00Z') });
    expect(counted(later.rejections)).to.deep.equal([
      'observations:8 3 × observation reported before its day',
      'observations:6 1 × observation reported in the future',
    ]);
  });

  it('when they are loaded, then they are counted by reason with the first, in either form, and go in', async () => {
    const report = await loadLines(store, {
      stations: [CHICAGO, LONDON, CHICAGO.replace('KORD', 'KFAR').replace('-87.93', '87.93')],
      forecasts: [
        ...FORECASTS,
        'KORD,2026-01-03T18:00:00Z,2026-01-05,18,31',
        '"KORD",2026-01-03T12:00:00Z,2026-01-05,18,31',
      ],
      observations: [
        PRELIMINARY,
        'KORD,2026-01-06,17,30.5,preliminary,2026-01-07T06:00:00Z',
        `KORD,${DAY},verified,2026-01-06T06:00:00Z`,
        `KORD,${DAY},verified,2026-01-06T05:59:59Z`,
        `EGLL,${DAY},verified,2026-01-06T00:00:00Z`,
        `"EGLL",${DAY},verified,2026-01-05T23:59:59Z`,
        `KORD,${DAY},preliminary,2026-01-05T21:00:00Z`,
        `"EGLL",${DAY},preliminary,2026-01-05T18:00:00Z`,
      ],
    });
    expect(report.outcome).to.equal('complete');
    expect(report.feeds).to.deep.equal(feedRows([3, 0, 0, 0], [4, 0, 0, 0], [8, 0, 0, 0]));
    expect(counted(report.warnings)).to.have.deep.members([
      'stations:4 1 × longitude far from its time zone',
      'forecasts:4 2 × high below low',
      'observations:3 1 × high below low',
      'observations:5 2 × verified before its day is over',
    ]);
    const details = report.warnings.map(({ first }) => first.detail);
    expect(details).to.include.members([
      'high_f=17, low_f=30.5',
      '2026-01-05 ends at 2026-01-06T06:00Z in America/Chicago; observed_at is 2026-01-06T05:59:59',
    ]);
    expect(reportText(report)).to.match(
      /warning in forecasts: 2 × high below low, first at .*forecasts\.csv:4 \(high_f=18, low_f=31\)/,
    );
  });

  it('when latitude and longitude are exchanged, then the station is told of, but not one in its country', async () => {
    const at = (id: string, country: string, latitude: number, longitude: number, timezone: string): string =>
      `${id},${id},${country},${latitude},${longitude},${timezone},,true,,`;
    const PLACES = [
      at('EPGD', 'PL', 54.3776, 18.4662, 'Europe/Warsaw'),
      at('LTFM', 'TR', 41.2753, 28.7519, 'Europe/Istanbul'),
      at('LEMD', 'ES', 40.4722, -3.5609, 'Europe/Madrid'),
      at('BIRK', 'IS', 64.13, -21.9406, 'Atlantic/Reykjavik'),
      at('HKJK', 'KE', -1.3192, 36.9278, 'Africa/Nairobi'),
      at('VABB', 'IN', 19.0887, 72.8679, 'Asia/Kolkata'),
      at('KORD', 'US', 41.9602, -87.9316, 'America/Chicago'),
      at('SBGR', 'BR', -23.4356, -46.4731, 'America/Sao_Paulo'),
      at('MKJP', 'JM', 17.9357, -76.7875, 'America/Jamaica'),
      at('LMML', 'MT', 35.8575, 14.4775, 'Europe/Malta'),
    ];
    // Trabzon lies on the coast, and exchanged still in Turkey; the Canaries and Honolulu far from the rest of their country.
    const TRUE = [
      at('LTCG', 'TR', 40.995, 39.7897, 'Europe/Istanbul'),
      at('GCLP', 'ES', 27.9319, -15.3866, 'Atlantic/Canary'),
      at('PHNL', 'US', 21.3187, -157.9225, 'Pacific/Honolulu'),
      at('ZWWW', 'CN', 43.9071, 87.4742, 'Asia/Shanghai'),
    ];
    const right = await loadLines(store, { stations: [...PLACES, ...TRUE] });
    expect(counted(right.warnings)).to.deep.equal([]);
    const exchanged = PLACES.map((line) => line.replace(/([-\d.]+),([-\d.]+)(?=,[A-Z][a-z]+\/)/, '$2,$1'));
    const report = await loadLines(store, { stations: exchanged });
    expect(counted(report.warnings)).to.deep.equal(['stations:2 10 × latitude and longitude exchanged']);
    expect(report.warnings[0]?.first.detail).to.equal(
      'latitude=18.4662, longitude=54.3776 is not in PL; the other way round it is',
    );
  });
});
