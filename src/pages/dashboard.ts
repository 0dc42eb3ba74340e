import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pagePolicy } from '../http/security-headers.js';
import { countries, states } from './outlines.js';
import type { StaticPage } from './pages.js';

const require = createRequire(import.meta.url);

// Their scripts for browsers are not among what the packages export, so they are found beside what is.
const besideEntry = (name: string, file: string): string => join(dirname(require.resolve(name)), file);

/** Scripts and styles of libraries, as their packages bring them. */
const LIBRARIES: Record<string, () => string> = {
  'uplot.js': () => besideEntry('uplot', 'uPlot.iife.min.js'),
  'uplot.css': () => besideEntry('uplot', 'uPlot.min.css'),
  'd3-array.js': () => besideEntry('d3-array', '../dist/d3-array.min.js'),
  'd3-geo.js': () => besideEntry('d3-geo', '../dist/d3-geo.min.js'),
  'topojson.js': () => besideEntry('topojson-client', 'topojson-client.min.js'),
};

let made: StaticPage | undefined;

/**
 * The page at /; its files are read once in the life of the process.
 * @param isPublic the page asks without a key, unless it has one (D60)
 */
export function dashboardPage(isPublic = false): StaticPage {
  made ??= readDashboard();
  if (!isPublic) return made;
  return { ...made, html: made.html.replace('<html ', '<html data-public ') };
}

function readDashboard(): StaticPage {
  const template = require.resolve('#public/dashboard/index.html');
  const folder = dirname(template);
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|css|svg)$/.test(name),
  );
  return {
    path: '/',
    name: 'dashboard',
    html: readFileSync(template, 'utf8'),
    files: new Map([
      ...own.sort().map((name) => [name, readFileSync(join(folder, name))] as const),
      ...Object.entries(LIBRARIES).map(([name, find]) => [name, readFileSync(find())] as const),
      ['countries.json', Buffer.from(JSON.stringify(countries()))],
      ['states.json', Buffer.from(JSON.stringify(states()))],
    ]),
    policy: pagePolicy(),
  };
}
