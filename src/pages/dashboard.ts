import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pagePolicy } from '../http/security-headers.js';
import { countries, states } from './outlines.js';
import type { StaticPage } from './pages.js';

// The dashboard: `npm run page` bundles public/dashboard with its libraries into dist/public.

const require = createRequire(import.meta.url);

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
  const template = require.resolve('#public/index.html');
  const folder = dirname(template);
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name));
  return {
    path: '/',
    name: 'dashboard',
    html: readFileSync(template, 'utf8'),
    files: new Map([
      ...names.sort().map((name) => [name, readFileSync(join(folder, name))] as const),
      ['countries.json', Buffer.from(JSON.stringify(countries()))],
      ['states.json', Buffer.from(JSON.stringify(states()))],
    ]),
    policy: pagePolicy(),
  };
}
