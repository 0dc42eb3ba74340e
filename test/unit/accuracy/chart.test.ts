import { expect } from 'chai';
import { badge, brierBadge } from '../../../src/accuracy/charts/badge.js';
import { type Chart, chartSvg, type ChartPoint } from '../../../src/accuracy/charts/chart.js';
import { errorChart } from '../../../src/accuracy/charts/error-chart.js';
import { addDays } from '../../../src/statistics/time/calendar.js';

const daily = (days: number): ChartPoint[] =>
  Array.from({ length: days }, (_, day) => ({
    at: addDays('2016-01-01', day),
    values: [2 + Math.sin(day), -12.25 + Math.cos(day)],
    weight: 1 + (day % 7),
  }));

const svgOf = (given: Partial<Chart>): string =>
  chartSvg({
    title: 'Errors by date',
    subject: 'Chicago, daily highs',
    unit: '°F',
    lines: ['MAE', 'Bias'],
    ...{ top: 1, digits: 2 },
    axis: 'dates',
    points: daily(3),
    ...given,
  });

/** The vertical places of the names of lines. */
const namesIn = (svg: string): number[] =>
  [...svg.matchAll(/<text class="n\d" x="[\d.]+" y="(-?[\d.]+)"/g)].map(([, y]) => Number(y));

const rowsIn = (svg: string): string[][] =>
  [...svg.matchAll(/<g role="row">(.*?)<\/g>/g)].map(([, row = '']) =>
    [...row.matchAll(/>([^<]*)<\/text>/g)].map(([, cell = '']) => cell),
  );

describe('a chart', () => {
  it('given ten years of days, then it has at most 15 kB, and says how many days a point is of', () => {
    const svg = svgOf({ points: daily(3653) });
    expect(Buffer.byteLength(svg)).to.be.at.most(15_000);
    expect(svg).to.include('each point: 29 records');
  });

  it('given chances, then it draws their Brier score, and neither MAE nor bias', () => {
    const params = {
      ...{ station: undefined, provider: { name: 'default' }, unit: 'fahrenheit' as const },
      window: { period_start: '2016-01-01', period_end: '2016-01-02', days_analyzed: 2 },
    };
    const counts = { verification_pairs: 1, unique_days: 1, mean_error: -1.23, mae: 45.67, std_dev: 0 };
    const stats = { ...counts, rmse: 1, abs_error_p50: 1, abs_error_p90: 1, abs_error_p95: 1 };
    const points = [
      { at: '2016-01-01', stats: { ...stats, brier_score: 0.12345 } },
      { at: '2016-01-02', stats: { ...stats, brier_score: null } },
    ];
    const chartOf = (metric: 'wet_day' | 'high') =>
      errorChart({ ...params, metric }, 'date', 'dates', points);
    expect(rowsIn(chartOf('wet_day'))).to.deep.equal([
      ['Date', 'Brier, 0 to 1'],
      ['2016-01-01', '0.123'],
      ['2016-01-02', '-'],
    ]);
    expect(chartOf('wet_day')).to.contain('>Brier score by date, 0 to 1<');
    expect(chartOf('wet_day')).not.to.match(/MAE|Bias|>0\.3</);
    expect(rowsIn(chartOf('high'))[1]).to.deep.equal(['2016-01-01', '45.67', '-1.23']);
  });

  it('given texts with markup, then they are texts', () => {
    expect(svgOf({ subject: '<script>"a" & b</script>' })).to.include(
      '&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;',
    );
  });

  it('given lines that end at the same place, then their names do not lie on one another', () => {
    const points = daily(3).map((point) => ({ ...point, values: [2, 2] }));
    const [first = 0, second = 0] = namesIn(svgOf({ points }));
    expect(Math.abs(first - second)).to.be.at.least(14);
  });

  it('given a gap, then the line has two parts', () => {
    const points = daily(4).map((point, day) => (day === 2 ? { ...point, values: [null, 1] } : point));
    const [path = ''] = /(?<=class="l0" d=")[^"]*/.exec(svgOf({ points })) ?? [];
    expect(path.match(/M/g)).to.have.length(2);
  });

  it('given few days, then its table has each of them; given many, each month with the mean over its pairs', () => {
    expect(rowsIn(svgOf({}))).to.deep.equal([
      ['Date', 'MAE, °F', 'Bias, °F'],
      ...daily(3).map(({ at, values }) => [at, ...values.map((value) => value!.toFixed(2))]),
    ]);
    const points = daily(60);
    const january = points.slice(0, 31);
    const pairs = january.reduce((total, { weight }) => total + weight, 0);
    const mae = january.reduce((total, { weight, values }) => total + weight * values[0]!, 0) / pairs;
    const [head, first] = rowsIn(svgOf({ points }));
    expect(head?.[0]).to.equal('Month');
    expect(first?.slice(0, 2)).to.deep.equal(['2016-01', mae.toFixed(2)]);
  });

  it('given no points, then it says so', () => {
    expect(svgOf({ points: [] })).to.include('No pairs in this window');
  });
});

describe('a badge', () => {
  it('given an error, then its colour is by °F in either unit; without pairs it is grey', () => {
    const coloured = (mae: number | null, unit: 'fahrenheit' | 'celsius') => {
      const { message, color } = JSON.parse(badge('MAE', mae, unit, 'high')) as Record<string, string>;
      return [message, color];
    };
    expect(coloured(1.99, 'fahrenheit')).to.deep.equal(['1.99 °F', 'brightgreen']);
    expect(coloured(2, 'fahrenheit')).to.deep.equal(['2.00 °F', 'green']);
    expect(coloured(1.12, 'celsius')).to.deep.equal(['1.12 °C', 'green']);
    expect(coloured(7, 'fahrenheit')).to.deep.equal(['7.00 °F', 'red']);
    expect(coloured(null, 'celsius')).to.deep.equal(['no pairs', 'lightgrey']);
  });

  it('given a Brier score, then it has three decimals, and its colour is beside that of 50% on every day', () => {
    const coloured = (score: number | undefined) => {
      const { message, color } = JSON.parse(brierBadge('Brier score', score)) as Record<string, string>;
      return [message, color];
    };
    expect(coloured(0.0494)).to.deep.equal(['0.049', 'brightgreen']);
    expect(coloured(0.05)).to.deep.equal(['0.050', 'green']);
    expect(coloured(0.2499)).to.deep.equal(['0.250', 'orange']);
    expect(coloured(0.25)).to.deep.equal(['0.250', 'red']);
    expect(coloured(undefined)).to.deep.equal(['no pairs', 'lightgrey']);
  });
});
