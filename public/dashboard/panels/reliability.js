/** @import { Reliability } from '../types.js' */
import { below, chart, colours, keyOf, shareAxis } from './chart.js';
import { h, table } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { hours, number, percent, whole } from '../words.js';

/**
 * Whether the odds of past days came true: what was said against how often it happened.
 * @param {HTMLElement} place
 * @param {Reliability} answer
 * @param {HTMLElement} save
 */
export function showReliability(place, { data }, save) {
  const bins = data.bins.filter(({ forecasts }) => forecasts > 0);
  if (bins.length === 0) {
    place.replaceChildren(empty('No odds of these days can be checked yet.'));
    return;
  }
  // A share of too few days to know anything of is in the table alone.
  const drawn = bins.filter(({ low }) => low !== null);
  const drawing = h('div');
  const said = drawn.map(({ mean_probability }) => mean_probability ?? 0);
  place.replaceChildren(
    h('p', { class: 'basis' }, ...verdict(data, bins)),
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', 'How often it happened'),
      keyOf('band', term('interval', '95 % interval')),
      keyOf('diagonal', 'As often as said'),
    ),
    drawing,
    below(
      table(
        'Odds of past days and how often they came true, at all stations',
        ['Said', 'Happened', '95 %', 'Odds'],
        bins.map((bin) => [
          percent(bin.mean_probability ?? 0),
          percent(bin.observed ?? 0),
          bin.low === null || bin.high === null ? '–' : `${percent(bin.low)} to ${percent(bin.high)}`,
          whole(bin.forecasts),
        ]),
      ),
      save,
    ),
  );
  chart(
    drawing,
    `Reliability diagram: ${drawn
      .map((bin) => `said ${percent(bin.mean_probability ?? 0)}, happened ${percent(bin.observed ?? 0)}`)
      .join('; ')}. Arrow keys read it point by point.`,
    () => {
      const { mae, zero, band } = colours();
      return {
        width: 0,
        height: 0,
        scales: { x: { time: false, range: [0, top(said)] }, y: { range: () => [0, top(said)] } },
        series: [
          {},
          { stroke: zero, width: 1.5, dash: [5, 5], points: { show: false } },
          { stroke: 'transparent', points: { show: false } },
          { stroke: 'transparent', points: { show: false } },
          { stroke: mae, width: 2, points: { show: true, size: 7, fill: mae } },
        ],
        bands: [{ series: [2, 3], fill: band }],
        axes: [
          { ...shareAxis(), label: 'said', labelSize: 18, labelFont: '12px system-ui, sans-serif', size: 26 },
          shareAxis(),
        ],
      };
    },
    [
      said,
      said,
      drawn.map(({ high }) => high),
      drawn.map(({ low }) => low),
      drawn.map(({ observed }) => observed),
    ],
    (index) => {
      const bin = index === null ? undefined : drawn[index];
      if (bin === undefined) return ['Point at the line for its numbers.'];
      return [
        h('b', {}, `Said ${percent(bin.mean_probability ?? 0)}`),
        ` happened ${percent(bin.observed ?? 0)} of ${whole(bin.forecasts)} times`,
      ];
    },
  );
}

/** The end of both axes, in tenths. @param {number[]} said */
const top = (said) => Math.min(1, Math.ceil(Math.max(0.1, ...said) * 10 + 0.5) / 10);

/**
 * Whether what was said came true, in a sentence, and how good it is against the usual curve.
 * @param {Reliability['data']} data
 * @param {Reliability['data']['bins']} bins
 */
function verdict({ lead_time_bucket, cases, normal_2f: { crps_skill } }, bins) {
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
    `, each judged by the days before it alone.${gain}`,
  ];
}
