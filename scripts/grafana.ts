import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { runCommand } from '../src/lib/user-error.js';
import { dashboardFiles, importFiles } from './grafana/files.js';

// npm run grafana: writes grafana/dashboards and grafana/import anew. The same panels, once for each data source that people
// use, and once more for people who import a dashboard and choose the data source then.

await runCommand(async () => {
  for (const [folder, files] of [
    ['grafana/dashboards', dashboardFiles()],
    ['grafana/import', importFiles()],
  ] as const) {
    for (const [path, dashboard] of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(
        file,
        // Prettier breaks only long lines of a text without line breaks: a third of the lines.
        await format(JSON.stringify(dashboard), { parser: 'json', printWidth: 110 }),
      );
      console.log(file);
    }
  }
});
