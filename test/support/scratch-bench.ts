import { load } from '../../src/ingest/load.js';
import { readConfig } from '../../src/config.js';
import { openStore } from '../../src/store/engine/open.js';
import { raw, sql } from '../../src/queries/sql.js';
import { z } from 'zod';
const folder = process.argv[2] ?? '/tmp/hs/data';
const { store, close } = await openStore(readConfig({ DATA_DIR: folder }), 'command');
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
for (const files of JSON.parse(process.argv[3] ?? '[]') as Record<string, string[]>[]) {
  const before = cpu();
  const report = await load(store, files, { });
  console.log(JSON.stringify({ files, cpu: cpu() - before, added: report.pairs_added, us: ((cpu() - before) * 1e6) / report.pairs_added, mb: report.peak_memory_mb, warnings: report.warnings.slice(0, 3), outcome: report.outcome }));
}
if (process.argv[4] === 'size') {
  await store.command(raw('OPTIMIZE TABLE station_days FINAL'));
  for (const t of ['hourly_forecasts','hours','network_day_errors','network_lead_errors','station_day_counts']) await store.command(raw(`OPTIMIZE TABLE ${t} FINAL`));
  console.log(await store.query(sql.rows(z.unknown())`${raw(`SELECT table, sum(data_compressed_bytes) AS b, sum(bytes_on_disk) as d, sum(rows) AS r FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table ORDER BY b DESC LIMIT 12`)}`));
  console.log(await store.query(sql.rows(z.unknown())`${raw(`SELECT table, column, sum(column_data_compressed_bytes) AS b FROM system.parts_columns WHERE active AND database = currentDatabase() AND table IN ('station_days','hourly_forecasts') GROUP BY ALL ORDER BY b DESC LIMIT 20`)}`));
}
await close();
