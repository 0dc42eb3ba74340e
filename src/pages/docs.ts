import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { IRouter } from 'express';
import { pagePolicy } from '../http/security-headers.js';

// The API docs: Swagger UI over /openapi.json, from the package alone, so they work without the internet.

const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

// Swagger UI draws its icons from data: URLs.
const CONTENT_SECURITY_POLICY = pagePolicy("'self' data:");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forecast Accuracy Service: API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// A key that is entered stays in the page's memory: it is gone when the page is.
const START = `'use strict';
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Adds the docs page and its files (D21: they need no key). */
export function mountDocs(router: IRouter): void {
  router.get('/docs', (_request, response) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.type('text/javascript').send(START);
  });
  for (const file of FILES) {
    router.get(`/docs/${file}`, (_request, response, next) => {
      response.sendFile(file, { root: FOLDER, maxAge: '1h' }, (error) => {
        if (error) next(error);
      });
    });
  }
}
