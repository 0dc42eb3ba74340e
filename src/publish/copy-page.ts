import { pagePolicy } from '../http/security-headers.js';
import { dashboardPage } from '../pages/dashboard.js';
import { hashFiles } from '../pages/pages.js';
import { withSingleBlanks } from '../lib/text.js';
import type { CopyFacts } from './copy-folder.js';

// The files of a copy that are no responses: its page, and what tells people of it.

/** The files of a copy's page by name. @param first the response that the page needs first */
export function pageFiles({ folder, generated_at, offers, full_service }: CopyFacts, first: string) {
  const { html, files } = dashboardPage(true);
  const assets = `assets/dashboard-${hashFiles(files)}`;
  const published = JSON.stringify({ folder, generated_at, offers, full_service });
  // No browser takes frame-ancestors from a page.
  const policy = pagePolicy().replace(/; frame-ancestors [^;]*/, '');
  const page = html
    .replace('<html ', () => `<html data-published="${escapeHtml(published)}" `)
    .replace(
      '<meta charset="utf-8" />',
      (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace(
      '</head>',
      () =>
        `  <link rel="preload" as="fetch" crossorigin href="${escapeHtml(`${folder}/${first}`)}" />\n  </head>`,
    )
    // A browser without JavaScript reads of it.
    .replace('<a href="docs">the API</a>', '<a href="publish.json">the data files</a>')
    .replaceAll('{{assets}}', assets);
  return new Map<string, string | Buffer>([
    ...[...files].map(([name, content]) => [`${assets}/${name}`, content] as const),
    ['404.html', notFoundPage(full_service)],
    ['index.html', page],
  ]);
}

const escapeHtml = (text: string): string => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Hosts show it at any path, so it has no relative link. */
const notFoundPage = (full_service = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not in this copy</title>
<h1>Not in this copy</h1>
<p>This is a copy of some views of a forecast accuracy service. It has no such file, or has it no longer.</p>
${full_service && `<p><a href="${escapeHtml(full_service)}">The full service</a></p>\n`}</html>
`;

/** The text for who finds the folder. */
export const readmeText = (
  { generated_at, folder, data_version, timeline, attribution }: CopyFacts,
  hasPairs: boolean,
): string => `Forecast accuracy, a copy of ${generated_at.slice(0, 16).replace('T', ' ')} UTC, data version v${data_version}.${timeline}

index.html      the dashboard; any web server shows it, a browser alone cannot
publish.json    what this copy has, and where
manifest.json   each file with its SHA-256, size and ETag
${folder}/
                responses of the API, by path and parameters; ~ and a hexadecimal code stand for other signs than A-Za-z0-9._,-
badges/, charts/
                badges (shields.io) and charts, at paths that last
${
  hasPairs
    ? `pairs/          forecasts with their observations, a Parquet file a provider and month
recompute/      SQL for DuckDB that computes the summaries from the pairs anew: duckdb -json -f recompute/...
`
    : ''
}
The error of a forecast is forecast minus observation. To cite this copy, name its address, the time and the data version above.
${attribution.map((text) => `Data: ${withSingleBlanks(text)}\n`).join('')}`;
