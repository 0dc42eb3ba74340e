import type { DistributionScores } from '../../../clients/typescript/src/generated.js';
import { parameters } from '../address.js';
import type { Answers } from '../api.js';
import { type Area, Bar, Plot, pointAt, scaleOf, ticksOf } from '../figure.js';
import { behind, type Interval, intervalWords } from '../intervals.js';
import { useAnswer, usePage } from '../page.js';
import { Panel, type View } from '../panel.js';
import { counted, number, percent, tick } from '../words.js';

type Answer = Answers['accuracy/distribution'];

const SHAPES = {
  flat: 'No fault is shown.',
  too_narrow: 'Too many days end outside of its outermost quantiles.',
  too_wide: 'Too few days end outside of its outermost quantiles.',
  too_warm: 'Too many days end in its lower part: it is too warm.',
  too_cold: 'Too many days end in its upper part: it is too cold.',
};

const ABOVE = 'A bar above the line has more observations than the provider said.';

const VERDICTS = { holds: 'holds', too_low: 'too low', too_high: 'too high' };

/** Whether the provider's own distributions hold; it is missing where the provider has no distribution. */
export function Distribution() {
  const { question, load, isReady } = usePage();
  const asked = parameters(question);
  const ask = (): Promise<Answer> => load.get('accuracy/distribution', asked);
  const { answer, error } = useAnswer(ask, asked, isReady);
  if (error === undefined && (answer?.data.length ?? 0) === 0) return null;
  return (
    <Panel
      id="distribution"
      title="How sure are they?"
      on={asked}
      ask={ask}
      view={({ data: [scores] }): View => ({
        content: scores && <Histogram {...scores} />,
        table: {
          caption: 'Observations below each quantile',
          columns: ['Quantile', 'Below it', '95 %', 'Verdict'],
          rows: (scores?.coverage ?? []).map(({ level, observed, low, high, verdict }) => [
            `${level} %`,
            percent(observed),
            intervalWords({ low, high }, percent) ?? '–',
            verdict === null ? '–' : VERDICTS[verdict],
          ]),
        },
        csv: { what: 'the distributions', path: 'accuracy/distribution', query: asked },
      })}
    />
  );
}

/** How many days the band of 80 % held, or another one if quantiles of it are missing. */
function bandOf({ provider, cases, intervals }: DistributionScores): string {
  const whose = provider === 'default' ? 'the forecasts' : provider;
  const days = counted(cases, 'station day');
  const band = intervals.find(({ nominal }) => nominal === 80) ?? intervals[0];
  if (band === undefined) return `The quantiles of ${whose} on ${days}.`;
  const { nominal, covered, covered_low: low, covered_high: high } = band;
  const held = `The ${nominal} % band of ${whose} held ${percent(covered)} of ${days}`;
  return `${held}${behind({ low, high }, percent)}: ${verdictOf(nominal / 100, { low, high })}.`;
}

function verdictOf(nominal: number, { low, high }: Interval): string {
  if (low === null || high === null) return 'too few days to tell';
  return high < nominal ? 'too narrow' : low > nominal ? 'too wide' : 'as it should';
}

/** How many observations fell between the quantiles, over how many would if these were right. */
function Histogram(scores: DistributionScores) {
  const { levels, pit, shape } = scores;
  const ends = [0, ...levels, 100];
  const shares = pit.counts.map((count, at) => count / (pit.expected[at] || 1));
  const most = Math.max(1.5, ...shares) * 1.06;
  const xOf = (left: number, right: number) => scaleOf([0, 100], [left, right - 22]);
  const draw = ({ at, y, left, width, foot }: Area) => [
    ...shares.map((share, index) => {
      const x = xOf(left, width);
      const room = x(ends[index + 1]!) - x(ends[index]!) - 2;
      return <Bar {...{ x: at[index] ?? 0, y: y(share), width: Math.max(1, room), foot }} class="mae" />;
    }),
    <path class="diagonal" d={`M${left} ${y(1)}H${width}`} />,
  ];
  const nameOf = (index: number): string =>
    index === 0
      ? `Below ${levels[0]} %`
      : index === levels.length
        ? `Above ${levels.at(-1)} %`
        : `${levels[index - 1]} to ${levels[index]} %`;
  const told = shares.map((share, index) => `${nameOf(index)}: ${number(share, 1)}`);
  return (
    <>
      <p class="basis">{bandOf(scores)}</p>
      <Plot
        label={`Histogram of observations between quantiles, as multiples of what is right: ${told.join('; ')}. Arrow keys read it bar by bar.`}
        count={shares.length}
        at={(left, right) => shares.map((_, at) => xOf(left, right)((ends[at]! + ends[at + 1]!) / 2))}
        marks={({ left, width }) =>
          [0, 25, 50, 75, 100].map((level) => [xOf(left, width)(level), `${level} %`])
        }
        title="Quantile of the provider"
        parts={[
          {
            name: 'Observations; dashed: as many as said',
            range: [0, most],
            ticks: ticksOf(0, most, 4),
            format: (value) => `${tick(value)} ×`,
            draw,
          },
        ]}
        hint={pointAt('a bar')}
        reading={(index) => [
          nameOf(index),
          `${number(pit.counts[index], 0)} observations; ${number(pit.expected[index], 0)} would be right`,
        ]}
      />
      <p class="basis note">
        {shape !== null && `${SHAPES[shape]} `}
        {ABOVE}
      </p>
    </>
  );
}
