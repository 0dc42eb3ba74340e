/** @import { Place } from './map-picture.js' */
/** @import { ByCity, Page, Station } from '../types.js' */
import { EVERYWHERE, networkParameters, regionOf, regionText } from '../address.js';
import { ApiFault } from '../api.js';
import { h, replaceContent } from '../dom.js';
import { maps } from '../libraries.js';
import { picture } from './map-picture.js';
import { BIAS_BOUNDS, biasLabels, biasMark } from './palette.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, number, pointAt, signed, unit, whole } from '../words.js';

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
 * The bias of each station where it is.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showMap(place, { question, get, stations, station, signal, change }) {
  const asked = { ...networkParameters(question), sort_by: 'mae' };
  const [{ data: cities }, all, chosen] = await Promise.all([
    /** @type {Promise<ByCity>} */ (get('accuracy/by-city', asked)),
    stations(),
    station(),
    maps(),
  ]);
  const byId = new Map(all.map((each) => [each.station_id, each]));
  const places = cities.flatMap((city) => {
    const station = byId.get(city.station_id);
    return station === undefined ? [] : [{ city, station }];
  });
  const american = places.filter(({ station }) => station.country === 'US');
  const onlyAmerican = american.length === places.length;
  const isRegion = regionText(regionOf(question)) !== '';
  const isAmerican = onlyAmerican || (question.map === 'us' && american.length > 0);
  const topology = places.length === 0 ? undefined : await outlines(isAmerican ? 'states' : 'countries');
  if (signal.aborted) return;
  stopDrawing?.();
  stopDrawing = undefined;
  if (topology === undefined) {
    place.replaceChildren(empty('No station has a forecast of these days that can be compared.'));
    return;
  }
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
        click: () => change({ map: value }),
      },
      text,
    );
  replaceContent(
    place,
    h(
      'div',
      { class: 'panel-head' },
      h(
        'p',
        { class: 'quiet' },
        term('bias'),
        ' of each station: + runs too warm, − too cold, ± within 0.5 ',
        unit(),
        '.',
      ),
      american.length > 1 &&
        !onlyAmerican &&
        !isRegion &&
        h(
          'div',
          { class: 'toggle', role: 'group', 'aria-label': 'Map' },
          view('', 'World'),
          view('us', 'United States'),
        ),
    ),
    chosen ? around(chosen, change) : '',
    readout,
    drawing,
    legend(),
  );
  const chosenId = chosen?.station_id ?? '';
  let width = 0;
  const draw = () => {
    if (drawing.clientWidth === width || drawing.clientWidth === 0) return;
    width = drawing.clientWidth;
    const pick = (/** @type {string} */ id) => change({ station_id: id === chosenId ? '' : id });
    drawing.replaceChildren(
      picture(
        topology,
        isRegion ? 'region' : isAmerican ? 'us' : 'world',
        shown,
        chosenId,
        width,
        tell,
        pick,
      ),
    );
  };
  draw();
  const resized = new ResizeObserver(draw);
  resized.observe(drawing);
  stopDrawing = () => resized.disconnect();
}

/** How far stations around another may be, km. */
const RADII = ['50', '100', '250', '500'];

/** Chooses the stations around one. @param {Station} station @param {Page['change']} change */
function around({ city_name, latitude, longitude }, change) {
  /** @param {{ target: HTMLSelectElement }} event */
  const changed = ({ target }) =>
    change({ ...EVERYWHERE, near: `${latitude},${longitude}`, radius_km: target.value, station_id: '' });
  const options = RADII.map((km) => h('option', { value: km }, `${km} km`));
  return h(
    'label',
    { class: 'basis' },
    'Only the stations within ',
    h('select', { name: 'radius_km', change: changed }, h('option', { value: '' }, '…'), ...options),
    ` of ${city_name}`,
  );
}

/** @param {Place | undefined} each @returns {(Node | string)[]} */
function reading(each) {
  if (each === undefined) return [pointAt('a station')];
  const { city_name, stats, sample_size } = each.city;
  return [
    h('b', {}, city_name),
    ` ${biasWords(stats.mean_error)} · MAE ${number(stats.mae)} ${unit()} · ${whole(sample_size)} forecasts`,
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
      ...biasLabels().map((label, index) =>
        h(
          'li',
          { class: `bias-${index}`, title: label },
          h('span', { 'aria-hidden': 'true' }, biasMark(index)),
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
      h('span', {}, unit()),
      h('span', {}, 'too warm'),
    ),
  );
