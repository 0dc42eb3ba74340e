import { writeFile } from 'node:fs/promises';
import { DOWNLOADS, ENDPOINTS } from '../src/endpoints.js';
import { openApiDocument } from './openapi/document.js';
import { readExamples } from './openapi/examples.js';
import { VERSION } from '../src/lib/version.js';

// npm run openapi: writes openapi.json, the document that a server answers at /openapi.json, so that a change of the
// contract shows in a diff. Run it from the package's folder.

const document = openApiDocument({
  endpoints: ENDPOINTS,
  downloads: DOWNLOADS,
  version: VERSION,
  examples: readExamples(),
});
await writeFile('openapi.json', `${JSON.stringify(document, null, 2)}\n`);
