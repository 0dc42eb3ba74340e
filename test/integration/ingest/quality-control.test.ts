import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { load } from '../../../src/ingest/load.js';
import type { LoadReport, RejectedRow } from '../../../src/ingest/load-report.js';
import { sql } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO, sizes } from '../../support/ingest/loads.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { isInCi, itInCi } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

// Values that are possible and hardly true: what is said of each, and of which one.

const WARSAW = 'EPWA,Warsaw,PL,52.17,20.97,Europe/Warsaw,,true,,';

const dates = (month: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `2026-${month}-${String(at + 1).padStart(2, '0')}`);

/** The day after one, at noon. */
const reported = (date: string): string => `${new Date(Date.parse(date) + 129_600_000).toISOString()}`;

const observed = (id: string, date: string, high: number, low: number | ''): string =>
  `${id},${date},${high},${low},verified,${reported(date)}`;

const forecast = (id: string, date: string, high: number | string, low: number | ''): string =>
  `${id},${date}T00:00:00Z,${date},${high},${low}`;

describe('values that are possible and hardly true', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  beforeEach(() => emptyStore(store));

  const warned = ({ warnings }: LoadReport): unknown[] =>
    warnings.map(
      ({ feed, reason, rows, first: { line, detail } }) => `${feed}:${line} ${rows} × ${reason} (${detail})`,
    );
  const warnedOf = async (lines: FeedLines): Promise<unknown[]> => warned(await loadLines(store, lines));

  const FAR = 'far from the other values of its day';
  const SEPTEMBER = dates('09', 20);
  const OBSERVED = SEPTEMBER.map((date) => observed('KORD', date, 76, 57));

  it('given sentinels in one of two forecasts a day, then the forecasts are told by line, and listed', async () => {
    const sentinels = [-99, 130, -99.9, 9.99];
    const forecasts = SEPTEMBER.slice(0, 4).flatMap((date, at) => [
      forecast('KORD', date, 75, 58),
      forecast('KORD', date, sentinels[at]!, 58).replace('T00:00', 'T01:00'),
    ]);
    const listed: RejectedRow[] = [];
    const report = await loadLines(
      store,
      { stations: [CHICAGO], forecasts, observations: OBSERVED },
      { onSuspect: (row) => Promise.resolve(void listed.push(row)) },
    );
    expect(warned(report)).to.have.deep.members([
      'forecasts:3 3 × high below low (high_f=-99, low_f=58)',
      `forecasts:3 4 × ${FAR} (high_f=-99 at KORD, others 75 to 76 °F; is it a missing value? Leave the cell blank)`,
    ]);
    expect(listed.map(({ feed, line, text }) => [feed, line, text])).to.deep.equal(
      [3, 5, 7, 9].map((line) => ['forecasts', line, forecasts[line - 2]]),
    );
    const again = await loadLines(store, { forecasts: [forecasts[1]!] });
    expect(warned(again), 'stored, it is told again').to.have.lengthOf(2);
  });

  itInCi(
    'given one forecast a day and what came, then the days around say which of them is wrong',
    async () => {
      const forecasts = SEPTEMBER.map((date, at) => forecast('KORD', date, at === 8 ? 40 : 75, 58));
      const observations = SEPTEMBER.map((date, at) => observed('KORD', date, at === 12 ? 110 : 76, 57));
      expect(await warnedOf({ stations: [CHICAGO], forecasts, observations })).to.have.deep.members([
        'forecasts:10 1 × high below low (high_f=40, low_f=58)',
        `forecasts:10 1 × ${FAR} (high_f=40 at KORD, others 76 °F)`,
        `observations:14 1 × ${FAR} (high_f=110 at KORD, others 75 °F)`,
      ]);
    },
  );

  // The days around, above, stand for it and the next two in `make test`.
  itInCi('given a forecast of a day without anything else, then the station’s own past decides', async () => {
    await loadLines(store, { stations: [CHICAGO], observations: OBSERVED });
    const wrong = forecast('KORD', '2026-09-22', 22, '');
    expect(await warnedOf({ forecasts: [wrong] })).to.deep.equal([
      'forecasts:2 1 × far from the days around it (high_f=22 at KORD, others 76 °F; is it in Celsius?)',
    ]);
    const alone = [forecast('KORD', '2026-12-22', 22, ''), forecast('KORD', '2026-09-23', 50, '')];
    expect(await warnedOf({ forecasts: alone })).to.deep.equal([]);
  });

  itInCi('given a file in °C, then its cells are quoted, and Fahrenheit is asked for', async () => {
    const days = SEPTEMBER.map((date) => observed('EPWA', date, 19.4, 10));
    await loadLines(store, { unit: 'celsius', stations: [WARSAW], observations: days });
    const forecasts = [forecast('EPWA', '2026-09-10', 50, 9), forecast('EPWA', '2026-09-11', '18.90', 49.5)];
    expect(await warnedOf({ unit: 'celsius', forecasts })).to.have.deep.members([
      'forecasts:3 1 × high below low (high_c=18.90, low_c=49.5)',
      `forecasts:2 2 × ${FAR} (high_c=50 at EPWA, others 19.4 °C)`,
    ]);
    const summer = [forecast('EPWA', '2026-09-12', 59.9, 9), forecast('EPWA', '2026-09-12', 61.4, 9)];
    const report = await loadLines(store, { unit: 'celsius', forecasts: summer });
    expect(report.rejections).to.have.lengthOf(1);
    expect(warned(report)).to.deep.equal([
      `forecasts:2 1 × ${FAR} (high_c=59.9 at EPWA, others 19.4 °C; is it in Fahrenheit?)`,
    ]);
  });

  itInCi('given a late front, an evening report, or a miss a week ahead, then nothing is told', async () => {
    const march = dates('03', 20);
    const cold = (at: number): number => (at < 10 ? 62 : 38);
    const report = await loadLines(
      store,
      {
        stations: [CHICAGO, CHICAGO.replace('KORD', 'KMSP')],
        forecasts: [
          ...march.map((date, at) => forecast('KMSP', date, '', at < 10 ? 50 : 10)),
          ...march.map((date, at) => forecast('KORD', date, cold(at + 1), cold(at + 1) - 15)),
          ...march.map((date, at) => `KORD,2026-02-20T00:00:00Z,${date},${cold(at) + 15},`),
        ],
        observations: [
          ...march.map((date, at) => observed('KORD', date, cold(at), cold(at) - 15)),
          ...march.map((date, at) => `KMSP,${date},,${at < 10 ? 50 : 10},verified,${reported(date)}`),
          // The low of the night before, reported in the evening.
          'KMSP,2026-03-11,,52,preliminary,2026-03-12T00:50:00Z',
        ],
      },
      { strict: true },
    );
    expect(warned(report)).to.deep.equal([]);
  });

  it('given temperatures within the day, then another unit, a sentinel and false extremes are told', async () => {
    const hour = (at: number, temp: number | '', most: number | '' = '', least: number | '' = ''): string =>
      `KORD,${new Date(Date.parse('2026-09-10T06:51:00Z') + at * 3_600_000).toISOString()},${temp},${most},${least}`;
    const temp = (at: number): number => Math.round(66 - 9 * Math.cos((at / 24) * 2 * Math.PI));
    const day = Array.from({ length: 24 }, (_, at) => hour(at, at === 9 ? -99 : temp(at)));
    expect(await warnedOf({ stations: [CHICAGO], hours: day })).to.deep.equal([
      'hours:11 1 × far from the reports around it (temp_f=-99 at KORD, others 71 to 74 °F; is it a missing value? Leave the cell blank)',
    ]);
    await loadLines(store, { observations: OBSERVED });
    const inCelsius = Array.from({ length: 24 }, (_, at) => hour(at + 48, Math.round((temp(at) - 32) / 1.8)));
    expect(await warnedOf({ hours: inCelsius })).to.deep.equal([
      `hours:2 24 × ${FAR} (temp_f=14 at KORD, others 57 to 76 °F; is it in Celsius?)`,
    ]);
    const extremes = [
      ...[hour(120, 60), hour(121, 61, 99.9, 58), hour(122, 62, 62, -99), hour(123, 63, 63, 57)],
      hour(124, '', -99, 57),
    ];
    expect(await warnedOf({ hours: extremes })).to.deep.equal([
      `hours:3 3 × ${FAR} (max_6h_f=99.9 at KORD, others 57 to 76 °F; is it a missing value? Leave the cell blank)`,
    ]);
    if (!isInCi) return;
    const afterwards = Array.from({ length: 9 }, (_, at) =>
      hour(168 + at, at === 5 ? '' : 60, at === 5 ? 99.9 : ''),
    );
    expect((await warnedOf({ hours: afterwards })).join()).to.include('max_6h_f=99.9');
    const right = Array.from({ length: 24 }, (_, at) => hour(at + 72, temp(at), at % 6 === 5 ? 76 : '', ''));
    expect(await warnedOf({ hours: right })).to.deep.equal([]);
  });

  itInCi(
    'given normals, then a sentinel is told by the calendar, and a month in °C by what is observed',
    async () => {
      const of = (dates: readonly string[], high: (at: number) => number): string[] =>
        dates.map((date, at) => `KORD,${date.slice(5)},${high(at)},57`);
      const october = dates('10', 31);
      expect(
        await warnedOf({
          stations: [CHICAGO],
          normals: of(october, (at) => (at === 15 ? 99.9 : 70 - at / 3)),
        }),
      ).to.deep.equal([
        'normals:17 1 × far from the normals around it (high_f=99.9 at KORD, others 65.3 °F; is it a missing value? Leave the cell blank)',
      ]);
      const september = of(SEPTEMBER, () => 25);
      expect(await warnedOf({ normals: september, observations: OBSERVED.slice(0, 9) })).to.deep.equal([
        'normals:2 20 × high below low (high_f=25, low_f=57)',
      ]);
      expect(await warnedOf({ normals: september, observations: OBSERVED })).to.deep.include(
        'normals:2 20 × far from what is observed in its month (high_f=25 at KORD, others 76 °F; is it in Celsius?)',
      );
      expect(await warnedOf({ normals: of(SEPTEMBER, () => 71) })).to.deep.equal([]);
    },
  );

  itInCi(
    'given distributions, then a deviation of 0, a width no climate has, and falling quantiles are told',
    async () => {
      // The standard deviations of the high and the low, and quantiles of the high: 5, 10 and 20 %.
      const forecasts = [
        '0,3,,,',
        '0.5,3,45,75,',
        '20,3,,,',
        '20.01,3,0,,80.01',
        '40,3,70,69,',
        ',,43.99,74,',
        ',,60,70,105.01',
        ',,75,75,',
      ].map((said, at) => `${forecast('KORD', SEPTEMBER[at]!, 75, 58)},nws,,${said}`);
      const listed: RejectedRow[] = [];
      const { outcome, ...report } = await loadLines(
        store,
        { columns: 'all', stations: [`${CHICAGO},,`], forecasts },
        { onSuspect: (row) => Promise.resolve(void listed.push(row)) },
      );
      expect(outcome).to.equal('complete');
      expect(warned(report as LoadReport)).to.deep.equal([
        'forecasts:2 3 × standard deviation of 0, or hardly possible (high_sd_f=0, low_sd_f=3)',
        'forecasts:5 3 × quantiles hardly possible (high_p05_f=0, high_p20_f=80.01)',
        'forecasts:6 1 × quantiles not ascending, left out (high_p05_f=70, high_p10_f=69)',
      ]);
      expect(listed).to.deep.equal([
        {
          ...{ feed: 'forecasts', line: 6, file: report.files[1]?.file },
          ...{ reason: 'quantiles not ascending, left out', detail: 'high_p05_f=70, high_p10_f=69' },
          text: forecasts[4],
        },
      ]);
      const strict = await loadLines(store, { columns: 'all', forecasts: [forecasts[4]!] }, { strict: true });
      expect(strict.outcome).to.equal('failed');
    },
  );

  itInCi(
    'given target dates of other years than their issuances, then they are told, in either form',
    async () => {
      const issuedOn = (issued: string, date: string): string => `KORD,${issued}T12:00:00Z,${date},50,40`;
      const forecasts = [
        issuedOn('2026-11-01', '2027-12-06'), // 400 days
        issuedOn('2026-11-01', '2026-07-24'), // 100 days before
        issuedOn('2026-11-01', '2027-12-07'),
        `"KORD"${issuedOn('2026-11-01', '2062-11-02').slice(4)}`,
        issuedOn('2026-11-01', '2026-07-23'),
      ];
      expect(await warnedOf({ stations: [CHICAGO], forecasts })).to.deep.equal([
        'forecasts:4 3 × target date far from its issuance (target_date=2027-12-07, issued_at=2026-11-01T12:00:00Z)',
      ]);
    },
  );

  itInCi('given a correction far from what stands, then the other value is told', async () => {
    await loadLines(store, { stations: [CHICAGO], forecasts: [forecast('KORD', SEPTEMBER[3]!, 55, '')] });
    const corrected = await warnedOf({ forecasts: [forecast('KORD', SEPTEMBER[3]!, 23, '')] });
    expect(corrected).to.deep.equal([
      `forecasts:2 1 × ${FAR} (high_f=23 at KORD, others 55 °F; in place of high_f=55)`,
    ]);
  });

  it('when the load is strict, then a suspect value refuses it, and nothing goes in', async () => {
    await loadLines(store, { stations: [CHICAGO], observations: OBSERVED });
    const before = await sizes(store);
    const forecasts = [forecast('KORD', SEPTEMBER[3]!, -99, '')];
    const report = await loadLines(store, { forecasts }, { strict: true });
    expect(report).to.deep.include({ outcome: 'failed', pairs_added: 0 });
    expect(await sizes(store)).to.deep.equal(before);
  });

  it('given fractions under precip_chance, then a strict load is refused; precip_probability takes them', async () => {
    const fileOf = (column: string): string => {
      const file = join(temporaryFolder(), 'chances.csv');
      const rows = SEPTEMBER.slice(0, 3).map(
        (date, at) => `KORD,${date}T00:00:00Z,${date},,,made-up,${[0, 0.35, 1][at]}`,
      );
      writeFileSync(
        file,
        ['station_id,issued_at,target_date,high_f,low_f,provider,' + column, ...rows].join('\n'),
      );
      return file;
    };
    await loadLines(store, { stations: [CHICAGO] });
    const strict = { now: new Date('2027-01-01T00:00:00Z'), strict: true };
    const refused = await load(store, { forecasts: [fileOf('precip_chance')] }, strict);
    expect([refused.outcome, warned(refused)]).to.deep.equal([
      'failed',
      [
        'forecasts:2 3 × precip_chance in another unit (3 of 3 rows of provider made-up at KORD: are they probabilities of 0 to 1? Name the column precip_probability)',
      ],
    ]);
    const taken = await load(store, { forecasts: [fileOf('precip_probability')] }, strict);
    expect([taken.outcome, warned(taken)]).to.deep.equal(['complete', []]);
    const kept = z.object({ forecast: z.coerce.number() });
    const rows = await store.query(
      sql.rows(kept)`SELECT forecast FROM forecasts WHERE metric = 'wet_day' ORDER BY target_date`,
    );
    expect(rows.map(({ forecast: chance }) => chance)).to.deep.equal([0, 35, 100]);
  });
});
