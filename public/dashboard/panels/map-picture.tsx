import type { CityAccuracy, Station } from '../../../clients/typescript/src/generated.js';
import type { GeoProjection } from 'd3-geo';
import type * as Geography from './geography.js';
import type { feature } from 'topojson-client';
import { biasClass, biasMark, NEUTRAL, UNKNOWN } from '../palette.js';
import { biasWords } from '../words.js';
import { countBiases } from '../findings.js';

/** A station with its errors. */
export interface Place {
  city: CityAccuracy;
  station: Station;
}

export type Topology = Parameters<typeof feature>[0];

type Library = typeof Geography;

// Beyond this, a map of one station shows nothing but a coast. In a region 50 km are then 24 px.
const MAX_SCALE = { us: 1200, world: 1200, region: 3000 };

export type WorldView = keyof typeof MAX_SCALE;

// More markers than this have no room for a sign in them.
const MAX_SIGNS = 150;

interface PictureProps {
  geo: Library;
  topology: Topology;
  view: WorldView;
  shown: Place[];
  /** An id; blank without one. */
  chosen: string;
  width: number;
  report: (place: Place | undefined) => void;
  pick: (station_id: string) => void;
}

/** How far a class is from no bias; one that is not known is behind all. */
const getWeight = (kind: number): number => (kind === UNKNOWN ? -1 : Math.abs(kind - NEUTRAL));

/** The outlines of countries or states, and a mark for each station. */
export function Picture({ geo, topology, view, shown, chosen, width, report, pick }: PictureProps) {
  const isAmerican = view === 'us';
  const height = Math.round(Math.max(220, Math.min(width * (isAmerican ? 0.62 : 0.5), 540)));
  const [areas] = Object.values(topology.objects);
  const outline = geo.feature(topology, areas!);
  const projection = isAmerican
    ? geo.geoAlbersUsa().fitSize([width, height], outline)
    : around(geo, shown, width, height, MAX_SCALE[view]);
  const withSign = shown.length <= MAX_SIGNS;
  // Smaller on a phone, where they are closer together; without a sign smaller still.
  const radius = withSign ? Math.min(8, Math.max(5.5, width / 80)) : 4;
  const points = shown.flatMap(({ city, station }) => {
    const at = projection([station.longitude, station.latitude]);
    return at === null ? [] : [{ city, station, at, kind: biasClass(city.stats, city.uncertainty) }];
  });
  if (withSign) partNeighbours(points, radius);
  // The larger a bias, the further in front; the chosen station in front of all.
  points.sort(
    (a, b) =>
      Number(a.city.station_id === chosen) - Number(b.city.station_id === chosen) ||
      getWeight(a.kind) - getWeight(b.kind),
  );
  return (
    <svg
      {...{ viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' }}
      aria-label={`Map of ${shown.length} stations. ${countBiases(shown.map(({ city }) => city))} The ranking has the numbers.`}
    >
      <path class="land" d={geo.geoPath(projection).digits(1)(outline) ?? ''} />
      {points.map(({ city, station, at: [x, y], kind }) => {
        const isChosen = city.station_id === chosen;
        return (
          <g
            key={city.station_id}
            class={`marker bias-${kind}${isChosen ? ' chosen' : ''}`}
            transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
            data-station={city.station_id}
            onClick={() => pick(city.station_id)}
            onPointerEnter={() => report({ city, station })}
            onPointerLeave={() => report(undefined)}
          >
            <title>
              {city.city_name}: {biasWords(city.stats.mean_error)}
            </title>
            <circle r={isChosen ? radius + 2 : radius} />
            {withSign && (
              <text text-anchor="middle" dy="0.34em" font-size={1.75 * radius}>
                {biasMark(kind)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Moves marks apart that would hide each other, in place: none goes further than five radii from its place. */
function partNeighbours(marks: { at: [number, number] }[], radius: number): void {
  const points = marks.map(({ at }) => at);
  const home = points.map(([x, y]) => [x, y] as const);
  const room = 2 * radius + 2;
  for (let round = 0; round < 80; round += 1) {
    points.forEach((one, index) => {
      for (const other of points.slice(index + 1)) {
        const [dx, dy] = [other[0] - one[0] || 0.1, other[1] - one[1]];
        const spread = Math.hypot(dx, dy);
        if (spread >= room) continue;
        const push = (room - spread) / 2 / spread;
        one[0] -= dx * push;
        one[1] -= dy * push;
        other[0] += dx * push;
        other[1] += dy * push;
      }
    });
    points.forEach((point, index) => {
      const [x, y] = home[index] ?? point;
      const [dx, dy] = [point[0] - x, point[1] - y];
      const back = Math.min(1, (5 * radius) / (Math.hypot(dx, dy) || 1));
      point[0] = x + dx * back;
      point[1] = y + dy * back;
    });
  }
}

/** A projection that shows all stations with some land around them. */
function around(
  geo: Library,
  places: Place[],
  width: number,
  height: number,
  maxScale: number,
): GeoProjection {
  const points = {
    type: 'MultiPoint' as const,
    coordinates: places.map(({ station }) => [station.longitude, station.latitude]),
  };
  const inset = (margin: number): [[number, number], [number, number]] => [
    [margin, margin],
    [width - margin, height - margin],
  ];
  // Cut at 169° W, in the Bering Strait, where no country is.
  const projection = geo.geoEqualEarth().rotate([-11, 0]);
  projection.fitExtent(inset(Math.min(28, width / 14)), points);
  if (projection.scale() > maxScale) {
    projection.scale(maxScale).translate([0, 0]);
    const [x, y] = projection(geo.geoCentroid(points)) ?? [0, 0];
    projection.translate([width / 2 - x, height / 2 - y]);
  }
  return projection.clipExtent(inset(-1));
}
