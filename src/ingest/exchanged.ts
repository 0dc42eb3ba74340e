import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoContains, type GeoPermissibleObjects } from 'd3-geo';
import { feature } from 'topojson-client';
import type { StationFact } from './feed/columns.js';

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

type Outline = GeoPermissibleObjects;

let outlines: { words: string[]; outline: Outline }[] | undefined;

/** The countries of the world at 1:50 million, read when the first station is new. */
function countries(): { words: string[]; outline: Outline }[] {
  const atlas = JSON.parse(
    readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8'),
  ) as Parameters<typeof feature>[0];
  const collection = feature(atlas, atlas.objects.countries!) as GeoJSON.FeatureCollection<
    GeoJSON.Geometry,
    { name: string }
  >;
  return collection.features.map((outline) => ({ words: wordsOf(outline.properties.name), outline }));
}

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace('&', 'and')
    .replace(/[^A-Za-z. ]/g, '')
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');

/** Whether the words of the atlas are those of a name, cut short where they end in a point, or one goes on after the other. */
const isNamed = (atlas: readonly string[], name: readonly string[]): boolean =>
  atlas
    .slice(0, name.length)
    .every((word, at) =>
      word.endsWith('.') ? name[at]?.startsWith(word.slice(0, -1)) : word === name[at],
    ) &&
  (atlas.length <= name.length || name.length > 1);

function outlineOf(country: string): Outline | undefined {
  outlines ??= countries();
  const name = IN_ATLAS[country] ?? new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? '';
  const words = wordsOf(name);
  const exact = outlines.find((each) => each.words.join() === words.join());
  return (exact ?? outlines.find((each) => isNamed(each.words, words)))?.outline;
}

const isNear = (outline: Outline, latitude: number, longitude: number): boolean =>
  [0, -NEAR_DEGREES, NEAR_DEGREES].some((north) =>
    [0, -NEAR_DEGREES, NEAR_DEGREES].some((east) =>
      geoContains(outline, [longitude + east, Math.max(-90, Math.min(90, latitude + north))]),
    ),
  );

/** Whether a station is in its country only with latitude and longitude exchanged. */
export function isExchanged({ country, latitude, longitude }: StationFact): boolean {
  if (Math.abs(longitude) > 90) return false;
  const outline = outlineOf(country);
  if (outline === undefined) return false;
  return !isNear(outline, latitude, longitude) && isNear(outline, longitude, latitude);
}
