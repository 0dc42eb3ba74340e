import type { LeadTimeAccuracy } from '../../../clients/typescript/src/generated.js';
import { type PageParams, parameters } from '../address.js';
import type { Responses } from '../api.js';
import {
  type Area,
  Bar,
  Dots,
  getEnds,
  type LeadDot,
  ofLeads,
  Plot,
  computeRange,
  Whisker,
} from '../figure.js';
import { formatInterval, holdsZero, type Interval, intervalWords, LEVEL } from '../intervals.js';
import { loadSummary, type Page, usePage } from '../page.js';
import { NO_PAIRS, Nothing, Panel, type View } from '../panel.js';
import { hiddenBias } from '../sentences.js';
import { isOfChance } from '../variables.js';
import { Term } from '../term.js';
import {
  aheadWords,
  biasWords,
  hours,
  type Maybe,
  NO_BIAS,
  number,
  percent,
  signed,
  valueUnit,
  whole,
} from '../words.js';

/** Chances are not compared on shared days: it is MAE that `matched` is about. */
const toRequest = (params: PageParams) => ({
  ...parameters(params),
  ...(!isOfChance(params) && { align: 'matched' }),
  ci: LEVEL,
});

/** A bar stands for a score: of chances the Brier score, which is without an interval. */
interface Score {
  title: string;
  name: string;
  /** As the label of the chart has it. */
  words: string;
  of: (record: LeadTimeAccuracy) => Maybe;
  format: (value: Maybe, digits?: number) => string;
  /** After a value, with a blank before it. */
  unit: () => string;
  interval: (record: LeadTimeAccuracy) => Interval | undefined;
  /** Why each bar has days of its own: the words before and after them. */
  notShared: [before: string, after: string];
  columns: string;
  makeRow: (record: LeadTimeAccuracy) => string[];
}

const MAE: Score = {
  title: 'Error by lead time',
  name: 'MAE',
  words: 'mean absolute error',
  of: ({ stats }) => stats.mae,
  format: number,
  unit: () => ` ${valueUnit()}`,
  interval: ({ uncertainty }) => uncertainty?.mae,
  notShared: ['No shared ', ': each bar has its own.'],
  columns: 'Lead time;MAE;Bias;95% interval;9 in 10 within;Forecasts;MAE compared;95% interval',
  makeRow: ({ lead_time_bucket, stats, uncertainty, matched }) => [
    hours(lead_time_bucket),
    number(stats.mae),
    signed(stats.mean_error),
    intervalWords(uncertainty?.mean_error, signed, 0) ?? '–',
    number(stats.abs_error_p90),
    whole(stats.verification_pairs),
    number(matched?.mae),
    intervalWords(matched?.uncertainty.mae) ?? '–',
  ],
};
const BRIER: Score = {
  title: 'Brier score by lead time',
  name: 'Brier score',
  words: 'Brier score',
  of: ({ stats }) => stats.brier_score,
  format: (value) => number(value, 3),
  unit: () => '',
  interval: () => undefined,
  notShared: ['Each bar has ', ' of its own.'],
  columns: 'Lead time;Brier score;Skill;Bias, %;95% interval;Forecasts',
  makeRow: ({ lead_time_bucket, stats, uncertainty }) => [
    hours(lead_time_bucket),
    number(stats.brier_score, 3),
    percent(stats.brier_skill_score),
    signed(stats.mean_error),
    intervalWords(uncertainty?.mean_error, signed, 0) ?? '–',
    whole(stats.verification_pairs),
  ],
};

export async function loadByLeadTime(page: Page) {
  const all = loadSummary(page).catch(() => undefined);
  const leads = page.load.get('accuracy/by-lead-time', toRequest(page.params));
  const found = { leads: await leads, whole: await all };
  if (found.leads.data.length === 0) throw new Nothing(NO_PAIRS);
  return found;
}

/** The mean absolute error and the bias of each lead time. */
export function ByLeadTime() {
  const { params } = usePage();
  const requested = toRequest(params);
  const score = isOfChance(params) ? BRIER : MAE;
  return (
    <Panel
      id="by-lead-time"
      title={score.title}
      ask={loadByLeadTime}
      view={({ leads, whole }): View => ({
        ...describeLeads(leads, score, whole && hiddenBias(whole.data, leads)),
        content: <Leads {...{ leads, score }} />,
        table: {
          caption: nameWithUnit(score.title, score),
          columns: score.columns.split(';'),
          rows: leads.data.map(score.makeRow),
        },
        csv: { what: 'the lead times', path: 'accuracy/by-lead-time', query: requested },
      })}
    />
  );
}

/** A name, and behind a comma the unit of a score that has one. */
const nameWithUnit = (name: string, { unit }: Score): string => (unit() === '' ? name : `${name},${unit()}`);

const UNKNOWN = { low: null, high: null };

type LeadTimes = Responses['accuracy/by-lead-time'];

/** The lead times to show: those with station-days that all share, or all; and those that are left out. */
function chooseLeads({ data, metadata }: LeadTimes) {
  const cases = metadata.cases_matched ?? 0;
  const shared = cases > 0;
  return {
    cases,
    shared,
    shown: data.filter(({ matched }) => !shared || matched),
    left: data.filter(({ matched, stats }) => shared && !matched && stats.verification_pairs > 0),
  };
}

/** The errors of the first and the last lead time, and the days that they are about. */
function describeLeads(leads: LeadTimes, score: Score, hidden = '') {
  const { cases, shared, shown, left } = chooseLeads(leads);
  const known = shown.flatMap((record) => {
    const value = shared ? record.matched?.mae : score.of(record);
    return typeof value === 'number'
      ? [`${score.format(value, 1)}${score.unit()} ${aheadWords(record.lead_time_bucket)}`]
      : [];
  });
  const days = <Term of="cases">{cases === 1 ? 'station-day' : 'station-days'}</Term>;
  return {
    verdict: `${[...new Set([known[0], known.at(-1)])].join(', ')}.`,
    caveat: [
      ...(cases === 0
        ? [score.notShared[0], days, score.notShared[1]]
        : [`The same ${whole(cases)} `, days, ' in each bar.']),
      ...(left.length === 0
        ? []
        : [` Too few for ${left.map((each) => hours(each.lead_time_bucket)).join(', ')}.`]),
      hidden && ` ${hidden}`,
    ],
  };
}

/** The MAE over the station-days that all lead times share, or over all forecasts; the bias of all. */
function Leads({ leads, score }: { leads: LeadTimes; score: Score }) {
  const { shared, shown } = chooseLeads(leads);
  const errors = shown.map((record): LeadDot => {
    const { lead_time_bucket: bucket, matched } = record;
    const known = shared ? matched?.uncertainty.mae : score.interval(record);
    return { ...UNKNOWN, ...known, bucket, value: (shared ? matched?.mae : score.of(record)) ?? null };
  });
  const biases = shown.map(({ lead_time_bucket: bucket, stats, uncertainty }): LeadDot => ({
    ...UNKNOWN,
    ...uncertainty?.mean_error,
    bucket,
    value: stats.mean_error,
  }));
  const drawBars = ({ x: toX, y, foot }: Area) =>
    errors.map(({ value, low, high }, index) => {
      const x = toX(index);
      const label = { x, y: y(Math.max(high ?? 0, value ?? 0)) - 6, 'text-anchor': 'middle' } as const;
      const width = Math.min(64, 0.6 * (toX(1) - toX(0)));
      return [
        <Bar {...{ x, y: y(value ?? 0), width, foot }} class="mae" />,
        <Whisker {...{ x, y, low, high }} />,
        <text {...label} class="value">
          {value === null ? 'none' : score.format(value, 1)}
        </text>,
      ];
    });
  const listed = (dots: LeadDot[], format: Score['format'], unit: string): string =>
    dots
      .map((dot) => `${hours(dot.bucket)} ${format(dot.value, 1)}${unit}${formatInterval(dot, format, 0)}`)
      .join(', ');
  const [, max] = computeRange(getEnds(errors));
  return (
    <Plot
      label={`Bar chart of the ${score.words} by lead time: ${listed(errors, score.format, score.unit())}. Bias: ${listed(biases, signed, MAE.unit())}. Arrow keys read it bar by bar.`}
      {...ofLeads(errors)}
      parts={[
        // The values stand on the bars, which makes ticks needless.
        {
          name: nameWithUnit(score.name, score),
          class: 'mae',
          range: [0, 1.12 * max],
          ticks: [0],
          format: () => '',
          draw: drawBars,
        },
        {
          name: 'Bias of all forecasts',
          class: 'bias',
          range: computeRange(getEnds(biases), 2),
          draw: ({ x, y }) => <Dots {...{ dots: biases, x, y, class: 'bias' }} />,
        },
      ]}
      reading={(index) => {
        const record = shown[index]!;
        return [
          hours(record.lead_time_bucket),
          shared ? sharedReading(record, leads.data) : plainReading(record, score),
        ];
      }}
    />
  );
}

/** The bias as the headline says it. */
const formatBias = ({ stats, uncertainty }: LeadTimeAccuracy): string =>
  holdsZero(uncertainty?.mean_error) ? NO_BIAS : biasWords(stats.mean_error);

function plainReading(record: LeadTimeAccuracy, score: Score): string {
  const { verification_pairs } = record.stats;
  if (verification_pairs === 0) return 'no forecasts';
  return `${score.name} ${score.format(score.of(record))}${score.unit()} · ${formatBias(record)} · ${whole(verification_pairs)} forecasts`;
}

function sharedReading(record: LeadTimeAccuracy, data: LeadTimeAccuracy[]): string {
  const { matched } = record;
  if (!matched) return '';
  const first = hours(data.find((each) => each.matched)?.lead_time_bucket);
  return [
    `MAE ${number(matched.mae)} ${valueUnit()}${formatInterval(matched.uncertainty.mae)}`,
    `all forecasts: ${formatBias(record)}`,
    ...(matched.mae_difference === null ? [] : [beyond(matched.mae_difference, first)]),
  ].join(' · ');
}

/** The MAE against that of the first lead time, on the same days. */
function beyond(difference: Interval & { value: Maybe }, first: string): string {
  if (holdsZero(difference)) return `no significant difference from ${first}`;
  return `${signed(difference.value)} ${valueUnit()} against ${first}${formatInterval(difference, signed, 0)}`;
}
