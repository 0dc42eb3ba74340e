import { expect } from 'chai';
import fc from 'fast-check';
import { DISTRIBUTIONS } from '../../../src/feeds/feeds.js';
import { Members } from '../../../src/ingest/read/members.js';
import type { Cells } from '../../../src/ingest/read/feed-rows.js';
import { Rejection } from '../../../src/feeds/values.js';
import { LEVELS, quantileOfMembers } from '../../../src/statistics/quantiles.js';
import { Random } from '../../support/random.js';
import { CONTEXT, GOOD_ROWS, rejectionOf } from '../../support/ingest/rows.js';

type Member = Readonly<Record<string, string>>;

/** Members of one forecast, in lines from 2 on, unless they say otherwise. */
function collect(rows: readonly Member[]): Members {
  const names = [GOOD_ROWS.forecasts, ...rows].flatMap((row) => Object.keys(row));
  const members = new Members(CONTEXT, names);
  rows.forEach((row, at) =>
    members.add({ ...GOOD_ROWS.forecasts, member: `${at}`, ...row }, { line: at + 2, text: `row ${at}` }),
  );
  return members;
}

/** The forecasts, or why one cannot be used, as text. */
const resultsOf = (members: Members) =>
  [...members.forecasts()].map(({ last, result }) => ({
    last,
    result: result instanceof Rejection ? result.message : result,
  }));

/** The cells of the one forecast of these highs. */
function ofHighs(highs: readonly (number | string)[]): Cells {
  const [{ result } = { result: '' }] = resultsOf(
    collect(highs.map((high) => ({ high_f: `${high}`, low_f: '' }))),
  );
  if (typeof result === 'string') throw new Error(result);
  return result;
}

const quantilesIn = (cells: Cells): number[] =>
  DISTRIBUTIONS[0]!.columns.slice(1).map(({ name }) => Number(cells[name]));

describe('the quantiles of members', () => {
  it('given members, then they are those of numpy: numpy.quantile(members, LEVELS / 100)', () => {
    // NumPy 2.4: its default method, linear, is type 7.
    for (const [members, quantiles] of [
      [[3], LEVELS.map(() => 3)],
      [
        [1, 2, 3, 4, 10],
        [1.2, 1.4, 1.8, 2, 2.2, 2.6, 3, 3.4, 3.8, 4, 5.2, 7.6, 8.8],
      ],
      [
        [-40, -7, -7, 0, 12, 31, 32, 90],
        [-28.45, -16.9, -7, -7, -6.3, -1.4, 6, 15.8, 29.1, 31.25, 31.6, 49.4, 69.7],
      ],
    ] as const)
      for (const [at, level] of LEVELS.entries())
        expect(quantileOfMembers(members, level), `${level} % of ${members.join()}`).to.be.closeTo(
          quantiles[at]!,
          1e-9,
        );
  });

  it('given any members, then as many of their steps lie below a quantile as its level says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -13_000, max: 14_000 }), { minLength: 1 }), (members) => {
        const sorted = [...members].sort((a, b) => a - b);
        for (const level of LEVELS) {
          // A walk from the first member on: each step to the next is 100 / (n - 1) %.
          let [value, left] = [sorted[0]!, (level / 100) * (sorted.length - 1)];
          for (let at = 1; at < sorted.length && left > 0; at += 1, left -= 1)
            value += Math.min(left, 1) * (sorted[at]! - sorted[at - 1]!);
          expect(quantileOfMembers(sorted, level), `${level} %`).to.be.closeTo(value, 1e-6);
        }
      }),
    );
  });
});

describe('the members of a forecast', () => {
  it('given them in any order, then the forecast is their mean, with quantiles of all levels', () => {
    const highs = [4, 1, 10, 3, 2];
    expect(resultsOf(collect(highs.map((high) => ({ high_f: `${high}`, low_f: '-1' }))))[0]).to.deep.include({
      last: { line: 6, text: 'row 4' },
    });
    const cells = ofHighs(highs);
    expect(cells).to.include({
      station_id: 'KORD',
      target_date: '2026-01-05',
      provider: '',
      high_f: '4',
    });
    expect(quantilesIn(cells)).to.deep.equal([1.2, 1.4, 1.8, 2, 2.2, 2.6, 3, 3.4, 3.8, 4, 5.2, 7.6, 8.8]);
    expect(Object.keys(cells).filter((column) => column.startsWith('low_p'))).to.deep.equal([]);
  });

  it('given a mean or a quantile between hundredths, then it is rounded half away from zero', () => {
    expect(ofHighs([0.01, 0.01, 0.01, 0, 0, 0]).high_f).to.equal('0.01');
    expect(ofHighs([-0.01, -0.01, -0.01, 0, 0, 0]).high_f).to.equal('-0.01');
    expect(ofHighs([0, 0, 0, 0, -0.01]).high_f, 'no minus zero').to.equal('0');
    expect(ofHighs([0, 0, 0.01, 0.01, 0.01, 0.01, 0.01]).high_p25_f, '0.005').to.equal('0.01');
    expect(ofHighs([-0.01, -0.01, 0, 0, 0, 0, 0]).high_p25_f, '-0.005').to.equal('-0.01');
  });

  it('given them in °C, then their mean and quantiles are converted, not the members', () => {
    const rows = [0.02, 0.07, 0.02, 0.07, 0.02].map((high) => ({ high_c: `${high}`, low_c: '' }));
    // 0.04 °C are 32.072 °F; the members one by one are 32.04 and 32.13, with a mean of 32.076.
    expect(resultsOf(collect(rows))[0]?.result).to.include({ high_f: '32.07', high_p50_f: '32.04' });
  });

  it('given more members than any ensemble has, then the forecast is rejected at its last line', () => {
    const rows = Array.from({ length: 10_002 }, () => ({ high_f: '50', low_f: '' }));
    expect(resultsOf(collect(rows))).to.deep.equal([
      {
        last: { line: 10_003, text: 'row 10001' },
        result: 'more than 10000 members: give each forecast an issued_at of its own',
      },
    ]);
    expect(resultsOf(collect(rows.slice(2)))[0]?.result).to.include({ high_f: '50' });
  });

  it('given several forecasts, then each has its own members, whatever the names in the others', () => {
    const rows = ['2026-01-05', '2026-01-06'].flatMap((target_date, day) =>
      [1, 2, 3, 4, 5].map((high) => ({
        target_date,
        member: `${high}`,
        high_f: `${10 * day + high}`,
        low_f: '',
      })),
    );
    const found = resultsOf(collect(rows)).map(({ result }) => (result as Cells).high_f);
    expect(found).to.deep.equal(['3', '13']);
    expect(
      resultsOf(collect(rows.map((row, at) => ({ ...row, provider: at < 5 ? 'ecmwf' : 'gfs' })))),
    ).to.have.length(2);
  });

  it('given fewer than five, then the forecast is rejected; without a temperature it has none', () => {
    const five = [1, 2, 3, 4, 5].map((high) => ({ high_f: `${high}`, low_f: high === 1 ? '-4' : '' }));
    expect(resultsOf(collect(five))[0]).to.deep.equal({
      last: { line: 6, text: 'row 4' },
      result: 'fewer than 5 members: low_f has 1',
    });
    expect(resultsOf(collect(five.slice(1)))[0]?.result).to.equal('fewer than 5 members: high_f has 4');
    expect(resultsOf(collect([{ high_f: '', low_f: '' }]))[0]?.result).not.to.have.any.keys(
      'high_f',
      'low_f',
    );
  });

  it('given a row without a member, a member twice, or a withdrawal, then the row is rejected', () => {
    const members = collect([1, 2, 3, 4, 5].map((high) => ({ high_f: `${high}`, withdrawn: 'false' })));
    for (const [row, message] of [
      [{ member: '' }, 'missing member: name the member, such as 01'],
      [{ member: '3', high_f: '99' }, 'member given twice: member=3'],
      [{ member: '9', withdrawn: 'TRUE' }, 'withdrawn member: withdraw the forecast with --forecasts'],
      [{ member: '9', high_f: 'warm' }, 'temperature is not a number: high_f="warm"'],
      [{ member: '9', station_id: 'KZZZ' }, 'unknown station: KZZZ'],
    ] as const)
      expect(
        rejectionOf(() => members.add({ ...GOOD_ROWS.forecasts, ...row }, { line: 9, text: '' })).message,
      ).to.equal(message);
    expect(resultsOf(members)[0]?.result).to.include({ high_f: '3' });
  });
});

describe('members far from the others of their forecast', () => {
  const random = new Random(52);
  const size = (): number => 5 + random.below(47);
  /** Highs that vary by a standard deviation of 1 to 12 °F, many in whole degrees. */
  const ensemble = (mean_f: number, count = size()): number[] => {
    const [sd, grain] = [1 + 11 * random.next() ** 2, random.of([1, 10])];
    return Array.from({ length: count }, () => Math.round(grain * (mean_f + sd * random.gaussian())) / grain);
  };
  const outliersOf = (values: readonly number[], metric: 'high' | 'low' = 'high') => {
    const rows = values.map((value) =>
      metric === 'high' ? { high_f: `${value}`, low_f: '' } : { high_f: '', low_f: `${value}` },
    );
    return [...collect(rows).forecasts()].flatMap(({ outliers: far }) => far);
  };

  it('given 1,000 sentinels, one or two in ensembles of 5 to 51, then each is told by its own line', () => {
    const places = [
      { sentinel: -99, mean_f: 54, metric: 'high' },
      { sentinel: -99.9, mean_f: 40, metric: 'low' },
      { sentinel: 99.9, mean_f: 30, metric: 'low' },
      { sentinel: 140, mean_f: 65, metric: 'high' },
      { sentinel: 0, mean_f: 90, metric: 'high' },
    ] as const;
    for (let at = 0; at < 1000; at += 1) {
      const { sentinel, mean_f, metric } = places[at % places.length]!;
      const values = ensemble(mean_f);
      const lines = values.length > 5 && at % 3 === 0 ? [2, values.length] : [3];
      for (const line of lines) values[line - 2] = sentinel;
      const others = values.filter((_, place) => !lines.includes(place + 2));
      expect(outliersOf(values, metric), values.join()).to.deep.equal(
        lines.map((line) => ({
          ...{ column: `${metric}_f`, line, value_f: sentinel },
          ...{ lowest_f: Math.min(...others), highest_f: Math.max(...others) },
        })),
      );
    }
  });

  it('given ensembles without any, then of 60,000 members three at most are told', () => {
    let [members, outliers] = [0, 0];
    while (members < 60_000) {
      const values = ensemble(random.of([5, 40, 95]));
      members += values.length;
      outliers += outliersOf(values).length;
    }
    expect(outliers).to.be.at.most(3);
  });

  it('given 40 °F off, then it is told among members close together, not among five 15 apart', () => {
    expect(outliersOf([50, 51, 52, 50, 51, 52, 50, 51, 52, 92])).to.have.lengthOf(1);
    expect(outliersOf([35, 50, 40, 45, 90])).to.deep.equal([]);
    expect(outliersOf([35, 50, 40, 45, 110])).to.have.lengthOf(1);
  });

  it('given as many of one kind as of the other, then all are told, each with the others', () => {
    const told = outliersOf([54, 54, 54, -99, -99, -99]);
    expect(told.map(({ value_f, lowest_f }) => [value_f, lowest_f])).to.have.deep.members([
      ...Array<number[]>(3).fill([54, -99]),
      ...Array<number[]>(3).fill([-99, 54]),
    ]);
  });
});

describe('a member with one value in all forecasts', () => {
  /** Forecasts of so many days, the mean of whose highs rises to that; member x always says 70, y does on all days but one. */
  const frozenIn = (days: number, rise_f: number): string[] => {
    const rows = Array.from({ length: days }, (_, day) => {
      const target_date = `2026-02-${String(day + 1).padStart(2, '0')}`;
      const high = 60 + (rise_f * 5 * day) / (days - 1) / 3; // three of five rise
      const highs = { a: high, b: high + 1, c: high + 2, x: 70, y: day === 4 ? 70.5 : 70.5 - 0.5 };
      return Object.entries(highs).map(([member, value]) => ({
        ...{ member, target_date, low_f: '' },
        high_f: `${Math.round(value * 100) / 100}`,
      }));
    });
    const members = collect(rows.flat());
    expect([...members.forecasts()]).to.have.lengthOf(days);
    return members.frozen().map(({ line, forecasts, detail }) => `${line} ${forecasts} × ${detail}`);
  };

  it('given 10 forecasts with means 10.5 °F apart, then it is told; given 9, or 9.5 °F, it is not', () => {
    expect(frozenIn(10, 10.5)).to.deep.equal([
      '5 10 × member=x, high_f=70 in all 10 forecasts of KORD; their means are 64.6 to 75.1 °F',
    ]);
    expect(frozenIn(9, 10.5)).to.deep.equal([]);
    expect(frozenIn(10, 9.5)).to.deep.equal([]);
  });
});
