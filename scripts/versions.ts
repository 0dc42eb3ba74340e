import { writeFile } from 'node:fs/promises';
import { VERSION } from '../src/lib/version.js';
import { filesWithVersion } from './versions/places.js';

// npm run versions: writes the version of package.json wherever else it stands. Run it from the package's folder.

for (const [file, text] of filesWithVersion(VERSION)) await writeFile(file, text);
