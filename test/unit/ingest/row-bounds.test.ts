import { expect } from 'chai';
import { ReportedDegrees } from '../../../src/ingest/stage/reported-degrees.js';
import { StagedSummary } from '../../../src/ingest/stage/staged-summary.js';
import type { LoadTally } from '../../../src/ingest/load-tally.js';
import type { StationFact } from '../../../src/feeds/stations.js';
import type { Cells } from '../../../src/ingest/read/feed-rows.js';

describe('checks of single rows: their bounds, from both sides', () => {
  it('rows: given dates, deviations and quantiles at a bound and beyond, then those beyond count', () => {
    const issued = (days_ahead: number): Cells => ({
      issued_at: new Date(Date.parse('2026-06-09') - days_ahead * 86_400_000)
        .toISOString()
        .replace('T', ' ')
        .replace('Z', ''),
    });
    const levels = (...values: readonly number[]): Cells =>
      Object.fromEntries(values.map((value, at) => [`high_p${at + 1}0_f`, String(value)]));
    const rows: Cells[] = [
      ...[400, 401, -100, -101].map(issued),
      ...[0, 0.01, 20, 20.01].map((sd) => ({ high_sd_f: String(sd) })),
      ...[levels(0, 27, 54, 80), levels(0, 27, 54, 80.01), levels(40, 70), levels(40, 70.01)],
    ];
    const summary = new StagedSummary();
    rows.forEach((rest, at) => {
      const cells = { station_id: 'S', target_date: '2026-06-09', provider: `p${at}`, high_f: '40' };
      summary.add('forecasts', at + 1, { ...cells, ...issued(1), ...rest });
    });
    expect(
      summary.getFlagged([]).map(({ reason, rows: many, first_row }) => [reason, many, first_row]),
    ).to.have.deep.members([
      ['target date far from its issuance', 2, 2],
      ['standard deviation of 0, or hardly possible', 2, 5],
      ['quantiles hardly possible', 2, 10],
    ]);
  });

  it('degrees: given a station that says none, then 20 rows of nine tenths near whole °F are told', () => {
    const degrees = new ReportedDegrees();
    const rows: string[] = [];
    /** Observations: so many beside a whole degree, so many at one, and so many far from it. */
    const station = (
      station_id: string,
      [beside, whole, finer]: readonly [number, number, number],
      reported_in: StationFact['reported_in'] = '',
    ): void => {
      const of = { station_id, reported_in } as StationFact;
      const values = [
        ...Array<number>(beside).fill(50.02),
        ...Array<number>(whole).fill(50),
        ...Array<number>(finer).fill(50.4),
      ];
      for (const value of values) degrees.add(rows.push(station_id), of, { high_f: String(value) });
    };
    station('20 rows', [20, 0, 0]);
    station('19 rows', [19, 0, 0]);
    station('18 of 20', [18, 0, 2]);
    station('17 of 20', [17, 0, 3]);
    station('half beside', [10, 10, 0]);
    station('less than half beside', [9, 11, 0]);
    station('says whole °F, and is', [3, 3, 0], 'whole_fahrenheit');
    station('says whole °F, and is not', [3, 3, 1], 'whole_fahrenheit');
    const told: unknown[] = [];
    const tell = (_feed: string, row: number, { detail }: { detail: string }, many: number): void => {
      told.push([rows[row - 1], detail.replace(/^.*(?=stations in all)/, ''), many]);
    };
    degrees.warn({ warn: tell, note: tell, locationOf: (row: number) => row } as unknown as LoadTally);
    expect(told).to.deep.equal([
      [
        'says whole °F, and is not',
        '50.4 °F (10.22 °C) of says whole °F, and is not, which has reported_in whole_fahrenheit',
        1,
      ],
      ['20 rows', 'stations in all: 3', 60],
    ]);
  });
});
