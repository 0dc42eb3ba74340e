import { writeFile } from 'node:fs/promises';
import { filesOfClients } from './clients/files.js';

// npm run clients: writes the generated part of the clients. Run it from the package's folder.

for (const [file, text] of await filesOfClients()) await writeFile(file, text);
