/** @import { Odds, Page } from '../types.js' */
import { ApiFault } from '../api.js';
import { bars, below, chart, colours, keyOf, plainAxis, shareAxis } from './chart.js';
import { isSoFar, showDaySoFar } from './day-so-far.js';
import { h, table } from '../dom.js';
import { charts } from '../libraries.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { clockTime, day, hours, number, percent, period, pointAt, whole } from '../words.js';

const BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'];

/** The lead time of odds where neither a visitor nor a stored forecast says it. */
export const USUAL_LEAD = '12-24h';

/** Where no forecast is stored, the visitor begins with this one, °F. */
const EXAMPLE = { high: '75', low: '55' };

/** Degrees on each side of the forecast that the bars show: errors beyond are rarer than one in a thousand. */
const REACH = 12;

/**
 * The odds of a visitor's forecast or of the latest stored one: of a threshold in a sentence, of brackets in a table, of
 * each whole degree as bars.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showOdds(place, page) {
  const { question, get, signal } = page;
  const [station] = await Promise.all([page.station(), charts()]);
  if (signal.aborted) return;
  if (station === undefined) {
    place.replaceChildren(empty('Odds are about one place: choose a station above.'));
    return;
  }
  const { metric, provider } = question;
  const subject = { station_id: station.station_id, metric, provider, so_far: '' };
  const ofLead = { lead_time_bucket: question.forecast_lead };
  let stored = question.forecast === '' ? await storedForecast({ ...subject, ...ofLead }, get) : undefined;
  // Where the hours of the day say too little, the errors of past forecasts have odds all the same.
  let left_out = '';
  if (stored !== undefined && isSoFar(stored) && stored.reason !== null) {
    left_out = `Left out is what has been measured of the day, and any forecast that was issued since it began. ${stored.reason}.`;
    subject.so_far = 'ignore';
    stored = await storedForecast({ ...subject, ...ofLead }, get);
  }
  const known = stored?.forecast_f ?? stored?.so_far?.m;
  const forecast =
    question.forecast ||
    ((known ?? null) === null ? EXAMPLE[metric === 'low' ? 'low' : 'high'] : String(known));
  const forecast_lead =
    question.forecast_lead || (stored && isSoFar(stored) ? '' : (stored?.lead_time_bucket ?? USUAL_LEAD));
  const threshold = question.threshold || String(Math.floor(Number(forecast) + 0.5));
  const focused = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute('name')
    : undefined;
  // A new forecast has a threshold of its own; whether odds of its lead time come true is shown below.
  const form = oddsForm({ forecast, forecast_lead, threshold }, (part) =>
    part.forecast_lead === undefined
      ? page.keep(part.forecast === undefined ? part : { ...part, threshold: '' }, 'odds')
      : page.keep(part, 'odds', 'reliability'),
  );
  const source = h('p', { class: 'basis' }, sourceOf(stored, question.forecast));
  const usual = {
    ...subject,
    ...(stored ? ofLead : { forecast, lead_time_bucket: forecast_lead }),
  };
  const asked = { ...usual, thresholds: threshold, brackets: degreesAround(Number(forecast)) };
  try {
    const [odds, inBrackets] = await Promise.all([
      /** @type {Promise<Odds>} */ (get('probability', asked)),
      /** @type {Promise<Odds>} */ (get('probability', usual)),
    ]);
    if (signal.aborted) return;
    draw(
      place,
      odds,
      inBrackets,
      [form, source, ...(left_out === '' ? [] : [h('p', { class: 'basis left-out' }, left_out)])],
      page.save('the odds', 'probability', () => usual),
    );
    const soFar = place.querySelector('.so-far');
    if (soFar instanceof HTMLElement && isSoFar(odds.data))
      await showDaySoFar(soFar, odds.data, metric, page);
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'INVALID_PARAMETER') throw error;
    place.replaceChildren(form, empty(`No odds: ${error.message}.`));
  }
  const again = focused ? form.querySelector(`[name="${focused}"]`) : null;
  if (again instanceof HTMLElement) again.focus();
}

/**
 * The forecast for today that was issued last; undefined where none is stored.
 * @param {Record<string, string>} subject
 * @param {Page['get']} get
 */
async function storedForecast(subject, get) {
  try {
    return /** @type {Odds} */ (await get('probability', subject)).data;
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'INVALID_PARAMETER') throw error;
    return undefined;
  }
}

/** Whose forecast is filled in. @param {Odds['data'] | undefined} stored @param {string} given */
function sourceOf(stored, given) {
  if (stored?.issued_at) {
    return `The latest stored forecast for ${day(stored.target_date)}, issued on ${day(stored.issued_at.slice(0, 10))} at ${clockTime(stored.issued_at)}.`;
  }
  return given === ''
    ? 'No forecast is stored for today, so this is an example: enter yours.'
    : 'The forecast that you entered.';
}

/**
 * The whole degrees around a forecast, as the API takes them.
 * @param {number} forecast °F
 */
const degreesAround = (forecast) =>
  Array.from({ length: 2 * REACH + 1 }, (_, at) => Math.floor(forecast + 0.5) - REACH + at)
    .map((degree) => `${degree}-${degree}`)
    .join(',');

/** @typedef {{ forecast: string, forecast_lead: string, threshold: string }} Asked */

/**
 * The fields of a question: a forecast, its lead time and a threshold.
 * @param {Asked} asked
 * @param {(part: Partial<Asked>) => void} ask
 */
function oddsForm(asked, ask) {
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
        ...(asked.forecast_lead === ''
          ? [h('option', { value: '', selected: true }, 'last, with the hours of today')]
          : []),
        ...BUCKETS.map((bucket) =>
          h('option', { value: bucket, selected: bucket === asked.forecast_lead }, `${hours(bucket)} before`),
        ),
      ),
    ),
    h('label', {}, 'ends at or above, °F ', degrees('threshold', asked.threshold, '1')),
  );
}

/**
 * @param {HTMLElement} place
 * @param {Odds} odds of one threshold and of each whole degree
 * @param {Odds} usual the same forecast in the brackets that the service chooses
 * @param {HTMLElement[]} head
 * @param {HTMLElement} save
 */
function draw(place, { data, metadata }, usual, head, save) {
  const [asked] = data.thresholds ?? [];
  if (asked === undefined || asked.at_or_above === null) {
    place.replaceChildren(...head, empty(`No odds: ${data.reason ?? 'none are known'}.`));
    return;
  }
  const bins = (data.brackets ?? []).filter(({ from_f, to_f }) => from_f !== null && from_f === to_f);
  const drawing = h('div');
  const from = asked.threshold_f;
  place.replaceChildren(
    ...head,
    h('p', { class: 'odds-sentence' }, ...sentence(data, asked)),
    h('p', { class: 'basis' }, ...basis(data)),
    ...(metadata.hint === undefined ? [] : [h('p', { class: 'basis hint' }, `${metadata.hint}.`)]),
    ...(isSoFar(data) ? [h('div', { class: 'so-far' })] : []),
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
    `Bar chart of the odds of each whole degree around ${data.forecast_f === null ? 'what has been measured' : `the forecast of ${number(data.forecast_f, 1)} °F`}. Arrow keys read it degree by degree.`,
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
      if (bin === undefined) return [pointAt('a degree').replace('numbers', 'odds')];
      return [h('b', {}, `${bin.from_f} °F`), ` ${percent(bin.probability ?? 0)}`];
    },
  );
}

/**
 * @param {Odds['data']} data
 * @param {{ threshold_f: number, at_or_above: number | null, low: number | null, high: number | null }} asked
 * @returns {(Node | string)[]}
 */
function sentence(data, { threshold_f, at_or_above, low, high }) {
  const { city_name, forecast_f, lead_time_bucket } = data;
  if (isSoFar(data)) {
    return [
      `From what ${city_name} has measured by ${clockTime(data.so_far.at)}: of 100 such days about `,
      h('strong', {}, percent(at_or_above ?? 0).replace(' %', '')),
      ` end at ${threshold_f} °F or more.`,
    ];
  }
  const interval = low === null || high === null ? '' : ` (95 %: ${percent(low)} to ${percent(high)})`;
  return [
    `Of 100 forecasts of ${number(forecast_f, 1).replace(/\.0$/, '')} °F for ${city_name}, ${hours(lead_time_bucket ?? '')} before the day, about `,
    h('strong', {}, percent(at_or_above ?? 0).replace(' %', '')),
    ` end at ${threshold_f} °F or more${interval}.`,
  ];
}

/**
 * @param {Odds['data']} data
 * @returns {(Node | string)[]}
 */
function basis(data) {
  const { training, city_name } = data;
  if (isSoFar(data)) {
    return [
      `Based on ${whole(data.so_far.cases)} `,
      term('cases', 'station days'),
      ` of ${period(training.from, training.to)} at the same hour, of which ${whole(training.station_days)} are of ${city_name}: how far each was from its forecast then, and where it ended. The odds are not advice.`,
    ];
  }
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
