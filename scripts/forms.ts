import { readFile, writeFile } from 'node:fs/promises';
import { withFormsTable } from './forms/table.js';

// npm run forms: writes the table of cells into docs/feeds.md. Run it from the package's folder.

const PAGE = 'docs/feeds.md';
await writeFile(PAGE, withFormsTable(await readFile(PAGE, 'utf8')));
