import { writeFile } from 'node:fs/promises';
import { writeSourceSchema } from './source-schema/write.js';

// npm run source-schema: writes sources/source.schema.json, for editors. Run it from the package's folder.

await writeFile('sources/source.schema.json', writeSourceSchema());
