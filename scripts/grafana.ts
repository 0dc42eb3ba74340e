import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { runCommand } from '../src/operator-fault.js';
import { dashboardFiles } from './grafana/files.js';

// npm run grafana: writes grafana/dashboards anew. The same panels, once for each data source that people use.

await runCommand(async () => {
  for (const [path, dashboard] of dashboardFiles()) {
    const file = join('grafana/dashboards', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      // Of text without line breaks Prettier breaks only what is long: a third of the lines.
      await format(JSON.stringify(dashboard), { parser: 'json', printWidth: 110 }),
    );
    console.log(file);
  }
});
