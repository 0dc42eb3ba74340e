import type { DistributionScores } from '../../../clients/typescript/src/generated.js';
import { parameters } from '../address.js';
import { type Area, Bar, Plot } from '../figure.js';
import { describeBand } from '../findings.js';
import { intervalWords } from '../intervals.js';
import type { Page } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { makeTicks } from '../ticks.js';
import { NOT_YET, number, percent, tick } from '../words.js';

const VERDICTS = { holds: 'right', too_low: 'too low', too_high: 'too high' };

async function loadDistribution({ params, load }: Page) {
  const { data } = await load.get('accuracy/distribution', parameters(params));
  if (data[0] === undefined) throw new Lack('needs quantiles from the provider');
  return data[0];
}

/** Whether the ranges that the provider states are right. */
export const distribution = makeBody({
  load: loadDistribution,
  view: (scores, { params }) => ({
    ...describeBand(scores),
    content: <Histogram {...scores} />,
    table: {
      caption: 'Observations below each quantile',
      columns: ['Quantile', 'Below it', '95% interval', 'Verdict'],
      rows: scores.coverage.map(({ level, observed, low, high, verdict }) => [
        `${level}%`,
        percent(observed),
        intervalWords({ low, high }, percent, level / 100) ?? '–',
        verdict === null ? NOT_YET : VERDICTS[verdict],
      ]),
    },
    csv: { what: 'the distributions', path: 'accuracy/distribution', query: parameters(params) },
  }),
});

/** How many observations fell between the quantiles, over how many would if these were right. */
function Histogram(scores: DistributionScores) {
  const { levels, pit } = scores;
  const ends = [0, ...levels, 100];
  const shares = pit.counts.map((count, at) => count / (pit.expected[at] || 1));
  const max = Math.max(1.5, ...shares) * 1.06;
  const middles = shares.map((_, at) => (ends[at]! + ends[at + 1]!) / 2);
  const draw = ({ x, y, left, width, foot }: Area) => [
    ...shares.map((share, index) => {
      const room = x(ends[index + 1]!) - x(ends[index]!) - 2;
      return <Bar {...{ x: x(middles[index]!), y: y(share), width: Math.max(1, room), foot }} class="mae" />;
    }),
    <path class="diagonal" d={`M${left} ${y(1)}H${width}`} />,
  ];
  const makeName = (index: number): string =>
    index === 0
      ? `Below ${levels[0]}%`
      : index === levels.length
        ? `Above ${levels.at(-1)}%`
        : `${levels[index - 1]}–${levels[index]}%`;
  const reported = shares.map((share, index) => `${makeName(index)}: ${number(share, 1)}`);
  return (
    <Plot
      label={`Histogram of observations between quantiles, as multiples of what was promised: ${reported.join('; ')}. Arrow keys read it bar by bar.`}
      across={{ range: [0, 100], values: middles }}
      marks={() => [0, 25, 50, 75, 100].map((level) => [level, `${level}%`])}
      title="Quantile of the provider"
      parts={[
        {
          name: 'Share of days, relative to promised',
          range: [0, max],
          ticks: makeTicks(0, max, 4),
          format: (value) => `${tick(value)}×`,
          draw,
        },
      ]}
      reading={(index) => [
        makeName(index),
        `${number(pit.counts[index], 0)} days; ${number(pit.expected[index], 0)} would be right`,
      ]}
    />
  );
}
