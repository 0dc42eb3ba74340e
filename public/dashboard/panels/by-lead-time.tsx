import type {
  LeadTimeAccuracy,
  LeadTimeAccuracyMatched,
  LeadTimeAccuracyMatchedMaeDifference,
  Uncertainty,
} from '../../../clients/typescript/src/generated.js';
import { parameters } from '../address.js';
import type { Answers } from '../api.js';
import {
  Bar,
  Dots,
  endsOf,
  Figure,
  Foot,
  Grid,
  LEFT,
  type LeadDot,
  leadLabels,
  middles,
  pointAt,
  rangeOf,
  scaleOf,
  type Size,
  ticksOf,
  TITLED_FOOT,
  Whisker,
} from '../figure.js';
import { holdsZero, intervalWords, LEVEL } from '../intervals.js';
import { summaryOf, usePage } from '../page.js';
import { Nothing, Panel, type View } from '../panel.js';
import { hiddenBias } from '../sentences.js';
import { Term } from '../term.js';
import { biasWords, hours, type Maybe, NO_BIAS, number, signed, unit, whole } from '../words.js';

/** The values of a lead time: the MAE over the station days that all share, or over all forecasts; the bias of all. */
interface Lead {
  error: LeadDot;
  bias: LeadDot;
}

const UNKNOWN = { low: null, high: null };

const leadOf = (
  { lead_time_bucket: bucket, stats, uncertainty }: LeadTimeAccuracy,
  compared: Pick<LeadTimeAccuracyMatched, 'mae'>,
  known: Uncertainty | undefined,
): Lead => ({
  error: { ...(known?.mae ?? UNKNOWN), bucket, value: compared.mae },
  bias: { ...(uncertainty?.mean_error ?? UNKNOWN), bucket, value: stats.mean_error },
});

/** The mean absolute error and the bias of each lead time. */
export function ByLeadTime() {
  const page = usePage();
  const asked = { ...parameters(page.question), align: 'matched', ci: LEVEL };
  return (
    <Panel
      id="by-lead-time"
      title="Error by lead time"
      on={asked}
      ask={async () => {
        const [leads, whole] = await Promise.all([
          page.load.get('accuracy/by-lead-time', asked),
          summaryOf(page).catch(() => undefined),
        ]);
        if (leads.data.length === 0)
          throw new Nothing('No forecast of these days can be compared with an observation.');
        return { leads, whole };
      }}
      view={({ leads, whole }): View => ({
        content: <Leads leads={leads} hidden={whole && hiddenBias(whole.data, leads)} />,
        table: {
          caption: `Error by lead time, ${unit()}: of all forecasts, and the MAE of the station days that are compared`,
          columns: [
            ...['Hours before the day', 'MAE', 'Bias', '95 %', '9 in 10 within'],
            ...['Forecasts', 'MAE compared', '95 %'],
          ],
          rows: leads.data.map(rowOf),
        },
        csv: { what: 'the lead times', path: 'accuracy/by-lead-time', query: asked },
      })}
    />
  );
}

const rowOf = ({ lead_time_bucket, stats, uncertainty, matched }: LeadTimeAccuracy): string[] => [
  hours(lead_time_bucket),
  number(stats.mae),
  signed(stats.mean_error),
  intervalWords(uncertainty?.mean_error, signed) ?? '–',
  number(stats.abs_error_p90),
  whole(stats.verification_pairs),
  number(matched?.mae),
  intervalWords(matched?.uncertainty.mae) ?? '–',
];

function Leads({
  leads,
  hidden = '',
}: {
  leads: Answers['accuracy/by-lead-time'];
  hidden: string | undefined;
}) {
  const { data, metadata } = leads;
  const cases = metadata.cases_matched ?? 0;
  const shared = cases > 0;
  const shown = shared
    ? data.flatMap((each) => (each.matched ? [leadOf(each, each.matched, each.matched.uncertainty)] : []))
    : data.map((each) => leadOf(each, each.stats, each.uncertainty));
  const left = data.filter(({ matched, stats }) => shared && !matched && stats.verification_pairs > 0);
  const [errors, biases] = [shown.map(({ error }) => error), shown.map(({ bias }) => bias)];
  const buckets = errors.map(({ bucket }) => bucket);
  const [errorRange, biasRange] = [rangeOf(endsOf(errors)), rangeOf(endsOf(biases), 2)];
  const draw = ({ width, height }: Size) => {
    const at = middles(shown.length, width);
    const half = Math.floor((height - TITLED_FOOT - GAP) / 2) - HEAD;
    const foot = HEAD + half;
    const biasTop = foot + GAP + HEAD;
    const error = scaleOf(errorRange, [foot, HEAD + 18]);
    const bias = scaleOf(biasRange, [biasTop + half, biasTop]);
    const bar = Math.min(64, ((width - LEFT) / shown.length) * 0.6);
    return {
      at,
      content: (
        <>
          <path class="axis" d={`M${LEFT} ${foot}H${width}`} />
          {errors.map(({ value, low, high }, index) => {
            const x = at[index] ?? 0;
            return (
              <>
                <Bar
                  {...{ class: 'mae', x: x - bar / 2, width: bar }}
                  y={error(value ?? 0)}
                  height={foot - error(value ?? 0)}
                />
                <Whisker {...{ x, y: error, low, high }} />
                <text
                  class="value"
                  {...{ x, y: error(Math.max(high ?? 0, value ?? 0)) - 6 }}
                  text-anchor="middle"
                >
                  {value === null ? 'none' : number(value, 1)}
                </text>
              </>
            );
          })}
          <text class="direct mae" x={0} y={HEAD - 8}>
            MAE, {unit()}
          </text>
          <Grid {...{ y: bias, width, ticks: ticksOf(biasRange[0], biasRange[1], Math.max(2, half / 36)) }} />
          <text class="direct bias" x={width} y={biasTop - 8} text-anchor="end">
            Bias of all forecasts, with 95 % intervals
          </text>
          <Dots {...{ dots: biases, at, y: bias, class: 'bias' }} />
          <Foot
            {...{ width, height, at, labels: leadLabels(buckets), title: 'hours before the day begins' }}
          />
        </>
      ),
    };
  };
  const listed = (dots: LeadDot[], written: (value: Maybe, digits?: number) => string): string =>
    dots
      .map((dot) => {
        const ends = intervalWords(dot, written);
        return `${hours(dot.bucket)} ${written(dot.value, 1)} ${unit()}${ends === undefined ? '' : ` (95 %: ${ends})`}`;
      })
      .join(', ');
  return (
    <>
      <p class="basis">
        <Basis {...{ cases, isOne: shown.length === 1 }} />
        {hidden}
      </p>
      <Figure
        class="two"
        label={`Bar chart of the mean absolute error by lead time: ${listed(errors, number)}. Bias: ${listed(biases, signed)}. Arrow keys read it bar by bar.`}
        draw={draw}
        reading={(index) => {
          const bucket = index === undefined ? undefined : buckets[index];
          const record = data.find(({ lead_time_bucket }) => lead_time_bucket === bucket);
          if (record === undefined) return pointAt('a lead time');
          return (
            <>
              <b>{hours(bucket)}</b> {shared ? sharedReading(record, data) : plainReading(record)}
            </>
          );
        }}
      />
      {left.length > 0 && (
        <p class="basis left-out">
          Left out, as too few days have {left.length === 1 ? 'it' : 'them'} as well as the others:{' '}
          {left.map(({ lead_time_bucket }) => hours(lead_time_bucket)).join(', ')}.
        </p>
      )}
    </>
  );
}

/** Room between the two parts, and above each for its name, px. */
const GAP = 14;
const HEAD = 22;

/** The station days of the bars, in a sentence. */
const Basis = ({ cases, isOne }: { cases: number; isOne: boolean }) =>
  cases === 0 ? (
    <>
      No two of these lead times share enough <Term of="cases">station days</Term>: each bar is about days of
      its own.
    </>
  ) : (
    <>
      {isOne ? 'Over ' : 'All bars are about the same '}
      {whole(cases)} <Term of="cases">{cases === 1 ? 'station day' : 'station days'}</Term>.
    </>
  );

/** The bias as the headline says it. */
const biasOf = ({ stats, uncertainty }: LeadTimeAccuracy): string =>
  holdsZero(uncertainty?.mean_error) ? NO_BIAS : biasWords(stats.mean_error);

function plainReading(record: LeadTimeAccuracy): string {
  const { mae, verification_pairs } = record.stats;
  if (verification_pairs === 0) return 'no forecasts';
  return `MAE ${number(mae)} ${unit()} · ${biasOf(record)} · ${whole(verification_pairs)} forecasts`;
}

function sharedReading(record: LeadTimeAccuracy, data: LeadTimeAccuracy[]): string {
  const { matched } = record;
  if (!matched) return '';
  const interval = intervalWords(matched.uncertainty.mae);
  const first = hours(data.find((each) => each.matched)?.lead_time_bucket);
  return [
    `MAE ${number(matched.mae)} ${unit()}${interval === undefined ? '' : ` (95 %: ${interval})`}`,
    `all forecasts: ${biasOf(record)}`,
    ...(matched.mae_difference === null ? [] : [beyond(matched.mae_difference, first)]),
  ].join(' · ');
}

/** The MAE against that of the first lead time, on the same days. */
function beyond(difference: LeadTimeAccuracyMatchedMaeDifference, first: string): string {
  if (holdsZero(difference)) return `not significantly different from ${first}`;
  const interval = intervalWords(difference, signed);
  const known = interval === undefined ? '' : ` (95 %: ${interval})`;
  return `${signed(difference.value)} ${unit()} against ${first}${known}`;
}
