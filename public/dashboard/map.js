/** @import { City, Station } from './types.js' */
import { h, replaceContent, svg } from './dom.js';
import { BIAS_BOUNDS, BIAS_LABELS, biasClass } from './palette.js';
import { empty } from './states.js';
import { term } from './terms.js';
import { biasSign, biasWords, number, signed, whole } from './words.js';

// Beyond this, a map of one station shows nothing but a coast.
const MAX_SCALE = 1200;
// More markers than this have no room for a sign in them.
const MOST_SIGNS = 150;

/** @typedef {{ city: City, station: Station }} Place */

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/** @param {'countries' | 'states'} name @returns {Promise<any>} outlines as TopoJSON */
function outlines(name) {
  let loading = loaded.get(name);
  if (loading === undefined) {
    // Beside this file, so of the same version.
    loading = fetch(new URL(`./${name}.json`, import.meta.url)).then((response) => response.json());
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
  if (each === undefined) return ['Point at a station for its numbers; they are all in the ranking, too.'];
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

/**
 * @param {any} topology
 * @param {boolean} isAmerican
 * @param {Place[]} places
 * @param {string} chosen
 * @param {number} width px
 * @param {(each: Place | undefined) => void} tell
 * @param {(station_id: string) => void} pick
 */
function picture(topology, isAmerican, places, chosen, width, tell, pick) {
  const height = Math.round(Math.min(width * (isAmerican ? 0.62 : 0.56), 460));
  const areas = topojson.feature(topology, topology.objects.areas);
  const projection = isAmerican
    ? d3.geoAlbersUsa().fitSize([width, height], areas)
    : around(places, width, height);
  const outline = d3.geoPath(projection).digits(1)(areas) ?? '';
  // The larger a bias, the further in front; the chosen station in front of all.
  const ordered = [...places].sort(
    (a, b) =>
      Number(a.city.station_id === chosen) - Number(b.city.station_id === chosen) ||
      Math.abs(a.city.stats.mean_error ?? 0) - Math.abs(b.city.stats.mean_error ?? 0),
  );
  const markers = ordered.flatMap((each) => {
    const at = projection([each.station.longitude, each.station.latitude]);
    return at === null ? [] : [marker(each, at, places.length <= MOST_SIGNS, chosen, tell, pick)];
  });
  const warm = places.filter(({ city }) => biasSign(city.stats.mean_error) === '+').length;
  const cold = places.filter(({ city }) => biasSign(city.stats.mean_error) === '−').length;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': `Map of ${places.length} stations: ${warm} run too warm, ${cold} too cold. The ranking has the same numbers as a table.`,
    },
    svg('path', { class: 'land', d: outline }),
    ...markers,
  );
}

/**
 * A projection that shows all stations with some land around them.
 * @param {Place[]} places
 * @param {number} width
 * @param {number} height
 */
function around(places, width, height) {
  const points = {
    type: /** @type {const} */ ('MultiPoint'),
    coordinates: places.map(({ station }) => [station.longitude, station.latitude]),
  };
  // Cut at 169° W, in the Bering Strait, where no country is.
  const projection = d3.geoEqualEarth().rotate([-11, 0]);
  const margin = Math.min(28, width / 14);
  projection.fitExtent(
    [
      [margin, margin],
      [width - margin, height - margin],
    ],
    points,
  );
  if (projection.scale() > MAX_SCALE) {
    projection.scale(MAX_SCALE).translate([0, 0]);
    const [x, y] = projection(d3.geoCentroid(points)) ?? [0, 0];
    projection.translate([width / 2 - x, height / 2 - y]);
  }
  return projection.clipExtent([
    [-1, -1],
    [width + 1, height + 1],
  ]);
}

/**
 * @param {Place} each
 * @param {[number, number]} at
 * @param {boolean} withSign
 * @param {string} chosen
 * @param {(each: Place | undefined) => void} tell
 * @param {(station_id: string) => void} pick
 */
function marker(each, [x, y], withSign, chosen, tell, pick) {
  const { station_id, city_name, stats } = each.city;
  const isChosen = station_id === chosen;
  return svg(
    'g',
    {
      class: `marker bias-${biasClass(stats.mean_error ?? 0)}${isChosen ? ' chosen' : ''}`,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      'data-station': station_id,
      click: () => pick(station_id),
      pointerenter: () => tell(each),
      pointerleave: () => tell(undefined),
    },
    svg('title', {}, `${city_name}: ${biasWords(stats.mean_error)}`),
    svg('circle', { r: withSign ? (isChosen ? 10 : 7.5) : isChosen ? 7 : 4 }),
    withSign && svg('text', { 'text-anchor': 'middle', dy: '0.34em' }, biasSign(stats.mean_error)),
  );
}
