import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { StationFact } from '../../feeds/stations.js';

// Whether the latitude and longitude of a station are exchanged: as given it is not in its country, the other way round it is.

const require = createRequire(import.meta.url);

/** Names of countries in English that are others in the atlas. */
const IN_ATLAS: Partial<Record<string, string>> = {
  ...{
    CD: 'Dem. Rep. Congo',
    CV: 'Cabo Verde',
    FO: 'Faeroe Is.',
    MK: 'Macedonia',
    PS: 'Palestine',
    TR: 'Turkey',
  },
};

/** Outlines are simple, and small islands lie off them: a station this near is in its country, in degrees. */
const NEAR_DEGREES = 1;

/** As much of TopoJSON as is used here: each arc is its first point, and steps from there, in whole numbers. */
interface Atlas {
  transform: { scale: [number, number]; translate: [number, number] };
  objects: { countries: { geometries: { arcs?: unknown[]; properties: { name: string } }[] } };
  arcs: [number, number][][];
}

/** The lines around a country, its lakes and islands, each as points: degrees east and north. */
type Outline = readonly (readonly [number, number])[][];

let outlines: { words: string[]; outline: () => Outline }[] | undefined;

/** The countries of the world at 1:50 million, read when the first station is new. */
function countries(): { words: string[]; outline: () => Outline }[] {
  const file = require.resolve('world-atlas/countries-50m.json');
  const { transform, objects, arcs } = JSON.parse(readFileSync(file, 'utf8')) as Atlas;
  const { scale, translate } = transform;
  const line = (arc: number): Outline[number] => {
    let [x, y] = [0, 0];
    // One that runs backwards is written as its complement; where a line begins does not matter here.
    return arcs[arc < 0 ? ~arc : arc]!.map(([east, north]) => {
      [x, y] = [x + east, y + north];
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  };
  return objects.countries.geometries.map(({ arcs: of = [], properties }) => ({
    words: splitWords(properties.name),
    outline: () => (of.flat(3) as number[]).map(line),
  }));
}

/** Whether a place is within: a line north of it crosses the outline an odd number of times. */
function isWithin(outline: Outline, latitude: number, longitude: number): boolean {
  let isOdd = false;
  for (const points of outline) {
    points.forEach(([east, north], at) => {
      const [west, south] = points[at - 1] ?? [east, north];
      if (east > longitude === west > longitude) return;
      if (south + ((longitude - west) * (north - south)) / (east - west) > latitude) isOdd = !isOdd;
    });
  }
  return isOdd;
}

const splitWords = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace('&', 'and')
    .replace(/[^A-Za-z. ]/g, '')
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');

/** Whether the words of the atlas are those of a name. A word that ends in a point is cut short; either may go on
 * after the other. */
const isNamed = (atlas: readonly string[], name: readonly string[]): boolean =>
  atlas
    .slice(0, name.length)
    .every((word, at) =>
      word.endsWith('.') ? name[at]?.startsWith(word.slice(0, -1)) : word === name[at],
    ) &&
  (atlas.length <= name.length || name.length > 1);

function findOutline(country: string): Outline | undefined {
  outlines ??= countries();
  const name = IN_ATLAS[country] ?? new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? '';
  const words = splitWords(name);
  const exact = outlines.find((each) => each.words.join() === words.join());
  return (exact ?? outlines.find((each) => isNamed(each.words, words)))?.outline();
}

const isNear = (outline: Outline, latitude: number, longitude: number): boolean =>
  [0, -NEAR_DEGREES, NEAR_DEGREES].some((north) =>
    [0, -NEAR_DEGREES, NEAR_DEGREES].some((east) => isWithin(outline, latitude + north, longitude + east)),
  );

/** Whether a station is in its country only with latitude and longitude exchanged. */
export function isExchanged({ country, latitude, longitude }: StationFact): boolean {
  if (Math.abs(longitude) > 90) return false;
  const outline = findOutline(country);
  if (outline === undefined) return false;
  return !isNear(outline, latitude, longitude) && isNear(outline, longitude, latitude);
}
