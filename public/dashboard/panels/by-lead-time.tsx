import type { LeadTimeAccuracy } from '../../../clients/typescript/src/generated.js';
import { type PageParams, parameters } from '../address.js';
import type { Responses } from '../api.js';
import { computeRange, Dots, getEnds, type LeadDot, ofLeads, Plot, ValueBars } from '../figure.js';
import { describeBiasOf } from '../findings.js';
import { formatInterval, holdsZero, type Interval, intervalWords, LEVEL } from '../intervals.js';
import { NO_PAIRS } from '../needs.js';
import { loadSummary, type Page } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { score, scoreWithUnit } from '../score.js';
import { hiddenBias } from '../sentences.js';
import { getScore } from '../variables.js';
import { caseTerm, Term } from '../term.js';
import {
  aheadWords,
  caseWord,
  hours,
  isOfChance,
  type Maybe,
  number,
  signed,
  valueUnit,
  whole,
} from '../words.js';

/** Chances are not compared on shared days: it is MAE that `matched` is about. */
const toRequest = (params: PageParams) => ({
  ...parameters(params),
  ...(getScore(params) === 'mae' && { align: 'matched' }),
  ci: LEVEL,
});

/** The score of all forecasts, and that of the days that lead times share; of chances, the one that there is. */
const getColumns = (): string[] => [
  ...['Lead time', score().name, ...(isOfChance() ? ['95% interval'] : [])],
  ...[`Bias, ${valueUnit()}`, '95% interval', score().spread.name, 'Forecasts'],
  ...(isOfChance() ? [] : ['MAE compared', '95% interval']),
];

const makeRow = ({ lead_time_bucket, stats, uncertainty, matched }: LeadTimeAccuracy): string[] => [
  ...[hours(lead_time_bucket), score().format(score().read(stats))],
  ...(isOfChance() ? [intervalWords(score().interval(uncertainty), score().format) ?? '–'] : []),
  ...[signed(stats.mean_error), intervalWords(uncertainty?.mean_error, signed, 0) ?? '–'],
  ...[score().spread.write(stats), whole(stats.verification_pairs)],
  ...(isOfChance() ? [] : [number(matched?.mae), intervalWords(matched?.uncertainty.mae) ?? '–']),
];

async function loadByLeadTime(page: Page) {
  const all = loadSummary(page).catch(() => undefined);
  const leads = page.load.get('accuracy/by-lead-time', toRequest(page.params));
  const found = { leads: await leads, whole: await all };
  if (found.leads.data.length === 0) throw new Lack(NO_PAIRS);
  return found;
}

/** The score and the bias of each lead time. */
export const byLeadTime = makeBody({
  load: loadByLeadTime,
  view: ({ leads, whole }, { params }) => ({
    ...describeLeads(leads, whole && hiddenBias(whole.data, leads)),
    content: <Leads leads={leads} />,
    table: {
      caption: scoreWithUnit(`${score().title} by lead time`),
      columns: getColumns(),
      rows: leads.data.map(makeRow),
    },
    csv: { what: 'the lead times', path: 'accuracy/by-lead-time', query: toRequest(params) },
  }),
});

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
function describeLeads(leads: LeadTimes, hidden = '') {
  const { cases, shared, shown, left } = chooseLeads(leads);
  const known = shown.flatMap((record) => {
    const value = shared ? record.matched?.mae : score().read(record.stats);
    return typeof value === 'number'
      ? [`${score().short(value)}${score().unit()} ${aheadWords(record.lead_time_bucket)}`]
      : [];
  });
  const days = <Term of={caseTerm()}>{`${caseWord()}${cases === 1 ? '' : 's'}`}</Term>;
  return {
    verdict: known.length === 0 ? '' : `${[...new Set([known[0], known.at(-1)])].join(', ')}.`,
    caveat: [
      ...(cases === 0
        ? ['Each bar has ', days, ' of its own.']
        : [`The same ${whole(cases)} `, days, ' in each bar.']),
      ...(left.length === 0
        ? []
        : [` Too few for ${left.map((each) => hours(each.lead_time_bucket)).join(', ')}.`]),
      hidden && ` ${hidden}`,
    ],
  };
}

/** The MAE over the station-days that all lead times share, or over all forecasts; the bias of all. */
function Leads({ leads }: { leads: LeadTimes }) {
  const { shared, shown } = chooseLeads(leads);
  const errors = shown.map((record): LeadDot => {
    const { lead_time_bucket: bucket, matched } = record;
    const known = shared ? matched?.uncertainty.mae : score().interval(record.uncertainty);
    return {
      ...UNKNOWN,
      ...known,
      bucket,
      value: (shared ? matched?.mae : score().read(record.stats)) ?? null,
    };
  });
  const biases = shown.map(({ lead_time_bucket: bucket, stats, uncertainty }): LeadDot => ({
    ...UNKNOWN,
    ...uncertainty?.mean_error,
    bucket,
    value: stats.mean_error,
  }));
  type Format = (value: Maybe) => string;
  const listed = (dots: LeadDot[], short: Format, format: Format, unit: string): string =>
    dots
      .map((dot) => {
        const text = dot.value === null ? 'no forecasts' : `${short(dot.value)}${unit}`;
        return `${hours(dot.bucket)} ${text}${formatInterval(dot, format, 0)}`;
      })
      .join(', ');
  const [, max] = computeRange(getEnds(errors));
  return (
    <Plot
      label={`Bar chart of the ${score().words} by lead time: ${listed(errors, score().short, score().format, score().unit())}. Bias: ${listed(biases, (value) => signed(value, 1), signed, ` ${valueUnit()}`)}. Arrow keys read it bar by bar.`}
      {...ofLeads(errors)}
      parts={[
        // The values stand on the bars, which makes ticks needless.
        {
          name: scoreWithUnit(),
          class: 'mae',
          range: [0, 1.12 * max],
          ticks: [0],
          format: () => '',
          draw: ({ x, y, foot }) => <ValueBars {...{ values: errors, format: score().short, x, y, foot }} />,
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
          shared ? sharedReading(record, leads.data) : plainReading(record),
        ];
      }}
    />
  );
}

function plainReading(record: LeadTimeAccuracy): string {
  const { verification_pairs } = record.stats;
  if (verification_pairs === 0) return 'no forecasts';
  return `${score().name} ${score().format(score().read(record.stats))}${score().unit()} · ${describeBiasOf(record)} · ${whole(verification_pairs)} forecasts`;
}

function sharedReading(record: LeadTimeAccuracy, data: LeadTimeAccuracy[]): string {
  const { matched } = record;
  if (!matched) return '';
  const first = hours(data.find((each) => each.matched)?.lead_time_bucket);
  return [
    `MAE ${number(matched.mae)} ${valueUnit()}${formatInterval(matched.uncertainty.mae)}`,
    `all forecasts: ${describeBiasOf(record)}`,
    ...(matched.mae_difference === null ? [] : [beyond(matched.mae_difference, first)]),
  ].join(' · ');
}

/** The MAE against that of the first lead time, on the same days. */
function beyond(difference: Interval & { value: Maybe }, first: string): string {
  if (holdsZero(difference)) return `no significant difference from ${first}`;
  return `${signed(difference.value)} ${valueUnit()} against ${first}${formatInterval(difference, signed, 0)}`;
}
