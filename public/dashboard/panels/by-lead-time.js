/** @import { LeadTime, Matched, Page, Uncertainty } from '../types.js' */
import { parameters } from '../address.js';
import {
  bars as drawnAsBars,
  below,
  chart,
  colours,
  degreeAxis,
  fromZero,
  keyOf,
  leadAxis,
  whiskers,
} from './chart.js';
import { h, table } from '../dom.js';
import { charts } from '../libraries.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, hours, NO_BIAS, number, pointAt, signed, unit, whole } from '../words.js';
import { leadTimesOf } from './headline.js';
import { holdsZero, intervalWords, LEVEL } from './intervals.js';
import { dotsByLead } from './lead-dots.js';

/** @typedef {{ low: number | null, high: number | null }} Interval */

/**
 * The values drawn for a lead time. The MAE is over the station days that all of them share. Without any, it is over all
 * forecasts.
 * @typedef {{ bucket: string, mae: number | null, mean_error: number | null, maeInterval: Interval, biasInterval: Interval }} Bar
 */

const UNKNOWN = { low: null, high: null };

/**
 * The MAE of what is compared, and the bias of all forecasts, as the headline and the table tell it.
 * @param {LeadTime} record @param {Pick<Matched, 'mae'>} compared @param {Uncertainty | undefined} known @returns {Bar}
 */
const barOf = ({ lead_time_bucket, stats, uncertainty }, { mae }, known) => ({
  bucket: lead_time_bucket,
  mae,
  mean_error: stats.mean_error,
  maeInterval: known?.mae ?? UNKNOWN,
  biasInterval: uncertainty?.mean_error ?? UNKNOWN,
});

/**
 * The mean absolute error and the bias of each lead time.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showByLeadTime(place, page) {
  const [{ data, metadata }] = await Promise.all([leadTimesOf(page), charts()]);
  if (page.signal.aborted) return;
  if (data.length === 0) {
    place.replaceChildren(empty('No forecast of these days can be compared with an observation.'));
    return;
  }
  const shared = (metadata.cases_matched ?? 0) > 0;
  const bars = shared
    ? data.flatMap((each) => (each.matched ? [barOf(each, each.matched, each.matched.uncertainty)] : []))
    : data.map((each) => barOf(each, each.stats, each.uncertainty));
  const known = bars.some(({ maeInterval }) => maeInterval.low !== null);
  const errors = h('div');
  const biases = h('div');
  place.replaceChildren(
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', term('mae'), ' by ', term('lead'), `, ${unit()}`),
      known && keyOf('whisker', term('interval', '95 % interval')),
    ),
    h('p', { class: 'basis' }, ...basis(data, metadata.cases_matched ?? 0)),
    errors,
    h(
      'p',
      { class: 'legend' },
      keyOf('bias-dot', term('bias'), ' of all forecasts: above 0 too warm, below too cold'),
    ),
    biases,
    below(
      table(
        `Error by lead time, ${unit()}: of all forecasts, and the MAE of the station days that are compared`,
        [
          'Hours before the day',
          'MAE',
          'Bias',
          '95 %',
          '9 in 10 within',
          'Forecasts',
          'MAE compared',
          '95 %',
        ],
        data.map(({ lead_time_bucket, stats, uncertainty, matched }) => [
          hours(lead_time_bucket),
          number(stats.mae),
          signed(stats.mean_error),
          intervalWords(uncertainty?.mean_error, signed) ?? '–',
          number(stats.abs_error_p90),
          whole(stats.verification_pairs),
          number(matched?.mae ?? null),
          intervalWords(matched?.uncertainty.mae) ?? '–',
        ]),
      ),
      page.save('the lead times', 'accuracy/by-lead-time', () => ({
        ...parameters(page.question),
        align: 'matched',
        ci: LEVEL,
      })),
    ),
  );
  const reading = (/** @type {number | null} */ index) => {
    const bar = index === null ? undefined : bars[index];
    const record = data.find(({ lead_time_bucket }) => lead_time_bucket === bar?.bucket);
    if (bar === undefined || record === undefined) return [pointAt('a lead time')];
    return [h('b', {}, hours(bar.bucket)), ` ${shared ? sharedReading(record, data) : plainReading(record)}`];
  };
  /** @param {(bar: Bar) => number | null} value @param {(bar: Bar) => Interval} interval @param {typeof number} written */
  const listed = (value, interval, written) =>
    bars
      .map((bar) => {
        const ends = intervalWords(interval(bar), written);
        return `${hours(bar.bucket)} ${written(value(bar), 1)} ${unit()}${ends === undefined ? '' : ` (95 %: ${ends})`}`;
      })
      .join(', ');
  const ends = bars.map(({ maeInterval }) => maeInterval.high ?? 0);
  chart(
    errors,
    `Bar chart of the mean absolute error by lead time: ${listed(
      ({ mae }) => mae,
      ({ maeInterval }) => maeInterval,
      number,
    )}. Arrow keys read it bar by bar.`,
    () => ({
      width: 0,
      height: 0,
      scales: {
        x: { time: false, range: [-0.6, bars.length - 0.4] },
        y: { range: (plot, low, high) => fromZero(plot, low, Math.max(high ?? 0, ...ends)) },
      },
      series: [{}, drawnAsBars(colours().mae, 0.62)],
      axes: [leadAxis(bars.map(({ bucket }) => bucket)), { ...degreeAxis(), show: false }],
      hooks: {
        draw: [
          (plot) =>
            whiskers(
              plot,
              bars.map(({ maeInterval }) => maeInterval),
            ),
          (plot) => labelBars(plot, bars),
        ],
      },
    }),
    [bars.map((_bar, index) => index), bars.map(({ mae }) => mae)],
    reading,
    { height: 200 },
  );
  dotsByLead(
    biases,
    `Chart of the bias by lead time: ${listed(
      ({ mean_error }) => mean_error,
      ({ biasInterval }) => biasInterval,
      signed,
    )}. Arrow keys read it one by one.`,
    bars.map(({ bucket, mean_error, biasInterval }) => ({ bucket, value: mean_error, ...biasInterval })),
    () => colours().bias,
    reading,
    { height: 160, readout: false },
  );
}

/** The bias as the headline says it. @param {LeadTime['stats']} stats @param {Uncertainty | undefined} uncertainty */
const biasOf = ({ mean_error }, uncertainty) =>
  holdsZero(uncertainty?.mean_error) ? NO_BIAS : biasWords(mean_error);

/** @param {LeadTime} record */
function plainReading({ stats, uncertainty }) {
  if (stats.verification_pairs === 0) return 'no forecasts';
  return `MAE ${number(stats.mae)} ${unit()} · ${biasOf(stats, uncertainty)} · ${whole(stats.verification_pairs)} forecasts`;
}

/** @param {LeadTime} record @param {LeadTime[]} data */
function sharedReading({ matched, stats, uncertainty }, data) {
  if (!matched) return '';
  const interval = intervalWords(matched.uncertainty.mae);
  const first = hours(data.find((each) => each.matched)?.lead_time_bucket ?? '');
  return [
    `MAE ${number(matched.mae)} ${unit()}${interval === undefined ? '' : ` (95 %: ${interval})`}`,
    `all forecasts: ${biasOf(stats, uncertainty)}`,
    ...(matched.mae_difference === null ? [] : [beyond(matched.mae_difference, first)]),
  ].join(' · ');
}

/**
 * The MAE against that of the first lead time, on the same days.
 * @param {NonNullable<Matched['mae_difference']>} difference
 * @param {string} first
 */
function beyond(difference, first) {
  if (holdsZero(difference)) return `not significantly different from ${first}`;
  const interval = intervalWords(difference, signed);
  const known = interval === undefined ? '' : ` (95 %: ${interval})`;
  return `${signed(difference.value)} ${unit()} against ${first}${known}`;
}

/**
 * The subject of the bars, in a sentence or two.
 * @param {LeadTime[]} data
 * @param {number} cases
 * @returns {(Node | string)[]}
 */
function basis(data, cases) {
  if (cases === 0)
    return [
      'No two of these lead times have enough ',
      term('cases'),
      ' in common, so each bar is about days of its own: differences between them may be those of the days.',
    ];
  const compared = data.filter(({ matched }) => matched);
  const left = data.filter(({ matched, stats }) => !matched && stats.verification_pairs > 0);
  const names = left.map(({ lead_time_bucket }) => hours(lead_time_bucket)).join(', ');
  return [
    compared.length > 1 ? 'All bars are about the same ' : 'Over ',
    `${whole(cases)} `,
    term('cases', cases === 1 ? 'station day' : 'station days'),
    left.length === 0
      ? '.'
      : `. Left out, as too few days have ${left.length === 1 ? 'it' : 'them'} as well as the others: ${names}.`,
  ];
}

/**
 * Writes each value on top of its bar and whisker, which makes an axis needless.
 * @param {import('uplot')} plot
 * @param {Bar[]} bars
 */
function labelBars(plot, bars) {
  const { ctx } = plot;
  ctx.save();
  ctx.font = `600 ${13 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.fillStyle = colours().text;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'bottom';
  bars.forEach(({ mae, maeInterval: { high } }, index) => {
    const text = mae === null ? 'none' : number(mae, 1);
    ctx.fillText(
      text,
      plot.valToPos(index, 'x', true),
      plot.valToPos(high ?? mae ?? 0, 'y', true) - 4 * devicePixelRatio,
    );
  });
  ctx.restore();
}
