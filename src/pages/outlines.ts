import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** As much of TopoJSON as is used here. */
interface Topology {
  type: 'Topology';
  transform?: unknown;
  objects: Record<
    string,
    {
      type: 'GeometryCollection';
      geometries: { type: string; arcs?: unknown; properties?: { name: string } }[];
    }
  >;
  arcs: unknown[];
}

/** The countries of the world at 1:110 million, for a page, without Antarctica, which would take a fifth of a map. */
export function countries(): Topology {
  return outlines('world-atlas/countries-110m.json', 'countries');
}

/** The states of the USA at 1:10 million, for a page. */
export function states(): Topology {
  return outlines('us-atlas/states-10m.json', 'states');
}

/** One layer of an atlas, named `areas`, without the names of the areas. */
function outlines(file: string, layer: string): Topology {
  const { transform, objects, arcs } = JSON.parse(readFileSync(require.resolve(file), 'utf8')) as Topology;
  const geometries = (objects[layer]?.geometries ?? [])
    .filter(({ properties }) => properties?.name !== 'Antarctica')
    .map(({ type, arcs }) => ({ type, arcs }));
  return {
    type: 'Topology',
    transform,
    objects: { areas: { type: 'GeometryCollection', geometries } },
    arcs,
  };
}
