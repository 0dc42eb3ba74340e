import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pagePolicy } from '../http/security-headers.js';
import type { StaticPage } from './pages.js';

// The API docs: Swagger UI over /openapi.json, started by public/docs. The build copies its files, so that they work without
// the internet, and that nobody installs its package, which has a dependency that reports each installation
// (`npm run swagger-ui`).

const require = createRequire(import.meta.url);

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forecast Accuracy Service: API</title>
<link rel="icon" href="{{assets}}/favicon-32x32.png">
<link rel="stylesheet" href="{{assets}}/swagger-ui.css">
<link rel="stylesheet" href="{{assets}}/page.css">
</head>
<body>
<div id="docs"></div>
<footer class="swagger-ui">
<div class="wrapper markdown">
<p>Collected data are of the Iowa Environmental Mesonet of Iowa State University, NOAA/National Weather Service (public domain) and
Open-Meteo.com (CC BY 4.0). In <code>/api/v1/accuracy/freshness</code>, <code>sources</code> says which of them this service has data of, and whom to name where
they are shown.</p>
</div>
</footer>
<noscript>This page needs JavaScript; the description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="{{assets}}/swagger-ui-bundle.js"></script>
<script src="{{assets}}/start.js"></script>
</body>
</html>
`;

let made: StaticPage | undefined;

/**
 * The page at /docs; its files are read once in the life of the process.
 * @param isPublic reading needs no key (D60)
 */
export function docsPage(isPublic = false): StaticPage {
  made ??= readPage();
  return isPublic ? { ...made, html: made.html.replace('<html ', '<html data-public ') } : made;
}

function readPage(): StaticPage {
  const names = ['swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'start.js', 'favicon-32x32.png'];
  return {
    path: '/docs',
    name: 'docs',
    html: HTML,
    files: new Map(
      names.map((name) => [name, readFileSync(require.resolve(`#swagger-ui/${name}`))] as const),
    ),
    policy: pagePolicy("'self' data:"), // Swagger UI draws its icons from data: URLs
  };
}
