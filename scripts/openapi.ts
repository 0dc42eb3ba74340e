import { DOWNLOADS, ENDPOINTS } from '../src/endpoints/index.js';
import { openApiDocument } from '../src/openapi/document.js';
import { VERSION } from '../src/version.js';

// npm run openapi: the document that a server answers at /openapi.json

console.log(JSON.stringify(openApiDocument(ENDPOINTS, DOWNLOADS, VERSION), null, 2));
