import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { FILE_MEDIA_TYPES, type FileFormat } from '../../../src/api/formats.js';
import { LAST_DAY, pairCount, type Shape } from '../data.js';
import { timed } from '../measure.js';
import type { Figure } from '../report.js';
import { readMemory, type Server, type Service, startService } from '../service.js';

// The formats in which the engine writes the same file by itself, whole, in the same order.
const BARE_FORMATS: Record<FileFormat, string> = {
  csv: 'CSVWithNames',
  ndjson: 'JSONEachRow',
  parquet: 'Parquet',
};

/** Exports of a whole data set: rows per second, beside the engine's own file, and memory, beside a tenth of it. */
export async function measureExports(dataDir: string, shape: Shape): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const format of Object.keys(FILE_MEDIA_TYPES) as FileFormat[]) {
    const section = `export: ${format}`;
    const tenth = await exported(dataDir, { ...shape, days: Math.ceil(shape.days / 10) }, format);
    const whole = await exported(dataDir, shape, format, async ({ engine }) => {
      const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-bench-export-'));
      const file = join(folder, 'pairs');
      const bare_ms = await timed(() =>
        engine.command({
          query: `INSERT INTO FUNCTION file('${file}', ${BARE_FORMATS[format]})
            SELECT metric, station_id, target_date, issued_at, lead_time_bucket, forecast, actual, error, observation_status
            FROM pairs ORDER BY target_date, metric, station_id, issued_at`,
        }),
      );
      await rm(folder, { recursive: true });
      return { bare_ms };
    });
    const pairs = pairCount(shape);
    const rate = Math.round(pairs / whole.ms) * 1000;
    figures.push(
      { section, what: 'pairs/s', value: rate, unit: '' },
      { section, what: 'file', value: whole.bytes / 1e6, unit: 'MB', made_of: `${pairs} pairs` },
      {
        section,
        what: "time against the engine's own file",
        value: whole.ms / whole.beside.bare_ms,
        unit: 'x',
        made_of: `${Math.round(whole.ms)} and ${Math.round(whole.beside.bare_ms)} ms`,
      },
      {
        section,
        what: 'peak memory of the server',
        value: whole.peak_mb,
        unit: 'MB',
        bar: { sign: '<=', bound: 1024 },
      },
      {
        section,
        what: 'peak memory against a tenth of the days',
        value: whole.peak_mb / tenth.peak_mb,
        unit: 'x',
        made_of: `${Math.round(tenth.rest_mb)} MB at rest, then ${Math.round(tenth.peak_mb)} and ${Math.round(whole.peak_mb)} MB`,
        bar: { sign: '<=', bound: 1.3 },
      },
    );
  }
  return figures;
}

/** One export by a server of its own, whose memory is its own; then `beside`, on the same server. */
async function exported<Beside = undefined>(
  dataDir: string,
  shape: Shape,
  format: FileFormat,
  beside?: (service: Service) => Promise<Beside>,
) {
  const service = await startService(dataDir);
  try {
    const rest = await readMemory(service.pid);
    const path = exportPath(format, shape.days);
    let bytes = 0;
    const ms = await timed(async () => {
      bytes = await download(service, path, pairCount(shape));
    });
    const peak = await readMemory(service.pid);
    return {
      ms,
      bytes,
      rest_mb: rest?.now_mb ?? NaN,
      peak_mb: peak?.peak_mb ?? NaN,
      beside: (await beside?.(service)) as Beside,
    };
  } finally {
    await service.stop();
  }
}

/** The export of the last days. */
const exportPath = (format: FileFormat, days: number): string =>
  `/api/v1/export/pairs?format=${format}&date_from=${addDays(LAST_DAY, 1 - days)}&date_to=${LAST_DAY}`;

/** Reads a download to its end and drops it. @returns its bytes */
async function download({ url, key }: Server, path: string, pairs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url + path, { headers: { authorization: `Bearer ${key}` } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        const sent = response.trailers['x-pairs-sent'];
        if (sent === String(pairs)) resolve(bytes);
        else reject(new Error(`${path}: ${sent} pairs, not ${pairs}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}
