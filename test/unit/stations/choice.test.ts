import { expect } from 'chai';
import fc from 'fast-check';
import { chosenStations, distanceKm, type Point } from '../../../src/stations/choice.js';
import type { Station } from '../../../src/stations/directory.js';
import { forAny } from '../../support/property.js';

const point = (latitude: number, longitude: number): Point => ({ latitude, longitude });

const stationAt = (station_id: string, latitude: number, longitude: number) =>
  ({ station_id, city_name: station_id, latitude, longitude }) as Station;

const degrees = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: -most * 1000, max: most * 1000 }).map((each) => each / 1000);

// Guards distances on the sphere where formulas fail: at hand, across the antimeridian, at poles and antipodes. Which
// requests choose which stations: contract/endpoints/stations.test.ts.
describe('stations chosen by where they are', () => {
  it('given points whose distance is worked out by vectors, then it is that', () => {
    for (const [from, to, km] of [
      [point(41.96, -87.93), point(41.9602, -87.9316), 0.134_153_502],
      [point(41.9602, -87.9316), point(41.7842, -87.7553), 24.414_901_439],
      [point(0, 179.5), point(0, -179.5), 111.195_080_234],
      [point(90, 0), point(-90, 77), 20_015.114_442_036],
      [point(51.4775, -0.461389), point(51, 0), 62.055_039_222],
    ] as const)
      expect(distanceKm(from, to)).to.be.closeTo(km, 1e-6);
  });

  it('given any points, then the distance is the angle between their vectors, and that of the way back', () => {
    const vector = ({ latitude, longitude }: Point): [number, number, number] => {
      const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
      return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
    };
    const anywhere = fc.tuple(degrees(90), degrees(180)).map(([north, east]) => point(north, east));
    forAny(anywhere, anywhere, (from, to) => {
      const [a, b] = [vector(from), vector(to)];
      const chord = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      expect(distanceKm(from, to)).to.be.closeTo(2 * 6371.0088 * Math.asin(Math.min(1, chord / 2)), 0.5);
      expect(distanceKm(to, from)).to.be.closeTo(distanceKm(from, to), 1e-6);
    });
  });

  it('given a radius, then a station at just that distance is within it, each told to 0.1 km', () => {
    const stations = [stationAt('NEAR', 0, 0.5), stationAt('EDGE', 0, 1), stationAt('FAR', 0, 1.001)];
    const radius_km = distanceKm(point(0, 0), point(0, 1));
    expect(chosenStations(stations, { near: { ...point(0, 0), radius_km } })).to.deep.equal([
      { station_id: 'NEAR', city_name: 'NEAR', distance_km: 55.6 },
      { station_id: 'EDGE', city_name: 'EDGE', distance_km: 111.2 },
    ]);
  });

  it('given a box, then its edges are in it, and one whose west is above its east crosses the antimeridian', () => {
    const stations = [stationAt('WEST', 10, -180), stationAt('MID', 0, 0), stationAt('EAST', -10, 170)];
    const within = (west: number, south: number, east: number, north: number): string[] =>
      chosenStations(stations, { bbox: { west, south, east, north } }).map(({ station_id }) => station_id);
    expect(within(-180, -10, 170, 10)).to.deep.equal(['WEST', 'MID', 'EAST']);
    expect(within(170, -10, -180, 10)).to.deep.equal(['WEST', 'EAST']);
    expect(within(0, 0, 0, 0)).to.deep.equal(['MID']);
  });

  it('given a station on the antimeridian, then 180 and -180 are the same, in box and station', () => {
    const stations = [stationAt('PLUS', 0, 180), stationAt('MINUS', 0, -180), stationAt('OTHER', 0, 0)];
    for (const edges of ['170 180', '-180 -170', '180 180', '-180 -180', '170 -170']) {
      const [west = NaN, east = NaN] = edges.split(' ').map(Number);
      const found = chosenStations(stations, { bbox: { west, south: -90, east, north: 90 } });
      expect(
        found.map(({ station_id }) => station_id),
        edges,
      ).to.deep.equal(['PLUS', 'MINUS']);
    }
  });
});
