import { itInCi, range } from '../../support/runner/range.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import {
  getColumns,
  DISTRIBUTION_COLUMNS,
  FEED_COLUMNS,
  type StationFact,
  VALUE_FEEDS,
  type ValueFeed,
} from '../../../src/ingest/read/columns.js';
import { LoadClock } from '../../../src/ingest/read/load-clock.js';
import { readFeed } from '../../../src/ingest/read/read.js';
import { CELLS as JUDGED, type Cells } from '../../../src/ingest/read/feed-rows.js';
import type { RejectedRow } from '../../../src/ingest/load-report.js';
import { stageFeeds } from '../../../src/ingest/stage/stage.js';
import { clearStaging } from '../../../src/ingest/stage/staging-tables.js';
import { Rejection } from '../../../src/ingest/read/values.js';
import type { Store } from '../../../src/store/store.js';
import { LEVELS } from '../../../src/statistics/quantiles.js';
import { raw, sql } from '../../../src/sql.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { words } from '../../support/words.js';

const LOAD_ID = 7;
const STATIONS = ['KORD', 'EGLL', 'ABC', 'X1234567'];
const known = new Map<string, StationFact>(
  STATIONS.map((id) => [
    id,
    {
      station_id: id,
      timezone: id === 'EGLL' ? 'Europe/London' : 'America/Chicago',
      day_boundary: id === 'ABC' ? 'standard' : 'civil',
      withdrawn: id === 'X1234567',
    } as StationFact,
  ]),
);

// In the middle of the days below, so that both ways must agree on what is ahead of the clock.
const NOW = new Date('2025-11-02T05:30:00Z');
const context = { station: (id: string) => known.get(id), clock: new LoadClock(NOW), warn: () => {} };

const LEFT_OUT = 'quantiles not ascending, left out';

// A value, its row, and why a row is invalid, as text: from the feed by JavaScript alone, and from staging.
const STAGED = {
  forecasts: `SELECT
      concat_ws(' ', metric, provider, station_id, target_date, issued_at,
        if(withdrawn, 'withdrawn', toString(forecast)), distribution) AS fact, row_number, load_id
    FROM staged_forecasts ORDER BY row_number, metric`,
  observations: `SELECT concat_ws(' ', metric, station_id, target_date, observation_status, observed_at, if(withdrawn, 'withdrawn', toString(actual))) AS fact, row_number, load_id
    FROM staged_observations ORDER BY row_number, metric`,
  normals: `SELECT concat_ws(' ', metric, station_id, month_day, if(withdrawn, 'withdrawn', toString(normal))) AS fact, row_number, load_id
    FROM staged_normals ORDER BY row_number, metric`,
  hours: `SELECT
      concat_ws(' ', station_id, at, if(withdrawn, 'withdrawn', concat_ws(' ', ${words(
        'temp_f max_6h_f min_6h_f precip_in',
      )
        .map((name) => `ifNull(toString(reading.${name}), '-')`)
        .join()}, reading.sky))) AS fact,
      row_number, load_id
    FROM staged_hours ORDER BY row_number`,
};
/** Blank lines before a header, with which a file is so large that its lines land. */
const LARGE = `${' '.repeat(60_000)}\n`.repeat(2);

const stagedRow = z.object({ fact: z.string(), row_number: z.number(), load_id: z.number() });

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const station = fc.constantFrom(...STATIONS, 'KZZZ', 'kord', 'K?', '');
const provider = fc.constantFrom('', 'a'.repeat(32), 'a'.repeat(33), ...words('nws gfs-mos 0 NWS -a a_b é'));
const withdrawn = fc.constantFrom('', '', 'false', 'true', 'True', 'FALSE', '1', 'no');
const day = fc
  .date({ min: new Date('1968-01-01'), max: new Date('2150-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const date = fc.oneof(
  { weight: 8, arbitrary: day },
  fc.constantFrom(
    ...words(`1970-01-01 1969-12-31 2025-02-29 2025-02-30 2025-10-31 2025-11-01 2025-11-02 2025-11-03 2025-04-31
      2024-02-29 2096-02-29 2099-12-31 2100-02-29 2149-06-06 2149-06-07`),
  ),
  fc.tuple(digits(2), digits(2)).map(([month, inMonth]) => `2025-${month}-${inMonth}`),
);
const time = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('T00:00:00', 'T23:59:59', 'T12:34:56', 'T06:30', ' 06:30:00', 't06:30:00'),
  },
  fc.tuple(digits(2), digits(2), digits(2)).map((parts) => `T${parts.join(':')}`),
  fc.constantFrom('T06:30:00.5', 'T06:30:00.123456', 'T06', ''),
);
const zone = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Z') },
  fc.constantFrom('z', '+00:00', '-06:00', '+0530', '', ' Z'),
);
const instant = fc.tuple(date, time, zone).map((parts) => parts.join(''));
const temperature = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -16_000, max: 16_000 }).map((value) => `${value / 100}`) },
  fc.constantFrom('', ...words('0 -0 -0.00 07 007.5 .5 5. +3 129.99 130 -130 140 140.01')),
  fc.constantFrom(...words(String.raw`71.235 -71.235 0.004 -0.005 1e2 --1 NaN NULL \N 0x10 ١`)),
);
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 5100 }).map((value) => `${value / 100}`) },
  fc.constantFrom('', '', '', ...words('0 -0 07 2. .5 49.99 49.999 50 50.001 -1 M 1.005 5e1')),
);
/** Most are in the order of their levels, or blank. */
const quantile = (level: number) =>
  fc.oneof(
    { weight: 40, arbitrary: fc.constant('') },
    { weight: 40, arbitrary: fc.constant(`${level / 2 - 20}`) },
    fc.constantFrom('-0.5', '5', '4.999', '5.0'),
    temperature,
  );
const status = fc.constantFrom('preliminary', 'verified', 'Verified', 'final', '');
const other = fc.oneof(
  fc.constantFrom('', 'note', "it's", 'Zürich 🌡', '; DROP TABLE loads --', "'", '/*', '*/', '{x:y}', '\\'),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\n\r]/g, '')),
);
const CELLS: Record<string, fc.Arbitrary<string>> = {
  station_id: station,
  issued_at: instant,
  observed_at: instant,
  target_date: date,
  date,
  month_day: fc.oneof(
    date.map((each) => each.slice(5)),
    fc.constantFrom('02-29', '02-30', '2-28', '0229', ''),
  ),
  high_f: temperature,
  low_f: temperature,
  high_sd_f: amount,
  low_sd_f: amount,
  ...Object.fromEntries(
    Object.values(DISTRIBUTION_COLUMNS).flatMap(({ quantiles }) =>
      quantiles.map((column, at) => [column, quantile(LEVELS[at]!)]),
    ),
  ),
  at: instant,
  temp_f: temperature,
  max_6h_f: temperature,
  min_6h_f: temperature,
  precip_in: amount,
  sky: fc.constantFrom('CLR', 'OVC', '', 'vv', 'FEW', 'cloudy'),
  status,
  provider,
  withdrawn,
};

/** As CELLS, where the distribution alone may be at fault. */
const DISTRIBUTION_CELLS: typeof CELLS = {
  ...CELLS,
  station_id: fc.constantFrom('KORD', 'EGLL'),
  issued_at: fc.constant('2025-01-04T18:00Z'),
  target_date: fc.constant('2025-01-05'),
  high_f: fc.constantFrom('31', '31', '-7.25', ''),
  low_f: fc.constantFrom('18', '0', ''),
  high_sd_f: fc.constantFrom('2', ''),
  low_sd_f: fc.constantFrom('49.99', ''),
  provider: fc.constantFrom('nws', ''),
  withdrawn: fc.constantFrom('', '', '', 'true'),
};

/** Feed files: columns in any order with others between, lines in all kinds of forms. */
function feedFile(feed: ValueFeed, cellsOf: typeof CELLS): fc.Arbitrary<{ names: string[]; text: string }> {
  const columns = [...getColumns(feed).filter((column) => column !== 'member'), 'note', 'note'];
  const least = FEED_COLUMNS[feed].length;
  return fc
    .shuffledSubarray(columns, { minLength: least, maxLength: columns.length })
    .map((names) => [...names, ...FEED_COLUMNS[feed].filter((column) => !names.includes(column))])
    .chain((names) => {
      const line = fc.tuple(...names.map((name) => cellsOf[name] ?? other)).map((cells) => cells.join(','));
      const cut = fc.tuple(line, fc.nat(60)).map(([text, at]) => text.slice(0, at));
      const put = fc
        .tuple(line, fc.nat(60), fc.constantFrom('"', ',', ' ', '\u0000', '\t', '\uFEFF', '\r', 'é'))
        .map(([text, at, character]) => text.slice(0, at) + character + text.slice(at));
      const quoted = fc
        .tuple(...names.map((name) => cellsOf[name] ?? fc.constant('a,"b"')))
        .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
      const lines = fc.array(
        fc.tuple(
          fc.oneof({ weight: 12, arbitrary: line }, cut, put, quoted, fc.constantFrom('', '  ')),
          fc.constantFrom('\n', '\n', '\n', '\r\n'),
        ),
        { minLength: 1, maxLength: 60 },
      );
      return fc.tuple(lines, fc.boolean()).map(([all, ended]) => {
        const text = [names.join(','), '\n', ...all.flat()].join('');
        return { names, text: ended ? text : text.replace(/\r?\n$/, '') };
      });
    });
}

/** The values of a row, in the words of STAGED. */
function factsOf(feed: ValueFeed, cells: Cells): string[] {
  if (feed === 'hours') {
    const values = [cells.temp_f, cells.max_6h_f, cells.min_6h_f, cells.precip_in];
    const said = values.map((cell = '') => (cell === '' ? '-' : `${Number(cell)}`));
    const { withdrawn, sky = '' } = cells;
    if (withdrawn === 'true') return [[cells.station_id, cells.at, 'withdrawn'].join(' ')];
    return said.every((each) => each === '-') && sky === ''
      ? []
      : [[cells.station_id, cells.at, ...said, sky].join(' ')];
  }
  return (['high', 'low'] as const).flatMap((metric) => {
    const cell = cells[`${metric}_f`] ?? '';
    const isWithdrawn = cells.withdrawn === 'true';
    if (cell === '' && !isWithdrawn) return [];
    const fact = (value: string | number, ...key: (string | undefined)[]): string[] => [
      [metric, ...key, isWithdrawn ? 'withdrawn' : value].join(' '),
    ];
    if (feed === 'observations')
      return fact(Number(cell), cells.station_id, cells.date, cells.status, cells.observed_at);
    if (feed === 'normals') return fact(Number(cell), cells.station_id, cells.month_day);
    const issuer = cells.provider === '' ? 'default' : cells.provider;
    const { sd, quantiles } = DISTRIBUTION_COLUMNS[`${metric}_f`];
    const distribution = [sd, ...quantiles].flatMap((column, at) =>
      cells[column] ? [`(${at === 0 ? 0 : LEVELS[at - 1]},${Number(cells[column])})`] : [],
    );
    return fact(Number(cell), issuer, cells.station_id, cells.target_date, cells.issued_at).map(
      (said) => `${said} [${isWithdrawn ? '' : distribution.join()}]`,
    );
  });
}

describe('the rows that the engine parses', () => {
  let store: Store;
  const file = join(temporaryFolder(), 'feed.csv');

  before(async () => {
    store = await openTestStore();
    const rows = [...known.values()].map((each) => [
      each.station_id,
      each.timezone,
      each.day_boundary,
      each.withdrawn,
      1,
    ]);
    await store.insert('stations', ['station_id', 'timezone', 'day_boundary', 'withdrawn', 'load_id'], rows);
  });
  after(async () => {
    await store.close();
  });

  /** By JavaScript alone, row by row: the values in order, and the rejections. */
  const judged = async <Name extends ValueFeed>(feed: Name) => {
    const facts: string[] = [];
    const rejections: unknown[] = [];
    const leftOut: string[] = [];
    for await (const record of readFeed(feed, file)) {
      const warn = (reason: string, detail: string): unknown =>
        leftOut.push(`${record.line} ${reason}: ${detail}`);
      try {
        if ('rejection' in record) throw record.rejection;
        const cells = JUDGED[feed](record.row, { ...context, warn });
        facts.push(...factsOf(feed, cells));
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        const { reason, detail } = error;
        rejections.push({ feed, file, line: record.line, reason, detail, text: record.text });
      }
    }
    return { facts, rejections, leftOut };
  };
  const staged = async (feed: ValueFeed) => {
    await clearStaging(store);
    const rejections: RejectedRow[] = [];
    const leftOut: string[] = [];
    await stageFeeds(store, { [feed]: [file] }, known, LOAD_ID, {
      now: NOW,
      onRejected: (row) => {
        rejections.push(row);
        return Promise.resolve();
      },
      onSuspect: ({ line, reason, detail }) => {
        if (reason === LEFT_OUT) leftOut.push(`${line} ${reason}: ${detail}`);
        return Promise.resolve();
      },
    });
    const rows = await store.query(sql.rows(stagedRow)`${raw(STAGED[feed])}`);
    for (const { load_id } of rows) expect(load_id).to.equal(LOAD_ID);
    const numbers = new Set(rows.map(({ row_number }) => row_number));
    return { facts: rows.map(({ fact }) => fact), rejections, leftOut, numbers };
  };

  for (const [what, feed, cellsOf] of [
    ...VALUE_FEEDS.map((each) => [each, each, CELLS] as const),
    ['distributions', 'forecasts', DISTRIBUTION_CELLS] as const,
  ]) {
    it(`given ${what} written in any way, then the same values and rejections come of them as by reading each cell`, async function () {
      this.timeout(120_000);
      await fc.assert(
        fc.asyncProperty(feedFile(feed, cellsOf), fc.boolean(), fc.boolean(), async ({ text }, ...of) => {
          const [isLarge, isCelsius] = of;
          const [header = '', ...lines] = text.split('\n');
          const named = isCelsius ? header.replaceAll(/_f\b/g, '_c') : header;
          writeFileSync(file, `${isLarge ? LARGE : ''}${[named, ...lines].join('\n')}`);
          const expected = await judged(feed);
          const { facts, rejections, leftOut } = await staged(feed);
          expect(facts).to.deep.equal(expected.facts);
          expect(rejections).to.deep.equal(expected.rejections);
          expect(leftOut).to.deep.equal(expected.leftOut);
        }),
        { numRuns: range({ test: 12, ci: 60, stress: 600 }) },
      );
    });
  }

  const MEMBERS = 'station_id,issued_at,target_date,high_f,low_f,member,provider';
  /** The members of a forecast: mostly few degrees of each other, now and then a sentinel, a blank or one that comes twice. */
  const ensemble = fc.record({
    station: fc.constantFrom('KORD', 'EGLL', 'ABC'),
    day: fc.constantFrom('2025-01-05', '2025-01-06', '2025-01-07'),
    provider: fc.constantFrom('', 'ens'),
    base: fc.integer({ min: -3000, max: 5000 }),
    highs: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 4, maxLength: 12 }),
    far: fc.option(fc.constantFrom('-99', '99.9', '', '-20'), { freq: 3 }),
    isTwice: fc.boolean(),
    hasLows: fc.boolean(),
  });
  /** A row that SQL leaves to JavaScript, or none. */
  const otherRow = fc.option(
    fc.constantFrom(
      'kord,2025-01-04T18:00:00Z,2025-01-05,10,9,odd,',
      'KORD,2025-01-04T18:00:00Z,2025-01-05,warm,9,odd,',
      'KORD,2025-01-04T18:00:00Z,2025-01-05,10,9,,',
    ),
    { freq: 3 },
  );

  it('given members of forecasts, good and bad, in any order, then a large file ends as a small one', async function () {
    this.timeout(120_000);
    const stage = async (text: string) => {
      await clearStaging(store);
      writeFileSync(file, text);
      const rejections: string[] = [];
      const onRejected = ({ line, reason, detail }: RejectedRow) =>
        Promise.resolve(void rejections.push(`${line} ${reason}: ${detail}`));
      const { feeds, outlierMembers } = await stageFeeds(store, { members: [file] }, known, LOAD_ID, {
        now: NOW,
        onRejected,
      });
      const rows = await store.query(sql.rows(stagedRow)`${raw(STAGED.forecasts)}`);
      return { rows, rejections: rejections.sort(), feeds, outlierMembers };
    };
    const members = fc.array(ensemble, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        members,
        otherRow,
        fc.boolean(),
        fc.integer({ min: 1 }),
        async (drawn, odd, isCelsius, seed) => {
          const lines = drawn.flatMap(
            ({ station, day, provider, base, highs, far, isTwice, hasLows }, of) => {
              const cells = [
                ...highs.map((high) => `${(base + high) / 100}`),
                ...(far === null ? [] : [far]),
              ];
              const member = (at: number): string => (isTwice && at === 1 ? `${of}-0` : `${of}-${at}`);
              return cells.map(
                (high, at) =>
                  `${station},2025-01-04T18:00:00Z,${day},${high},${hasLows ? base / 100 : ''},${member(at)},${provider}`,
              );
            },
          );
          const inOrder = odd === null ? lines : [...lines, odd];
          inOrder.sort(
            (a, b) =>
              ((a.length * 31 + a.charCodeAt(24) * seed) % 7) -
              ((b.length * 31 + b.charCodeAt(24) * seed) % 7),
          );
          const text = [isCelsius ? MEMBERS.replaceAll('_f', '_c') : MEMBERS, ...inOrder].join('\n');
          expect(await stage(`${LARGE}${text}`)).to.deep.equal(await stage(`\n\n${text}`));
        },
      ),
      { numRuns: range({ test: 8, ci: 40, stress: 400 }) },
    );
  });

  it('given rows of a large file that are plain but for their station or their times, then they are judged as in a small one', async () => {
    const observed = (id: string, day: string, status: string, at: string): string =>
      `${id},${day},31,18.5,${status},${at}Z\n`;
    const lines = {
      forecasts: ['KORD,2025-01-04', 'KZZZ,2025-01-04', 'EGLL,2025-11-03'].map(
        (begin) => `${begin}T18:00Z,2025-01-05,31,18.5\n`,
      ),
      observations: [
        observed('KORD', '2025-01-05', 'verified', '2025-01-06T18:00'),
        observed('KZZZ', '2025-01-05', 'verified', '2025-01-06T18:00'),
        observed('KORD', '2025-11-02', 'preliminary', '2025-11-02T05:10'),
        observed('KORD', '2025-11-02', 'preliminary', '2025-11-02T04:50'),
        observed('KORD', '2025-11-02', 'verified', '2025-11-02T05:10'),
        observed('KORD', '2025-01-05', 'verified', '2025-11-02T07:00'),
      ],
    };
    for (const feed of ['forecasts', 'observations'] as const) {
      writeFileSync(file, `${LARGE}${FEED_COLUMNS[feed].join()}\n${lines[feed].join('')}`);
      const expected = await judged(feed);
      const { facts, rejections } = await staged(feed);
      expect(facts).to.deep.equal(expected.facts);
      expect(rejections).to.deep.equal(expected.rejections);
      expect(rejections).to.have.lengthOf({ forecasts: 2, observations: 4 }[feed]);
    }
  });

  itInCi(
    'given plain and other rows in turn, then they are numbered in their order, across pages',
    async function () {
      this.timeout(60_000);
      const line = (index: number): string =>
        index % 1000 === 999
          ? `"KORD",2025-01-01T00:00:00Z,2025-01-02,${index % 100},`
          : `KORD,2025-01-01T00:00:00Z,2025-01-02,${index % 100},`;
      const rowCount = 220_000; // more than one block
      writeFileSync(
        file,
        `${FEED_COLUMNS.forecasts.join()}\n${Array.from({ length: rowCount }, (_, index) => line(index)).join('\n')}`,
      );
      const { facts, numbers } = await staged('forecasts');
      expect(numbers.size).to.equal(rowCount);
      const expected = await judged('forecasts');
      expect(facts.join('\n') === expected.facts.join('\n')).to.equal(true);
    },
  );
});
