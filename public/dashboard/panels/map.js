/** @import { Place } from './map-picture.js' */
/** @import { City, Station } from '../types.js' */
import { ApiFault } from '../api.js';
import { h, replaceContent } from '../dom.js';
import { picture } from './map-picture.js';
import { BIAS_BOUNDS, BIAS_LABELS } from './palette.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, number, signed, whole } from '../words.js';

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/**
 * @param {'countries' | 'states'} name
 * @returns {Promise<any>} outlines as TopoJSON
 * @throws {ApiFault}
 */
function outlines(name) {
  let loading = loaded.get(name);
  if (loading === undefined) {
    // In the folder of this version.
    loading = fetch(new URL(`../${name}.json`, import.meta.url))
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error())))
      .catch(() => Promise.reject(new ApiFault('OUTDATED')));
    loading.catch(() => loaded.delete(name));
    loaded.set(name, loading);
  }
  return loading;
}

/** @type {(() => void) | undefined} */
let stopDrawing;

/**
 * @param {HTMLElement} place
 * @param {City[]} cities
 * @param {Station[]} stations
 * @param {{ map: string, station_id: string }} question
 * @param {(change: { map?: string, station_id?: string }) => void} choose
 * @param {AbortSignal} signal when another question has taken the place of this one
 */
export async function showMap(place, cities, stations, question, choose, signal) {
  stopDrawing?.();
  stopDrawing = undefined;
  const byId = new Map(stations.map((station) => [station.station_id, station]));
  const places = cities.flatMap((city) => {
    const station = byId.get(city.station_id);
    return station === undefined ? [] : [{ city, station }];
  });
  if (places.length === 0) {
    place.replaceChildren(empty('No station has a forecast of these days that can be compared.'));
    return;
  }
  const american = places.filter(({ station }) => station.country === 'US');
  const onlyAmerican = american.length === places.length;
  const isAmerican = onlyAmerican || (question.map === 'us' && american.length > 0);
  const topology = await outlines(isAmerican ? 'states' : 'countries');
  if (signal.aborted) return;
  const shown = isAmerican ? american : places;
  const drawing = h('div', { class: 'map' });
  const readout = h('p', { class: 'readout' });
  const tell = (/** @type {Place | undefined} */ each) => readout.replaceChildren(...reading(each));
  tell(undefined);
  /** @param {string} value @param {string} text */
  const view = (value, text) =>
    h(
      'button',
      {
        type: 'button',
        'data-map': value,
        'aria-pressed': String(value === (isAmerican ? 'us' : '')),
        click: () => choose({ map: value }),
      },
      text,
    );
  replaceContent(
    place,
    h(
      'div',
      { class: 'panel-head' },
      h('p', { class: 'quiet' }, term('bias'), ' of each station: + runs too warm, − too cold.'),
      american.length > 1 &&
        !onlyAmerican &&
        h(
          'div',
          { class: 'toggle', role: 'group', 'aria-label': 'Map' },
          view('', 'World'),
          view('us', 'United States'),
        ),
    ),
    readout,
    drawing,
    legend(),
  );
  let width = 0;
  const draw = () => {
    if (drawing.clientWidth === width || drawing.clientWidth === 0) return;
    width = drawing.clientWidth;
    const pick = (/** @type {string} */ id) => choose({ station_id: id === question.station_id ? '' : id });
    drawing.replaceChildren(picture(topology, isAmerican, shown, question.station_id, width, tell, pick));
  };
  draw();
  const resized = new ResizeObserver(draw);
  resized.observe(drawing);
  stopDrawing = () => resized.disconnect();
}

/** @param {Place | undefined} each @returns {(Node | string)[]} */
function reading(each) {
  if (each === undefined) return ['Point at a station for its numbers.'];
  const { city_name, stats, sample_size } = each.city;
  return [
    h('b', {}, city_name),
    ` ${biasWords(stats.mean_error)} · MAE ${number(stats.mae)} °F · ${whole(sample_size)} forecasts`,
  ];
}

/** The classes side by side, with their bounds between them. */
const legend = () =>
  h(
    'div',
    { class: 'bias-legend' },
    h(
      'ul',
      { 'aria-label': 'Colours of the bias' },
      ...BIAS_LABELS.map((label, index) =>
        h(
          'li',
          { class: `bias-${index}`, title: label },
          h('span', { 'aria-hidden': 'true' }, index < 3 ? '−' : index > 3 ? '+' : '±'),
          h('span', { class: 'visually-hidden' }, label),
        ),
      ),
    ),
    h(
      'p',
      { 'aria-hidden': 'true' },
      ...BIAS_BOUNDS.map((bound) => h('span', {}, signed(bound, Math.abs(bound) < 1 ? 1 : 0))),
    ),
    h(
      'p',
      { class: 'ends', 'aria-hidden': 'true' },
      h('span', {}, 'too cold'),
      h('span', {}, '°F'),
      h('span', {}, 'too warm'),
    ),
  );
