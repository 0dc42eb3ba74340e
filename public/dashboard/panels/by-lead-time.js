/** @import { ByLeadTime, LeadTime, Matched, Uncertainty } from '../types.js' */
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
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, hours, number, signed, whole } from '../words.js';
import { holdsZero, intervalWords } from './intervals.js';

/**
 * A bar: the MAE over the station days that all bars share or, where there are none, over all forecasts.
 * @typedef {{ bucket: string, mae: number | null, low: number | null, high: number | null }} Bar
 */

/** @param {LeadTime} record @returns {Bar} */
const plainBar = ({ lead_time_bucket, stats }) => ({
  bucket: lead_time_bucket,
  mae: stats.mae,
  low: null,
  high: null,
});

/** @param {LeadTime} record @returns {Bar[]} none for what is not compared */
const sharedBar = ({ lead_time_bucket, matched }) =>
  matched ? [{ bucket: lead_time_bucket, mae: matched.mae, ...ends(matched.uncertainty.mae) }] : [];

/** @param {Uncertainty['mae']} interval */
const ends = ({ low, high }) => ({ low, high });

/**
 * @param {HTMLElement} place
 * @param {ByLeadTime} answer
 * @param {HTMLElement} save
 */
export function showByLeadTime(place, { data, metadata }, save) {
  if (data.length === 0) {
    place.replaceChildren(empty('No forecast of these days can be compared with an observation.'));
    return;
  }
  const shared = (metadata.cases_matched ?? 0) > 0;
  const bars = shared ? data.flatMap(sharedBar) : data.map(plainBar);
  const known = bars.some(({ low }) => low !== null);
  const drawing = h('div');
  place.replaceChildren(
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', term('mae'), ' by ', term('lead'), ', °F'),
      known && keyOf('whisker', term('interval', '95 % interval')),
    ),
    h('p', { class: 'basis' }, ...basis(data, metadata.cases_matched ?? 0)),
    drawing,
    below(
      table(
        'Error by lead time, °F: of all forecasts, and the MAE of the station days that are compared',
        ['Hours before the day', 'MAE', 'Bias', '9 in 10 within', 'Forecasts', 'MAE compared', '95 %'],
        data.map(({ lead_time_bucket, stats, matched }) => [
          hours(lead_time_bucket),
          number(stats.mae),
          signed(stats.mean_error),
          number(stats.abs_error_p90),
          whole(stats.verification_pairs),
          number(matched?.mae ?? null),
          intervalWords(matched?.uncertainty.mae) ?? '–',
        ]),
      ),
      save,
    ),
  );
  const label = `Bar chart of the mean absolute error by lead time: ${bars
    .map(
      (bar) =>
        `${hours(bar.bucket)} ${number(bar.mae, 1)} °F${bar.low === null ? '' : ` (95 %: ${intervalWords(bar)})`}`,
    )
    .join(', ')}. Arrow keys read it bar by bar.`;
  chart(
    drawing,
    label,
    () => ({
      width: 0,
      height: 0,
      scales: {
        x: { time: false, range: [-0.6, bars.length - 0.4] },
        y: {
          range: (plot, low, high) =>
            fromZero(plot, low, Math.max(high, ...bars.map((bar) => bar.high ?? 0))),
        },
      },
      series: [{}, drawnAsBars(colours().mae, 0.62)],
      axes: [leadAxis(bars.map(({ bucket }) => bucket)), { ...degreeAxis(), show: false }],
      hooks: { draw: [(plot) => whiskers(plot, bars), (plot) => labelBars(plot, bars)] },
    }),
    [bars.map((_bar, index) => index), bars.map(({ mae }) => mae)],
    (index) => {
      const bar = index === null ? undefined : bars[index];
      const record = data.find(({ lead_time_bucket }) => lead_time_bucket === bar?.bucket);
      if (bar === undefined || record === undefined) return ['Point at a bar for its numbers.'];
      return [
        h('b', {}, hours(bar.bucket)),
        ` ${shared ? sharedReading(record, data) : plainReading(record)}`,
      ];
    },
  );
}

/** @param {LeadTime} record */
function plainReading({ stats }) {
  if (stats.verification_pairs === 0) return 'no forecasts';
  return `MAE ${number(stats.mae)} °F · ${biasWords(stats.mean_error)} · ${whole(stats.verification_pairs)} forecasts`;
}

/** @param {LeadTime} record @param {LeadTime[]} data */
function sharedReading({ matched }, data) {
  if (!matched) return '';
  const interval = intervalWords(matched.uncertainty.mae);
  const first = hours(data.find((each) => each.matched)?.lead_time_bucket ?? '');
  return [
    `MAE ${number(matched.mae)} °F${interval === undefined ? '' : ` (95 %: ${interval})`}`,
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
  return `${signed(difference.value)} °F against ${first}${known}`;
}

/**
 * What the bars are about, in a sentence or two.
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
  bars.forEach(({ mae, high }, index) => {
    const text = mae === null ? 'none' : number(mae, 1);
    ctx.fillText(
      text,
      plot.valToPos(index, 'x', true),
      plot.valToPos(high ?? mae ?? 0, 'y', true) - 4 * devicePixelRatio,
    );
  });
  ctx.restore();
}
