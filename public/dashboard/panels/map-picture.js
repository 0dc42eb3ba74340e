/** @import { City, Station } from '../types.js' */
import { svg } from '../dom.js';
import { biasClass, biasMark } from './palette.js';
import { biasWords } from '../words.js';

// Beyond this, a map of one station shows nothing but a coast. On a map of a region, 50 km are then 24 px.
const MAX_SCALE = { us: 1200, world: 1200, region: 3000 };

/** @typedef {keyof typeof MAX_SCALE} View */
// More markers than this have no room for a sign in them.
const MOST_SIGNS = 150;

/** @typedef {{ city: City, station: Station }} Place */

/**
 * @param {any} topology
 * @param {View} view
 * @param {Place[]} places
 * @param {string} chosen
 * @param {number} width px
 * @param {(each: Place | undefined) => void} tell
 * @param {(station_id: string) => void} pick
 */
export function picture(topology, view, places, chosen, width, tell, pick) {
  const isAmerican = view === 'us';
  const height = Math.round(Math.min(width * (isAmerican ? 0.62 : 0.56), 460));
  const areas = topojson.feature(topology, topology.objects.areas);
  const projection = isAmerican
    ? d3.geoAlbersUsa().fitSize([width, height], areas)
    : around(places, width, height, MAX_SCALE[view]);
  const outline = d3.geoPath(projection).digits(1)(areas) ?? '';
  // The larger a bias, the further in front; the chosen station in front of all.
  const ordered = [...places].sort(
    (a, b) =>
      Number(a.city.station_id === chosen) - Number(b.city.station_id === chosen) ||
      Math.abs(a.city.stats.mean_error ?? 0) - Math.abs(b.city.stats.mean_error ?? 0),
  );
  // Smaller on a phone, where they are closer together; without a sign smaller still.
  const withSign = places.length <= MOST_SIGNS;
  const radius = withSign ? Math.min(7.5, Math.max(5.5, width / 80)) : 4;
  const points = ordered.flatMap((each) => {
    const at = projection([each.station.longitude, each.station.latitude]);
    return at === null ? [] : [{ each, at }];
  });
  if (withSign)
    partNeighbours(
      points.map(({ at }) => at),
      radius,
    );
  const markers = points.map(({ each, at }) => marker(each, at, radius, withSign, chosen, tell, pick));
  const marks = places.map(({ city }) => biasMark(biasClass(city.stats.mean_error ?? 0)));
  const warm = marks.filter((mark) => mark === '+').length;
  const cold = marks.filter((mark) => mark === '−').length;
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
 * Moves marks apart that would hide each other, by little: none gets further than three radii from its place.
 * @param {[number, number][]} points px; changed in place
 * @param {number} radius px
 */
function partNeighbours(points, radius) {
  const home = points.map(([x, y]) => /** @type {[number, number]} */ ([x, y]));
  const room = 2 * radius + 1;
  for (let round = 0; round < 30; round += 1) {
    points.forEach((one, index) => {
      for (const other of points.slice(index + 1)) {
        const [dx, dy] = [other[0] - one[0] || 0.1, other[1] - one[1]];
        const apart = Math.hypot(dx, dy);
        if (apart >= room) continue;
        const push = (room - apart) / 2 / apart;
        one[0] -= dx * push;
        one[1] -= dy * push;
        other[0] += dx * push;
        other[1] += dy * push;
      }
    });
    points.forEach((point, index) => {
      const [x, y] = home[index] ?? point;
      const [dx, dy] = [point[0] - x, point[1] - y];
      const back = Math.min(1, (3 * radius) / (Math.hypot(dx, dy) || 1));
      point[0] = x + dx * back;
      point[1] = y + dy * back;
    });
  }
}

/**
 * A projection that shows all stations with some land around them.
 * @param {Place[]} places
 * @param {number} width
 * @param {number} height
 * @param {number} mostScale
 */
function around(places, width, height, mostScale) {
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
  if (projection.scale() > mostScale) {
    projection.scale(mostScale).translate([0, 0]);
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
 * @param {number} radius px
 * @param {boolean} withSign
 * @param {string} chosen
 * @param {(each: Place | undefined) => void} tell
 * @param {(station_id: string) => void} pick
 */
function marker(each, [x, y], radius, withSign, chosen, tell, pick) {
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
    svg('circle', { r: isChosen ? radius + 2.5 : radius }),
    withSign &&
      svg(
        'text',
        { 'text-anchor': 'middle', dy: '0.34em', 'font-size': 1.75 * radius },
        biasMark(biasClass(stats.mean_error ?? 0)),
      ),
  );
}
