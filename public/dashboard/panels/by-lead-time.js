/** @import { ByLeadTime } from '../types.js' */
import { below, chart, colours, degreeAxis, fromZero, keyOf, plainAxis } from './chart.js';
import { h, table } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, number, signed, whole } from '../words.js';

/** @param {string} bucket such as 6-12h */
const hours = (bucket) =>
  bucket
    .replace(/(?<=\d)-/, '–')
    .replace('h+', ' h +')
    .replace(/h$/, ' h');

/** The same for an axis that has the unit in its title. @param {string} bucket */
const onAxis = (bucket) => bucket.replace(/(?<=\d)-/, '–').replace(/h(?=\+?$)/, '');

/**
 * @param {HTMLElement} place
 * @param {ByLeadTime} answer
 * @param {HTMLElement} save
 */
export function showByLeadTime(place, { data }, save) {
  if (data.length === 0) {
    place.replaceChildren(empty('No forecast of these days can be compared with an observation.'));
    return;
  }
  const maes = data.map(({ stats }) => stats.mae);
  const drawing = h('div');
  place.replaceChildren(
    h('p', { class: 'legend' }, keyOf('mae', term('mae'), ' by ', term('lead'), ', °F')),
    drawing,
    below(
      table(
        'Error by lead time, °F',
        ['Hours before the day', 'MAE', 'Bias', '9 in 10 within', 'Forecasts'],
        data.map(({ lead_time_bucket, stats }) => [
          hours(lead_time_bucket),
          number(stats.mae),
          signed(stats.mean_error),
          number(stats.abs_error_p90),
          whole(stats.verification_pairs),
        ]),
      ),
      save,
    ),
  );
  const label = `Bar chart of the mean absolute error by lead time: ${data
    .map(({ lead_time_bucket, stats }) => `${hours(lead_time_bucket)} ${number(stats.mae, 1)} °F`)
    .join(', ')}. Arrow keys read it bar by bar.`;
  chart(
    drawing,
    label,
    () => ({
      width: 0,
      height: 0,
      scales: { x: { time: false, range: [-0.6, data.length - 0.4] }, y: { range: fromZero } },
      series: [
        {},
        {
          fill: colours().mae,
          stroke: colours().mae,
          width: 0,
          points: { show: false },
          ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.62, 72], radius: 0.06 }) }),
        },
      ],
      axes: [
        {
          ...plainAxis(),
          ticks: { show: false },
          splits: () => data.map((_bucket, index) => index),
          values: (_plot, splits) => splits.map((index) => onAxis(data[index]?.lead_time_bucket ?? '')),
          label: 'hours before the day begins',
          labelSize: 20,
          labelFont: '12px system-ui, sans-serif',
          size: 24,
        },
        { ...degreeAxis(), show: false },
      ],
      hooks: { draw: [(plot) => labelBars(plot, maes)] },
    }),
    [maes.map((_mae, index) => index), maes],
    (index) => {
      const bucket = index === null ? undefined : data[index];
      if (bucket === undefined) return ['Point at a bar for its numbers.'];
      const { stats } = bucket;
      if (stats.verification_pairs === 0)
        return [h('b', {}, hours(bucket.lead_time_bucket)), ' no forecasts'];
      return [
        h('b', {}, hours(bucket.lead_time_bucket)),
        ` MAE ${number(stats.mae)} °F · ${biasWords(stats.mean_error)} · ${whole(stats.verification_pairs)} forecasts`,
      ];
    },
  );
}

/**
 * Writes each value on top of its bar, which makes an axis needless.
 * @param {import('uplot')} plot
 * @param {(number | null)[]} values
 */
function labelBars(plot, values) {
  const { ctx } = plot;
  ctx.save();
  ctx.font = `600 ${13 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.fillStyle = colours().text;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'bottom';
  values.forEach((value, index) => {
    const text = value === null ? 'none' : number(value, 1);
    ctx.fillText(
      text,
      plot.valToPos(index, 'x', true),
      plot.valToPos(value ?? 0, 'y', true) - 4 * devicePixelRatio,
    );
  });
  ctx.restore();
}
