import { DATA_SETS } from './data.js';
import { takeSnapshots } from './snapshots.js';

// npm run snapshots -- OUT_DIR [PATH_PREFIX ...]

const [, , folder, ...prefixes] = process.argv;
if (folder === undefined) throw new Error('npm run snapshots -- OUT_DIR [PATH_PREFIX ...]');
for (const data of DATA_SETS) {
  const started = performance.now();
  const statuses = await takeSnapshots(data, folder, prefixes);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
  console.log(`${data.name}: ${counts.join(', ')} in ${Math.round((performance.now() - started) / 1000)} s`);
}
process.exit(); // the engine stays open for further stores
