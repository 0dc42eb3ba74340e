/** @import { Odds } from '../types.js' */
import { bars, below, chart, colours, keyOf, plainAxis, shareAxis } from './chart.js';
import { h, table } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { hours, number, percent, period, whole } from '../words.js';

/** Degrees on each side of the forecast that the bars show: errors beyond are rarer than one in a thousand. */
const REACH = 12;

/** @param {HTMLElement} place */
export function showNoStation(place) {
  place.replaceChildren(empty('Odds are about one place: choose a station above.'));
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} form
 * @param {string} reason
 */
export function showNoOdds(place, form, reason) {
  place.replaceChildren(form, empty(`No odds: ${reason}.`));
}

/**
 * The whole degrees around a forecast, as the API takes them.
 * @param {number} forecast °F
 */
export const degreesAround = (forecast) =>
  Array.from({ length: 2 * REACH + 1 }, (_, at) => Math.floor(forecast + 0.5) - REACH + at)
    .map((degree) => `${degree}-${degree}`)
    .join(',');

/** @typedef {{ forecast: string, forecast_lead: string, threshold: string }} Asked */

/**
 * What a visitor asks about: a forecast, its lead time and a threshold.
 * @param {Asked} asked
 * @param {string[]} buckets
 * @param {(part: Partial<Asked>) => void} ask
 */
export function oddsForm(asked, buckets, ask) {
  /** @param {{ target: HTMLInputElement }} event */
  const changed = ({ target: { name, value } }) => ask({ [name]: value });
  /** @param {string} name @param {string} value @param {string} step */
  const degrees = (name, value, step) =>
    h('input', { type: 'number', name, value, step, min: -100, max: 150, required: true, change: changed });
  return h(
    'form',
    { class: 'odds-form', 'aria-label': 'Which odds', submit: (event) => event.preventDefault() },
    h('label', {}, 'Forecast, °F ', degrees('forecast', asked.forecast, 'any')),
    h(
      'label',
      {},
      'issued ',
      h(
        'select',
        { name: 'forecast_lead', change: changed },
        ...buckets.map((bucket) =>
          h('option', { value: bucket, selected: bucket === asked.forecast_lead }, `${hours(bucket)} before`),
        ),
      ),
    ),
    h('label', {}, 'ends at or above, °F ', degrees('threshold', asked.threshold, '1')),
  );
}

/**
 * The odds of a forecast: of a threshold in a sentence, of brackets in a table, of each whole degree as bars.
 * @param {HTMLElement} place
 * @param {Odds} odds of one threshold and of each whole degree
 * @param {Odds} usual the same forecast in the brackets that the service chooses
 * @param {HTMLElement} form
 * @param {HTMLElement} save
 */
export function showOdds(place, { data }, usual, form, save) {
  const [asked] = data.thresholds ?? [];
  if (asked === undefined || asked.at_or_above === null) {
    showNoOdds(place, form, data.reason ?? 'none are known');
    return;
  }
  const bins = (data.brackets ?? []).filter(({ from_f, to_f }) => from_f !== null && from_f === to_f);
  const drawing = h('div');
  const from = asked.threshold_f;
  place.replaceChildren(
    form,
    h('p', { class: 'odds-sentence' }, ...sentence(data, asked)),
    h('p', { class: 'basis' }, ...basis(data)),
    h('p', { class: 'legend' }, keyOf('mae', `${from} °F or more`), keyOf('below', `below ${from} °F`)),
    drawing,
    below(
      table(
        'Odds of where the temperature ends, in whole degrees',
        ['°F', 'Odds', '95 %'],
        (usual.data.brackets ?? []).map(({ from_f, to_f, probability, low, high }) => [
          bracketWords(from_f, to_f),
          percent(probability ?? 0),
          low === null || high === null ? '–' : `${percent(low)} to ${percent(high)}`,
        ]),
      ),
      save,
    ),
  );
  const degree = bins.map(({ from_f }) => from_f ?? 0);
  const above = bins.map(({ probability, from_f }) => ((from_f ?? 0) >= from ? probability : null));
  const others = bins.map(({ probability, from_f }) => ((from_f ?? 0) >= from ? null : probability));
  chart(
    drawing,
    `Bar chart of the odds of each whole degree around the forecast of ${number(data.forecast_f, 1)} °F. Arrow keys read it degree by degree.`,
    () => ({
      width: 0,
      height: 0,
      scales: {
        x: { time: false, range: [(degree[0] ?? 0) - 0.7, (degree.at(-1) ?? 0) + 0.7] },
        y: { range: (_plot, _low, high) => [0, Math.max(0.05, high) * 1.1] },
      },
      series: [{}, bars(colours().mae, 0.8), bars(colours().below, 0.8)],
      axes: [
        {
          ...plainAxis(),
          incrs: [1, 2, 5, 10],
          values: (_plot, values) => values.map((value) => `${value}`.replace('-', '−')),
          label: 'whole °F',
          labelSize: 20,
          labelFont: '12px system-ui, sans-serif',
        },
        shareAxis(),
      ],
    }),
    [degree, above, others],
    (index) => {
      const bin = index === null ? undefined : bins[index];
      if (bin === undefined) return ['Point at a degree for its odds.'];
      return [h('b', {}, `${bin.from_f} °F`), ` ${percent(bin.probability ?? 0)}`];
    },
  );
}

/**
 * @param {Odds['data']} data
 * @param {{ threshold_f: number, at_or_above: number | null, low: number | null, high: number | null }} asked
 * @returns {(Node | string)[]}
 */
function sentence({ city_name, forecast_f, lead_time_bucket }, { threshold_f, at_or_above, low, high }) {
  const interval = low === null || high === null ? '' : ` (95 %: ${percent(low)} to ${percent(high)})`;
  return [
    `Of 100 forecasts of ${number(forecast_f, 1).replace(/\.0$/, '')} °F for ${city_name}, ${hours(lead_time_bucket)} before the day, about `,
    h('strong', {}, percent(at_or_above ?? 0).replace(' %', '')),
    ` end at ${threshold_f} °F or more${interval}.`,
  ];
}

/**
 * @param {Odds['data']} data
 * @returns {(Node | string)[]}
 */
function basis({ training, city_name }) {
  const { from, to, station_days, network_days, weight_station } = training;
  return [
    `Based on errors of ${period(from, to)}: ${percent(weight_station)} from the ${whole(station_days)} days of ${city_name}, the rest from ${whole(network_days)} `,
    term('cases', 'station days'),
    ' of all stations. The odds hold while forecasts stay as they were on these days; they are not advice.',
  ];
}

/** @param {number | null} from @param {number | null} to */
function bracketWords(from, to) {
  if (from === null) return `${to} or less`;
  if (to === null) return `${from} or more`;
  return from === to ? `${from}` : `${from} to ${to}`;
}
