/** @import { Page, Reliability } from '../types.js' */
import { pairParameters } from '../address.js';
import { below, chart, colours, keyOf, shareAxis } from './chart.js';
import { h, table } from '../dom.js';
import { charts } from '../libraries.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { hours, number, percent, pointAt, whole } from '../words.js';
import { USUAL_LEAD } from './odds.js';

/**
 * Whether the odds of past days came true: what was forecast against how often it happened.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showReliability(place, page) {
  const { question, get } = page;
  const lead_time_bucket = question.forecast_lead || USUAL_LEAD;
  const asked = { ...pairParameters(question), lead_time_bucket, station_id: question.station_id };
  const [{ data }, station] = await Promise.all([
    /** @type {Promise<Reliability>} */ (get('probability/reliability', asked)),
    page.station(),
    charts(),
  ]);
  if (page.signal.aborted) return;
  const where = station === undefined ? 'all stations' : station.city_name;
  const bins = data.bins.filter(({ forecasts }) => forecasts > 0);
  if (bins.length === 0) {
    place.replaceChildren(empty('No odds of these days can be checked yet.'));
    return;
  }
  // A share of too few days to know anything of is in the table alone.
  const drawn = bins.filter(({ low }) => low !== null);
  const drawing = h('div');
  const forecast = drawn.map(({ mean_probability }) => mean_probability ?? 0);
  place.replaceChildren(
    h('p', { class: 'basis' }, ...verdict(data, bins, where)),
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', 'How often it happened; larger dots rest on more forecasts'),
      keyOf('band', term('interval', '95 % interval')),
      keyOf('diagonal', 'As often as forecast'),
    ),
    drawing,
    below(
      table(
        `Odds of past days and how often they came true, ${where}`,
        ['Forecast', 'Happened', '95 %', 'Forecasts'],
        bins.map((bin) => [
          percent(bin.mean_probability ?? 0),
          percent(bin.observed ?? 0),
          bin.low === null || bin.high === null ? '–' : `${percent(bin.low)} to ${percent(bin.high)}`,
          whole(bin.forecasts),
        ]),
      ),
      page.save('past odds', 'probability/reliability', () => asked),
    ),
  );
  const end = endOfAxes([...forecast, ...drawn.map(({ observed }) => observed ?? 0)]);
  chart(
    drawing,
    `Reliability diagram: ${drawn
      .map((bin) => `forecast ${percent(bin.mean_probability ?? 0)}, happened ${percent(bin.observed ?? 0)}`)
      .join('; ')}. Arrow keys read it point by point.`,
    () => ({
      width: 0,
      height: 0,
      scales: { x: { time: false, range: [0, end] }, y: { range: () => [0, end] } },
      series: [
        {},
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
        { stroke: colours().mae, width: 2, points: { show: false } },
      ],
      bands: [{ series: [1, 2], fill: colours().band }],
      axes: [
        { ...shareAxis(), ...titled('Forecast probability'), size: 26 },
        { ...shareAxis(), ...titled('How often it happened') },
      ],
      hooks: { draw: [diagonal, (plot) => dots(plot, drawn)] },
    }),
    [
      forecast,
      drawn.map(({ high }) => high),
      drawn.map(({ low }) => low),
      drawn.map(({ observed }) => observed),
    ],
    (index) => {
      const bin = index === null ? undefined : drawn[index];
      if (bin === undefined) return [pointAt('a dot')];
      return [
        h('b', {}, `Forecast ${percent(bin.mean_probability ?? 0)}`),
        ` happened ${percent(bin.observed ?? 0)} of ${whole(bin.forecasts)} times`,
      ];
    },
  );
}

/** @param {string} label */
const titled = (label) => ({ label, labelSize: 18, labelFont: '12px system-ui, sans-serif' });

/** The end of both axes, in tenths. @param {number[]} shares */
const endOfAxes = (shares) => Math.min(1, Math.ceil(Math.max(0.1, ...shares) * 10) / 10);

/** Where a forecast would be right, from end to end and above the band. @param {import('uplot')} plot */
function diagonal({ ctx, bbox: { left, top, width, height } }) {
  ctx.save();
  ctx.strokeStyle = colours().whisker;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 5 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, top + height);
  ctx.lineTo(left + width, top);
  ctx.stroke();
  ctx.restore();
}

/** A dot for each bin, whose area grows with its forecasts. @param {import('uplot')} plot @param {Reliability['data']['bins']} bins */
function dots(plot, bins) {
  const { ctx } = plot;
  const most = Math.max(...bins.map(({ forecasts }) => forecasts));
  ctx.save();
  ctx.fillStyle = colours().mae;
  for (const { mean_probability, observed, forecasts } of bins) {
    const x = plot.valToPos(mean_probability ?? 0, 'x', true);
    const y = plot.valToPos(observed ?? 0, 'y', true);
    ctx.beginPath();
    ctx.arc(x, y, (2.5 + 5.5 * Math.sqrt(forecasts / most)) * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

/**
 * Whether what was said came true, in a sentence, and how good it is against the usual curve.
 * @param {Reliability['data']} data
 * @param {Reliability['data']['bins']} bins
 * @param {string} where
 */
function verdict({ lead_time_bucket, cases, normal_2f: { crps_skill } }, bins, where) {
  const off = bins.filter(
    ({ mean_probability, low, high }) =>
      low !== null && high !== null && ((mean_probability ?? 0) < low || (mean_probability ?? 0) > high),
  );
  const often =
    off.length === 0
      ? 'the odds were reliable'
      : `the odds were reliable, except those around ${off.map((bin) => percent(bin.mean_probability ?? 0)).join(', ')}`;
  const gain =
    crps_skill === null
      ? ''
      : ` Against a normal curve of 2 °F around each forecast, their error (CRPS) is ${number(Math.abs(crps_skill * 100), 1)} % ${crps_skill < 0 ? 'larger' : 'smaller'}.`;
  return [
    `${hours(lead_time_bucket)} before the day, ${often}: ${whole(cases)} `,
    term('cases', 'station days'),
    ` of ${where}, each judged by the days before it alone.${gain}`,
  ];
}
