import type { DistributionScores } from '../../../clients/typescript/src/generated.js';
import { parameters } from '../address.js';
import type { Answers } from '../api.js';
import { type Area, Bar, Plot, pointAt, makeScale, makeTicks } from '../figure.js';
import { behind, type Interval, intervalWords } from '../intervals.js';
import { useResponse, usePage } from '../page.js';
import { Panel, type View } from '../panel.js';
import { counted, number, percent, tick } from '../words.js';

type PageResponse = Answers['accuracy/distribution'];

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
  const { params, load, isReady } = usePage();
  const requested = parameters(params);
  const ask = (): Promise<PageResponse> => load.get('accuracy/distribution', requested);
  const { response, error } = useResponse(ask, requested, isReady);
  if (error === undefined && (response?.data.length ?? 0) === 0) return null;
  return (
    <Panel
      id="distribution"
      title="How sure are they?"
      on={requested}
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
        csv: { what: 'the distributions', path: 'accuracy/distribution', query: requested },
      })}
    />
  );
}

/** How many days the band of 80 % held, or another one if quantiles of it are missing. */
function formatBand({ provider, cases, intervals }: DistributionScores): string {
  const whose = provider === 'default' ? 'the forecasts' : provider;
  const days = counted(cases, 'station day');
  const band = intervals.find(({ nominal }) => nominal === 80) ?? intervals[0];
  if (band === undefined) return `The quantiles of ${whose} on ${days}.`;
  const { nominal, covered, covered_low: low, covered_high: high } = band;
  const held = `The ${nominal} % band of ${whose} held ${percent(covered)} of ${days}`;
  return `${held}${behind({ low, high }, percent)}: ${makeVerdict(nominal / 100, { low, high })}.`;
}

function makeVerdict(nominal: number, { low, high }: Interval): string {
  if (low === null || high === null) return 'too few days to tell';
  return high < nominal ? 'too narrow' : low > nominal ? 'too wide' : 'as it should';
}

/** How many observations fell between the quantiles, over how many would if these were right. */
function Histogram(scores: DistributionScores) {
  const { levels, pit, shape } = scores;
  const ends = [0, ...levels, 100];
  const shares = pit.counts.map((count, at) => count / (pit.expected[at] || 1));
  const max = Math.max(1.5, ...shares) * 1.06;
  const toX = (left: number, right: number) => makeScale([0, 100], [left, right - 22]);
  const draw = ({ at, y, left, width, foot }: Area) => [
    ...shares.map((share, index) => {
      const x = toX(left, width);
      const room = x(ends[index + 1]!) - x(ends[index]!) - 2;
      return <Bar {...{ x: at[index] ?? 0, y: y(share), width: Math.max(1, room), foot }} class="mae" />;
    }),
    <path class="diagonal" d={`M${left} ${y(1)}H${width}`} />,
  ];
  const makeName = (index: number): string =>
    index === 0
      ? `Below ${levels[0]} %`
      : index === levels.length
        ? `Above ${levels.at(-1)} %`
        : `${levels[index - 1]} to ${levels[index]} %`;
  const reported = shares.map((share, index) => `${makeName(index)}: ${number(share, 1)}`);
  return (
    <>
      <p class="basis">{formatBand(scores)}</p>
      <Plot
        label={`Histogram of observations between quantiles, as multiples of what is right: ${reported.join('; ')}. Arrow keys read it bar by bar.`}
        count={shares.length}
        at={(left, right) => shares.map((_, at) => toX(left, right)((ends[at]! + ends[at + 1]!) / 2))}
        marks={({ left, width }) =>
          [0, 25, 50, 75, 100].map((level) => [toX(left, width)(level), `${level} %`])
        }
        title="Quantile of the provider"
        parts={[
          {
            name: 'Observations; dashed: as many as said',
            range: [0, max],
            ticks: makeTicks(0, max, 4),
            format: (value) => `${tick(value)} ×`,
            draw,
          },
        ]}
        hint={pointAt('a bar')}
        reading={(index) => [
          makeName(index),
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
