// The parts of the libraries that the map draws with, as one file, which is loaded once the map is in view.
export { geoAlbersUsa, geoCentroid, geoEqualEarth, geoPath } from 'd3-geo';
export { feature } from 'topojson-client';
