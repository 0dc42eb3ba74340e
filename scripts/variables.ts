import { readFile, writeFile } from 'node:fs/promises';
import { withVariablesTable } from './variables/table.js';

// npm run variables: writes the table of variables into docs/variables.md. Run it from the package's folder.

const PAGE = 'docs/variables.md';
await writeFile(PAGE, withVariablesTable(await readFile(PAGE, 'utf8')));
