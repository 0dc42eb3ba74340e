import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IRouter } from 'express';
import { entityTag, isKnown } from '../http/conditional.js';
import { pagePolicy } from '../http/security-headers.js';
import { Asset, type Files, mountAssets, versionOf } from './assets.js';
import { countries, states } from './outlines.js';

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

interface Dashboard {
  page: Asset;
  /** Weak; another one when the page or one of its files differs. */
  tag: string;
  files: Files;
  version: string;
}

let made: Dashboard | undefined;

/** The page and its files; read once in the life of the process. */
function dashboard(): Dashboard {
  if (made !== undefined) return made;
  const template = require.resolve('#public/dashboard/index.html');
  const folder = dirname(template);
  const own = readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name));
  const files: Files = new Map([
    ...own.sort().map((name) => [name, readFileSync(join(folder, name))] as const),
    ...Object.entries(LIBRARIES).map(([name, find]) => [name, readFileSync(find())] as const),
    ['countries.json', Buffer.from(JSON.stringify(countries()))],
    ['states.json', Buffer.from(JSON.stringify(states()))],
  ]);
  const version = `dashboard-${versionOf(files)}`;
  const html = readFileSync(template, 'utf8').replaceAll('{{assets}}', `/assets/${version}`);
  return (made = { page: new Asset('index.html', Buffer.from(html)), tag: entityTag(html), files, version });
}

/** Adds the dashboard at `/` and its files. They hold no data, so they need no key (D21). */
export function mountDashboard(router: IRouter): void {
  const { page, tag, files, version } = dashboard();
  router.get('/', async (request, response) => {
    response.setHeader('Content-Security-Policy', pagePolicy());
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', tag);
    if (isKnown(request.headers['if-none-match'], tag)) response.status(304).end();
    else await page.send(request, response);
  });
  mountAssets(router, version, files);
}
